// Results of an MCP server's tools as text with few tokens, without WebAssembly: `wire-formats/lite/mcp`. `lite-mcp.d.ts` describes each name.
import { compactBlocks } from "./compact.js";

export { mayBeQuoted } from "./compact.js";

/** The members of `_meta` by which a result is that of a user interface, which reads it. */
const INTERFACES = ["ui", "ui/resourceUri", "openai/outputTemplate"];

export function compactResult(result, toolName, options) {
  if (!Array.isArray(result?.content) || result.isError === true) return result;
  if (INTERFACES.some((name) => (result._meta?.[name] ?? null) !== null)) return result;
  return { ...result, content: compactBlocks(result.content, toolName, options?.except) };
}
