// What a client of an MCP server gets of results of tools, without the plug and with it: both generations of the SDK, in one process.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import test from "node:test";
import * as v2client from "@modelcontextprotocol/client";
import * as v2server from "@modelcontextprotocol/server";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { text } from "wire-formats/lite";
import { compactResult, mayBeQuoted } from "wire-formats/lite/mcp";
import { z } from "zod";
import { lineOf, orders, ordersAsJSON, ordersAsText, ordersAsValue } from "./orders.mjs";

const GENERATIONS = { v1: { Client, InMemoryTransport, McpServer }, v2: { Client: v2client.Client, InMemoryTransport: v2client.InMemoryTransport, McpServer: v2server.McpServer } };

const image = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" };
const block = (of, more) => ({ type: "text", text: of, ...more });

/** What each tool returns. */
const RESULTS = {
  orders: { content: [block(ordersAsJSON)] },
  totals: { content: [block('{"ok":true,"count":6}')] },
  page: { content: [block("# A page\n\nwith | pipes")] },
  pretty: { content: [block(JSON.stringify(orders, null, 2))] },
  nothing: { content: [] },
  failed: { content: [block(ordersAsJSON)], isError: true },
  picture: { content: [block(ordersAsJSON), image], _meta: { trace: 1 } },
  cited: { content: [block(ordersAsJSON, { annotations: { audience: ["user"] } })] },
  traced: { content: [block(ordersAsJSON, { _meta: { trace: 1 } })] },
  interface: { content: [block(ordersAsJSON)], _meta: { ui: { resourceUri: "ui://x" } } },
  typed: { content: [block(JSON.stringify({ orders }))], structuredContent: { orders: ordersAsValue } },
  read_file: { content: [block(ordersAsJSON)] },
};
const asText = { content: [block(ordersAsText)] };
const typedAsText = ordersAsText.replace("## [6]", "## orders [6]");
const WITH_PLUG = {
  ...RESULTS,
  orders: asText,
  pretty: asText,
  picture: { ...RESULTS.picture, content: [block(ordersAsText), image] },
  typed: { ...RESULTS.typed, content: [block(typedAsText)] },
};

/** A client of a server with these tools. */
async function clientOf({ Client, InMemoryTransport, McpServer }, handlers) {
  const server = new McpServer({ name: "shop", version: "1" });
  const outputSchema = z.object({ orders: z.array(z.looseObject({ id: z.number() })) });
  for (const [name, handler] of Object.entries(handlers)) server.registerTool(name, { description: name, ...(name.startsWith("typed") ? { outputSchema } : {}) }, handler);
  const [one, other] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "c", version: "1" });
  await Promise.all([server.connect(one), client.connect(other)]);
  await client.listTools();
  return client;
}
async function received(client) {
  const tools = Object.keys(RESULTS);
  const results = await Promise.all(tools.map((name) => client.callTool({ name, arguments: {} })));
  return JSON.parse(JSON.stringify(Object.fromEntries(tools.map((name, index) => [name, results[index]]))));
}

for (const [generation, sdk] of Object.entries(GENERATIONS)) {
  test(`results of a server's tools, ${generation}`, async () => {
    const compacted = (name) => async () => compactResult(RESULTS[name], name);
    for (const [handlerOf, expected] of [[(name) => async () => RESULTS[name], RESULTS], [compacted, WITH_PLUG]]) {
      const client = await clientOf(sdk, Object.fromEntries(Object.keys(RESULTS).map((name) => [name, handlerOf(name)])));
      const got = await received(client);
      assert.deepEqual(got, expected);
      // The same at each call.
      assert.deepEqual(await received(client), got);
      await client.close();
    }
  });

  test(`a server that writes its own results, ${generation}`, async () => {
    const client = await clientOf(sdk, {
      orders: async () => ({ content: [{ type: "text", text: text(orders) }] }),
      broken: async () => compactResult(await Promise.reject(new Error("no such table")), "broken"),
      typed: async () => ({ content: [{ type: "text", text: text({ orders }) }], structuredContent: { orders: ordersAsValue } }),
      typed_without: async () => ({ content: [{ type: "text", text: text({ orders }) }] }),
    });
    const call = (name) => client.callTool({ name, arguments: {} });
    assert.deepEqual((await call("orders")).content, asText.content);
    assert.deepEqual(await call("broken"), { content: [block("no such table")], isError: true });
    assert.deepEqual(await call("typed"), { content: [block(typedAsText)], structuredContent: { orders: ordersAsValue } });
    // With an output schema the text alone is an error of the SDK: of the result, or of the call.
    const outcome = await call("typed_without").catch((error) => ({ isError: true, content: [block(error.message)] }));
    assert.ok(outcome.isError && /structured content/i.test(outcome.content[0].text), JSON.stringify(outcome));
    await client.close();
  });
}

test("the line of the page", () => {
  assert.deepEqual(lineOf("MCP servers", 2, { result: RESULTS.orders, compactResult }), WITH_PLUG.orders);
});

test("what a model may have to quote stays", () => {
  const [rows, blocks] = [RESULTS.orders, { content: [block(ordersAsJSON), block("two\nlines")] }];
  for (const name of ["read_file", "getWikiPage", "files__get_page"]) assert.deepEqual(compactResult(rows, name), rows);
  assert.deepEqual(compactResult(rows, "read_query"), asText);
  // A result passes as a whole.
  assert.deepEqual(compactResult(blocks, "read_query"), blocks);
  assert.equal(compactResult(blocks, "query").content[0].text, ordersAsText);
  assert.deepEqual(compactResult(rows, "read_file", { except: () => false }), asText);
  const except = (name, result) => name === "orders" || mayBeQuoted(name, result);
  for (const name of ["orders", "read_file"]) assert.deepEqual(compactResult(rows, name, { except }), rows);
});

test("whatever fails, the original goes", () => {
  const except = () => {
    throw new Error("a fault of the program");
  };
  assert.deepEqual(compactResult(RESULTS.orders, "orders", { except }), RESULTS.orders);
  for (const result of [undefined, null, "text", { toolResult: 1 }, { content: "text" }]) assert.equal(compactResult(result, "orders"), result);
  for (const content of [[null], [block("[1, 2")], [block('{"a":1,"a":2}')], [block("[12345678901234567890]")]]) assert.deepEqual(compactResult({ content }, "orders"), { content });
});

test("the types are those of the SDK", () => {
  execFileSync("node_modules/.bin/tsc", ["--project", "."], { cwd: import.meta.dirname, stdio: "inherit", timeout: 120_000 });
});
