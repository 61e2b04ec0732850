// A quiet line on the operator's page when a layout was found, or was contradicted.

import { byId, say } from "./elements.js";

const AGAIN_MS = 60_000;

async function look() {
  try {
    const answer = await fetch("/api/v1/layout", { signal: AbortSignal.timeout(10_000) });
    if (answer.ok) show(await answer.json());
  } catch {
    // the page says by itself that the table does not answer
  }
  setTimeout(look, AGAIN_MS);
}

function show({ standing, sentence, clashes }) {
  byId("layout-line").hidden = standing !== "proposed" && !clashes;
  say(byId("layout-line-words"), sentence);
}

look();
