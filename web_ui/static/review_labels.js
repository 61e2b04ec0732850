// What is said about the dice of one picture: edited here, judged by the table as it is typed.

import { byId, icon, make, percent, say, sign } from "./elements.js";
import { ask, DATASET } from "./review_ask.js";

const UNSURE = 0.9; // what the reader is less sure of than this is marked
const STRIP_PX = 160;
const WHO = { person: "by a person", model: "by a model", drawn: "drawn", you: "by you" }; // who says what a die shows
const sets = new Map(); // dice sets by name, as the table told them

async function setOf(name) {
  if (!sets.has(name)) {
    const answer = await ask("GET", `/faces?${new URLSearchParams({ set: name })}`);
    if (!answer.ok) return { known: false, faces: [], dice_count: null, name };
    sets.set(name, answer.body);
  }
  return sets.get(name);
}

export class Labels {
  /** `onDraw(quads, kinds, chosen)` after each change; `onJudged()` when the table has judged. */
  constructor(onDraw, onJudged) {
    this.onDraw = onDraw;
    this.onJudged = onJudged;
    this.capture = null;
    this.dice = [];
    this.chosen = 0;
    this.steps = []; // what was before each change, to be undone
    this.judged = null;
    this.asked = 0;
    this.fresh = true; // the next letter begins a face
  }

  /** Take a picture; resolves when its labels are judged. */
  async show(capture) {
    this.capture = capture;
    this.set = await setOf(capture.dice_set);
    this.byTyping = new Map(this.set.faces.flatMap((face) => face.typed.map((text) => [text, face])));
    this.dice = capture.dice.map((die) => ({ face: die.face?.code ?? "", quad: die.quad, state: die.state, read: die.read, role: die.role, origin: die.origin }));
    this.steps = [];
    this.judged = null;
    const first = this.dice.findIndex((die) => this.#doubtful(die));
    this.chosen = Math.max(0, first);
    this.fresh = true;
    this.draw();
    await this.check();
  }

  get changed() { return this.steps.length > 0; }

  /** As the table takes it. */
  get posted() { return this.dice.map(({ face, quad, state }) => ({ face, quad, state })); }

  get die() { return this.dice[this.chosen] ?? null; }

  #doubtful(die) {
    const code = this.byTyping.get(die.face)?.code ?? "";
    return !code || !die.read || die.read.confidence < UNSURE || die.read.face?.code !== code;
  }

  /** Change something; what was before can be undone. */
  #edit(change) {
    this.steps.push({ dice: this.dice.map((die) => ({ ...die })), chosen: this.chosen });
    change();
    this.chosen = Math.min(Math.max(0, this.chosen), Math.max(0, this.dice.length - 1));
    this.draw();
    this.check();
  }

  undo() {
    const before = this.steps.pop();
    if (!before) return false;
    [this.dice, this.chosen, this.fresh] = [before.dice, before.chosen, true];
    this.draw();
    this.check();
    return true;
  }

  /** Put labels in that were made for another state of the picture. */
  put(posted) {
    this.#edit(() => { this.dice = posted.map((die, place) => ({ ...die, read: this.dice[place]?.read ?? null, role: "", origin: "you" })); });
  }

  choose(place) {
    if (!this.dice.length) return;
    this.chosen = (place + this.dice.length) % this.dice.length;
    this.fresh = true;
    this.draw();
  }

  /** Whether a letter goes on with what is being typed, or begins a face. */
  wants(letter) {
    const text = (this.fresh ? "" : this.die?.face ?? "") + letter.toUpperCase();
    return Boolean(this.die) && [...this.byTyping.keys()].some((typed) => typed.startsWith(text));
  }

  get half() { return !this.fresh && Boolean(this.die) && !this.byTyping.has(this.die.face) && this.die.face !== ""; }

  /** The text of the chosen die is now this; true if it is whole, and the next die is chosen. */
  type(text) {
    if (!this.die) return false;
    const plain = text.trim().toUpperCase();
    const face = this.byTyping.get(plain);
    const open = [...this.byTyping.keys()].some((typed) => typed !== plain && typed.startsWith(plain));
    const begins = this.fresh || !this.steps.length; // a face is one step, not each of its letters
    this.fresh = false;
    const put = () => { this.#say(face && !open ? face.code : plain); };
    if (begins) this.#edit(put);
    else {
      put();
      this.draw();
      this.check();
    }
    if (!face || open) return false;
    if (this.chosen + 1 < this.dice.length) this.choose(this.chosen + 1);
    else this.fresh = true;
    return true;
  }

  #say(code) { Object.assign(this.die, { face: code, role: "", origin: "you" }); }
  face(code) { this.#edit(() => this.#say(code)); this.fresh = true; }
  clear() { if (this.die) this.face(""); }
  lies(state) { if (this.die) this.#edit(() => { this.die.state = state; }); }
  remove() { if (this.die) this.#edit(() => { this.dice.splice(this.chosen, 1); }); this.fresh = true; }
  turn() { if (this.die) this.#edit(() => { this.die.quad = [...this.die.quad.slice(1), this.die.quad[0]]; }); }

  /** An outline is new (place -1) or was moved. */
  outline(quad, place) {
    if (place >= 0) {
      const last = this.steps.at(-1);
      if (last?.moving === place) { // one drag is one step
        this.die.quad = quad;
        this.draw();
        this.check();
        return;
      }
      this.#edit(() => { this.dice[place].quad = quad; });
      this.steps.at(-1).moving = place;
      return;
    }
    this.#edit(() => {
      this.dice.push({ face: "", quad, state: "flat", read: null, role: "", origin: "you" });
      this.chosen = this.dice.length - 1;
    });
    this.fresh = true;
  }

  /** Have the table judge; what it says of an older state is not shown. */
  async check() {
    const number = ++this.asked;
    const answer = await ask("POST", `/captures/${this.capture.id}/check`, { dice: this.posted });
    if (number !== this.asked) return;
    this.judged = answer.ok ? answer.body : null;
    this.showRemarks(answer.ok ? answer.body.remarks : [{ sentence: answer.error, resolve: "", dice: [], blocks: "always" }]);
    this.draw();
    this.onJudged();
  }

  showRemarks(remarks) {
    this.remarks = remarks;
    const own = remarks.filter((one) => one.code !== "unknown_code" || one.dice[0] !== this.chosen || !this.half || one.blocks !== "always");
    const lines = [...own, ...remarks.filter((one) => !own.includes(one))].map((one) => {
      const line = make("li", { class: one.blocks === "never" ? "note" : "bad" }, icon(one.blocks === "never" ? "ask" : "refuse"),
        make("span", {}, make("b", {}, capital(one.sentence) + (/[.!?]$/.test(one.sentence) ? "" : ".")), one.resolve ? ` ${one.resolve}` : ""));
      return line;
    });
    const text = JSON.stringify(remarks);
    if (byId("remarks").dataset.shown === text) return;
    byId("remarks").dataset.shown = text;
    byId("remarks").replaceChildren(...lines);
  }

  #kind(place) {
    const die = this.dice[place];
    if ((this.remarks ?? []).some((one) => one.blocks !== "never" && one.dice.includes(place))) return "wrong";
    if (!this.byTyping.has(die.face)) return "unread";
    return this.#doubtful(die) && this.capture.review === "waiting" ? "unsure" : "ok";
  }

  draw() {
    const strip = this.#strip();
    const kinds = this.dice.map((_, place) => this.#kind(place));
    const inside = byId("dice").contains(document.activeElement) && document.activeElement !== byId("dice");
    byId("dice").replaceChildren(...this.dice.map((die, place) => this.#tile(die, place, kinds[place], strip)));
    if (inside) byId("dice").querySelector("[aria-current]")?.focus({ preventScroll: true });
    this.#panel(strip);
    this.onDraw(this.dice.map((die) => die.quad), kinds, this.chosen);
  }

  #strip() {
    if (!this.dice.length) return "";
    const quads = this.dice.map((die) => die.quad.flat().map((value) => value.toFixed(1)).join(",")).join(";");
    return `${DATASET}/captures/${this.capture.id}/faces.jpg?px=${STRIP_PX}&quads=${quads}`;
  }

  #cut(element, strip, place) {
    element.style.backgroundImage = `url("${strip}")`;
    element.style.backgroundSize = `100% ${this.dice.length * 100}%`;
    element.style.backgroundPosition = `0 ${this.dice.length > 1 ? (place / (this.dice.length - 1)) * 100 : 0}%`;
  }

  #tile(die, place, kind, strip) {
    const face = this.byTyping.get(die.face);
    const cut = make("span", { class: "rv-cut", "aria-hidden": "true" });
    this.#cut(cut, strip, place);
    const shown = make("span", { class: `rv-shown ${face?.colour ?? ""}` }, face ? face.rank + sign(face.suit) : die.face || "?");
    const sure = die.read ? percent(die.read.confidence) : "";
    const small = make("small", {}, sure || WHO[die.origin]);
    const button = make("button", { type: "button", class: `rv-tile ${kind}` }, make("b", { class: "rv-number" }, `${place + 1}`), cut, shown, small);
    if (place === this.chosen) button.setAttribute("aria-current", "true");
    const words = { wrong: ", against a rule", unread: ", not known", unsure: ", doubtful", ok: "" }[kind];
    button.setAttribute("aria-label", `Die ${place + 1}: ${face?.name ?? (die.face || "not known")}${sure ? `, the reader ${sure}` : `, ${WHO[die.origin]}`}${words}`);
    button.addEventListener("click", () => {
      this.choose(place);
      byId("die-panel").scrollIntoView({ block: "nearest" });
    });
    return make("li", {}, button);
  }

  #reader(read) {
    if (read) return `Reader: ${read.face ? read.face.rank + sign(read.face.suit) : "no face"}, ${percent(read.confidence)}.`;
    if (this.capture.status) return "The reader saw no die here.";
    return this.capture.kept === "entered" ? "Imported: no reader looked at it." : "No reader looked at it.";
  }

  /** Who gave the label; what the reader said is told anyway. */
  #labeller(die) {
    if (die.role) return ` Labelled by ${die.role}.`;
    if (die.read && die.origin === "model") return "";
    return die.origin === "drawn" ? " Labelled as it was drawn." : ` Labelled ${WHO[die.origin]}.`;
  }

  #panel(strip) {
    const die = this.die;
    byId("die-panel").hidden = !die;
    if (!die) return;
    this.#cut(byId("crop"), strip, this.chosen);
    say(byId("face-label"), `Die ${this.chosen + 1} of ${this.dice.length}`);
    const field = byId("face");
    if (field.value !== die.face) field.value = die.face;
    if (this.fresh && document.activeElement === field) field.select();
    const wrong = (this.remarks ?? []).some((one) => one.blocks !== "never" && one.dice.includes(this.chosen));
    field.setAttribute("aria-invalid", String(wrong));
    byId("lies").value = die.state;
    const read = die.read;
    say(byId("read"), `${this.#reader(read)}${this.#labeller(die)}`);
    const options = read ? [...(read.face ? [{ ...read.face, p: read.confidence }] : []), ...read.alternatives].filter((one) => one.code !== die.face).slice(0, 5) : [];
    byId("options").replaceChildren(...options.map((face) => {
      const button = make("button", { type: "button", class: `rv-option ${face.colour}`, "aria-label": `${face.name}, ${percent(face.p)}` }, face.rank + sign(face.suit), make("small", {}, percent(face.p)));
      button.addEventListener("click", () => this.face(face.code));
      return make("li", {}, button);
    }));
  }
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
