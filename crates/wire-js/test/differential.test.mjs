// Beside the published packages for GCF and TOON: the same bytes on random JSON, and the values that they change.
import { decodeGeneric, encodeGeneric } from "@blackwell-systems/gcf";
import { decode as decodeToon, encode as encodeToon } from "@toon-format/toon";
import fc from "fast-check";
import assert from "node:assert/strict";
import test from "node:test";
import { WireError, gcf } from "wire-formats";

/** The other package decodes objects to a `Map`. */
export function plain(value) {
  if (value instanceof Map) return Object.fromEntries(Array.from(value, ([key, inner]) => [key, plain(inner)]));
  return Array.isArray(value) ? value.map(plain) : value;
}

/** Whether a key of a value has a bracket. */
function hasBracket(value) {
  let found = false;
  JSON.stringify(value, (key, inner) => {
    found ||= key.includes("[");
    return inner;
  });
  return found;
}

const values = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.array(fc.record({ id: fc.integer(), name: fc.string(), tags: fc.array(fc.string()), at: fc.record({ x: fc.double({ noNaN: true, noDefaultInfinity: true }) }) }, { requiredKeys: ["id"] })),
);

test("the same bytes, and each reads the other's", () => {
  fc.assert(
    fc.property(values, (given) => {
      const value = JSON.parse(JSON.stringify(given));
      // The other package writes numbers beyond 2^53 as integers.
      fc.pre(!/(?<![.\d])\d{16,}(?![\d.e])/.test(JSON.stringify(value)));
      const text = gcf.stringify(value);
      assert.equal(text, encodeGeneric(value));
      // It can't read all keys that it writes: see below.
      if (!hasBracket(value)) assert.deepEqual(plain(decodeGeneric(text)), value);
      assert.deepEqual(gcf.parse(encodeGeneric(value)), value);
    }),
    { numRuns: 2000 },
  );
});

const own = JSON.parse('{"__proto__":{"x":1}}');
const cycle = {};
cycle.self = cycle;
/** Values that a package changes or refuses: what each reads back, or the error's code or class. */
const DIFFERENCES = [
  ["NaN", [Number.NaN], "non_finite_number", ["NaN"], [null]],
  ["undefined in an array", [undefined], "invalid_value", [null], [null]],
  ["an undefined member", { a: undefined, b: 1 }, { b: 1 }, { a: null, b: 1 }, { a: null, b: 1 }],
  ["a bigint", [2n ** 60n], [2n ** 60n], [String(2n ** 60n)], [String(2n ** 60n)]],
  ["a Date", { at: new Date(0) }, { at: "1970-01-01T00:00:00.000Z" }, { at: {} }, { at: "1970-01-01T00:00:00.000Z" }],
  ["toJSON", { a: { toJSON: () => 1 } }, { a: 1 }, undefined, { a: 1 }],
  ["a Set", new Set([1]), "invalid_value", {}, [1]],
  ["a symbol", [Symbol("x")], "invalid_value", ["Symbol(x)"], [null]],
  ["a lone surrogate", ["\ud800"], "invalid_surrogate", ["\ud800"], "TypeError"],
  ["a cycle", cycle, "too_deep", "RangeError", "RangeError"],
  ["a key with a bracket", [{ "[": [false] }, []], [{ "[": [false] }, []], "Error", [{ "[": [false] }, []]],
  ["__proto__", own, own, own, own],
];

function outcome(write, read, value) {
  try {
    return read(write(value));
  } catch (error) {
    return error instanceof WireError ? error.code : error.name;
  }
}

for (const [name, value, ours, theirs, toon] of DIFFERENCES) {
  test(`what becomes of ${name}`, () => {
    assert.deepEqual(outcome(gcf.stringify, (text) => gcf.parse(text, { bigint: true }), value), ours);
    if (theirs !== undefined) assert.deepEqual(outcome(encodeGeneric, (text) => plain(decodeGeneric(text)), value), theirs);
    assert.deepEqual(outcome(encodeToon, decodeToon, value), toon);
  });
}
