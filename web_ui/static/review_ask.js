// Asking the table about captures, and the few words that the review page shares.

import { mindLogin, proof } from "./session.js";

export const DATASET = "/api/v1/dataset";

/** Ask the table. Resolves to `{ok, status, body, error}`; never rejects. */
export async function ask(method, path, body = undefined, timeout = 20_000) {
  const isFile = body instanceof Blob;
  const kind = isFile ? "application/octet-stream" : "application/json";
  try {
    const answer = await fetch(DATASET + path, {
      method,
      headers: { ...proof(), ...(body === undefined ? {} : { "Content-Type": kind }) },
      body: isFile || body === undefined ? body : JSON.stringify(body),
      signal: AbortSignal.timeout(timeout),
    });
    mindLogin(answer);
    const told = await answer.json();
    return { ok: answer.ok, status: answer.status, body: told, error: told.error ?? "" };
  } catch {
    return { ok: false, status: 0, body: null, error: "The table did not answer. Try again." };
  }
}

export const KEPT = {
  corrected: "Corrected: the reader was sure",
  asked: "Asked: the reader was unsure",
  refused: "Refused: it did not count",
  sure: "Sure: nobody objected",
  entered: "Imported",
  enrolled: "Shown while learning a set",
};

/** Doubt as people read it; nobody judged an import that no reader looked at. */
export const doubtOf = (entry) => entry.kept === "entered" && !entry.doubt ? "not judged" : entry.doubt.toFixed(2);

export const REVIEW = { waiting: "Waiting", reviewed: "Reviewed", dropped: "Set aside" };

const CLOCK = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
export const when = (at) => CLOCK.format(new Date(at));

export const pictureOf = (id) => `${DATASET}/captures/${id}/picture.jpg`;
export const smallOf = (id) => `${DATASET}/captures/${id}/small.jpg`;
