// The timer: the server's clock says when it ends, this page only counts down to it.

import { byId, say } from "./elements.js";

let timer = { running: false, left_s: 0, total_s: 0, rung: false, ends_ms: null };
let endsAt = null;

/** Take a new timer. `serverNow` is the server's monotonic clock in ms, as known here. */
export function showTimer(next, serverNow) {
  timer = next;
  endsAt = timer.running && serverNow !== null ? performance.now() + (timer.ends_ms - serverNow) : null;
  draw();
}

function left() {
  if (!timer.running) return timer.left_s;
  return endsAt === null ? timer.left_s : Math.max(0, (endsAt - performance.now()) / 1000);
}

function draw() {
  const chip = byId("timer");
  if (!chip) return;
  chip.hidden = !timer.total_s;
  const seconds = Math.ceil(left());
  say(byId("timer-words"), timer.rung ? "Time is up" : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`);
  chip.dataset.rung = String(timer.rung);
  const start = byId("timer-go");
  if (start) say(start, timer.running ? "Hold" : "Go on");
}

setInterval(draw, 200);
