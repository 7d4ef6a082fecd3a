// wire-graph with the official client for TypeScript: node client.mjs WIRE_GRAPH TREE, in a folder with the SDK.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [graph, tree, packages] = process.argv.slice(2);
const require = createRequire(join(packages, "package.json"));
const load = (path) => import(pathToFileURL(require.resolve(path)).href);
const { Client } = await load("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = await load("@modelcontextprotocol/sdk/client/stdio.js");

const client = new Client({ name: "test", version: "1" });
await client.connect(new StdioClientTransport({ command: graph, args: [tree] }));
const { tools } = await client.listTools();
assert.equal(tools.length, 5);
for (const tool of tools) {
  assert.equal(tool.inputSchema.type, "object");
  assert.equal(tool.outputSchema, undefined);
}
const answer = await client.callTool({ name: "context_for_task", arguments: { task_description: "show a cart" } });
assert.match(answer.content[0].text, /^GCF profile=graph tool=context_for_task .*pack_root=sha256:/);
const problem = await client.callTool({ name: "blast_radius", arguments: { symbol: "nobody" } });
assert.equal(problem.isError, true);
await client.close();
