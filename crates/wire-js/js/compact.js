// What the plugs for frameworks share: results of tools as text with few tokens, or as they came. All depends on the arguments alone, so that
// an old message has the same text at each turn. `compact.d.ts` describes the options.
import { text } from "./lite/index.js";
import { mayBeQuoted } from "./names.js";

export { mayBeQuoted } from "./names.js";

/** The text of a result; `undefined` if the result stays: the text would be the same, `except` says so, or a function fails. */
export function compact(result, toolName, except = mayBeQuoted) {
  try {
    if (except(toolName ?? "", result)) return undefined;
    const found = text(result);
    return found === (typeof result === "string" ? result : (JSON.stringify(result) ?? "null")) ? undefined : found;
  } catch {
    return undefined;
  }
}

/** Content blocks with rewritten texts. All blocks stay if `except` keeps one of them. */
export function compactBlocks(blocks, toolName, except = mayBeQuoted) {
  try {
    if (blocks.some((block) => isFree(block) && except(toolName ?? "", block.text))) return blocks;
    return blocks.map((block) => (isFree(block) ? { ...block, text: text(block.text) } : block));
  } catch {
    return blocks;
  }
}

/** Whether a block is a text without annotations, which say for whom it is or what it cites. */
const isFree = (block) => block.type === "text" && typeof block.text === "string" && (block.annotations ?? block._meta ?? null) === null;

/** The prompt of a language model of the AI SDK, as Mastra has it, too. Results of a provider's own tools are in the assistant's messages. */
export const compactPrompt = (prompt, except) =>
  prompt.map((message) => {
    try {
      return message.role === "tool" ? { ...message, content: message.content.map((part) => compactPart(part, except)) } : message;
    } catch {
      return message; // of another version of the SDK
    }
  });

function compactPart(part, except) {
  if (part.type !== "tool-result") return part;
  const { toolName, output } = part;
  if (output.type === "content") return { ...part, output: { ...output, value: compactBlocks(output.value, toolName, except) } };
  // Other types are errors and refusals, which stay, and so do errors of MCP servers, and texts that are quoted as JSON.
  const isValue = output.type === "json" && typeof output.value !== "string" && output.value?.isError !== true;
  const value = isValue || output.type === "text" ? compact(output.value, toolName, except) : undefined;
  return value === undefined ? part : { ...part, output: { ...output, type: "text", value } };
}
