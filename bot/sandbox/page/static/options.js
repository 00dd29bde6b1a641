// Values of command options, and parsing typed text as a value.

const STRING = 3;
const INTEGER = 4;
const BOOLEAN = 5;
const USER = 6;
const CHANNEL = 7;
const NUMBER = 10;

// The values of an option that the client knows, as rows for a list. Null if the option takes free text.
export function fixedRows(client, option) {
  if (option.choices?.length) return option.choices.map((choice) => ({ label: choice.name, value: choice.value }));
  if (option.type === BOOLEAN) return [{ label: "True", value: true }, { label: "False", value: false }];
  if (option.type === USER) {
    const rank = (user) => (user.bot ? 2 : user.id === client.userId ? 1 : 0);
    const users = [...client.users.values()].sort((a, b) => rank(a) - rank(b));
    return users.map((user) => ({ label: `@${user.name}`, description: ["", "you", "app"][rank(user)], value: user.id }));
  }
  if (option.type === CHANNEL) return client.channels.filter((c) => c.kind !== "dm").map((c) => ({ label: `#${c.name}`, value: c.id }));
  return null;
}

// Ask the bot for autocomplete choices. Throws if the sandbox refuses the request.
export async function autocomplete(pane, command, option, text, others) {
  const fields = { channel: pane.current, command: command.name, option: option.name, value: text, options: others };
  const outcome = await pane.client.request("complete", fields);
  return { failed: outcome.failed, rows: (outcome.choices || []).map((choice) => ({ label: choice.name, value: choice.value })) };
}

export function normalized(text) {
  return text.trim().toLowerCase().replace(/^[@#]/, "");
}

// The row whose label or value equals a text.
export function exactRow(rows, text) {
  const is = (words) => normalized(String(words)) === normalized(text);
  return rows.find((row) => is(row.label)) || rows.find((row) => is(row.value));
}

// The first row whose label or value begins with a text.
export function prefixRow(rows, text) {
  const begins = (words) => normalized(String(words)).startsWith(normalized(text));
  return rows.find((row) => begins(row.label) || begins(row.value));
}

// The row for a typed text. Undefined if the option takes only values from its list, or if the text exceeds its limits.
export function parsedRow(option, text) {
  const value = option.type === STRING ? text : Number(text);
  const fits = option.type === STRING ? text.length >= (option.min_length ?? 0) : isNumber(option) && text.trim() && isInRange(option, value);
  return fits && !option.choices?.length ? { label: text, value } : undefined;
}

// Whether an option takes any text, even if the bot completes it.
export function isFreeText(option) {
  return option.type === STRING && !option.choices?.length;
}

export function isNumber(option) {
  return option.type === INTEGER || option.type === NUMBER;
}

function isInRange(option, value) {
  const whole = option.type === NUMBER || Number.isInteger(value);
  return Number.isFinite(value) && whole && value >= (option.min_value ?? -Infinity) && value <= (option.max_value ?? Infinity);
}

// Describe the values that an option accepts.
export function requirement(option) {
  const { min_value: least, max_value: most } = option;
  if (option.type === STRING && option.min_length && !option.choices?.length) return `at least ${option.min_length} characters`;
  if (!isNumber(option) || option.choices?.length) return "choose one from the list";
  const kind = option.type === INTEGER ? "a whole number" : "a number";
  if (least !== undefined && most !== undefined) return `${kind} from ${least} to ${most}`;
  return least !== undefined ? `${kind}, ${least} or more` : most !== undefined ? `${kind}, ${most} or less` : kind;
}
