// The sheet that asks for a few words: a doubt, a reason, a name.

import { byId, say } from "./elements.js";

/** Ask. `onDone(text)` resolves to an error sentence, or "" when done. */
export function askWords({ title, label, act, text = "" }, onDone) {
  const sheet = byId("words");
  say(byId("words-title"), title);
  say(byId("words-label"), label);
  say(byId("words-act"), act);
  say(byId("words-error"), "");
  byId("words-text").value = text;
  byId("words-form").onsubmit = async (event) => {
    event.preventDefault();
    const button = byId("words-act");
    if (button.getAttribute("aria-busy") === "true") return;
    button.setAttribute("aria-busy", "true");
    const error = await onDone(byId("words-text").value.trim());
    button.removeAttribute("aria-busy");
    say(byId("words-error"), error);
    if (!error) sheet.close();
  };
  sheet.showModal();
  byId("words-text").focus();
}
