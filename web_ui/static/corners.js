// Four corners that can be dragged, touched and moved with the keyboard.

import { byId, make } from "./elements.js";

const NAMES = ["Top left corner", "Top right corner", "Bottom right corner", "Bottom left corner"];
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const FAR = 10; // how much further an arrow key moves a corner with Shift
const ZOOM = 3;

export class Corners {
  /** `stage` holds the picture; `onChange()` is called after each move by a person. */
  constructor(stage, onChange) {
    this.stage = stage;
    this.onChange = onChange;
    this.quad = null;
    this.changed = false;
    this.size = [1, 1];
    this.handles = NAMES.map((name, place) => this.#handle(place));
    byId("corners").append(...this.handles);
  }

  /** Take the size of the camera's pictures. */
  fit(width, height) {
    this.size = [width, height];
    this.stage.style.aspectRatio = `${width} / ${height}`;
    // no higher than the window leaves room for
    this.stage.style.maxWidth = `calc((100dvh - 150px) * ${width / height})`;
    byId("outline").setAttribute("viewBox", `0 0 ${width} ${height}`);
  }

  /** Show corners in pixels of the picture, or none. */
  show(quad, isSaved) {
    this.quad = quad;
    this.changed = !isSaved && quad !== null;
    this.#draw();
  }

  focus() { this.handles[0].focus(); }

  #handle(place) {
    const handle = make("button", { type: "button", class: "corner" });
    let grip = null;
    handle.addEventListener("pointerdown", (event) => {
      const [x, y] = this.#at(event);
      // the finger may lie beside the corner: it shall not jump there
      grip = { dx: this.quad[place][0] - x, dy: this.quad[place][1] - y };
      handle.setPointerCapture(event.pointerId);
      handle.classList.add("held");
      this.#look(place);
    });
    handle.addEventListener("pointermove", (event) => {
      if (!grip) return;
      const [x, y] = this.#at(event);
      this.#move(place, x + grip.dx, y + grip.dy);
      this.#look(place);
    });
    const drop = () => {
      grip = null;
      handle.classList.remove("held");
      byId("loupe").hidden = true;
    };
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) handle.addEventListener(end, drop);
    handle.addEventListener("keydown", (event) => {
      const step = ARROWS[event.key];
      if (!step) return;
      event.preventDefault();
      const far = event.shiftKey ? FAR : 1;
      const [x, y] = this.quad[place];
      this.#move(place, x + step[0] * far, y + step[1] * far);
    });
    return handle;
  }

  /** Where a pointer is, in pixels of the picture. */
  #at(event) {
    const box = this.stage.getBoundingClientRect();
    return [
      ((event.clientX - box.left) / box.width) * this.size[0],
      ((event.clientY - box.top) / box.height) * this.size[1],
    ];
  }

  #move(place, x, y) {
    const inside = (value, most) => Math.min(most, Math.max(0, value));
    this.quad = this.quad.map((corner, k) => (k === place ? [inside(x, this.size[0]), inside(y, this.size[1])] : corner));
    this.changed = true;
    this.#draw();
    this.onChange();
  }

  #draw() {
    byId("corners").hidden = !this.quad;
    const [width, height] = this.size;
    byId("area").setAttribute("points", (this.quad ?? []).map((corner) => corner.join(",")).join(" "));
    const around = `M0 0H${width}V${height}H0Z`;
    byId("beside").setAttribute("d", this.quad ? `${around}M${this.quad.map((corner) => corner.join(" ")).join("L")}Z` : "");
    byId("outline").classList.toggle("changed", this.changed);
    (this.quad ?? []).forEach(([x, y], place) => {
      const handle = this.handles[place];
      const share = (value, most) => `${Math.min(100, Math.max(0, (100 * value) / most))}%`;
      handle.style.left = share(x, width);
      handle.style.top = share(y, height);
      handle.setAttribute("aria-label", `${NAMES[place]}: ${Math.round(x)} across, ${Math.round(y)} down`);
    });
  }

  /** Show what lies under the finger, beside it. */
  #look(place) {
    const loupe = byId("loupe");
    const box = this.stage.getBoundingClientRect();
    const [x, y] = this.quad[place].map((value, k) => value / this.size[k]);
    loupe.hidden = false;
    const side = loupe.offsetWidth;
    loupe.style.left = x < 0.5 ? `${box.width - side - 8}px` : "8px";
    loupe.style.top = "8px";
    loupe.style.backgroundImage = `url("${byId("still").src}")`;
    loupe.style.backgroundSize = `${box.width * ZOOM}px ${box.height * ZOOM}px`;
    loupe.style.backgroundPosition = `${side / 2 - 3 - x * box.width * ZOOM}px ${side / 2 - 3 - y * box.height * ZOOM}px`;
  }
}
