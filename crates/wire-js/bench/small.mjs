// Measures the small encoder beside others that write text for models, in one run: `node bench/small.mjs`. Prints tables in Markdown.
import { encodeGeneric } from "@blackwell-systems/gcf";
import { encode as encodeToon } from "@toon-format/toon";
import { build } from "esbuild";
import { gzipSync } from "node:zlib";
import { encode, estimate, rewrite, stringify } from "wire-formats/lite";
import { DATA, shortest } from "./data.mjs";

/** What a program imports, by the module. */
const BUNDLES = [
  ["wire-formats/lite", "text"],
  ["wire-formats/lite", "stringify"],
  ["wire-formats/lite", "encode"],
  ["wire-formats/lite", "estimate"],
  ["wire-formats/ai-sdk", "compactToolResults"],
  ["wire-formats/langchain", "compactToolResults"],
  ["wire-formats/mastra", "compactToolResults"],
  ["wire-formats/lite/mcp", "compactResult"],
  ["@toon-format/toon", "encode"],
  ["@blackwell-systems/gcf", "encodeGeneric"],
  ["wire-formats", "gcf.stringify"],
  ["wire-formats", "smallest"],
];
/** What writes a value, or its JSON. */
const WRITERS = {
  "JSON.stringify": (value) => JSON.stringify(value),
  "**lite `encode`**: GCF of plain values": (value) => encode(value),
  "**lite `stringify`**: the smaller of JSON and GCF": (value) => stringify(value),
  "lite `rewrite`: the same of JSON text": (_, json) => rewrite(json),
  "lite `estimate` of JSON text": (_, json) => estimate(json),
  "@blackwell-systems/gcf `encodeGeneric`": (value) => encodeGeneric(value),
  "@toon-format/toon `encode`": (value) => encodeToon(value),
};

const lines = ["Bundles by esbuild, minified, in bytes:", "", "| bundle | bytes | `gzip -9` |", "|---|--:|--:|"];
for (const [module, member] of BUNDLES) {
  const [name] = member.split(".");
  // As a script uses it, so that the rest of an object stays out where it can.
  const contents = `import { ${name} } from ${JSON.stringify(module)}; globalThis.used = ${member};`;
  const { outputFiles } = await build({ stdin: { contents, resolveDir: import.meta.dirname }, bundle: true, minify: true, format: "esm", write: false });
  const bytes = outputFiles[0].contents;
  lines.push(`| ${module} \`${member}\` | ${[bytes.length, gzipSync(bytes, { level: 9 }).length].map((size) => size.toLocaleString("en-US")).join(" | ")} |`);
}

const data = Object.values(DATA).map((value) => [value, JSON.stringify(value)]);
lines.push("", "Speed in MB/s of JSON, of the data above:", "", `| | ${Object.keys(DATA).join(" | ")} | 20 rows |`, "|---|--:|--:|--:|--:|");
const few = DATA.rows.slice(0, 20);
for (const [name, write] of Object.entries(WRITERS)) {
  const speeds = data.map(([value, json]) => json.length / shortest(() => write(value, json)) / 1000);
  // One call is too short to be timed.
  const json = JSON.stringify(few);
  const times = 1000;
  const call = () => {
    for (let time = 0; time < times; time++) write(few, json);
  };
  speeds.push((json.length * times) / shortest(call) / 1000);
  lines.push(`| ${name} | ${speeds.map((speed) => speed.toFixed(1)).join(" | ")} |`);
}
console.log(lines.join("\n"));
