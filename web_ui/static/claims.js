// Doubts and what the referee said.

import { make } from "./elements.js";

export const RULINGS = { upheld: "Upheld", rejected: "Rejected" };

/** A claim as words, with its ruling if there is one. */
export function claimWords(claim) {
  const parts = [make("p", { class: "claim-words" }, make("b", {}, make("bdi", {}, claim.by)), `: ${claim.words}`)];
  if (claim.ruling) {
    parts.push(make(
      "p",
      { class: `ruling ${claim.ruling}` },
      make("b", {}, `${claim.ruling === "upheld" ? "✓" : "✗"} ${RULINGS[claim.ruling]}`),
      `: ${claim.reason}`,
    ));
  }
  return parts;
}
