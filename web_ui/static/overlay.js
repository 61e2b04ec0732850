// The dice marked in the live picture: an SVG layer in the picture's own pixels.

import { byId, makeSvg, sign } from "./elements.js";

export function drawOverlay(reading, visible) {
  const svg = byId("overlay");
  if (!reading || !visible || !reading.width_px) {
    svg.replaceChildren();
    return;
  }
  svg.setAttribute("viewBox", `0 0 ${reading.width_px} ${reading.height_px}`);
  const size = reading.width_px / 46;
  const parts = reading.dice.map((die) => mark(die, size));
  // all outlines first: no label may lie under a neighbour's outline
  svg.replaceChildren(...parts.map(([outline]) => outline), ...parts.map(([, label]) => label));
}

function mark(die, size) {
  const names = [
    die.doubtful ? "doubtful" : "",
    die.in_hand ? "in-hand" : "",
    die.face?.colour === "red" ? "red" : "",
  ];
  const xs = die.quad.map(([x]) => x);
  const x = (Math.min(...xs) + Math.max(...xs)) / 2;
  const y = Math.max(size, Math.min(...die.quad.map(([, top]) => top)) - size * 0.75);
  const label = (die.face ? die.face.rank + sign(die.face.suit) : "?") + (die.doubtful ? " ?" : "");
  const width = size * (0.9 + 0.55 * [...label].filter((letter) => letter !== "\uFE0E").length);
  const text = makeSvg("text", { x, y, "font-size": size });
  text.textContent = label;
  const kind = { class: names.join(" ").trim() };
  const points = die.quad.map((corner) => corner.join(",")).join(" ");
  const plate = { x: x - width / 2, y: y - size * 0.7, width, height: size * 1.4, rx: size * 0.3 };
  return [
    makeSvg("g", kind, makeSvg("polygon", { points })),
    makeSvg("g", kind, makeSvg("rect", plate), text),
  ];
}
