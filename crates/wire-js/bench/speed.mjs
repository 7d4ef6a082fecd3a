// Measures the package beside others, each in one process and one run: `node bench/speed.mjs`. Prints the table in Markdown.
import { decodeGeneric, encodeGeneric } from "@blackwell-systems/gcf";
import { decode as decodeToon, encode as encodeToon } from "@toon-format/toon";
import { cpus } from "node:os";
import { gcf, gcx } from "wire-formats";

const BYTES = 2_000_000;

/** Random numbers from 0 to 1 with a seed, so that each run has the same data. */
function random(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const WORDS = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu".split(" ");

/** Kinds of data: how an item of it is made. */
const KINDS = {
  "nested records": (next, id) => ({
    id,
    name: `${pick(next)} ${pick(next)}`,
    address: { city: pick(next), zip: String(Math.floor(next() * 90000) + 10000), location: { lat: round(next() * 90), lon: round(next() * 180) } },
    tags: Array.from({ length: Math.floor(next() * 4) }, () => pick(next)),
    orders: Array.from({ length: Math.floor(next() * 3) }, () => ({ sku: pick(next), count: Math.floor(next() * 9), price: round(next() * 100) })),
  }),
  rows: (next, id) => ({ id, name: `${pick(next)} ${pick(next)}`, city: pick(next), total: round(next() * 1000), active: next() < 0.5, note: next() < 0.2 ? null : pick(next) }),
  "deep values": (next, id) => {
    let value = { id, leaf: pick(next) };
    for (let level = 0; level < 12; level++) value = next() < 0.3 ? [value, Math.floor(next() * 100)] : { [pick(next)]: value, size: round(next()) };
    return value;
  },
};
const pick = (next) => WORDS[Math.floor(next() * WORDS.length)];
const round = (number) => Math.round(number * 100) / 100;

/** An array of items of a kind, of `BYTES` bytes as JSON. */
function dataOf(make) {
  const next = random(1);
  const items = [];
  for (let size = 0; size < BYTES; ) {
    const item = make(next, items.length);
    items.push(item);
    size += JSON.stringify(item).length + 1;
  }
  return items;
}

/** A figure of a busy machine is no failure of a change: `--bars` is for measurements. */
const hasBars = process.argv.includes("--bars");

/** The shortest time of a call in milliseconds. Engines compile what is called often again, in the background: that takes seconds. */
function shortest(call) {
  let best = Infinity;
  const end = performance.now() + (hasBars ? 3000 : 200);
  for (let calls = 0; calls < 5 || performance.now() < end; calls++) {
    const start = performance.now();
    call();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

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
const BARS = { "@blackwell-systems/gcf": [1.3, 2, 1.6, 2.5], "@toon-format/toon": [4, 6, 4, 6] };

const lines = [`Node ${process.version}, ${process.arch}, ${cpus().length} cores; 2 MB of each kind, seed 1; MB/s of JSON:`, ""];
const head = Object.keys(KINDS).flatMap((kind) => [`${kind}: stringify`, "parse"]);
lines.push(`| package | ${head.join(" | ")} |`, `|---|${"--:|".repeat(head.length)}`);
const data = Object.values(KINDS).map(dataOf);
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
