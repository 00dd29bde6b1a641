// One person's client: the content that they see, kept up to date over a WebSocket, and requests for their actions.

const RETRY_MS = 1000;

export class Client extends EventTarget {
  constructor(person) {
    super();
    this.userId = person.id;
    this.name = person.name;
    this.avatar = person.avatar;
    this.drafts = new Map();
    this.requests = new Map();
    this.requestCount = 0;
    this.reset();
    this.connect();
  }

  reset() {
    this.ready = false;
    this.online = null;
    this.openDms = true; // True if bots may send them direct messages.
    this.bot = null;
    this.users = new Map();
    this.channels = [];
    this.commands = new Map();
    this.messages = new Map();
    this.unread = new Map(); // By channel: the ids of unread messages, mapped to true if they ping.
    this.lastRead = new Map(); // By channel: the last message read on any page.
  }

  emit(name, detail = {}) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  connect() {
    this.socket = new WebSocket(`ws://${location.host}/sandbox/socket?person=${this.userId}`);
    this.socket.addEventListener("message", (event) => this.handle(JSON.parse(event.data)));
    this.socket.addEventListener("close", () => {
      this.online = null;
      this.emit("online");
      for (const { reject } of this.requests.values()) reject(new Error("The connection was lost."));
      this.requests.clear();
      setTimeout(() => this.connect(), RETRY_MS);
    });
  }

  handle(row) {
    switch (row.t) {
      case "hello":
        this.reset();
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
        this.openDms = row.open;
        this.emit("openDms");
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
        this.storeMessage(row);
        break;
      case "read":
        this.lastRead.set(row.channel, BigInt(row.up_to));
        this.updateUnread(row.channel);
        break;
      case "gone":
        this.messagesIn(row.channel).delete(row.id);
        if (this.unread.get(row.channel)?.delete(row.id)) this.updateUnread(row.channel);
        this.emit("gone", row);
        break;
      case "outcome":
      case "refused": {
        const request = this.requests.get(row.ref);
        this.requests.delete(row.ref);
        if (row.t === "refused") request?.reject(new Error(row.reason));
        else request?.resolve(row);
        break;
      }
    }
  }

  storeMessage({ message, fresh }) {
    const channel = message.channel_id;
    const before = this.messagesIn(channel).get(message.id);
    const changed = Boolean(before) && JSON.stringify(before.components) !== JSON.stringify(message.components);
    this.messagesIn(channel).set(message.id, message);
    if (fresh && message.author.id !== this.userId) {
      if (!this.unread.has(channel)) this.unread.set(channel, new Map());
      this.unread.get(channel).set(message.id, Boolean(message.pings));
      this.updateUnread(channel);
    }
    this.emit("message", { channel, message, changed });
  }

  // Remove the messages that have been read, and notify the panes.
  updateUnread(channel) {
    const marks = this.unread.get(channel);
    for (const id of [...(marks?.keys() ?? [])]) if (BigInt(id) <= (this.lastRead.get(channel) ?? 0n)) marks.delete(id);
    if (marks?.size === 0) this.unread.delete(channel);
    if (this.ready) this.emit("unread");
  }

  request(action, fields) {
    this.requestCount += 1;
    const ref = `${this.userId}/${this.requestCount}`;
    if (this.socket.readyState !== WebSocket.OPEN) return Promise.reject(new Error("The sandbox is not running."));
    this.socket.send(JSON.stringify({ action, ref, ...fields }));
    return new Promise((resolve, reject) => this.requests.set(ref, { resolve, reject }));
  }

  messagesIn(channel) {
    if (!this.messages.has(channel)) this.messages.set(channel, new Map());
    return this.messages.get(channel);
  }

  channelById(id) {
    return this.channels.find((channel) => channel.id === id);
  }

  firstChannel() {
    return (this.channels.find((channel) => channel.kind === "text") || this.channels[0])?.id ?? null;
  }

  hasChannel(channel) {
    return Boolean(this.channelById(channel));
  }

  hasCommand(name) {
    return [...this.commands.values()].some((commands) => commands.some((command) => command.name === name));
  }

  channelName(id) {
    return this.channelById(id)?.name ?? "unknown";
  }

  userName(id) {
    return this.users.get(id)?.name ?? "someone";
  }

  markRead(channel) {
    if (!this.unread.delete(channel)) return;
    const last = [...this.messagesIn(channel).keys()].reduce((newest, id) => (BigInt(id) > BigInt(newest) ? id : newest));
    this.request("read", { channel, message: last }).catch(() => {}); // Without a connection it stays unread on the server.
    this.emit("unread");
  }

  pingCount(channels = [...this.unread.keys()]) {
    return channels.flatMap((channel) => [...(this.unread.get(channel)?.values() ?? [])]).filter(Boolean).length;
  }
}
