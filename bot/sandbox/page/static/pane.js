// A pane: the switch between people, the channels, the messages and the composer.

import { avatar, h, dispatch, uniqueId } from "./dom.js";
import { channelList, shortCount, channelPrefix } from "./channels.js";
import { Composer } from "./composer.js";
import { renderMessage } from "./message.js";
import { showModal } from "./modal.js";

// The pane follows new messages while it is scrolled to within this many pixels of the end.
const NEAR = 120;

export class Pane {
  // `onSwitch` is called with the client of each person that the pane shows.
  constructor(clients, client, label, onSwitch) {
    this.clients = clients;
    this.onSwitch = onSwitch;
    this.chosenChannels = new Map(); // By person: the channel that they opened in this pane.
    this.personSwitch = h("div", { className: "people", role: "radiogroup", "aria-label": `${label}: you are` });
    this.heading = h("h2", { className: "place", id: uniqueId("place") });
    this.statusLine = h("p", { className: "state", role: "status" });
    this.menuButton = h("button", { type: "button", className: "quiet drawer", "aria-expanded": "false", on: { click: () => this.toggleDrawer() } });
    this.nav = h("nav", { "aria-label": "Channels" });
    this.log = h("div", { className: "log", role: "log", "aria-live": "polite", tabindex: "0", "aria-labelledby": this.heading.id });
    this.newestButton = h("button", { type: "button", className: "newest", hidden: true, on: { click: () => this.showNewest() } }, "New messages ↓");
    this.composer = new Composer(this);
    this.element = h(
      "section",
      { className: "pane", "aria-label": label },
      h("header", { className: "person-bar" }, h("span", { className: "you" }, "You are"), this.personSwitch),
      h("div", { className: "channel-bar" }, this.menuButton, this.heading, this.statusLine),
      h("div", { className: "middle" }, this.nav, h("div", { className: "conversation" }, this.log, this.newestButton, this.composer.form)),
    );
    this.followClicks(this.element);
    this.listeners = [];
    this.switchTo(client);
    this.nav.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.element.classList.contains("open")) return;
      this.toggleDrawer(false);
      this.menuButton.focus();
    });
    this.log.addEventListener("click", () => this.toggleDrawer(false));
    // A pane that is scrolled to the end stays there when its size changes.
    this.following = true;
    this.log.addEventListener("scroll", () => {
      this.following = this.atEnd();
      this.markRead();
    });
    new ResizeObserver(() => this.following && this.scrollToEnd()).observe(this.log);
    document.addEventListener("visibilitychange", () => this.markRead());
    for (const other of clients) other.addEventListener("unread", () => this.renderPeople());
  }

  // Follow clicks on channels, messages and commands within an element.
  followClicks(element) {
    element.addEventListener("jump", ({ detail }) => this.goTo(detail.channel, detail.message));
    element.addEventListener("slash", ({ detail }) => this.startCommand(detail.name));
  }

  // The id of the channel that is shown.
  get current() {
    const chosen = this.chosenChannels.get(this.client);
    return this.client.channelById(chosen) ? chosen : this.client.firstChannel();
  }

  switchTo(client) {
    for (const [name, listener] of this.listeners) this.client.removeEventListener(name, listener);
    this.client = client;
    this.onSwitch(client);
    this.listeners = Object.entries({
      reset: () => this.renderChannel(),
      ready: () => this.renderChannel(),
      channels: () => (this.shownChannel === this.current ? this.renderChannels() : this.renderChannel()),
      openDms: () => this.renderChannels(),
      commands: () => this.composer.invocation || this.composer.suggestions.hide(),
      unread: () => this.renderChannels(),
      online: () => this.renderStatus(),
      message: ({ detail }) => this.showMessage(detail),
      gone: ({ detail }) => detail.channel === this.current && this.findMessage(detail.id)?.remove(),
    });
    for (const [name, listener] of this.listeners) client.addEventListener(name, listener);
    this.renderPeople();
    this.renderChannel();
  }

  renderPeople() {
    const options = this.clients.map((client) => {
      const mine = client === this.client;
      const pings = mine ? 0 : client.pingCount();
      const label = pings ? `${client.name}, ${pings} new` : client.name;
      return h(
        "button",
        { type: "button", role: "radio", "aria-checked": String(mine), tabindex: mine ? "0" : "-1", "aria-label": label, on: { click: () => this.switchTo(client) } },
        avatar(client.userId, client.name, client.avatar),
        h("span", {}, client.name),
        pings > 0 && h("span", { className: "badge", "aria-hidden": "true" }, shortCount(pings)),
      );
    });
    const focused = this.personSwitch.contains(document.activeElement);
    this.personSwitch.replaceChildren(...options);
    for (const option of options) {
      option.addEventListener("keydown", (event) => {
        const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
        if (!step) return;
        event.preventDefault();
        const at = this.clients.indexOf(this.client) + step + this.clients.length;
        this.switchTo(this.clients[at % this.clients.length]);
      });
    }
    if (focused) this.personSwitch.querySelector("[aria-checked=true]").focus();
  }

  // Return true if the bot receives events from this channel, or null without a connection to the sandbox. A bot with several shards can be connected for some servers only.
  botOnline() {
    const here = this.client.channelById(this.current);
    return this.client.online && here ? here.online : this.client.online;
  }

  renderStatus() {
    const online = this.botOnline();
    this.statusLine.textContent = online === null ? "No connection to the sandbox. Start it again with the same command; this page reconnects by itself." : online ? "" : "The bot is not connected yet…";
    this.statusLine.hidden = Boolean(online);
  }

  renderChannels() {
    const { client } = this;
    const focused = this.nav.contains(document.activeElement) ? document.activeElement.dataset.id : null;
    this.nav.replaceChildren(...channelList(this));
    if (focused) this.nav.querySelector(`[data-id="${focused}"]`)?.focus();
    const here = client.channelById(this.current);
    this.heading.textContent = here ? `${channelPrefix(here)}${here.name}` : "No channels";
    const elsewhere = [...client.unread].filter(([id]) => id !== this.current).reduce((sum, [, marks]) => sum + marks.size, 0);
    this.menuButton.textContent = elsewhere ? `☰ ${shortCount(elsewhere)}` : "☰";
    this.menuButton.setAttribute("aria-label", elsewhere ? `Channels, ${elsewhere} new` : "Channels");
    this.newestButton.hidden = !client.unread.has(this.current);
    this.renderStatus();
  }

  showNewest() {
    this.reveal(this.log.lastElementChild);
    this.markRead();
    this.log.focus({ preventScroll: true });
  }

  toggleDrawer(open = !this.element.classList.contains("open")) {
    this.element.classList.toggle("open", open);
    this.menuButton.setAttribute("aria-expanded", String(open));
    if (open) this.nav.querySelector("[aria-current=page]")?.focus();
  }

  goTo(channel, message = null) {
    this.toggleDrawer(false);
    if (this.current !== channel) {
      this.chosenChannels.set(this.client, channel);
      this.renderChannel();
    }
    const found = message && this.findMessage(message);
    if (found) {
      found.scrollIntoView({ block: "center" });
      found.focus();
    } else {
      this.composer.line.focus({ preventScroll: true });
    }
  }

  startCommand(name) {
    const found = this.composer.offered.find((command) => command.name === name);
    if (found) this.composer.startCommand(found);
  }

  renderChannel() {
    this.shownChannel = this.current;
    this.renderChannels();
    this.composer.reset();
    const { client } = this;
    const messages = [...client.messagesIn(this.current).values()];
    const news = client.unread.has(this.current);
    const start = h("p", { className: "start" }, "This is the beginning. Type / to see what the bot can do.");
    this.log.setAttribute("aria-live", "off");
    this.log.setAttribute("aria-busy", String(!client.ready));
    this.log.replaceChildren(start, ...messages.map((message) => renderMessage(this, message)));
    this.scrollToEnd();
    if (news) this.reveal(this.log.lastElementChild);
    this.log.setAttribute("aria-live", "polite");
    this.markRead();
  }

  showMessage({ channel, message, changed }) {
    if (channel !== this.current || !this.client.ready) return;
    const fresh = renderMessage(this, message);
    const old = this.findMessage(message.id);
    if (old) {
      if (changed) fresh.classList.add("changed");
      const focused = old.contains(document.activeElement) ? document.activeElement.dataset.custom || "" : null;
      old.replaceWith(fresh);
      if (focused !== null) ((focused && fresh.querySelector(`[data-custom="${CSS.escape(focused)}"]:enabled`)) || fresh).focus({ preventScroll: true });
    } else {
      this.log.append(fresh);
    }
    // A changed message must not move other buttons under a finger that taps twice.
    if (this.following && (old || fresh.offsetHeight <= this.log.clientHeight)) this.scrollToEnd();
    else if (!old && (this.following || message.id === this.awaitedMessage)) this.reveal(fresh);
    this.markRead();
  }

  // Scroll a message into view. If it is taller than the pane, show its top, or its controls if only this person sees it.
  reveal(card) {
    const tall = card?.offsetHeight > this.log.clientHeight;
    const own = card?.classList.contains("secret") || this.client.channelById(this.current)?.kind === "dm";
    const controls = tall && own ? [...card.querySelectorAll(":is(.button, .menu):enabled")].at(-1) : null;
    if (controls) controls.scrollIntoView({ block: "end" });
    else card?.scrollIntoView({ block: tall ? "start" : "nearest" });
    this.following = this.atEnd();
  }

  findMessage(id) {
    return this.log.querySelector(`[data-id="${id}"]`);
  }

  atEnd() {
    return this.log.scrollHeight - this.log.scrollTop - this.log.clientHeight < NEAR;
  }

  scrollToEnd() {
    this.following = true;
    this.log.scrollTop = this.log.scrollHeight;
  }

  // Mark the channel as read if the beginning of its last message is on the screen.
  markRead() {
    if (!this.element.isConnected || !this.element.offsetParent || document.hidden) return;
    const reached = this.log.lastElementChild?.getBoundingClientRect().top < this.log.getBoundingClientRect().bottom;
    if (reached) this.client.markRead(this.current);
  }

  request(action, fields) {
    return this.client.request(action, fields).catch((problem) => this.showNotice(problem.message));
  }

  // Use a component of a message. If that fails, the message shows the error.
  async useComponent(message, action, fields) {
    const card = this.findMessage(message.id);
    card?.classList.add("busy");
    const words = await this.attempt(action, { channel: message.channel_id, message: message.id, ...fields }, "This interaction failed");
    const shown = this.findMessage(message.id);
    shown?.classList.remove("busy");
    const trouble = shown?.querySelector(".trouble");
    if (trouble) {
      trouble.textContent = words;
      trouble.hidden = !words;
    }
  }

  async runCommand(command, options, undo) {
    const { current } = this;
    const pending = this.showNotice(`Sending /${command}…`, "sending");
    const words = await this.attempt("slash", { channel: current, command, options }, `The application did not respond to /${command}`);
    const gone = !pending.isConnected; // The pane now shows another channel or person.
    pending.remove();
    if (!words || gone) return;
    this.showNotice(words);
    undo();
  }

  // Send a request. Returns the text to show if it failed.
  async attempt(action, fields, failure) {
    const { client } = this;
    dispatch(this.element, "used");
    try {
      const outcome = await client.request(action, fields);
      if (outcome.failed) return failure;
      if (client === this.client) this.showOutcome(outcome);
      return "";
    } catch (problem) {
      return problem.message;
    }
  }

  // Show the modal or message that answered a request. The message may arrive slightly later.
  showOutcome(outcome) {
    if (outcome.modal) showModal(this, outcome.modal);
    this.awaitedMessage = outcome.message;
    this.reveal(this.findMessage(this.awaitedMessage));
  }

  // Show a notice on this page only.
  showNotice(words, kind = "failed") {
    const card = h("div", { className: `message local ${kind}`, role: kind === "failed" ? "alert" : "status" }, h("p", {}, words));
    if (kind === "failed") card.append(h("p", { className: "only-you" }, h("button", { type: "button", className: "linkish", on: { click: () => card.remove() } }, "Dismiss")));
    this.log.append(card);
    this.scrollToEnd();
    return card;
  }
}
