// The evidence of one reading: its picture and what was read.

import { byId, say } from "./elements.js";

export async function showEvidence(id) {
  const sheet = byId("evidence");
  say(byId("evidence-title"), `Reading ${id}`);
  say(byId("evidence-words"), "");
  const picture = byId("evidence-picture");
  picture.removeAttribute("src");
  sheet.showModal();
  try {
    const answer = await fetch(`/api/v1/readings/${id}`);
    const reading = await answer.json();
    if (!answer.ok) throw new Error(reading.error);
    picture.hidden = !reading.picture;
    if (reading.picture) picture.src = reading.picture;
    picture.alt = `The picture of reading ${id}`;
    const faces = reading.dice.map((die) => die.face?.code ?? "?").join(" ");
    const words = `${reading.status}, confidence ${(100 * reading.confidence).toFixed(1)} %: ${faces}`;
    say(byId("evidence-words"), `${words}. ${reading.problems.map((problem) => problem.sentence).join(" ")}`);
  } catch (error) {
    say(byId("evidence-words"), String(error.message));
  }
}
