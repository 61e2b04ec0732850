// The dice marked in the live picture: an SVG layer in the picture's own pixels.

import { byId, makeSvg, sign } from "./elements.js";

export function drawOverlay(reading, visible) {
  const svg = byId("overlay");
  if (!reading || !visible || !reading.width_px) {
    svg.replaceChildren();
    return;
  }
  const { width_px: width, height_px: height } = reading;
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const size = width / 46;
  // a die that was set aside is in no picture
  const dice = reading.dice.filter((die) => die.quad);
  const taken = dice.map(boxOf);
  const labels = dice.map((die, place) => {
    const plate = freePlate(die, taken[place], taken, { size, width, height });
    taken.push(plate);
    return label(die, plate, size);
  });
  // all outlines first: no label may lie under a neighbour's outline
  svg.replaceChildren(...dice.map(outline), ...labels);
}

function boxOf(die) {
  const xs = die.quad.map(([x]) => x);
  const ys = die.quad.map(([, y]) => y);
  const x = Math.min(...xs);
  const y = Math.min(...ys);
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

const textOf = (die) => (die.face ? die.face.rank + sign(die.face.suit) : "?") + (die.doubtful ? " ?" : "");

/** Find the side of a die where its label hides least of the other dice and labels. */
function freePlate(die, box, taken, { size, width, height }) {
  const letters = [...textOf(die)].filter((letter) => letter !== "\uFE0E").length;
  const plate = { width: size * (0.9 + 0.55 * letters), height: size * 1.4 };
  const middle = { x: box.x + (box.width - plate.width) / 2, y: box.y + (box.height - plate.height) / 2 };
  const gap = size * 0.1;
  const sides = [
    { x: middle.x, y: box.y - plate.height - gap },
    { x: middle.x, y: box.y + box.height + gap },
    { x: box.x + box.width + gap, y: middle.y },
    { x: box.x - plate.width - gap, y: middle.y },
  ].map((place) => ({ ...plate, ...place }));
  const hidden = (side) => taken.reduce((sum, other) => sum + shared(side, other), outside(side, width, height));
  return sides.reduce((best, side) => (hidden(side) < hidden(best) - 1 ? side : best));
}

function shared(a, b) {
  const across = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const down = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return across > 0 && down > 0 ? across * down : 0;
}

function outside(plate, width, height) {
  const inside = shared(plate, { x: 0, y: 0, width, height });
  return 3 * (plate.width * plate.height - inside);
}

function namesOf(die) {
  const names = [
    die.doubtful ? "doubtful" : "",
    die.in_hand ? "in-hand" : "",
    die.face?.colour === "red" ? "red" : "",
  ];
  return { class: names.filter(Boolean).join(" ") };
}

function outline(die) {
  const points = die.quad.map((corner) => corner.join(",")).join(" ");
  return makeSvg("g", namesOf(die), makeSvg("polygon", { points }));
}

function label(die, plate, size) {
  const centre = { x: plate.x + plate.width / 2, y: plate.y + plate.height / 2 };
  const text = makeSvg("text", { ...centre, "font-size": size });
  text.textContent = textOf(die);
  return makeSvg("g", namesOf(die), makeSvg("rect", { ...plate, rx: size * 0.3 }), text);
}
