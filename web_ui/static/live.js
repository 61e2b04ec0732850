// The live picture: a motion JPEG, taken only while the page is looked at.

import { byId, say } from "./elements.js";

const AGAIN_MS = 3_000;

export function startLive() {
  const video = byId("video");
  const lacks = byId("lacks-picture");
  let waiting = 0;

  const lack = (is) => {
    lacks.hidden = !is;
    // the browser's sign of a broken picture says nothing
    video.style.visibility = is ? "hidden" : "";
  };
  // a stream of pictures may tell of its first one only when it ends
  setInterval(() => { if (video.naturalWidth > 0) lack(false); }, 500);
  const open = () => {
    if (!document.hidden) video.src = `/api/v1/video?t=${Date.now()}`;
  };
  video.addEventListener("error", () => {
    if (!video.hasAttribute("src")) return;
    lack(true);
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
