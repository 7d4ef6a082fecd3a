// The worker: it reads texts, writes their forms and counts tokens, so that the page never waits.
import { decode as decodeToon, encode as encodeToon } from "@toon-format/toon";
import * as values from "#glue/values_bg.js";
import valuesUrl from "#glue/values_bg.wasm?url";
import * as page from "#glue/page_bg.js";
import pageUrl from "#glue/page_bg.wasm?url";
import * as o200k from "#glue/o200k_bg.js";
import o200kUrl from "#glue/o200k_bg.wasm?url";
import * as cl100k from "#glue/cl100k_bg.js";
import cl100kUrl from "#glue/cl100k_bg.wasm?url";
import type { Answer, Form, Opened, Problem, Repair, Request, Vocabulary } from "./protocol";

/** Larger JSON, in bytes, is not written in TOON: that needs a tree of values. */
const LARGEST_TOON = 4 << 20;
/** Of a larger text, in bytes, it is not shown where its tokens are. */
const LARGEST_CUT = 1 << 19;

/** The order in which forms stand. Pretty JSON is none: it is never the smallest. */
const ORDER = ["json", "gcf", "delta", "gcx", "goon", "gcb", "xml", "markdown"];
/** Contents whose forms are texts around data, or hold for two texts: no decoder reads them alone. */
const AROUND = ["tool result", "text with JSON", "two payloads"];

const LINE_END = 10;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

async function load(url: string, glue: { __wbg_set_wasm(exports: WebAssembly.Exports): void }, name: string) {
  const response = await fetch(url);
  const imports = { [`./${name}_bg.js`]: glue as unknown as WebAssembly.ModuleImports };
  const { instance } = await WebAssembly.instantiate(await response.arrayBuffer(), imports);
  glue.__wbg_set_wasm(instance.exports);
  (instance.exports["__wbindgen_start"] as () => void)();
}

const vocabularies = { o200k: { glue: o200k, url: o200kUrl }, cl100k: { glue: cl100k, url: cl100kUrl } };
const loaded = new Map<Vocabulary, Promise<typeof o200k>>();

/** A vocabulary, which is loaded once. */
function vocabulary(name: Vocabulary): Promise<typeof o200k> {
  const { glue, url } = vocabularies[name];
  const found = loaded.get(name) ?? load(url, glue, name).then(() => glue);
  loaded.set(name, found);
  // What could not be loaded is asked for again.
  found.catch(() => loaded.delete(name));
  return found;
}

const ready = load(valuesUrl, values, "values");

let others: Promise<typeof page> | undefined;
/** The module of texts that are no JSON value. It has twice the bytes of all that is loaded first. */
const forOthers = () =>
  (others ??= load(pageUrl, page, "page").then(
    () => page,
    (error: unknown) => {
      others = undefined;
      throw error;
    },
  ));

/** Calls a module, whose errors are JSON text. */
function calling<T>(call: () => T): T {
  try {
    return call();
  } catch (thrown) {
    if (typeof thrown !== "string") throw thrown;
    const problem = JSON.parse(thrown) as Problem;
    throw problem;
  }
}

/** The same data in another format for models, to compare. */
function toon(json: Uint8Array): Form {
  const form = { format: "toon", isText: true, isRival: true, losses: [] as string[] };
  if (json.length > LARGEST_TOON) return { ...form, message: "not written above 4 MiB" };
  const sent = decoder.decode(json);
  try {
    const text = encodeToon(JSON.parse(sent));
    const isSame = values.same(sent, JSON.stringify(decodeToon(text)));
    return { ...form, bytes: encoder.encode(text), losses: isSame ? [] : ["not every value decodes to an equal one"] };
  } catch (error) {
    return { ...form, message: (error as Error).message };
  }
}

async function open({ bytes, extension, from, flags }: Extract<Request, { kind: "open" }>, counter: typeof o200k): Promise<Opened> {
  const isJSON = [extension, from].every((name) => name === "" || name === "json");
  let opened = isJSON ? values.open_value(bytes) : undefined;
  if (opened === undefined) {
    const page = await forOthers();
    // The proxy chooses by it. Nothing may come between the two, since another request may count by another vocabulary.
    (globalThis as { countTokens?: (text: string) => number }).countTokens = (text) => counter.count(encoder.encode(text));
    opened = calling(() => page.open(bytes, extension, from, flags.join("\n")));
  }
  const about = JSON.parse(opened.about()) as Opened;
  about.forms.forEach((form, index) => {
    if (form.code === null) form.bytes = opened.bytes(index);
    // A program adds the line's end to JSON; a model does not get it.
    if (form.format === "json" && form.bytes?.at(-1) === LINE_END) form.bytes = form.bytes.subarray(0, -1);
  });
  opened.free();
  const isAround = AROUND.includes(about.content);
  const sent = about.forms.find(({ format }) => format === "as sent")?.bytes ?? bytes;
  const json = about.forms.find(({ format }) => format === "json");
  const rival = !isAround && json?.bytes !== undefined ? [toon(json.bytes)] : [];
  const input: Form = { format: "input", isText: true, isCandidate: true, losses: [], bytes: sent };
  const forms = about.forms.filter(({ format }) => ORDER.includes(format)).sort((one, other) => ORDER.indexOf(one.format) - ORDER.indexOf(other.format));
  return { ...about, isAround, forms: [input, ...forms, ...rival] };
}

const answers: { [K in Request["kind"]]: (request: Extract<Request, { kind: K }>, say: (answer: Partial<Answer>) => void) => Promise<unknown> } = {
  async open(request, say) {
    const counter = await vocabulary(request.vocabulary);
    say({ progress: { done: 0, all: 1 } });
    const opened = await open(request, counter);
    const texts = opened.forms.filter(({ isText, bytes }) => isText && bytes !== undefined);
    const all = texts.reduce((sum, { bytes }) => sum + bytes!.length, 0);
    let done = 0;
    for (const form of texts) {
      say({ progress: { done, all } });
      form.tokens = calling(() => counter.count(form.bytes!));
      done += form.bytes!.length;
    }
    const whole = texts.filter((form) => form.isCandidate && form.losses.length === 0);
    const numbers = (of: (form: Form) => number) => Uint32Array.from(whole, of);
    const names = whole.map(({ format }) => format).join(" ");
    const taken = values.choose(`${request.vocabulary}_base`, names, numbers(({ bytes }) => bytes!.length), numbers(({ tokens }) => tokens!))?.split(" ")[0];
    // What was pasted as minified JSON is that.
    const [input, json] = ["input", "json"].map((format) => whole.find((form) => form.format === format)?.tokens);
    opened.smallest = taken === "input" && input === json ? "json" : taken;
    return opened;
  },
  async recover({ bytes, vocabulary: name }, say) {
    const page = await forOthers();
    const { json, repairs } = JSON.parse(calling(() => page.recover(bytes))) as { json: string; repairs: Repair[] };
    const request = { kind: "open" as const, bytes: encoder.encode(json), extension: "json", from: "", flags: [], vocabulary: name };
    const opened = (await answers.open(request, say)) as Opened;
    return { ...opened, repairs, forms: opened.forms.filter(({ format }) => format !== "input") };
  },
  async pretty({ bytes, from }) {
    if (from === "json") return calling(() => values.pretty_value(bytes));
    const page = await forOthers();
    return calling(() => page.pretty(bytes, from));
  },
  async cuts({ bytes, vocabulary: name }) {
    const counter = await vocabulary(name);
    return bytes.length <= LARGEST_CUT ? calling(() => counter.lengths(bytes)) : undefined;
  },
};

addEventListener("message", async ({ data }: MessageEvent<Request & { id: number }>) => {
  const say = (answer: Partial<Answer>) => postMessage({ id: data.id, ...answer });
  try {
    // Both are loaded at once.
    if (data.kind !== "pretty") void vocabulary(data.vocabulary);
    await ready;
    say({ result: await (answers[data.kind] as (request: Request, of: typeof say) => Promise<unknown>)(data, say) });
  } catch (error) {
    say({ error: error instanceof Error ? { code: "internal", message: error.message } : (error as Problem) });
  }
});
