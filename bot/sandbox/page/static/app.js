// The page: the people of the sandbox, one or two of them on the screen.

import { h, recall, remember } from "./dom.js";
import { markdown, refreshTimes } from "./markdown.js";
import { Pane } from "./pane.js";
import { Seat } from "./seat.js";

const WIDE = matchMedia("(min-width: 1000px)");
const NARROW = matchMedia("(max-width: 560px)");
const TIMES_MS = 5000;

async function start() {
  const { bot, greeting, people } = await (await fetch("/sandbox/people")).json();
  document.title = `${bot} · Sandbox`;
  document.getElementById("title").textContent = bot;
  const seats = people.map((person) => new Seat(person));
  greet(greeting, arrange(seats));
  setInterval(refreshTimes, TIMES_MS);
}

function arrange(seats) {
  const holder = document.getElementById("panes");
  const toggle = document.getElementById("seats");
  const panes = [new Pane(seats, seats[0], "First seat")];
  if (seats.length > 1) panes.push(new Pane(seats, seats[1], "Second seat"));
  const draw = () => {
    const two = panes.length > 1 && WIDE.matches && recall("seats") !== "one";
    toggle.textContent = two ? "One seat" : "Two seats";
    toggle.hidden = panes.length < 2;
    holder.replaceChildren(...(two ? panes : panes.slice(0, 1)).map((pane) => pane.element));
    holder.className = two ? "two" : "one";
    for (const pane of panes) {
      pane.toEnd();
      pane.seen();
    }
  };
  toggle.addEventListener("click", () => {
    remember("seats", recall("seats") === "one" ? "two" : "one");
    draw();
  });
  WIDE.addEventListener("change", draw);
  draw();
  return panes[0];
}

// The words for newcomers are shown whole, short or not at all: short on phones, and as soon as a command was used.
function greet(words, pane) {
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
  // Channels have names once the seat is ready; what is clicked happens to whoever sits in the pane by then.
  const { seat } = pane;
  seat.addEventListener("ready", () => text.replaceChildren(...markdown(words, seat)));
  pane.heed(panel);
  help.addEventListener("click", () => show(whole() ? "hidden" : "whole"));
  document.addEventListener("used", () => whole() && show("short"), { once: true });
  show(recall("greeting") ?? (NARROW.matches ? "short" : "whole"));
}

start();
