// The subset of Markdown that Discord shows, as elements.

import { h, dispatch } from "./dom.js";

const INLINE = [
  [/^\\([^\p{L}\p{N}\s])/u, (m) => m[1]],
  [/^(`{1,2})((?:(?!\1)[^])+)\1/, (m, client) => code(m[2].trim() || m[2], client)],
  [/^<@!?(\d+)>/, (m, client) => h("span", { className: client.userId === m[1] ? "mention self" : "mention" }, `@${client.userName(m[1])}`)],
  [/^<#(\d+)>/, (m, client) => jump(m[1], null, `#${client.channelName(m[1])}`)],
  [/^<@&\d+>/, () => h("span", { className: "mention" }, "@role")],
  [/^<\/([^:>]+):\d+>/, (m) => commandLink(m[1])],
  [/^<(a?):(\w+):(\d+)>/, (m) => emoji({ id: m[3], name: m[2], animated: m[1] })],
  [/^<t:(-?\d+)(?::([tTdDfFR]))?>/, (m) => stamp(Number(m[1]), m[2] || "f")],
  [/^\[((?:\\.|[^\]\\])+)\]\(<?(https?:\/\/[^\s)>]+)>?\)/, (m, client) => link(client, m[2], inline(m[1], client))],
  [/^<(https?:\/\/[^\s>]+)>/, (m, client) => link(client, m[1], [m[1]])],
  [/^https?:\/\/[^\s<]+[^\s<.,:;"')\]!?*_~|]/, (m, client) => link(client, m[0], [m[0]])],
  [/^\*\*\*((?:\\.|[^])+?)\*\*\*(?!\*)/, (m, client) => h("strong", {}, h("em", {}, inline(m[1], client)))],
  [/^\*\*((?:\\.|[^])+?)\*\*(?!\*)/, (m, client) => h("strong", {}, inline(m[1], client))],
  [/^__((?:\\.|[^])+?)__(?!_)/, (m, client) => h("u", {}, inline(m[1], client))],
  [/^~~((?:\\.|[^])+?)~~/, (m, client) => h("s", {}, inline(m[1], client))],
  [/^\|\|((?:\\.|[^])+?)\|\|/, (m, client) => spoiler(inline(m[1], client))],
  [/^\*(?!\s)((?:\\.|[^*\\])+?)\*(?!\*)/, (m, client) => h("em", {}, inline(m[1], client))],
  [/^_((?:\\.|[^_\\])+?)_(?![\p{L}\p{N}_])/u, (m, client) => h("em", {}, inline(m[1], client))],
];
const PLAIN = /^(?:[\p{L}\p{N}]+(?!:\/\/)|[^])/u;

// Matches a text that consists only of emojis. They are shown large.
const ONLY_EMOJIS = /^(?:\s|<a?:\w+:\d+>|\p{RGI_Emoji})+$/v;
const MOST_LARGE = 30;

export function isOnlyEmojis(text) {
  return ONLY_EMOJIS.test(text) && text.match(/<a?:\w+:\d+>|\p{RGI_Emoji}/gv).length <= MOST_LARGE;
}

// An emoji: a character, or the picture of an emoji of the application. A deleted emoji shows its name.
export function emoji({ id, name, animated }) {
  if (!id) return h("span", { className: "emoji" }, name);
  const words = `:${name}:`;
  const image = h("img", { className: "emoji", src: `/emojis/${id}.${animated ? "gif" : "png"}`, alt: words, title: words, draggable: "false" });
  image.addEventListener("error", () => image.replaceWith(words));
  return image;
}

export function inline(text, client) {
  const nodes = [];
  let rest = text;
  let plain = "";
  scan: while (rest) {
    for (const [pattern, make] of INLINE) {
      const match = pattern.exec(rest);
      if (match) {
        if (plain) nodes.push(plain);
        plain = "";
        nodes.push(make(match, client));
        rest = rest.slice(match[0].length);
        continue scan;
      }
    }
    const word = PLAIN.exec(rest)[0];
    plain += word;
    rest = rest.slice(word.length);
  }
  if (plain) nodes.push(plain);
  return nodes;
}

export function markdown(text, client) {
  const nodes = [];
  const lines = (text || "").split("\n");
  let paragraph = [];
  const flush = () => {
    if (paragraph.length) nodes.push(h("p", {}, inline(paragraph.join("\n"), client)));
    paragraph = [];
  };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at];
    const heading = /^(#{1,3}) +(\S.*)$/.exec(line);
    const sub = /^-# +(\S.*)$/.exec(line);
    if (line.startsWith("```")) {
      flush();
      const code = [];
      const only = /^```(.*?)```$/.exec(line);
      if (only) code.push(only[1]);
      else for (at += 1; at < lines.length && !lines[at].startsWith("```"); at += 1) code.push(lines[at]);
      nodes.push(h("pre", { tabindex: "0" }, h("code", {}, code.join("\n"))));
    } else if (heading) {
      flush();
      nodes.push(h(`h${heading[1].length + 2}`, { className: `head${heading[1].length}` }, inline(heading[2], client)));
    } else if (sub) {
      flush();
      nodes.push(h("p", { className: "subtext" }, inline(sub[1], client)));
    } else if (line.startsWith(">>> ")) {
      flush();
      nodes.push(h("blockquote", {}, markdown([line.slice(4), ...lines.slice(at + 1)].join("\n"), client)));
      return nodes;
    } else if (line.startsWith("> ") || line === ">") {
      flush();
      const quoted = [];
      for (; at < lines.length && /^>( |$)/.test(lines[at]); at += 1) quoted.push(lines[at].slice(2));
      at -= 1;
      nodes.push(h("blockquote", {}, markdown(quoted.join("\n"), client)));
    } else if (ITEM.test(line)) {
      flush();
      const items = [];
      for (; at < lines.length && ITEM.test(lines[at]); at += 1) items.push(lines[at]);
      at -= 1;
      nodes.push(list(items, client));
    } else if (line.trim()) {
      paragraph.push(line);
    } else {
      flush();
    }
  }
  flush();
  return nodes;
}

const ITEM = /^( *)([-*]|\d+\.) +(\S.*)$/;

function list(lines, client) {
  const first = ITEM.exec(lines[0]);
  const ordered = /\d/.test(first[2]);
  const element = h(ordered ? "ol" : "ul", ordered ? { start: parseInt(first[2], 10) } : {});
  for (let at = 0; at < lines.length; at += 1) {
    const item = ITEM.exec(lines[at]);
    const entry = h("li", {}, inline(item[3], client));
    const deeper = [];
    while (at + 1 < lines.length && ITEM.exec(lines[at + 1])[1].length > item[1].length) {
      at += 1;
      deeper.push(lines[at]);
    }
    if (deeper.length) entry.append(list(deeper, client));
    element.append(entry);
  }
  return element;
}

function spoiler(children) {
  const cover = h("span", { className: "spoiler", role: "button", tabindex: "0", "aria-label": "Spoiler, press to show" }, children);
  const show = () => {
    cover.classList.add("shown");
    for (const name of ["role", "tabindex", "aria-label"]) cover.removeAttribute(name);
  };
  cover.addEventListener("click", show);
  cover.addEventListener("keydown", (event) => (event.key === "Enter" || event.key === " ") && show());
  return cover;
}

const ELSEWHERE = /^https?:\/\/(?:\w+\.)?discord\.com\/channels\/(?:\d+|@me)\/(\d+)(?:\/(\d+))?$/;

export function link(client, url, children) {
  const own = ELSEWHERE.exec(url);
  if (own && client.hasChannel(own[1])) {
    const words = children.length === 1 && children[0] === url ? [`#${client.channelName(own[1])}`] : children;
    return jump(own[1], own[2], words);
  }
  return h("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, children);
}

function jump(channel, message, children) {
  return h("button", { type: "button", className: "mention", on: { click: ({ currentTarget }) => dispatch(currentTarget, "jump", { channel, message }) } }, children);
}

function commandLink(name, words = `/${name}`) {
  return h("button", { type: "button", className: "mention", on: { click: ({ currentTarget }) => dispatch(currentTarget, "slash", { name }) } }, words);
}

// Code that is exactly the name of a command can be clicked like a command mention.
function code(text, client) {
  const words = h("code", {}, text);
  return text.startsWith("/") && client.hasCommand(text.slice(1)) ? commandLink(text.slice(1), words) : words;
}

const STYLES = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
};

export function stamp(seconds, style) {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return String(seconds);
  const full = date.toLocaleString(undefined, STYLES.F);
  const words = style === "R" ? relative(seconds) : date.toLocaleString(undefined, STYLES[style]);
  const data = style === "R" ? { since: seconds } : {};
  return h("time", { datetime: date.toISOString(), title: full, data }, words);
}

const UNITS = [["year", 31557600], ["month", 2629800], ["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
const WORDS = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });

function relative(seconds) {
  const left = seconds - Date.now() / 1000;
  const [unit, size] = UNITS.find(([, length]) => Math.abs(left) >= length) || UNITS[5];
  return WORDS.format(Math.round(left / size), unit);
}

export function refreshTimes() {
  for (const time of document.querySelectorAll("time[data-since]")) {
    const words = relative(Number(time.dataset.since));
    if (time.textContent !== words) time.textContent = words;
  }
}
