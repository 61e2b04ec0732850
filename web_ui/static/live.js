// The live picture: a motion JPEG, taken only while the page is looked at.

import { byId, say } from "./elements.js";

const AGAIN_MS = 3_000;

export function startLive() {
  const video = byId("video");
  let waiting = 0;

  const open = () => {
    if (!document.hidden) video.src = `/api/v1/video?t=${Date.now()}`;
  };
  video.addEventListener("error", () => {
    if (!video.hasAttribute("src")) return;
    clearTimeout(waiting);
    waiting = setTimeout(open, AGAIN_MS);
  });
  document.addEventListener("visibilitychange", () => {
    clearTimeout(waiting);
    // a hidden page gives its viewer's place to somebody else
    if (document.hidden) video.removeAttribute("src");
    else open();
  });
  open();
}

export function showCamera(camera) {
  byId("veil").hidden = camera.state === "live";
  say(byId("veil-words"), camera.sentence);
}
