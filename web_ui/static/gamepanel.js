// What each game shows beside the dice: score card, pot, trick, roles.

import { byId, make } from "./elements.js";

const cell = (text, attributes = {}) => make("td", attributes, text);

/** Show `game.more`, told in the game's own way; the classic target has a panel of its own. */
export function showGame(state) {
  const { game, turn } = state;
  byId("target-panel").hidden = game?.name !== "classic";
  byId("pays").hidden = game?.name !== "classic";
  byId("hand-panel").hidden = !["classic", "rummy", "best_hand"].includes(game?.name);
  byId("history-panel").hidden = !turn.rolls_max;
  const panel = byId("game-panel");
  const wanted = JSON.stringify([game?.name, game?.more]);
  if (panel.dataset.shown === wanted) return;
  panel.dataset.shown = wanted;
  const parts = game ? (PANELS[game.name]?.(game) ?? []) : [];
  panel.hidden = !parts.length;
  panel.replaceChildren(...parts);
}

const PANELS = {
  classic: (game) => {
    const { held, doubled, quick_draws: quick, joker_cards: jokers, duel } = game.more;
    const lines = [];
    for (const [name, cards] of Object.entries(held)) if (cards.length) lines.push(`${name} holds ${cards.join(", ")}`);
    if (doubled) lines.push("A Double-Down lies on this turn");
    if (quick.length) lines.push(`Quick-Draw by ${quick.join(", ")}`);
    if (jokers) lines.push(`Joker cards played: ${jokers}`);
    if (duel) lines.push(`Showdown: ${duel.drawer} faces ${duel.opponent}${duel.hand ? ` with ${duel.hand.toLowerCase()}` : ""}`);
    return lines.length ? [heading("Shootout cards"), list(lines)] : [];
  },
  rummy: ({ more }) => [
    heading("Counts now"),
    make("p", { class: "figure" }, more.points_now === null ? "–" : `${more.points_now} points`),
  ],
  best_hand: ({ more }) => {
    const lines = Object.entries(more.hands).map(([name, hand]) => `${name}: ${hand}`);
    return lines.length ? [heading("Hands of this round"), list(lines)] : [];
  },
  showdown: ({ more }) => {
    const body = make("tbody");
    body.append(...more.rows.map((row) => make(
      "tr",
      { class: row.owner ? "taken" : "" },
      make("th", { scope: "row" }, row.title),
      cell(row.owner ?? "open"),
      cell(String(row.points), { class: "number" }),
    )));
    const head = make("thead", {}, make("tr", {}, ...["Row", "Taken by", "Points"].map((name) => make("th", { scope: "col" }, name))));
    return [heading("Score card"), make("table", { class: "sheet-table" }, head, body)];
  },
  war: ({ more }) => [
    heading("Dice"),
    list([
      ...Object.entries(more.dice).map(([name, dice]) =>
        `${name} (${name === more.red ? "red" : "black"}): ${dice.length ? dice.join(", ") : "none"}${more.tosses[name] ? ` – tossed ${more.tosses[name]}` : ""}`),
      `Pot: ${more.pot.length ? more.pot.join(", ") : "empty"}`,
    ]),
  ],
  straight_shooter: ({ more }) => [
    heading(more.shootout ? "Shootout" : "Trick"),
    list(more.trick.length ? more.trick.map((play) => `${play.player}: ${play.card}`) : ["Nothing on the table"]),
    heading("Tricks of this deal"),
    list(Object.entries(more.tricks).map(([name, count]) => `${name}: ${count}`)),
  ],
  squint: ({ more }) => [
    heading("This turn"),
    list([
      `Builder: ${more.builder}`,
      more.timer_holder ? `Timer: ${more.timer_holder}` : "No timer",
      more.die ? `Item ${more.die}: worth ${more.die}` : more.item ? `Item ${more.item}` : "The die is not rolled",
      ...(more.tie_breaker ? ["Tie-breaker"] : []),
    ]),
  ],
};

const heading = (text) => make("h2", {}, text);
const list = (lines) => make("ul", { class: "lines" }, ...lines.map((line) => make("li", {}, line)));
