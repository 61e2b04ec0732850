// The turn beside the roll: target, what it pays, the players. The server computes all of it.

import { byId, make, say, sign } from "./elements.js";

export function showTurn(state) {
  const { turn, hand } = state;
  const target = turn.target;
  say(byId("target-id"), target?.id ?? "");
  say(byId("target-name"), target?.title ?? "No target yet");
  fillCards(target?.cards ?? []);
  say(byId("chips-exact"), target ? String(target.chips_exact) : "–");
  say(byId("chips-type"), target ? String(target.chips_type) : "–");
  say(byId("chips-bonus"), target ? `+${target.bonus}` : "–");
  const result = !turn.rolls && state.game?.result?.total !== undefined ? state.game.result : null;
  const pays = turn.pays ?? result;
  byId("price-exact").classList.toggle("won", pays?.kind === "exact");
  byId("price-type").classList.toggle("won", pays?.kind === "type");
  byId("price-bonus").classList.toggle("won", (pays?.bonus ?? 0) > 0);
  byId("pays").dataset.kind = pays?.kind ?? "none";
  say(byId("pays-title"), result ? "Won last turn" : "Pays now");
  say(byId("pays-chips"), String(pays?.total ?? 0));
  say(byId("pays-words"), turn.pays_words);
  say(byId("hand-name"), hand?.title ?? "–");
  showRolls(turn);
  fillThrows(turn);
  showSeats(state.players, state.game?.unit ?? "");
}

function fillCards(cards) {
  const list = byId("cards");
  const wanted = JSON.stringify(cards);
  if (list.dataset.shown === wanted) return;
  list.dataset.shown = wanted;
  list.replaceChildren(...cards.map((card) => make(
    "li",
    {
      class: `card ${card.colour}${card.have ? " have" : ""}`,
      "aria-label": `${card.name}, ${card.have ? "there" : "missing"}`,
      role: "listitem",
    },
    make("span", {}, card.rank),
    make("span", {}, sign(card.suit)),
  )));
}

function fillThrows(turn) {
  const list = byId("throws");
  const wanted = JSON.stringify([turn.history, turn.rolls_max]);
  if (list.dataset.shown === wanted) return;
  list.dataset.shown = wanted;
  const rows = Array.from({ length: turn.rolls_max }, (_, place) => turn.history[place] ?? []);
  list.replaceChildren(...rows.map((faces) => make(
    "li",
    {},
    ...faces.map((face) => make(
      "span",
      { class: face.colour, "aria-label": face.name, role: "img" },
      face.rank + sign(face.suit),
    )),
  )));
}

function showRolls(turn) {
  const rolls = byId("rolls");
  [...rolls.children].forEach((item, place) => item.classList.toggle("done", place < turn.rolls));
  rolls.setAttribute("aria-label", `${turn.rolls} of ${turn.rolls_max} rolls made`);
}

function showSeats(players, unit) {
  const list = byId("seats");
  if (!list) return;
  const wanted = JSON.stringify(players);
  if (list.dataset.shown === wanted) return;
  list.dataset.shown = wanted;
  list.replaceChildren(...players.map((player) => {
    const seat = make("li", { class: "seat" }, make("span", {}, player.name), make("b", {}, String(player.score)));
    seat.classList.toggle("won", player.won);
    if (player.active) seat.setAttribute("aria-current", "true");
    seat.setAttribute("title", `${player.name}: ${player.score} ${unit}`);
    return seat;
  }));
  keepInSight(list);
  seatsWatched.observe(list);
}

const seatsWatched = new ResizeObserver(([{ target }]) => keepInSight(target));

// many players: the row scrolls, by keys too, and whose turn it is stays in sight
function keepInSight(list) {
  if (list.scrollWidth > list.clientWidth) list.setAttribute("tabindex", "0");
  else list.removeAttribute("tabindex");
  const current = list.querySelector("[aria-current]");
  if (current) list.scrollLeft = current.offsetLeft - list.clientWidth / 2 + current.clientWidth / 2;
}
