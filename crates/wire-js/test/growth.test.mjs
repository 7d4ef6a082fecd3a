// 100,000 calls of each verb grow nothing: neither the memory of the module nor what the engine keeps.
import assert from "node:assert/strict";
import test from "node:test";
import { setTimeout } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const CALLS = Number(process.env.WIRE_CALLS ?? 100_000);

let memory;
const { Instance } = WebAssembly;
WebAssembly.Instance = class extends Instance {
  constructor(...args) {
    super(...args);
    memory ??= this.exports.memory;
  }
};
const { estimateTokens, gcb, gcf, gcx, goon, graph, keyed, smallest, smallestFromJSON } = await import("wire-formats");

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");
const used = async () => {
  // What a collection finds is freed a moment later.
  for (let round = 0; round < 3; round++) {
    collect();
    await setTimeout(20);
  }
  const { heapUsed, external } = process.memoryUsage();
  return { heap: heapUsed + external, module: memory.buffer.byteLength };
};

const rows = [{ id: 1, name: "Ann", tags: ["x"] }, { id: 2, name: "Bö", tags: [] }];
const response = { query_type: "search", nodes: [{ type: "User", id: 8, properties: { name: "Ann" } }], edges: [] };
const payload = { tool: "t", tokens_used: 0, token_budget: 0, symbols: [{ qualified_name: "a", kind: "function", score: 0.5, provenance: "x", distance: 0 }] };
const fails = (call) => {
  try {
    call();
  } catch {
    return;
  }
  assert.fail("expected an error");
};
const set = new keyed.KeyedSet(rows, { key: "id", replacer: ["id", "name"] });
const verbs = { keyed: () => keyed.receive(new keyed.Session(set).next(set).text, set).rows(), estimateTokens: () => estimateTokens("a b"), smallest: () => smallest(rows, { counter: estimateTokens }), smallestFromJSON: () => smallestFromJSON("[1]") };
for (const [name, format, value] of [["gcf", gcf, rows], ["gcx", gcx, rows], ["goon", goon, response], ["graph", graph, payload], ["gcb", gcb, { ...payload, symbols: [] }]]) {
  const text = format.stringify(value);
  const json = JSON.stringify(value);
  Object.assign(verbs, {
    [`${name}.stringify`]: () => format.stringify(value),
    [`${name}.parse`]: () => format.parse(text),
    [`${name}.fromJSON`]: () => format.fromJSON(json),
    [`${name}.toJSON`]: () => format.toJSON(text),
    [`${name}.parse of a bad text`]: () => fails(() => format.parse(text.slice(0, 5))),
  });
  if (format.recover) verbs[`${name}.recover`] = () => format.recover(`x\n${text}`);
}

for (const [name, call] of Object.entries(verbs)) {
  test(`${name}, ${CALLS} times`, async () => {
    for (let index = 0; index < 2_000; index++) call();
    let before = await used();
    const growth = async () => {
      for (let index = 0; index < CALLS; index++) call();
      const after = await used();
      assert.equal(after.module, before.module);
      const more = after.heap - before.heap;
      before = after;
      return more;
    };
    // What the engine itself keeps, it keeps once; what calls leave behind grows again.
    let more = await growth();
    if (more >= 300_000) more = await growth();
    assert.ok(more < 300_000, `${more} bytes more`);
  });
}
