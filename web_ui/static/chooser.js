// The sheet that asks what one die shows.

import { byId, make, percent, say, sign } from "./elements.js";

export class Chooser {
  /** `onPick(reading id, place, face code)` resolves to an error sentence, or "" when done. */
  constructor(onPick) {
    this.onPick = onPick;
    this.sheet = byId("chooser");
    this.asked = null;
    byId("typed").addEventListener("submit", (event) => {
      event.preventDefault();
      const face = byId("typed-face").value.trim();
      if (face) this.#pick(face);
    });
    this.sheet.addEventListener("click", (event) => {
      if (event.target === this.sheet) this.sheet.close();
    });
  }

  open(reading, place) {
    const die = reading.dice[place];
    this.asked = { reading: reading.id, place };
    say(byId("chooser-title"), die.doubtful ? "What does this die show?" : "Correct this die");
    say(byId("chooser-error"), "");
    byId("typed-face").value = "";
    const own = die.face ? [{ ...die.face, p: die.confidence }] : [];
    const others = die.alternatives.filter((other) => other.code !== die.face?.code);
    byId("options").replaceChildren(...[...own, ...others.slice(0, 5)].map((face) => this.#option(face)));
    showCrop(reading, die);
    if (!this.sheet.open) this.sheet.showModal();
  }

  /** Close if the reading it asks about is no longer the one shown. */
  keepIf(reading) {
    if (this.sheet.open && this.asked?.reading !== reading?.id) this.sheet.close();
  }

  #option(face) {
    const button = make(
      "button",
      { type: "button", class: `option ${face.colour}`, "aria-label": `${face.name}, ${percent(face.p)}` },
      face.rank + sign(face.suit),
      make("small", {}, percent(face.p)),
    );
    button.addEventListener("click", () => this.#pick(face.code));
    return make("li", {}, button);
  }

  async #pick(face) {
    const error = await this.onPick(this.asked.reading, this.asked.place, face);
    say(byId("chooser-error"), error);
    if (!error) this.sheet.close();
  }
}

/** Show the die, cut out of the picture that was read. */
function showCrop(reading, die) {
  const crop = byId("crop");
  crop.hidden = !reading.picture || !die.quad;
  if (crop.hidden) return;
  const xs = die.quad.map(([x]) => x);
  const ys = die.quad.map(([, y]) => y);
  const side = 1.5 * Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys), 8);
  const scale = 112 / side;
  const left = (Math.min(...xs) + Math.max(...xs)) / 2 - side / 2;
  const top = (Math.min(...ys) + Math.max(...ys)) / 2 - side / 2;
  crop.style.backgroundImage = `url("${reading.picture}")`;
  crop.style.backgroundSize = `${reading.width_px * scale}px ${reading.height_px * scale}px`;
  crop.style.backgroundPosition = `${-left * scale}px ${-top * scale}px`;
}
