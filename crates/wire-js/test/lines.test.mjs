// Rows as they come.
import assert from "node:assert/strict";
import test from "node:test";
import { WireError, gcf } from "wire-formats";

const rows = [{ id: 1, name: "Ann|x" }, { id: 2, name: "zwei\nZeilen ü" }, { id: 3 }];

async function collected(generator) {
  const items = [];
  for await (const item of generator) items.push(item);
  return items;
}
const chunked = (text, size) => Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size));

test("rows are lines, and are read from any chunks", async () => {
  const lines = await collected(gcf.stringifyLines(rows));
  assert.equal(lines.length, 5);
  const text = lines.join("");
  assert.deepEqual(gcf.parse(text), rows);
  for (const size of [1, 2, 7, 1000]) {
    assert.deepEqual(await collected(gcf.parseLines(chunked(text, size))), rows);
    assert.deepEqual(await collected(gcf.parseLines(chunked(new TextEncoder().encode(text), size))), rows);
  }
  async function* slow() {
    yield* rows;
  }
  assert.equal((await collected(gcf.stringifyLines(slow(), { fields: ["id", "name"] }))).join(""), text);
});

test("a long line in small pieces takes linear time", async () => {
  const long = [{ id: 1, name: "x".repeat(2_000_000) }, { id: 2, name: "y" }];
  const text = (await collected(gcf.stringifyLines(long))).join("");
  const start = performance.now();
  assert.deepEqual(await collected(gcf.parseLines(chunked(text, 8))), long);
  // Not a bar of speed: what is not linear needs minutes.
  assert.ok(performance.now() - start < 30_000);
});

test("options of lines", async () => {
  const hide = (key, value) => (key === "name" ? undefined : value);
  assert.deepEqual(await collected(gcf.parseLines(await collected(gcf.stringifyLines(rows, hide)))), rows.map(({ id }) => ({ id })));
  for (const options of [{ fields: "id" }, { field: ["id"] }, { maps: "no" }]) {
    await assert.rejects(collected(gcf.stringifyLines(rows, options)), (error) => error.code === "invalid_option");
  }
  await assert.rejects(collected(gcf.parseLines([], { bigint: 1 })), (error) => error.code === "invalid_option");
});

test("no rows", async () => {
  const text = (await collected(gcf.stringifyLines([]))).join("");
  assert.deepEqual(gcf.parse(text), []);
  assert.deepEqual(await collected(gcf.parseLines([text])), []);
  const named = (await collected(gcf.stringifyLines([], { fields: ["id"] }))).join("");
  assert.equal(named, "GCF profile=generic\n## [?]{id}\n##! summary counts=0\n");
  assert.deepEqual(await collected(gcf.parseLines([named])), []);
});

test("a text that is cut or wrong is an error with its position", async () => {
  const text = (await collected(gcf.stringifyLines(rows))).join("");
  const rejects = (input, members) =>
    assert.rejects(collected(gcf.parseLines([input])), (error) => {
      assert.ok(error instanceof WireError, error);
      for (const [name, value] of Object.entries(members)) assert.equal(error[name], value, `${name}: ${error.message}`);
      return true;
    });
  await rejects(text.replace(/##!.*\n/, ""), { code: "count_mismatch" });
  await rejects(text.slice(0, -1), { code: "missing_final_newline" });
  await rejects(text.replace("counts=3", "counts=4"), { code: "count_mismatch", line: 6 });
  await rejects(`${text}4|x\n`, { code: "unrecognized_line", line: 7 });
  await rejects(text.replace("3|~", "3"), { code: "row_width_mismatch", line: 5, column: 1, offset: text.indexOf("3|~") + 1 });
  await rejects("{}\n", { code: "missing_header", line: 1 });
  await rejects(gcf.stringify({ a: 1 }), { code: "not_streamable", line: 2 });
  await assert.rejects(collected(gcf.stringifyLines([{ a: { b: 1 } }])), { code: "not_streamable" });
  await assert.rejects(collected(gcf.stringifyLines([{ a: 1 }, { b: 1 }])), { code: "not_streamable" });
  await assert.rejects(collected(gcf.stringifyLines([{ a: Number.NaN }])), { code: "non_finite_number" });
});
