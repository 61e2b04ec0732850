// Which models read the table, and what is wrong with those that were promoted.

import { byId, say } from "./elements.js";

const AGAIN_MS = 5_000;

async function show() {
  try {
    const answer = await fetch("/api/v1/models", { signal: AbortSignal.timeout(10_000) });
    if (answer.ok) tell(await answer.json());
  } catch {
    // the page says by itself that the table does not answer
  }
  setTimeout(show, AGAIN_MS);
}

function tell({ version, models, waiting, problem }) {
  byId("models").hidden = !version;
  const which = version === "bundled" ? "The models that come with Tableside" : version;
  say(byId("models-version"), waiting ? `${which}; ${waiting} follows after this roll` : which);
  say(byId("models-names"), Object.values(models).join(", "));
  byId("models-problem").hidden = !problem;
  say(byId("models-problem"), problem);
}

show();
