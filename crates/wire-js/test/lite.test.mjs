// The small encoder beside the module: the same bytes, the same estimate and the same choice; its size, and that it needs no globals.
// WIRE_VALUES=200000 for more random values.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";
import { createContext, runInContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import fc from "fast-check";
import { WireError, estimateTokens, gcf, smallestFromJSON } from "wire-formats";
import { encode, estimate, rewrite, stringify, text } from "wire-formats/lite";

// They are no part of what the package exports.
const { default: gcfModule } = await import(pathToFileURL(join(import.meta.dirname, "node_modules/wire-formats/gcf.module.js")));
const { same } = gcfModule();

const VALUES = Number(process.env.WIRE_VALUES ?? 20_000);
const FIXTURES = process.env.WIRE_FIXTURES;
const LARGEST_GZIPPED = 3000;

const key = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom("id", "name", "a", "b", "c", "key", "_key", "city") },
  fc.constantFrom("__proto__", "constructor", "toString", "toJSON", "valueOf", "a>b", ">", "", "1", "10", "2", "é", "a b", "x[", "x]:", "-", "~", "^", "@0", "#", 'k"q', "k\\", "\ud800", "key>", "__key"),
  fc.string({ maxLength: 4 }),
);
// Pieces of which the rules for quotes speak, so that most texts are near one.
const piece = fc.constantFrom(..."-+.0159eE~^{}[]: #@tf\"\\|,_/=\t\n\x7f\x80\xa0\u0085\u2003\u200b\ufeffé字😀", "true", "false", "null", "abc", "\ud83d", "]:", "^{", "## ");
const string = fc.oneof(fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join("")), fc.string({ maxLength: 8 }), fc.string({ unit: "grapheme", maxLength: 6 }), fc.string({ unit: "binary", maxLength: 4 }));
const edges = [0, -0, Number.NaN, -Infinity, 1e21, 1e-7, 2 ** 53 - 1, 2 ** 53, -(2 ** 53) - 2, 2 ** 63, 1e15, 123456789012345680000, 5e-324, Number.MAX_VALUE, 0.1, 1.5, 1e300, 1e-6, 9.99e-7];
const number = fc.oneof(fc.integer({ min: -1000, max: 1000 }), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(...edges));
const scalar = fc.oneof(string, number, fc.boolean(), fc.constant(null));

/** An object with these members, of which `__proto__` is one like others. */
function objectOf(members) {
  const object = {};
  for (const [name, value] of members) Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  return object;
}
const objects = (value, maxLength) => fc.array(fc.tuple(key, value), { maxLength }).map(objectOf);
const { value } = fc.letrec((tie) => {
  /** What the cells of a column can be: each is written in its own way, or keeps the column from that. */
  const CELLS = [
    scalar,
    fc.integer(),
    string,
    fc.record({ x: scalar, y: scalar }),
    fc.record({ x: scalar, y: fc.record({ z: scalar, w: scalar }) }),
    fc.record({ p: scalar, q: scalar, "r>": scalar }),
    fc.array(fc.record({ s: scalar, t: scalar }), { maxLength: 3 }),
    fc.array(scalar, { maxLength: 3 }),
    fc.constantFrom({ x: null, y: null }, { x: null }, {}, [], [{}], { x: { y: null } }),
    tie("value"),
  ];
  const column = fc.record({ name: key, cell: fc.constantFrom(...CELLS), gaps: fc.nat(3) });
  return {
    value: fc.oneof({ maxDepth: 5, depthSize: "small" }, scalar, fc.array(tie("value"), { maxLength: 4 }), objects(tie("value"), 5), tie("table"), tie("alike")),
    table: fc.array(objects(tie("value"), 4), { maxLength: 5 }),
    // Rows of one kind, with some members that are missing or null.
    alike: fc.array(column, { minLength: 1, maxLength: 5 }).chain((columns) => {
      const member = ({ name, cell, gaps }) => fc.oneof({ weight: 5, arbitrary: cell }, { weight: gaps, arbitrary: fc.constantFrom(null, undefined) }).map((inner) => [name, inner]);
      const row = fc.tuple(...columns.map(member)).map((members) => objectOf(members.filter(([, inner]) => inner !== undefined)));
      return fc.oneof(fc.array(row, { maxLength: 5 }), objects(row, 5));
    }),
  };
});

/** The text that the module writes; `undefined` if it refuses the value. */
function byModule(json, options) {
  try {
    return gcf.fromJSON(json, options);
  } catch (error) {
    assert.ok(error instanceof WireError, error);
    return undefined;
  }
}
const isUnsafe = (given) => Number.isInteger(given) && !Number.isSafeInteger(given);
/** JSON in which integers beyond 64 bits are doubles. */
const withDoubles = (given) =>
  JSON.stringify(given, (_, inner) => (Number.isInteger(inner) && Math.abs(inner) >= 2 ** 63 ? `\0double ${inner.toExponential()}` : inner)).replace(/"\\u0000double ([^"]*)"/g, "$1");

/** The text of a call, or the code of its error. */
function outcome(call) {
  try {
    return call();
  } catch (error) {
    assert.ok(error instanceof WireError, error);
    return error.code;
  }
}

/** Whether GCF of a value was taken, after all laws of its texts. */
function laws(given) {
  const json = JSON.stringify(given);
  const plain = JSON.parse(json);
  const expected = byModule(withDoubles(plain));
  const chosen = stringify(given);
  // The package writes most values by the small encoder, and all by the module where there is a replacer.
  assert.equal(outcome(() => gcf.stringify(given)), outcome(() => gcf.stringify(given, (_, inner) => inner)));
  if (expected === undefined) {
    // What GCF can't hold is written as JSON.
    assert.equal(chosen, json);
    return false;
  }
  const written = encode(plain);
  assert.equal(written, expected);
  for (const each of [written, json]) assert.equal(estimate(each), estimateTokens(each), each);
  const isGCF = chosen !== json;
  if (isGCF) {
    assert.equal(chosen, written);
    assert.deepEqual(JSON.parse(gcf.toJSON(chosen)), plain);
    assert.ok(estimate(chosen) < estimate(json));
  }
  // `rewrite` chooses the same for the JSON text, and leaves its own output alone.
  let isExact = true;
  JSON.stringify(plain, (_, inner) => (isExact &&= !isUnsafe(inner), inner));
  for (const came of [json, JSON.stringify(given, null, 2)]) {
    const sent = rewrite(came);
    if (isExact && /^[[{]/.test(json)) assert.equal(sent, chosen);
    else assert.ok(sent === came || sent === chosen || sent === json);
    assert.equal(text(sent), sent);
  }
  assert.equal(text(given), typeof given === "string" ? rewrite(given) : chosen);
  if (isExact && /^[[{]/.test(json)) assert.equal(chosen, smallestFromJSON(json).text);
  return isGCF;
}

test("random values", () => {
  let taken = 0;
  fc.assert(
    fc.property(value, (given) => {
      taken += laws(given);
    }),
    { numRuns: VALUES },
  );
  assert.ok(taken > VALUES / 100, `${taken} of ${VALUES} in GCF`);
});

test("all nestings around the limit of levels", () => {
  const WRAPS = {
    array: (inner) => [inner],
    two: (inner) => [1, inner],
    object: (inner) => ({ a: inner }),
    map: (inner) => ({ a: { b: inner }, c: { b: inner === null ? 1 : null } }),
    rows: (inner) => [{ a: inner, i: 1 }, { a: inner, i: 2 }],
    inline: (inner) => [{ a: { "x>": inner, y: 1, z: 2 } }],
    flat: (inner) => [{ a: { b: inner, c: 1 } }],
    emptyKey: (inner) => [{ "": { b: inner } }],
  };
  let refused = 0;
  let count = 0;
  for (const [name, wrap] of Object.entries(WRAPS)) {
    for (const inmost of Object.values(WRAPS)) {
      for (const leaf of [1, null, [], {}, [[]], { a: null }, [{}]]) {
        for (let levels = 118; levels <= 129; levels++) {
          let nested = inmost(leaf);
          // Those with two of what they wrap double the size.
          for (let level = 0; level < levels; level++) nested = level < 3 || name !== "rows" ? wrap(nested) : { a: nested };
          const json = JSON.stringify(nested);
          const expected = byModule(json);
          if (expected === undefined) assert.throws(() => encode(nested), RangeError, json);
          else assert.equal(encode(nested), expected);
          refused += expected === undefined;
          count += 1;
        }
      }
    }
  }
  assert.ok(refused > 500 && count - refused > 500, `${refused} of ${count} refused`);
});

/** The JSON texts in the fixtures: files, and members of cases, with white space and without. */
function textsOfFixtures() {
  const files = readdirSync(FIXTURES, { recursive: true }).filter((path) => path.endsWith(".json")).map((path) => readFileSync(join(FIXTURES, path), "utf8"));
  const cases = files.map((file) => JSON.parse(file)).flatMap((document) => (Array.isArray(document.cases) ? document.cases : []));
  const members = cases.flatMap(({ json, payload, decoded_json }) => [json, payload, decoded_json]).filter((member) => member !== undefined);
  return [...files, ...cases.flatMap((each) => [each.json_text, each.came]).filter((each) => typeof each === "string"), ...members.flatMap((member) => [JSON.stringify(member), JSON.stringify(member, null, 1)])];
}

test("JSON texts of the fixtures are the module's bytes, minified, or as they came", () => {
  const counts = { gcf: 0, minified: 0, same: 0 };
  for (const came of textsOfFixtures()) {
    const sent = rewrite(came);
    if (sent === came) counts.same += 1;
    else if (sent.startsWith("GCF ")) {
      assert.equal(sent, byModule(came, { exact: true }), came);
      counts.gcf += 1;
    } else {
      // The same value by its digits, without white space.
      assert.ok(same(Buffer.from(came), Buffer.from(sent)), came);
      assert.equal(smallestFromJSON(sent, { formats: ["json"] }).text, sent);
      counts.minified += 1;
    }
  }
  assert.ok(Object.values(counts).every((count) => count > 500), JSON.stringify(counts));
});

test("texts that JavaScript's values do not hold are returned as they came", () => {
  for (const came of ['{"a":1, "a":2}', "[9007199254740993 ]", "[1e400 ]", '{"2":1, "1":2}', "[0.1000000000000000055511151231257827 ]", "[-0 ]", "[1,]", "plain", '["\\ud800" ]', ' "x"', " 12"]) assert.equal(rewrite(came), came);
  assert.equal(rewrite('["\\u00e9\\/", 1.0, 2.50, 1E3]'), '["é/",1.0,2.50,1E3]');
});

test("what is large or odd takes no square time, and is no error", () => {
  const count = 20_000;
  const before = performance.now();
  for (const rows of [
    Array.from({ length: count }, (_, id) => ({ id, [`k>${id}`]: 1 })),
    Array.from({ length: count }, (_, id) => ({ id, [`k${id}`]: 1 })),
    [{ ["K".repeat(count)]: Object.fromEntries(Array.from({ length: count }, (_, id) => [`k${id}`, id])) }],
  ]) {
    const json = JSON.stringify(rows);
    const sent = stringify(rows);
    assert.ok(sent === json || sent === gcf.fromJSON(json));
  }
  const few = Array.from({ length: 2000 }, (_, id) => ({ id, [`k>${id}`]: 1, [`l${id}`]: [id] }));
  assert.equal(gcf.stringify(few), gcf.fromJSON(JSON.stringify(few)));
  assert.ok(performance.now() - before < 60_000);
  const deep = `${"[".repeat(5000)} ${"]".repeat(5000)}`;
  const long = `["${"x".repeat(2e7)}" ]`;
  for (const came of [deep, long]) assert.ok([came, JSON.stringify(JSON.parse(came.length > 1e6 ? came : "[]"))].includes(rewrite(came)));
  assert.deepEqual([[{ a: 1 }], [{ b: 1 }]].map(encode), ["GCF profile=generic\n## [1]{a}\n1\n", "GCF profile=generic\n## [1]{b}\n1\n"]);
  const ids = Array.from({ length: 9 }, (_, id) => ({ identifier: 2 ** 60 + id * 1e6, name: "n" }));
  assert.equal(stringify(ids), gcf.fromJSON(JSON.stringify(ids)));
  assert.equal(rewrite("[1e16 ]"), "[1e16 ]");
});

test("values are those of JSON.stringify", () => {
  const rows = Array.from({ length: 9 }, (_, id) => ({ id, at: new Date(id), none: undefined, bad: Number.NaN }));
  assert.equal(stringify(rows), gcf.fromJSON(JSON.stringify(rows)));
  assert.equal(stringify(undefined), undefined);
  assert.deepEqual([undefined, null, 7, "x", () => 1].map(text), ["null", "null", "7", "x", "null"]);
  const cycle = {};
  cycle.self = cycle;
  for (const given of [[1n], cycle]) assert.throws(() => stringify(given), TypeError);
});

const bundle = async (contents, format) => {
  const { outputFiles } = await build({ stdin: { contents, resolveDir: import.meta.dirname }, bundle: true, minify: true, format, write: false, logLevel: "error" });
  return outputFiles[0].text;
};

test(`a bundle has at most ${LARGEST_GZIPPED} bytes, and needs no globals`, async () => {
  const size = gzipSync(await bundle('export { text } from "wire-formats/lite";', "esm"), { level: 9 }).length;
  assert.ok(size <= LARGEST_GZIPPED, `${size} bytes`);
  assert.equal(await bundle('import "wire-formats/lite";', "esm"), "");
  const script = await bundle('import { text } from "wire-formats/lite"; globalThis.found = text(globalThis.given);', "iife");
  const rows = Array.from({ length: 9 }, (_, id) => ({ id, name: `é${id}` }));
  const context = createContext(Object.assign(Object.create(null), { given: JSON.stringify(rows) }));
  // V8 adds these two to every context.
  runInContext("delete globalThis.WebAssembly; delete globalThis.console;", context);
  runInContext(script, context);
  assert.equal(context.found, text(rows));
});

test("the package of its own is imported and required", () => {
  const folder = mkdtempSync(join(tmpdir(), "wire-formats-lite-"));
  execFileSync("npm", ["install", "--silent", "--offline", "--no-audit", "--no-fund", "--prefix", folder, process.env.WIRE_PACKAGE_LITE]);
  assert.deepEqual(readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith(".")), ["wire-formats-lite"]);
  const call = "console.log(text([{ id: 1, n: 'Ann' }, { id: 2, n: 'Bo' }, { id: 3, n: 'Cy' }, { id: 4, n: 'Di' }]))";
  for (const [type, names] of [["module", 'import { text } from "wire-formats-lite";'], ["commonjs", 'const { text } = require("wire-formats-lite");']]) {
    const printed = execFileSync(process.execPath, [`--input-type=${type}`, "--eval", `${names}\n${call}`], { cwd: folder, encoding: "utf8" });
    assert.equal(printed, "GCF profile=generic\n## [4]{id,n}\n1|Ann\n2|Bo\n3|Cy\n4|Di\n\n");
  }
});
