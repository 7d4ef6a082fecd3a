// Calls the tools of one of the servers: `client.ts COMMAND ARGUMENTS…` starts it.
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const [command = "node", ...args] = process.argv.slice(2);
const client = new Client({ name: "reader", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command, args }));

const calls = [
  { name: "list", arguments: { city: "Rome" } },
  { name: "list", arguments: { city: "Rome", format: "json" } },
  { name: "page", arguments: { city: "Oslo", limit: 2 } },
];
for (const call of calls) {
  const { content, structuredContent } = await client.callTool(call);
  console.log(JSON.stringify({ content, structuredContent }));
}
await client.close();
