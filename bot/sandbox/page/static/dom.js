// Helpers for the DOM. Text is always added as text nodes, so content from a bot is never parsed as HTML.

export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else if (name === "data") {
      Object.assign(element.dataset, value);
    } else {
      element.setAttribute(name === "className" ? "class" : name, value === true ? "" : value);
    }
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// Dispatch an event that bubbles up from an element.
export function dispatch(element, name, detail) {
  element.dispatchEvent(new CustomEvent(name, { bubbles: true, detail }));
}

let counter = 0;

export function uniqueId(prefix) {
  counter += 1;
  return `${prefix}-${counter}`;
}

const HUES = [158, 222, 28, 285, 340, 190, 50, 110];

// A person's picture, or the first letter of the name if there is none. `hash` is the picture's hash.
export function avatar(id, name, hash) {
  const face = hash ? h("img", { src: `/avatars/${id}/${hash}.png`, alt: "" }) : (name || "?").slice(0, 1).toUpperCase();
  const badge = h("span", { className: "avatar", "aria-hidden": "true" }, face);
  badge.style.setProperty("--hue", HUES[Number(BigInt(id) % BigInt(HUES.length))]);
  return badge;
}

export function recall(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // Storage may be switched off; the page works without it.
  }
}

export function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Storage may be switched off; the page works without it.
  }
}
