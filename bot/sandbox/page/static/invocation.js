// A slash command while it is being typed: its name, and fields for required and added options.

import { h } from "./dom.js";
import { Field } from "./field.js";
import { normalized, autocomplete, fixedRows, exactRow, isFreeText, parsedRow } from "./options.js";

export class Invocation {
  constructor(composer, command) {
    Object.assign(this, { composer, command, fields: new Map() });
    const drop = h("button", { type: "button", className: "drop", tabindex: "-1", "aria-label": "Cancel the command", on: { click: () => composer.cancelCommand() } }, "×");
    this.chip = h("span", { className: "chip" }, `/${command.name}`, drop);
    this.optionalList = h("span", { className: "more" });
    composer.fields.prepend(this.chip);
    composer.fields.append(this.optionalList);
    for (const option of command.options) if (option.required) this.addField(option);
    this.renderOptional();
  }

  remove() {
    for (const element of [this.chip, this.optionalList, ...[...this.fields.values()].map((field) => field.element)]) element.remove();
  }

  // The values of all filled fields by option name, except one option.
  values(except = null) {
    const filled = [...this.fields.values()].filter((field) => field.row && field.option !== except);
    return Object.fromEntries(filled.map((field) => [field.option.name, field.row.value]));
  }

  unusedOptions() {
    return this.command.options.filter((option) => !this.fields.has(option.name));
  }

  renderOptional() {
    const chip = (option) => h("button", { type: "button", className: "optional", title: option.description, on: { click: () => this.openField(option) } }, `+ ${option.name}`);
    this.optionalList.replaceChildren(...this.unusedOptions().map(chip));
  }

  addField(option) {
    const field = new Field(this, option);
    this.fields.set(option.name, field);
    this.composer.line.before(field.element);
    this.renderOptional();
    return field;
  }

  openField(option) {
    this.composer.line.value = "";
    this.addField(option).input.focus();
  }

  // Fill in fields. A row without a value holds typed text that the option does not accept.
  fill(rows) {
    for (const [option, row] of rows) {
      const field = this.fields.get(option.name) || this.addField(option);
      if (row.value === undefined) field.reject(row.label);
      else field.choose(row);
    }
  }

  // Remove an option. Removing a required one cancels the command.
  removeField(option) {
    if (option.required) return this.composer.cancelCommand();
    this.fields.get(option.name).element.remove();
    this.fields.delete(option.name);
    this.renderOptional();
    return this.composer.focusLine();
  }

  // Put text that no option accepts into the first required field without a value, or else into the line.
  keepText(words) {
    const { line } = this.composer;
    const field = this.firstMissingField();
    if (field) field.setText(words);
    else line.value = `${words} ${line.value}`.trimEnd();
  }

  firstMissingField() {
    return [...this.fields.values()].find((field) => field.option.required && !field.row);
  }

  // Focus the next required field without a value, or else the line.
  focusNext() {
    const next = this.firstMissingField();
    if (next) next.input.focus();
    else this.composer.focusLine();
  }

  focusPrevious() {
    const last = [...this.fields.values()].at(-1);
    if (last) last.input.focus();
    else this.composer.cancelCommand();
  }

  // Suggest the options whose names contain the text in the line, or else values for options that accept the text.
  async suggest(text) {
    const { suggestions, line } = this.composer;
    const left = this.unusedOptions();
    const typed = text.trim().toLowerCase();
    const rows = left.filter((option) => option.name.includes(typed)).map((option) => ({ label: option.name, description: option.description, value: option }));
    if (!typed) return left.length ? suggestions.show(line, rows, (row) => this.openField(row.value), { at: -1 }) : suggestions.hide();
    if (rows.length) return suggestions.show(line, rows, (row) => this.openField(row.value));
    suggestions.hold(line);
    const { found, rest } = await this.assignWords(text);
    if (this.composer.invocation !== this || line.value !== text) return undefined;
    const label = found.map(([option, row]) => `${option.name}: ${row.label}`).join(", ");
    const fits = found.length ? [{ label, description: rest && `and “${rest}”` }] : [];
    const take = () => {
      line.value = rest;
      this.fill(found);
      this.focusNext();
    };
    const none = left.length ? `“${text.trim()}” fits none of the options. Choose one with + for it, or delete it.` : `/${this.command.name} takes no more options. Delete “${text.trim()}” to send it.`;
    return suggestions.show(line, fits, take, { none });
  }

  // Assign the words of a text to the empty options. Words after `name:` go to the option with that name, even if it does
  // not accept them, and free text ends only at the next name. Other words go to the options in order. Words that a
  // required option does not accept are not passed on to the next option.
  async assignWords(text) {
    const empty = this.command.options.filter((one) => !this.fields.get(one.name)?.input.value);
    const { meant, loose } = groupByName(empty, text);
    const found = [];
    const stray = [];
    let words = loose;
    for (const [option, own] of meant) {
      if (!own.length) {
        stray.push(`${option.name}:`);
        continue;
      }
      const typed = own.join(" ");
      const [row, count] = isFreeText(option) ? [await this.match(option, typed), own.length] : await this.longestMatch(option, own);
      found.push([option, row ?? parsedRow(option, typed) ?? { label: typed }]);
      if (row) words.push(...own.slice(count));
    }
    for (const option of empty.filter((one) => !meant.has(one))) {
      const [row, count] = await this.longestMatch(option, words);
      if (row) {
        found.push([option, row]);
        words = words.slice(count);
      } else if (option.required) {
        break;
      }
    }
    return { found, rest: [...stray, ...words].join(" ") };
  }

  // Return the row for the longest prefix of the words that an option accepts, and the number of words in that prefix.
  // A required free-text option takes all words as typed, unless they match one of its choices.
  async longestMatch(option, words) {
    for (let count = words.length; count > 0; count -= 1) {
      const row = await this.match(option, words.slice(0, count).join(" "));
      if (row) return [row, count];
    }
    const all = option.required && words.length ? parsedRow(option, words.join(" ")) : undefined;
    return [all, words.length];
  }

  async match(option, text) {
    const { client } = this.composer;
    const rows = fixedRows(client, option) || (option.autocomplete ? await this.completions(option, text) : null);
    if (!rows) return parsedRow(option, text);
    const near = option.autocomplete ? [] : rows.filter((row) => normalized(row.label).startsWith(normalized(text)));
    return exactRow(rows, text) || (near.length === 1 ? near[0] : undefined);
  }

  async completions(option, text) {
    const nothing = { rows: [] }; // If the request fails, nothing matches.
    return (await autocomplete(this.composer.pane, this.command, option, text, this.values(option)).catch(() => nothing)).rows;
  }

  send() {
    const { composer, command } = this;
    const fields = [...this.fields.values()];
    for (const field of fields) field.showError(field.errorText());
    const wrong = fields.find((field) => !field.error.hidden);
    if (wrong) return wrong.input.focus();
    const over = composer.line.value.trim();
    if (over) return composer.showError(`“${over}” belongs to no option. Choose one for it, or delete it.`);
    const rows = fields.filter((field) => field.row).map((field) => [field.option, field.row]);
    const values = this.values();
    composer.cancelCommand();
    return composer.pane.runCommand(command.name, values, () => composer.restoreCommand(command, rows));
  }
}

// Group the words of a text by the `name:` before them. Words without a name are returned as `loose`.
function groupByName(options, text) {
  const meant = new Map();
  const loose = [];
  let last = loose;
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const [name, value] = word.split(/:(.*)/s);
    const option = value === undefined ? undefined : options.find((one) => one.name === name.toLowerCase());
    if (option) meant.set(option, (last = value ? [value] : []));
    else last.push(word);
  }
  return { meant, loose };
}
