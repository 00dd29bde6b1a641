// One seat at the table of the page: who one is, where one is, what is said there, and the line to write in.

import { avatar, h, tell, unique } from "./dom.js";
import { channelList, few, sign } from "./channels.js";
import { Composer } from "./composer.js";
import { renderMessage } from "./message.js";
import { showModal } from "./modal.js";

// How close to the end, in pixels, still counts as reading along.
const NEAR = 120;

export class Pane {
  constructor(seats, seat, label) {
    this.seats = seats;
    this.chosen = new Map(); // By person: the channel they went to in this pane.
    this.switch = h("div", { className: "people", role: "radiogroup", "aria-label": `${label}: who you are` });
    this.place = h("h2", { className: "place", id: unique("place") });
    this.state = h("p", { className: "state", role: "status" });
    this.opener = h("button", { type: "button", className: "quiet drawer", "aria-expanded": "false", on: { click: () => this.drawer() } });
    this.nav = h("nav", { "aria-label": "Channels" });
    this.log = h("div", { className: "log", role: "log", "aria-live": "polite", tabindex: "0", "aria-labelledby": this.place.id });
    this.composer = new Composer(this);
    this.element = h(
      "section",
      { className: "pane", "aria-label": label },
      h("header", { className: "who" }, h("span", { className: "you" }, "You are"), this.switch),
      h("div", { className: "where" }, this.opener, this.place, this.state),
      h("div", { className: "middle" }, this.nav, h("div", { className: "talk" }, this.log, this.composer.form)),
    );
    this.heed(this.element);
    this.bindings = [];
    this.take(seat);
    this.nav.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.element.classList.contains("open")) return;
      this.drawer(false);
      this.opener.focus();
    });
    this.log.addEventListener("click", () => this.drawer(false));
    // Who reads at the end stays there when the pane changes its size.
    this.following = true;
    this.log.addEventListener("scroll", () => {
      this.following = this.atEnd();
      this.seen();
    });
    new ResizeObserver(() => this.following && this.toEnd()).observe(this.log);
    document.addEventListener("visibilitychange", () => this.seen());
    for (const other of seats) other.addEventListener("unread", () => this.people());
  }

  // Follow what is clicked in an element: the way to a channel or message, or a command.
  heed(element) {
    element.addEventListener("jump", ({ detail }) => this.go(detail.channel, detail.message));
    element.addEventListener("slash", ({ detail }) => this.command(detail.name));
  }

  // Where one is.
  get current() {
    const chosen = this.chosen.get(this.seat);
    return this.seat.place(chosen) ? chosen : this.seat.first();
  }

  // Sit down as another person.
  take(seat) {
    for (const [name, listener] of this.bindings) this.seat.removeEventListener(name, listener);
    this.seat = seat;
    this.bindings = Object.entries({
      reset: () => this.channel(),
      ready: () => this.channel(),
      channels: () => (this.shown === this.current ? this.places() : this.channel()),
      open: () => this.places(),
      commands: () => this.composer.invocation || this.composer.suggestions.hide(),
      unread: () => this.places(),
      online: () => this.status(),
      message: ({ detail }) => this.receive(detail),
      gone: ({ detail }) => detail.channel === this.current && this.find(detail.id)?.remove(),
    });
    for (const [name, listener] of this.bindings) seat.addEventListener(name, listener);
    this.people();
    this.channel();
  }

  people() {
    const options = this.seats.map((seat) => {
      const mine = seat === this.seat;
      const pings = mine ? 0 : seat.pings();
      const label = pings ? `${seat.name}, ${pings} new` : seat.name;
      return h(
        "button",
        { type: "button", role: "radio", "aria-checked": String(mine), tabindex: mine ? "0" : "-1", "aria-label": label, on: { click: () => this.take(seat) } },
        avatar(seat.me, seat.name),
        h("span", {}, seat.name),
        pings > 0 && h("span", { className: "badge", "aria-hidden": "true" }, few(pings)),
      );
    });
    const focused = this.switch.contains(document.activeElement);
    this.switch.replaceChildren(...options);
    for (const option of options) {
      option.addEventListener("keydown", (event) => {
        const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
        if (!step) return;
        event.preventDefault();
        const at = this.seats.indexOf(this.seat) + step + this.seats.length;
        this.take(this.seats[at % this.seats.length]);
      });
    }
    if (focused) this.switch.querySelector("[aria-checked=true]").focus();
  }

  status() {
    const { online } = this.seat;
    this.state.textContent = online === null ? "No connection to the sandbox. Start it again with the same command; this page reconnects by itself." : online ? "" : "The bot is not connected yet…";
    this.state.hidden = Boolean(online);
  }

  places() {
    const { seat } = this;
    const focused = this.nav.contains(document.activeElement) ? document.activeElement.dataset.id : null;
    this.nav.replaceChildren(...channelList(this));
    if (focused) this.nav.querySelector(`[data-id="${focused}"]`)?.focus();
    const here = seat.place(this.current);
    this.place.textContent = here ? `${sign(here)}${here.name}` : "Nothing to see";
    const elsewhere = [...seat.unread].filter(([id]) => id !== this.current).reduce((sum, [, marks]) => sum + marks.size, 0);
    this.opener.textContent = elsewhere ? `☰ ${few(elsewhere)}` : "☰";
    this.opener.setAttribute("aria-label", elsewhere ? `Channels, ${elsewhere} new` : "Channels");
    this.status();
  }

  drawer(open = !this.element.classList.contains("open")) {
    this.element.classList.toggle("open", open);
    this.opener.setAttribute("aria-expanded", String(open));
    if (open) this.nav.querySelector("[aria-current=page]")?.focus();
  }

  go(channel, message = null) {
    this.drawer(false);
    if (this.current !== channel) {
      this.chosen.set(this.seat, channel);
      this.channel();
    }
    const found = message && this.find(message);
    if (found) {
      found.scrollIntoView({ block: "center" });
      found.focus();
    } else {
      this.composer.line.focus({ preventScroll: true });
    }
  }

  command(name) {
    const found = this.composer.offered.find((command) => command.name === name);
    if (found) this.composer.enter(found);
  }

  // Show the current channel afresh.
  channel() {
    this.shown = this.current;
    this.places();
    this.composer.reset();
    const { seat } = this;
    const messages = [...seat.shelf(this.current).values()];
    const news = seat.unread.has(this.current);
    const start = h("p", { className: "start" }, "This is the beginning. Type / to see what the bot can do.");
    this.log.setAttribute("aria-live", "off");
    this.log.setAttribute("aria-busy", String(!seat.ready));
    this.log.replaceChildren(start, ...messages.map((message) => renderMessage(this, message)));
    this.toEnd();
    if (news) this.reveal(this.log.lastElementChild);
    this.log.setAttribute("aria-live", "polite");
    this.seen();
  }

  receive({ channel, message, changed }) {
    if (channel !== this.current || !this.seat.ready) return;
    const fresh = renderMessage(this, message);
    const old = this.find(message.id);
    const tall = old?.offsetHeight > this.log.clientHeight;
    if (old) {
      if (changed) fresh.classList.add("changed");
      const focused = old.contains(document.activeElement) ? document.activeElement.dataset.custom || "" : null;
      old.replaceWith(fresh);
      if (focused !== null) ((focused && fresh.querySelector(`[data-custom="${CSS.escape(focused)}"]:enabled`)) || fresh).focus({ preventScroll: true });
    } else {
      this.log.append(fresh);
    }
    if (this.following && (tall || fresh.offsetHeight <= this.log.clientHeight)) this.toEnd();
    else if (this.following || (!old && message.id === this.wanted)) this.reveal(fresh);
    this.seen();
  }

  // Bring a message into view: one taller than the pane by its top or, if it waits for this person, by its controls.
  reveal(card) {
    const tall = card?.offsetHeight > this.log.clientHeight;
    const own = card?.classList.contains("secret") || this.seat.place(this.current)?.kind === "dm";
    const controls = tall && own ? [...card.querySelectorAll(":is(.button, .menu):enabled")].at(-1) : null;
    if (controls) controls.scrollIntoView({ block: "end" });
    else card?.scrollIntoView({ block: tall ? "start" : "nearest" });
    this.following = this.atEnd();
  }

  find(id) {
    return this.log.querySelector(`[data-id="${id}"]`);
  }

  atEnd() {
    return this.log.scrollHeight - this.log.scrollTop - this.log.clientHeight < NEAR;
  }

  toEnd() {
    this.following = true;
    this.log.scrollTop = this.log.scrollHeight;
  }

  // What is on the screen down to the beginning of the last message has been read.
  seen() {
    if (!this.element.isConnected || !this.element.offsetParent || document.hidden) return;
    const reached = this.log.lastElementChild?.getBoundingClientRect().top < this.log.getBoundingClientRect().bottom;
    if (reached) this.seat.read(this.current);
  }

  ask(deed, fields) {
    return this.seat.ask(deed, fields).catch((problem) => this.notice(problem.message));
  }

  // Use a component of a message; the message says so when nothing comes back.
  async touch(message, deed, fields) {
    const card = this.find(message.id);
    card?.classList.add("busy");
    const words = await this.attempt(deed, { channel: message.channel_id, message: message.id, ...fields }, "This interaction failed");
    const shown = this.find(message.id);
    shown?.classList.remove("busy");
    const trouble = shown?.querySelector(".trouble");
    if (trouble) {
      trouble.textContent = words;
      trouble.hidden = !words;
    }
  }

  async run(command, options, undo) {
    const { current } = this;
    const pending = this.notice(`Sending /${command}…`, "sending");
    const words = await this.attempt("slash", { channel: current, command, options }, `The application did not respond to /${command}`);
    const gone = !pending.isConnected; // Somewhere else by now, or someone else.
    pending.remove();
    if (!words || gone) return;
    this.notice(words);
    undo();
  }

  // Ask for something; gives the words to show when it did not work.
  async attempt(deed, fields, failure) {
    const { seat } = this;
    tell(this.element, "used");
    try {
      const outcome = await seat.ask(deed, fields);
      if (outcome.failed) return failure;
      if (seat === this.seat) this.follow(outcome);
      return "";
    } catch (problem) {
      return problem.message;
    }
  }

  // Bring what someone has just asked for into view; the message itself may arrive a moment later.
  follow(outcome) {
    if (outcome.modal) showModal(this, outcome.modal);
    this.wanted = outcome.message;
    this.reveal(this.find(this.wanted));
  }

  // A note that only this page shows.
  notice(words, kind = "failed") {
    const card = h("div", { className: `message local ${kind}`, role: kind === "failed" ? "alert" : "status" }, h("p", {}, words));
    if (kind === "failed") card.append(h("p", { className: "only-you" }, h("button", { type: "button", className: "linkish", on: { click: () => card.remove() } }, "Dismiss")));
    this.log.append(card);
    this.toEnd();
    return card;
  }
}
