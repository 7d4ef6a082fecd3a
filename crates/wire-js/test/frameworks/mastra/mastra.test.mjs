// What a model of Mastra gets of results of tools, without the plug and with it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import test from "node:test";
import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { wrapLanguageModel } from "ai";
import { MockLanguageModelV3, MockLanguageModelV4, convertArrayToReadableStream } from "ai/test";
import { compactToolResults as middleware } from "wire-formats/ai-sdk";
import { compactOutput, compactToolResults, mayBeQuoted } from "wire-formats/mastra";
import { z } from "zod";
import { lineOf, orders, ordersAsText, ordersAsValue } from "./orders.mjs";

const picture = { type: "content", value: [{ type: "text", text: JSON.stringify(orders) }, { type: "image-data", data: "iVBORw0KGgo=", mediaType: "image/png" }] };
/** What each tool returns. */
const RESULTS = {
  orders: () => orders,
  totals: () => ({ ok: true, count: 6 }),
  page: () => "# A page\n\nwith | pipes",
  pretty: () => JSON.stringify(orders, null, 2),
  // Without any result Mastra waits for one.
  nothing: () => null,
  broken: () => {
    throw new Error("no such table");
  },
  picture: () => "a picture",
  read_file: () => orders,
};
const toolsWith = (more) =>
  Object.fromEntries(
    Object.entries(RESULTS).map(([id, execute]) => {
      const tool = { id, description: id, inputSchema: z.object({}), execute: async () => execute(), ...(id === "picture" ? { toModelOutput: () => picture } : more) };
      return [id, createTool(tool)];
    }),
  );

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };

/** A model that calls these tools, one list a turn, and is done then. All prompts that it gets are in `prompts`, as JSON. */
function modelThatCalls(Model, ...turns) {
  const waiting = [...turns];
  const prompts = [];
  const answer = ({ prompt }) => {
    prompts.push(JSON.parse(JSON.stringify(prompt)));
    const calls = (waiting.shift() ?? []).map((toolName, index) => ({ type: "tool-call", toolCallId: `${waiting.length}.${index}`, toolName, input: "{}" }));
    return { calls, finishReason: { unified: calls.length > 0 ? "tool-calls" : "stop" } };
  };
  const model = new Model({
    doGenerate: async (given) => {
      const { calls, finishReason } = answer(given);
      return { finishReason, usage, warnings: [], content: calls.length > 0 ? calls : [{ type: "text", text: "done" }] };
    },
    doStream: async (given) => {
      const { calls, finishReason } = answer(given);
      const text = [{ type: "text-start", id: "t" }, { type: "text-delta", id: "t", delta: "done" }, { type: "text-end", id: "t" }];
      const parts = [{ type: "stream-start", warnings: [] }, ...(calls.length > 0 ? calls : text), { type: "finish", finishReason, usage }];
      return { stream: convertArrayToReadableStream(parts) };
    },
  });
  return { model, prompts };
}

const inputProcessors = [compactToolResults()];
const agentOf = (model, tools, more) => new Agent({ id: "a", name: "a", instructions: "x", model, tools, ...more });
const resultsIn = (prompt) => prompt.filter(({ role }) => role === "tool").flatMap(({ content }) => content);
const outputs = (prompt) => Object.fromEntries(resultsIn(prompt).map(({ toolName, output }) => [toolName, output]));
const names = Object.keys(RESULTS);

/** What the model gets without the plug. */
const PLAIN = {
  orders: { type: "json", value: ordersAsValue },
  totals: { type: "json", value: { ok: true, count: 6 } },
  page: { type: "text", value: "# A page\n\nwith | pipes" },
  pretty: { type: "text", value: JSON.stringify(orders, null, 2) },
  nothing: { type: "json", value: null },
  broken: { type: "error-text", value: "no such table" },
  read_file: { type: "json", value: ordersAsValue },
};
const asText = { type: "text", value: ordersAsText };

test("the lines of the page", async () => {
  const own = { id: "orders", description: "orders", inputSchema: z.object({}), execute: async () => orders };
  const ofTool = lineOf("Mastra", 2, { createTool, own, compactOutput });
  const ofAgent = (model, tools) => lineOf("Mastra", 3, { Agent, own: { id: "a", name: "a", instructions: "x", model, tools }, compactToolResults });
  for (const [tool, make] of [[ofTool, agentOf], [createTool(own), ofAgent]]) {
    const { model, prompts } = modelThatCalls(MockLanguageModelV4, ["orders"]);
    await make(model, { orders: tool }).generate("x", { maxSteps: 3 });
    assert.deepEqual(outputs(prompts.at(-1)), { orders: asText });
  }
});

for (const Model of [MockLanguageModelV3, MockLanguageModelV4]) {
  // Each version of models has its own form of images.
  const file = Model === MockLanguageModelV3 ? picture.value[1] : { type: "file", data: { type: "data", data: "iVBORw0KGgo=" }, mediaType: "image/png" };
  const pictureWith = (text) => ({ type: "content", value: [{ type: "text", text }, file] });
  const plain = { ...PLAIN, picture: pictureWith(JSON.stringify(orders)) };
  const withOutput = { ...plain, orders: asText, pretty: asText, read_file: asText };
  const withProcessor = { ...plain, orders: asText, pretty: asText, picture: pictureWith(ordersAsText) };

  test(`one tool, or all of an agent's: ${Model.name}`, async () => {
    for (const [more, options, expected] of [[{}, {}, plain], [{ toModelOutput: compactOutput }, {}, withOutput], [{}, { inputProcessors }, withProcessor]]) {
      const { model, prompts } = modelThatCalls(Model, names);
      const { toolResults, messages } = await agentOf(model, toolsWith(more), options).generate("x", { maxSteps: 3 });
      assert.deepEqual(outputs(prompts.at(-1)), expected);
      // The program gets what the tool returned, and that is saved.
      assert.deepEqual(toolResults.find(({ payload }) => payload.toolName === "orders").payload.result, orders);
      const saved = messages.flatMap(({ content }) => content.parts).find(({ toolInvocation }) => toolInvocation?.toolName === "orders");
      assert.deepEqual(JSON.parse(JSON.stringify(saved.toolInvocation.result)), ordersAsValue);
    }
  });

  test(`a request begins with the request before it, also of a history that was saved: ${Model.name}`, async () => {
    for (const isStream of [false, true]) {
      for (const [more, options] of [[{ toModelOutput: compactOutput }, {}], [{}, { inputProcessors }]]) {
        const tools = toolsWith(more);
        const { model, prompts } = modelThatCalls(Model, ["orders", "picture"], ["totals", "page", "broken"], ["orders", "read_file"]);
        const agent = agentOf(model, tools, options);
        const output = isStream ? await agent.stream("x", { maxSteps: 5 }) : await agent.generate("x", { maxSteps: 5 });
        if (isStream) await output.consumeStream();
        assert.equal(prompts.length, 4);
        for (const [index, prompt] of prompts.slice(1).entries()) assert.deepEqual(prompt.slice(0, prompts[index].length), prompts[index]);
        assert.ok(resultsIn(prompts[3]).filter((part) => part.output.value === ordersAsText).length >= 2);

        const saved = JSON.parse(JSON.stringify(isStream ? output.messageList.get.all.db() : output.messages));
        const next = modelThatCalls(Model);
        await agentOf(next.model, tools, options).generate([...saved, { role: "user", content: "y" }]);
        const contents = (prompt) => resultsIn(prompt).map(({ toolName, output }) => [toolName, output]);
        assert.deepEqual(contents(next.prompts[0]), contents(prompts[3]));
      }
    }
  });
}

test("the middleware of the AI SDK does the same", async () => {
  const { model, prompts } = modelThatCalls(MockLanguageModelV4, ["orders", "totals", "read_file"]);
  await agentOf(wrapLanguageModel({ model, middleware: middleware() }), toolsWith({})).generate("x", { maxSteps: 3 });
  assert.deepEqual(outputs(prompts[1]), { orders: asText, totals: PLAIN.totals, read_file: PLAIN.read_file });
});

/** What the processor makes of a result. */
function outputOf(toolName, output, options) {
  const prompt = [{ role: "tool", content: [{ type: "tool-result", toolCallId: "c", toolName, output }] }];
  return compactToolResults(options).processLLMRequest({ prompt }).prompt[0].content[0].output;
}

test("errors, results of a provider's own tools, and what a model may have to quote stay", () => {
  const rows = PLAIN.orders;
  const long = { type: "json", value: { rows: ordersAsValue, text: "two\nlines" } };
  for (const output of [{ type: "error-json", value: ordersAsValue }, { type: "error-text", value: JSON.stringify(orders) }]) assert.equal(outputOf("orders", output), output);
  const searched = [{ role: "assistant", content: [{ type: "tool-result", toolCallId: "p", toolName: "web_search", output: rows }] }];
  assert.deepEqual(compactToolResults().processLLMRequest({ prompt: searched }).prompt, searched);
  for (const name of ["read_file", "files__get_page"]) assert.equal(outputOf(name, rows), rows);
  assert.equal(outputOf("read_query", long), long);
  assert.match(outputOf("query", long).value, /^GCF /);
  const except = (name, result) => name === "orders" || mayBeQuoted(name, result);
  for (const name of ["orders", "read_file"]) assert.equal(outputOf(name, rows, { except }), rows);
});

test("whatever fails, the original goes", () => {
  const except = () => {
    throw new Error("a fault of the program");
  };
  assert.equal(outputOf("orders", PLAIN.orders, { except }), PLAIN.orders);
  const cycle = {};
  cycle.self = cycle;
  for (const output of [1n, cycle, undefined, "plain"]) assert.equal(compactOutput(output), undefined);
});

test("the types are those of Mastra", () => {
  execFileSync("node_modules/.bin/tsc", ["--project", "."], { cwd: import.meta.dirname, stdio: "inherit", timeout: 120_000 });
});
