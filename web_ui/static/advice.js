// What to keep, with exact odds as bars. Shown only where the table's rules allow it.

import { byId, make, percent, say } from "./elements.js";

const chips = (value) => value.toFixed(2);

/** `onKeep(places)` when a kept set is tapped. */
export function showAdvice(advice, canKeep, onKeep) {
  // only whoever runs the table can switch it
  byId("advice-on")?.setAttribute("aria-pressed", String(advice.on));
  if (byId("advice-on-words")) say(byId("advice-on-words"), advice.on ? "On" : "Off");
  const body = byId("advice-body");
  const wanted = JSON.stringify([advice, canKeep]);
  if (body.dataset.shown === wanted) return;
  body.dataset.shown = wanted;
  body.replaceChildren(...parts(advice, canKeep, onKeep));
}

function parts(advice, canKeep, onKeep) {
  if (!advice.on) return [make("p", { class: "hint" }, "Advice is switched off at this table.")];
  if (advice.thinking) return [make("p", { class: "hint" }, "Working out the odds …")];
  const answer = advice.answer;
  if (!answer) return [make("p", { class: "hint" }, "Nothing to advise now. Exact odds need the layout of the dice.")];
  if (answer.sentence) return [make("p", { class: "hint" }, answer.sentence)];
  if (answer.game === "war") return [make("p", {}, `Red wins ${percent(answer.red)}, black ${percent(answer.black)}`)];
  if (answer.game === "showdown") {
    return [bars(answer.rows.filter((row) => row.chance > 0).slice(0, 6).map((row) => ({
      words: row.title,
      share: row.chance,
      value: percent(row.chance),
      keep: row.keep,
    })), canKeep, onKeep)];
  }
  return [bars(answer.best.map((row) => ({
    words: row.stop ? "Stop now" : row.faces.length ? `Keep ${row.faces.join(" ")}` : "Roll all again",
    share: row.share,
    value: `${chips(row.value)} ${answer.unit}`,
    keep: row.stop ? null : row.keep,
  })), canKeep, onKeep)];
}

function bars(rows, canKeep, onKeep) {
  return make("ol", { class: "bars" }, ...rows.map((row) => {
    const width = Math.max(0, Math.min(1, row.share));
    const bar = make("meter", { min: "0", max: "1", value: String(width), "aria-hidden": "true" });
    const line = make("span", { class: "bar-line" }, make("span", {}, row.words), make("b", {}, row.value));
    if (!row.keep || !canKeep) return make("li", {}, line, bar);
    const press = make("button", { type: "button", class: "bar-button" }, line, bar);
    press.addEventListener("click", () => onKeep(row.keep));
    return make("li", {}, press);
  }));
}
