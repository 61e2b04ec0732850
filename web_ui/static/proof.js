// The evidence of a roll: the picture with its dice marked, what else they could be, who changed what.

import { byId, make, percent, say, sign } from "./elements.js";
import { drawOverlay } from "./overlay.js";

const signs = (face) => (face ? face.rank + sign(face.suit || (face.rank === "★" ? "Joker" : "")) : "?");
const SUITS = { S: "♠", H: "♥", D: "♦", C: "♣" };
/** A face's code as people read it: `TS` is `10♠`. */
const codeSigns = (code) => {
  if (!code) return "?";
  const suit = SUITS[code.slice(1)];
  return suit ? `${code[0] === "T" ? "10" : code[0]}${sign(suit)}` : code;
};
const clock = (at) => new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" });

export class Proof {
  constructor() {
    this.looked = null; // the reading that is shown
    this.pinned = null; // the reading that a claim is about; null follows the last one
    this.latest = null;
    this.log = [];
    this.shown = "";
    byId("proof-live")?.addEventListener("click", () => this.unpin());
  }

  /** Take the last reading and the log; shown unless another reading is looked at. */
  follow(reading, log) {
    this.latest = reading;
    this.log = log;
    if (this.pinned === null || this.pinned === reading?.id) this.#draw(reading);
    else this.#lines(this.looked);
  }

  unpin() {
    this.pinned = null;
    this.#draw(this.latest);
  }

  /** Look at one reading. Resolves to an error sentence, or "" when it is shown. */
  async pin(id) {
    if (id === this.latest?.id) {
      this.unpin();
      return "";
    }
    try {
      const answer = await fetch(`/api/v1/readings/${id}`);
      const reading = await answer.json();
      if (!answer.ok) return reading.error;
      this.pinned = id;
      this.#draw(reading);
      return "";
    } catch {
      return "The evidence could not be loaded. Try again.";
    }
  }

  #draw(reading) {
    if (byId("proof-live")) byId("proof-live").hidden = this.pinned === null;
    const wanted = JSON.stringify([reading, this.pinned]);
    if (wanted !== this.shown) {
      this.shown = wanted;
      this.#picture(reading);
      this.#dice(reading);
    }
    this.looked = reading;
    this.#lines(reading);
  }

  #picture(reading) {
    const picture = byId("proof-picture");
    const there = Boolean(reading?.picture);
    say(byId("proof-title"), this.pinned === null ? "The last reading" : `Reading ${reading.id}`);
    say(byId("proof-none"), reading ? "This roll was typed in: there is no picture" : "No picture yet");
    byId("proof-none").hidden = there;
    if (there) {
      if (picture.getAttribute("src") !== reading.picture) picture.src = reading.picture;
      picture.alt = `The picture of reading ${reading.id}, its dice marked: ${reading.dice.map((die) => die.face?.name ?? "unreadable").join(", ")}`;
    } else {
      picture.removeAttribute("src");
      picture.alt = "";
    }
    drawOverlay(reading, there);
  }

  #dice(reading) {
    const body = byId("proof-dice");
    if (!body) return;
    say(byId("proof-words"), reading
      ? [`Reading ${reading.id}: ${reading.status}, confidence ${percent(reading.confidence)}.`, ...reading.problems.map((problem) => problem.sentence)].join(" ")
      : "");
    body.replaceChildren(...(reading?.dice ?? []).map((die) => {
      const others = die.alternatives.map((face) => `${signs(face)} ${percent(face.p)}`).join(", ");
      const counts = make("td", {}, signs(die.face));
      if (die.answered) counts.append(make("small", {}, " set by a person"));
      if (die.doubtful) counts.append(make("small", {}, " doubtful"));
      return make(
        "tr",
        { class: die.doubtful || die.answered ? "marked" : "" },
        make("th", { scope: "row" }, String(die.place + 1)),
        counts,
        make("td", {}, `${codeSigns(die.read)} ${percent(die.confidence)}`),
        make("td", {}, others || "–"),
      );
    }));
  }

  #lines(reading) {
    const list = byId("proof-log");
    if (!list) return;
    // a correction names the roll, not the reading
    const isOwn = (item) => item.reading === reading.id
      || (item.do === "correct" && item.roll !== null && item.roll === reading.roll);
    const own = reading ? this.log.filter(isOwn) : [];
    const wanted = JSON.stringify(own);
    if (list.dataset.shown === wanted) return;
    list.dataset.shown = wanted;
    list.replaceChildren(...own.map((item) => make(
      "li",
      {},
      item.done ? make("span", {}, item.words) : make("s", {}, item.words),
      make("small", {}, ` ${item.by}, ${clock(item.at)}`),
    )));
    if (!own.length) list.append(make("li", {}, "Nothing in the log yet."));
  }
}
