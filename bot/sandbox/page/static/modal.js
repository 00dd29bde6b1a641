// Rendering a modal.

import { h, uniqueId } from "./dom.js";
import { markdown } from "./markdown.js";
import { entities, listbox } from "./components.js";

export function showModal(pane, modal) {
  const values = {};
  const trouble = h("p", { className: "trouble", role: "alert", hidden: true });
  const heading = uniqueId("modal");
  const submit = h("button", { type: "submit", className: "button primary" }, "Submit");
  const close = () => {
    dialog.close();
    dialog.remove();
  };
  const send = async (event) => {
    event.preventDefault();
    submit.disabled = true;
    try {
      const outcome = await pane.client.request("submit", { modal: modal.id, fields: values });
      if (outcome.failed) throw new Error("Something went wrong. Try again.");
      close();
      pane.showOutcome(outcome);
    } catch (problem) {
      trouble.textContent = problem.message;
      trouble.hidden = false;
      submit.disabled = false;
    }
  };
  const dialog = h(
    "dialog",
    { className: "modal", "aria-labelledby": heading },
    h(
      "form",
      { on: { submit: send } },
      h("p", { className: "for" }, `Only ${pane.client.name} can see this`),
      h("h2", { id: heading }, modal.title),
      modal.components.map((part) => field(pane, part, values)),
      trouble,
      h("div", { className: "row end" }, h("button", { type: "button", className: "button secondary", on: { click: close } }, "Cancel"), submit),
    ),
  );
  pane.followClicks(dialog);
  document.body.append(dialog);
  dialog.addEventListener("cancel", close);
  dialog.showModal();
}

function field(pane, part, values) {
  if (part.type === 10) return h("div", { className: "text" }, markdown(part.content, pane.client));
  const input = part.type === 18 ? part.component : part.components[0];
  const id = uniqueId("field");
  const name = part.label || input.label || "";
  const required = input.required !== false && input.type !== 23;
  const caption = [name, required ? h("span", { className: "needed", title: "required" }, " *") : ""];
  const note = part.description && h("span", { className: "description" }, part.description);
  if (input.type === 3 || (input.type >= 5 && input.type <= 8)) {
    return group(caption, note, select(pane, input, values, name));
  }
  if (input.type === 21 || input.type === 22) return group(caption, note, choiceGroup(input, values));
  if (input.type === 23) {
    const box = h("input", { type: "checkbox", id, checked: input.default });
    box.addEventListener("change", () => (values[input.custom_id] = box.checked));
    return h("div", { className: "field" }, h("label", { for: id }, box, " ", name), note);
  }
  const limits = { minlength: input.min_length, maxlength: input.max_length, required, placeholder: input.placeholder, id };
  const text = input.style === 2 ? h("textarea", { rows: 4, ...limits }) : h("input", { type: "text", autocomplete: "off", ...limits });
  text.value = input.value || "";
  values[input.custom_id] = text.value;
  text.addEventListener("input", () => (values[input.custom_id] = text.value));
  return h("div", { className: "field" }, h("label", { for: id }, caption), note, text);
}

function group(caption, note, content) {
  return h("fieldset", { className: "field" }, h("legend", {}, caption), note, content);
}

function select(pane, input, values, name) {
  const options = input.type === 3 ? input.options : entities(pane, input.type);
  const most = Math.min(input.max_values ?? 1, options.length);
  const shown = h("p", { className: "chosen" }, options.filter((option) => option.default).map((option) => option.label).join(", ") || "Nothing selected");
  const box = listbox(options, { most, least: input.min_values ?? 1, label: name }, (picked) => {
    values[input.custom_id] = picked;
    const labels = options.filter((option) => picked.includes(option.value)).map((option) => option.label);
    shown.textContent = labels.join(", ") || "Nothing selected";
    for (const [at, item] of [...box.querySelectorAll("[role=option]")].entries()) {
      item.setAttribute("aria-selected", String(picked.includes(options[at].value)));
    }
  });
  box.querySelector("[role=option]")?.setAttribute("tabindex", "0");
  return h("div", {}, shown, box);
}

function choiceGroup(input, values) {
  const kind = input.type === 21 ? "radio" : "checkbox";
  const name = uniqueId("choice");
  return input.options.map((option) => {
    const box = h("input", { type: kind, name, value: option.value, checked: option.default });
    box.addEventListener("change", () => {
      const all = [...box.closest("fieldset").querySelectorAll("input:checked")];
      values[input.custom_id] = all.map((one) => one.value);
    });
    return h("label", { className: "choice" }, box, " ", option.label, option.description && h("span", { className: "description" }, option.description));
  });
}
