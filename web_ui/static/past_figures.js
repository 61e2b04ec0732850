// Luck, decisions and fairness: worked out when somebody opens them.

import { byId, make, say } from "./elements.js";
import { ask, codesWords } from "./past_words.js";

const AGAIN_MS = 1_000;
const COSTLIEST = 5;
const NOTHING = 0.005;

const signed = (value) => `${value < -NOTHING ? "−" : value > NOTHING ? "+" : ""}${Math.abs(value).toFixed(2)}`;
const wait = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

/** Fill a part of the page once it is opened, and again when `stale()` was called. */
export function fillWhenOpened(id, url, build) {
  const part = byId(id);
  const room = part.querySelector(".past-figures");
  let asked = false;
  const fill = async () => {
    if (!part.open || asked) return;
    asked = true;
    say(room, "Working it out …");
    let answer = await ask(url);
    while (answer.status === 202 && part.open) {
      await wait(AGAIN_MS);
      answer = await ask(url);
    }
    if (answer.status === 202) asked = false;
    else if (answer.ok) room.replaceChildren(...build(answer.body));
    else {
      say(room, answer.error);
      asked = answer.status === 409; // anything else may be better the next time
    }
  };
  part.addEventListener("toggle", fill);
  return { stale: () => { asked = false; } };
}

function table(heads, rows) {
  const cell = (word, place) => (place ? make("td", { class: "number" }, word) : make("th", { scope: "row" }, word));
  const drawn = make("table", { class: "sheet-table" },
    make("thead", {}, make("tr", {}, ...heads.map((word, place) => make("th", { scope: "col", class: place ? "number" : "" }, word)))),
    make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map(cell)))));
  // wider than a phone: it scrolls by itself, by keys too
  return make("div", { class: "wide-table", tabindex: "0", role: "group", "aria-label": `Table: ${heads.join(", ")}` }, drawn);
}

/** The review as elements; `faces` says how faces are drawn. */
export function reviewParts(review, faces) {
  const counted = review.counted;
  const rows = review.players.map((one) => [
    one.player, String(one.chips), one.start.toFixed(2), signed(one.luck), signed(-one.loss), signed(one.cards), signed(one.other), `${one.best} of ${one.decisions}`,
  ]);
  const heads = ["Player", counted, "expected", "luck", "decisions", "cards", "other", "best decisions"];
  const parts = [table(heads, rows), make("p", { class: "hint" }, `${counted} = expected + luck + decisions + cards + other, by exact odds.`)];
  const costly = costliest(review, faces);
  if (costly.length) parts.push(make("h2", {}, "Decisions that cost most"), make("ul", { class: "past-facts" }, ...costly));
  const unjudged = review.turns.filter((turn) => turn.not_judged);
  if (unjudged.length) parts.push(make("ul", { class: "past-facts" }, ...unjudged.map((turn) => make("li", {}, `${titleOf(turn)}: not judged: ${turn.not_judged}`))));
  return parts;
}

const titleOf = (turn) => `Round ${turn.round}, ${turn.player}, ${turn.aim}`;

function costliest(review, faces) {
  const found = review.turns.flatMap((turn) => (turn.steps ?? []).filter((step) => step.best).map((step) => ({ turn, step, loss: step.best.value - step.choice })));
  found.sort((one, other) => other.loss - one.loss);
  return found.slice(0, COSTLIEST).filter((one) => one.loss > NOTHING).map(({ turn, step, loss }) => {
    const did = step.do === "roll" ? `kept ${codesWords(step.kept, faces) || "nothing"}` : step.chosen ? `took ${step.chosen}` : "stopped";
    const best = step.best.stop ? (step.best.choice ? `take ${step.best.choice}` : "stop") : `keep ${codesWords(step.best.keep, faces) || "nothing"}`;
    return make("li", {}, `${did}, best: ${best} (−${loss.toFixed(2)})`, make("small", {}, titleOf(turn)));
  });
}

/** The fairness report as elements. */
export function fairnessParts(report, faces) {
  const byFace = report.by === "face";
  const rows = report.dice.map((die) => [
    byFace ? codesWords([die.name], faces) : die.name,
    String(die.rolls),
    byFace ? `${die.faces[0].count} / ${(die.rolls / 6).toFixed(1)}` : die.faces.map((face) => `${codesWords([face.code], faces)}:\u00A0${face.count}`).join(" "),
    die.exact_p === null ? "–" : die.exact_p.toPrecision(2),
    die.most.toPrecision(2),
  ]);
  const heads = [byFace ? "Face" : "Die", "rolls", byFace ? "came up / fair" : "came up", "exact p", "evidence, most"];
  return [
    make("p", {}, make("strong", {}, report.verdict)),
    table(heads, rows),
    make("ul", { class: "past-facts hint" }, ...report.notes.map((note) => make("li", {}, note))),
  ];
}
