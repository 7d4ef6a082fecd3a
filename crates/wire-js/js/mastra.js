// Results of tools in Mastra as text with few tokens. `mastra.d.ts` describes each name.
import { compact, compactPrompt } from "./compact.js";

export { mayBeQuoted } from "./compact.js";

export function compactOutput(output) {
  const value = compact(output, "", () => false);
  // Without an answer Mastra passes the output itself, and saves it once.
  return value === undefined ? undefined : { type: "text", value };
}

export const compactToolResults = ({ except } = {}) => ({
  id: "wire-formats",
  // It changes what the model gets, and not what is saved.
  processLLMRequest: ({ prompt }) => ({ prompt: compactPrompt(prompt, except) }),
});
