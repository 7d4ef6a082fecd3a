// The package by `require`, in a project of CommonJS.
import { type Smallest, gcf, smallest } from "wire-formats";
import { compactOutput, compactToolResults } from "wire-formats/ai-sdk";
import { compactToolResults as ofLangChain } from "wire-formats/langchain";
import { text } from "wire-formats/lite";
import { compactResult } from "wire-formats/lite/mcp";
import { type CompactOptions, compactToolResults as ofMastra } from "wire-formats/mastra";
import { toolResult } from "wire-formats/mcp";
import { countTokens } from "wire-formats/o200k";

const found: Smallest = smallest([{ id: 1 }], { counter: countTokens });
const tool = toolResult(({ city }: { city: string }) => [city], { structured: "keep" });
const replaced: string = gcf.stringify({ a: 1 }, (_key, value) => value);
gcf.stringify({ a: 1 }, null);
gcf.parse<{ a: number }>(replaced, (_key, value) => value).a.toFixed();
const options: CompactOptions = { except: (name) => name === "read" };
const results: { content: { type: "text"; text: string }[] } = compactResult({ content: [{ type: "text", text: text([1]) }] }, "list", options);
compactOutput({ output: 1 }).type.trim();
export { found, results, tool };
export const plugs = [compactToolResults(options), ofLangChain(options), ofMastra()];
