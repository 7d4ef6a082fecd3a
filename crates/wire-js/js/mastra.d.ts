import type { CompactOptions } from "./compact.js";

export { type CompactOptions, mayBeQuoted } from "./compact.js";

/**
 * The `toModelOutput` of a tool: text where that has fewer tokens than the JSON, and otherwise nothing, so that Mastra passes the output. Code keeps the value.
 * @example
 * createTool({ id, description, inputSchema, execute, toModelOutput: compactOutput });
 */
export declare function compactOutput(output: unknown): { type: "text"; value: string } | undefined;

/**
 * An input processor for an agent: all results of tools in what the model gets, also old ones. What is saved stays, and so do errors, files and
 * results of a provider's own tools.
 * @example
 * new Agent({ id, name, instructions, model, tools, inputProcessors: [compactToolResults()] });
 */
export declare function compactToolResults(options?: CompactOptions): {
  id: "wire-formats";
  processLLMRequest: <Prompt extends any[]>(args: { prompt: Prompt }) => { prompt: Prompt };
};
