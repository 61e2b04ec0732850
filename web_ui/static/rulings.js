// What a referee does: rule on claims, freeze, correct, take back, sign; each with a reason.

import { Chooser } from "./chooser.js";
import { claimWords } from "./claims.js";
import { byId, make, say } from "./elements.js";
import { showLog } from "./log.js";
import { askWords } from "./words.js";

const REASON = "Reason, as the log shall tell it";

export class Rulings {
  /** `order(command)` sends; `proof` shows the evidence. */
  constructor(order, proof) {
    this.order = order;
    this.proof = proof;
    this.state = null;
    this.chooser = new Chooser((reading, die, face) => this.#name(reading, die, face));
    this.#ask("freeze", { title: "Freeze the table", label: REASON, act: "Freeze" }, (reason) => ({ do: "freeze", reason, step: undefined }));
    this.#ask("undo", { title: "Take the last thing back", label: REASON, act: "Undo" }, (reason) => ({ do: "undo", reason }));
    this.#ask("sign", { title: "Sign the result", label: "Your name", act: "Sign" }, (name) => ({ do: "sign_off", name }));
    this.#ask("reopen", { title: "Open the result again", label: REASON, act: "Open it" }, (reason) => ({ do: "reopen", reason }));
    this.#ask("claim-new", { title: "Note a claim", label: "What is doubted", act: "Note it" }, (words) => ({
      do: "claim", words, player: "referee", reading: this.state.reading?.id ?? null, step: undefined,
    }));
    this.#tap("thaw", () => ({ do: "thaw", step: undefined }));
    this.#tap("redo", () => ({ do: "redo" }));
    this.#tap("confirm", () => ({ do: "confirm", reading: this.state.reading.id }));
    this.#tap("dismiss", () => ({ do: "dismiss", reading: this.state.dismissable, step: undefined }));
  }

  show(state) {
    this.state = state;
    const { can, table, game } = state;
    this.#claims(state.claims);
    byId("freeze").hidden = Boolean(table.frozen);
    byId("thaw").hidden = !table.frozen;
    byId("frozen-words").hidden = !table.frozen;
    say(byId("frozen-words"), table.frozen ? `Frozen: ${table.frozen}` : "");
    byId("undo").disabled = !can.undo;
    byId("redo").disabled = !can.redo;
    byId("confirm").hidden = !can.confirm;
    byId("dismiss").hidden = !can.dismiss;
    byId("correct-hint").hidden = !can.correct;
    byId("claim-new").hidden = !game;
    byId("sign-panel").hidden = !game?.over;
    byId("sign").hidden = !can.sign_off;
    byId("reopen").hidden = !game?.signed_by;
    say(byId("sign-words"), game?.signed_by ? `Signed by ${game.signed_by}.` : game?.over ? game.hint : "");
    showLog(state.log, (id) => this.#look(id), true);
    const told = state.store.sentence ?? state.notice?.sentence ?? "";
    this.#tell(told, Boolean(state.store.sentence) || (state.notice?.warn ?? false));
    this.chooser.keepIf(state.reading);
  }

  /** Correct the die at a place of the last roll. */
  correct(place) {
    if (this.state?.reading) this.chooser.open(this.state.reading, place);
  }

  #claims(claims) {
    // open ones first, the oldest of them on top; then what was ruled, the newest first
    const open = claims.filter((claim) => !claim.ruling);
    const ruled = claims.filter((claim) => claim.ruling).reverse();
    say(byId("claims-title"), open.length ? `Claims: ${open.length} open` : "Claims");
    byId("claims-none").hidden = claims.length > 0;
    const list = byId("claims");
    const wanted = JSON.stringify([open, ruled]);
    if (list.dataset.shown === wanted) return;
    list.dataset.shown = wanted;
    list.replaceChildren(...[...open, ...ruled].map((claim) => this.#claim(claim)));
  }

  #claim(claim) {
    const item = make("li", { class: claim.ruling ? "" : "open" }, ...claimWords(claim));
    const acts = make("div", { class: "desk-acts" });
    if (claim.reading !== null) {
      const look = this.#button("Evidence", () => this.#look(claim.reading), `Evidence of claim ${claim.id}`);
      look.classList.add("wide");
      acts.append(look);
    }
    if (!claim.ruling) {
      acts.append(this.#button("Uphold", () => this.#ruling(claim, "upheld"), `Uphold claim ${claim.id}`));
      acts.append(this.#button("Reject", () => this.#ruling(claim, "rejected"), `Reject claim ${claim.id}`));
    }
    item.append(acts);
    return item;
  }

  #button(words, onPress, label) {
    const button = make("button", { type: "button", class: "act", "aria-label": label }, words);
    button.addEventListener("click", onPress);
    return button;
  }

  #ruling(claim, ruling) {
    const act = ruling === "upheld" ? "Uphold" : "Reject";
    askWords({ title: `${act} the claim: ${claim.words}`, label: "Reason, for the player and the log", act }, async (reason) => {
      const answer = await this.order({ do: "rule", claim: claim.id, ruling, reason, step: undefined });
      return answer.ok ? "" : answer.error;
    });
  }

  async #look(id) {
    const error = await this.proof.pin(id);
    if (error) this.#tell(error, true);
    else byId("stage").scrollIntoView({ block: "nearest" });
  }

  async #name(reading, die, face) {
    const reason = byId("chooser-reason").value.trim();
    if (this.state.reading?.use === "taken" && !reason) return "Say why: this roll counted already.";
    const answer = await this.order({ do: "name", reading, die, face, ...(reason ? { reason } : {}) });
    if (answer.ok) byId("chooser-reason").value = "";
    return answer.ok ? "" : answer.error;
  }

  #tell(sentence, warn) {
    say(byId("notice"), sentence);
    byId("notice").dataset.warn = String(warn);
  }

  #ask(id, words, command) {
    byId(id).addEventListener("click", () => {
      // what is decided about is what was seen when the button was pressed
      const step = this.state?.game?.step;
      askWords(words, async (text) => {
        const answer = await this.order({ step, ...command(text) });
        return answer.ok ? "" : answer.error;
      });
    });
  }

  #tap(id, command) {
    byId(id).addEventListener("click", async (event) => {
      const button = event.currentTarget;
      if (button.getAttribute("aria-busy") === "true") return;
      button.setAttribute("aria-busy", "true");
      const answer = await this.order(command());
      button.removeAttribute("aria-busy");
      if (!answer.ok) this.#tell(answer.rule ? `${answer.error} (${answer.rule})` : answer.error, true);
    });
  }
}
