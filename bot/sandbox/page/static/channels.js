// The list of a person's channels with unread counts, and the switch for direct messages.

import { h } from "./dom.js";

export function channelList(pane) {
  const { client, current } = pane;
  const groups = new Map();
  for (const place of client.channels.filter((one) => one.kind === "text")) {
    if (!groups.has(place.guild)) groups.set(place.guild, []);
    groups.get(place.guild).push(place, ...client.channels.filter((one) => one.parent === place.id && (!one.archived || one.id === current)));
  }
  const direct = client.channels.filter((one) => one.kind === "dm");
  if (direct.length) groups.set("Direct messages", direct);
  const lists = [...groups].flatMap(([name, places]) => [h("h3", {}, name), h("ul", {}, places.map((place) => h("li", {}, channelButton(pane, place))))]);
  return [...lists, dmSwitch(pane)];
}

function channelButton(pane, place) {
  const marks = pane.client.unread.get(place.id);
  const pings = pane.client.pingCount([place.id]);
  const classes = ["channel", place.kind === "thread" && "thread", marks && "unread", place.archived && "archived"].filter(Boolean).join(" ");
  return h(
    "button",
    { type: "button", className: classes, "aria-current": place.id === pane.current ? "page" : null, data: { id: place.id }, on: { click: () => pane.goTo(place.id) } },
    h("span", { "aria-hidden": "true" }, channelPrefix(place)),
    h("span", { className: "name" }, place.name),
    marks && h("span", { className: pings ? "badge" : "mark", "aria-label": `${marks.size} new` }, pings ? shortCount(pings) : "•"),
  );
}

// Discord has this switch in a server's privacy settings.
function dmSwitch(pane) {
  const box = h("input", { type: "checkbox", checked: pane.client.openDms, data: { id: "allow" } });
  box.addEventListener("change", () => pane.request("allow_dms", { open: box.checked }));
  return h("label", { className: "allow" }, box, "Allow direct messages");
}

// Format a count in at most two characters.
export function shortCount(count) {
  return count > 9 ? "9+" : String(count);
}

export function channelPrefix(place) {
  return { text: "#", thread: "↳ ", dm: "@" }[place.kind];
}
