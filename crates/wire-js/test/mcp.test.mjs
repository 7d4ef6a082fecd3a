// Results of tools: the recipes with the official SDKs of both generations, and the laws of `toolResult`.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import test from "node:test";
import { build } from "esbuild";
import { countTokens } from "wire-formats/o200k";
import { estimateTokens, gcf, gcx, smallest } from "wire-formats";
import { toolResult } from "wire-formats/mcp";

const users = (city, count) => ["Ann", "Bo", "Cleo", "Dev", "Eve"].slice(0, count).map((name, index) => ({ id: index + 1, name, city }));
const least = (value) => smallest(value, { counter: estimateTokens }).text;

for (const generation of ["v1", "v2"]) {
  test(`the recipe ${generation}`, async () => {
    const scripts = ["client", `server-${generation}`].map((name) => join(import.meta.dirname, `recipes/${name}.ts`));
    const outdir = join(import.meta.dirname, `recipes/${generation}`);
    await build({ entryPoints: scripts, bundle: true, packages: "external", platform: "node", format: "esm", outExtension: { ".js": ".mjs" }, outdir });
    const [client, server] = ["client", `server-${generation}`].map((name) => join(outdir, `${name}.mjs`));
    const answers = execFileSync(process.execPath, [client, process.execPath, server], { encoding: "utf8", timeout: 60_000 });
    const [listed, asJson, page] = answers.trim().split("\n").map((line) => JSON.parse(line));
    assert.equal(listed.content[0].text, least(users("Rome", 5)));
    assert.equal(listed.structuredContent, undefined);
    assert.equal(asJson.content[0].text, JSON.stringify(users("Rome", 5)));
    assert.deepEqual(page.structuredContent, { city: "Oslo", users: users("Oslo", 2) });
    assert.ok(page.content[0].text.length <= JSON.stringify(page.structuredContent).length);
  });
}

const rows = users("Rome", 5);
const textOf = async (value, options, args = {}) => (await toolResult(() => value, { warn: assert.fail, ...options })(args)).content[0].text;

test("a value becomes a text in the form with the fewest tokens", async () => {
  assert.equal(await textOf(rows), least(rows));
  assert.equal(await textOf(JSON.stringify(rows)), least(rows));
  assert.equal(await textOf(rows, { format: "json" }), JSON.stringify(rows));
  assert.equal(await textOf(rows, {}, { format: "gcx" }), gcx.stringify(rows));
  assert.equal(await textOf(rows, { argument: "form" }, { form: "json" }), JSON.stringify(rows));
  assert.equal(await textOf({ ok: true }, { counter: countTokens }), '{"ok":true}');
  assert.equal(await textOf("done"), "done");
  // White space goes even where no form saves, since an estimate does not see all of its tokens.
  assert.equal(await textOf('{ "a": 1 }'), '{"a":1}');
  assert.equal(await textOf(rows, { formats: ["json"] }), JSON.stringify(rows));
  assert.equal(await textOf(7), "7");
  assert.equal(await textOf({ at: new Date(0), none: undefined }, { format: "json" }), '{"at":"1970-01-01T00:00:00.000Z"}');
});

test("the handler sees all arguments, the form that is asked for, too", async () => {
  const seen = [];
  const tool = toolResult((...given) => seen.push(given) && "x");
  await tool({ city: "Rome", format: "gcf" }, { signal: 1 });
  await tool({ city: "Rome", format: "pdf" });
  await tool({ signal: 1 });
  await tool();
  assert.deepEqual(seen, [[{ city: "Rome", format: "gcf" }, { signal: 1 }], [{ city: "Rome", format: "pdf" }], [{ signal: 1 }], []]);
});

test("what a model may have to quote stays", async () => {
  const json = JSON.stringify(rows);
  const file = { path: "package.json" };
  assert.equal(await textOf(rows, { name: "read_file" }), json);
  assert.equal((await toolResult(function readFile() { return rows; })({})).content[0].text, json);
  assert.equal(await textOf(rows, { name: "read_file" }, { format: "gcf" }), gcf.stringify(rows));
  assert.equal(await textOf(rows, { name: "read_file", verbatim: false }), least(rows));
  assert.equal(await textOf(rows, { verbatim: true }), json);
  assert.equal(await textOf(rows, {}, file), json);
  assert.equal(await textOf(rows, {}, { paths: ["a.json", 1] }), json);
  assert.equal(await textOf(rows, {}, { ...file, query: "a" }), least(rows));
  assert.equal(await textOf({ content: "a text" }), '{"content":"a text"}');
  assert.equal(await textOf(rows, { name: "read_query" }), least(rows));
  // A result passes as a whole.
  const blocks = (...texts) => ({ content: texts.map((text) => ({ type: "text", text })) });
  for (const name of ["get_page", "read_query"]) {
    const given = blocks(json, "a line\n".repeat(9));
    assert.equal(await toolResult(() => given, { name })({}), given);
    assert.equal((await toolResult(() => given, { name: "list" })({})).content[1].text, given.content[1].text);
  }
  assert.equal((await toolResult(() => blocks(json, "done"), { name: "list" })({})).content[0].text, least(rows));
});

test("results of the SDK keep all but their JSON texts", async () => {
  const image = { type: "image", data: "AA==", mimeType: "image/png" };
  const given = {
    _meta: { a: 1 },
    structuredContent: { rows },
    content: [{ type: "text", text: JSON.stringify({ rows }, null, 2) }, image, { type: "text", text: "[not JSON" }, { type: "text", text: '{"a":1,"a":2}' }],
  };
  const kept = await toolResult(() => given)({});
  assert.deepEqual(kept, { ...given, content: [{ ...given.content[0], text: least({ rows }) }, ...given.content.slice(1)] });
  const dropped = await toolResult(() => given, { structured: "drop" })({});
  assert.deepEqual({ ...dropped, structuredContent: given.structuredContent }, kept);
  assert.ok(!("structuredContent" in dropped));
  const other = { ...given, structuredContent: { more: 1 } };
  assert.deepEqual((await toolResult(() => other, { structured: "drop" })({})).structuredContent, { more: 1 });
  const failed = { isError: true, content: [{ type: "text", text: JSON.stringify(rows) }] };
  assert.equal(await toolResult(() => failed)({}), failed);
});

test("what others read stays", async () => {
  const text = JSON.stringify(rows);
  const block = (more) => ({ content: [{ type: "text", text, ...more }] });
  for (const _meta of [{ ui: { resourceUri: "ui://x" } }, { "ui/resourceUri": "ui://x" }, { "openai/outputTemplate": "ui://x" }]) {
    const given = { ...block({}), structuredContent: { rows }, _meta };
    assert.equal(await toolResult(() => given, { structured: "drop" })({}), given);
  }
  for (const more of [{ annotations: { audience: ["user"] } }, { _meta: { a: 1 } }]) {
    assert.deepEqual(await toolResult(() => block(more))({}), block(more));
    // It may not be for the model, so it proves nothing.
    const given = { ...block(more), structuredContent: rows };
    assert.deepEqual((await toolResult(() => given, { structured: "drop" })({})).structuredContent, rows);
  }
  const free = await toolResult(() => ({ ...block({ annotations: null }), _meta: { ui: null, a: 1 } }))({});
  assert.equal(free.content[0].text, least(rows));
});

test("a handler may return nothing, and any text", async () => {
  for (const structured of [undefined, "keep", "drop"]) {
    assert.deepEqual(await toolResult(() => undefined, { structured })({}), { content: [] });
    assert.deepEqual(await toolResult(() => "{not JSON", { structured })({}), { content: [{ type: "text", text: "{not JSON" }] });
  }
  assert.deepEqual(await toolResult(() => '{"a": 1}', { structured: "keep", format: "json" })({}), { content: [{ type: "text", text: '{"a":1}' }], structuredContent: { a: 1 } });
  assert.deepEqual(await toolResult(() => () => 1, { warn: () => {} })({}), { content: [] });
});

test("options of another name or type are errors, when the tool is made", async () => {
  for (const options of [{ format: "pdf" }, { structured: true }, { counter: "o200k" }, { formats: ["auto"] }, { warn: 1 }, { argument: 1 }, { counters: 1 }]) {
    assert.throws(() => toolResult(() => 1, options), (error) => error.code === "invalid_option");
  }
  await assert.rejects(toolResult(() => rows, { counter: async () => 1 })({}), (error) => error.code === "invalid_option");
  assert.equal((await toolResult(() => "x", null)({})).content[0].text, "x");
});

test("digits of a text stay", async () => {
  const text = JSON.stringify({ content: [{ type: "text", text: '[{"id": 12345678901234567890123}, {"id": 0.10000000000000000001}]' }] });
  const result = await toolResult(() => JSON.parse(text))({});
  assert.match(result.content[0].text, /12345678901234567890123[^]*0\.10000000000000000001/);
});

test("a tool that worked still works, with a warning", async () => {
  const warnings = [];
  const warn = (message) => warnings.push(message);
  assert.equal(await textOf({ x: Number.NaN, f() {}, list: [undefined] }, { warn }), '{"x":null,"list":[null]}');
  assert.match(warnings[0], /\$\.x: NaN/);
  assert.equal(await textOf({ map: new Map([[1, 2]]) }, { warn }), '{"map":{}}');
  const cycle = {};
  cycle.self = cycle;
  await assert.rejects(toolResult(() => cycle, { warn })({}), TypeError);
  await assert.rejects(toolResult(() => Promise.reject(new RangeError("mine")), { warn })({}), RangeError);
});
