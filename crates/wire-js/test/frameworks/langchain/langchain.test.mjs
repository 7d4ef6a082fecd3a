// What a model of LangChain gets of results of tools, without the plug and with it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import test from "node:test";
import { mapChatMessagesToStoredMessages, mapStoredMessagesToChatMessages } from "@langchain/core/messages";
import { AIMessage, HumanMessage, ToolMessage, createAgent, createMiddleware, fakeModel, tool } from "langchain";
import { compactToolResults, mayBeQuoted } from "wire-formats/langchain";
import { z } from "zod";
import { lineOf, orders, ordersAsJSON, ordersAsText } from "./orders.mjs";

const image = { type: "image", source_type: "base64", mime_type: "image/png", data: "iVBORw0KGgo=" };
const error = "Error: no such table\n Please fix your mistakes.";

/** What each tool returns. */
const RESULTS = {
  orders: () => orders,
  totals: () => ({ ok: true, count: 6 }),
  page: () => "# A page\n\nwith | pipes",
  pretty: () => JSON.stringify(orders, null, 2),
  nothing: () => undefined,
  blocks: () => [{ type: "text", text: ordersAsJSON }, image],
  artifact: () => [ordersAsJSON, { rows: orders }],
  broken: () => {
    throw new Error("no such table");
  },
  read_file: () => ordersAsJSON,
};
const tools = Object.entries(RESULTS).map(([name, execute]) =>
  tool(async () => execute(), { name, description: name, schema: z.object({}), ...(name === "artifact" ? { responseFormat: "content_and_artifact" } : {}) }),
);

/** What the model gets without the plug. */
const PLAIN = {
  orders: ordersAsJSON,
  totals: '{"ok":true,"count":6}',
  page: "# A page\n\nwith | pipes",
  pretty: JSON.stringify(orders, null, 2),
  nothing: "",
  blocks: [{ type: "text", text: ordersAsJSON }, image],
  artifact: ordersAsJSON,
  broken: error,
  read_file: ordersAsJSON,
};
const WITH_PLUG = { ...PLAIN, orders: ordersAsText, pretty: ordersAsText, blocks: [{ type: "text", text: ordersAsText }, image], artifact: ordersAsText };

const plug = () => lineOf("LangChain", 3, { createMiddleware, compactToolResults });

/** A model that calls these tools, one list a turn, and is done then. */
const modelThatCalls = (...turns) =>
  turns
    .reduce((model, names, turn) => model.respondWithTools(names.map((name, index) => ({ name, args: {}, id: `${turn}.${index}` }))), fakeModel())
    .respond(new AIMessage("done"));
const resultsIn = (messages) => messages.filter((message) => ToolMessage.isInstance(message));
const contents = (messages) => Object.fromEntries(resultsIn(messages).map(({ name, content }) => [name, content]));
const names = Object.keys(RESULTS);

test("all results of an agent's tools", async () => {
  for (const [middleware, expected] of [[[], PLAIN], [[plug()], WITH_PLUG]]) {
    const model = modelThatCalls(names);
    const { messages } = await createAgent({ model, tools, middleware }).invoke({ messages: [new HumanMessage("x")] });
    const got = model.calls.at(-1).messages;
    assert.deepEqual(contents(got), expected);
    // A tool that fails is still a message, and the state has what the tools returned.
    assert.equal(messages.at(-1).content, "done");
    assert.deepEqual(contents(messages), PLAIN);
    for (const [index, message] of resultsIn(got).entries()) {
      const { id, tool_call_id, status, artifact } = resultsIn(messages)[index];
      assert.deepEqual([message.id, message.tool_call_id, message.status, message.artifact], [id, tool_call_id, status, artifact]);
      // As it is sent to a tracer, or saved.
      assert.deepEqual(message.toJSON().kwargs.content, message.content);
    }
    assert.deepEqual(resultsIn(got).find(({ name }) => name === "artifact").artifact, { rows: orders });
  }
});

test("with `wrapToolCall` the error of a tool would be the agent's", async () => {
  const nothing = createMiddleware({ name: "nothing", wrapToolCall: (request, handler) => handler(request) });
  const invoked = createAgent({ model: modelThatCalls(["broken"]), tools, middleware: [nothing] }).invoke({ messages: [new HumanMessage("x")] });
  await assert.rejects(invoked, /no such table/);
});

/** The messages of a request, without ids. */
const shown = ({ messages }) => messages.map(({ type, name, content, tool_calls }) => JSON.stringify({ type, name, content, tool_calls }));

test("a request begins with the request before it, also of a history that was saved", async () => {
  for (const isStream of [false, true]) {
    const model = modelThatCalls(["orders", "blocks"], ["totals", "page", "broken"], ["orders", "read_file"]);
    const agent = createAgent({ model, tools, middleware: [plug()] });
    const given = { messages: [new HumanMessage("x")] };
    let state;
    if (isStream) for await (const each of await agent.stream(given, { streamMode: "values" })) state = each;
    else state = await agent.invoke(given);
    const requests = model.calls.map(shown);
    assert.equal(requests.length, 4);
    for (const [index, request] of requests.slice(1).entries()) assert.deepEqual(request.slice(0, requests[index].length), requests[index]);
    assert.ok(requests[3].some((message) => message.includes(JSON.stringify(ordersAsText))));

    const saved = JSON.parse(JSON.stringify(mapChatMessagesToStoredMessages(state.messages)));
    const next = modelThatCalls();
    await createAgent({ model: next, tools, middleware: [plug()] }).invoke({ messages: [...mapStoredMessagesToChatMessages(saved), new HumanMessage("y")] });
    assert.deepEqual(shown(next.calls[0]).slice(0, requests[3].length), requests[3]);
  }
});

/** What the plug makes of the result of a tool. */
function contentOf(name, content, options, more) {
  const messages = [new AIMessage({ content: "", tool_calls: [{ name, args: {}, id: "c" }] }), new ToolMessage({ content, tool_call_id: "c", ...more })];
  const found = compactToolResults(options)({ messages }, (request) => request.messages)[1];
  assert.equal(Object.getPrototypeOf(found), ToolMessage.prototype);
  return found.content;
}

test("what a model may have to quote stays", () => {
  const long = JSON.stringify({ rows: orders, text: "two\nlines" });
  // By the name of the call where the message has none.
  for (const more of [{}, { name: "files__get_page" }]) assert.equal(contentOf("read_file", ordersAsJSON, {}, more), ordersAsJSON);
  // Nobody knows the name of a result without its call.
  const seen = [];
  assert.equal(contentOf("read_file", ordersAsJSON, { except: (name) => seen.push(name) > 1 }, { tool_call_id: "other" }), ordersAsText);
  assert.deepEqual(seen, [""]);
  assert.equal(contentOf("read_file", ordersAsJSON, {}, { tool_call_id: "other" }), ordersAsText);
  assert.equal(contentOf("read_query", ordersAsJSON), ordersAsText);
  assert.equal(contentOf("read_query", JSON.stringify(orders, null, 2)), ordersAsText);
  assert.equal(contentOf("read_query", long), long);
  assert.match(contentOf("query", long), /^GCF /);
  assert.equal(contentOf("read_file", ordersAsJSON, { except: () => false }), ordersAsText);
  const except = (name, result) => name === "orders" || mayBeQuoted(name, result);
  for (const name of ["orders", "read_file"]) assert.equal(contentOf(name, ordersAsJSON, { except }), ordersAsJSON);
  assert.equal(contentOf("list", ordersAsJSON, { except }), ordersAsText);
});

test("a later call with the same id changes no earlier result", () => {
  const call = (name) => new AIMessage({ content: "", tool_calls: [{ name, args: {}, id: "call_0" }] });
  const result = () => new ToolMessage({ content: ordersAsJSON, tool_call_id: "call_0" });
  const sent = (messages) => compactToolResults(null)({ messages }, (request) => request.messages).map(({ content }) => content);
  const messages = [call("read_file"), result(), call("list_orders"), result()];
  assert.deepEqual(sent(messages), ["", ordersAsJSON, "", ordersAsText]);
  assert.deepEqual(sent(messages.slice(0, 2)), ["", ordersAsJSON]);
});

test("whatever fails, the original goes", () => {
  const except = () => {
    throw new Error("a fault of the program");
  };
  for (const content of [ordersAsJSON, [{ type: "text", text: ordersAsJSON }], [image], ""]) assert.deepEqual(contentOf("orders", content, { except }), content);
  assert.equal(contentOf("orders", ordersAsJSON, {}, { status: "error" }), ordersAsJSON);
  for (const text of ["[1, 2", '{"a":1,"a":2}', "[12345678901234567890]", "plain"]) assert.equal(contentOf("orders", text), text);
});

test("the types are those of LangChain", () => {
  execFileSync("node_modules/.bin/tsc", ["--project", "."], { cwd: import.meta.dirname, stdio: "inherit", timeout: 120_000 });
});
