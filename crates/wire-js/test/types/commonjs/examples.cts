// The package by `require`, in a project of CommonJS.
import { type Smallest, gcf, smallest } from "wire-formats";
import { toolResult } from "wire-formats/mcp";
import { countTokens } from "wire-formats/o200k";

const found: Smallest = smallest([{ id: 1 }], { counter: countTokens });
const tool = toolResult(({ city }: { city: string }) => [city], { structured: "keep" });
const replaced: string = gcf.stringify({ a: 1 }, (_key, value) => value);
gcf.stringify({ a: 1 }, null);
gcf.parse<{ a: number }>(replaced, (_key, value) => value).a.toFixed();
export { found, tool };
