// The dashboard: shows each state as it comes and sends what people ask for.

import { showAdvice } from "./advice.js";
import { showChoices } from "./choices.js";
import { Chooser } from "./chooser.js";
import { follow, send, serverNow } from "./connection.js";
import { byId, make, say } from "./elements.js";
import { showEvidence } from "./evidence.js";
import { showGame } from "./gamepanel.js";
import { showJoin } from "./join.js";
import { showCamera, startLive } from "./live.js";
import { showLog } from "./log.js";
import { newGame } from "./newgame.js";
import { drawOverlay } from "./overlay.js";
import { announceEnd } from "./speech.js";
import { Tiles } from "./tiles.js";
import { showTimer } from "./timer.js";
import { showTurn } from "./turn.js";

const ICONS = { sure: "check", ask: "ask", refuse: "refuse", idle: "wait", over: "flag", frozen: "lock" };
const BUTTONS = ["confirm", "release", "dismiss"];

let state = null;
let tiles = null;
const chooser = new Chooser(async (reading, die, face) => {
  const answer = await order({ do: "name", reading, die, face }, false);
  return answer.ok ? "" : answer.error;
});

function show(next) {
  // an answer to an order may overtake a newer event, or the other way round
  if (state && next.run === state.run && next.version < state.version) return;
  state = next;
  const { reading, can, verdict, notice, game } = state;
  if (tiles?.count !== state.table.dice) {
    tiles = new Tiles(state.table.dice, toggleKeep, (place) => chooser.open(state.reading, place));
  }
  tiles.show(reading, can, state.table.places);
  byId("watch").dataset.watch = state.table.watch ?? "none";
  say(byId("watch-words"), state.table.watch_words);
  byId("verdict").dataset.kind = verdict.kind;
  byId("verdict-icon").setAttribute("href", `#i-${ICONS[verdict.kind]}`);
  say(byId("verdict-word"), verdict.word);
  say(byId("verdict-words"), verdict.sentence);
  for (const name of BUTTONS) byId(name).hidden = !can[name];
  say(byId("dismiss"), verdict.kind === "refuse" ? "Dismiss" : "Does not count");
  byId("type-roll").hidden = !can.roll;
  byId("undo").disabled = !can.undo;
  byId("redo").disabled = !can.redo;
  const told = state.store.sentence ?? notice?.sentence ?? "";
  tell(told, Boolean(state.store.sentence) || (notice?.warn ?? false));
  showPick(game);
  showChoices(state.choices, order);
  showTurn(state);
  showGame(state);
  showAdvice(state.advice, can.keep, (dice) => order({ do: "keep", dice }));
  showLog(state.log, (id) => showEvidence(id));
  showTimer(state.timer, serverNow());
  showCamera(state.camera);
  showBoxes(state.boxes);
  byId("tray-asks").hidden = !state.tray.asks;
  say(byId("tray-words"), state.tray.asks ? state.tray.sentence : "");
  drawOverlay(state.seen ?? reading, state.table.watch === "settled");
  chooser.keepIf(reading);
  announceEnd(game);
  document.body.dataset.ready = "true";
  document.body.dataset.step = String(game?.step ?? "");
}

function showBoxes(boxes) {
  const chip = byId("box-chip");
  const gone = boxes.filter((box) => !box.connected);
  chip.hidden = !boxes.length;
  chip.dataset.lost = String(gone.length > 0);
  const names = (gone.length ? gone : boxes).map((box) => box.box).join(", ");
  say(chip, boxes.length ? `Box ${names}${gone.length ? " lost" : ""}` : "");
}

/** The cards that may have been drawn, where the game draws cards by name. */
function showPick(game) {
  const draws = state.choices.some((choice) => choice.command.do === "draw" && !choice.face);
  const cards = draws ? (game?.more.cards ?? []) : [];
  byId("pick").hidden = !cards.length;
  const select = byId("card-picked");
  const wanted = JSON.stringify(cards);
  if (select.dataset.shown === wanted) return;
  select.dataset.shown = wanted;
  select.replaceChildren(
    make("option", { value: "" }, "or name the card you drew …"),
    ...cards.map((card) => make("option", { value: card.id }, `${card.id} · ${card.title}`)),
  );
}

function tell(sentence, warn) {
  say(byId("notice"), sentence);
  byId("notice").dataset.warn = String(warn);
}

async function order(command, shown = true) {
  const answer = await send({ step: state?.game?.step, ...command });
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
onTap("dismiss", () => ({ do: "dismiss", reading: state.dismissable, step: undefined }));
onTap("release", () => ({ do: "keep", dice: [] }));
onTap("undo", () => ({ do: "undo" }));
onTap("redo", () => ({ do: "redo" }));
onTap("advice-on", () => ({ do: "advice", on: !state.advice.on }));
onTap("timer-go", () => ({ do: "timer", timer: state.timer.running ? "stop" : "start" }));
onTap("timer-clear", () => ({ do: "timer", timer: "clear" }));
byId("card-picked").addEventListener("change", async (event) => {
  const card = event.currentTarget.value;
  event.currentTarget.value = "";
  if (card) await order({ do: "draw", card });
});

byId("open-join")?.addEventListener("click", showJoin);
byId("open-players").addEventListener("click", () => {
  const names = (state?.players ?? []).map((player) => player.name);
  newGame(async (command) => {
    const answer = await order({ ...command, step: undefined }, false);
    return answer.ok ? "" : answer.error;
  }, names, state?.game?.name);
});

const typing = byId("typing");
byId("type-roll").addEventListener("click", () => {
  const { places, dice } = state.table;
  say(byId("typing-label"), places.length ? `The dice of ${places.join(" and ")}` : `${dice === 1 ? "The face" : `All ${dice} faces`}, kept dice in their places`);
  const kept = state.reading?.dice.filter((die) => die.kept) ?? [];
  byId("typing-faces").value = kept.length ? state.reading.dice.map((die) => (die.kept ? die.face.code : "·")).join(" ") : "";
  say(byId("typing-error"), "");
  typing.showModal();
});
byId("typing-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const faces = byId("typing-faces").value.split(/[\s,]+/).filter(Boolean);
  const { places } = state.table;
  let answer = { ok: true };
  if (!places.length) answer = await order({ do: "roll", faces }, false);
  for (const [place, player] of places.entries()) {
    if (answer.ok && faces[place]) answer = await order({ do: "toss", player, face: faces[place] }, false);
  }
  say(byId("typing-error"), answer.ok ? "" : answer.error);
  if (answer.ok) typing.close();
});

document.addEventListener("keydown", (event) => {
  const typingNow = event.target.closest("input, textarea, select, dialog");
  if (typingNow || event.ctrlKey || event.metaKey || event.altKey || !state) return;
  if (/^[1-9]$/.test(event.key) && state.can.keep && Number(event.key) <= state.table.dice) toggleKeep(Number(event.key) - 1);
  else if (event.key === "Enter" && event.target === document.body) byId("acts-main").querySelector(".act")?.click();
  else if (event.key === "u" && state.can.undo) byId("undo").click();
  else if (event.key === "r" && state.can.redo) byId("redo").click();
  else if (event.key === "c" && state.can.confirm) byId("confirm").click();
});

if (location.hash === "#new-game") {
  history.replaceState(null, "", location.pathname);
  byId("open-players").click();
}

startLive();
follow(show, (isUp) => {
  byId("lost").hidden = isUp;
  document.body.classList.toggle("offline", !isUp);
});
