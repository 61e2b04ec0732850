// The list of games.

import { byId, make, say } from "./elements.js";
import { ask, whenOf } from "./past_words.js";

let before = null;
let listed = 0;

function stateOf(game) {
  if (game.running) return "On the table now";
  if (game.over) return game.winners.length ? "Over" : "Over, nobody won";
  return game.imported ? "Imported" : "Not finished";
}

function lineOf(game) {
  const who = game.players.map((name, seat) => {
    const won = game.winners.includes(name);
    const part = make("span", { class: won ? "won" : "" }, `${name} ${game.scores[seat] ?? ""}`);
    if (won) part.append(make("span", { class: "unseen" }, " won"));
    return part;
  });
  const link = make("a", { class: "game-line", href: `/history/${encodeURIComponent(game.id)}` },
    make("strong", {}, game.title),
    make("span", { class: "state" }, stateOf(game)),
    make("span", { class: "who" }, ...who),
    make("span", { class: "when" }, whenOf(game.started_at)));
  if (game.fault) link.append(make("span", { class: "fault" }, "Not all of it can be told."));
  return make("li", {}, link);
}

async function older() {
  const button = byId("more");
  button.disabled = true;
  const answer = await ask(`/api/v1/games?limit=20${before === null ? "" : `&before=${before}`}`);
  button.disabled = false;
  byId("trouble").hidden = answer.ok;
  if (!answer.ok) {
    say(byId("trouble"), `The games cannot be shown: ${answer.error}`);
    // what could not be had may be asked for again
    say(byId("more"), "Try again");
    byId("more").hidden = false;
    return;
  }
  const { games, total } = answer.body;
  const first = listed === 0;
  byId("games").append(...games.map(lineOf));
  listed += games.length;
  before = answer.body.before;
  say(byId("count"), total === 0 ? "No game was played yet." : `${listed} of ${total} games`);
  say(button, "Older games");
  button.hidden = before === null;
  if (!first && games.length) byId("games").children[listed - games.length].querySelector("a").focus();
  document.body.dataset.ready = "true";
}

byId("more").addEventListener("click", older);
older();
