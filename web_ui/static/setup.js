// Camera and tray: four corners over a still picture, found, dragged, saved.

import { follow } from "./connection.js";
import { Corners } from "./corners.js";
import { byId, make, percent, say } from "./elements.js";
import { mindLogin, proof } from "./session.js";

const TRAY = "/api/v1/tray";
const AGAIN_MS = 1_500;
const WORDS = {
  steady: ["good", "Tray set"],
  followed: ["good", "Tray followed"],
  unwatched: ["ask", "Tray set, camera not watched"],
  moved: ["ask", "Camera moved"],
  lost: ["bad", "Tray lost from view"],
};

let saved = null; // the tray as the table has it
let size = null; // of the camera's pictures
let origin = "hand";
const corners = new Corners(byId("stage"), () => {
  origin = "hand";
  showButtons();
});

/** Ask the table about its tray; resolves to `{ok, ...body}`, never rejects. */
const ask = (method, path = "", body = undefined) => askTable(method, TRAY + path, body);

async function askTable(method, path, body = undefined) {
  try {
    const answer = await fetch(path, {
      method,
      headers: { ...proof(), ...(body ? { "Content-Type": "application/json" } : {}) },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(15_000),
    });
    mindLogin(answer);
    return { ok: answer.ok, ...(await answer.json()) };
  } catch {
    return { ok: false, error: "The table did not answer. Try again." };
  }
}

function tell(sentence, warn = false) {
  byId("answer").dataset.warn = String(warn);
  say(byId("answer"), sentence);
}

function showStanding({ standing, sentence }) {
  const [kind, word] = WORDS[standing] ?? ["none", "No tray"];
  byId("standing").dataset.kind = kind;
  say(byId("standing-word"), word);
  say(byId("standing-words"), sentence);
}

function showButtons() {
  const asks = ["moved", "lost"].includes(saved?.standing);
  byId("save").hidden = !corners.quad || !(corners.changed || asks);
  say(byId("save-words"), corners.changed ? "Save tray" : "It is right as drawn");
  byId("undo").hidden = !corners.changed;
  byId("clear").hidden = !saved?.tray;
  byId("by-hand").hidden = Boolean(corners.quad) || !size;
  byId("find").disabled = !size;
}

function showSaved(state) {
  saved = state;
  showStanding(state);
  if (!corners.changed) corners.show(quadOf(state.tray), true);
  showButtons();
}

/** Corners of a tray in pixels of the picture now. */
function quadOf(tray) {
  if (!tray || !size) return null;
  const scale = size.width_px / tray.width_px;
  return tray.quad.map(([x, y]) => [x * scale, y * scale]);
}

async function load() {
  const state = await ask("GET");
  if (!state.ok || !state.picture) {
    say(byId("veil"), state.ok ? "The camera has shown no picture yet." : state.error);
    setTimeout(load, AGAIN_MS);
    return;
  }
  size = state.picture;
  corners.fit(size.width_px, size.height_px);
  await newPicture();
  showSaved(state);
  document.body.dataset.ready = "true";
}

async function newPicture() {
  const still = byId("still");
  still.src = `${TRAY}/picture.jpg?t=${Date.now()}`;
  try {
    await still.decode();
    byId("veil").hidden = true;
  } catch {
    tell("The picture did not come. Try again.", true);
  }
}

function busy(id, work) {
  byId(id).addEventListener("click", async (event) => {
    const button = event.currentTarget;
    if (button.getAttribute("aria-busy") === "true") return;
    button.setAttribute("aria-busy", "true");
    await work();
    button.removeAttribute("aria-busy");
  });
}

function showProposals(proposals) {
  const list = byId("proposals");
  list.hidden = !proposals.length;
  list.replaceChildren(...proposals.map((proposal) => {
    const button = make("button", { type: "button", class: "act", "aria-pressed": "false" });
    const share = make("b");
    share.textContent = percent(proposal.confidence);
    button.append(`${proposal.sentence}.`, share);
    button.addEventListener("click", () => choose(proposal, button));
    return make("li", {}, button);
  }));
}

function choose(proposal, button) {
  for (const other of byId("proposals").querySelectorAll("button")) {
    other.setAttribute("aria-pressed", String(other === button));
  }
  corners.show(quadOf(proposal.tray), false);
  origin = proposal.tray.origin;
  showButtons();
}

busy("find", async () => {
  tell("Looking for a tray …");
  await newPicture();
  const answer = await ask("POST", "/find");
  if (!answer.ok) return tell(answer.error, true);
  showProposals(answer.proposals);
  if (!answer.proposals.length) {
    return tell("No tray was found. Set its corners by hand, or lay a printed sheet there.");
  }
  choose(answer.proposals[0], byId("proposals").querySelector("button"));
  return tell("Is this the tray? Correct its corners if need be, then save it.");
});

busy("by-hand", async () => {
  const [x, y] = [0.18 * size.width_px, 0.18 * size.height_px];
  const [right, bottom] = [size.width_px - x, size.height_px - y];
  corners.show([[x, y], [right, y], [right, bottom], [x, bottom]], false);
  origin = "hand";
  showButtons();
  corners.focus();
});

busy("save", async () => {
  const answer = await ask("PUT", "", { quad: corners.quad, ...size, origin });
  if (!answer.ok) return tell(answer.error, true);
  corners.show(quadOf(answer.tray), true);
  showProposals([]);
  showSaved(answer);
  return tell("Saved. Only dice inside it count.");
});

busy("clear", async () => {
  const answer = await ask("DELETE");
  if (!answer.ok) return tell(answer.error, true);
  corners.show(null, true);
  showProposals([]);
  showSaved(answer);
  return tell("Removed. Dice count wherever they are seen.");
});

busy("undo", async () => {
  corners.show(quadOf(saved?.tray), true);
  showProposals([]);
  showButtons();
  tell("");
});

busy("again", newPicture);

follow(async (state) => {
  if (!saved || state.tray.sentence === saved.sentence) return;
  const now = await ask("GET");
  if (now.ok) showSaved(now);
}, (isUp) => { byId("lost").hidden = isUp; });
load();

const choice = byId("camera-choice");
if (choice) {
  const CAMERA = "/api/v1/camera";
  const showCameras = ({ camera, cameras }) => {
    byId("camera-word").placeholder = camera;
    byId("cameras").replaceChildren(...cameras.map(({ id, title }) => make("option", { value: id }, title)));
    const known = cameras.map(({ id, title }) => `${id}: ${title}`).join(", ");
    say(byId("camera-answer"), `Now: ${camera}.${known ? ` There are ${known}.` : " No other camera was found here."}`);
  };
  askTable("GET", CAMERA).then((told) => { if (told.ok) showCameras(told); });
  choice.addEventListener("submit", async (event) => {
    event.preventDefault();
    const word = byId("camera-word").value.trim();
    if (!word) return;
    const told = await askTable("PUT", CAMERA, { camera: word });
    if (!told.ok) say(byId("camera-answer"), told.error);
    else {
      byId("camera-word").value = "";
      showCameras(told);
    }
  });
}
