// Results of tools of MCP servers in the form with the fewest tokens. `mcp.d.ts` describes each name.
import { utf8 } from "./convert.js";
import { calling } from "./error.js";
import gcfModule from "./gcf.module.js";
import { WireError, gcf, gcx } from "./index.js";
import { CHOICE, TYPES, checked, oneOf } from "./options.js";
import { chosen } from "./smallest.js";
import { toText } from "./values.js";

export const formats = Object.freeze(["auto", "json", "gcf", "gcx"]);
export const formatDescription = "Form of the result: auto (fewest tokens), json, gcf or gcx";

const OPTIONS = { format: oneOf(...formats), argument: TYPES.text, ...CHOICE, name: TYPES.text, verbatim: TYPES.truth, structured: oneOf("keep", "drop"), warn: TYPES.warn };

/** The members of `_meta` by which a result is that of a user interface, which reads it. */
const INTERFACES = ["ui", "ui/resourceUri", "openai/outputTemplate"];

export function toolResult(handler, given) {
  const options = checked(given, OPTIONS);
  const { format = "auto", argument = "format", structured } = options;
  return async (...args) => {
    const asked = args[0]?.[argument];
    const form = formats.includes(asked) ? asked : format;
    const returned = await handler(...args);
    const isKept = (text) => options.verbatim ?? isVerbatim(options.name ?? String(handler.name), args[0], text);
    if (!isResult(returned)) return resultOf(returned, form, { ...options, isKept });
    // A result passes as a whole.
    const texts = returned.content.filter(isFree).map(({ text }) => text);
    if (form === "auto" && isKept(texts.length === 1 ? texts[0] : listOf(texts))) return returned;
    if (returned.isError === true || INTERFACES.some((name) => (returned._meta?.[name] ?? null) !== null)) return returned;
    const content = returned.content.map((block) => (isFree(block) ? { ...block, text: rewritten(block.text, form, { ...options, isKept: () => false }) } : block));
    const result = { ...returned, content };
    if (structured === "drop" && saysTheSame(returned)) delete result.structuredContent;
    return result;
  };
}

/** Whether it is a text that nobody says more about. */
function isFree(block) {
  return block.type === "text" && typeof block.text === "string" && (block.annotations ?? block._meta ?? null) === null;
}

/** Whether it is a result of the SDK already. */
function isResult(value) {
  return Array.isArray(value?.content) && value.content.every((block) => typeof block?.type === "string");
}

/** A result for the client, of a value that a handler returned. */
function resultOf(value, format, options) {
  const { structured, warn = console.warn } = options;
  let json;
  let text;
  if (value === undefined) return { content: [] };
  try {
    json = typeof value === "string" ? value : toText(value);
    text = rewritten(json, format, options);
  } catch (error) {
    if (error.code === "invalid_option") throw error;
    // What a tool without this function would send; what `JSON.stringify` can't write, either, is its error.
    json = text = JSON.stringify(value);
    warn(`wire-formats: the result is sent as JSON.stringify writes it: ${error.message}`);
  }
  // A function, which JSON has not.
  if (text === undefined) return { content: [] };
  const result = { content: [{ type: "text", text }] };
  const object = structured === "keep" ? objectOf(json) : undefined;
  if (object !== undefined) result.structuredContent = object;
  return result;
}

/** The object that a text is the JSON of. */
function objectOf(text) {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A text in its form, if it is JSON of an array or an object and the form has no more tokens. */
function rewritten(text, format, { counter, formats, isKept }) {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    if (format === "gcf") return gcf.fromJSON(text, { exact: true });
    if (format === "gcx") return gcx.fromJSON(text, { exact: true });
    if (format === "auto" && isKept(text)) return text;
    const json = calling(() => gcfModule().minified(utf8(text)));
    return format === "json" ? json : chosen({ input: text, json }, { counter, formats }).text;
  } catch (error) {
    // It is no JSON, or the format can't represent it.
    if (error instanceof WireError && error.code !== "invalid_option") return text;
    throw error;
  }
}

/** JSON of a list of texts, of which those that are JSON stand as they are. */
function listOf(texts) {
  const items = texts.map((text) => {
    try {
      return calling(() => gcfModule().minified(utf8(text)));
    } catch {
      return JSON.stringify(text);
    }
  });
  return `[${items.join(",")}]`;
}

/** Whether a model may have to quote the result of a tool exactly (ruling M5). */
function isVerbatim(name, args, text) {
  const entries = typeof args === "object" && args !== null ? Object.entries(args) : [];
  // Texts alone can name a file.
  const given = Object.fromEntries(entries.map(([key, value]) => [key, [value].flat().filter((item) => typeof item === "string")]));
  return gcfModule().left_verbatim(name, JSON.stringify(given), text);
}

/** Whether a block of text has the value of the structured content. */
function saysTheSame({ content, structuredContent }) {
  const same = (text) => {
    try {
      return sorted(JSON.parse(text)) === sorted(structuredContent);
    } catch {
      return false;
    }
  };
  return content.some((block) => isFree(block) && same(block.text));
}

/** JSON text with the members of each object in the order of their names. */
function sorted(value) {
  return JSON.stringify(value, (_, inner) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}
