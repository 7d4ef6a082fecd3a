// The package by `require`.
const assert = require("node:assert/strict");
const test = require("node:test");
const { WireError, gcf } = require("wire-formats");
const { toolResult } = require("wire-formats/mcp");
const { countTokens } = require("wire-formats/o200k");

test("CommonJS has the names of the modules", async () => {
  assert.equal(gcf.stringify({ a: 1 }), "GCF profile=generic\na=1\n");
  assert.throws(() => gcf.parse("x"), WireError);
  assert.deepEqual(await toolResult(() => "x")({}), { content: [{ type: "text", text: "x" }] });
  assert.equal(countTokens("hello"), 1);
  assert.equal(require("wire-formats"), require("wire-formats"));
  assert.equal(require("wire-formats/lite").text({ ok: true }), '{"ok":true}');
  for (const name of ["ai-sdk", "langchain", "mastra", "lite/mcp"]) assert.equal(require(`wire-formats/${name}`).mayBeQuoted("read_file", "x"), true);
});
