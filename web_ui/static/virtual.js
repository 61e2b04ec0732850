// The virtual table: what lies there in truth, and a button for everything.

import { byId, make, say } from "./elements.js";
import { mindLogin, proof } from "./session.js";

const URL = "/api/v1/virtual";
const LOOK_MS = 700;
const SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣" };
const SWITCHED = { glare: "glare", dark: "dark", freeze: "frozen", unplug: "plugged" };
const NAMES = { RJ: "Red joker", BJ: "Black joker" };

let truth = null;

function words(code) {
  if (code in NAMES) return code;
  const rank = code[0] === "T" ? "10" : code[0];
  return code.length > 1 ? rank + SIGNS[code[1]] + "\uFE0E" : rank;
}

function show(state) {
  truth = state;
  const drawn = state.dice.map((die) => `${die.face}${die.cocked ? "!" : ""}`).join(" ");
  if (byId("dice").dataset.drawn !== drawn) {
    byId("dice").dataset.drawn = drawn;
    byId("dice").replaceChildren(...state.dice.map((die) => {
      const red = die.face === "RJ" || /^.[HD]$/.test(die.face);
      const kind = `${red ? "red" : ""}${die.cocked ? " cocked" : ""}`;
      const item = make("li", { class: kind, title: NAMES[die.face] ?? die.face });
      item.textContent = words(die.face);
      return item;
    }));
    const chosen = byId("die").value;
    byId("die").replaceChildren(...state.dice.map((die, place) => {
      const option = make("option", { value: String(place) });
      option.textContent = words(die.face);
      return option;
    }));
    if (chosen && Number(chosen) < state.dice.length) byId("die").value = chosen;
  }
  byId("cock").disabled = !state.dice.length;
  const { dice_set, count, kept } = state.expected;
  const lies = state.resting ? `Throw ${state.throw} lies there.` : "The dice are on their way.";
  const next = `Next: ${count - kept.length} of ${count} (${dice_set}).`;
  say(byId("standing"), `${state.throw || !state.resting ? lies : "Nothing was thrown yet."} ${next}`);
  for (const button of document.querySelectorAll("[data-switch]")) {
    const value = state[SWITCHED[button.dataset.switch]];
    const on = button.dataset.switch === "unplug" ? !value : value;
    button.setAttribute("aria-pressed", String(on));
  }
  byId("auto").checked = state.auto_s !== null;
}

/** Ask or command the table; never rejects. */
async function ask(body) {
  try {
    const answer = await fetch(URL, {
      method: body ? "POST" : "GET",
      headers: { ...proof(), ...(body ? { "Content-Type": "application/json" } : {}) },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(8_000),
    });
    mindLogin(answer);
    const state = await answer.json();
    if (answer.ok) show(state);
    if (body) say(byId("answer"), answer.ok ? "" : state.error);
  } catch {
    say(byId("answer"), "The table did not answer. Try again.");
  }
}

byId("throw").addEventListener("submit", (event) => {
  event.preventDefault();
  const faces = byId("faces").value.toUpperCase().split(/[\s,]+/).filter(Boolean);
  const order = { do: "throw", keeping: byId("keeping").value };
  ask(faces.length ? { ...order, faces } : order);
});

for (const button of document.querySelectorAll("[data-do]")) {
  button.addEventListener("click", () => {
    const { do: what, seconds } = button.dataset;
    ask(seconds ? { do: what, seconds: Number(seconds) } : { do: what });
  });
}

for (const button of document.querySelectorAll("[data-switch]")) {
  button.addEventListener("click", () => {
    const on = button.getAttribute("aria-pressed") !== "true";
    const what = button.dataset.switch;
    if (what === "unplug") ask({ do: on ? "unplug" : "plug_in" });
    else ask({ do: what, on });
  });
}

byId("cock").addEventListener("click", () => ask({ do: "cock", die: Number(byId("die").value) }));

for (const id of ["auto", "every"]) {
  byId(id).addEventListener("change", () => {
    if (id === "every" && !byId("auto").checked) return;
    ask({ do: "auto", on: byId("auto").checked, every_s: Number(byId("every").value) });
  });
}

function play() {
  if (!document.hidden) byId("video").src = `/api/v1/video?t=${Date.now()}`;
}

byId("video").addEventListener("error", () => setTimeout(play, 1_500));
document.addEventListener("visibilitychange", () => {
  if (document.hidden) byId("video").removeAttribute("src");
  else play();
});

async function look() {
  if (!document.hidden) await ask();
  document.body.dataset.ready = String(truth !== null);
  setTimeout(look, LOOK_MS);
}

play();
look();
