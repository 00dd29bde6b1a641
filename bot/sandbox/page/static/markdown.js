// The subset of Markdown that Discord shows, as elements.

import { h, tell } from "./dom.js";

const INLINE = [
  [/^\\([^\p{L}\p{N}\s])/u, (m) => m[1]],
  [/^(`{1,2})((?:(?!\1)[^])+)\1/, (m, seat) => code(m[2].trim() || m[2], seat)],
  [/^<@!?(\d+)>/, (m, seat) => h("span", { className: seat.me === m[1] ? "mention self" : "mention" }, `@${seat.nameOf(m[1])}`)],
  [/^<#(\d+)>/, (m, seat) => jump(m[1], null, `#${seat.channelName(m[1])}`)],
  [/^<@&\d+>/, () => h("span", { className: "mention" }, "@role")],
  [/^<\/([^:>]+):\d+>/, (m) => commandLink(m[1])],
  [/^<a?:(\w+):\d+>/, (m) => `:${m[1]}:`],
  [/^<t:(-?\d+)(?::([tTdDfFR]))?>/, (m) => stamp(Number(m[1]), m[2] || "f")],
  [/^\[((?:\\.|[^\]\\])+)\]\(<?(https?:\/\/[^\s)>]+)>?\)/, (m, seat) => link(seat, m[2], inline(m[1], seat))],
  [/^<(https?:\/\/[^\s>]+)>/, (m, seat) => link(seat, m[1], [m[1]])],
  [/^https?:\/\/[^\s<]+[^\s<.,:;"')\]!?*_~|]/, (m, seat) => link(seat, m[0], [m[0]])],
  [/^\*\*\*((?:\\.|[^])+?)\*\*\*(?!\*)/, (m, seat) => h("strong", {}, h("em", {}, inline(m[1], seat)))],
  [/^\*\*((?:\\.|[^])+?)\*\*(?!\*)/, (m, seat) => h("strong", {}, inline(m[1], seat))],
  [/^__((?:\\.|[^])+?)__(?!_)/, (m, seat) => h("u", {}, inline(m[1], seat))],
  [/^~~((?:\\.|[^])+?)~~/, (m, seat) => h("s", {}, inline(m[1], seat))],
  [/^\|\|((?:\\.|[^])+?)\|\|/, (m, seat) => spoiler(inline(m[1], seat))],
  [/^\*(?!\s)((?:\\.|[^*\\])+?)\*(?!\*)/, (m, seat) => h("em", {}, inline(m[1], seat))],
  [/^_((?:\\.|[^_\\])+?)_(?![\p{L}\p{N}_])/u, (m, seat) => h("em", {}, inline(m[1], seat))],
];
const PLAIN = /^(?:[\p{L}\p{N}]+(?!:\/\/)|[^])/u;

export function inline(text, seat) {
  const nodes = [];
  let rest = text;
  let plain = "";
  scan: while (rest) {
    for (const [pattern, make] of INLINE) {
      const match = pattern.exec(rest);
      if (match) {
        if (plain) nodes.push(plain);
        plain = "";
        nodes.push(make(match, seat));
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

export function markdown(text, seat) {
  const nodes = [];
  const lines = (text || "").split("\n");
  let paragraph = [];
  const flush = () => {
    if (paragraph.length) nodes.push(h("p", {}, inline(paragraph.join("\n"), seat)));
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
      nodes.push(h(`h${heading[1].length + 2}`, { className: `head${heading[1].length}` }, inline(heading[2], seat)));
    } else if (sub) {
      flush();
      nodes.push(h("p", { className: "subtext" }, inline(sub[1], seat)));
    } else if (line.startsWith(">>> ")) {
      flush();
      nodes.push(h("blockquote", {}, markdown([line.slice(4), ...lines.slice(at + 1)].join("\n"), seat)));
      return nodes;
    } else if (line.startsWith("> ") || line === ">") {
      flush();
      const quoted = [];
      for (; at < lines.length && /^>( |$)/.test(lines[at]); at += 1) quoted.push(lines[at].slice(2));
      at -= 1;
      nodes.push(h("blockquote", {}, markdown(quoted.join("\n"), seat)));
    } else if (ITEM.test(line)) {
      flush();
      const items = [];
      for (; at < lines.length && ITEM.test(lines[at]); at += 1) items.push(lines[at]);
      at -= 1;
      nodes.push(list(items, seat));
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

function list(lines, seat) {
  const first = ITEM.exec(lines[0]);
  const ordered = /\d/.test(first[2]);
  const element = h(ordered ? "ol" : "ul", ordered ? { start: parseInt(first[2], 10) } : {});
  for (let at = 0; at < lines.length; at += 1) {
    const item = ITEM.exec(lines[at]);
    const entry = h("li", {}, inline(item[3], seat));
    const deeper = [];
    while (at + 1 < lines.length && ITEM.exec(lines[at + 1])[1].length > item[1].length) {
      at += 1;
      deeper.push(lines[at]);
    }
    if (deeper.length) entry.append(list(deeper, seat));
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

export function link(seat, url, children) {
  const own = ELSEWHERE.exec(url);
  if (own && seat.knows(own[1])) {
    const words = children.length === 1 && children[0] === url ? [`#${seat.channelName(own[1])}`] : children;
    return jump(own[1], own[2], words);
  }
  return h("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, children);
}

function jump(channel, message, children) {
  return h("button", { type: "button", className: "mention", on: { click: ({ currentTarget }) => tell(currentTarget, "jump", { channel, message }) } }, children);
}

function commandLink(name, words = `/${name}`) {
  return h("button", { type: "button", className: "mention", on: { click: ({ currentTarget }) => tell(currentTarget, "slash", { name }) } }, words);
}

// A command that is only written as code can be clicked too: it is there to be used.
function code(text, seat) {
  const words = h("code", {}, text);
  return text.startsWith("/") && seat.offers(text.slice(1)) ? commandLink(text.slice(1), words) : words;
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
