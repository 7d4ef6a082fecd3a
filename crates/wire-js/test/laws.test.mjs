// Laws, on random JSON.
import fc from "fast-check";
import assert from "node:assert/strict";
import test from "node:test";
import { WireError, estimateTokens, gcf, gcx, smallest } from "wire-formats";

const RUNS = { numRuns: 1000 };
const json = fc.jsonValue({ maxDepth: 5, stringUnit: "grapheme" });
const rows = fc.array(fc.record({ id: fc.integer(), name: fc.string({ unit: "grapheme" }), tags: fc.array(fc.string()), more: json }, { requiredKeys: ["id"] }));
const values = fc.oneof(json, rows);

test("what is written is read", () => {
  for (const format of [gcf, gcx]) {
    fc.assert(
      fc.property(values, (value) => {
        assert.deepEqual(format.parse(format.stringify(value)), JSON.parse(JSON.stringify(value)));
      }),
      RUNS,
    );
  }
});

test("JSON text and values are the same", () => {
  fc.assert(
    fc.property(values, (value) => {
      const text = JSON.stringify(value);
      // `JSON.stringify` writes some numbers as integers that GCF has no place for.
      fc.pre(!/\d{19}/.test(text));
      assert.deepEqual(JSON.parse(gcf.toJSON(gcf.fromJSON(text))), JSON.parse(text));
    }),
    RUNS,
  );
});

test("rows with brackets take linear time, and none is read that is not there", () => {
  for (const text of ["[".repeat(500_000), `é${"[".repeat(500_000)}]`, "[a[b]:", "[[a]: ", "[a][b] :", "x]y[1:"]) {
    assert.equal(gcf.stringify([{ a: text }]), gcf.fromJSON(JSON.stringify([{ a: text }])));
  }
  const growing = [{ get a() { growing.push({ a: 9 }); return 1; } }];
  assert.doesNotThrow(() => gcf.parse(gcf.stringify(growing)));
  const own = [{ a: 1, b: 2 }, Object.assign(Object.create(null), { a: 3 })];
  Object.prototype.b = 5;
  try {
    assert.equal(gcf.stringify([...own, { a: 4 }]), "GCF profile=generic\n## [3]{a,b}\n1|2\n3|~\n4|~\n");
  } finally {
    delete Object.prototype.b;
  }
});

test("integers of any size", () => {
  const sized = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.array(sized)), (value) => {
      const plain = JSON.parse(JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? String(inner) : inner)), (_, inner) =>
        typeof inner === "string" ? (Number.isSafeInteger(Number(inner)) ? Number(inner) : BigInt(inner)) : inner,
      );
      assert.deepEqual(gcf.parse(gcf.stringify(value), { bigint: true }), plain);
    }),
    RUNS,
  );
});

test("the smallest form is never larger than JSON, and reads back", () => {
  fc.assert(
    fc.property(values, (value) => {
      const { text, format, tokens, saved } = smallest(value, { counter: estimateTokens });
      assert.ok(saved >= 0 && tokens === estimateTokens(text));
      const back = { json: JSON.parse, gcf: gcf.parse, gcx: gcx.parse }[format](text);
      assert.deepEqual(back, JSON.parse(format === "json" ? text : gcf.toJSON(gcf.stringify(value))));
    }),
    RUNS,
  );
});

test("damaged texts are an error or a value, and the module lives on", () => {
  const damaged = fc.tuple(values, fc.nat(), fc.string());
  fc.assert(
    fc.property(damaged, ([value, at, text]) => {
      const whole = gcf.stringify(value);
      const index = at % (whole.length + 1);
      for (const call of [gcf.parse, gcf.recover, gcx.parse]) {
        try {
          call((whole.slice(0, index) + text + whole.slice(index + 1)).toWellFormed());
        } catch (error) {
          assert.ok(error instanceof WireError, error);
        }
      }
      assert.deepEqual(gcf.parse("GCF profile=generic\na=1\n"), { a: 1 });
    }),
    RUNS,
  );
});
