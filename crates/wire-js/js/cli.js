#!/usr/bin/env node
// `npx wire-formats stats FILE…`: the tokens of JSON files in each format.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { WireError, smallestFromJSON } from "./index.js";

const USAGE = `usage: wire-formats stats [--counter o200k|cl100k] FILE…

Prints the tokens of JSON files in each format (by o200k_base, unless said otherwise). \`-\` is standard input.`;

class UsageError extends Error {}

const COUNTERS = { o200k: () => import("./o200k.js"), cl100k: () => import("./cl100k.js") };
const percent = (part, whole) => (whole === 0 ? 0 : Math.round((100 * part) / whole));
const count = (number) => number.toLocaleString("en-US");

async function stats(args) {
  const { values, positionals: files } = parseArgs({ args, options: { counter: { type: "string", default: "o200k" } }, allowPositionals: true });
  const name = values.counter;
  if (!Object.hasOwn(COUNTERS, name)) throw new UsageError(`the counter is ${name}, expected o200k or cl100k`);
  if (files.length === 0) throw new UsageError("a FILE is missing");
  const { countTokens } = await COUNTERS[name]();
  for (const [index, file] of files.entries()) {
    const text = input(file);
    const found = at(file, () => smallestFromJSON(text, { counter: countTokens }));
    const { json } = found.candidates;
    const verdict =
      found.format === "json" ? "no format saves tokens of minified JSON" : `${found.format} has ${percent(found.saved, json)} % fewer tokens than minified JSON`;
    const rows = [["as it is", countTokens(text)], ...Object.entries(found.candidates)].map(([format, tokens]) =>
      typeof tokens === "number" ? [format, count(tokens), tokens === json ? "" : `${tokens > json ? "+" : "−"}${percent(Math.abs(tokens - json), json)} %`] : [format, "–", tokens.message],
    );
    const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column].length)));
    const table = rows.map(([format, tokens, change]) => `  ${format.padEnd(widths[0])}  ${tokens.padStart(widths[1])}  ${change}`.trimEnd());
    console.log(`${index === 0 ? "" : "\n"}${file}: ${verdict} (${count(json - found.saved)} of ${count(json)}, ${countTokens.name})\n${table.join("\n")}`);
  }
}

const input = (file) => readFileSync(file === "-" ? 0 : file, "utf8").replace(/^\ufeff/, "");

/** Names the file in an error. */
function at(file, act) {
  try {
    return act();
  } catch (error) {
    if (error instanceof WireError) error.message = `${file}: ${error.message}`;
    throw error;
  }
}

const [command, ...args] = process.argv.slice(2);
try {
  if (command === "--help" || command === "-h") console.log(USAGE);
  else if (command !== "stats") throw new UsageError(command === undefined ? "a command is missing" : `there is no command ${command}`);
  else await stats(args);
} catch (error) {
  const isUsage = error instanceof UsageError || error.code?.startsWith("ERR_PARSE_ARGS");
  if (!isUsage && !(error instanceof WireError) && !error.syscall) throw error;
  console.error(`error: ${error.message}${isUsage ? `\n\n${USAGE}` : ""}`);
  process.exitCode = isUsage ? 2 : 1;
}
