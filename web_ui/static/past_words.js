// What the pages of past games share: asking, and words for times and faces.

import { sign } from "./elements.js";
import { mindLogin } from "./session.js";

/** Ask the table. Resolves to `{ok, status, body}` or `{ok: false, status, error}`; never rejects. */
export async function ask(url) {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(20_000) });
    mindLogin(answer);
    const body = await answer.json();
    return answer.ok ? { ok: true, status: answer.status, body } : { ok: false, status: answer.status, error: body.error };
  } catch {
    return { ok: false, status: 0, error: "The table did not answer. Try again." };
  }
}

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });

function written(format, at) {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? "at some time" : format.format(date);
}

export const whenOf = (at) => written(DAY, at);
export const clockOf = (at) => written(CLOCK, at);

const SUITS = { S: "♠", H: "♥", D: "♦", C: "♣" };

/** A face in signs: 10♥, ★ for a joker, ? for one that cannot be read. */
export function faceWords(code, faces) {
  if (code === null || code === undefined) return "?";
  const face = faces[code];
  if (face) return face.rank + sign(face.suit);
  // of a die that never showed it here, so the game does not say how it is drawn
  const suit = code.length === 2 ? SUITS[code[1]] : undefined;
  return suit ? (code[0] === "T" ? "10" : code[0]) + sign(suit) : code;
}

/** What changed from some faces to others, by die: `die 5: Q♥ → Q♦`. */
export function changeWords(before, after, faces) {
  if (before.length !== after.length) return codesWords(after, faces);
  const changed = after.map((code, place) => ({ code, place })).filter(({ code, place }) => code !== before[place]);
  if (!changed.length) return "no face changed";
  return changed.map(({ code, place }) => `${after.length > 1 ? `die ${place + 1}: ` : ""}${faceWords(before[place], faces)} → ${faceWords(code, faces)}`).join(", ");
}

export const codesWords = (codes, faces) => codes.map((code) => faceWords(code, faces)).join(" ");
