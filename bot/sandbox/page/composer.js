// Where a person writes: plain messages, and slash commands with their options.

import { h, unique } from "./dom.js";
import { Suggestions } from "./suggestions.js";

const STRING = 3;
const INTEGER = 4;
const BOOLEAN = 5;
const USER = 6;
const CHANNEL = 7;
const NUMBER = 10;

export class Composer {
  constructor(pane) {
    this.pane = pane;
    this.command = null;
    this.suggestions = new Suggestions();
    this.input = h("input", {
      type: "text",
      className: "line",
      autocomplete: "off",
      enterkeyhint: "send",
      "aria-label": "Message, or / for commands",
      ...this.suggestions.roles(),
    });
    this.input.addEventListener("input", () => this.typed());
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.input.addEventListener("focus", () => this.typed());
    this.slash = h("button", { type: "button", className: "round", "aria-label": "Commands", title: "Commands", on: { click: () => this.offer() } }, "/");
    this.submit = h("button", { type: "submit", className: "round go", "aria-label": "Send", title: "Send" }, "➤");
    this.trouble = h("p", { className: "trouble", role: "alert", hidden: true });
    this.fields = h("div", { className: "fields" });
    this.form = h("form", { className: "composer", autocomplete: "off" }, this.suggestions.element, this.trouble, h("div", { className: "bar" }, this.slash, this.fields, this.input, this.submit));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.send();
    });
    this.form.addEventListener("keydown", (event) => event.key === "Escape" && this.command && this.leave());
    this.form.addEventListener("focusout", (event) => {
      if (!this.form.contains(event.relatedTarget)) this.suggestions.hide();
    });
  }

  get seat() {
    return this.pane.seat;
  }

  get offered() {
    return this.seat.commands.get(this.seat.current) || [];
  }

  // Called when another person or channel comes to the front.
  reset() {
    this.leave(false);
    const place = this.seat.place(this.seat.current);
    this.input.value = this.seat.drafts.get(this.seat.current) || "";
    const where = place?.kind === "direct" ? `@${place.name}` : `#${place?.name ?? ""}`;
    this.input.placeholder = place?.archived ? "This thread is archived" : place?.writable ? `Message ${where} or type /` : "Type / for commands";
    this.input.disabled = this.submit.disabled = this.slash.disabled = !place || place.archived;
  }

  offer() {
    if (this.command) this.leave(false);
    this.input.value = "/";
    this.input.focus();
    this.typed();
  }

  typed() {
    this.complain("");
    this.seat.drafts.set(this.seat.current, this.input.value);
    if (!this.input.value.startsWith("/")) return this.suggestions.hide();
    const wanted = this.input.value.slice(1).toLowerCase().trim();
    const found = this.offered
      .filter((command) => command.name.includes(wanted) || (wanted && command.name.replaceAll(" ", "").includes(wanted.replaceAll(" ", ""))))
      .sort((a, b) => Number(b.name.startsWith(wanted)) - Number(a.name.startsWith(wanted)));
    const rows = found.map((command) => ({ label: `/${command.name}`, description: command.description, value: command }));
    const none = this.seat.online ? "No such command here" : "The bot is not connected";
    this.suggestions.show(this.input, rows, (row) => this.enter(row.value), none);
  }

  key(event) {
    if (this.suggestions.key(event)) return;
    if (event.key === "Escape") this.suggestions.hide();
  }

  // Take up a command: a chip with its name and a field for each option that must be, or was asked for.
  enter(command, focus = true) {
    this.command = command;
    this.suggestions.hide();
    this.input.hidden = this.slash.hidden = true;
    this.input.value = "";
    this.values = {};
    const drop = h("button", { type: "button", className: "drop", "aria-label": "Cancel the command", on: { click: () => this.leave() } }, "×");
    const chip = h("span", { className: "chip" }, `/${command.name}`, drop);
    this.more = h("span", { className: "more" });
    this.fields.replaceChildren(chip, this.more);
    this.fields.hidden = false;
    for (const option of command.options) if (option.required) this.add(option, false);
    this.listMore();
    if (focus) (this.fields.querySelector("input") || this.submit).focus();
  }

  listMore() {
    const left = this.command.options.filter((option) => !(option.name in this.values));
    this.more.replaceChildren(
      ...left.map((option) => h("button", { type: "button", className: "optional", title: option.description, on: { click: () => this.add(option, true) } }, `+ ${option.name}`)),
    );
  }

  add(option, focus) {
    this.values[option.name] = undefined;
    const id = unique("option");
    const number = option.type === INTEGER || option.type === NUMBER;
    const free = number && !option.choices && !option.autocomplete;
    const input = h("input", {
      id,
      type: free ? "number" : "text",
      inputmode: number ? "decimal" : null,
      step: option.type === NUMBER ? "any" : null,
      min: free ? option.min_value : null,
      max: free ? option.max_value : null,
      maxlength: option.max_length,
      autocomplete: "off",
      placeholder: option.required ? "" : "optional",
      ...this.suggestions.roles(),
    });
    const drop = h("button", { type: "button", className: "drop", "aria-label": `Leave out ${option.name}` }, "×");
    const field = h("span", { className: "option", title: option.description }, h("label", { for: id }, option.name), input, !option.required && drop);
    drop.addEventListener("click", () => {
      delete this.values[option.name];
      field.remove();
      this.listMore();
      this.submit.focus();
    });
    input.addEventListener("input", () => {
      this.values[option.name] = plain(option, input.value);
      this.complain("");
      this.suggest(option, input);
    });
    input.addEventListener("focus", () => this.suggest(option, input));
    input.addEventListener("keydown", (event) => {
      if (this.suggestions.key(event)) return;
      if (event.key === "Backspace" && !input.value && this.fields.querySelector("input") === input) this.leave();
    });
    this.more.before(field);
    this.listMore();
    if (focus) input.focus();
  }

  async suggest(option, input) {
    const take = (row) => {
      input.value = row.label;
      this.values[option.name] = row.value;
      this.suggestions.hide();
      this.next(input);
    };
    const typed = input.value.toLowerCase().replace(/^[@#]/, "");
    const hint = option.description;
    const fixed = this.fixed(option);
    if (fixed) {
      const exact = fixed.some((row) => row.value === this.values[option.name] && row.label === input.value);
      const rows = exact ? fixed : fixed.filter((row) => row.label.toLowerCase().includes(typed));
      return this.suggestions.show(input, rows, take, hint, hint);
    }
    if (!option.autocomplete) return this.suggestions.show(input, [], take, hint);
    const others = Object.fromEntries(Object.entries(this.values).filter(([name, value]) => value !== undefined && name !== option.name));
    const asked = (this.asked = Symbol("completion"));
    try {
      const fields = { channel: this.seat.current, command: this.command.name, option: option.name, value: input.value, options: others };
      const outcome = await this.seat.ask("complete", fields);
      if (asked !== this.asked || document.activeElement !== input) return;
      const rows = outcome.choices.map((choice) => ({ label: choice.name, value: choice.value }));
      this.suggestions.show(input, rows, take, outcome.failed ? "Loading options failed" : "No options match", hint);
    } catch (problem) {
      this.complain(problem.message);
    }
  }

  // The options that the client itself knows all values of; null for the rest.
  fixed(option) {
    if (option.choices?.length) return option.choices.map((choice) => ({ label: choice.name, value: choice.value }));
    if (option.type === BOOLEAN) return [{ label: "True", value: true }, { label: "False", value: false }];
    if (option.type === USER) {
      const rank = (user) => (user.bot ? 2 : user.id === this.seat.me ? 1 : 0);
      const users = [...this.seat.users.values()].sort((a, b) => rank(a) - rank(b));
      return users.map((user) => ({ label: `@${user.name}`, description: ["", "you", "app"][rank(user)], value: user.id }));
    }
    if (option.type === CHANNEL) return this.seat.channels.filter((c) => c.kind !== "direct").map((c) => ({ label: `#${c.name}`, value: c.id }));
    return null;
  }

  next(input) {
    const inputs = [...this.fields.querySelectorAll("input")];
    (inputs.slice(inputs.indexOf(input) + 1).find((other) => !other.value) || this.submit).focus();
  }

  leave(focus = true) {
    this.command = null;
    this.asked = null;
    this.fields.replaceChildren();
    this.fields.hidden = true;
    this.input.hidden = this.slash.hidden = false;
    this.complain("");
    this.suggestions.hide();
    if (focus) this.input.focus();
  }

  complain(words) {
    this.trouble.textContent = words;
    this.trouble.hidden = !words;
  }

  async send() {
    const text = this.input.value.trim();
    if (!this.command && text.startsWith("/")) {
      const exact = this.offered.find((command) => `/${command.name}` === text.toLowerCase());
      if (!exact) return this.complain("Pick a command from the list.");
      this.enter(exact);
      if (exact.options.some((option) => option.required)) return undefined;
    }
    return this.command ? this.run() : this.say(text);
  }

  async run() {
    const { command } = this;
    const missing = command.options.find((option) => this.values[option.name] === undefined && option.name in this.values);
    if (missing) {
      const typed = this.field(missing.name).value;
      this.complain(typed ? `“${typed}” is not a choice for ${missing.name}: pick one from the list.` : `${missing.name} is still empty.`);
      return this.field(missing.name).focus();
    }
    const options = { ...this.values };
    this.leave();
    this.seat.drafts.delete(this.seat.current);
    return this.pane.run(command.name, options, () => this.again(command, options));
  }

  again(command, options) {
    if (this.command || this.input.value) return;
    const here = document.activeElement === document.body || this.form.contains(document.activeElement);
    this.enter(command, false);
    for (const option of command.options) {
      if (!(option.name in options)) continue;
      if (!(option.name in this.values)) this.add(option, false);
      const known = this.fixed(option)?.find((row) => row.value === options[option.name]);
      this.field(option.name).value = known ? known.label : options[option.name];
      this.values[option.name] = options[option.name];
    }
    if (here) this.submit.focus();
  }

  field(name) {
    return [...this.fields.querySelectorAll(".option")].find((field) => field.querySelector("label").textContent === name).querySelector("input");
  }

  async say(text) {
    if (!text) return;
    this.input.value = "";
    this.seat.drafts.delete(this.seat.current);
    try {
      await this.seat.ask("say", { channel: this.seat.current, text });
    } catch (problem) {
      this.input.value = text;
      this.complain(problem.message);
    }
  }
}

// What a typed text means without a choice from the list: nothing, where only the list counts.
function plain(option, text) {
  if (!text || option.choices?.length) return undefined;
  if (option.type === STRING) return text;
  if (option.type === INTEGER || option.type === NUMBER) return Number.isFinite(Number(text)) ? Number(text) : undefined;
  return undefined;
}
