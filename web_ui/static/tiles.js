// The nine dice of the roll. Made once and filled again and again: nothing jumps.

import { byId, icon, make, percent, say, sign } from "./elements.js";

export class Tiles {
  /** `onKeep(place)` when a die is tapped that may be kept, `onCheck(place)` to correct one. */
  constructor(count, onKeep, onCheck) {
    this.count = count;
    this.tiles = Array.from({ length: count }, (_, place) => this.#build(place));
    this.onKeep = onKeep;
    this.onCheck = onCheck;
    this.reading = null;
    byId("tiles").replaceChildren(...this.tiles.map((tile) => tile.root));
    byId("tiles").dataset.count = String(count);
  }

  #build(place) {
    const rank = make("span", { class: "rank" });
    const suit = make("span", { class: "suit" });
    const flag = make("span", { class: "flag" }, icon("lock"));
    const face = make("button", { type: "button", class: "face" }, flag, rank, suit);
    const words = make("span");
    const check = make("button", { type: "button", class: "check" }, words, icon("pen"));
    const root = make("li", { class: "tile blank" }, face, check);
    const tile = { root, face, rank, suit, flag, check, words, act: "none" };
    face.addEventListener("click", () => {
      if (tile.act === "keep") this.onKeep(place);
      if (tile.act === "check") this.onCheck(place);
    });
    check.addEventListener("click", () => this.onCheck(place));
    return tile;
  }

  show(reading, can, places = []) {
    const fresh = reading !== null && reading.id !== this.reading;
    this.reading = reading?.id ?? null;
    this.tiles.forEach((tile, place) => {
      const die = reading?.dice[place] ?? null;
      this.#fill(tile, die, can, (reading?.dice ?? []).some((d) => d.in_hand), fresh);
      tile.root.dataset.owner = places[place] ?? "";
    });
  }

  #fill(tile, die, can, someHand, fresh) {
    const face = die?.face ?? null;
    const keepable = die !== null && can.keep && !die.doubtful;
    const classes = {
      blank: die === null,
      unread: die !== null && face === null,
      doubtful: die?.doubtful ?? false,
      answered: die?.answered ?? false,
      "in-hand": die?.in_hand ?? false,
      "some-hand": someHand,
      kept: die?.kept ?? false,
      keepable,
      fresh: fresh && die !== null,
    };
    for (const [name, on] of Object.entries(classes)) tile.root.classList.toggle(name, on);
    tile.face.classList.toggle("red", face?.colour === "red");
    say(tile.rank, face?.rank ?? (die ? "?" : ""));
    // faces of poker dice and of the Squint die have no suit either
    const joker = face?.rank === "★";
    say(tile.suit, joker ? "Joker" : sign(face?.suit ?? ""));
    tile.suit.classList.toggle("word", joker);
    tile.act = die?.doubtful && can.correct ? "check" : keepable ? "keep" : "none";
    tile.flag.querySelector("use").setAttribute("href", die?.doubtful ? "#i-ask" : "#i-lock");
    this.#describe(tile, die, face, keepable, can);
  }

  #describe(tile, die, face, keepable, can) {
    const name = face?.name ?? (die ? "unreadable die" : "no die");
    const extra = die?.doubtful ? (can.correct ? ", doubtful: choose what it shows" : ", doubtful") : die?.in_hand ? ", in the best hand" : "";
    tile.face.setAttribute("aria-label", `${name}${extra}${keepable ? ", keep" : ""}`);
    tile.face.setAttribute("aria-disabled", String(tile.act === "none"));
    tile.face.tabIndex = tile.act === "none" ? -1 : 0;
    if (keepable) tile.face.setAttribute("aria-pressed", String(die.kept));
    else tile.face.removeAttribute("aria-pressed");
    const words = !die ? "" : die.doubtful ? "Check" : die.answered ? "Set" : percent(die.confidence);
    say(tile.words, words);
    tile.check.hidden = false;
    tile.check.disabled = !die || !can.correct;
    tile.check.setAttribute("aria-label", `${name}, ${words}: correct it`);
  }
}
