// Components: layouts, pictures, buttons and menus.

import { h, uniqueId } from "./dom.js";
import { emoji, link, markdown } from "./markdown.js";
import { colour, picture, renderFile } from "./message.js";

// A list opens downwards if there is room for at least this many pixels below its button.
const ROOM = 260;
const STYLES = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link" };

export function components(pane, message, rows) {
  return (rows || []).map((row) => component(pane, message, row)).filter(Boolean);
}

function component(pane, message, row) {
  switch (row.type) {
    case 1:
      return h("div", { className: "row" }, components(pane, message, row.components));
    case 2:
      return button(pane, message, row);
    case 3:
    case 5:
    case 6:
    case 7:
    case 8:
      return menu(pane, message, row);
    case 9: {
      const words = h("div", { className: "section-text" }, components(pane, message, row.components));
      return h("div", { className: "section" }, words, component(pane, message, row.accessory));
    }
    case 10:
      return h("div", { className: "text" }, markdown(row.content, pane.client));
    case 11:
      return h("div", { className: "thumbnail" }, media(row.media, row));
    case 12:
      return h("div", { className: `gallery of${Math.min(row.items.length, 4)}` }, row.items.map((item) => media(item.media, item)));
    case 13:
      return renderFile(row.name, row.size, row.file.url);
    case 14:
      return h("hr", { className: `${row.divider === false ? "blank" : ""} ${row.spacing === 2 ? "wide" : ""}` });
    case 17: {
      const box = h("div", { className: "container" }, components(pane, message, row.components));
      if (row.accent_color !== undefined && row.accent_color !== null) box.style.setProperty("--stripe", colour(row.accent_color));
      return row.spoiler ? h("details", {}, h("summary", {}, "Spoiler"), box) : box;
    }
    default:
      return null;
  }
}

function media(item, owner) {
  const shown = picture(item.url, owner.description, item.width, item.height);
  return owner.spoiler ? h("details", {}, h("summary", {}, "Spoiler"), shown) : shown;
}

// The emoji and the label of a button or an option. A missing emoji or label is left out.
function labelled(row) {
  return [row.emoji?.name && emoji(row.emoji), row.label].filter(Boolean);
}

function button(pane, message, row) {
  const words = labelled(row);
  if (row.style === 5) {
    const anchor = link(pane.client, row.url, words);
    anchor.className = "button link";
    return anchor;
  }
  const press = () => pane.useComponent(message, "press", { custom_id: row.custom_id });
  return h(
    "button",
    { type: "button", className: `button ${STYLES[row.style]}`, disabled: row.disabled, data: { custom: row.custom_id }, on: { click: press } },
    ...words,
  );
}

function menu(pane, message, row) {
  const chosen = new Set((row.default_values || []).map((value) => value.id));
  const options =
    row.type === 3 ? row.options : entities(pane, row.type).map((option) => ({ ...option, default: chosen.has(option.value) }));
  const most = Math.min(row.max_values ?? 1, options.length);
  const preset = options.filter((option) => option.default);
  const words = preset.flatMap((option, at) => [at > 0 && ", ", ...labelled(option)]);
  const box = listbox(options, { most, least: row.min_values ?? 1, label: row.placeholder || "Options" }, (values) => {
    close();
    pane.useComponent(message, "choose", { custom_id: row.custom_id, values });
  });
  const close = () => {
    box.hidePopover();
    opener.focus({ preventScroll: true });
  };
  const opener = h(
    "button",
    {
      type: "button",
      className: `menu${preset.length ? "" : " unset"}`,
      disabled: row.disabled,
      "aria-haspopup": "listbox",
      "aria-expanded": "false",
      data: { custom: row.custom_id },
    },
    preset.length ? words : row.placeholder || "Make a selection",
  );
  openAsPopover(box, opener);
  return h("div", { className: "menu-holder" }, opener, box);
}

// Open a list over the page, below or above its button, so that nothing moves under the pointer.
function openAsPopover(box, opener) {
  box.popover = "auto";
  opener.popoverTargetElement = box;
  // Keep the second half of a double click from closing the list.
  opener.addEventListener("click", (event) => event.detail > 1 && event.preventDefault());
  const place = () => {
    const { left, top, bottom, width } = opener.getBoundingClientRect();
    const below = innerHeight - bottom;
    const down = below >= Math.min(ROOM, top);
    box.style.left = `${left}px`;
    box.style.width = `${width}px`;
    box.style.top = down ? `${bottom}px` : "auto";
    box.style.bottom = down ? "auto" : `${innerHeight - top}px`;
    box.style.maxHeight = `${down ? below : top}px`;
  };
  box.addEventListener("beforetoggle", (event) => {
    const log = opener.closest(".log");
    log.removeEventListener("scroll", place);
    if (event.newState !== "open") return;
    log.addEventListener("scroll", place);
    place();
  });
  box.addEventListener("toggle", (event) => {
    const open = event.newState === "open";
    opener.setAttribute("aria-expanded", String(open));
    if (open) (box.querySelector("[aria-selected=true]") || box.querySelector("[role=option]"))?.focus();
  });
}

// The options of user and channel menus, which come from the client and not from the bot.
export function entities(pane, type) {
  const users = [...pane.client.users.values()].map((user) => ({ label: user.name, value: user.id, description: user.bot ? "app" : null }));
  const channels = pane.client.channels
    .filter((channel) => channel.kind !== "dm")
    .map((channel) => ({ label: `#${channel.name}`, value: channel.id }));
  return { 5: users, 6: [], 7: users, 8: channels }[type];
}

// A list of options. A single choice takes effect immediately; multiple choices are confirmed with a button.
export function listbox(options, { most, least, label }, done) {
  const single = most <= 1;
  const chosen = new Set(options.filter((option) => option.default).map((option) => option.value));
  const list = h("ul", { role: "listbox", "aria-label": label, "aria-multiselectable": single ? null : "true", id: uniqueId("list") });
  const finish = h("button", { type: "button", className: "button primary", on: { click: () => done([...chosen]) } }, "Done");
  const check = () => {
    finish.disabled = chosen.size < least || chosen.size > most;
  };
  const pick = (option, item) => {
    if (single) return done([option.value]);
    if (!chosen.delete(option.value)) chosen.add(option.value);
    item.setAttribute("aria-selected", String(chosen.has(option.value)));
    check();
  };
  for (const option of options) {
    const item = h(
      "li",
      { role: "option", tabindex: "-1", "aria-selected": String(chosen.has(option.value)) },
      h("span", {}, labelled(option)),
      option.description && h("span", { className: "description" }, option.description),
    );
    item.addEventListener("click", () => pick(option, item));
    // The pointer moves the keyboard focus, so that only one option is highlighted.
    item.addEventListener("mousemove", () => list.contains(document.activeElement) && item.focus({ preventScroll: true }));
    item.addEventListener("keydown", (event) => {
      const items = [...list.children];
      const at = items.indexOf(item);
      const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
      if (event.key === "Enter" || event.key === " ") pick(option, item);
      else if (next !== undefined) items[(next + items.length) % items.length].focus();
      else return;
      event.preventDefault();
    });
    list.append(item);
  }
  check();
  return h("div", { className: "listbox" }, list, !single && finish);
}
