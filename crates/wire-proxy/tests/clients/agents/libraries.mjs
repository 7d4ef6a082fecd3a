// Agents of JavaScript libraries. Arguments: the library, the URL of the model, the command of the MCP server. It runs in the
// folder of its packages.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";

const [library, url, command, ...args] = process.argv.slice(2);
const model = createOpenAICompatible({ name: "fake", baseURL: url + "/v1", apiKey: "fake-key" })("fake-model");
if (library === "ai_sdk") {
  const { createMCPClient } = await import("@ai-sdk/mcp");
  const { Experimental_StdioMCPTransport } = await import("@ai-sdk/mcp/mcp-stdio");
  const { generateText, isStepCount, stepCountIs } = await import("ai");
  const client = await createMCPClient({ transport: new Experimental_StdioMCPTransport({ command, args }) });
  await generateText({ model, tools: await client.tools(), prompt: "go", stopWhen: (stepCountIs ?? isStepCount)(100) });
  await client.close();
} else {
  const { MCPClient } = await import("@mastra/mcp");
  const { Agent } = await import("@mastra/core/agent");
  const client = new MCPClient({ servers: { fake: { command, args } } });
  const agent = new Agent({ id: "a", name: "a", instructions: "x", model, tools: await client.listTools() });
  await agent.generate("go", { maxSteps: 100 });
  await client.disconnect();
}
process.exit(0);
