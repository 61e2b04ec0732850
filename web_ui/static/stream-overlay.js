// The overlay for streaming software: scores, target, dice and hand over whatever lies below.

import { follow } from "./connection.js";
import { byId, make, say, sign } from "./elements.js";
import { showStandings } from "./scores.js";

const SCALES = { fewest: 0.5, most: 4 };
let state = null;

function setScale() {
  const asked = Number(new URLSearchParams(location.search).get("scale") ?? 1);
  const scale = Number.isFinite(asked) && asked > 0 ? Math.min(SCALES.most, Math.max(SCALES.fewest, asked)) : 1;
  document.documentElement.style.fontSize = `${16 * scale}px`;
}

function show(next) {
  if (state && next.run === state.run && next.version < state.version) return;
  state = next;
  const { reading, hand, game, table, turn } = state;
  byId("plates").hidden = !game;
  document.body.dataset.ready = "true";
  if (!game) return;
  // a doubtful roll is nobody's hand yet
  const waits = state.can.confirm || state.verdict.kind === "ask";
  say(byId("hand"), table.frozen ? "The table is frozen" : waits ? "The roll is being checked" : hand?.title ?? "");
  say(byId("hint"), table.frozen ? "" : game.hint);
  showDice(reading?.dice ?? []);
  showTarget(turn.target, turn.pays);
  showStandings(byId("standings"), state.players, game.unit);
}

function showDice(dice) {
  const shown = dice.map((die) => ({ face: die.face, kept: die.kept, hand: die.in_hand, doubtful: die.doubtful }));
  fill(byId("dice"), shown, (die) => {
    const marks = [die.kept ? "kept" : "", die.hand ? "in-hand" : "", die.doubtful ? "doubtful" : "", die.face?.colour ?? ""];
    const said = [die.face?.name ?? "unreadable die", die.kept ? "kept" : "", die.hand ? "in the best hand" : "", die.doubtful ? "doubtful" : ""];
    return plate(die.face, marks, said);
  });
}

function showTarget(target, pays) {
  byId("target-plate").hidden = !target;
  if (!target) return;
  say(byId("target-name"), target.title);
  say(byId("target-pays"), pays?.total ? `pays ${pays.total} now` : `exact ${target.chips_exact}, type ${target.chips_type}`);
  fill(byId("target-cards"), target.cards, (card) =>
    plate(card, [card.colour, card.have ? "in-hand" : ""], [card.name, card.have ? "there" : "missing"]));
}

function fill(list, items, makeItem) {
  const wanted = JSON.stringify(items);
  if (list.dataset.shown === wanted) return;
  list.dataset.shown = wanted;
  list.hidden = !items.length;
  list.replaceChildren(...items.map(makeItem));
}

function plate(face, marks, said) {
  const words = make("span", { class: "unseen" }, said.filter(Boolean).join(", "));
  const suit = face && !face.suit && face.rank === "★" ? "Joker" : sign(face?.suit ?? "");
  return make(
    "li",
    { class: marks.filter(Boolean).join(" ") },
    words,
    make("span", { "aria-hidden": "true" }, face?.rank ?? "?"),
    make("span", { "aria-hidden": "true", class: suit === "Joker" ? "word" : "" }, suit),
  );
}

setScale();
// a viewer of the stream shall not read that a line broke: the last state stays
follow(show, (isUp) => document.body.classList.toggle("offline", !isUp));
