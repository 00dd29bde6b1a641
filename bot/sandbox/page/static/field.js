// The input field of one command option.

import { h, uniqueId } from "./dom.js";
import { normalized, prefixRow, autocomplete, isNumber, fixedRows, exactRow, parsedRow, requirement } from "./options.js";

// The width of an empty field, in characters.
const ROOM = 8;

// The time without a key after which a field asks the bot for choices, in milliseconds.
const PAUSE = 150;

export class Field {
  constructor(invocation, option) {
    Object.assign(this, { invocation, option, picked: null });
    this.suggestions = invocation.composer.suggestions;
    const id = uniqueId("option");
    this.input = h("input", {
      id,
      type: "text",
      inputmode: isNumber(option) ? "decimal" : null,
      maxlength: option.max_length,
      autocomplete: "off",
      placeholder: option.required ? "" : "optional",
      size: ROOM,
      ...this.suggestions.ariaAttributes(),
    });
    this.error = h("span", { className: "wrong", role: "alert", hidden: true });
    const drop = h("button", { type: "button", className: "drop", tabindex: "-1", "aria-label": `Leave out ${option.name}` }, "×");
    this.element = h("span", { className: "option", title: option.description }, h("label", { for: id }, option.name), this.input, !option.required && drop, this.error);
    drop.addEventListener("click", () => invocation.removeField(option));
    this.input.addEventListener("input", () => {
      this.setText(this.input.value);
      this.suggest(PAUSE);
    });
    this.input.addEventListener("focus", () => this.suggest());
    this.input.addEventListener("blur", () => this.input.value && this.showError(this.errorText()));
    this.input.addEventListener("keydown", (event) => this.onKey(event));
  }

  // The field's value as a row, or undefined if it is empty or invalid.
  get row() {
    const text = this.input.value;
    if (this.picked || !text) return this.picked ?? undefined;
    const rows = fixedRows(this.invocation.composer.client, this.option);
    return rows ? exactRow(rows, text) : parsedRow(this.option, text);
  }

  errorText() {
    if (this.row) return "";
    return this.input.value ? requirement(this.option) : this.option.required ? "required" : "";
  }

  showError(words) {
    this.error.textContent = words;
    this.error.hidden = !words;
    this.input.setAttribute("aria-invalid", String(Boolean(words)));
  }

  choose(row) {
    this.setText(row.label);
    this.picked = row;
  }

  // Show an invalid text, with a description of valid ones.
  reject(text) {
    this.setText(text);
    this.showError(this.errorText());
  }

  // Set the text as typed, and widen the field to fit it.
  setText(text) {
    this.picked = null;
    if (this.input.value !== text) this.input.value = text;
    this.input.size = Math.max(text.length, ROOM);
    this.showError("");
  }

  // Enter moves to the next field. It sends the command only from the line.
  onKey(event) {
    if (event.isComposing || this.suggestions.onKey(event)) return;
    if (event.key === "Enter") {
      event.preventDefault();
      this.showError(this.errorText());
      if (this.error.hidden) this.invocation.focusNext();
    } else if (event.key === "Backspace" && !this.input.value) {
      event.preventDefault();
      this.invocation.removeField(this.option);
    }
  }

  // Offer values for the text. A newer call replaces one that is still waiting for `pause` or for the bot.
  async suggest(pause = 0) {
    const { option, input, suggestions } = this;
    const { pane, client } = this.invocation.composer;
    const hint = option.description;
    const offer = (rows, none) => {
      // Enter picks the selected row. Select only a row that begins with the text, because a bot's choices can be unrelated to it.
      const at = rows.indexOf(exactRow(rows, input.value) || (fixed ? rows[0] : prefixRow(rows, input.value)));
      suggestions.show(input, rows, (row) => this.pick(row), { none, hint, at });
    };
    const fixed = fixedRows(client, option);
    if (fixed) return offer(this.picked ? fixed : fixed.filter((row) => normalized(row.label).includes(normalized(input.value))), hint);
    if (!option.autocomplete) return offer([], hint);
    const request = (this.lastRequest = Symbol("completion"));
    suggestions.hold(input);
    await new Promise((resolve) => setTimeout(resolve, pause));
    if (request !== this.lastRequest) return undefined;
    try {
      const { rows, failed } = await autocomplete(pane, this.invocation.command, option, input.value, this.invocation.values(option));
      if (request === this.lastRequest && document.activeElement === input) offer(rows, failed ? "Loading options failed. What you typed will be sent." : "No options match. What you typed will be sent.");
    } catch (problem) {
      if (request !== this.lastRequest) return undefined;
      suggestions.hide();
      this.showError(problem.message);
    }
    return undefined;
  }

  pick(row) {
    this.choose(row);
    this.invocation.focusNext();
  }
}
