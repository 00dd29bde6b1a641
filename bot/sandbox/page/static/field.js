// The field of one option of the command that is being written.

import { h, unique } from "./dom.js";
import { bare, begun, completed, isNumber, known, named, plain, wanted } from "./options.js";

// The characters that an empty field has room for.
const ROOM = 8;

export class Field {
  constructor(invocation, option) {
    Object.assign(this, { invocation, option, picked: null });
    this.suggestions = invocation.composer.suggestions;
    const id = unique("option");
    this.input = h("input", {
      id,
      type: "text",
      inputmode: isNumber(option) ? "decimal" : null,
      maxlength: option.max_length,
      autocomplete: "off",
      placeholder: option.required ? "" : "optional",
      size: ROOM,
      ...this.suggestions.roles(),
    });
    this.wrong = h("span", { className: "wrong", role: "alert", hidden: true });
    const drop = h("button", { type: "button", className: "drop", tabindex: "-1", "aria-label": `Leave out ${option.name}` }, "×");
    this.element = h("span", { className: "option", title: option.description }, h("label", { for: id }, option.name), this.input, !option.required && drop, this.wrong);
    drop.addEventListener("click", () => invocation.drop(option));
    this.input.addEventListener("input", () => {
      this.write(this.input.value);
      this.suggest();
    });
    this.input.addEventListener("focus", () => this.suggest());
    this.input.addEventListener("blur", () => this.input.value && this.complain(this.problem()));
    this.input.addEventListener("keydown", (event) => this.key(event));
  }

  // What the field holds, as a row; undefined when it is empty or holds nothing that counts.
  get row() {
    const text = this.input.value;
    if (this.picked || !text) return this.picked ?? undefined;
    const rows = known(this.invocation.composer.seat, this.option);
    return rows ? named(rows, text) : plain(this.option, text);
  }

  problem() {
    if (this.row) return "";
    return this.input.value ? wanted(this.option) : this.option.required ? "needed" : "";
  }

  complain(words) {
    this.wrong.textContent = words;
    this.wrong.hidden = !words;
    this.input.setAttribute("aria-invalid", String(Boolean(words)));
  }

  fill(row) {
    this.write(row.label);
    this.picked = row;
  }

  // Hold a text as it was typed; the field grows with it.
  write(text) {
    this.picked = null;
    if (this.input.value !== text) this.input.value = text;
    this.input.size = Math.max(text.length, ROOM);
    this.complain("");
  }

  // Enter ends the field, and never sends: that is for the line.
  key(event) {
    if (event.isComposing || this.suggestions.key(event)) return;
    if (event.key === "Enter") {
      event.preventDefault();
      this.complain(this.problem());
      if (this.wrong.hidden) this.invocation.advance();
    } else if (event.key === "Backspace" && !this.input.value) {
      event.preventDefault();
      this.invocation.drop(this.option);
    }
  }

  async suggest() {
    const { option, input, suggestions } = this;
    const { pane, seat } = this.invocation.composer;
    const hint = option.description;
    const offer = (rows, none) => {
      // Marked, and so taken by Enter, is only what the text may become: the bot may offer anything.
      const at = rows.indexOf(named(rows, input.value) || (fixed ? rows[0] : begun(rows, input.value)));
      suggestions.show(input, rows, (row) => this.take(row), { none, hint, at });
    };
    const fixed = known(seat, option);
    if (fixed) return offer(this.picked ? fixed : fixed.filter((row) => bare(row.label).includes(bare(input.value))), hint);
    if (!option.autocomplete) return offer([], hint);
    const asked = (this.asked = Symbol("completion"));
    suggestions.wait(input);
    try {
      const { rows, failed } = await completed(pane, this.invocation.command, option, input.value, this.invocation.values(option));
      if (asked === this.asked && document.activeElement === input) offer(rows, failed ? "Loading options failed; what you typed counts" : "No options match; what you typed counts");
    } catch (problem) {
      suggestions.hide();
      this.complain(problem.message);
    }
  }

  take(row) {
    this.fill(row);
    this.invocation.advance();
  }
}
