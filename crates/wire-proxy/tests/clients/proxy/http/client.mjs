// The client of the TypeScript SDK: the same calls directly and through the proxy, as JSON lines.
// Arguments: the folder of the SDK, the URL of the server, the URL of the proxy.

import path from "node:path";
import { pathToFileURL } from "node:url";

const [folder, direct, through] = process.argv.slice(2);
const load = (file) => import(pathToFileURL(path.join(folder, "dist/esm", file)).href);
const { Client } = await load("client/index.js");
const { StreamableHTTPClientTransport } = await load("client/streamableHttp.js");

const CALLS = [
  ["list_rows", {}],
  ["list_issues", {}],
  ["report", {}],
  ["steps", {}],
  ["echo", { message: "[1, 2]" }],
  ["get-structured-content", { location: "Chicago" }],
  ["get-tiny-image", {}],
  ["get-resource-links", { count: 3 }],
  ["trigger-long-running-operation", { duration: 0.2, steps: 2 }],
];

async function answers(url) {
  const client = new Client({ name: "typescript-test", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(url));
  await client.connect(transport);
  const tools = await client.listTools();
  const known = new Set(tools.tools.map((tool) => tool.name));
  const calls = CALLS.filter(([name]) => known.has(name));
  const one = async ([name, given]) => {
    const progress = [];
    try {
      const onprogress = (step) => progress.push(step.progress);
      const result = await client.callTool({ name, arguments: given }, undefined, { onprogress });
      return { result, progress };
    } catch (error) {
      return { result: { raised: String(error) }, progress };
    }
  };
  const results = [];
  for (const call of calls) results.push(await one(call));
  results.push(...(await Promise.all(calls.map(one))));
  await transport.terminateSession();
  await client.close();
  return { version: transport.protocolVersion, tools, names: [...calls, ...calls].map(([name]) => name), results };
}

const [one, other] = [await answers(direct), await answers(through)];
const say = (line) => console.log(JSON.stringify({ server: one.version, ...line }));
say({ kind: "same", tool: "version", direct: one.version, through: other.version });
say({ kind: "tools", tool: "list", direct: one.tools, through: other.tools });
one.names.forEach((tool, at) => {
  say({ kind: "call", tool, direct: one.results[at].result, through: other.results[at].result });
  say({ kind: "same", tool: `${tool}: progress`, direct: one.results[at].progress, through: other.results[at].progress });
});
