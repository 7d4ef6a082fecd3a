// Compiled only: the plug beside the types of the SDK.
import { type LanguageModelMiddleware, type LanguageModel, generateText, tool, wrapLanguageModel } from "ai";
import { type CompactOptions, compactOutput, compactToolResults, mayBeQuoted } from "wire-formats/ai-sdk";
import { z } from "zod";

const options: CompactOptions = { except: (name, result) => name === "invoice" || mayBeQuoted(name, result) };
const middleware: LanguageModelMiddleware = compactToolResults(options);

export function answer(model: Parameters<typeof wrapLanguageModel>[0]["model"]) {
  const orders = tool({ inputSchema: z.object({ city: z.string() }), execute: async ({ city }) => [{ id: 1, city }], toModelOutput: compactOutput });
  const wrapped: LanguageModel = wrapLanguageModel({ model, middleware: [middleware, compactToolResults()] });
  return generateText({ model: wrapped, tools: { orders }, prompt: "x" });
}
