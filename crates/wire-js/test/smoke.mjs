// What every engine runs.
import { WireError, estimateTokens, gcb, gcf, gcx, smallest } from "wire-formats";
import { countTokens } from "wire-formats/o200k";

const rows = [{ id: 1, name: "Ann" }, { id: 2, name: "Bö" }];
const checks = [
  JSON.stringify(gcf.parse(gcf.stringify(rows))) === JSON.stringify(rows),
  JSON.stringify(gcx.parse(gcx.stringify(rows))) === JSON.stringify(rows),
  gcb.parse(gcb.stringify({ tool: "t", tokens_used: 0, token_budget: 0, symbols: [] })).tool === "t",
  smallest(rows, { counter: countTokens }).tokens <= countTokens(JSON.stringify(rows)),
  estimateTokens("a b") === 2,
];
try {
  gcf.parse("x");
} catch (error) {
  checks.push(error instanceof WireError && error.line === 1);
}
if (checks.length !== 6 || !checks.every(Boolean)) throw new Error(`not as expected: ${checks}`);
console.log("as expected");
