// Rows of scalars without a module. The way by JSON text takes longer than the other package for GCF alone needs for its JSON: 35 and 28 ms
// for 2 MB of rows. `laws.test.mjs` compares both ways.
import { isExact } from "./values.js";

/** A key that is written without quotes (section 2a.1). */
const BARE_KEY = /^[A-Za-z_]\w*$/;

/** Most texts that need no quotes: the tests below take longer. */
const PLAIN = /^(?!true$|false$)[A-Z_a-z](?:[\w ./:-]*\w)?$/;

/** Texts that need quotes (section 2.4): by a character, the first or last one, as another scalar, or as the head of an array. */
const QUOTED = new RegExp(
  [
    /[|,\x80-\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]/,
    /^$|^[ #@.]| $/,
    /^(?:-|~|\^|\^\{[^]*\}|true|false)$/,
    /^(?:[+-]\.?\d|0\d|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$)/,
    // The innermost bracket decides, and so no text is looked at again from each bracket.
    /\[[^[\]]*\]\s*:/,
  ].map((each) => each.source).join("|"),
);

/** Texts with something to escape. */
const ESCAPED = /[\x00-\x1f"\\]/;

/** The text of an array of objects that have the same keys in one order and only scalars; `undefined` for all else. */
export function rowsText(rows) {
  if (!Array.isArray(rows) || rows.length === 0 || rows.toJSON !== undefined || !isRow(rows[0])) return undefined;
  const count = rows.length;
  const keys = Object.keys(rows[0]);
  if (keys.length === 0 || !keys.every((key) => BARE_KEY.test(key))) return undefined;
  // Joined, since a long text of many pieces is copied when it is read.
  const lines = ["GCF profile=generic", `## [${count}]{${keys.join(",")}}`];
  // Rows that differ do so at the end, too, more often than not.
  if (lineOf(rows[count - 1], keys) === undefined) return undefined;
  for (let index = 0; index < count; index++) {
    const line = lineOf(rows[index], keys);
    if (line === undefined) return undefined;
    lines.push(line);
  }
  // An accessor may have changed the array.
  return rows.length === count ? `${lines.join("\n")}\n` : undefined;
}

/** The cells of an object that has these keys and no others; `undefined` for all else. */
function lineOf(row, keys) {
  if (!isRow(row)) return undefined;
  let [place, line] = [0, ""];
  for (const key in row) {
    if (key !== keys[place] || !Object.hasOwn(row, key)) return undefined;
    const cell = cellOf(row[key]);
    if (cell === undefined) return undefined;
    line = place++ === 0 ? cell : `${line}|${cell}`;
  }
  return place === keys.length ? line : undefined;
}

function isRow(value) {
  if (typeof value !== "object" || value === null || Array.isArray(value) || value.toJSON !== undefined || JSON.isRawJSON?.(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The cell of a scalar; `undefined` for other values, and for scalars that may be an error. */
function cellOf(value) {
  switch (typeof value) {
    case "string":
      if (PLAIN.test(value)) return value;
      if (!value.isWellFormed()) return undefined;
      if (ESCAPED.test(value)) return JSON.stringify(value);
      return QUOTED.test(value) ? `"${value}"` : value;
    case "number":
      return isExact(value) ? String(value) : undefined;
    case "boolean":
      return value ? "true" : "false";
    default:
      return value === null ? "-" : undefined;
  }
}
