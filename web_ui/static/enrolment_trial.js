// Fresh rolls: the picture, what was read, and what a person says of it.

import { byId, make, makeSvg, say, sign } from "./elements.js";

const PICTURES = "/api/v1/enrolment/";

/** Show the roll that waits. `onDie(place, die)` when one of its dice is chosen. */
export function showTrial(phase, { trial }, onDie) {
  const trying = phase === "trying";
  byId("trial").hidden = !trying;
  const roll = trying ? trial.roll : null;
  const picture = byId("roll-picture");
  picture.hidden = !roll;
  byId("video").hidden = Boolean(roll);
  drawOutlines(roll);
  if (!trying) return;
  if (roll && !picture.src.endsWith(roll.picture)) picture.src = PICTURES + roll.picture;
  byId("right").hidden = byId("pass").hidden = !roll;
  byId("right").disabled = trial.faults.length > 0;
  say(byId("trial-count"), `${trial.rolls} of ${trial.wanted} rolls${trial.faces ? `; ${trial.right} of ${trial.faces} faces read right` : ""}.`);
  byId("faults").replaceChildren(...trial.faults.map((words) => make("li", {}, words)));
  byId("roll").replaceChildren(...(roll?.dice ?? []).map((die, place) => {
    const classes = ["en-face", die.face?.colour, die.corrected && "corrected"].filter(Boolean).join(" ");
    const button = make("button", { type: "button", class: classes, "aria-label": `Die ${place + 1}: ${die.face?.name ?? "not read"}, correct it` }, words(die));
    button.addEventListener("click", () => onDie(place, die));
    return make("li", {}, button);
  }));
}

const words = ({ face }) => (face ? face.rank + sign(face.suit) : "?");

function drawOutlines(roll) {
  const lines = byId("outlines");
  if (!roll) {
    lines.replaceChildren();
    return;
  }
  lines.setAttribute("viewBox", `0 0 ${roll.width_px} ${roll.height_px}`);
  lines.setAttribute("preserveAspectRatio", "xMidYMid meet");
  const size = roll.width_px / 42;
  lines.replaceChildren(...roll.dice.flatMap((die, place) => {
    const top = die.quad.reduce((best, point) => (point[1] < best[1] ? point : best));
    return [
      makeSvg("polygon", { points: die.quad.map((point) => point.join(",")).join(" "), class: die.corrected ? "corrected" : "" }),
      makeSvg("text", { x: top[0], y: Math.max(size, top[1] - size * 0.7), "font-size": size }, `${place + 1}: ${words(die)}`),
    ];
  }));
}
