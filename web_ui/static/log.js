// What was done in the game, the newest first; what was taken back is struck out.

import { byId, make } from "./elements.js";

/** `signed` tells who entered each thing and when. */
export function showLog(log, onReading, signed = false) {
  const list = byId("log");
  const wanted = JSON.stringify(log);
  if (list.dataset.shown === wanted) return;
  list.dataset.shown = wanted;
  list.replaceChildren(...log.map((item) => {
    const words = item.done ? make("span", {}, item.words) : make("s", {}, item.words);
    if (signed) words.append(make("small", {}, ` ${item.by}, ${new Date(item.at).toLocaleTimeString()}`));
    const entry = make("li", { class: item.done ? "" : "undone" }, words);
    if (!item.done) entry.append(make("span", { class: "unseen" }, " (taken back)"));
    if (item.reading && onReading) {
      const look = make("button", { type: "button", class: "quiet look" }, "Picture");
      look.setAttribute("aria-label", `Picture of reading ${item.reading}`);
      look.addEventListener("click", () => onReading(item.reading));
      entry.append(look);
    }
    return entry;
  }));
}
