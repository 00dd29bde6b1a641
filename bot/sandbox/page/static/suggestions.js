// The list of suggestions above the line, used like any combobox: arrows select, Enter and Tab pick.

import { h, uniqueId } from "./dom.js";

export class Suggestions {
  constructor() {
    this.id = uniqueId("suggestions");
    this.rows = [];
    this.at = 0;
    this.waiting = false;
    this.heldKeys = [];
    this.list = h("ul", { role: "listbox", id: this.id, "aria-label": "Suggestions" });
    this.hint = h("p", { className: "hint", role: "status" });
    this.element = h("div", { className: "suggestions", hidden: true }, this.hint, this.list);
    // Keep the focus in the line while the list is clicked or scrolled.
    this.element.addEventListener("mousedown", (event) => event.preventDefault());
  }

  ariaAttributes() {
    return { role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": this.id };
  }

  // Wait for rows. Keys that select or pick a row are held until the rows arrive.
  hold(input) {
    Object.assign(this, { input, waiting: true, heldKeys: [] });
  }

  // With `at` -1, no row is selected. Enter then picks a row only after an arrow key selected it, and Tab only if the line
  // is empty.
  show(input, rows, take, { none = "", hint = "", at = 0 } = {}) {
    const { heldKeys } = this;
    Object.assign(this, { input, rows, take, at, waiting: false, heldKeys: [] });
    this.hint.textContent = rows.length ? hint : none;
    this.hint.hidden = !this.hint.textContent;
    this.list.hidden = !rows.length;
    this.element.hidden = this.hint.hidden && this.list.hidden;
    this.list.replaceChildren(...rows.map((row, index) => this.renderRow(row, index)));
    input.setAttribute("aria-expanded", String(rows.length > 0));
    this.select(at);
    for (const key of heldKeys) {
      if (document.activeElement === input) input.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    }
  }

  renderRow(row, at) {
    const on = { click: () => this.take(row), mousemove: () => this.at !== at && this.select(at, false) };
    return h(
      "li",
      { role: "option", id: `${this.id}-${at}`, on },
      h("span", {}, row.label),
      row.description && h("span", { className: "description" }, row.description),
    );
  }

  select(at, scroll = true) {
    this.at = at;
    for (const [index, item] of [...this.list.children].entries()) item.setAttribute("aria-selected", String(index === at));
    const marked = this.list.children[at];
    if (!marked) return this.input.removeAttribute("aria-activedescendant");
    this.input.setAttribute("aria-activedescendant", marked.id);
    if (scroll) marked.scrollIntoView({ block: "nearest" });
    return undefined;
  }

  hide() {
    Object.assign(this, { rows: [], waiting: false, heldKeys: [] });
    this.element.hidden = true;
    this.input?.setAttribute("aria-expanded", "false");
    this.input?.removeAttribute("aria-activedescendant");
  }

  // Handle a key. Returns true if the list used it.
  onKey(event) {
    const taking = event.key === "Enter" || (event.key === "Tab" && !event.shiftKey);
    const moving = event.key === "ArrowDown" || event.key === "ArrowUp";
    if (this.waiting && (taking || moving)) {
      this.heldKeys.push(event.key);
    } else if (this.element.hidden || !this.rows.length) {
      return false;
    } else if (moving) {
      const down = event.key === "ArrowDown";
      const last = this.rows.length - 1;
      this.select(down ? (this.at + 1) % (last + 1) : this.at > 0 ? this.at - 1 : last);
    } else if (taking && (this.at >= 0 || (event.key === "Tab" && !this.input.value))) {
      this.take(this.rows[Math.max(this.at, 0)]);
    } else if (event.key === "Escape") {
      this.hide();
      event.stopPropagation();
    } else {
      return false;
    }
    event.preventDefault();
    return true;
  }
}
