// What each kind of value of JavaScript becomes.
import assert from "node:assert/strict";
import test from "node:test";
import { WireError, estimateTokens, gcb, gcf, gcx, goon, graph, keyed, smallest, smallestFromJSON } from "wire-formats";

const refused = (act, members) =>
  assert.throws(act, (error) => {
    assert.ok(error instanceof WireError && error instanceof SyntaxError, error);
    for (const [name, value] of Object.entries(members)) assert.equal(error[name], value, name);
    return true;
  });

test("rows name their columns once", () => {
  const rows = [{ id: 1, name: "Ann" }, { id: 2, name: "Bo" }];
  const text = "GCF profile=generic\n## [2]{id,name}\n1|Ann\n2|Bo\n";
  assert.equal(gcf.stringify(rows), text);
  assert.deepEqual(gcf.parse(text), rows);
  assert.equal(gcf.fromJSON(JSON.stringify(rows)), text);
  assert.equal(gcf.fromJSON(new TextEncoder().encode(JSON.stringify(rows, null, 2))), text);
  assert.equal(gcf.toJSON(text), JSON.stringify(rows));
  assert.deepEqual(gcx.parse(gcx.stringify(rows)), rows);
  assert.equal(gcx.stringify(rows, { tool: "list" }), "GCX1 tool=list fields=id,name rows=2\n1\tAnn\n2\tBo\n");
});

test("integers beyond 2^53", () => {
  const given = { id: 9007199254740993n, safe: 9007199254740991, small: 1n };
  const text = gcf.stringify(given);
  assert.equal(text, "GCF profile=generic\nid=9007199254740993\nsafe=9007199254740991\nsmall=1\n");
  assert.deepEqual(gcf.parse(text, { bigint: true }), { ...given, small: 1 });
  assert.deepEqual(gcf.parse(text), { id: 9007199254740992, safe: 9007199254740991, small: 1 });
  // Texts that look like what marks an integer inside stay texts.
  const texts = { "\0n12345678901234567890": ["\0n12345678901234567890", "\0s", "\0", '"\0n', 2n ** 60n, 1.5e300, "12345678901234567890"] };
  assert.deepEqual(gcf.parse(gcf.stringify(texts), { bigint: true }), texts);
  const revived = gcf.parse(text, { bigint: true, reviver: (key, value) => (typeof value === "bigint" ? `${value}n` : value) });
  assert.equal(revived.id, "9007199254740993n");
  refused(() => gcf.stringify({ a: [2n ** 64n] }), { code: "out_of_range", path: "$.a[0]", line: undefined });
  assert.deepEqual(gcx.parse(gcx.stringify([{ id: 2n ** 70n }]), { bigint: true }), [{ id: 2n ** 70n }]);
});

test("values with a text of their own", () => {
  const date = new Date(Date.UTC(2026, 0, 2));
  assert.deepEqual(gcf.parse(gcf.stringify({ date, nested: { toJSON: (key) => [key, undefined].slice(0, 1) } })), { date: date.toJSON(), nested: ["nested"] });
  assert.deepEqual(gcf.parse(gcf.stringify([new Number(1), new String("x"), new Boolean(false), Object(1n)])), [1, "x", false, 1]);
  class Point {
    constructor() {
      this.x = 1;
    }
    get length() {
      return 1;
    }
  }
  assert.deepEqual(gcf.parse(gcf.stringify(new Point())), { x: 1 });
  assert.deepEqual(gcf.parse(gcf.stringify(Object.assign(Object.create(null), { a: 1 }))), { a: 1 });
});

test("maps are objects by option", () => {
  const map = new Map([["b", 1], ["__proto__", new Map([["x", 2]])]]);
  assert.equal(gcf.toJSON(gcf.stringify({ map }, { maps: true })), '{"map":{"b":1,"__proto__":{"x":2}}}');
  refused(() => gcf.stringify({ map }), { code: "invalid_value", path: "$.map" });
  refused(() => gcf.stringify({ map: new Map([[1, 2]]) }, { maps: true }), { code: "invalid_value", path: "$.map" });
});

test("undefined members are left out", () => {
  assert.equal(gcf.toJSON(gcf.stringify({ a: undefined, b: 1, c: { d: undefined } })), '{"b":1,"c":{}}');
  refused(() => gcf.stringify(undefined), { code: "invalid_value", path: "$" });
});

test("what JSON.stringify would change is refused", () => {
  const cycle = { list: [] };
  cycle.list.push(cycle);
  const bad = [
    [[{ a: Number.NaN }], "non_finite_number", "$[0].a"],
    [{ "a b": [1, -Infinity] }, "non_finite_number", '$["a b"][1]'],
    [[1, undefined], "invalid_value", "$[1]"],
    [[, 1], "invalid_value", "$[0]"],
    [{ f() {} }, "invalid_value", "$.f"],
    [{ s: Symbol("x") }, "invalid_value", "$.s"],
    [{ set: new Set([1]) }, "invalid_value", "$.set"],
    [{ error: new Error("x") }, "invalid_value", "$.error"],
    [[new ArrayBuffer(1)], "invalid_value", "$[0]"],
    [cycle, "too_deep", "$.list[0]"],
    [{ x: { y: "\ud800" } }, "invalid_surrogate", "$.x.y"],
    [{ "\udc00": 1 }, "invalid_surrogate", undefined],
  ];
  for (const [value, code, path] of bad) {
    for (const format of [gcf, gcx]) {
      assert.throws(() => format.stringify(value), (error) => {
        assert.ok(error instanceof WireError, error);
        assert.equal(error.code, code, error.message);
        if (path) assert.equal(error.path, path, error.message);
        return true;
      });
    }
  }
  assert.throws(() => gcf.stringify([new Error("x")]), /an Error is not a value of JSON/);
  assert.throws(() => gcf.stringify([new Map()]), /a Map is not a value of JSON/);
  let deep = 1;
  for (let level = 0; level < 130; level++) deep = [deep];
  refused(() => gcf.stringify(deep), { code: "too_deep" });
  for (let level = 0; level < 100_000; level++) deep = [deep];
  refused(() => gcf.stringify(deep), { code: "too_deep" });
});

test("numbers are those of JSON", () => {
  const numbers = [0, 1.5, 1e21, 5e-324, -1.7976931348623157e308, 0.1 + 0.2];
  assert.deepEqual(gcf.parse(gcf.stringify(numbers)), numbers);
  // Integers of 64 bits have their digits, where JSON.stringify writes zeros for the last ones; larger numbers stay doubles.
  for (const value of [2 ** 53, 2 ** 60, 2 ** 63 - 1024, -(2 ** 63)]) {
    for (const format of [gcf, gcx]) {
      assert.deepEqual(format.parse(format.stringify([value]), { bigint: true }), [BigInt(value)]);
      assert.deepEqual(format.parse(format.stringify([value])), [value]);
    }
  }
  assert.equal(gcf.stringify({ id: 2 ** 60 }), "GCF profile=generic\nid=1152921504606846976\n");
  for (const value of [2 ** 63, 1e20, -1e300]) {
    assert.deepEqual([gcf, gcx].map((format) => format.parse(format.stringify([value]), { bigint: true })), [[value], [value]]);
  }
  // As in JSON, minus zero is zero.
  for (const value of [[-0], [-0, 1n]]) assert.ok(Object.is(gcf.parse(gcf.stringify(value))[0], 0));
});

test("keys", () => {
  const text = '{"b":1,"__proto__":{"x":1},"a":{"constructor":2},"10":3}';
  const value = gcf.parse(gcf.fromJSON(text));
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
  // The language puts keys that are integers first; JSON text to text keeps their order, too.
  assert.deepEqual(Object.keys(value), ["10", "b", "__proto__", "a"]);
  assert.equal(gcf.toJSON(gcf.fromJSON(text)), text);
  assert.equal(gcf.toJSON(gcf.stringify(JSON.parse(text))), '{"10":3,"b":1,"__proto__":{"x":1},"a":{"constructor":2}}');
  const revived = gcf.parse(gcf.fromJSON('{"__proto__":{"id":9007199254740993}}'), { bigint: true });
  assert.deepEqual(Object.keys(revived), ["__proto__"]);
});

test("replacer and reviver", () => {
  const value = { a: 1, b: { a: 2, c: "x" }, d: [{ a: 3, e: 4 }] };
  const cases = [["a", "b", "d"], ["d", "a", "a"], [], (key, inner) => (key === "c" ? undefined : typeof inner === "number" ? inner * 2 : inner)];
  for (const replacer of cases) {
    assert.equal(gcf.toJSON(gcf.stringify(value, { replacer })), JSON.stringify(value, replacer));
  }
  const reviver = function (key, inner) {
    return key === "a" ? undefined : Array.isArray(this) ? [inner] : inner;
  };
  assert.deepEqual(gcf.parse(gcf.stringify(value), { reviver }), JSON.parse(JSON.stringify(value), reviver));
});

test("a replacer and a reviver may stand in the place of options, as in JSON", () => {
  const user = { name: "ann", password: "s3cret", tags: [1] };
  const hide = (key, value) => (key === "password" ? undefined : value);
  for (const format of [gcf, gcx]) {
    const text = format.stringify(user, hide);
    assert.deepEqual(format.parse(text), { name: "ann", tags: [1] });
    assert.equal(format.stringify(user, ["name"]), format.stringify({ name: "ann" }));
    assert.equal(format.stringify(user, null, 2), format.stringify(user));
    assert.deepEqual(format.parse(text, (key, value) => (key === "tags" ? undefined : value)), { name: "ann" });
    assert.deepEqual(format.parse(text, null), format.parse(text));
  }
  const rows = [{ id: 1, password: "s3cret" }];
  assert.ok(!gcf.stringify(rows, hide).includes("s3cret"));
  assert.deepEqual(gcf.recover(gcf.stringify(user), (key, value) => (key === "password" ? undefined : value)).value, { name: "ann", tags: [1] });
  assert.throws(() => smallest(user, hide), TypeError);
  assert.throws(() => gcf.fromJSON("[1]", hide), TypeError);
  assert.throws(() => gcf.stringify(user, "name"), TypeError);
});

test("options of another name or type are errors", () => {
  const response = { query_type: "search", nodes: [], edges: [] };
  const payload = { tool: "t", tokens_used: 0, token_budget: 0, symbols: [] };
  const wrong = [
    [gcf, {}, { spec: 3.6 }, { spec: "9" }, { specs: "3.5" }, { replacer: "a" }, { maps: 1 }, { replacer: [{}] }],
    [gcx, [], { tool: 7 }, { typed: "yes" }, { spec: "3.5" }],
    [goon, response, { version: 1 }, { quoteNumbers: "no" }, { truncation: null }, { dropUnrepresentable: 0 }],
    [graph, payload, { dialect: 3 }, { dialect: "v9" }],
    [gcb, payload, { dialect: "v1" }, { exact: true }],
  ];
  for (const [format, value, ...options] of wrong) {
    for (const given of options) refused(() => format.stringify(value, given), { code: "invalid_option", path: undefined });
  }
  const text = gcf.stringify({ a: 1 });
  for (const given of [{ bigint: 1 }, { reviver: [] }, { replacer: () => 1 }, { toString: 1 }]) {
    refused(() => gcf.parse(text, given), { code: "invalid_option" });
    refused(() => gcf.recover(text, given), { code: "invalid_option" });
  }
  for (const given of [{ exact: 1 }, { maps: true }, { spec: Symbol("x") }]) refused(() => gcf.fromJSON("[1]", given), { code: "invalid_option" });
  for (const given of [{ counter: "o200k" }, { count: () => 1 }, { formats: "gcx" }, { formats: ["goon"] }]) {
    refused(() => smallest([1], given), { code: "invalid_option" });
    refused(() => smallestFromJSON("[1]", given), { code: "invalid_option" });
  }
  for (const counter of [async () => 1, () => Number.NaN, () => undefined, () => -1, () => 1n]) {
    assert.throws(() => smallest([1], { counter }), /^WireError: counter returned .*, expected a number of tokens$/);
  }
  assert.throws(() => smallest([1], { counter: async () => 1 }), /a promise/);
  for (const given of [undefined, null, {}, { spec: undefined }]) assert.equal(gcf.stringify({ a: 1 }, given), text);
});

test("keyed sets hold every digit, and refuse what they can't hold", () => {
  const options = { key: "id" };
  const rows = [{ id: 9007199254740993n, at: new Date(0) }, { id: 2, at: null }];
  const set = new keyed.KeyedSet(rows, options);
  assert.deepEqual(set.rows({ bigint: true }), [{ id: 9007199254740993n, at: "1970-01-01T00:00:00.000Z" }, { id: 2, at: null }]);
  assert.deepEqual(set.fields, ["id", "at"]);
  assert.equal(new keyed.KeyedSet([...rows].reverse(), options).root, set.root);
  assert.equal(new keyed.KeyedSet(rows, { ...options, replacer: ["id"], name: "orders" }).stringify().split("\n")[1], "## orders [2]{@id}");
  assert.deepEqual({ ...keyed.parse(set.stringifyUnchanged()) }, { root: set.root, count: 2 });
  const delta = new keyed.Delta(set, set.root, set.root, { removed: [2], tokens: 1, fullTokens: 4 });
  assert.deepEqual([delta.removed(), delta.added(), delta.savings, delta.size, delta.isWorthIt(set)], [[{ id: 2 }], [], 75, 1, false]);
  refused(() => set.apply(delta), { code: "root_mismatch" });
  refused(() => keyed.receive(delta.stringify()), { code: "unexpected_answer" });
  refused(() => set.deltaTo(new keyed.KeyedSet([{ id: 1 }], options)), { code: "schema_change" });
  refused(() => new keyed.KeyedSet([{ id: 1n << 63n }], options), { code: "out_of_range" });
  refused(() => new keyed.KeyedSet([{ id: 1, n: NaN }], options), { code: "non_finite_number", path: "$[0].n" });
  refused(() => new keyed.KeyedSet([{ id: 1 }, { id: 1 }], options), { code: "duplicate_key" });
  for (const fields of [["id", "\ud800"], "id"]) refused(() => new keyed.KeyedSet([], { ...options, fields }), { code: "invalid_option" });
  for (const given of [undefined, {}, { key: 1 }, { ...options, full: true }]) refused(() => new keyed.KeyedSet(rows, given), { code: "invalid_option" });
  for (const given of [{ fullEvery: 0 }, { fullEvery: 1.5 }, { sizeGuard: 1 }, { every: 3 }]) refused(() => new keyed.Session(set, given), { code: "invalid_option" });
  for (const given of [{ added: {} }, { tokens: -1 }]) refused(() => new keyed.Delta(set, set.root, set.root, given), { code: "invalid_option" });
  refused(() => new keyed.Delta(set, "a b", set.root), { code: "invalid_option" });
  refused(() => new keyed.Session(set, { tool: "a b" }), {});
  for (const call of [() => set.apply(set), () => set.deltaTo(delta), () => new keyed.Session(delta), () => delta.isWorthIt(delta)]) assert.throws(call, TypeError);
});

test("long texts take linear time", () => {
  const cell = 'x"\\\n'.repeat(4_000_000);
  const value = { id: 2n ** 60n, cell, more: 1e300 };
  const start = performance.now();
  const text = gcf.stringify(value);
  assert.deepEqual(gcf.parse(text, { bigint: true }), value);
  refused(() => gcf.stringify({ cell, bad: ["\ud800"] }), { code: "invalid_surrogate", path: "$.bad[0]" });
  refused(() => gcf.stringify({ [cell.slice(0, 9)]: "\ud800" }), { code: "invalid_surrogate", path: `$[${JSON.stringify(cell.slice(0, 9))}]` });
  // Not a bar of speed: what is not linear needs minutes, or the engine's stack.
  assert.ok(performance.now() - start < 60_000);
});

test("errors of texts have positions", () => {
  refused(() => gcf.parse("GCF profile=generic\n## users [2]{id,name}\n1|Ann\n2\n"), { code: "row_width_mismatch", line: 4, column: 1, offset: 48, path: undefined });
  refused(() => gcf.fromJSON('{"a": 1, "a": 2}'), { code: "duplicate_key", line: 1, column: 10, offset: 9 });
  refused(() => gcf.parse("GCF profile=generic\nü=\ud800\n"), { code: "invalid_utf8", line: 2, column: 3, offset: 23 });
  refused(() => gcf.parse(Uint8Array.of(0x47, 0xff)), { code: "invalid_utf8", line: 1, column: 2, offset: 1 });
  refused(() => gcf.stringify({}, { spec: "9" }), { code: "invalid_option" });
  refused(() => goon.stringify([]), {});
  assert.throws(() => gcf.parse(1), TypeError);
});

test("answers of models", () => {
  const found = gcf.recover("Sure:\n```\nGCF profile=generic\n## users [3]{id,name}\n1|Ann\n2|Bo\n```\n");
  assert.deepEqual(found.value, { users: [{ id: 1, name: "Ann" }, { id: 2, name: "Bo" }] });
  assert.deepEqual(found.repairs.map((repair) => repair.code), ["surrounding_text", "code_fence", "wrong_count", "code_fence"]);
  refused(() => gcf.recover("nothing"), { code: "missing_header" });
});

test("payloads", () => {
  const payload = {
    tool: "t",
    tokens_used: 0,
    token_budget: 0,
    symbols: [{ qualified_name: "a", kind: "function", score: 0.5, provenance: "structural", distance: 0, components: { blast_radius: 0, confidence: 0, recency: 0, distance: 0 } }],
  };
  const bytes = gcb.stringify(payload);
  assert.ok(bytes instanceof Uint8Array);
  assert.deepEqual(gcb.parse(bytes), payload);
  assert.equal(JSON.stringify(graph.parse(graph.stringify(payload)).symbols[0].qualified_name), '"a"');
  assert.deepEqual(graph.recover(`Here: \n${graph.stringify(payload)}`).value.symbols.length, 1);
  refused(() => gcb.stringify({ tool: "t" }), { code: "json_data" });
});

test("the smallest form", () => {
  const rows = Array.from({ length: 5 }, (_, id) => ({ id, name: `n${id}` }));
  const found = smallest(rows, { counter: estimateTokens });
  assert.equal(found.format, "gcf");
  assert.deepEqual(gcf.parse(found.text), rows);
  assert.equal(found.tokens, estimateTokens(found.text));
  assert.equal(found.saved, estimateTokens(JSON.stringify(rows)) - found.tokens);
  assert.match(found.reason, /^gcf by runs, since it uses the fewest tokens: json \d+ tokens; gcf \d+ tokens$/);
  assert.deepEqual(smallest(rows), found);
  // GCX1 where it is named, and by a counter of one's own.
  const named = smallest(rows, { formats: ["gcx"], counter: (text) => text.length / 4 });
  assert.deepEqual(Object.keys(named.candidates), ["json", "gcx"]);
  assert.equal(named.tokens, Math.ceil(named.text.length / 4));
  // A list whose rows save less than the estimate can tell stays JSON.
  assert.equal(smallest([{ a: "some words of a text" }, { a: "some words of a text" }]).format, "json");
  assert.equal(smallest("x").format, "json");
  assert.deepEqual([smallest([]).format, smallest([]).saved], ["json", 0]);
  const digits = smallestFromJSON('[ {"id": 1234567890123456789012}, {"id": 1} ]');
  assert.equal(digits.candidates.gcf.code, "out_of_range");
  assert.equal(smallestFromJSON('[ {"id": 0.12345678901234567890} ]').text, '[{"id":0.12345678901234567890}]');
  refused(() => smallestFromJSON("[1,"), { offset: 3 });
  assert.throws(() => smallest([1], { counter: () => { throw new RangeError("mine"); } }), /mine/);
});
