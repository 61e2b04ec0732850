// The referee's page and the display for the hall: who plays, the roll, its evidence, rulings.

import { follow, send, serverNow } from "./connection.js";
import { byId, say } from "./elements.js";
import { showGame } from "./gamepanel.js";
import { Proof } from "./proof.js";
import { Rulings } from "./rulings.js";
import { showStandings } from "./scores.js";
import { Tiles } from "./tiles.js";
import { showTimer } from "./timer.js";
import { showTurn } from "./turn.js";

const RULES = document.body.classList.contains("rules");

let state = null;
let tiles = null;
const proof = new Proof();
const rulings = RULES ? new Rulings(order, proof) : null;

function show(next) {
  // an answer to an order may overtake a newer event, or the other way round
  if (state && next.run === state.run && next.version < state.version) return;
  state = next;
  const { reading, can, game, table } = state;
  if (tiles?.count !== table.dice) tiles = new Tiles(table.dice, () => {}, (place) => rulings?.correct(place));
  tiles.show(reading, { ...can, keep: false, correct: can.correct && RULES }, table.places);
  byId("roll").hidden = !table.dice;
  showHero();
  showStandings(byId("standings"), state.players, game?.unit ?? "");
  showTurn(state);
  showGame(state);
  showTimer(state.timer, serverNow());
  proof.follow(reading, state.log);
  if (RULES) {
    byId("watch").dataset.watch = table.watch ?? "none";
    say(byId("watch-words"), table.watch_words);
    rulings.show(state);
  }
  document.body.dataset.ready = "true";
  document.body.dataset.step = String(game?.step ?? "");
}

function showHero() {
  const { game, table, verdict, hand } = state;
  const active = state.players.find((player) => player.active)?.name;
  const open = state.claims.some((claim) => !claim.ruling);
  const kind = table.frozen ? "frozen" : game?.over ? "over" : verdict.kind === "ask" || verdict.kind === "refuse" ? verdict.kind : "play";
  byId("hero").dataset.kind = kind;
  const words = { frozen: "Frozen", over: game?.winners.length ? `${game.winners.join(" and ")} won` : "The game is over" };
  say(byId("hero-word"), words[kind] ?? active ?? "No game");
  const signed = game?.signed_by ? `Signed by ${game.signed_by}.` : "";
  const claimed = open && !table.frozen ? "A claim is open. " : "";
  say(byId("hero-hint"), claimed + (kind === "over" ? signed : kind === "frozen" ? table.frozen : kind === "play" ? game?.hint ?? "" : verdict.sentence));
  say(byId("hero-hand"), hand?.title ?? "");
}

async function order(command) {
  const answer = await send({ step: state?.game?.step, ...command });
  if (answer.ok) show(answer.state);
  return answer;
}

follow(show, (isUp) => {
  byId("lost").hidden = isUp;
  document.body.classList.toggle("offline", !isUp);
});
