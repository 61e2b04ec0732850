// Which faces share a die, told from the rolls: shown, used, put off or called wrong.

import { byId, make, say, sign } from "./elements.js";
import { mindLogin, proof } from "./session.js";

const LAYOUT = "/api/v1/layout";
const AGAIN_MS = 10_000;
const QUIET = ["off", "known"];
const ASKED = ["proposed", "put_off"];

let shown = null;

/** Ask the table; resolves to `{ok, ...body}`, never rejects. */
async function ask(body) {
  try {
    const answer = await fetch(LAYOUT, {
      method: body ? "POST" : "GET",
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

function faceOf(face) {
  const chip = make("span", { class: `layout-face ${face.colour}`, "aria-hidden": "true" },
    make("b", {}, face.rank), sign(face.suit));
  return make("li", {}, chip, make("span", { class: "unseen" }, face.name));
}

function showDice(state) {
  if (state.proposal === shown?.proposal) return;
  byId("layout-dice").replaceChildren(...state.dice.map((die, place) =>
    make("li", {}, make("span", { class: "layout-number" }, `Die ${place + 1}`),
      make("ul", { "aria-label": `Faces of die ${place + 1}` }, ...die.map(faceOf)))));
  byId("layout-die").replaceChildren(
    make("option", { value: "" }, "I cannot tell"),
    ...state.dice.map((die, place) => make("option", { value: String(place) }, `Die ${place + 1}`)),
  );
}

function show(state) {
  const hidden = QUIET.includes(state.standing);
  byId("layout").hidden = hidden;
  say(byId("layout-words"), state.trouble ? `${state.sentence} (${state.trouble})` : state.sentence);
  byId("layout-words").dataset.warn = String(state.clashes > 0 || state.trouble !== "");
  showDice(state);
  byId("layout-more").hidden = !state.dice.length;
  byId("layout-use").hidden = !ASKED.includes(state.standing);
  byId("layout-later").hidden = state.standing !== "proposed";
  const command = state.in_use ? "" : state.command;
  byId("layout-command").hidden = !command;
  say(byId("layout-start"), command);
  if (!hidden && location.hash === "#layout" && !shown) byId("layout").scrollIntoView();
  shown = state;
}

function tell(sentence, warn = false) {
  byId("layout-answer").dataset.warn = String(warn);
  say(byId("layout-answer"), sentence);
}

async function decide(order, done) {
  const answer = await ask({ ...order, proposal: shown.proposal });
  tell(answer.ok ? done : answer.error, !answer.ok);
  if (answer.ok) show(answer);
  else await look();
}

async function look() {
  const answer = await ask();
  if (answer.ok) show(answer);
}

async function follow() {
  await look();
  setTimeout(follow, AGAIN_MS);
}

byId("layout-use").addEventListener("submit", (event) => {
  event.preventDefault();
  decide({ do: "use", name: byId("layout-name").value.trim() }, "Kept. It is used from the next start with the command above.");
});

byId("layout-later").addEventListener("click", () =>
  decide({ do: "put_off" }, "It is proposed again when twice as many rolls agree."));

byId("layout-wrong").addEventListener("submit", (event) => {
  event.preventDefault();
  const die = byId("layout-die").value;
  decide({ do: "wrong", die: die === "" ? null : Number(die) }, "Forgotten. Only rolls from now on count.");
});

follow();
