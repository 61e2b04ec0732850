// One past game: asks for it, hands its parts to the replay and the notes, follows it while it runs.

import { follow } from "./connection.js";
import { byId, make, say } from "./elements.js";
import { fairnessParts, fillWhenOpened, reviewParts } from "./past_figures.js";
import { Replay } from "./past_replay.js";
import { ask, changeWords, clockOf, whenOf } from "./past_words.js";

const SOON_MS = 300;
const id = document.body.dataset.game;
const url = `/api/v1/games/${encodeURIComponent(id)}`;
const FILES = [["Game script", "script.json"], ["Scores as a table", "scores.csv"], ["Bundle with all evidence", "bundle.zip"]];

const replay = new Replay();
let faces = {};
const figures = [
  fillWhenOpened("review", `${url}/review`, (review) => reviewParts(review, faces)),
  fillWhenOpened("fairness", `${url}/fairness`, (report) => fairnessParts(report, faces)),
];
let followed = false;

function standing(game) {
  if (game.running) return game.over ? "over, still on the table" : "on the table now";
  if (game.over) return game.signed_by ? `over, signed by ${game.signed_by}` : "over";
  return "not finished";
}

function facts(place, found, nothing) {
  byId(place).replaceChildren(...(found.length ? found : [make("li", {}, nothing)]));
}

function fact(words, about, done = true) {
  return make("li", {}, done ? make("span", {}, words) : make("s", {}, words), make("small", {}, about));
}

function show(game) {
  faces = game.faces;
  document.title = `Tableside: ${game.title}, ${whenOf(game.started_at)}`;
  say(byId("title"), game.title);
  const won = game.winners.length ? ` Won: ${game.winners.join(", ")}.` : "";
  say(byId("about"), `${whenOf(game.started_at)} · ${game.players.join(", ")} · ${standing(game)}.${won}`);
  say(byId("trouble"), game.fault ? `Not all of this game can be told. ${game.fault}` : "");
  byId("trouble").hidden = !game.fault;
  for (const part of ["replay", "step", "log-panel", "notes"]) byId(part).hidden = !game.log.length;
  replay.show(game);
  facts("corrections", game.corrections.map((one) => {
    const what = one.kind === "answer" ? one.words : `Roll ${one.roll + 1}, ${changeWords(one.before, one.faces, faces)}`;
    const back = one.done ? "" : " · taken back";
    return fact(what, `${clockOf(one.at)} · ${one.by}${one.reason ? ` · ${one.reason}` : ""}${back}`, one.done);
  }), "Nothing was corrected.");
  facts("claims", game.claims.map((claim) => {
    const ruling = claim.ruling ? `${claim.ruling} by ${claim.ruled_by}: ${claim.reason}` : "not ruled yet";
    return fact(`${claim.by}: ${claim.words}`, `${clockOf(claim.at)} · ${ruling}`);
  }), "Nobody claimed anything.");
  document.body.dataset.ready = "true";
}

async function load() {
  const answer = await ask(url);
  if (answer.ok) {
    show(answer.body);
    if (answer.body.running && !followed) followTable();
    return;
  }
  byId("trouble").hidden = false;
  say(byId("trouble"), `The game cannot be shown: ${answer.error}`);
  if (!document.body.dataset.ready) say(byId("about"), answer.status === 404 ? "" : "Load the page again.");
}

/** While the game is on the table, ask again whenever something was done. */
function followTable() {
  followed = true;
  let seen = "";
  let soon = 0;
  follow((state) => {
    const game = state.game;
    const now = JSON.stringify([game?.id, game?.step, game?.signed_by, state.claims, state.reading?.id, state.table.frozen]);
    if (seen && now !== seen) {
      clearTimeout(soon);
      soon = setTimeout(() => {
        for (const figure of figures) figure.stale();
        load();
      }, SOON_MS);
    }
    seen = now;
  }, (up) => {
    byId("trouble").hidden = up;
    if (!up) say(byId("trouble"), "Connection to the table lost. Trying again.");
  });
}

byId("files").append(...FILES.map(([words, file]) => make("li", {}, make("a", { class: "act", href: `${url}/${file}`, download: "" }, words))));
load();
