// Results of tools of MCP servers in the form with the fewest tokens. `mcp.d.ts` describes each name.
import { WireError, estimateTokens, gcf, gcx, smallestFromJSON } from "./index.js";
import { toText } from "./values.js";

export const formats = Object.freeze(["auto", "json", "gcf", "gcx"]);
export const formatDescription = "Form of the result: auto (fewest tokens), json, gcf or gcx";

export function toolResult(handler, options = {}) {
  const { format = "auto", argument = "format", counter = estimateTokens, structured } = options;
  return async (...given) => {
    const [args, ...rest] = given;
    const asked = args?.[argument];
    const isAsked = formats.includes(asked);
    if (isAsked) {
      const { [argument]: _, ...others } = args;
      given = [others, ...rest];
    }
    const returned = await handler(...given);
    if (!isResult(returned)) return resultOf(returned, isAsked ? asked : format, options);
    if (returned.isError === true) return returned;
    const content = returned.content.map((block) => (block.type === "text" ? { ...block, text: rewritten(block.text, isAsked ? asked : format, counter) } : block));
    const result = { ...returned, content };
    if (structured === "drop" && saysTheSame(returned)) delete result.structuredContent;
    return result;
  };
}

/** Whether it is a result of the SDK already. */
function isResult(value) {
  return Array.isArray(value?.content) && value.content.every((block) => typeof block?.type === "string");
}

/** A result for the client, of a value that a handler returned. */
function resultOf(value, format, { counter = estimateTokens, structured, warn = console.warn }) {
  let json;
  let text;
  try {
    json = typeof value === "string" ? value : toText(value);
    text = rewritten(json, format, counter);
  } catch (error) {
    // What a tool without this function would send; what `JSON.stringify` can't write, either, is its error.
    json = text = JSON.stringify(value);
    warn(`wire-formats: the result is sent as JSON.stringify writes it: ${error.message}`);
  }
  // A handler without a result has no text.
  if (text === undefined) return value;
  const result = { content: [{ type: "text", text }] };
  if (structured === "keep" && /^\{/.test(json)) result.structuredContent = JSON.parse(json);
  return result;
}

/** A text in its form, if it is JSON of an array or an object and the form has no more tokens. */
function rewritten(text, format, counter) {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    if (format === "gcf") return gcf.fromJSON(text, { exact: true });
    if (format === "gcx") return gcx.fromJSON(text, { exact: true });
    const found = smallestFromJSON(text, { counter: format === "json" ? () => 0 : counter });
    // Of forms with as many tokens, JSON is the first.
    if (format === "json") return found.text;
    return found.tokens < counter(text) ? found.text : text;
  } catch (error) {
    // It is no JSON, or the format can't represent it.
    if (error instanceof WireError) return text;
    throw error;
  }
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
  return content.some((block) => block?.type === "text" && same(block.text));
}

/** JSON text with the members of each object in the order of their names. */
function sorted(value) {
  return JSON.stringify(value, (_, inner) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}
