// The smaller of minified JSON and GCF 3.5, by an estimate of tokens that needs no vocabulary (ruling X17).
import { encode as write, type Json } from "./gcf.js";

export type { Json } from "./gcf.js";

/** The GCF of what `JSON.parse` made, always; a `RangeError` for more than 127 levels. */
export const encode = (value: Json): string => write(value);

/** JSON stays unless it has over 5 % more tokens than GCF, which is the margin of an estimate: in hundredths of those of GCF. */
const MARGIN = 105;
/** A text of more than so many times the characters of JSON has more tokens, unless it is short. */
const MOST_TIMES = 16;

/** Kinds of ASCII characters: 0 marks, 1 small letters, 2 capitals, 3 digits, 4 tabs and ends of lines, 5 spaces. */
const KIND = /* @__PURE__ */ Uint8Array.from({ length: 128 }, (_, code) => [/[a-z]/, /[A-Z]/, /\d/, /[\n\r\t]/, / /].findIndex((kind) => kind.test(String.fromCharCode(code))) + 1);

/** The tokens of a text, as today's vocabularies count it within about 15 %: a sum over runs of characters, in quarters of a token. */
export function estimate(text: string): number {
  let [quarters, last, run] = [0, 7, 0];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code > 127) {
      // The second half of a pair has been counted with the first.
      quarters += code < 0x800 ? 2 : code >>> 10 === 0x37 ? 0 : 4;
      last = 7;
      continue;
    }
    const kind = KIND[code];
    // Small letters go on after capitals.
    run = kind === last || (kind === 1 && last === 2) ? run + 1 : 1;
    last = kind;
    if (kind === 0) quarters += run === 1 ? 4 : run > 3 ? 2 : 0;
    else if (kind < 3) quarters += run === 1 ? 3 : run > 6 ? 1 : 0;
    else if (kind === 3) quarters += run % 3 === 1 ? 5 : 0;
    else if (kind === 4) quarters += run === 1 ? 4 : 0;
    else quarters += run > 1 ? 1 : 0;
  }
  return Math.ceil(quarters / 4);
}

/** JSON, or the GCF of its value if that has fewer tokens. */
function smaller(json: string, value: Json): string {
  try {
    const gcf = write(value, Math.max(65536, json.length * MOST_TIMES));
    const [ofJson, ofGcf] = [estimate(json), estimate(gcf)];
    return ofJson * 100 <= ofGcf * MARGIN ? json : gcf;
  } catch {
    return json; // it is too deep, or GCF has more tokens by far
  }
}

/** Whether JSON that `JSON.stringify` wrote has half of a surrogate pair, which no text in UTF-8 has. */
const hasHalf = (json: string) => json.includes("\\ud") && json.replace(/\\\\/g, "").includes("\\ud");

/** A value as text, in the place of `JSON.stringify(value)`: GCF if that saves over 5 % of the tokens, else the same JSON. */
export function stringify(value: unknown): string | undefined {
  const json = JSON.stringify(value);
  return /^[[{]/.test(json) && !hasHalf(json) ? smaller(json, JSON.parse(json)) : json;
}

/** What a model reads of a value: text as `rewrite` returns it, any other value as `stringify` does. Always a string. */
export const text = (value: unknown): string => (typeof value === "string" ? rewrite(value) : (stringify(value) ?? "null"));

/** A string, a number, or white space. */
const PARTS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|\s+/g;

/** JSON text with fewer tokens: minified, or as GCF. Any other text, and JSON that JavaScript's values do not hold, is returned as it is. */
export function rewrite(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    const value: Json = JSON.parse(text);
    const minified = (number: (digits: string) => string) =>
      text.replace(PARTS, (part) => (part[0] === '"' ? (part.includes("\\") ? JSON.stringify(JSON.parse(part)) : part) : part.trim() && number(part)));
    const [json, held] = [minified((digits) => digits), JSON.stringify(value)];
    // A key twice, keys that are integers and were in another order, digits that no double has.
    const isHeld = (json === held && !/\d{16}/.test(json)) || minified((digits) => (isExact(digits) ? `${Number(digits)}` : "?")) === held;
    return isHeld && !hasHalf(json) ? smaller(json, value) : text;
  } catch {
    return text; // no JSON, or more of it than the engine's own functions can take
  }
}

/** Whether a double has all digits of a number, and is written as an integer where that is one. */
function isExact(digits: string): boolean {
  const double = Number(digits);
  if (!/[.eE]/.test(digits)) return Number.isSafeInteger(double) && digits !== "-0";
  if (Math.abs(double) >= 2 ** 53) return false;
  return `${double}` === digits || (double === 0 ? /^0(?:\.0+)?$/.test(digits) : /^-?[\d.]{1,16}(?:[eE][+-]?\d\d?)?$/.test(digits));
}
