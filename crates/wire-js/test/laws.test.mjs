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

test("rows are the same text with and without a module", () => {
  // Pieces of which the rules for quotes speak, so that most texts are near one.
  const piece = fc.constantFrom(..."-+.0159eE~^{}[]: #@tf\"\\|,_/\t\n\x7f\xa0\u0085\u2003\ufeffé字😀", "true", "false", "abc", "\ud83d");
  const text = fc.oneof(fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join("")), fc.string({ unit: "binary" }));
  const scalar = fc.oneof(text, fc.double(), fc.integer(), fc.constantFrom(-0, 1e-7, 1e21, 2 ** 53, 0.1, 5e-324), fc.boolean(), fc.constant(null));
  const key = fc.constantFrom("id", "a_1", "B", "a b", "a>b", "", "é", "1", "toJSON", "__proto__");
  const row = (keys) => fc.tuple(...keys.map(() => scalar)).map((cells) => Object.fromEntries(keys.map((key, at) => [key, cells[at]])));
  const alike = fc.uniqueArray(key, { maxLength: 3 }).chain((keys) => fc.array(row(keys), { maxLength: 4 }));
  const outcome = (call) => {
    try {
      return call();
    } catch (error) {
      return error.code;
    }
  };
  const other = fc.tuple(alike, alike).map(([some, more]) => [...some, ...more]);
  fc.assert(
    // A replacer that changes nothing goes the way by JSON text.
    fc.property(fc.oneof(alike, other), (rows) => {
      assert.equal(outcome(() => gcf.stringify(rows)), outcome(() => gcf.stringify(rows, { replacer: (_, value) => value })));
    }),
    { numRuns: 20_000 },
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
