// Results of tools in the AI SDK as text with few tokens. `ai-sdk.d.ts` describes each name.
import { compact, compactPrompt } from "./compact.js";

export { mayBeQuoted } from "./compact.js";

export function compactOutput({ output }) {
  const value = compact(output, "", () => false);
  if (value !== undefined) return { type: "text", value };
  // What the SDK makes of a result without this function. Some providers send JSON as a value and not as text.
  return typeof output === "string" ? { type: "text", value: output } : { type: "json", value: JSON.parse(JSON.stringify(output) ?? "null") };
}

export const compactToolResults = (options) => ({
  specificationVersion: "v4",
  transformParams: async ({ params }) => ({ ...params, prompt: compactPrompt(params.prompt, options?.except) }),
});
