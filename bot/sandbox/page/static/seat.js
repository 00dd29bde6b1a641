// One person's connection: what they see, kept up to date, and what they ask for.

const RETRY_MS = 1000;

export class Seat extends EventTarget {
  constructor(person) {
    super();
    this.me = person.id;
    this.name = person.name;
    this.drafts = new Map();
    this.waiting = new Map();
    this.asked = 0;
    this.clear();
    this.connect();
  }

  clear() {
    this.ready = false;
    this.online = null;
    this.open = true; // Whether bots may write to them.
    this.bot = null;
    this.users = new Map();
    this.channels = [];
    this.commands = new Map();
    this.messages = new Map();
    this.unread = new Map(); // By channel: the ids of unread messages, each with whether it pings.
    this.newest = new Map(); // By channel: the last message that was read, here or on another screen.
  }

  emit(name, detail = {}) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  connect() {
    this.socket = new WebSocket(`ws://${location.host}/sandbox/socket?person=${this.me}`);
    this.socket.addEventListener("message", (event) => this.take(JSON.parse(event.data)));
    this.socket.addEventListener("close", () => {
      this.online = null;
      this.emit("online");
      for (const { reject } of this.waiting.values()) reject(new Error("The connection was lost."));
      this.waiting.clear();
      setTimeout(() => this.connect(), RETRY_MS);
    });
  }

  take(row) {
    switch (row.t) {
      case "hello":
        this.clear();
        this.bot = row.bot;
        for (const user of row.users) this.users.set(user.id, user);
        this.emit("reset");
        break;
      case "ready":
        this.ready = true;
        this.emit("ready");
        this.emit("unread");
        break;
      case "bot":
        this.online = row.online;
        this.emit("online");
        break;
      case "open_dms":
        this.open = row.open;
        this.emit("open");
        break;
      case "channels":
        this.channels = row.channels;
        this.emit("channels");
        break;
      case "commands":
        this.commands.set(row.channel, row.commands);
        this.emit("commands", row);
        break;
      case "message":
        this.store(row);
        break;
      case "read":
        this.newest.set(row.channel, BigInt(row.up_to));
        this.tally(row.channel);
        break;
      case "gone":
        this.shelf(row.channel).delete(row.id);
        if (this.unread.get(row.channel)?.delete(row.id)) this.tally(row.channel);
        this.emit("gone", row);
        break;
      case "outcome":
      case "refused": {
        const waiting = this.waiting.get(row.ref);
        this.waiting.delete(row.ref);
        if (row.t === "refused") waiting?.reject(new Error(row.reason));
        else waiting?.resolve(row);
        break;
      }
    }
  }

  store({ message, fresh }) {
    const channel = message.channel_id;
    const before = this.shelf(channel).get(message.id);
    const changed = Boolean(before) && JSON.stringify(before.components) !== JSON.stringify(message.components);
    this.shelf(channel).set(message.id, message);
    if (fresh && message.author.id !== this.me) {
      if (!this.unread.has(channel)) this.unread.set(channel, new Map());
      this.unread.get(channel).set(message.id, Boolean(message.pings));
      this.tally(channel);
    }
    this.emit("message", { channel, message, changed });
  }

  // Forget the marks of what was read meanwhile, and tell of the rest.
  tally(channel) {
    const marks = this.unread.get(channel);
    for (const id of [...(marks?.keys() ?? [])]) if (BigInt(id) <= (this.newest.get(channel) ?? 0n)) marks.delete(id);
    if (marks?.size === 0) this.unread.delete(channel);
    if (this.ready) this.emit("unread");
  }

  ask(deed, fields) {
    this.asked += 1;
    const ref = `${this.me}/${this.asked}`;
    if (this.socket.readyState !== WebSocket.OPEN) return Promise.reject(new Error("The sandbox is not running."));
    this.socket.send(JSON.stringify({ action: deed, ref, ...fields }));
    return new Promise((resolve, reject) => this.waiting.set(ref, { resolve, reject }));
  }

  shelf(channel) {
    if (!this.messages.has(channel)) this.messages.set(channel, new Map());
    return this.messages.get(channel);
  }

  place(id) {
    return this.channels.find((channel) => channel.id === id);
  }

  first() {
    return (this.channels.find((channel) => channel.kind === "text") || this.channels[0])?.id ?? null;
  }

  knows(channel) {
    return Boolean(this.place(channel));
  }

  offers(name) {
    return [...this.commands.values()].some((commands) => commands.some((command) => command.name === name));
  }

  channelName(id) {
    return this.place(id)?.name ?? "unknown";
  }

  nameOf(id) {
    return this.users.get(id)?.name ?? "someone";
  }

  read(channel) {
    if (!this.unread.delete(channel)) return;
    const last = [...this.shelf(channel).keys()].reduce((newest, id) => (BigInt(id) > BigInt(newest) ? id : newest));
    this.ask("read", { channel, message: last }).catch(() => {}); // Without a connection it stays unread there.
    this.emit("unread");
  }

  pings(channels = [...this.unread.keys()]) {
    return channels.flatMap((channel) => [...(this.unread.get(channel)?.values() ?? [])]).filter(Boolean).length;
  }
}
