// What the options of commands may hold, and what a typed text means for them.

const STRING = 3;
const INTEGER = 4;
const BOOLEAN = 5;
const USER = 6;
const CHANNEL = 7;
const NUMBER = 10;

// The values of an option that the client itself knows, as rows to choose from; null where any text may do.
export function known(seat, option) {
  if (option.choices?.length) return option.choices.map((choice) => ({ label: choice.name, value: choice.value }));
  if (option.type === BOOLEAN) return [{ label: "True", value: true }, { label: "False", value: false }];
  if (option.type === USER) {
    const rank = (user) => (user.bot ? 2 : user.id === seat.me ? 1 : 0);
    const users = [...seat.users.values()].sort((a, b) => rank(a) - rank(b));
    return users.map((user) => ({ label: `@${user.name}`, description: ["", "you", "app"][rank(user)], value: user.id }));
  }
  if (option.type === CHANNEL) return seat.channels.filter((c) => c.kind !== "dm").map((c) => ({ label: `#${c.name}`, value: c.id }));
  return null;
}

// The rows that the bot itself offers for a text; raises what the sandbox refuses.
export async function completed(pane, command, option, text, others) {
  const fields = { channel: pane.current, command: command.name, option: option.name, value: text, options: others };
  const outcome = await pane.seat.ask("complete", fields);
  return { failed: outcome.failed, rows: (outcome.choices || []).map((choice) => ({ label: choice.name, value: choice.value })) };
}

export function bare(text) {
  return text.trim().toLowerCase().replace(/^[@#]/, "");
}

// The row that a text names in full, by its label or its value.
export function named(rows, text) {
  const is = (words) => bare(String(words)) === bare(text);
  return rows.find((row) => is(row.label)) || rows.find((row) => is(row.value));
}

// The first row that a text is the beginning of.
export function begun(rows, text) {
  const begins = (words) => bare(String(words)).startsWith(bare(text));
  return rows.find((row) => begins(row.label) || begins(row.value));
}

// What a typed text means without a list: a row, or nothing where only the list counts or the limits forbid it.
export function plain(option, text) {
  const value = option.type === STRING ? text : Number(text);
  const fits = option.type === STRING ? text.length >= (option.min_length ?? 0) : isNumber(option) && text.trim() && within(option, value);
  return fits && !option.choices?.length ? { label: text, value } : undefined;
}

export function isNumber(option) {
  return option.type === INTEGER || option.type === NUMBER;
}

function within(option, value) {
  const whole = option.type === NUMBER || Number.isInteger(value);
  return Number.isFinite(value) && whole && value >= (option.min_value ?? -Infinity) && value <= (option.max_value ?? Infinity);
}

// What an option wants, in a few words.
export function wanted(option) {
  const { min_value: least, max_value: most } = option;
  if (option.type === STRING && option.min_length && !option.choices?.length) return `at least ${option.min_length} characters`;
  if (!isNumber(option) || option.choices?.length) return "pick one from the list";
  const kind = option.type === INTEGER ? "a whole number" : "a number";
  if (least !== undefined && most !== undefined) return `${kind} from ${least} to ${most}`;
  return least !== undefined ? `${kind}, ${least} or more` : most !== undefined ? `${kind}, ${most} or less` : kind;
}
