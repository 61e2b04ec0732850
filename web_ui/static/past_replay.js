// One game step by step: slider, keys, play; the picture, dice and scores of each step.

import { byId, make, say } from "./elements.js";
import { drawOverlay } from "./overlay.js";
import { changeWords, clockOf, codesWords, faceWords } from "./past_words.js";

const STEP_MS = 1_400;
const DECIDED = { asked: "asked", refused: "did not count", answered: "answered", counted: "counted", dismissed: "put aside", corrected: "corrected" };

export class Replay {
  constructor() {
    this.game = null;
    this.place = 0;
    this.running = 0;
    byId("first").addEventListener("click", () => this.go(0));
    byId("back").addEventListener("click", () => this.go(this.place - 1));
    byId("on").addEventListener("click", () => this.go(this.place + 1));
    byId("end").addEventListener("click", () => this.go(Infinity));
    byId("run").addEventListener("click", () => this.run(!this.running));
    byId("place").addEventListener("input", (event) => this.go(Number(event.target.value) - 1));
    document.addEventListener("keydown", (event) => this.#key(event));
    byId("picture").addEventListener("error", () => this.#noPicture());
    byId("picture").addEventListener("load", () => { byId("veil").hidden = true; });
  }

  /** Show a game; who looked at its last step sees the new last one. */
  show(game) {
    const last = this.game === null ? false : this.place >= this.game.log.length - 1;
    const first = this.game === null;
    this.game = game;
    this.readings = new Map(game.readings.map((reading) => [reading.id, reading]));
    byId("place").max = String(Math.max(1, game.log.length));
    this.#list();
    this.go(first ? (game.running ? Infinity : 0) : last ? Infinity : this.place, true);
  }

  go(place, still = false) {
    const steps = this.game?.log.length ?? 0;
    if (!steps) return;
    if (!still) this.run(false);
    this.#stand(Math.max(0, Math.min(place, steps - 1)));
  }

  run(on) {
    clearInterval(this.running);
    const steps = this.game?.log.length ?? 0;
    if (on && this.place >= steps - 1) this.#stand(0);
    this.running = on ? setInterval(() => {
      if (this.place >= this.game.log.length - 1) this.run(false);
      else this.#stand(this.place + 1);
    }, STEP_MS) : 0;
    say(byId("run"), on ? "Stop" : "Play");
    byId("run").setAttribute("aria-pressed", String(Boolean(on)));
  }

  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    // what has a use for these keys itself keeps them
    if (event.target.closest("input, textarea, select, summary")) return;
    if (event.key === " " && event.target.closest("button, a")) return;
    const ways = { ArrowLeft: this.place - 1, ArrowRight: this.place + 1, Home: 0, End: Infinity };
    if (event.key === " ") this.run(!this.running);
    else if (event.key in ways) this.go(ways[event.key]);
    else return;
    event.preventDefault();
  }

  #list() {
    byId("log").replaceChildren(...this.game.log.map((step, place) => {
      const words = step.done ? make("span", {}, step.words) : make("s", {}, step.words);
      const button = make("button", { type: "button" }, make("span", {}, String(place + 1)), words);
      if (!step.done) button.append(make("span", { class: "unseen" }, " (taken back later)"));
      button.addEventListener("click", () => this.go(place));
      return make("li", {}, button);
    }));
  }

  #stand(place) {
    this.place = place;
    const step = this.game.log[place];
    const steps = this.game.log.length;
    byId("place").value = String(place + 1);
    byId("place").setAttribute("aria-valuetext", `Step ${place + 1} of ${steps}: ${step.words}`);
    for (const id of ["first", "back"]) byId(id).disabled = place === 0;
    for (const id of ["on", "end"]) byId(id).disabled = place === steps - 1;
    say(byId("step-where"), `Step ${place + 1} of ${steps} · ${clockOf(step.at)} · ${step.by}${step.done ? "" : " · taken back later"}`);
    say(byId("step-words"), step.words + (step.reason && !step.words.includes(step.reason) ? ` (${step.reason})` : ""));
    byId("step-words").classList.toggle("undone", !step.done);
    const aims = [step.target && `Target: ${step.target}.`, step.hand && `Best hand: ${step.hand}.`];
    say(byId("step-more"), aims.filter(Boolean).join(" "));
    this.#mark(place);
    const reading = this.readings.get(step.reading) ?? null;
    this.#picture(step, reading);
    this.#dice(step, reading);
    this.#scores(step, this.game.log[place - 1]);
    this.#reading(reading);
    document.body.dataset.step = String(place + 1);
  }

  #mark(place) {
    const list = byId("log");
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const button = list.children[place].firstChild;
    button.setAttribute("aria-current", "step");
    // only within the list: the page stays where it is
    const [top, height] = [button.offsetTop - list.offsetTop, button.offsetHeight];
    if (top < list.scrollTop) list.scrollTop = top;
    if (top + height > list.scrollTop + list.clientHeight) list.scrollTop = top + height - list.clientHeight;
  }

  #picture(step, reading) {
    const img = byId("picture");
    this.shown = reading;
    if (!reading?.picture) {
      img.removeAttribute("src");
      img.alt = "";
      drawOverlay(null, false);
      byId("veil").hidden = false;
      say(byId("veil-words"), reading ? "This roll has no picture: it was typed in, or the picture was not kept." : "No dice lie on the table.");
      return;
    }
    if (img.getAttribute("src") !== reading.picture) {
      byId("veil").hidden = false;
      say(byId("veil-words"), "Fetching the picture");
      img.src = reading.picture;
    }
    img.alt = `Picture of reading ${reading.id}: ${codesWords(step.faces, this.game.faces)}`;
    const dice = reading.dice.map((die) => ({
      ...die,
      face: this.game.faces[step.faces[die.place]] ?? null,
      in_hand: step.kept.includes(die.place),
      doubtful: (step.kind === "asked" || step.kind === "answered") && die.doubtful,
    }));
    drawOverlay({ ...reading, dice }, true);
  }

  async #noPicture() {
    const reading = this.shown;
    if (!reading?.picture) return;
    drawOverlay(null, false);
    byId("veil").hidden = false;
    say(byId("veil-words"), "The picture cannot be shown.");
    try {
      const answer = await fetch(reading.picture);
      const body = answer.ok ? null : await answer.json();
      if (body && this.shown === reading) say(byId("veil-words"), body.error);
    } catch {
      // the sentence above stands
    }
  }

  #dice(step, reading) {
    byId("step-dice").replaceChildren(...step.faces.map((code, place) => {
      const face = this.game.faces[code] ?? null;
      const kept = step.kept.includes(place);
      const read = reading?.dice[place]?.read ?? null;
      const changed = reading !== null && read !== code;
      const classes = ["past-die", face?.colour === "red" && "red", kept && "kept", changed && "changed"];
      const die = make("li", { class: classes.filter(Boolean).join(" ") }, make("span", { "aria-hidden": "true" }, faceWords(code, this.game.faces)));
      die.append(make("span", { class: "unseen" }, face?.name ?? "unreadable"));
      if (kept) die.append(make("small", {}, "kept"));
      if (changed) die.append(make("small", {}, `read ${faceWords(read, this.game.faces)}`));
      return die;
    }));
  }

  #scores(step, before) {
    byId("scores").querySelector("tbody").replaceChildren(...this.game.players.map((name, seat) => {
      const score = step.scores[seat] ?? 0;
      const change = score - (before?.scores[seat] ?? 0);
      const won = this.game.over && this.place === this.game.log.length - 1 && this.game.winners.includes(name);
      const who = make("th", { scope: "row" }, won ? `${name} ★` : name);
      if (won) who.append(make("span", { class: "unseen" }, " won"));
      const words = change > 0 ? `+${change}` : change < 0 ? `−${-change}` : "";
      return make("tr", { class: won ? "won" : "" }, who, make("td", { class: "number" }, String(score)), make("td", { class: "number" }, words));
    }));
  }

  #reading(reading) {
    const room = byId("step-reading");
    if (reading === null) return room.replaceChildren();
    const sure = `${(100 * reading.confidence).toFixed(1)}\u202F%`;
    const about = `Reading ${reading.id}: ${reading.status}, confidence ${sure}${reading.counts ? "" : ", does not count now"}. `;
    const told = [make("p", {}, about + reading.problems.map((problem) => problem.sentence).join(" "))];
    told.push(make("ul", {}, ...reading.decisions.map((one) => {
      const to = one.what === "answered" ? `: die ${one.die + 1} is ${faceWords(one.faces[one.die], this.game.faces)}`
        : one.what === "corrected" ? `: ${changeWords(one.before, one.faces, this.game.faces)}` : "";
      const why = one.reason ? ` (${one.reason})` : "";
      return make("li", {}, `${clockOf(one.at)} ${DECIDED[one.what]} by ${one.by}${to}${why}`);
    })));
    room.replaceChildren(...told);
    return undefined;
  }
}
