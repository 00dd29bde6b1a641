// The slash command that is being written: its name, and a field for each option that must be, or was asked for.

import { h } from "./dom.js";
import { Field } from "./field.js";
import { bare, completed, known, named, plain } from "./options.js";

export class Invocation {
  constructor(composer, command) {
    Object.assign(this, { composer, command, fields: new Map() });
    const drop = h("button", { type: "button", className: "drop", tabindex: "-1", "aria-label": "Cancel the command", on: { click: () => composer.leave() } }, "×");
    this.chip = h("span", { className: "chip" }, `/${command.name}`, drop);
    this.more = h("span", { className: "more" });
    composer.fields.prepend(this.chip);
    composer.fields.append(this.more);
    for (const option of command.options) if (option.required) this.add(option);
    this.list();
  }

  remove() {
    for (const element of [this.chip, this.more, ...[...this.fields.values()].map((field) => field.element)]) element.remove();
  }

  // What is filled in, by the options' names, but for one of them.
  values(except = null) {
    const filled = [...this.fields.values()].filter((field) => field.row && field.option !== except);
    return Object.fromEntries(filled.map((field) => [field.option.name, field.row.value]));
  }

  left() {
    return this.command.options.filter((option) => !this.fields.has(option.name));
  }

  list() {
    const chip = (option) => h("button", { type: "button", className: "optional", title: option.description, on: { click: () => this.open(option) } }, `+ ${option.name}`);
    this.more.replaceChildren(...this.left().map(chip));
  }

  add(option) {
    const field = new Field(this, option);
    this.fields.set(option.name, field);
    this.composer.line.before(field.element);
    this.list();
    return field;
  }

  open(option) {
    this.composer.line.value = "";
    this.add(option).input.focus();
  }

  fill(rows) {
    for (const [option, row] of rows) (this.fields.get(option.name) || this.add(option)).fill(row);
  }

  // Leave an option out; without a needed one there is no command.
  drop(option) {
    if (option.required) return this.composer.leave();
    this.fields.get(option.name).element.remove();
    this.fields.delete(option.name);
    this.list();
    return this.composer.ready();
  }

  // Words that fit nothing stand where they were meant for: in the first needed field, or else in the line.
  keep(words) {
    const field = this.needed();
    if (!field) {
      this.composer.line.value = words;
      return this.composer.ready();
    }
    field.write(words);
    return field.input.focus();
  }

  needed() {
    return [...this.fields.values()].find((field) => field.option.required && !field.input.value);
  }

  // Go on to what is needed next, or to the end of the line.
  advance() {
    const next = this.needed();
    if (next) next.input.focus();
    else this.composer.ready();
  }

  back() {
    const last = [...this.fields.values()].at(-1);
    if (last) last.input.focus();
    else this.composer.leave();
  }

  // Offer the options that a text in the line names or, if it names none, those that it fits as a value.
  async offer(text) {
    const { suggestions, line } = this.composer;
    const left = this.left();
    const typed = text.trim().toLowerCase();
    const rows = left.filter((option) => option.name.includes(typed)).map((option) => ({ label: option.name, description: option.description, value: option }));
    if (!typed) return left.length ? suggestions.show(line, rows, (row) => this.open(row.value), { at: -1 }) : suggestions.hide();
    if (rows.length) return suggestions.show(line, rows, (row) => this.open(row.value));
    suggestions.wait(line);
    const { found, rest } = await this.plan(text);
    if (this.composer.invocation !== this || line.value !== text) return undefined;
    const label = found.map(([option, row]) => `${option.name}: ${row.label}`).join(", ");
    const fits = found.length ? [{ label, description: rest && `and “${rest}”` }] : [];
    const take = () => {
      line.value = rest;
      this.fill(found);
      this.advance();
    };
    const none = left.length ? `“${text.trim()}” fits none of the options. Pick one marked + for it, or delete it.` : `/${this.command.name} needs nothing more. Delete “${text.trim()}” to send it.`;
    return suggestions.show(line, fits, take, { none });
  }

  // Deal the words of a text out to the empty options: what follows `name:` to the one of that name, the rest in their
  // order; what a needed one cannot use is for no other.
  async plan(text) {
    const empty = this.command.options.filter((one) => !this.fields.get(one.name)?.input.value);
    const { meant, loose } = byName(empty, text);
    const found = [];
    const stray = [];
    let words = loose;
    for (const [option, own] of meant) {
      const [row, count] = await this.most(option, own);
      if (row) found.push([option, row]);
      else stray.push(`${option.name}:`);
      words.push(...own.slice(row ? count : 0));
    }
    for (const option of empty.filter((one) => !meant.has(one))) {
      const [row, count] = await this.most(option, words);
      if (row) {
        found.push([option, row]);
        words = words.slice(count);
      } else if (option.required) {
        break;
      }
    }
    return { found, rest: [...stray, ...words].join(" ") };
  }

  // What an option makes of as many of the first words as fit it, and how many those are. A needed one that takes any
  // text gets them all as they were typed: a choice that they do not name was not meant.
  async most(option, words) {
    for (let count = words.length; count > 0; count -= 1) {
      const row = await this.fit(option, words.slice(0, count).join(" "));
      if (row) return [row, count];
    }
    const all = option.required && words.length ? plain(option, words.join(" ")) : undefined;
    return [all, words.length];
  }

  async fit(option, text) {
    const { seat } = this.composer;
    const rows = known(seat, option) || (option.autocomplete ? await this.complete(option, text) : null);
    if (!rows) return plain(option, text);
    const near = option.autocomplete ? [] : rows.filter((row) => bare(row.label).startsWith(bare(text)));
    return named(rows, text) || (near.length === 1 ? near[0] : undefined);
  }

  async complete(option, text) {
    const nothing = { rows: [] }; // Nothing fits where nothing can be asked.
    return (await completed(this.composer.pane, this.command, option, text, this.values(option)).catch(() => nothing)).rows;
  }

  run() {
    const { composer, command } = this;
    const fields = [...this.fields.values()];
    for (const field of fields) field.complain(field.problem());
    const wrong = fields.find((field) => !field.wrong.hidden);
    if (wrong) return wrong.input.focus();
    const over = composer.line.value.trim();
    if (over) return composer.complain(`What is “${over}”? Pick an option for it, or delete it.`);
    const rows = fields.filter((field) => field.row).map((field) => [field.option, field.row]);
    const values = this.values();
    composer.leave();
    return composer.pane.run(command.name, values, () => composer.again(command, rows));
  }
}

// The words of a text after each option that `name:` calls, and those before any.
function byName(options, text) {
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
