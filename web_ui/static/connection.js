// The page's line to the table: events in, orders out.

import { mindLogin, proof } from "./session.js";

const API = "/api/v1";
const QUIET_MS = 12_000; // longer than the heartbeat's 10 s: then ask whether anybody is there
const AGAIN_MS = 1_500;

let clock = null; // the server's monotonic clock, and when it was heard

/** The server's monotonic clock now, in ms; null before it was heard. */
export const serverNow = () => (clock === null ? null : clock.ms + (performance.now() - clock.at));

/** Follow the table. `onState(state)` for each change, `onLink(isUp)` when the line breaks or returns. */
export function follow(onState, onLink) {
  let source = null;
  let up = null;
  let heard = performance.now();

  const link = (now) => {
    if (up !== now) onLink(now);
    up = now;
  };

  const open = () => {
    source?.close();
    source = new EventSource(`${API}/stream`);
    source.addEventListener("open", () => { heard = performance.now(); link(true); });
    source.addEventListener("state", (event) => {
      heard = performance.now();
      link(true);
      onState(JSON.parse(event.data));
    });
    source.addEventListener("clock", (event) => {
      heard = performance.now();
      clock = { ms: Number(event.data), at: heard };
    });
    source.addEventListener("error", () => {
      link(false);
      // the browser tries again by itself unless the answer was an error such as 503
      if (source.readyState !== EventSource.CLOSED) return;
      fetch(`${API}/state`, { method: "HEAD" }).then(mindLogin, () => {});
      setTimeout(open, AGAIN_MS);
    });
  };

  const probe = async () => {
    if (document.hidden || performance.now() - heard < QUIET_MS) return;
    try {
      await fetch(`${API}/health`, { signal: AbortSignal.timeout(2_000) });
      heard = performance.now();
      if (!up) open();
    } catch {
      link(false);
    }
  };

  open();
  setInterval(probe, 3_000);
  document.addEventListener("visibilitychange", probe);
  // frees the stream's place at once when the page goes
  window.addEventListener("pagehide", () => source?.close());
  window.addEventListener("pageshow", (event) => { if (event.persisted) open(); });
}

const name = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(36)).join("");

/** Send an order. Resolves to `{ok, state}` or `{ok: false, error, rule}`; never rejects. */
export async function send(order) {
  try {
    const answer = await fetch(`${API}/commands`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...proof() },
      // the same tap, sent again by a network that stutters, must not count twice
      body: JSON.stringify({ id: name(), ...order }),
      signal: AbortSignal.timeout(5_000),
    });
    mindLogin(answer);
    const body = await answer.json();
    return answer.ok ? { ok: true, state: body } : { ok: false, ...body };
  } catch {
    return { ok: false, error: "The table did not answer. Try again.", rule: null };
  }
}
