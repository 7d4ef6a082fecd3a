// Results of tools in LangChain as text with few tokens. `langchain.d.ts` describes each name.
import { compact, compactBlocks } from "./compact.js";

export { mayBeQuoted } from "./compact.js";

// This wraps the call of the model, because any `wrapToolCall` makes the error of a tool fatal for the agent. The state keeps what the tools
// returned.
export const compactToolResults = (options) => (request, handler) => handler({ ...request, messages: compactMessages(request.messages, options?.except) });

function compactMessages(messages, except) {
  // Of the calls before a result: a later one may have the same id.
  const names = new Map();
  return messages.map((message) => {
    for (const { id, name } of message.tool_calls ?? []) names.set(id, name);
    if (message.type !== "tool" || message.status === "error") return message;
    const { content } = message;
    const name = message.name || names.get(message.tool_call_id);
    const found = Array.isArray(content) ? compactBlocks(content, name, except) : compact(content, name, except);
    // A copy of the same class: the message itself is in the state.
    return found === undefined ? message : Object.assign(Object.create(Object.getPrototypeOf(message)), message, { content: found });
  });
}
