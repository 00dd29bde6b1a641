// The page: one pane, or two side by side, each showing Discord as one person sees it.

import { h, recall, remember } from "./dom.js";
import { markdown, refreshTimes } from "./markdown.js";
import { Pane } from "./pane.js";
import { Client } from "./client.js";

const WIDE = matchMedia("(min-width: 1000px)");
const NARROW = matchMedia("(max-width: 560px)");
const TIMES_MS = 5000;
const LABELS = ["First person", "Second person"];

async function start() {
  const { bot, greeting, people } = await (await fetch("/sandbox/people")).json();
  document.title = `${bot} · Sandbox`;
  document.getElementById("title").textContent = bot;
  const clients = people.map((person) => new Client(person));
  showGreeting(greeting, createPanes(clients));
  setInterval(refreshTimes, TIMES_MS);
}

function createPanes(clients) {
  const holder = document.getElementById("panes");
  const toggle = document.getElementById("layout");
  const panes = clients.slice(0, 2).map((client, index) => {
    const key = `person-${index + 1}`; // The pane shows the same person as last time.
    const last = clients.find((other) => other.userId === recall(key));
    return new Pane(clients, last ?? client, LABELS[index], (shown) => remember(key, shown.userId));
  });
  const draw = () => {
    const two = panes.length > 1 && WIDE.matches && recall("layout") !== "one";
    toggle.textContent = two ? "One person" : "Two people";
    toggle.hidden = panes.length < 2;
    holder.replaceChildren(...(two ? panes : panes.slice(0, 1)).map((pane) => pane.element));
    holder.className = two ? "two" : "one";
    for (const pane of panes) {
      pane.scrollToEnd();
      pane.markRead();
    }
  };
  toggle.addEventListener("click", () => {
    remember("layout", recall("layout") === "one" ? "two" : "one");
    draw();
  });
  WIDE.addEventListener("change", draw);
  draw();
  return panes[0];
}

// The greeting is shown in full, shortened or hidden. It is shortened on phones, and after the first command.
function showGreeting(words, pane) {
  const panel = document.getElementById("greeting");
  const help = document.getElementById("help");
  help.hidden = !words;
  if (!words) return;
  const show = (state) => {
    panel.hidden = state === "hidden";
    panel.classList.toggle("short", state === "short");
    help.setAttribute("aria-expanded", String(state === "whole"));
    remember("greeting", state);
  };
  const whole = () => !panel.hidden && !panel.classList.contains("short");
  const text = h("div", { className: "text" });
  const all = h("button", { type: "button", className: "quiet all", on: { click: () => show("whole") } }, "Show all ▾");
  const hide = h("button", { type: "button", className: "quiet", on: { click: () => show("hidden") } }, "Got it");
  panel.append(text, all, hide);
  // Channel names are known once the client is ready. Clicks act as the person shown in the pane at that time.
  const { client } = pane;
  client.addEventListener("ready", () => text.replaceChildren(...markdown(words, client)));
  pane.followClicks(panel);
  help.addEventListener("click", () => show(whole() ? "hidden" : "whole"));
  document.addEventListener("used", () => whole() && show("short"), { once: true });
  show(recall("greeting") ?? (NARROW.matches ? "short" : "whole"));
}

start();
