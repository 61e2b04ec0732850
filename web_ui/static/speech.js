// The final score, spoken by the browser; nothing else is.

let told = null;

export function announceEnd(game) {
  if (!game) return;
  const first = told === null;
  const over = game.over ? game.id : "";
  // a page that is opened after the end stays silent
  if (!first && over && told !== over && "speechSynthesis" in window) {
    window.speechSynthesis.speak(new SpeechSynthesisUtterance(game.hint));
  }
  told = over;
}
