// Which key does what, in one table: the keys, the buttons and the help all come from it.

import { byId, make } from "./elements.js";

const STORED = "tableside-review-letters";

/** Keys that stand for the same, how they are written, and what they do. */
export const KEYS = [
  { keys: ["Enter"], shown: ["Enter"], does: "All right as it is: keep these labels, next picture" },
  { keys: ["Shift+Enter"], shown: ["Shift", "Enter"], does: "Keep them although a rule says no: it is really so" },
  { keys: ["n", "PageDown"], shown: ["N", "Page down"], does: "Next picture" },
  { keys: ["p", "PageUp"], shown: ["P", "Page up"], does: "Previous picture" },
  { keys: ["ArrowRight", "ArrowDown"], shown: ["→"], does: "Next die" },
  { keys: ["ArrowLeft", "ArrowUp"], shown: ["←"], does: "Previous die" },
  { keys: ["u"], shown: ["U"], does: "Nobody can tell what this die shows" },
  { keys: ["x"], shown: ["X"], does: "Not a die: remove the outline" },
  { keys: ["m"], shown: ["M"], does: "A die is missing: draw its outline" },
  { keys: ["e"], shown: ["E"], does: "Move the corners of this die" },
  { keys: ["o"], shown: ["O"], does: "Turn the art a quarter: its top left is the next corner" },
  { keys: ["l"], shown: ["L"], does: "How it lies: flat, leaning, on another, covered" },
  { keys: ["Delete", "i"], shown: ["Delete", "I"], does: "Set the picture aside: it teaches nothing" },
  { keys: ["Shift+Delete"], shown: ["Shift", "Delete"], does: "Remove a picture that is set aside for good" },
  { keys: ["w"], shown: ["W"], does: "Back to those that wait" },
  { keys: ["z", "Ctrl+z"], shown: ["Z"], does: "Undo the last change, then the last decision" },
  { keys: ["+", "="], shown: ["+"], does: "Larger" },
  { keys: ["-"], shown: ["−"], does: "Smaller" },
  { keys: ["v"], shown: ["V"], does: "Whole picture, or the chosen die" },
  { keys: ["f"], shown: ["F"], does: "Filter" },
  { keys: ["g"], shown: ["G"], does: "Import and export" },
  { keys: ["?"], shown: ["?"], does: "This list" },
];

export function nameOf(event) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.ctrlKey || event.metaKey) return `Ctrl+${key}`;
  return event.shiftKey && event.key.length > 1 ? `Shift+${key}` : key;
}

/** The first key of the row that a key stands in; null if it does nothing. */
export const commandOf = (name) => KEYS.find((row) => row.keys.includes(name))?.keys[0] ?? null;

export const lettersOn = () => byId("keys-on").checked;

export function showKeys() {
  byId("key-list").replaceChildren(...KEYS.map((row) => make("div", {},
    make("dt", {}, ...row.shown.map((key) => make("kbd", {}, key))), make("dd", {}, row.does))));
  try {
    byId("keys-on").checked = localStorage.getItem(STORED) !== "off";
  } catch { /* kept for this visit only */ }
  byId("keys-on").addEventListener("change", () => {
    try {
      localStorage.setItem(STORED, lettersOn() ? "on" : "off");
    } catch { /* likewise */ }
  });
}
