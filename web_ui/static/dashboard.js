// The dashboard: shows each state as it comes and sends what people ask for.

import { Chooser } from "./chooser.js";
import { follow, send } from "./connection.js";
import { byId, say } from "./elements.js";
import { showCamera, startLive } from "./live.js";
import { drawOverlay } from "./overlay.js";
import { Tiles } from "./tiles.js";
import { showTurn } from "./turn.js";

const ICONS = { sure: "check", ask: "ask", refuse: "refuse", idle: "wait" };
const BUTTONS = ["confirm", "release", "dismiss", "draw", "stop", "next"];

let state = null;
let tiles = null;
const chooser = new Chooser(async (reading, die, face) => {
  const answer = await order({ do: "correct", reading, die, face }, false);
  return answer.ok ? "" : answer.error;
});

function show(next) {
  // an answer to an order may overtake a newer event, or the other way round
  if (state && next.run === state.run && next.version < state.version) return;
  state = next;
  const { reading, can, verdict, notice } = state;
  tiles ??= new Tiles(state.table.dice, toggleKeep, (place) => chooser.open(state.reading, place));
  tiles.show(reading, can);
  byId("watch").dataset.watch = state.table.watch ?? "none";
  say(byId("watch-words"), state.table.watch_words);
  byId("verdict").dataset.kind = verdict.kind;
  byId("verdict-icon").setAttribute("href", `#i-${ICONS[verdict.kind]}`);
  say(byId("verdict-word"), verdict.word);
  say(byId("verdict-words"), verdict.sentence);
  for (const name of BUTTONS) byId(name).hidden = !can[name];
  byId("pick").hidden = !can.draw;
  say(byId("dismiss"), verdict.kind === "refuse" ? "Dismiss" : "Does not count");
  // stopping for nothing, with rolls left, is not what to offer first
  byId("stop").classList.toggle("primary", state.turn.phase === "stop" || (state.turn.pays?.total ?? 0) > 0);
  say(byId("stop-words"), state.turn.stop_words);
  tell(notice?.sentence ?? "", notice?.warn ?? false);
  showTurn(state);
  showCamera(state.camera);
  byId("tray-asks").hidden = !state.tray.asks;
  say(byId("tray-words"), state.tray.asks ? state.tray.sentence : "");
  drawOverlay(state.seen ?? reading, state.table.watch === "settled");
  chooser.keepIf(reading);
  document.body.dataset.ready = "true";
}

function tell(sentence, warn) {
  say(byId("notice"), sentence);
  byId("notice").dataset.warn = String(warn);
}

async function order(command, shown = true) {
  const answer = await send({ turn: state?.turn.number, ...command });
  if (answer.ok) show(answer.state);
  else if (shown) tell(answer.rule ? `${answer.error} (${answer.rule})` : answer.error, true);
  return answer;
}

function toggleKeep(place) {
  const kept = new Set(state.turn.kept);
  if (!kept.delete(place)) kept.add(place);
  order({ do: "keep", dice: [...kept].sort((a, b) => a - b) });
}

function onTap(id, makeCommand) {
  byId(id).addEventListener("click", async (event) => {
    const button = event.currentTarget;
    if (button.getAttribute("aria-busy") === "true") return;
    button.setAttribute("aria-busy", "true");
    await order(makeCommand());
    button.removeAttribute("aria-busy");
  });
}

onTap("confirm", () => ({ do: "confirm", reading: state.reading.id }));
onTap("dismiss", () => ({ do: "dismiss", reading: state.dismissable }));
onTap("release", () => ({ do: "keep", dice: [] }));
onTap("draw", () => ({ do: "draw" }));
onTap("stop", () => ({ do: "stop" }));
onTap("next", () => ({ do: "next" }));
byId("card-picked").addEventListener("change", async (event) => {
  const card = event.currentTarget.value;
  event.currentTarget.value = "";
  if (card) await order({ do: "draw", card });
});

const players = byId("players");
byId("open-players").addEventListener("click", () => {
  byId("names-text").value = (state?.players ?? []).map((player) => player.name).join("\n");
  say(byId("players-error"), "");
  players.showModal();
});
byId("names").addEventListener("submit", async (event) => {
  event.preventDefault();
  const names = byId("names-text").value.split("\n").map((name) => name.trim()).filter(Boolean);
  const answer = await order({ do: "start", players: names }, false);
  say(byId("players-error"), answer.ok ? "" : answer.error);
  if (answer.ok) players.close();
});

startLive();
follow(show, (isUp) => {
  byId("lost").hidden = isUp;
  document.body.classList.toggle("offline", !isUp);
});
