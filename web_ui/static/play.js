// A player's phone: my turn, my dice, my choices, my doubts. The server judges all of it.

import { showAdvice } from "./advice.js";
import { showChoices } from "./choices.js";
import { claimWords } from "./claims.js";
import { follow, send, serverNow } from "./connection.js";
import { byId, make, say } from "./elements.js";
import { showGame } from "./gamepanel.js";
import { showScores } from "./scores.js";
import { Tiles } from "./tiles.js";
import { showTimer } from "./timer.js";
import { showTurn } from "./turn.js";
import { askWords } from "./words.js";

const { seat, may, game: ofGame } = document.body.dataset;
const FIXED = "fixed" in document.body.dataset; // logged in as this seat
const MAY = may ? new Set(may.split(" ")) : null; // what this phone may ask; null for all

let me = seat || null;
let state = null;
let tiles = null;
let wasMine = null;

function show(next) {
  // an answer to an order may overtake a newer event, or the other way round
  if (state && next.run === state.run && next.version < state.version) return;
  state = next;
  // a seat that was joined is a seat of one game, even if the same people play the next
  const known = state.players.some((player) => player.name === me) && (!ofGame || ofGame === state.game?.id);
  byId("who").hidden = known;
  byId("mine").hidden = !known;
  if (byId("change-seat")) byId("change-seat").hidden = !known;
  say(byId("me"), known ? me : "Tableside");
  showTimer(state.timer, serverNow());
  if (known) showMine();
  else askWho();
  document.body.dataset.ready = "true";
  document.body.dataset.step = String(state.game?.step ?? "");
}

function askWho() {
  const list = byId("who-list");
  const names = FIXED ? [] : state.players.map((player) => player.name);
  say(byId("who-title"), FIXED ? "You are not in this game" : "Who are you?");
  say(byId("who-hint"), FIXED
    ? `The seat of ${me} was in an earlier game. Ask for a new link.`
    : names.length ? "Tap your name." : "No game is on the table yet.");
  const wanted = JSON.stringify(names);
  if (list.dataset.shown === wanted) return;
  list.dataset.shown = wanted;
  list.replaceChildren(...names.map((name) => {
    const button = make("button", { type: "button", class: "act" }, make("bdi", {}, name));
    button.addEventListener("click", () => sit(name));
    return make("li", {}, button);
  }));
}

function sit(name) {
  me = name;
  // so that a phone that is locked, or loads the page again, is still who it was
  const where = new URL(location.href);
  if (name) where.searchParams.set("seat", name);
  else where.searchParams.delete("seat");
  history.replaceState(null, "", where);
  wasMine = null;
  if (state) show(state);
}

function showMine() {
  const { reading, can, game, notice, table } = state;
  const active = state.players.find((player) => player.active)?.name ?? null;
  const mine = active === me;
  const canKeep = can.keep && mine;
  if (tiles?.count !== table.dice) tiles = new Tiles(table.dice, toggleKeep, () => {});
  tiles.show(reading, { ...can, keep: canKeep, correct: false }, table.places);
  showNow(active, mine, game);
  say(byId("keep-hint"), canKeep ? "Tap the dice you keep." : "");
  const choices = state.choices.filter(isMine(mine));
  showChoices(choices, order);
  showTurn(state);
  showGame(state);
  byId("advice").hidden = !state.advice.on || !(state.advice.answer || state.advice.thinking);
  showAdvice(state.advice, canKeep, (dice) => order({ do: "keep", dice }));
  showScores(byId("scores"), state.players, game?.unit ?? "", me);
  showClaims();
  tell(notice?.sentence ?? "", notice?.warn ?? false);
}

/** Whether a choice is this player's to make, and this phone may ask for it. */
const isMine = (myTurn) => (choice) =>
  (choice.player === me || (choice.player === null && myTurn)) && (!MAY || MAY.has(choice.command.do));

function showNow(active, mine, game) {
  const kind = game?.over ? "over" : state.table.frozen ? "frozen" : mine ? "mine" : "wait";
  const words = {
    over: game?.winners.includes(me) ? "You won" : "The game is over",
    frozen: "The table is frozen",
    mine: "Your turn",
    wait: active ? `${active}’s turn` : "Wait",
  };
  byId("now").dataset.kind = kind;
  say(byId("now-word"), words[kind]);
  const asks = state.can.confirm || state.verdict.kind === "ask" || state.verdict.kind === "refuse";
  say(byId("now-words"), state.table.frozen ?? (asks ? state.verdict.sentence : game?.hint ?? ""));
  if (wasMine === false && mine) navigator.vibrate?.(80);
  wasMine = mine;
}

function showClaims() {
  const own = state.claims.filter((claim) => claim.by === me);
  byId("claims-panel").hidden = !own.length;
  const list = byId("claims");
  const wanted = JSON.stringify(own);
  if (list.dataset.shown === wanted) return;
  list.dataset.shown = wanted;
  list.replaceChildren(...[...own].reverse().map((claim) => {
    const item = make("li", {}, ...claimWords(claim));
    if (!claim.ruling) item.append(make("p", { class: "hint" }, "The referee will look at it."));
    return item;
  }));
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

byId("change-seat")?.addEventListener("click", () => sit(null));
byId("doubt").addEventListener("click", () => {
  // the roll that was in sight when the button was pressed, whatever comes meanwhile
  const reading = state.reading?.id ?? null;
  askWords({ title: "I doubt this", label: "What is wrong? The referee reads it.", act: "Call the referee" }, async (words) => {
    const answer = await order({ do: "claim", player: me, words, reading, step: undefined }, false);
    return answer.ok ? "" : answer.error;
  });
});

follow(show, (isUp) => {
  byId("lost").hidden = isUp;
  document.body.classList.toggle("offline", !isUp);
});
