// Small ways to touch the document.

export const byId = (id) => document.getElementById(id);

/** Make an element with attributes and children. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export function makeSvg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export const icon = (name) =>
  makeSvg("svg", { class: "icon", "aria-hidden": "true" }, makeSvg("use", { href: `#i-${name}` }));

/** Set text only if it changed, so that a screen reader is not told the same twice. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** A suit sign as text, never as a coloured picture. */
export const sign = (text) => (text ? `${text}\uFE0E` : "");

export const percent = (p) => (p >= 0.9995 ? "100\u202F%" : `${(100 * p).toFixed(p > 0.99 ? 1 : 0)}\u202F%`);
