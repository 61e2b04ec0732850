// What can be done now, as buttons. The server says which; the page knows no rule.

import { byId, make, sign } from "./elements.js";

const TITLES = { row: "Rows that the dice meet", card: "Cards", player: "Players", die: "Dice to pick" };

/** Fill the bar of main buttons and the lists of alike ones. `onPick(command, button)` when one is pressed. */
export function showChoices(choices, onPick) {
  const main = choices.filter((choice) => choice.group === "main");
  fill(byId("acts-main"), main, onPick);
  const lists = byId("choice-lists");
  const wanted = JSON.stringify(choices.filter((choice) => choice.group !== "main"));
  if (lists.dataset.shown === wanted) return;
  lists.dataset.shown = wanted;
  const groups = [...new Set(choices.map((choice) => choice.group))].filter((group) => group !== "main");
  lists.replaceChildren(...groups.map((group) => {
    const own = choices.filter((choice) => choice.group === group);
    const list = make("ul", { class: `choices choices-${own.some((c) => c.face) ? "faces" : group}` });
    list.append(...own.map((choice) => make("li", {}, button(choice, onPick))));
    return make("section", { class: "card-panel", "aria-label": TITLES[group] ?? group }, make("h2", {}, TITLES[group] ?? group), list);
  }));
}

function fill(bar, choices, onPick) {
  const wanted = JSON.stringify(choices);
  if (bar.dataset.shown === wanted) return;
  bar.dataset.shown = wanted;
  bar.replaceChildren(...choices.map((choice) => button(choice, onPick)));
}

function button(choice, onPick) {
  const words = choice.face
    ? [make("span", { class: "rank" }, choice.face.rank), make("span", { class: "suit" }, sign(choice.face.suit))]
    : [make("span", {}, choice.label)];
  if (choice.detail) words.push(make("small", {}, choice.detail));
  const element = make(
    "button",
    {
      type: "button",
      class: `${choice.face ? `mini ${choice.face.colour}` : "act"}${choice.primary ? " primary" : ""}`,
      "data-do": choice.command.do,
    },
    ...words,
  );
  if (choice.face) element.setAttribute("aria-label", choice.face.name);
  element.addEventListener("click", async () => {
    if (element.getAttribute("aria-busy") === "true") return;
    element.setAttribute("aria-busy", "true");
    await onPick(choice.command);
    element.removeAttribute("aria-busy");
  });
  return element;
}
