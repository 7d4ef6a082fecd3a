// Whether the result of a tool may have to be quoted exactly, by the words of its name: the rules 1 to 3 of ruling M5, of which
// `wire-mcp/src/reads.rs` has all. The tables are the same, and a test compares both.
import TABLES from "./words.js";

/** The words of a tool's own name, up to one such as `by` or `from`. The part before the last `__` is the name of a server. */
function wordsOf(name) {
  const found = name.split("__").pop().match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? [];
  const words = found.map((word) => word.toLowerCase());
  const cut = words.findIndex((word, index) => index > 0 && TABLES.cuts.includes(word));
  return cut < 0 ? words : words.slice(0, cut);
}

export function readsFile(name) {
  const words = wordsOf(name);
  const hasOne = (table) => words.some((word) => TABLES[table].includes(word));
  if (words.length < 2) return hasOne("alone");
  return /(^| )(fs read|git show)$/.test(words.join(" ")) || (hasOne("verbs") && hasOne("things") && !hasOne("others"));
}

export function mayBeQuoted(name, result) {
  if (readsFile(name)) return true;
  const words = wordsOf(name);
  return words.length > 1 && [words[0], words[1], words[words.length - 1]].some((word) => TABLES.reads.includes(word)) && hasLong(parsed(result));
}

/** The value of a result as JSON, so that it is the same of a history that was saved; a text that is no JSON is itself. */
function parsed(result) {
  try {
    return JSON.parse(typeof result === "string" ? result : JSON.stringify(result));
  } catch {
    return result;
  }
}

/** Whether a text in a value has several lines, or over 256 bytes of UTF-8. */
function hasLong(value) {
  if (typeof value !== "string") return typeof value === "object" && value !== null && Object.values(value).some(hasLong);
  const bytes = value.replace(/[\x80-\u07ff\ud800-\udfff]/g, "··").replace(/[\u0800-\ud7ff\ue000-\uffff]/g, "···").length;
  return bytes > 256 || /[\r\n]+[^\r\n]/.test(value);
}
