// The nine dice with their faces, and the sheet that corrects one.

import { byId, make, percent, say, sign } from "./elements.js";

const PICTURES = "/api/v1/enrolment/";
const rows = new Map();

/** Show all dice. `onGo(die)` when a die is chosen, `onSide(die, side)` when a face is. */
export function showDice(going, onGo, onSide, unsure) {
  for (const die of going.dice) {
    const row = rows.get(die.die) ?? build(die.die, onGo);
    row.root.classList.toggle("asked", die.die === going.die);
    row.root.classList.toggle("whole", die.whole);
    row.go.setAttribute("aria-label", `Die ${die.die}, ${die.whole ? "done" : `${die.sides.length} of 6 sides`}: show it`);
    if (die.die === going.die) row.go.setAttribute("aria-current", "step");
    else row.go.removeAttribute("aria-current");
    row.cells.forEach((cell, place) => {
      const side = die.sides.find((one) => one.side === place + 1);
      const turned = going.turned?.[0] === die.die && going.turned[1] === place + 1;
      fill(cell, die.die, side, turned, onSide, unsure);
    });
  }
}

function build(die, onGo) {
  const go = make("button", { type: "button", class: "en-go" }, String(die));
  go.addEventListener("click", () => onGo(die));
  const cells = Array.from({ length: 6 }, () => make("li"));
  const root = make("li", { class: "en-die" }, go, make("ul", { class: "en-sides", "aria-label": `Sides of die ${die}` }, ...cells));
  byId("dice").append(root);
  const row = { root, go, cells };
  rows.set(die, row);
  return row;
}

function fill(cell, die, side, turned, onSide, unsure) {
  const wanted = JSON.stringify([side ?? null, turned]);
  if (cell.dataset.shown === wanted) return;
  const focused = cell.contains(document.activeElement);
  cell.dataset.shown = wanted;
  cell.classList.toggle("turned", turned);
  if (!side) {
    cell.replaceChildren(make("span", { class: "en-empty", role: "img", "aria-label": "not shown yet" }));
    return;
  }
  const { face } = side;
  const doubt = side.p < unsure;
  const classes = ["en-cell", face.colour, doubt && "unsure", side.shots < 2 && "once", side.by_person && "said"];
  const words = side.by_person ? "said by you" : percent(side.p);
  const button = make(
    "button",
    { type: "button", class: classes.filter(Boolean).join(" "), "aria-label": `${face.name}, ${words}: correct it or show it again` },
    make("img", { src: PICTURES + side.picture, alt: "", loading: "lazy" }),
    make("span", {}, face.rank + sign(face.suit)),
  );
  button.addEventListener("click", () => onSide(die, side));
  cell.replaceChildren(button);
  if (focused) button.focus();
}

/** Asks what a face is: one that was shown, or a die of a roll. */
export class FaceSheet {
  /** `order(body)` resolves to an error sentence, or "" when done. */
  constructor(order) {
    this.order = order;
    this.sheet = byId("chooser");
    this.asked = null;
    for (const button of byId("faces").querySelectorAll("button")) {
      button.addEventListener("click", () => this.#give({ ...this.asked, face: button.dataset.face }));
    }
    const side = (name) => () => this.#give({ do: name, die: this.asked.die, ...(name === "retake_die" ? {} : { side: this.asked.side }) });
    byId("retake").addEventListener("click", side("retake"));
    byId("retake-die").addEventListener("click", side("retake_die"));
    byId("unsay").addEventListener("click", side("unsay"));
    this.sheet.addEventListener("click", (event) => {
      if (event.target === this.sheet) this.sheet.close();
    });
  }

  openSide(die, side) {
    say(byId("chooser-title"), `Die ${die}, side ${side.side}: what does it show?`);
    byId("crop").src = PICTURES + side.picture;
    byId("unsay").hidden = !side.by_person;
    this.#open({ do: "say", die, side: side.side }, side.face.code, true);
  }

  openDie(place, die, roll) {
    say(byId("chooser-title"), `Die ${place + 1} of the roll: what does it show?`);
    this.#open({ do: "correct", roll, place }, die.face?.code, false);
  }

  #open(asked, code, isSide) {
    this.asked = asked;
    byId("crop").hidden = !isSide;
    for (const id of ["retake", "retake-die"]) byId(id).hidden = !isSide;
    if (!isSide) byId("unsay").hidden = true;
    for (const button of byId("faces").querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(button.dataset.face === code));
    }
    say(byId("chooser-error"), "");
    this.sheet.showModal();
  }

  async #give(body) {
    const error = await this.order(body);
    say(byId("chooser-error"), error);
    if (!error) this.sheet.close();
  }
}
