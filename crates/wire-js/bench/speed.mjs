// Measures the package beside others, each in one process and one run: `node bench/speed.mjs`. Prints the table in Markdown.
import { decodeGeneric, encodeGeneric } from "@blackwell-systems/gcf";
import { decode as decodeToon, encode as encodeToon } from "@toon-format/toon";
import { cpus } from "node:os";
import { gcf, gcx } from "wire-formats";
import { DATA, hasBars, shortest } from "./data.mjs";

/** Plain objects, which each `parse` is for: the other package for GCF decodes objects to a `Map`. */
function plain(value) {
  if (value instanceof Map) {
    const object = {};
    for (const [key, inner] of value) object[key] = plain(inner);
    return object;
  }
  return Array.isArray(value) ? value.map(plain) : value;
}

const PACKAGES = {
  "**wire-formats, GCF**": [gcf.stringify, gcf.parse],
  "wire-formats, GCX1": [gcx.stringify, gcx.parse],
  "@blackwell-systems/gcf": [encodeGeneric, (text) => plain(decodeGeneric(text))],
  "the same, with a `Map` for each object": [encodeGeneric, decodeGeneric],
  "@toon-format/toon": [encodeToon, decodeToon],
  "JSON of the engine": [JSON.stringify, JSON.parse],
};
/** How many times as fast as another package GCF has to be written and read in the mean of the kinds, and should be. */
const BARS = { "@blackwell-systems/gcf": [0.7, 2, 1, 2.5], "@toon-format/toon": [2, 6, 2, 6] };

const lines = [`Node ${process.version}, ${process.arch}, ${cpus().length} cores; 2 MB of each kind, seed 1; MB/s of JSON:`, ""];
const head = Object.keys(DATA).flatMap((kind) => [`${kind}: stringify`, "parse"]);
lines.push(`| package | ${head.join(" | ")} |`, `|---|${"--:|".repeat(head.length)}`);
const data = Object.values(DATA);
const speeds = {};
for (const [name, [write, read]] of Object.entries(PACKAGES)) {
  speeds[name] = data.flatMap((value) => {
    const bytes = JSON.stringify(value).length;
    const text = write(value);
    return [shortest(() => write(value)), shortest(() => read(text))].map((time) => bytes / time / 1000);
  });
  lines.push(`| ${name} | ${speeds[name].map((speed) => speed.toFixed(1)).join(" | ")} |`);
}
const texts = data.flatMap((value) => {
  const json = JSON.stringify(value);
  const text = gcf.fromJSON(json);
  return [shortest(() => gcf.fromJSON(json)), shortest(() => gcf.toJSON(text))].map((time) => (json.length / time / 1000).toFixed(1));
});
lines.push(`| \`gcf.fromJSON\`, \`gcf.toJSON\` | ${texts.join(" | ")} |`, "");
let isMissed = false;
for (const [name, bars] of Object.entries(BARS)) {
  for (const [verb, index] of [["stringify", 0], ["parse", 1]]) {
    const ratios = data.map((_, kind) => speeds["**wire-formats, GCF**"][2 * kind + index] / speeds[name][2 * kind + index]);
    const [bar, goal] = [bars[index], bars[index + 2]];
    const mean = Math.cbrt(ratios.reduce((product, ratio) => product * ratio));
    isMissed ||= mean < bar;
    const missed = ratios.map((ratio) => `${ratio.toFixed(1)}${ratio < bar ? " (**missed**)" : ""}`);
    lines.push(`- ${verb}: ${missed.join(", ")} times as fast as \`${name}\`, ${mean.toFixed(1)} in the mean; the target is ${bar}${goal > bar ? `, the goal ${goal}` : ""}`);
  }
}
console.log(lines.join("\n"));
if (hasBars && isMissed) process.exitCode = 1;
