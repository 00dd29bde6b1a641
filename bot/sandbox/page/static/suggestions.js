// The list above the line one writes in: arrows move, Enter and Tab take, as in any combobox.

import { h, unique } from "./dom.js";

export class Suggestions {
  constructor() {
    this.id = unique("suggestions");
    this.rows = [];
    this.at = 0;
    this.waiting = false;
    this.held = null;
    this.list = h("ul", { role: "listbox", id: this.id, "aria-label": "Suggestions" });
    this.hint = h("p", { className: "hint", role: "status" });
    this.element = h("div", { className: "suggestions", hidden: true }, this.hint, this.list);
    // Keeps the focus in the line while the list is clicked or scrolled.
    this.element.addEventListener("mousedown", (event) => event.preventDefault());
  }

  roles() {
    return { role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": this.id };
  }

  // The rows are being asked for: Enter or Tab is held back until they are there.
  wait(input) {
    Object.assign(this, { input, waiting: true, held: null });
  }

  // With `at` -1 no row is marked: the list takes no Enter until an arrow marks one, and Tab only where nothing is typed.
  show(input, rows, take, { none = "", hint = "", at = 0 } = {}) {
    const { held } = this;
    Object.assign(this, { input, rows, take, at, waiting: false, held: null });
    this.hint.textContent = rows.length ? hint : none;
    this.hint.hidden = !this.hint.textContent;
    this.list.hidden = !rows.length;
    this.element.hidden = this.hint.hidden && this.list.hidden;
    this.list.replaceChildren(...rows.map((row, index) => this.item(row, index)));
    input.setAttribute("aria-expanded", String(rows.length > 0));
    this.mark(at);
    if (held) input.dispatchEvent(new KeyboardEvent("keydown", { key: held, bubbles: true, cancelable: true }));
  }

  item(row, at) {
    const on = { click: () => this.take(row), mousemove: () => this.at !== at && this.mark(at, false) };
    return h(
      "li",
      { role: "option", id: `${this.id}-${at}`, on },
      h("span", {}, row.label),
      row.description && h("span", { className: "description" }, row.description),
    );
  }

  mark(at, scroll = true) {
    this.at = at;
    for (const [index, item] of [...this.list.children].entries()) item.setAttribute("aria-selected", String(index === at));
    const marked = this.list.children[at];
    if (!marked) return this.input.removeAttribute("aria-activedescendant");
    this.input.setAttribute("aria-activedescendant", marked.id);
    if (scroll) marked.scrollIntoView({ block: "nearest" });
    return undefined;
  }

  hide() {
    Object.assign(this, { rows: [], waiting: false, held: null });
    this.element.hidden = true;
    this.input?.setAttribute("aria-expanded", "false");
    this.input?.removeAttribute("aria-activedescendant");
  }

  // Tells whether the key was meant for the list.
  key(event) {
    const taking = event.key === "Enter" || (event.key === "Tab" && !event.shiftKey);
    if (this.waiting && taking) {
      this.held = event.key;
    } else if (this.element.hidden || !this.rows.length) {
      return false;
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const down = event.key === "ArrowDown";
      const last = this.rows.length - 1;
      this.mark(down ? (this.at + 1) % (last + 1) : this.at > 0 ? this.at - 1 : last);
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
