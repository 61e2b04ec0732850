// Your dice: shown one after the other, named, learned, tried on rolls.

import { byId, make, percent, say } from "./elements.js";
import { FaceSheet, showDice } from "./enrolment_dice.js";
import { showTrial } from "./enrolment_trial.js";
import { startLive } from "./live.js";
import { mindLogin, proof } from "./session.js";

const API = "/api/v1/enrolment";
const ASK_MS = 400;
const UNSURE = 0.9;
const LEARNING = { picture: "Looking at the pictures", lesson: "Preparing lessons", step: "Learning" };
let now = null; // the record shown last
let shown = ""; // the same as text
let live = false;
let busy = 0; // orders under way: their answer is newer than any asked for before

async function call(method, body) {
  try {
    const answer = await fetch(API, {
      method,
      headers: { ...proof(), ...(body ? { "Content-Type": "application/json" } : {}) },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(15_000),
    });
    mindLogin(answer);
    return { ok: answer.ok, status: answer.status, body: await answer.json() };
  } catch {
    return { ok: false, status: 0, body: { error: "The table did not answer. Try again." } };
  }
}

/** Give an order; resolves to an error sentence, or "" when done. */
async function order(body) {
  busy += 1;
  const answer = await call("POST", body);
  busy -= 1;
  if (answer.ok) show(answer.body);
  return answer.ok ? "" : answer.body.error;
}

async function told(body) {
  const error = await order(body);
  if (!error) return;
  if (now?.enrolment) tell(error, "refused");
  else say(byId("start-answer"), error);
}

function tell(sentence, kind) {
  say(byId("told"), sentence);
  byId("ask-box").dataset.kind = kind;
}

async function follow() {
  if (!document.hidden && !busy) {
    const answer = await call("GET");
    byId("lost").hidden = answer.status !== 0;
    if (answer.ok && !busy) show(answer.body);
  }
  setTimeout(follow, ASK_MS);
}

function show(record) {
  const text = JSON.stringify(record);
  if (text === shown) return;
  shown = text;
  const before = now;
  now = record;
  const going = record.enrolment;
  byId("start").hidden = going !== null;
  byId("going").hidden = going === null;
  byId("leave").hidden = going === null;
  say(byId("name"), going?.name ?? "");
  if (going) {
    if (!live) startLive();
    live = true;
    showGoing(record.phase, going, before?.enrolment);
  } else {
    showStart(record);
  }
  document.body.dataset.ready = "true";
  document.body.dataset.phase = record.phase;
}

function showStart({ unfinished, sets }) {
  const line = (name, ...buttons) => make("li", {}, make("b", {}, name), make("span", { class: "en-acts" }, ...buttons));
  const button = (words, does, kind = "act") => {
    const element = make("button", { type: "button", class: kind }, words);
    element.addEventListener("click", does);
    return element;
  };
  byId("unfinished-card").hidden = !unfinished.length;
  byId("unfinished").replaceChildren(...unfinished.map((name) => line(
    name,
    button("Go on", () => told({ do: "begin", name })),
    button("Remove pictures", () => { if (confirm(`Remove the pictures of ${name}?`)) told({ do: "forget", name }); }, "quiet"),
  )));
  byId("sets-card").hidden = !sets.length;
  byId("sets").replaceChildren(...sets.map((name) => line(name)));
}

const WAITING = {
  opening: "Loading the reader",
  loading: "Loading the reader of these dice",
  judging: "Reading all rolls before and after learning",
  learning: "Learning. The table can be played meanwhile.",
  failed: "This stopped. Leave, and go on with it.",
};

function showGoing(phase, going, before) {
  const trying = phase === "trying";
  say(byId("ask"), WAITING[phase] ?? (trying ? (going.trial.roll ? "Is this what lies there?" : "Roll all nine dice.") : going.ask));
  const looked = going.opened[1] ? `${going.opened[0]} of ${going.opened[1]} pictures` : "";
  tell(phase === "opening" ? looked : going.told, going.told_kind);
  say(byId("still"), ["showing", "trying"].includes(phase) && going.moves ? "Moving" : "");
  if (before && going.taken > before.taken) flash();
  byId("bar").max = going.wanted;
  byId("bar").value = going.taken;
  say(byId("count"), `${going.taken} of ${going.wanted} pictures`);
  const done = going.taken >= going.wanted;
  byId("show-acts").hidden = phase !== "showing";
  byId("undo").disabled = going.taken === 0;
  byId("new-side").hidden = going.told_kind !== "refused" || !/was shown|looks like/.test(going.told);
  byId("next-die").hidden = done;
  showDice(going, (die) => told({ do: "go", die }), (die, side) => sheet.openSide(die, side), UNSURE);
  showLearning(phase, going);
  showTrial(phase, going, (place, die) => sheet.openDie(place, die, going.trial.roll.id));
}

function flash() {
  const stage = byId("stage");
  stage.classList.remove("en-flash");
  void stage.offsetWidth; // so that it begins anew
  stage.classList.add("en-flash");
}

const minutes = (seconds) => (seconds < 90 ? `${Math.max(1, Math.round(seconds))} s` : `${Math.round(seconds / 60)} min`);

function learnWords(phase, { dice, learning, learned, hindrance, unsure, can_learn: can, problems }) {
  const left = learning.left_s === null ? "" : `, ${minutes(learning.left_s)} left`;
  if (phase === "learning") {
    if (!learning.total) return "Starting";
    return `${LEARNING[learning.what] ?? "Learning"}${left}`;
  }
  const sides = dice.reduce((sum, die) => sum + die.sides.length, 0);
  const why = hindrance ? ` ${hindrance}` : "";
  if (sides < 54) return `${54 - sides} of 54 sides are still to be shown.${why}`;
  if (problems.length) return `This cannot be a set: correct the faces, or show them again.${why}`;
  const look = unsure ? `${unsure} faces are uncertain: look at those framed in amber. ` : "";
  if (hindrance) return `${look}${hindrance}`;
  if (learned) return `${look}Learned. Try the reader on fresh rolls, or learn again after changes.`;
  return `${look}${can ? "All faces are there: about five minutes of the computer." : ""}`;
}

function showLearning(phase, going) {
  const { learning } = going;
  const runs = phase === "learning";
  say(byId("learn-words"), learnWords(phase, going));
  byId("problems").replaceChildren(...going.problems.map((words) => make("li", {}, words)));
  byId("learn-bar").hidden = !runs;
  byId("learn-bar").max = learning.total || 1;
  byId("learn-bar").value = learning.done;
  byId("learn").hidden = runs || phase !== "showing" || !going.can_learn;
  byId("cancel").hidden = !runs;
  byId("try").hidden = runs || phase !== "showing" || !going.learned;
  byId("command").hidden = !going.hindrance || runs;
  say(byId("command"), going.command);
  byId("done-card").hidden = !going.learned || runs;
  say(byId("use"), going.use);
  say(byId("results"), going.results ? resultWords(going.results) : "How well they are read is not known yet: try ten rolls.");
}

function resultWords({ before, after }) {
  const share = ({ k, n, low, high }) => `${k} of ${n} faces right (95 % interval ${percent(low)} to ${percent(high)})`;
  return `Before learning ${share(before.faces)}, after it ${share(after.faces)}; ${after.rolls.k} of ${after.rolls.n} rolls wholly right.`;
}

const sheet = new FaceSheet(order, API);

function press(id, body) {
  byId(id).addEventListener("click", async (event) => {
    const button = event.currentTarget;
    if (button.getAttribute("aria-busy") === "true") return;
    button.setAttribute("aria-busy", "true");
    await told(body());
    button.removeAttribute("aria-busy");
  });
}

const roll = () => now.enrolment.trial?.roll?.id ?? 1;
const nextDie = () => {
  const { die, dice } = now.enrolment;
  const later = [...dice.slice(die), ...dice.slice(0, die - 1)];
  return (later.find((other) => !other.whole) ?? dice[die - 1]).die;
};
for (const name of ["leave", "undo", "learn", "cancel", "try", "finish"]) press(name, () => ({ do: name }));
press("new-side", () => ({ do: "new_side" }));
press("next-die", () => ({ do: "go", die: nextDie() }));
press("right", () => ({ do: "right", roll: roll() }));
press("pass", () => ({ do: "pass", roll: roll() }));
byId("begin").addEventListener("submit", (event) => {
  event.preventDefault();
  say(byId("start-answer"), "");
  told({ do: "begin", name: byId("new-name").value.trim() });
});
follow();
