// The review page: pictures in a queue, their dice labelled by keys, mouse or touch.

import { byId, say } from "./elements.js";
import { ask, KEPT, pictureOf, when } from "./review_ask.js";
import { wireFiles } from "./review_files.js";
import { Filters } from "./review_filter.js";
import { commandOf, lettersOn, nameOf, showKeys } from "./review_keys.js";
import { Labels } from "./review_labels.js";
import { Queue } from "./review_queue.js";
import { Stage } from "./review_stage.js";

const STATES = ["flat", "cocked", "stacked", "hidden_part"];
const decisions = []; // ids of decided pictures, the last one last
let capture = null;
let busy = false;
let held = 0; // how many things must end before keys count
const early = []; // keys that were pressed meanwhile
const MOST_EARLY = 40;
let mine = null; // labels that were typed for a state that somebody else changed

const stage = new Stage((place) => labels.choose(place), (quad, place) => labels.outline(quad, place));
const labels = new Labels((quads, kinds, chosen) => {
  stage.draw(quads, kinds, chosen);
  stage.follow();
}, showButtons);
const queue = new Queue((id) => hold(open(id)));
const filters = new Filters((filter) => hold(queue.show(filter).then(settle)));

function tell(sentence, warn = false) {
  byId("answer").dataset.warn = String(warn);
  say(byId("answer"), sentence);
}

/** Show what a list begins with, or that it is empty. */
async function settle(answer) {
  byId("trouble").hidden = answer.ok;
  if (!answer.ok) {
    say(byId("trouble"), answer.error);
    return;
  }
  const counts = await filters.count();
  const empty = queue.id === null;
  byId("work").hidden = empty;
  byId("empty").hidden = !empty;
  if (empty) {
    showEmpty(counts);
    capture = null;
  } else await open(queue.id);
  document.body.dataset.ready = "true";
}

function showEmpty(counts) {
  const none = !counts?.total;
  const off = counts?.keep === "off" || Boolean(document.querySelector("#keep-off code") === null);
  say(byId("empty-word"), none ? "No roll is kept yet" : filters.review === "waiting" ? "Nothing waits" : "Nothing here");
  say(byId("empty-words"), none
    ? off ? "This table keeps no rolls to learn from." : "Rolls that the reader asks about, or has wrong, come here while you play."
    : "No picture is listed here with this filter.");
  byId("keep-off").hidden = !off;
}

async function open(id) {
  const answer = await ask("GET", `/captures/${id}`);
  if (!answer.ok) {
    if (answer.body?.broken) return takeBroken(answer.body);
    tell(answer.error, true);
    if (answer.status === 404) {
      queue.forget(id);
      const next = queue.id ?? (await queue.next());
      if (next) await open(next);
    }
    return undefined;
  }
  await take(answer.body);
  if (queue.following) new Image().src = pictureOf(queue.following);
  return undefined;
}

/** What is known of a picture cannot be read: it can be gone past, or removed. */
async function takeBroken({ error, broken }) {
  await take({ ...broken, width_px: 16, height_px: 9, dice: [], broken: true });
  tell(`This capture is broken: ${error}. Remove it for good, or go on to the next.`, true);
}

async function take(body) {
  capture = body;
  mine = null;
  byId("mine").hidden = true;
  const shown = stage.show(capture);
  const judged = labels.show(capture);
  say(byId("about"), `${when(capture.taken_at)}. ${KEPT[capture.kept]}. ${capture.dice_set}${labels.set?.known === false ? " (not known here: only outlines are checked)" : ""}`);
  const [there] = await Promise.all([shown, judged]);
  if (!there) tell("The picture of this capture cannot be shown. Set it aside, then remove it, or go on to the next.", true);
  showButtons();
}

function showButtons() {
  const { judged } = labels;
  say(byId("main-words"), labels.changed ? "Keep labels, next" : capture?.review === "reviewed" ? "Still right, next" : "All right, next");
  byId("meant").hidden = !judged?.blocked || judged.blocked_always;
  const broken = Boolean(capture?.broken);
  byId("aside").hidden = broken || capture?.review === "dropped";
  byId("again").hidden = broken || capture?.review === "waiting";
  byId("remove").hidden = !broken && capture?.review !== "dropped";
  byId("undo").disabled = !labels.changed && !decisions.length;
  byId("do").querySelector(".rv-main").setAttribute("aria-disabled", String(broken || Boolean(judged?.blocked)));
}

/** Send a decision; true if it was kept. */
async function decide(review, dice, meant = false) {
  if (busy || !capture) return false;
  if (capture.broken) {
    tell("This capture is broken: it can only be removed for good.", true);
    return false;
  }
  busy = true;
  const { id } = capture;
  const sent = labels.posted;
  const answer = await ask("PUT", `/captures/${id}`, { version: capture.version, review, dice, meant });
  busy = false;
  if (answer.ok) {
    decisions.push({ id, version: answer.body.version });
    queue.decided(id, answer.body.review, answer.body.faces);
    filters.count();
    return true;
  }
  if (answer.status === 409) {
    await take(answer.body.capture);
    mine = dice ? sent : null;
    byId("mine").hidden = !mine;
  } else if (answer.status === 422) labels.showRemarks(answer.body.remarks);
  tell(answer.error, true);
  if (answer.status === 404) {
    queue.forget(id);
    await on();
  }
  return false;
}

async function on() {
  const next = await queue.next();
  if (next) await open(next);
  else await settle(await queue.show());
}

async function keep(meant) {
  if (await decide("reviewed", labels.posted, meant)) {
    tell("Kept. Z undoes it.");
    await on();
  }
}

async function setReview(review, sentence) {
  if (await decide(review, null)) {
    tell(sentence);
    await on();
  }
}

async function undo() {
  if (labels.undo()) return showButtons();
  const last = decisions.at(-1);
  if (!last || busy) return tell("There is nothing to undo.");
  busy = true;
  const answer = await ask("POST", `/captures/${last.id}/undo`, { version: last.version });
  busy = false;
  decisions.pop();
  if (!answer.ok) {
    if (answer.status === 409) await take(answer.body.capture);
    return tell(answer.error, true);
  }
  queue.decided(last.id, answer.body.review, answer.body.faces);
  if (!queue.goTo(last.id)) await queue.show();
  queue.goTo(last.id);
  byId("work").hidden = false;
  byId("empty").hidden = true;
  await take(answer.body);
  filters.count();
  return tell("Undone: this picture is as it was.");
}

function askToRemove() {
  if (capture?.review !== "dropped" && !capture?.broken) return tell("Set the picture aside first (Delete).", true);
  say(byId("sure-words"), "The picture and all that is known of it leave this machine. This cannot be undone.");
  byId("sure").returnValue = "";
  byId("sure").showModal();
  return undefined;
}

byId("sure").addEventListener("close", async () => {
  if (byId("sure").returnValue !== "remove" || !capture) return;
  const { id } = capture;
  const answer = await ask("POST", `/captures/${id}/remove`, { version: capture.version });
  if (answer.status === 409) await take(answer.body.capture);
  tell(answer.ok ? "Removed for good." : answer.error, !answer.ok);
  if (!answer.ok) return;
  for (let k = decisions.length - 1; k >= 0; k -= 1) if (decisions[k].id === id) decisions.splice(k, 1);
  queue.forget(id);
  filters.count();
  await on();
});

const openFiles = wireFiles(async () => settle(await queue.show()), () => filters.sets);

const COMMANDS = {
  Enter: () => keep(false),
  "Shift+Enter": () => keep(true),
  n: async () => {
    const id = await queue.next();
    if (id) await open(id);
    else tell("This is the last picture.");
  },
  p: async () => {
    const id = await queue.previous();
    if (id) await open(id);
    else tell("This is the first picture.");
  },
  ArrowRight: () => labels.choose(labels.chosen + 1),
  ArrowLeft: () => labels.choose(labels.chosen - 1),
  u: () => labels.clear(),
  x: () => labels.remove(),
  m: () => {
    byId("face").blur();
    stage.begin();
  },
  e: () => stage.edit(),
  o: () => labels.turn(),
  l: () => labels.die && labels.lies(STATES[(STATES.indexOf(labels.die.state) + 1) % STATES.length]),
  Delete: () => setReview("dropped", "Set aside. Z brings it back."),
  "Shift+Delete": askToRemove,
  w: () => setReview("waiting", "It waits again."),
  z: undo,
  "+": () => stage.zoomBy(1.5),
  "-": () => stage.zoomBy(1 / 1.5),
  v: () => stage.zoomSwitch(),
  f: () => filters.open(),
  g: openFiles,
  "?": () => byId("keys").showModal(),
};
const ALWAYS = new Set(["f", "g", "?", "z"]); // do something without a picture, too

function command(name) {
  if (!capture && !ALWAYS.has(name)) return;
  const doing = COMMANDS[name]();
  if (doing instanceof Promise) hold(doing);
  showButtons();
}

/** Until a decision is kept and the next picture is there, keys wait: they are meant for that one. */
async function hold(doing) {
  held += 1;
  try {
    await doing;
  } finally {
    held -= 1;
    if (document.querySelector("dialog[open]")) early.length = 0;
    while (!held && early.length) pressed(early.shift());
  }
}

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.isComposing || document.querySelector("dialog[open]")) return;
  const { target } = event;
  const field = target === byId("face");
  if (target.closest?.("select, textarea") || (target.closest?.("input") && !field)) return;
  // Enter and Space on a button or link are its own
  const ownKey = event.key === "Enter" || event.key === " ";
  if (ownKey && target.closest?.("button, a, summary") && !(event.key === "Enter" && target.closest(".rv-tile, .rv-item")) && stage.mode === "look") return;
  const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
  if (held) {
    if (key === "Tab" || ctrlKey || metaKey || altKey) return;
    event.preventDefault();
    if (early.length < MOST_EARLY) early.push({ key, shiftKey, ctrlKey, metaKey, altKey, field: false });
    return;
  }
  if (pressed({ key, shiftKey, ctrlKey, metaKey, altKey, field })) event.preventDefault();
});

/** Do what a key says; true if it must not do what browsers do with it. */
function pressed(event) {
  if (stage.key(event)) return true;
  if (stage.mode === "move") return false;
  const letter = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (event.field) {
    if (event.key === "Escape") byId("face").blur();
    // what is half typed is gone on with; else the field takes only what begins a face
    if (labels.half && (letter || ["ArrowLeft", "ArrowRight", "Backspace", "Delete"].includes(event.key))) return false;
    if (letter && labels.wants(event.key)) {
      if (labels.fresh) byId("face").select();
      return false;
    }
  } else if (letter && capture && labels.wants(event.key)) {
    const text = (labels.fresh ? "" : labels.die.face) + event.key;
    byId("face").focus({ preventScroll: true });
    labels.fresh = text.length === 1;
    labels.type(text);
    return true;
  }
  const wanted = commandOf(nameOf(event));
  if (!wanted || (letter && !lettersOn() && event.key !== "?")) return false;
  command(wanted);
  return true;
}

byId("face").addEventListener("input", () => labels.type(byId("face").value));
byId("face").addEventListener("focus", () => { labels.fresh = true; byId("face").select(); });
byId("lies").addEventListener("change", () => labels.lies(byId("lies").value));
byId("mine").addEventListener("click", () => {
  if (mine) labels.put(mine);
  showButtons();
  byId("mine").hidden = true;
  tell("These are your labels. Enter keeps them.");
});
for (const button of document.querySelectorAll("[data-key]")) {
  button.addEventListener("click", () => command(commandOf(button.dataset.key) ?? button.dataset.key));
}
byId("open-filter").addEventListener("click", () => filters.open());
byId("open-files").addEventListener("click", openFiles);
byId("open-keys").addEventListener("click", () => byId("keys").showModal());
showKeys();
hold(queue.show(filters.filter).then(settle));
