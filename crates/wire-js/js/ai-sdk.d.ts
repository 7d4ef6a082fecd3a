import type { CompactOptions } from "./compact.js";

export { type CompactOptions, mayBeQuoted } from "./compact.js";

/**
 * The `toModelOutput` of a tool: text where that has fewer tokens than the JSON, and otherwise what the SDK makes of the output. Code and user
 * interfaces keep the value. `convertToModelMessages(messages, { tools })` needs the tools, or old results are JSON again.
 * @example
 * tool({ inputSchema, execute, toModelOutput: compactOutput });
 */
export declare function compactOutput(options: { output: any }): { type: "text"; value: string } | { type: "json"; value: any };

/**
 * Middleware for a model: all results of tools in its prompt, also old ones. Errors, refusals, files and results of a provider's own tools stay.
 * @example
 * wrapLanguageModel({ model, middleware: compactToolResults() });
 */
export declare function compactToolResults(options?: CompactOptions): {
  specificationVersion: any;
  transformParams: <Params extends { prompt: any }>(options: { params: Params }) => Promise<Params>;
};
