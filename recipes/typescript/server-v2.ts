// An MCP server with the SDK `@modelcontextprotocol/server` 2.x, whose results are text with few tokens.
import { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { formatDescription, formats, toolResult } from "wire-formats/mcp";
import { z } from "zod";
import { usersOf } from "./users.ts";

const server = new McpServer({ name: "users", version: "1.0.0" });

// A client may ask for a form by the argument `format`.
const format = z.enum(formats).optional().describe(formatDescription);

server.registerTool("list", { description: "The users of a city", inputSchema: z.object({ city: z.string(), format }) }, toolResult(({ city }) => usersOf(city)));

// A tool with an output schema has to send the object, too.
server.registerTool(
  "page",
  {
    description: "The first users of a city",
    inputSchema: z.object({ city: z.string(), limit: z.number() }),
    outputSchema: z.object({ city: z.string(), users: z.array(z.object({ id: z.number(), name: z.string(), city: z.string() })) }),
  },
  toolResult(({ city, limit }) => ({ city, users: usersOf(city).slice(0, limit) }), { structured: "keep" }),
);

await server.connect(new StdioServerTransport());
