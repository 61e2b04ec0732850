// The table of scores: in seat order, whose turn it is and who won marked by signs too.

import { make } from "./elements.js";

/** Fill a `tbody`. `me` marks a row as one's own. */
export function showScores(body, players, unit, me = null) {
  const wanted = JSON.stringify([players, unit, me]);
  if (body.dataset.shown === wanted) return;
  body.dataset.shown = wanted;
  body.replaceChildren(...players.map((player) => {
    const name = make("th", { scope: "row" }, make("bdi", {}, player.name));
    if (player.name === me) name.append(make("small", {}, " (you)"));
    if (player.active) name.append(make("span", { class: "unseen" }, ", whose turn it is"));
    if (player.won) name.append(make("span", { class: "unseen" }, ", won"));
    const row = make("tr", {}, name, make("td", {}, String(player.score), make("small", {}, ` ${unit}`)));
    row.classList.toggle("active", player.active);
    row.classList.toggle("won", player.won);
    row.classList.toggle("me", player.name === me);
    return row;
  }));
}

/** Fill a list with names and scores: for big displays, where a table is too tall. */
export function showStandings(list, players, unit) {
  const wanted = JSON.stringify([players, unit]);
  if (list.dataset.shown === wanted) return;
  list.dataset.shown = wanted;
  list.dataset.many = String(players.length > 4);
  list.replaceChildren(...players.map((player) => {
    const item = make("li", { class: player.won ? "won" : "" }, make("bdi", {}, player.name), make("b", {}, String(player.score)));
    if (player.active) item.setAttribute("aria-current", "true");
    item.append(make("span", { class: "unseen" }, ` ${unit}${player.won ? ", won" : ""}`));
    return item;
  }));
}
