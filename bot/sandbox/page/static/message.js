// Rendering a message.

import { avatar, h, dispatch } from "./dom.js";
import { isOnlyEmojis, markdown, stamp } from "./markdown.js";
import { components } from "./components.js";

const EPHEMERAL = 1 << 6;
const LOADING = 1 << 7;
const COMPONENTS_V2 = 1 << 15;
const THREAD_CREATED = 18;

export function renderMessage(pane, message) {
  const { client } = pane;
  const secret = Boolean(message.flags & EPHEMERAL);
  const body = h("div", { className: "body" });
  if (message.type === THREAD_CREATED) return threadNotice(pane, message);
  if (message.via) {
    const who = client.userName(message.via.user);
    body.append(h("p", { className: "via" }, h("b", {}, who), ` used `, h("span", { className: "command" }, `/${message.via.command}`)));
  }
  body.append(head(client, message));
  if (message.flags & LOADING) {
    body.append(h("p", { className: "thinking" }, h("span", { className: "dots", "aria-hidden": "true" }), `${message.author.global_name || message.author.username} is thinking…`));
  }
  if (message.content) body.append(h("div", { className: isOnlyEmojis(message.content) ? "text large" : "text" }, markdown(message.content, client)));
  for (const embed of message.embeds) body.append(renderEmbed(client, embed));
  if (!(message.flags & COMPONENTS_V2)) body.append(...message.attachments.map(renderAttachment));
  body.append(...components(pane, message, message.components));
  if (message.thread) body.append(threadLink(message.thread));
  body.append(h("p", { className: "trouble", role: "alert", hidden: true }));
  if (secret) {
    const dismiss = () => pane.request("dismiss", { channel: message.channel_id, message: message.id });
    body.append(
      h("p", { className: "only-you" }, "Only you can see this · ", h("button", { type: "button", className: "linkish", on: { click: dismiss } }, "Dismiss message")),
    );
  }
  const classes = ["message", secret && "secret", message.pings && "pinged"].filter(Boolean).join(" ");
  return h("article", { className: classes, data: { id: message.id }, tabindex: "-1" }, avatar(message.author.id, nameOf(message), message.author.avatar), body);
}

function nameOf(message) {
  return message.author.global_name || message.author.username;
}

function head(client, message) {
  const when = Date.parse(message.timestamp) / 1000;
  return h(
    "header",
    {},
    h("b", { className: "author" }, client.userName(message.author.id)),
    message.author.bot && h("span", { className: "tag" }, "APP"),
    h("span", { className: "when" }, stamp(when, "t")),
    message.edited_timestamp && h("span", { className: "edited", title: new Date(message.edited_timestamp).toLocaleString() }, "(edited)"),
  );
}

function threadNotice(pane, message) {
  const who = pane.client.userName(message.author.id);
  return h(
    "article",
    { className: "message notice", data: { id: message.id }, tabindex: "-1" },
    h("p", {}, h("b", {}, who), " started a thread: ", message.thread ? threadLink(message.thread) : message.content),
  );
}

function threadLink(thread) {
  const open = ({ currentTarget }) => dispatch(currentTarget, "jump", { channel: thread.id });
  return h("button", { type: "button", className: "thread-link", on: { click: open } }, `↳ ${thread.name}`);
}

export function renderAttachment(file) {
  if (!file.content_type?.startsWith("image/")) return renderFile(file.filename, file.size, file.url);
  return picture(file.url, file.description, file.width, file.height);
}

export function renderFile(name, size, url) {
  return h("p", { className: "file" }, h("a", { href: url, download: name }, name), h("span", { className: "when" }, ` ${Math.ceil(size / 1024)} KB`));
}

export function picture(url, alt, width, height) {
  const image = h("img", { src: url, alt: alt ?? "", width, height, title: alt, decoding: "async" });
  return h("a", { className: "picture", href: url, target: "_blank", rel: "noopener noreferrer", "aria-label": alt ? null : "Picture" }, image);
}

function renderEmbed(client, embed) {
  const box = h("div", { className: "embed" });
  if (embed.color !== undefined && embed.color !== null) box.style.setProperty("--stripe", colour(embed.color));
  if (embed.author?.name) box.append(h("p", { className: "subtext" }, embed.author.name));
  if (embed.title) box.append(h("h4", {}, ...markdown(embed.title, client)));
  if (embed.description) box.append(h("div", { className: "text" }, markdown(embed.description, client)));
  if (embed.fields?.length) {
    const fields = embed.fields.map((field) =>
      h("div", { className: field.inline ? "inline" : "" }, h("dt", {}, field.name), h("dd", {}, markdown(field.value, client))),
    );
    box.append(h("dl", {}, fields));
  }
  for (const part of ["image", "thumbnail"]) {
    if (embed[part]?.url) box.append(picture(embed[part].url, embed[part].description));
  }
  if (embed.footer?.text) box.append(h("p", { className: "subtext" }, embed.footer.text));
  return box;
}

export function colour(number) {
  return `#${number.toString(16).padStart(6, "0")}`;
}
