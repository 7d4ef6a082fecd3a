// Compiled only: the plug beside the types of LangChain.
import { createAgent, createMiddleware } from "langchain";
import { type CompactOptions, compactToolResults, mayBeQuoted } from "wire-formats/langchain";

const options: CompactOptions = { except: (name, result) => name === "invoice" || mayBeQuoted(name, result) };
const some = createMiddleware({ name: "some", wrapModelCall: compactToolResults(options) });
const all = createMiddleware({ name: "all", wrapModelCall: (request, handler) => compactToolResults()(request, handler) });
export const agent = createAgent({ model: "openai:gpt-5", tools: [], middleware: [some, all] });
