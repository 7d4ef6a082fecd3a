// Values of JavaScript as JSON text, and back.
import { WireError } from "./error.js";

// Deeper values are an error of every format.
const MOST_LEVELS = 500;

// `JSON.stringify` writes `{}` for these, without what is in them.
const OPAQUE = [Map, Set, WeakMap, WeakSet, Promise, RegExp, Error, ArrayBuffer];

/** The JSON text of a value. */
export function toText(value, { replacer, maps = false } = {}) {
  // The engine's own writer takes a third of the time of the one below.
  if (replacer === undefined && isPlain(value, MOST_LEVELS)) return JSON.stringify(value);
  const writer = new Writer(replacer, maps);
  const text = writer.member({ "": value }, "");
  return text ?? refuse(writer.path, "invalid_value", "undefined is not a value of JSON");
}

/** Whether `JSON.stringify` writes a number with its digits: it does not for NaN, infinities, and integers beyond 2^53. */
const isExact = (value) => Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value));

/** Whether `JSON.stringify` writes all of a value. With `isHeld` the value is also what `JSON.parse` makes of that text, in UTF-8. */
export function isPlain(value, levels, isHeld = false) {
  switch (typeof value) {
    case "string":
      return !isHeld || value.isWellFormed();
    case "boolean":
      return true;
    case "number":
      return isExact(value);
    case "object":
      break;
    default:
      return false;
  }
  if (value === null) return true;
  if (levels === 0 || value.toJSON !== undefined) return false;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      if (!isPlain(value[index], levels - 1, isHeld)) return false;
    }
    return true;
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const key in value) {
    const member = value[key];
    if (isHeld ? !isPlain(member, levels - 1, true) || !key.isWellFormed() : member !== undefined && !isPlain(member, levels - 1)) return false;
  }
  return true;
}

/** A finite number. Integers of 64 bits have their digits, where `JSON.stringify` writes zeros for some; larger ones are doubles. */
function numberText(value) {
  if (isExact(value)) return String(value);
  return value >= -(2 ** 63) && value < 2 ** 63 ? String(BigInt(value)) : value.toExponential();
}

/** Writes what `JSON.stringify` would change, or refuses it with its path. */
class Writer {
  constructor(replacer, maps) {
    this.replace = typeof replacer === "function" ? replacer : undefined;
    this.names = Array.isArray(replacer) ? [...new Set(replacer.map(String))] : undefined;
    this.maps = maps;
    this.path = [];
    this.open = new Set();
  }

  /** The text of a member; `undefined` if it is undefined. */
  member(holder, key) {
    let value = holder[key];
    if (typeof value === "object" && typeof value?.toJSON === "function") value = value.toJSON(key);
    if (this.replace) value = this.replace.call(holder, key, value);
    if (value instanceof Number || value instanceof String || value instanceof Boolean || value instanceof BigInt) {
      value = value.valueOf();
    }
    switch (typeof value) {
      case "undefined":
        return undefined;
      case "boolean":
      case "bigint":
        return String(value);
      case "string":
        return JSON.stringify(value);
      case "number":
        if (!Number.isFinite(value)) refuse(this.path, "non_finite_number", `${value} is not a number of JSON`);
        return numberText(value);
      case "object":
        return value === null ? "null" : this.container(value);
      default:
        return refuse(this.path, "invalid_value", `a ${typeof value} is not a value of JSON`);
    }
  }

  container(value) {
    if (this.open.has(value)) refuse(this.path, "too_deep", "the object contains itself");
    if (this.open.size === MOST_LEVELS) refuse(this.path, "too_deep", `there are more than ${MOST_LEVELS} levels`);
    this.open.add(value);
    const text = Array.isArray(value) ? this.array(value) : this.object(value);
    this.open.delete(value);
    return text;
  }

  array(array) {
    const items = [];
    for (let index = 0; index < array.length; index++) {
      this.path.push(index);
      items.push(this.member(array, String(index)) ?? refuse(this.path, "invalid_value", "undefined in an array is not a value of JSON"));
      this.path.pop();
    }
    return `[${items.join()}]`;
  }

  object(given) {
    let object = given;
    if (this.maps && given instanceof Map) {
      object = Object.create(null);
      for (const [key, value] of given) {
        if (typeof key !== "string") refuse(this.path, "invalid_value", `a key of a Map is a ${typeof key}, expected a string`);
        Object.defineProperty(object, key, { value, enumerable: true });
      }
    } else if (OPAQUE.some((type) => given instanceof type)) {
      const name = given.constructor?.name ?? "object";
      const article = /^[AEIOU]/.test(name) ? "an" : "a";
      const hint = given instanceof Map ? "; `maps: true` writes it as an object" : "";
      refuse(this.path, "invalid_value", `${article} ${name} is not a value of JSON${hint}`);
    }
    const members = [];
    for (const key of this.names ?? Object.keys(object)) {
      this.path.push(key);
      const text = this.member(object, key);
      this.path.pop();
      if (text !== undefined) members.push(`${JSON.stringify(key)}:${text}`);
    }
    return `{${members.join()}}`;
  }
}

function refuse(path, code, message) {
  const shown = pathText(path);
  throw new WireError({ code, message: `${shown}: ${message}`, path: shown });
}

function pathText(path) {
  return `$${path.map((key) => (typeof key === "number" ? `[${key}]` : /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`)).join("")}`;
}

/** The strings of a JSON text with their places, and all between them: patterns of whole strings need the engine's stack for long ones. */
function* pieces(json) {
  let from = 0;
  while (from < json.length) {
    const start = json.indexOf('"', from);
    if (start < 0) break;
    yield { text: json.slice(from, start), index: from };
    let end = start;
    let escapes;
    do {
      end = json.indexOf('"', end + 1);
      if (end < 0) end = json.length;
      escapes = 0;
      while (json[end - 1 - escapes] === "\\") escapes++;
    } while (escapes % 2 === 1 && end < json.length);
    from = end + 1;
    yield { text: json.slice(start, from), index: start, isString: true, isWhole: end < json.length };
  }
  yield { text: json.slice(from), index: from };
}

const NUMBERS = /-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

/** The value of the JSON text that a format decodes to. */
export function toValue(text, { reviver, bigint = false } = {}) {
  // `JSON.parse` makes an infinity of a number that no double holds.
  if (/[eE]\+?\d{3}|\d{309}/.test(text)) {
    for (const piece of pieces(text)) {
      if (piece.isString) continue;
      for (const { 0: found, index } of piece.text.matchAll(NUMBERS)) {
        if (Number.isFinite(Number(found))) continue;
        const path = pathAt(text, new TextEncoder().encode(text.slice(0, piece.index + index)).length);
        throw new WireError({ code: "out_of_range", message: `${path}: the number is beyond the range of doubles`, path });
      }
    }
  }
  // Only numbers of 16 digits and more can be beyond the integers of doubles.
  if (!bigint || !/\d{16}/.test(text)) return JSON.parse(text, reviver);
  // Such integers become strings that begin with a NUL, and so do strings that begin with one already.
  const isKept = (found) => /[.eE]/.test(found) || Number.isSafeInteger(Number(found));
  const mark = (piece) => {
    if (!piece.isString) return piece.text.replace(NUMBERS, (found) => (isKept(found) ? found : `"\\u0000n${found}"`));
    const isKey = text[piece.index + piece.text.length] === ":";
    return piece.text.startsWith('"\\u0000') && !isKey ? `"\\u0000s${piece.text.slice(1)}` : piece.text;
  };
  const marked = Array.from(pieces(text), mark).join("");
  return JSON.parse(marked, function (key, given) {
    let value = given;
    if (typeof value === "string" && value[0] === "\0") value = value[1] === "n" ? BigInt(value.slice(2)) : value.slice(2);
    return reviver === undefined ? value : reviver.call(this, key, value);
  });
}

/** The path of the value at or before an offset in bytes of a JSON text that `toText` made. */
export function pathAt(json, offset) {
  const text = new TextDecoder().decode(new TextEncoder().encode(json).subarray(0, offset));
  const path = [];
  let isKey = false;
  const tokens = Array.from(pieces(text)).flatMap((piece) => (piece.isString ? [piece] : (piece.text.match(/[[\]{},:]/g) ?? []).map((mark) => ({ text: mark }))));
  for (const { text: token, isWhole } of tokens) {
    if (token === "[") path.push(0);
    else if (token === "{") path.push(undefined);
    else if (token === "]" || token === "}") path.pop();
    else if (token === "," && typeof path.at(-1) === "number") path[path.length - 1]++;
    if (token === "{" || (token === "," && typeof path.at(-1) !== "number")) isKey = true;
    else if (token === ":" || token === "[") isKey = false;
    else if (isKey && isWhole) path[path.length - 1] = JSON.parse(token);
  }
  return pathText(path.filter((key) => key !== undefined));
}
