// The list above the line one writes in: arrows move, Enter and Tab take, as in any combobox.

import { h, unique } from "./dom.js";

export class Suggestions {
  constructor() {
    this.id = unique("suggestions");
    this.rows = [];
    this.at = 0;
    this.list = h("ul", { role: "listbox", id: this.id, "aria-label": "Suggestions" });
    this.hint = h("p", { className: "hint", role: "status" });
    this.element = h("div", { className: "suggestions", hidden: true }, this.hint, this.list);
    // Keeps the focus in the line while the list is clicked or scrolled.
    this.element.addEventListener("mousedown", (event) => event.preventDefault());
  }

  roles() {
    return { role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": this.id };
  }

  show(input, rows, take, none = "", hint = "") {
    Object.assign(this, { input, rows, take, at: 0 });
    this.hint.textContent = rows.length ? hint : none;
    this.hint.hidden = !this.hint.textContent;
    this.list.hidden = !rows.length;
    this.element.hidden = this.hint.hidden && this.list.hidden;
    this.list.replaceChildren(
      ...rows.map((row, at) =>
        h(
          "li",
          { role: "option", id: `${this.id}-${at}`, on: { click: () => take(row) } },
          h("span", {}, row.label),
          row.description && h("span", { className: "description" }, row.description),
        ),
      ),
    );
    input.setAttribute("aria-expanded", String(rows.length > 0));
    this.mark();
  }

  mark() {
    for (const [at, item] of [...this.list.children].entries()) {
      item.setAttribute("aria-selected", String(at === this.at));
      if (at === this.at) {
        this.input.setAttribute("aria-activedescendant", item.id);
        item.scrollIntoView({ block: "nearest" });
      }
    }
  }

  hide() {
    this.element.hidden = true;
    this.rows = [];
    this.input?.setAttribute("aria-expanded", "false");
    this.input?.removeAttribute("aria-activedescendant");
  }

  // Tells whether the key was meant for the list.
  key(event) {
    if (this.element.hidden || !this.rows.length || event.isComposing) return false;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const step = event.key === "ArrowDown" ? 1 : -1;
      this.at = (this.at + step + this.rows.length) % this.rows.length;
      this.mark();
    } else if (event.key === "Enter" || (event.key === "Tab" && !event.shiftKey)) {
      const row = this.rows[this.at];
      // A field that already holds the row is done: Enter sends, Tab goes on.
      if (this.input.value === row.label && !row.label.startsWith("/")) return false;
      this.take(row);
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
