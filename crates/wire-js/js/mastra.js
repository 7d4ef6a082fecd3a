// Results of tools in Mastra as text with few tokens. `mastra.d.ts` describes each name.
import { compact, compactPrompt } from "./compact.js";

export { mayBeQuoted } from "./compact.js";

export function compactOutput(output) {
  const value = compact(output, "", () => false);
  // Mastra then passes the output itself, and does not save it twice.
  return value === undefined ? undefined : { type: "text", value };
}

export const compactToolResults = (options) => ({
  id: "wire-formats",
  // This hook changes the request to the model, and nothing that is saved.
  processLLMRequest: ({ prompt }) => ({ prompt: compactPrompt(prompt, options?.except) }),
});
