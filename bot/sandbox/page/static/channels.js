// The channels that a person can go to, with what is unread there, and whether bots may write to them at all.

import { h } from "./dom.js";

export function channelList(pane) {
  const { seat, current } = pane;
  const groups = new Map();
  for (const place of seat.channels.filter((one) => one.kind === "text")) {
    if (!groups.has(place.guild)) groups.set(place.guild, []);
    groups.get(place.guild).push(place, ...seat.channels.filter((one) => one.parent === place.id && (!one.archived || one.id === current)));
  }
  const direct = seat.channels.filter((one) => one.kind === "dm");
  if (direct.length) groups.set("Direct messages", direct);
  const lists = [...groups].flatMap(([name, places]) => [h("h3", {}, name), h("ul", {}, places.map((place) => h("li", {}, door(pane, place))))]);
  return [...lists, allow(pane)];
}

function door(pane, place) {
  const marks = pane.seat.unread.get(place.id);
  const pings = pane.seat.pings([place.id]);
  const classes = ["door", place.kind === "thread" && "thread", marks && "unread", place.archived && "archived"].filter(Boolean).join(" ");
  return h(
    "button",
    { type: "button", className: classes, "aria-current": place.id === pane.current ? "page" : null, data: { id: place.id }, on: { click: () => pane.go(place.id) } },
    h("span", { "aria-hidden": "true" }, sign(place)),
    h("span", { className: "name" }, place.name),
    marks && h("span", { className: pings ? "badge" : "mark", "aria-label": `${marks.size} new` }, pings ? few(pings) : "•"),
  );
}

// Discord has this switch among a server's privacy settings.
function allow(pane) {
  const box = h("input", { type: "checkbox", checked: pane.seat.open, data: { id: "allow" } });
  box.addEventListener("change", () => pane.ask("allow_dms", { open: box.checked }));
  return h("label", { className: "allow" }, box, "Allow direct messages");
}

// A number that never takes much room.
export function few(count) {
  return count > 9 ? "9+" : String(count);
}

export function sign(place) {
  return { text: "#", thread: "↳ ", dm: "@" }[place.kind];
}
