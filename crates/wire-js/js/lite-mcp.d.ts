import type { CompactOptions } from "./compact.js";

export { type CompactOptions, mayBeQuoted } from "./compact.js";

/**
 * The result of a tool, with text that has fewer tokens in place of JSON. `structuredContent` stays, and so do errors, images, results of a user
 * interface, and texts with `annotations` or `_meta`.
 * @example
 * server.registerTool("orders", {}, async () => compactResult({ content: [{ type: "text", text: JSON.stringify(await orders()) }] }, "orders"));
 */
export declare function compactResult<Result>(result: Result, toolName: string, options?: CompactOptions): Result;
