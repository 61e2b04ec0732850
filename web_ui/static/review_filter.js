// Which pictures are listed: tabs, a sheet of filters, counts.

import { byId, make, say } from "./elements.js";
import { ask, KEPT } from "./review_ask.js";

const FIELDS = ["kept", "set", "day", "doubt", "face", "order"];
const SET = "square-shooters";

export class Filters {
  /** `onShow(filter)` is called when another list is wanted. */
  constructor(onShow) {
    this.onShow = onShow;
    this.review = "waiting";
    this.more = { order: "doubt" };
    this.counts = null;
    for (const tab of byId("tabs").querySelectorAll("button")) {
      tab.addEventListener("click", () => {
        this.review = tab.dataset.review;
        this.#apply();
      });
    }
    byId("filter-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#take();
    });
    byId("filter-form").addEventListener("reset", () => setTimeout(() => this.#take()));
    byId("remove-all").addEventListener("click", () => this.#removeAll());
  }

  get filter() { return { review: this.review, ...this.more }; }

  get sets() { return [...new Set([SET, ...Object.keys(this.counts?.by_set ?? {})])]; }

  #take() {
    const form = new FormData(byId("filter-form"));
    this.more = Object.fromEntries(FIELDS.map((name) => [name, String(form.get(name) ?? "").trim()]));
    this.more.face = this.more.face.toUpperCase().replace(/^10/, "T");
    byId("filter").close();
    this.#apply();
  }

  #apply() {
    for (const tab of byId("tabs").querySelectorAll("button")) tab.setAttribute("aria-pressed", String(tab.dataset.review === this.review));
    byId("filter-on").hidden = !FIELDS.some((name) => name !== "order" && this.more[name]);
    this.onShow(this.filter);
  }

  /** Count again; resolves to what is kept, or null. */
  async count() {
    const answer = await ask("GET", "");
    byId("trouble").hidden = answer.ok;
    if (!answer.ok) {
      say(byId("trouble"), answer.error);
      return null;
    }
    this.counts = answer.body;
    for (const tab of byId("tabs").querySelectorAll("button")) {
      say(tab.querySelector("b"), (this.counts.by_review[tab.dataset.review] ?? 0).toLocaleString());
    }
    return this.counts;
  }

  async open() {
    await this.count();
    const counts = this.counts ?? { by_kept: {}, by_set: {}, by_day: {}, by_review: {} };
    const fill = (name, found, words = {}) => {
      const chosen = this.more[name] ?? "";
      byId(`f-${name}`).replaceChildren(make("option", { value: "" }, "Any"),
        ...Object.entries(found).map(([value, count]) => make("option", { value }, `${words[value] ?? value} (${count.toLocaleString()})`)));
      byId(`f-${name}`).value = chosen in found ? chosen : "";
    };
    fill("kept", counts.by_kept, KEPT);
    fill("set", counts.by_set);
    fill("day", counts.by_day);
    byId("removal").hidden = !counts.by_review.dropped;
    say(byId("removal-words"), `${counts.by_review.dropped ?? 0} pictures are set aside. Removed ones leave no file and cannot be brought back.`);
    say(byId("remove-all"), "Remove all that is set aside for good");
    byId("remove-all").dataset.sure = "";
    byId("filter").showModal();
  }

  async #removeAll() {
    const button = byId("remove-all");
    if (!button.dataset.sure) {
      button.dataset.sure = "asked";
      say(button, "Really remove them? They cannot be brought back");
      return;
    }
    button.dataset.sure = "";
    let removed = 0;
    for (;;) {
      const answer = await ask("POST", "/remove-set-aside", undefined, 60_000);
      if (!answer.ok) {
        say(byId("removal-words"), `${removed} removed, then: ${answer.error}`);
        return;
      }
      removed += answer.body.removed;
      say(byId("removal-words"), `${removed} removed, ${answer.body.left} left.`);
      if (!answer.body.removed) break;
    }
    await this.count();
    this.onShow(this.filter);
  }
}
