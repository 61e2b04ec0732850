// The queue: a window on a list that may have fifty thousand pictures.

import { byId, make, say } from "./elements.js";
import { ask, doubtOf, KEPT, REVIEW, smallOf } from "./review_ask.js";

const COUNT = 40;
const WORD = { corrected: "corrected", asked: "asked", refused: "refused", sure: "sure", entered: "imported", enrolled: "learnt" };

export class Queue {
  /** `onOpen(id)` is called when a picture is picked from the list. */
  constructor(onOpen) {
    this.onOpen = onOpen;
    this.filter = { review: "waiting", order: "doubt" };
    this.entries = [];
    this.start = 0;
    this.total = 0;
    this.at = -1;
  }

  get id() { return this.entries[this.at]?.id ?? null; }

  #query(more) {
    const query = new URLSearchParams({ count: COUNT });
    for (const [key, value] of Object.entries({ ...this.filter, ...more })) if (value !== "") query.set(key, value);
    return `/captures?${query}`;
  }

  async #take(more, at) {
    const answer = await ask("GET", this.#query(more));
    if (!answer.ok) return answer;
    this.entries = answer.body.captures;
    this.start = answer.body.start;
    this.total = answer.body.total;
    this.at = this.entries.length ? (at < 0 ? this.entries.length - 1 : at) : -1;
    this.#draw();
    return answer;
  }

  /** Take another filter; resolves to the answer of the table. */
  show(filter = this.filter) {
    this.filter = filter;
    return this.#take({ start: 0 }, 0);
  }

  /** The next picture's id; null at the end of the list. */
  async next() {
    if (this.at + 1 < this.entries.length) return this.#go(this.at + 1);
    return this.#beyond("after", 0);
  }

  async previous() {
    if (this.at > 0) return this.#go(this.at - 1);
    return this.#beyond("before", -1);
  }

  async #beyond(side, at) {
    const here = this.id;
    if (!here) return null;
    const kept = [this.entries, this.start, this.at];
    const answer = await this.#take({ [side]: here }, at);
    if (answer.ok && this.entries.length) return this.id;
    [this.entries, this.start, this.at] = kept;
    if (answer.status === 404) { // it was removed: begin anew
      await this.show();
      return this.id;
    }
    this.#draw();
    return null;
  }

  #go(at) {
    this.at = at;
    this.#mark();
    return this.id;
  }

  goTo(id) {
    const at = this.entries.findIndex((entry) => entry.id === id);
    if (at >= 0) this.#go(at);
    return at >= 0;
  }

  /** What comes next, to be fetched before it is asked for. */
  get following() { return this.entries[this.at + 1]?.id ?? null; }

  /** A picture was decided: say so in the list. */
  decided(id, review, faces = null) {
    const entry = this.entries.find((one) => one.id === id);
    if (!entry) return;
    entry.review = review;
    if (faces) entry.faces = faces;
    this.#draw();
  }

  forget(id) {
    const at = this.entries.findIndex((one) => one.id === id);
    if (at < 0) return;
    this.entries.splice(at, 1);
    this.total = Math.max(0, this.total - 1);
    if (at <= this.at) this.at -= 1;
    this.#draw();
  }

  #draw() {
    const inside = byId("queue").contains(document.activeElement);
    byId("queue").replaceChildren(...this.entries.map((entry, at) => this.#line(entry, at)));
    this.#mark();
    if (inside) byId("queue").querySelector("[aria-current]")?.focus({ preventScroll: true });
  }

  #line(entry, at) {
    const still = entry.review === this.filter.review;
    const words = still || !this.filter.review ? WORD[entry.kept] : REVIEW[entry.review].toLowerCase();
    const button = make(
      "button",
      { type: "button", class: `rv-item${still ? "" : " done"}`, title: KEPT[entry.kept] },
      make("img", { src: smallOf(entry.id), alt: "", loading: "lazy", width: "96", height: "54" }),
      make("span", { class: "rv-item-words" }, make("b", {}, words), make("small", {}, doubtOf(entry))),
    );
    button.setAttribute("aria-label", `Picture ${this.start + at + 1}, ${words}, doubt ${doubtOf(entry)}`);
    button.addEventListener("click", () => {
      this.#go(at);
      this.onOpen(entry.id);
    });
    return make("li", {}, button);
  }

  #mark() {
    const items = byId("queue").querySelectorAll(".rv-item");
    items.forEach((item, at) => {
      if (at === this.at) {
        item.setAttribute("aria-current", "true");
        item.scrollIntoView({ block: "nearest", inline: "nearest" });
      } else item.removeAttribute("aria-current");
    });
    const word = this.filter.review ? REVIEW[this.filter.review].toLowerCase() : "listed";
    say(byId("place"), this.at < 0 ? "" : `${this.start + this.at + 1} of ${Math.max(this.total, this.start + this.entries.length)} ${word}`);
  }
}
