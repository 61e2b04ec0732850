// The sheet that sets up a game: which, who plays, and what is agreed.

import { byId, make, say } from "./elements.js";

let kinds = null;

/** `onStart(command)` resolves to an error sentence, or "" when the game began. */
export function newGame(onStart, players, current) {
  const sheet = byId("players");
  say(byId("players-error"), "");
  byId("names-text").value = players.join("\n");
  fetch("/api/v1/games/kinds").then((answer) => answer.json()).then((data) => {
    kinds = data.games;
    const select = byId("game-name");
    select.replaceChildren(...kinds.map((kind) => make("option", { value: kind.name }, kind.title)));
    select.value = current ?? kinds[0].name;
    byId("dice-set").replaceChildren(
      make("option", { value: "" }, "As the table is set"),
      ...data.dice_sets.map((set) => make("option", { value: set.name }, set.title)),
    );
    showOptions();
  }).catch(() => say(byId("players-error"), "The list of games could not be loaded."));
  byId("game-name").onchange = showOptions;
  byId("names").onsubmit = async (event) => {
    event.preventDefault();
    const error = await onStart(commandOf());
    say(byId("players-error"), error);
    if (!error) sheet.close();
  };
  sheet.showModal();
}

const kindNow = () => kinds?.find((kind) => kind.name === byId("game-name").value);

function showOptions() {
  const kind = kindNow();
  if (!kind) return;
  const [fewest, most] = kind.players;
  say(byId("game-summary"), `${kind.summary} ${fewest === most ? `${fewest} players` : `${fewest} to ${most} players`}.`);
  byId("dice-line").hidden = !kind.options.some((option) => option.name === "layout");
  const simple = kind.options.filter((option) => ["boolean", "number"].includes(typeof option.default)
    || (option.default === null && /^(rounds|to|timer_seconds|turn_cap)$/.test(option.name)));
  byId("game-options").replaceChildren(...simple.map(field));
}

function field(option) {
  const id = `option-${option.name}`;
  const label = make("label", { for: id }, sentence(option.meaning), make("small", {}, ` ${option.rule}`));
  if (typeof option.default === "boolean") {
    const input = make("input", { type: "checkbox", id, "data-name": option.name });
    input.checked = option.default;
    return make("div", { class: "option-line check-line" }, input, label);
  }
  const input = make("input", { type: "number", id, "data-name": option.name, min: "0", inputmode: "numeric" });
  input.value = option.default ?? "";
  return make("div", { class: "option-line" }, label, input);
}

const sentence = (text) => text[0].toUpperCase() + text.slice(1);

function commandOf() {
  const kind = kindNow();
  const players = byId("names-text").value.split("\n").map((name) => name.trim()).filter(Boolean);
  const options = {};
  for (const input of byId("game-options").querySelectorAll("input")) {
    const option = kind.options.find((known) => known.name === input.dataset.name);
    const value = input.type === "checkbox" ? input.checked : input.value === "" ? null : Number(input.value);
    if (value !== option.default) options[option.name] = value;
  }
  const dice = byId("dice-line").hidden ? "" : byId("dice-set").value;
  return { do: "start", game: kind?.name, players, options, ...(dice ? { dice_set: dice } : {}) };
}
