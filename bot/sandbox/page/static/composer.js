// Where a person writes: plain messages, and slash commands with their options.

import { h } from "./dom.js";
import { Invocation } from "./invocation.js";
import { Suggestions } from "./suggestions.js";

export class Composer {
  constructor(pane) {
    this.pane = pane;
    this.invocation = null;
    this.suggestions = new Suggestions();
    this.line = h("input", {
      type: "text",
      className: "line",
      autocomplete: "off",
      enterkeyhint: "send",
      "aria-label": "Message, or / for commands",
      ...this.suggestions.roles(),
    });
    this.line.addEventListener("input", () => this.typed());
    this.line.addEventListener("keydown", (event) => this.key(event));
    this.line.addEventListener("focus", () => this.typed());
    this.slash = h("button", { type: "button", className: "round", "aria-label": "Commands", title: "Commands", on: { click: () => this.offer() } }, "/");
    this.submit = h("button", { type: "submit", className: "round go", "aria-label": "Send", title: "Send" }, "➤");
    this.trouble = h("p", { className: "trouble", role: "alert", hidden: true });
    this.fields = h("div", { className: "fields" }, this.line);
    this.form = h("form", { className: "composer", autocomplete: "off", novalidate: true }, this.suggestions.element, this.trouble, h("div", { className: "bar" }, this.slash, this.fields, this.submit));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.send();
    });
    this.form.addEventListener("keydown", (event) => event.key === "Escape" && this.invocation && this.leave());
    this.form.addEventListener("focusout", (event) => {
      if (!this.form.contains(event.relatedTarget)) this.suggestions.hide();
    });
  }

  get seat() {
    return this.pane.seat;
  }

  get offered() {
    return this.seat.commands.get(this.pane.current) || [];
  }

  // Called when another person or channel comes to the front.
  reset() {
    this.leave(false);
    const place = this.seat.place(this.pane.current);
    this.line.value = this.seat.drafts.get(this.pane.current) || "";
    this.line.disabled = this.submit.disabled = this.slash.disabled = !place || place.archived;
  }

  // Say in the empty line what it is for.
  prompt() {
    const place = this.seat.place(this.pane.current);
    const where = place?.kind === "dm" ? `@${place.name}` : `#${place?.name ?? ""}`;
    const words = place?.archived ? "This thread is archived" : place?.writable ? `Message ${where}` : "Type / for commands";
    this.line.placeholder = this.invocation ? "Enter sends" : words;
    this.slash.hidden = Boolean(this.invocation);
  }

  offer() {
    this.leave(false);
    this.line.value = "/";
    this.ready();
  }

  // Put the caret into the line, with what it offers.
  ready() {
    this.line.focus({ preventScroll: true });
    this.typed();
  }

  typed() {
    this.complain("");
    if (this.invocation) return this.invocation.offer(this.line.value);
    this.seat.drafts.set(this.pane.current, this.line.value);
    if (!this.line.value.startsWith("/")) return this.suggestions.hide();
    const rows = this.found().map((command) => ({ label: `/${command.name}`, description: command.description, value: command }));
    return this.suggestions.show(this.line, rows, (row) => this.enter(row.value, this.after(row.value)), { none: this.none() });
  }

  // Why the line names no command: each person has those that they may use.
  none() {
    return this.seat.online ? `${this.seat.name} has no such command here. Type / alone to see those that there are.` : "The bot is not connected";
  }

  // The commands that the line may mean: those with its words in their names or, once it says more, the one it begins with.
  found() {
    const wanted = this.line.value.slice(1).toLowerCase().trim();
    const begun = this.offered.filter((command) => wanted.startsWith(`${command.name} `)).sort((a, b) => b.name.length - a.name.length);
    const found = this.offered
      .filter((command) => command.name.includes(wanted) || (wanted && command.name.replaceAll(" ", "").includes(wanted.replaceAll(" ", ""))))
      .sort((a, b) => Number(b.name.startsWith(wanted)) - Number(a.name.startsWith(wanted)));
    return found.length ? found : begun.slice(0, 1);
  }

  // What the line says after a command's name.
  after(command) {
    const text = this.line.value.slice(1);
    return text.toLowerCase().startsWith(`${command.name} `) ? text.slice(command.name.length).trim() : "";
  }

  key(event) {
    if (event.isComposing || this.suggestions.key(event)) return;
    if (event.key === "Backspace" && !this.line.value && this.invocation) {
      event.preventDefault();
      this.invocation.back();
    }
  }

  // Take up a command, with the words that were already typed for its options.
  async enter(command, words = "") {
    this.leave(false);
    this.line.value = "";
    this.seat.drafts.delete(this.pane.current);
    const invocation = (this.invocation = new Invocation(this, command));
    this.prompt();
    if (words) {
      const { found, rest } = await invocation.plan(words);
      if (this.invocation !== invocation) return;
      invocation.fill(found);
      if (rest) return invocation.keep(rest);
    }
    return invocation.advance();
  }

  // Bring back a command that did not work.
  again(command, rows) {
    if (this.invocation || this.line.value) return;
    const here = document.activeElement === document.body || this.form.contains(document.activeElement);
    this.invocation = new Invocation(this, command);
    this.invocation.fill(rows);
    this.prompt();
    if (here) this.line.focus();
    this.suggestions.hide();
  }

  leave(focus = true) {
    if (this.invocation) this.line.value = "";
    this.invocation?.remove();
    this.invocation = null;
    this.complain("");
    this.suggestions.hide();
    this.prompt();
    if (focus) this.line.focus();
  }

  complain(words) {
    this.trouble.textContent = words;
    this.trouble.hidden = !words;
  }

  async send() {
    const text = this.line.value.trim();
    if (!this.invocation && text.startsWith("/")) {
      const command = this.found().find((one) => `${text.toLowerCase()} `.startsWith(`/${one.name} `));
      if (!command) {
        this.suggestions.hide();
        return this.complain(this.none());
      }
      await this.enter(command, this.after(command));
    }
    return this.invocation ? this.invocation.run() : this.say(text);
  }

  async say(text) {
    if (!text) return;
    this.line.value = "";
    this.seat.drafts.delete(this.pane.current);
    try {
      await this.seat.ask("say", { channel: this.pane.current, text });
    } catch (problem) {
      this.line.value = text;
      this.complain(problem.message);
    }
  }
}
