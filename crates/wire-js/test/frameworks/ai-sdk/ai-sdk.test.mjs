// What a model of the AI SDK gets of results of tools, without the plug and with it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import test from "node:test";
import { convertToModelMessages, generateText, isStepCount, streamText, tool, wrapLanguageModel } from "ai";
import { MockLanguageModelV4, convertArrayToReadableStream } from "ai/test";
import { compactOutput, compactToolResults, mayBeQuoted } from "wire-formats/ai-sdk";
import { z } from "zod";
import { lineOf, optionsOf, orders, ordersAsJSON, ordersAsText, ordersAsValue } from "./orders.mjs";

const inputSchema = z.object({});
const file = { type: "file", data: { type: "data", data: "iVBORw0KGgo=" }, mediaType: "image/png" };
const picture = { type: "content", value: [{ type: "text", text: ordersAsJSON }, file] };
/** What each tool returns. */
const RESULTS = {
  orders: () => orders,
  totals: () => ({ ok: true, count: 6 }),
  page: () => "# A page\n\nwith | pipes",
  pretty: () => JSON.stringify(orders, null, 2),
  nothing: () => undefined,
  broken: () => {
    throw new Error("no such table");
  },
  picture: () => "a picture",
  read_file: () => orders,
};
const toolsWith = (more) =>
  Object.fromEntries(Object.entries(RESULTS).map(([name, execute]) => [name, tool({ inputSchema, execute, ...(name === "picture" ? { toModelOutput: () => picture } : more) })]));

/** What the model gets without the plug. */
const PLAIN = {
  orders: { type: "json", value: ordersAsValue },
  totals: { type: "json", value: { ok: true, count: 6 } },
  page: { type: "text", value: "# A page\n\nwith | pipes" },
  pretty: { type: "text", value: JSON.stringify(orders, null, 2) },
  nothing: { type: "json", value: null },
  broken: { type: "error-text", value: "Error: no such table" },
  picture,
  read_file: { type: "json", value: ordersAsValue },
};
const asText = { type: "text", value: ordersAsText };
const WITH_OUTPUT = { ...PLAIN, orders: asText, pretty: asText, read_file: asText };
const WITH_MIDDLEWARE = { ...PLAIN, orders: asText, pretty: asText, picture: { type: "content", value: [{ type: "text", text: ordersAsText }, file] } };

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };

/** A model that calls these tools, one list a turn, and is done then. */
function modelThatCalls(...turns) {
  const waiting = [...turns];
  const answer = () => {
    const calls = (waiting.shift() ?? []).map((toolName, index) => ({ type: "tool-call", toolCallId: `${waiting.length}.${index}`, toolName, input: "{}" }));
    return { calls, finishReason: { unified: calls.length > 0 ? "tool-calls" : "stop" } };
  };
  return new MockLanguageModelV4({
    doGenerate: async () => {
      const { calls, finishReason } = answer();
      return { finishReason, usage, warnings: [], content: calls.length > 0 ? calls : [{ type: "text", text: "done" }] };
    },
    doStream: async () => {
      const { calls, finishReason } = answer();
      const text = [{ type: "text-start", id: "t" }, { type: "text-delta", id: "t", delta: "done" }, { type: "text-end", id: "t" }];
      const parts = [{ type: "stream-start", warnings: [] }, ...(calls.length > 0 ? calls : text), { type: "finish", finishReason, usage }];
      return { stream: convertArrayToReadableStream(parts) };
    },
  });
}
const stopWhen = isStepCount(5);
const wrapped = (model, options) => wrapLanguageModel({ model, middleware: compactToolResults(options) });
const partsOf = (prompt) => prompt.flatMap(({ content }) => (Array.isArray(content) ? content : [])).filter(({ type }) => type === "tool-result");
/** The outputs that a model got last, by the name of the tool, as JSON: that has no undefined members. */
const received = (model) => JSON.parse(JSON.stringify(Object.fromEntries(partsOf(model.doGenerateCalls.at(-1).prompt).map(({ toolName, output }) => [toolName, output]))));

const names = Object.keys(RESULTS);

test("one tool, or all of a model's", async () => {
  for (const [more, wrap, expected] of [[{}, (model) => model, PLAIN], [{ toModelOutput: compactOutput }, (model) => model, WITH_OUTPUT], [{}, wrapped, WITH_MIDDLEWARE]]) {
    const model = modelThatCalls(names);
    const { steps } = await generateText({ model: wrap(model), tools: toolsWith(more), prompt: "x", stopWhen });
    assert.deepEqual(received(model), expected);
    // The program gets what the tool returned.
    assert.equal(steps[0].toolResults.find(({ toolName }) => toolName === "orders").output, orders);
  }
});

test("the lines of the page", async () => {
  const ofTool = () => lineOf("AI SDK", 2, { tool, own: { inputSchema, execute: RESULTS.orders }, compactOutput });
  const ofModel = (model) => lineOf("AI SDK", 3, { wrapLanguageModel, model, compactToolResults });
  for (const [orders, wrap] of [[ofTool(), (model) => model], [toolsWith({}).orders, ofModel]]) {
    const model = modelThatCalls(["orders"]);
    await generateText({ model: wrap(model), tools: { orders }, prompt: "x", stopWhen });
    assert.deepEqual(received(model), { orders: asText });
  }
  const { transformParams } = optionsOf({ compactToolResults, mayBeQuoted });
  const part = (toolName) => ({ type: "tool-result", toolCallId: "c", toolName, output: PLAIN.orders });
  const { prompt } = await transformParams({ params: { prompt: [{ role: "tool", content: ["get_invoice", "read_file", "orders"].map(part) }] } });
  assert.deepEqual(prompt[0].content.map(({ output }) => output), [PLAIN.orders, PLAIN.orders, asText]);
});

test("a request begins with the request before it", async () => {
  for (const isStream of [false, true]) {
    for (const [more, wrap] of [[{ toModelOutput: compactOutput }, (model) => model], [{}, wrapped]]) {
      const model = modelThatCalls(["orders", "picture"], ["totals", "page"], ["orders", "read_file"]);
      const given = { model: wrap(model), tools: toolsWith(more), prompt: "x", stopWhen };
      if (isStream) await streamText(given).consumeStream();
      else await generateText(given);
      const prompts = (isStream ? model.doStreamCalls : model.doGenerateCalls).map(({ prompt }) => JSON.stringify(prompt));
      assert.equal(prompts.length, 4);
      for (const [index, prompt] of prompts.slice(1).entries()) assert.ok(prompt.startsWith(prompts[index].slice(0, -1)));
      assert.ok(prompts[3].includes(JSON.stringify(ordersAsText)));
    }
  }
});

/** What a model gets of a conversation. */
async function promptOf(messages, wrap) {
  const model = modelThatCalls();
  await generateText({ model: wrap(model), messages });
  return model.doGenerateCalls[0].prompt;
}

test("a history that was saved has the same text", async () => {
  const tools = toolsWith({ toModelOutput: compactOutput });
  const model = modelThatCalls(["orders", "totals", "broken"]);
  const { steps } = await generateText({ model, tools, prompt: "x", stopWhen });
  const sent = model.doGenerateCalls[1].prompt;
  // As messages of the model: those that a step has in its request are those that a program saves.
  const saved = JSON.parse(JSON.stringify([{ role: "user", content: "x" }, ...steps[0].response.messages]));
  for (const wrap of [(given) => given, wrapped]) assert.deepEqual(partsOf(await promptOf(saved, wrap)).map(({ output }) => output), partsOf(sent).map(({ output }) => output));
  // As messages of the user interface, which have the values.
  const part = (name) => ({ type: `tool-${name}`, toolCallId: name, state: "output-available", input: {}, output: RESULTS[name]() });
  const shown = JSON.parse(JSON.stringify([{ id: "1", role: "assistant", parts: [part("orders"), part("totals")] }]));
  const asSent = [asText, PLAIN.totals];
  const outputs = async (options, wrap) => partsOf(await promptOf([{ role: "user", content: "x" }, ...(await convertToModelMessages(shown, options))], wrap)).map(({ output }) => output);
  assert.deepEqual(await outputs({ tools }, (given) => given), asSent);
  // Without the tools all of it is JSON again, which the middleware rewrites.
  assert.deepEqual(await outputs(undefined, (given) => given), [PLAIN.orders, PLAIN.totals]);
  assert.deepEqual(await outputs(undefined, wrapped), asSent);
});

const resultOf = (toolName, output, more) => [
  { role: "user", content: [{ type: "text", text: "x" }] },
  { role: "assistant", content: [{ type: "tool-call", toolCallId: "c", toolName, input: {}, ...more }] },
  { role: "tool", content: [{ type: "tool-result", toolCallId: "c", toolName, output }] },
];
/** What middleware makes of a prompt. */
const transformed = async (prompt, options) => (await compactToolResults(options).transformParams({ type: "generate", params: { prompt } })).prompt;

test("errors, refusals and results of a provider's own tools stay", async () => {
  for (const output of [{ type: "error-json", value: ordersAsValue }, { type: "error-text", value: ordersAsJSON }, { type: "execution-denied", reason: ordersAsJSON }]) {
    assert.deepEqual(await transformed(resultOf("orders", output)), resultOf("orders", output));
  }
  const searched = [
    { role: "user", content: "x" },
    {
      role: "assistant",
      content: [
        { type: "tool-call", toolCallId: "p", toolName: "web_search", input: {}, providerExecuted: true },
        { type: "tool-result", toolCallId: "p", toolName: "web_search", output: { type: "json", value: ordersAsValue } },
      ],
    },
    { role: "user", content: "y" },
  ];
  assert.deepEqual(partsOf(await promptOf(searched, wrapped)), partsOf(await promptOf(searched, (model) => model)));
  const approved = [{ role: "tool", content: [{ type: "tool-approval-response", approvalId: "a", approved: true }] }];
  assert.deepEqual(await transformed(approved), approved);
  const options = { a: { b: 1 } };
  const cached = await transformed(resultOf("orders", { type: "json", value: ordersAsValue, providerOptions: options }));
  assert.deepEqual(cached[2].content[0].output, { type: "text", value: ordersAsText, providerOptions: options });
});

test("what a model may have to quote stays", async () => {
  const outputOf = async (name, output, options) => (await transformed(resultOf(name, output), options))[2].content[0].output;
  const rows = { type: "json", value: ordersAsValue };
  const long = { type: "json", value: { rows: ordersAsValue, text: "two\nlines" } };
  for (const name of ["read_file", "files__get_page", "getWikiPage", "cat"]) assert.deepEqual(await outputOf(name, rows), rows);
  assert.deepEqual(await outputOf("read_query", rows), asText);
  assert.deepEqual(await outputOf("read_query", long), long);
  assert.match((await outputOf("query", long)).value, /^GCF /);
  const blocks = { type: "content", value: [{ type: "text", text: ordersAsJSON }, { type: "text", text: "two\nlines" }] };
  assert.deepEqual(await outputOf("read_query", blocks), blocks);
  assert.deepEqual((await outputOf("query", blocks)).value.map(({ text }) => text), [ordersAsText, "two\nlines"]);
  // By option, also together with the rule above.
  assert.deepEqual(await outputOf("read_file", rows, { except: () => false }), asText);
  const except = (name, result) => name === "orders" || mayBeQuoted(name, result);
  for (const name of ["orders", "read_file"]) assert.deepEqual(await outputOf(name, rows, { except }), rows);
  assert.deepEqual(await outputOf("list", rows, { except }), asText);
});

test("whatever fails, the original goes", async () => {
  const except = () => {
    throw new Error("a fault of the program");
  };
  for (const name of ["orders", "picture"]) assert.deepEqual(await transformed(resultOf(name, PLAIN[name]), { except }), resultOf(name, PLAIN[name]));
  let deep = 1;
  for (let level = 0; level < 20_000; level++) deep = [deep];
  const deepest = resultOf("read_query", { type: "json", value: deep });
  assert.equal((await transformed(deepest))[2].content[0].output, deepest[2].content[0].output);
  // The SDK can't write these, either; each is the error that it would be.
  for (const output of [1n, { id: 1n }]) assert.throws(() => compactOutput({ output }), TypeError);
  assert.deepEqual(compactOutput({ output: () => 1 }), { type: "json", value: null });
  assert.deepEqual(compactOutput({ output: [2 ** 60, Number.NaN] }), { type: "json", value: [2 ** 60, null] });
});

test("what is of another shape passes as it came", async () => {
  const part = (output) => ({ type: "tool-result", toolCallId: "c", toolName: "orders", ...output });
  const shapes = [
    { role: "tool", content: [part({ result: orders })] },
    { role: "tool", content: "text" },
    { role: "tool", content: [part({ output: { type: "json", value: ordersAsJSON } })] },
    { role: "tool", content: [part({ output: { type: "json", value: { isError: true, content: ordersAsValue } } })] },
  ];
  assert.deepEqual(await transformed(shapes, null), shapes);
});

test("the types are those of the SDK", () => {
  execFileSync("node_modules/.bin/tsc", ["--project", "."], { cwd: import.meta.dirname, stdio: "inherit", timeout: 120_000 });
});
