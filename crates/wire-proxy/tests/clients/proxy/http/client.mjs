// The client of the TypeScript SDK: what it gets, as JSON. Arguments: the folder of the SDK, and a URL.

import path from "node:path";
import { pathToFileURL } from "node:url";

const [folder, url] = process.argv.slice(2);
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

const client = new Client({ name: "typescript-test", version: "1" });
const transport = new StreamableHTTPClientTransport(new URL(url));
await client.connect(transport);
const { tools } = await client.listTools();
const known = new Set(tools.map((tool) => tool.name));
const calls = CALLS.filter(([name]) => known.has(name));
const one = async ([name, given]) => {
  const progress = [];
  const onprogress = (step) => progress.push(step.progress);
  const result = await client.callTool({ name, arguments: given }, undefined, { onprogress }).catch((error) => ({ raised: String(error) }));
  return { result, progress };
};
const results = [];
for (const call of calls) results.push(await one(call));
results.push(...(await Promise.all(calls.map(one))));
await transport.terminateSession();
await client.close();
const names = [...calls, ...calls].map(([name]) => name);
const answers = results.map(({ result }) => result);
console.log(JSON.stringify([tools, names, answers, results.map(({ progress }) => progress), transport.protocolVersion]));
