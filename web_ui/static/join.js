// The sheet that shows each seat's link as a code to be photographed.

import { byId, make, say } from "./elements.js";
import { mindLogin } from "./session.js";

export async function showJoin() {
  const list = byId("join-seats");
  list.replaceChildren();
  say(byId("join-words"), "");
  say(byId("join-error"), "");
  byId("join").showModal();
  try {
    const answer = await fetch("/api/v1/join");
    mindLogin(answer);
    const body = await answer.json();
    if (!answer.ok) throw new Error(body.error);
    say(byId("join-error"), body.sentence ?? "");
    say(byId("join-words"), body.seats.length
      ? "Each code is one seat: whoever opens it plays that seat. It ends with the game."
      : "Start a game first: its seats are what players join.");
    list.replaceChildren(...body.seats.map(seatOf));
  } catch (error) {
    say(byId("join-error"), error instanceof TypeError ? "The table did not answer. Try again." : error.message);
  }
}

function seatOf(seat) {
  const link = make("a", { href: seat.link, target: "_blank", rel: "noopener" }, "Open on this device");
  link.setAttribute("aria-label", `Open the seat of ${seat.player} on this device`);
  const item = make("li", {}, make("h3", {}, make("bdi", {}, seat.player)));
  if (seat.picture) item.append(make("img", { src: seat.picture, alt: `Code of the seat of ${seat.player}`, width: "220", height: "220" }));
  item.append(link);
  return item;
}
