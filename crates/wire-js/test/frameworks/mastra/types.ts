// Compiled only: the plug beside the types of Mastra.
import { Agent } from "@mastra/core/agent";
import type { Processor } from "@mastra/core/processors";
import { createTool } from "@mastra/core/tools";
import { type CompactOptions, compactOutput, compactToolResults, mayBeQuoted } from "wire-formats/mastra";
import { z } from "zod";

const options: CompactOptions = { except: (name, result) => name === "invoice" || mayBeQuoted(name, result) };
export const processor: Processor = compactToolResults(options);
const orders = createTool({ id: "orders", description: "orders", inputSchema: z.object({}), execute: async () => [{ id: 1 }], toModelOutput: compactOutput });
export const agent = new Agent({ id: "a", name: "a", instructions: "x", model: "openai/gpt-5", tools: { orders }, inputProcessors: [compactToolResults(options), compactToolResults()] });
