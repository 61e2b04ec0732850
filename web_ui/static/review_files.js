// Import and export: begun here, done by the table, followed until it is done.

import { byId, make, say } from "./elements.js";
import { ask, DATASET } from "./review_ask.js";

const LOOK_MS = 500;
const TRIES = 4;
const OVER = ["done", "failed", "cancelled"];
const OUTCOMES = { kept: "added", changed: "labelled anew", twice: "there already", "no room": "found no room" };
let shown = null; // id of the errand whose end was shown
let running = false;
let halted = false;

const mega = (bytes) => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;

function tell(sentence) { say(byId("files-error"), sentence); }

function takenWords(taken) {
  const parts = Object.entries(taken).map(([what, count]) => `${count} ${OUTCOMES[what] ?? what}`);
  return parts.length ? `Pictures: ${parts.join(", ")}.` : "Nothing came into the album.";
}

function words(errand) {
  const name = errand.kind === "export" ? "Export" : "Import";
  const far = errand.total ? ` ${errand.state === "uploading" ? `${mega(errand.done)} of ${mega(errand.total)}` : `${errand.done} of ${errand.total}`}` : "";
  if (!OVER.includes(errand.state)) return `${name}: ${errand.doing || "beginning"}${far}`;
  if (errand.state === "failed") return `${name} failed: ${errand.error}.${errand.kind === "import" ? ` ${takenWords(errand.taken)}` : ""}`;
  if (errand.state === "cancelled") return `${name} cancelled.${errand.kind === "import" ? ` ${takenWords(errand.taken)}` : ""}`;
  if (errand.kind === "import") return `Import done. ${takenWords(errand.taken)}`;
  const count = Object.values(errand.pictures ?? {}).reduce((sum, one) => sum + one, 0);
  return `Export done: ${count} pictures with ${errand.dice} dice, ${mega(errand.size)}.`;
}

function show(errand) {
  byId("errand").hidden = !errand;
  if (!errand) return;
  const over = OVER.includes(errand.state);
  byId("errand").dataset.state = errand.state;
  say(byId("errand-words"), words(errand));
  const bar = byId("errand-bar");
  bar.hidden = over;
  if (errand.total) {
    bar.max = errand.total;
    bar.value = errand.done;
  } else bar.removeAttribute("value");
  byId("errand-notes").replaceChildren(...errand.notes.map((note) => make("li", {}, note)));
  const ready = over && errand.kind === "export" && errand.state === "done";
  byId("download").hidden = !ready;
  if (ready) byId("download").href = `${DATASET}/exports/${errand.id}/labels.zip`;
  byId("errand-cancel").hidden = over && !ready;
  say(byId("errand-cancel"), ready ? "Remove the file" : "Cancel");
  for (const form of ["export-form", "import-form"]) byId(form).querySelector(".primary").disabled = !over;
}

async function follow(onDone) {
  if (running) return;
  running = true;
  for (;;) {
    const answer = await ask("GET", "/errand");
    const errand = answer.ok ? answer.body.errand : null;
    if (answer.ok) show(errand);
    if (!errand || OVER.includes(errand.state)) {
      if (errand && shown !== errand.id && errand.kind === "import") onDone();
      shown = errand?.id ?? null;
      break;
    }
    await new Promise((done) => { setTimeout(done, LOOK_MS); });
  }
  running = false;
}

async function upload(file, errand) {
  for (let at = 0; at < file.size;) {
    const piece = file.slice(at, at + errand.piece_bytes);
    let answer = { ok: false, status: 0, error: "" };
    for (let tries = 0; tries < TRIES && !answer.ok && (answer.status === 0 || answer.status === 503); tries += 1) {
      if (halted) return "";
      answer = await ask("PUT", `/imports/${errand.id}?at=${at}`, piece);
      if (answer.status === 409) { // it came, but its answer did not
        const now = await ask("GET", "/errand");
        if (now.ok && now.body.errand?.done === at + piece.size) answer = { ok: true };
      }
    }
    if (!answer.ok) return answer.error;
    at += piece.size;
    if (answer.body?.errand) show(answer.body.errand);
  }
  return "";
}

/** Wire the sheet; `onDone()` after an import, `sets()` names the dice sets. */
export function wireFiles(onDone, sets) {
  byId("export-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const form = new FormData(event.target);
    const answer = await ask("POST", "/exports", {
      format: form.get("format"),
      classes: form.get("classes"),
      dice_set: "",
      sure: form.get("sure") !== null,
      shares: form.get("shares"),
    });
    tell(answer.error);
    if (answer.ok) {
      show(answer.body.errand);
      follow(onDone);
    }
  });
  byId("i-file").addEventListener("change", () => {
    const name = byId("i-file").files[0]?.name.replace(/\.zip$/i, "") ?? "";
    if (!byId("i-recording").value) byId("i-recording").value = name.slice(0, 100);
  });
  byId("import-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const form = new FormData(event.target);
    const file = form.get("file");
    halted = false;
    const answer = await ask("POST", "/imports", {
      format: form.get("format"),
      classes: form.get("classes"),
      dice_set: form.get("dice_set"),
      recording: form.get("recording"),
      by: form.get("format") === "native" && form.get("by") === "person" ? "" : form.get("by"),
      first_corner: form.get("first_corner") !== null,
      bytes: file.size,
    });
    tell(answer.ok ? "" : file.size ? answer.error : "This file is empty.");
    if (!answer.ok) return;
    show(answer.body.errand);
    const trouble = await upload(file, answer.body.errand);
    if (trouble) tell(`The upload ended: ${trouble}`);
    follow(onDone);
  });
  byId("errand-cancel").addEventListener("click", async () => {
    halted = true;
    const answer = await ask("POST", "/errand/cancel");
    tell(answer.error);
    if (answer.ok) show(answer.body.errand);
    follow(onDone);
  });
  return () => {
    const names = sets();
    byId("i-set").replaceChildren(...names.map((name) => make("option", { value: name }, name)));
    tell("");
    byId("files").showModal();
    follow(onDone);
  };
}
