// The input at the bottom of a pane, for messages and slash commands.

import { h } from "./dom.js";
import { Invocation } from "./invocation.js";
import { Suggestions } from "./suggestions.js";

export class Composer {
  constructor(pane) {
    this.pane = pane;
    this.invocation = null;
    this.filling = null; // Promise that resolves when the command's fields are filled in.
    this.suggestions = new Suggestions();
    this.line = h("input", {
      type: "text",
      className: "line",
      autocomplete: "off",
      enterkeyhint: "send",
      "aria-label": "Message, or / for commands",
      ...this.suggestions.ariaAttributes(),
    });
    this.line.addEventListener("input", () => this.onInput());
    this.line.addEventListener("keydown", (event) => this.onKey(event));
    this.line.addEventListener("focus", () => this.onInput());
    this.slash = h("button", { type: "button", className: "round", "aria-label": "Commands", title: "Commands", on: { click: () => this.listCommands() } }, "/");
    this.submit = h("button", { type: "submit", className: "round go", "aria-label": "Send", title: "Send" }, "➤");
    this.error = h("p", { className: "trouble", role: "alert", hidden: true });
    this.fields = h("div", { className: "fields" }, this.line);
    this.form = h("form", { className: "composer", autocomplete: "off", novalidate: true }, this.suggestions.element, this.error, h("div", { className: "bar" }, this.slash, this.fields, this.submit));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.send();
    });
    this.form.addEventListener("keydown", (event) => event.key === "Escape" && this.invocation && this.cancelCommand());
    this.form.addEventListener("focusout", (event) => {
      if (!this.form.contains(event.relatedTarget)) this.suggestions.hide();
    });
  }

  get client() {
    return this.pane.client;
  }

  get offered() {
    return this.client.commands.get(this.pane.current) || [];
  }

  // Called when the pane shows another person or channel.
  reset() {
    this.cancelCommand(false);
    const place = this.client.channelById(this.pane.current);
    this.line.value = this.client.drafts.get(this.pane.current) || "";
    this.line.disabled = this.submit.disabled = this.slash.disabled = !place || place.archived;
  }

  updatePlaceholder() {
    const place = this.client.channelById(this.pane.current);
    const where = place?.kind === "dm" ? `@${place.name}` : `#${place?.name ?? ""}`;
    const words = place?.archived ? "This thread is archived" : place?.writable ? `Message ${where}` : "Type / for commands";
    this.line.placeholder = this.invocation ? "Enter sends" : words;
    this.slash.hidden = Boolean(this.invocation);
  }

  listCommands() {
    this.cancelCommand(false);
    this.line.value = "/";
    this.focusLine();
  }

  // Focus the line and show its suggestions.
  focusLine() {
    this.line.focus({ preventScroll: true });
    this.onInput();
  }

  onInput() {
    this.showError("");
    if (this.invocation) return this.invocation.suggest(this.line.value);
    this.client.drafts.set(this.pane.current, this.line.value);
    if (!this.line.value.startsWith("/")) return this.suggestions.hide();
    const rows = this.matches().map((command) => ({ label: `/${command.name}`, description: command.description, value: command }));
    return this.suggestions.show(this.line, rows, (row) => this.startCommand(row.value, this.textAfter(row.value)), { none: this.noMatchText() });
  }

  // The text shown if the line matches no command. Each person is offered only the commands that they can use.
  noMatchText() {
    return this.pane.botOnline() ? `${this.client.name} has no such command here. Type / to see the commands.` : "The bot is not connected";
  }

  // The commands whose names contain the line, or else the command whose name the line begins with.
  matches() {
    const wanted = this.line.value.slice(1).toLowerCase().trim();
    const begun = this.offered.filter((command) => wanted.startsWith(`${command.name} `)).sort((a, b) => b.name.length - a.name.length);
    const found = this.offered
      .filter((command) => command.name.includes(wanted) || (wanted && command.name.replaceAll(" ", "").includes(wanted.replaceAll(" ", ""))))
      .sort((a, b) => Number(b.name.startsWith(wanted)) - Number(a.name.startsWith(wanted)));
    return found.length ? found : begun.slice(0, 1);
  }

  // The text after a command's name.
  textAfter(command) {
    const text = this.line.value.slice(1);
    return text.toLowerCase().startsWith(`${command.name} `) ? text.slice(command.name.length).trim() : "";
  }

  onKey(event) {
    if (event.isComposing || this.suggestions.onKey(event)) return;
    if (event.key === "Backspace" && !this.line.value && this.invocation) {
      event.preventDefault();
      this.invocation.focusPrevious();
    }
  }

  // Start a command. `words` is text that was already typed for its options.
  startCommand(command, words = "") {
    this.cancelCommand(false);
    this.line.value = "";
    this.client.drafts.delete(this.pane.current);
    const invocation = (this.invocation = new Invocation(this, command));
    this.updatePlaceholder();
    return (this.filling = this.fillIn(invocation, words));
  }

  async fillIn(invocation, words) {
    if (words) {
      const { found, rest } = await invocation.assignWords(words);
      if (this.invocation !== invocation) return;
      invocation.fill(found);
      if (rest) invocation.keepText(rest);
      // Keep the focus if the person has already moved to another field.
      if (document.activeElement !== this.line) return;
    }
    invocation.focusNext();
  }

  // Restore a command that failed.
  restoreCommand(command, rows) {
    if (this.invocation || this.line.value) return;
    const here = document.activeElement === document.body || this.form.contains(document.activeElement);
    this.invocation = new Invocation(this, command);
    this.invocation.fill(rows);
    this.updatePlaceholder();
    if (here) this.line.focus();
    this.suggestions.hide();
  }

  cancelCommand(focus = true) {
    if (this.invocation) this.line.value = "";
    this.invocation?.remove();
    this.invocation = null;
    this.showError("");
    this.suggestions.hide();
    this.updatePlaceholder();
    if (focus) this.line.focus();
  }

  showError(words) {
    this.error.textContent = words;
    this.error.hidden = !words;
  }

  async send() {
    await this.filling;
    const text = this.line.value.trim();
    if (!this.invocation && text.startsWith("/")) {
      const command = this.matches().find((one) => `${text.toLowerCase()} `.startsWith(`/${one.name} `));
      if (!command) {
        this.suggestions.hide();
        return this.showError(this.noMatchText());
      }
      await this.startCommand(command, this.textAfter(command));
    }
    return this.invocation ? this.invocation.send() : this.sendMessage(text);
  }

  async sendMessage(text) {
    if (!text) return;
    this.line.value = "";
    this.client.drafts.delete(this.pane.current);
    try {
      await this.client.request("say", { channel: this.pane.current, text });
    } catch (problem) {
      this.line.value = text;
      this.showError(problem.message);
    }
  }
}
