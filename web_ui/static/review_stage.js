// The picture with its dice outlined: zoom, new outlines by four corners, corners moved.

import { byId, make, makeSvg, say } from "./elements.js";
import { pictureOf } from "./review_ask.js";

const NAMES = ["Top left corner of the art", "Top right corner", "Bottom right corner", "Bottom left corner"];
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const FAR = 10; // how much further an arrow goes with Shift
const MOST_ZOOM = 8;

export class Stage {
  /** `onPick(place)`: a die was clicked; `onQuad(quad, place)`: an outline is new (place -1) or moved. */
  constructor(onPick, onQuad) {
    this.onPick = onPick;
    this.onQuad = onQuad;
    this.size = [1, 1];
    this.zoom = 1;
    this.middle = [0.5, 0.5];
    this.mode = "look"; // or "draw", "move"
    this.points = [];
    this.cross = [0, 0];
    this.quads = [];
    this.chosen = -1;
    this.stage = byId("stage");
    this.handles = NAMES.map((name, corner) => this.#handle(name, corner));
    byId("handles").append(...this.handles);
    this.#listen();
    new ResizeObserver(() => this.#place()).observe(this.stage);
  }

  /** Resolves to whether the picture is there. */
  async show(capture) {
    const picture = byId("picture");
    this.mode = "look";
    this.size = [capture.width_px, capture.height_px];
    this.zoom = 1;
    this.middle = [0.5, 0.5];
    this.stage.style.setProperty("--ratio", `${this.size[0] / this.size[1]}`);
    byId("outlines").setAttribute("viewBox", `0 0 ${this.size[0]} ${this.size[1]}`);
    picture.src = pictureOf(capture.id);
    this.#place();
    return picture.decode().then(() => true, () => false);
  }

  /** Draw outlines; `kinds` are `ok`, `unsure`, `unread` or `wrong`. */
  draw(quads, kinds, chosen) {
    this.quads = quads;
    this.kinds = kinds;
    this.chosen = chosen;
    this.#paint();
  }

  #paint() {
    const text = Math.max(this.size[0] / 52, 6);
    const shapes = this.quads.map((quad, place) => {
      const kind = `${this.kinds[place]}${place === this.chosen ? " chosen" : ""}`;
      const [x, y] = [Math.min(...quad.map(([a]) => a)), Math.min(...quad.map(([, b]) => b))];
      const group = makeSvg("g", { class: `rv-quad ${kind}` },
        makeSvg("polygon", { points: quad.map((corner) => corner.join(",")).join(" ") }),
        makeSvg("circle", { cx: quad[0][0], cy: quad[0][1], r: text / 4 }),
        makeSvg("text", { x, y: y > text ? y - text / 4 : y + text, "font-size": text }));
      group.lastChild.textContent = place + 1;
      group.dataset.place = place;
      return group;
    });
    if (this.mode === "draw") {
      const line = [...this.points, this.cross].map((point) => point.join(",")).join(" ");
      const [x, y] = this.cross;
      const arm = this.size[0] / 40;
      shapes.push(makeSvg("polyline", { class: "rv-new", points: line }),
        ...this.points.map(([a, b]) => makeSvg("circle", { class: "rv-new", cx: a, cy: b, r: text / 4 })),
        makeSvg("path", { class: "rv-cross", d: `M${x - arm} ${y}H${x + arm}M${x} ${y - arm}V${y + arm}` }));
    }
    byId("outlines").replaceChildren(...shapes);
    this.#placeHandles();
  }

  // zoom

  zoomBy(factor) {
    this.zoom = Math.min(MOST_ZOOM, Math.max(1, this.zoom * factor));
    if (this.zoom > 1 && this.quads[this.chosen] && factor > 1) this.#lookAt(this.quads[this.chosen]);
    this.#place();
  }

  /** Between the whole picture and the chosen die. */
  zoomSwitch() {
    this.zoom = this.zoom > 1 ? 1 : 3;
    if (this.zoom > 1 && this.quads[this.chosen]) this.#lookAt(this.quads[this.chosen]);
    this.#place();
  }

  follow() {
    if (this.zoom > 1 && this.quads[this.chosen]) {
      this.#lookAt(this.quads[this.chosen]);
      this.#place();
    }
  }

  #lookAt(quad) {
    this.middle = [0, 1].map((k) => quad.reduce((sum, corner) => sum + corner[k], 0) / 4 / this.size[k]);
  }

  #place() {
    const half = 0.5 / this.zoom;
    this.middle = this.middle.map((value) => Math.min(1 - half, Math.max(half, value)));
    const [left, top] = this.middle.map((value) => (half - value) * this.zoom * 100);
    byId("canvas").style.transform = `translate(${left}%, ${top}%) scale(${this.zoom})`;
    this.#placeHandles();
  }

  #at(event) {
    const box = byId("canvas").getBoundingClientRect();
    return [
      ((event.clientX - box.left) / box.width) * this.size[0],
      ((event.clientY - box.top) / box.height) * this.size[1],
    ];
  }

  #inside([x, y]) {
    const whole = (value, most) => Math.round(Math.min(most, Math.max(0, value)) * 100) / 100;
    return [whole(x, this.size[0]), whole(y, this.size[1])];
  }

  #listen() {
    let held = null;
    this.stage.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || event.target.closest(".corner")) return;
      held = { x: event.clientX, y: event.clientY, middle: [...this.middle], moved: false };
    });
    this.stage.addEventListener("pointermove", (event) => {
      if (this.mode === "draw" && event.pointerType !== "touch") {
        this.cross = this.#inside(this.#at(event));
        this.#paint();
      }
      if (!held) return;
      const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
      if (Math.hypot(dx, dy) > 6) held.moved = true;
      if (!held.moved || this.zoom === 1) return;
      const box = byId("canvas").getBoundingClientRect();
      this.middle = [held.middle[0] - dx / box.width, held.middle[1] - dy / box.height];
      this.#place();
    });
    this.stage.addEventListener("pointerup", (event) => {
      if (!held) return;
      const { moved } = held;
      held = null;
      if (moved) return;
      if (this.mode === "draw") {
        this.cross = this.#inside(this.#at(event));
        this.#set();
        return;
      }
      const place = this.#placeAt(this.#at(event));
      if (place >= 0) this.onPick(place);
    });
    this.stage.addEventListener("pointercancel", () => { held = null; });
    this.stage.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const [x, y] = this.#at(event);
      if (this.zoom === 1) this.middle = [x / this.size[0], y / this.size[1]];
      this.zoom = Math.min(MOST_ZOOM, Math.max(1, this.zoom * (event.deltaY < 0 ? 1.25 : 0.8)));
      this.#place();
    }, { passive: false });
  }

  #placeAt([x, y]) {
    const within = (quad) => quad.every(([ax, ay], k) => {
      const [bx, by] = quad[(k + 1) % 4];
      return (bx - ax) * (y - ay) - (by - ay) * (x - ax) >= 0;
    });
    return this.quads.findIndex(within);
  }

  // a new outline

  begin() {
    this.mode = "draw";
    this.points = [];
    this.cross = this.#inside([this.middle[0] * this.size[0], this.middle[1] * this.size[1]]);
    this.#tell();
    this.#paint();
  }

  #tell() {
    const left = ["top left", "top right", "bottom right", "bottom left"][this.points.length];
    say(byId("hint"), `Set the ${left} corner of the art: click, or arrow keys and Space. Backspace takes one back, Escape ends.`);
    byId("hint").hidden = false;
  }

  #set() {
    this.points.push(this.cross);
    if (this.points.length < 4) {
      this.#tell();
      this.#paint();
      return;
    }
    const [a, b, c, d] = this.points;
    // the first corner is what counts; the way round can be told
    const area = [a, b, c, d].reduce((sum, [x, y], k, all) => sum + x * all[(k + 1) % 4][1] - all[(k + 1) % 4][0] * y, 0);
    this.leave();
    this.onQuad(area < 0 ? [a, d, c, b] : [a, b, c, d], -1);
  }

  // corners of the chosen die

  edit() {
    if (!this.quads[this.chosen]) return;
    this.mode = "move";
    say(byId("hint"), "Move the corners: drag, or Tab and arrow keys (with Shift further). Enter or Escape ends.");
    byId("hint").hidden = false;
    this.#placeHandles();
    this.handles[0].focus();
  }

  leave() {
    this.mode = "look";
    this.points = [];
    byId("hint").hidden = true;
    this.#paint();
  }

  #handle(name, corner) {
    const handle = make("button", { type: "button", class: "corner" });
    let grip = null;
    handle.addEventListener("pointerdown", (event) => {
      const [x, y] = this.#at(event);
      const [cx, cy] = this.quads[this.chosen][corner];
      grip = [cx - x, cy - y];
      handle.setPointerCapture(event.pointerId);
    });
    handle.addEventListener("pointermove", (event) => {
      if (!grip) return;
      const [x, y] = this.#at(event);
      this.#move(corner, [x + grip[0], y + grip[1]]);
    });
    for (const end of ["pointerup", "pointercancel"]) handle.addEventListener(end, () => { grip = null; });
    handle.addEventListener("keydown", (event) => {
      const step = ARROWS[event.key];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      const far = event.shiftKey ? FAR : 1;
      const [x, y] = this.quads[this.chosen][corner];
      this.#move(corner, [x + step[0] * far, y + step[1] * far]);
    });
    handle.dataset.name = name;
    return handle;
  }

  #move(corner, point) {
    const quad = this.quads[this.chosen].map((old, k) => (k === corner ? this.#inside(point) : old));
    this.onQuad(quad, this.chosen);
  }

  #placeHandles() {
    const quad = this.mode === "move" ? this.quads[this.chosen] : null;
    byId("handles").hidden = !quad;
    if (!quad) return;
    const half = 0.5 / this.zoom;
    quad.forEach(([x, y], corner) => {
      const share = [x / this.size[0], y / this.size[1]].map((value, k) => (value - this.middle[k] + half) * this.zoom * 100);
      const handle = this.handles[corner];
      [handle.style.left, handle.style.top] = share.map((value) => `${value}%`);
      handle.setAttribute("aria-label", `${handle.dataset.name}: ${Math.round(x)} across, ${Math.round(y)} down`);
    });
  }

  /** Keys while an outline is drawn or moved; true if the key was meant for that. */
  key(event) {
    if (this.mode === "look") return false;
    if (event.key === "Escape" || (this.mode === "move" && event.key === "Enter")) {
      this.leave();
      return true;
    }
    if (this.mode === "move") return event.key !== "Tab" && event.key.length > 1 && !event.key.startsWith("Page");
    const step = ARROWS[event.key];
    if (step) {
      const far = event.shiftKey ? 1 : FAR;
      this.cross = this.#inside(this.cross.map((value, k) => value + step[k] * far));
      this.#paint();
    } else if (event.key === " " || event.key === "Enter") this.#set();
    else if (event.key === "Backspace") {
      this.points.pop();
      this.#tell();
      this.#paint();
    } else return false;
    return true;
  }
}
