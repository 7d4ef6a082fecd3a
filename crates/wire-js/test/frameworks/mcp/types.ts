// Compiled only: the plug beside the types of both generations of the SDK.
import { McpServer } from "@modelcontextprotocol/server";
import { McpServer as McpServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { type CompactOptions, compactResult, mayBeQuoted } from "wire-formats/lite/mcp";

const options: CompactOptions = { except: (name, result) => name === "invoice" || mayBeQuoted(name, result) };
const result = () => ({ content: [{ type: "text" as const, text: "[]" }] });
new McpServer({ name: "a", version: "1" }).registerTool("orders", {}, async () => compactResult(result(), "orders", options));
new McpServerV1({ name: "a", version: "1" }).registerTool("orders", {}, async () => compactResult({ content: [{ type: "text", text: "[]" }] }, "orders"));
