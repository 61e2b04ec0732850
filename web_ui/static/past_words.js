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

/** A face in signs: 10♥, Joker, ?. */
export function faceWords(code, faces) {
  const face = code === null ? null : faces[code];
  if (!face) return code ?? "?";
  return face.rank + sign(face.suit);
}

export const codesWords = (codes, faces) => codes.map((code) => faceWords(code, faces)).join(" ");
