// The options of the verbs: an unknown one, and one of another type, are errors.
import { WireError } from "./error.js";

const isFunction = (value) => typeof value === "function";
const isNames = (value) => Array.isArray(value) && value.every((name) => typeof name === "string" || typeof name === "number");
const isText = (value) => typeof value === "string";
const isCount = (value) => Number.isInteger(value) && value >= 0 && value < 2 ** 32;
const isTruth = (value) => typeof value === "boolean";

/** What an option may be: a test, and its words. */
export const TYPES = {
  count: [isCount, "a number of tokens"],
  counter: [isFunction, "a function"],
  formats: [(value) => Array.isArray(value) && value.every((name) => ["json", "gcf", "gcx"].includes(name)), 'an array of "json", "gcf" or "gcx"'],
  list: [Array.isArray, "an array"],
  names: [isNames, "an array of names"],
  replacer: [(value) => isFunction(value) || isNames(value), "a function or an array of names"],
  reviver: [isFunction, "a function"],
  text: [isText, "a string"],
  truth: [isTruth, "a boolean"],
  turns: [(value) => isCount(value) && value > 0, "a number of turns"],
  warn: [isFunction, "a function"],
};

/** One of these texts. */
export const oneOf = (...texts) => [(value) => texts.includes(value), texts.map((text) => `"${text}"`).join(" or ")];

/** What `smallest` chooses by, and from. */
export const CHOICE = { counter: TYPES.counter, formats: TYPES.formats };
export const STRINGIFY = { replacer: TYPES.replacer, maps: TYPES.truth };
export const PARSE = { reviver: TYPES.reviver, bigint: TYPES.truth };

/**
 * The options that were given. `null` is none. With `first`, a function or an array in their place is that option, as in the functions of
 * `JSON`.
 */
export function checked(given, known, first) {
  if (given === undefined || given === null) return {};
  if (first !== undefined && (typeof given === "function" || Array.isArray(given))) return checked({ [first]: given }, known);
  if (typeof given !== "object" || Array.isArray(given)) throw new TypeError(`the options are ${named(given)}, expected an object`);
  for (const [name, value] of Object.entries(given)) {
    const type = Object.hasOwn(known, name) ? known[name] : undefined;
    if (type === undefined) invalid(`there is no option ${JSON.stringify(name)}, expected ${Object.keys(known).join(", ") || "none"}`);
    const [fits, words] = type;
    if (value !== undefined && !fits(value)) invalid(`${name} is ${named(value)}, expected ${words}`);
  }
  return given;
}

/** Refuses an option. */
export function invalid(message) {
  throw new WireError({ code: "invalid_option", message });
}

/** How messages call a value. */
function named(value) {
  if (typeof value === "string") return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "an array" : "an object";
  return typeof value === "function" ? "a function" : String(value);
}

/** The count of a text by a function of the caller. */
export function counted(counter, text) {
  const count = counter(text);
  if (typeof count !== "number" || !(count >= 0 && count < 2 ** 32)) {
    invalid(`counter returned ${count instanceof Promise ? "a promise" : named(count)}, expected a number of tokens`);
  }
  return Math.ceil(count);
}
