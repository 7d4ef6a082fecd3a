// The playground: a text on the left, its forms and what they cost above the chosen one on the right.
import { $, change, count, element, plural, size, tick, toast } from "./dom";
import { drafted } from "./draft";
import { Editor, type Mark } from "./editors";
import { EXAMPLES } from "./examples";
import type { Payload } from "./graph";
import type { Form, Opened, Problem, Vocabulary } from "./protocol";
import { configure } from "./server";
import { fragment, shared } from "./share";
import type { Grammar } from "./spans";
import { KINDS, endsOf, kindsOf } from "./tokens";
import { ask, stop } from "./worker";

/** Of a longer text, in characters, the first lines are shown, and it can't be edited. */
const LONGEST = 200_000;
/** A graph with more symbols is not drawn. */
const MOST_SYMBOLS = 150;
/** A longer address, in bytes, may be cut by the programs that it goes through. */
const LONG_ADDRESS = 8_000;
/** So long, in milliseconds, the page waits for the next key. */
const PAUSE = 200;

const LABELS: Record<string, string> = {
  input: "as pasted", json: "minified JSON", gcf: "GCF", gcx: "GCX1", goon: "GOON", gcb: "GCB1", delta: "GCF delta", markdown: "Markdown", xml: "XML", toon: "TOON",
};
const NAMES: Record<string, string> = { json: "JSON", jsonl: "JSON lines", yaml: "YAML", csv: "CSV", tsv: "TSV", gcf: "GCF", gcx: "GCX1", goon: "GOON", gcb: "GCB1", xml: "XML", text: "text" };
/** What a text with JSON in it is like in each form: all of it is in none. */
const INSIDE: Record<string, string> = { json: "JSON in it", gcf: "GCF in it", gcx: "GCX1 in it" };
const EXTENSIONS: Record<string, string> = { markdown: "md", delta: "gcf", text: "txt" };
/** The formats of the picker; the others are always found by their first bytes. */
const FROM = ["", "json", "jsonl", "yaml", "csv", "gcf", "gcx", "goon", "xml", "text"];
/** The flags of `wirefmt` that messages name, which are switches here. */
const SWITCHES: Record<string, string> = {
  "--infer-types": "Types", "--rename-duplicates": "Rename duplicates", "--yaml-tags drop": "Drop tags", "--yaml-tags keep": "Keep tags",
  "--delimiter ,": "Commas", "--delimiter ;": "Semicolons", "--delimiter tab": "Tabs", "--delimiter |": "Bars", "--from jsonl": "JSON lines",
};
const FLAG = /(--infer-types|--rename-duplicates|--yaml-tags (?:drop|keep)|--delimiter (?:[,;|]|tab)|--from jsonl)/g;
/** Of what does not show its format, these are offered. */
const GUESSES = ["csv", "yaml", "text"];
/** Of a payload's many forms, these stand apart. */
const FURTHER = ["goon", "gcb", "xml", "markdown"];

const decoder = new TextDecoder();
const encoder = new TextEncoder();
const label = (format: string) => (opened?.content === "text with JSON" ? INSIDE[format] : undefined) ?? LABELS[format] ?? format;

/** What was pasted, and the flags that it is read with. */
let source: { bytes: Uint8Array; extension: string; from: string; flags: string[] } = { bytes: new Uint8Array(), extension: "", from: "", flags: [] };
let opened: Opened | undefined;
let problem: Problem | undefined;
/** The form that is shown: the one that is taken, until the reader picks another. */
let chosen: string | undefined;
let picked: string | undefined;
/** Whether the modules and a vocabulary are loaded. */
let isLoaded = false;
let isHeat = false;
let isGraph = false;
let isBusy = false;
let vocabulary: Vocabulary = "o200k";
/** The last question; answers to earlier ones are dropped. */
let asked = 0;

const left = new Editor($("in-editor"), "Paste a tool’s result here", { onEdit: editedLeft, empty: "Paste here, or drop a file" });
const right = new Editor($("out-editor"), "Text of the chosen form", { onEdit: editedRight, empty: "The forms of what you paste appear here." });

const formOf = (format: string | undefined) => opened?.forms.find((form) => form.format === format);
const isWhole = (form: Form) => form.bytes !== undefined && form.losses.length === 0;
/** What all forms are compared with: minified JSON, or what was pasted where that is smaller. */
const baseline = () => {
  const [input, json] = [formOf("input"), formOf("json")];
  return input?.tokens !== undefined && input.tokens < (json?.tokens ?? Infinity) ? input : json;
};
const isGuessed = () => source.from === "" && (opened?.format === "text" || (opened?.format === "yaml" && !/^ya?ml$/i.test(source.extension) && !/^(?:---|%YAML)/.test(shownText(source.bytes))));
const isAnswer = () => opened?.repairs !== undefined;
const isAround = () => opened?.isAround === true;

const estimated = () => (opened?.isDraft ? "≈ " : "");

const smallest = () => formOf(opened?.smallest);

const shownText = (bytes: Uint8Array) => decoder.decode(bytes.length > 4 * LONGEST ? bytes.subarray(0, 4 * LONGEST) : bytes).slice(0, LONGEST);

function grammarOf(form: Form | undefined): Grammar {
  const format = form?.format === "input" ? opened?.format : form?.format;
  if (isAround() && form?.format !== "delta") return form?.format === "gcf" ? "gcf" : form?.format === "gcx" ? "gcx" : "json";
  if (format === "gcf" || format === "gcx" || format === "goon" || format === "toon") return format;
  return format === "delta" ? "gcf" : format === "json" || format === "jsonl" || format === undefined ? "json" : "text";
}

// ---- what is asked of the worker ----

/** Reads another text. */
async function read(next: typeof source): Promise<void> {
  const question = ++asked;
  source = next;
  // Work on the text before is of no use, but what is being loaded is.
  if (isBusy && isLoaded) stop();
  if (next.bytes.length === 0) {
    [opened, problem, isBusy] = [undefined, undefined, false];
    return draw();
  }
  isBusy = true;
  const slow = setTimeout(draw, PAUSE);
  const progress = ({ done, all }: { done: number; all: number }) => showProgress(done, all);
  try {
    if (!isLoaded) await sketched(next);
    if (question !== asked) return;
    const answer = await ask({ kind: "open", ...next, vocabulary }, progress);
    const hasForm = answer.format === "text" && next.from === "" && /^\s*GCF(?: |$)/m.test(decoder.decode(next.bytes.subarray(0, LONGEST)));
    const recovered = hasForm ? await ask({ kind: "recover", bytes: next.bytes, vocabulary }, progress).catch(() => undefined) : undefined;
    if (question !== asked) return;
    [opened, problem, isLoaded] = [recovered ?? answer, undefined, true];
    chosen = formOf(picked)?.bytes !== undefined ? picked : (smallest()?.format ?? opened.forms[0]?.format);
    isGraph = !isAnswer() && symbolsOf() !== undefined;
  } catch (error) {
    if (question !== asked) return;
    [opened, problem] = [undefined, error as Problem];
  } finally {
    clearTimeout(slow);
  }
  isBusy = false;
  draw();
}

/** Shows estimates of a text, and waits until they are seen: only then the large files are asked for. */
async function sketched({ bytes, extension, from }: typeof source): Promise<void> {
  const isJSON = [extension, from].every((name) => name === "" || name === "json");
  const draft = isJSON && bytes.length <= LONGEST ? drafted(decoder.decode(bytes)) : undefined;
  [opened, problem, chosen] = [draft?.opened, undefined, draft?.taken];
  draw();
  // A page in the background is not painted.
  await new Promise((seen) => {
    requestAnimationFrame(() => setTimeout(seen));
    setTimeout(seen, PAUSE);
  });
  void import("./keys").then(({ keys }) => [left, right].forEach((editor) => editor.use(keys)));
}

let pause = 0;

/** `isPasted`: all of it is new, and no longer what a file's name or the reader said of the text before. */
function editedLeft(text: string, isPasted: boolean): void {
  clearTimeout(pause);
  if (isPasted) forget();
  pause = window.setTimeout(() => void read({ ...source, bytes: encoder.encode(text) }), PAUSE);
  uncheckExamples();
}

/** Another text: nothing is known of it, and the form that is taken is shown. */
function forget(): void {
  picked = undefined;
  source = { bytes: new Uint8Array(), extension: "", from: "", flags: [] };
  $<HTMLSelectElement>("from").value = "";
}

/** Reads a text as another format. */
function readAs(from: string): void {
  $<HTMLSelectElement>("from").value = from;
  void read({ ...source, from });
}

/** Switches a flag: of a name only one is on. */
function toggle(flag: string): void {
  const [name, value] = flag.split(" ");
  if (name === "--from") return readAs(value!);
  const others = source.flags.filter((other) => other.split(" ")[0] !== name);
  void read({ ...source, flags: source.flags.includes(flag) ? others : [...others, flag] });
}

/** A message with a button in place of each flag. */
function advised(message: string): (string | Node)[] {
  const delimiters = Object.keys(SWITCHES).filter((flag) => flag.startsWith("--delimiter "));
  const parts = message.replace("--delimiter chooses", delimiters.join(" · ")).replace("--delimiter names", "the switch names").split(FLAG);
  return parts.map((part) => {
    const words = SWITCHES[part];
    if (words === undefined) return part;
    const button = element("button", "guess", words);
    button.addEventListener("click", () => toggle(part));
    return button;
  });
}

function uncheckExamples(): void {
  for (const radio of document.querySelectorAll<HTMLInputElement>("#examples input")) radio.checked = false;
}

/** The text on the right is read as its form; the left follows as JSON. */
function editedRight(text: string): void {
  clearTimeout(pause);
  const from = chosen!;
  pause = window.setTimeout(async () => {
    const question = ++asked;
    const bytes = encoder.encode(text);
    try {
      const json = await ask({ kind: "pretty", bytes, from });
      const next = { bytes: encoder.encode(json), extension: "json", from: "", flags: [] };
      const answer = await ask({ kind: "open", ...next, vocabulary });
      if (question !== asked) return;
      [source, opened, problem] = [next, answer, undefined];
      // What is being typed stays as it is.
      const own = formOf(from);
      if (own !== undefined) Object.assign(own, { bytes, tokens: (await ask({ kind: "cuts", bytes, vocabulary }))?.length });
      draw();
      right.mark({ grammar: grammarOf(own) });
    } catch (error) {
      if (question === asked) right.mark({ grammar: grammarOf(formOf(from)), error: markOf(error as Problem, bytes) });
    }
  }, PAUSE);
}

function markOf({ code, message, offset }: Problem, bytes: Uint8Array): Mark {
  const at = decoder.decode(bytes.subarray(0, offset ?? 0)).length;
  return { at, code, message: message.replace(/^line \d+, column \d+: /, "").replace(FLAG, (flag) => `“${SWITCHES[flag]}”`) };
}

/** The payload of the text, if it can be drawn. */
function symbolsOf(): Payload | undefined {
  if (opened?.content !== "payload" && !isAnswer()) return undefined;
  const json = formOf("json")?.bytes;
  if (json === undefined || json.length > LONGEST) return undefined;
  const payload = JSON.parse(decoder.decode(json)) as Partial<Payload>;
  const isDrawn = Array.isArray(payload.symbols) && payload.symbols.length > 0 && payload.symbols.length <= MOST_SYMBOLS;
  return isDrawn && payload.symbols!.every(({ qualified_name }) => qualified_name !== undefined) ? (payload as Payload) : undefined;
}

// ---- what is shown ----

function draw(): void {
  drawVerdict();
  drawLeft();
  drawForms();
  void drawRight();
  void drawParts();
  $("progress").hidden = !isBusy || opened?.isDraft === true;
}

function showProgress(done: number, all: number): void {
  const bar = $("progress").querySelector("progress")!;
  bar.value = all === 0 ? 0 : done / all;
  $("progress").querySelector("span")!.textContent = all <= 1 ? "reading" : `${size(done)} of ${size(all)} counted`;
}

function drawVerdict(): void {
  const main = element("p", "v-main");
  const sub = element("p", "v-sub");
  const best = smallest();
  const base = baseline();
  if (opened?.isDraft) {
    const [from, to] = [base!.tokens!, formOf(chosen)!.tokens!];
    main.append(element("span", "", element("span", "was", `about ${count(from)}`), " ", element("span", "arrow", "→"), ` ${plural(to, "token")}`));
    sub.append("An estimate. The vocabulary, which counts exactly, is being loaded.");
  } else if (isBusy) {
    main.append("Counting…");
  } else if (problem?.line != null) {
    main.append(element("span", "loss", `Line ${problem.line}, column ${problem.column}:`), " ", element("span", "", ...advised(problem.message.replace(/^line \d+, column \d+: /, ""))));
    sub.append(element("code", "", problem.code), ". The forms come back when the text can be read again.");
  } else if (problem !== undefined) {
    main.append(element("span", "loss", problem.code === "cancelled" ? "Cancelled" : "It can’t be read"));
    sub.append(...advised(problem.message));
  } else if (isAnswer()) {
    const losses = opened!.repairs!.filter(({ isLoss }) => isLoss).length;
    main.append(plural(opened!.repairs!.length, "repair"), losses > 0 ? element("span", "loss", `${losses} ${losses === 1 ? "loses" : "lose"} something`) : sameValue("nothing is lost"));
    sub.append("A model’s answer, read as far as it can be. The repairs stand beside its form.");
  } else if (best === undefined || base === undefined) {
    main.append(source.bytes.length > 0 ? "No form keeps every value" : "Paste a tool’s result");
    if (source.bytes.length === 0) sub.append("JSON, JSON lines, YAML, CSV or any of our formats, or drop a file. You see what each form costs and whether it keeps every value.");
  } else if (best.format === "input" || best.format === "json") {
    const stays = best.format === "json" ? "JSON stays" : opened!.format === "text" ? "The text stays" : "It stays as you pasted it";
    main.append(`${stays}: ${plural(best.tokens!, "token")}`);
    if (best.format === "json") main.append(sameValue("same value"));
    if (opened!.forms.length > 1) sub.append("No form that wire writes keeps every value and saves over 3 % of it.");
    const rival = opened!.forms.find((form) => form.isRival && isWhole(form) && form.tokens! < best.tokens!);
    if (rival !== undefined) sub.append(` ${label(rival.format)}, which wire does not write, has ${count(rival.tokens!)}.`);
  } else {
    const words = element("span", "", element("span", "was", count(base.tokens!)), " ", element("span", "arrow", "→"), ` ${plural(best.tokens!, "token")}`);
    main.append(words, element("span", "gain", change(base.tokens!, best.tokens!)), sameValue("same value, checked"));
    sub.append(element("b", "", label(best.format)), ` is the form that our programs take: it keeps every value in fewer tokens. Counted against ${base.format === "json" ? "minified JSON" : "what you pasted"}`);
    const pasted = formOf("input")?.tokens;
    sub.append(pasted !== undefined && pasted !== base.tokens ? `; as you pasted it, it was ${count(pasted)}.` : ".");
    const shown = formOf(chosen);
    if (shown?.losses.length && shown.tokens !== undefined) sub.append(" ", element("b", "", label(shown.format)), `, shown here, needs ${count(shown.tokens)} (${change(base.tokens!, shown.tokens)}) and loses what is listed below it.`);
  }
  if (opened !== undefined && isGuessed() && !isAnswer()) {
    sub.append(` Its format does not show, so it is read as ${NAMES[opened.format]}. Read as `);
    GUESSES.filter((name) => name !== opened!.format).forEach((name, at) => {
      const button = element("button", "guess", NAMES[name]!);
      button.addEventListener("click", () => readAs(name));
      sub.append(at > 0 ? " · " : "", button);
    });
  }
  const lost = opened?.warnings.filter(({ isLoss }) => isLoss) ?? [];
  if (lost.length > 0) sub.append(" ", element("span", "loss", `Reading it loses: ${lost.map(({ message }) => message).join("; ")}.`));
  // What is the same is not read aloud again.
  if ($("verdict").innerHTML !== element("div", "", main, sub).innerHTML) $("verdict").replaceChildren(main, sub);
}

const sameValue = (words: string) => element("span", "same", tick(), words);

function drawLeft(): void {
  const text = shownText(source.bytes);
  const isCut = text.length < source.bytes.length && text.length === LONGEST;
  const error = problem?.offset == null ? undefined : markOf(problem, source.bytes);
  const lines = new Map(opened?.repairs?.map(({ line, code }) => [line, code === "left_out" ? ("cut" as const) : ("fix" as const)]));
  const grammar = isAnswer() ? "gcf" : opened === undefined ? guessed(text) : grammarOf(formOf("input") ?? { format: "input", isText: true, losses: [] });
  left.set(text, { grammar, error: error !== undefined && error.at <= text.length ? error : undefined, lines }, isCut);
  if (error !== undefined) left.show(error.at);
  const content = opened === undefined ? "" : isAnswer() ? "a model’s answer" : isAround() ? opened.content : [NAMES[opened.format] ?? opened.format, opened.content === "value" ? "" : opened.content].filter(Boolean).join(", ");
  $("in-meta").replaceChildren(...[content, source.bytes.length > 0 ? size(source.bytes.length) : ""].filter(Boolean).map((words) => element("span", "", words)));
  const note = opened?.warnings.find(({ isLoss }) => !isLoss)?.message;
  $("in-note").replaceChildren(...(isCut ? ["Shown: the first lines."] : advised(note ?? "")));
  const hasCells = opened?.format === "csv" || opened?.format === "tsv";
  for (const button of document.querySelectorAll<HTMLElement>("[data-flag]")) {
    const flag = button.dataset["flag"]!;
    button.hidden = !source.flags.includes(flag) && !(hasCells && flag === "--infer-types");
    button.setAttribute("aria-pressed", String(source.flags.includes(flag)));
  }
  const payload = symbolsOf();
  $("as-graph").hidden = payload === undefined;
  $("as-graph").setAttribute("aria-pressed", String(isGraph));
  const drawsGraph = isGraph && payload !== undefined;
  $("graph").hidden = !drawsGraph;
  $("in-editor").hidden = drawsGraph;
  $("in").classList.toggle("tall", drawsGraph);
  if (drawsGraph) void drawGraph(payload);
}

const guessed = (text: string): Grammar => (text.startsWith("GCF") ? "gcf" : text.startsWith("GCX1") ? "gcx" : "json");

async function drawGraph(payload: Payload): Promise<void> {
  const { drawn } = await import("./graph");
  const onSymbol = (index: number | undefined, says: string) => {
    $("in-note").textContent = says || "Point at a symbol: its lines light up.";
    const name = index === undefined ? undefined : payload.symbols[index]!.qualified_name;
    const form = formOf(chosen);
    if (form?.bytes === undefined || form.bytes.length > LONGEST) return;
    // GCF names a symbol once, and has an id for it in all other lines.
    const lines = right.text.split("\n");
    const own = name === undefined ? undefined : lines.find((line) => line.split(" ").includes(name));
    const id = own === undefined ? undefined : /^@\d+/.exec(own)?.[0];
    const isOf = (line: string) => (id === undefined ? name !== undefined && line.includes(name) : new RegExp(`${id}(?!\\d)`).test(line));
    const hits = lines.flatMap((line, at) => (isOf(line) ? [[at + 1, "hit"] as const] : []));
    right.mark({ grammar: grammarOf(form), lines: new Map(hits) });
  };
  $("graph").replaceChildren(drawn(payload, onSymbol));
  $("in-note").textContent = "Point at a symbol: its lines light up.";
}

function drawForms(): void {
  const box = $("forms");
  const focused = box.contains(document.activeElement) ? chosen : undefined;
  const best = smallest();
  const base = baseline();
  const most = Math.max(1, ...(opened?.forms.map(({ tokens }) => tokens ?? 0) ?? []));
  const part = (tokens: number) => `${((tokens / most) * 100).toFixed(2)}%`;
  const rows = (opened?.forms ?? []).map((form) => {
    const row = element("label", "form");
    const radio = element("input", "") as HTMLInputElement;
    Object.assign(radio, { type: "radio", name: "form", value: form.format, checked: form.format === chosen, disabled: form.bytes === undefined });
    radio.addEventListener("change", () => {
      chosen = form.format;
      picked = form === smallest() ? undefined : chosen;
      draw();
    });
    row.append(radio, element("span", "name", label(form.format)));
    if (form.bytes === undefined) {
      row.append(element("span", "why", form.message ?? "it can’t be written"));
      return row;
    }
    const { tokens } = form;
    const isLossy = form.losses.length > 0;
    row.classList.toggle("best", form === best);
    row.classList.toggle("lossy", isLossy);
    row.classList.toggle("raw", form.format === "input");
    const bar = element("span", "bar");
    if (tokens !== undefined && base !== undefined) {
      const kept = element("i", "");
      kept.style.width = part(Math.min(tokens, base.tokens!));
      bar.append(kept);
      if (tokens > base.tokens!) {
        const over = element("i", "over");
        over.style.left = part(base.tokens!);
        over.style.width = part(tokens - base.tokens!);
        bar.append(over);
      }
      const line = element("u", "");
      line.style.left = part(base.tokens!);
      bar.append(line);
    }
    const isMore = tokens !== undefined && base !== undefined && tokens > base.tokens!;
    const isOurs = !form.isRival && form.format !== "input" && form.format !== "json";
    const isNoGain = isOurs && !isLossy && tokens !== undefined && base !== undefined && tokens >= base.tokens!;
    row.classList.toggle("no-gain", isNoGain);
    const difference = tokens === undefined || base === undefined || form === base ? "" : change(base.tokens!, tokens);
    const stays = base?.format === "input" ? "input stays" : "JSON stays";
    const tag = opened!.isDraft ? "" : form === best ? "taken" : isLossy ? "loses something" : form.isRival ? "to compare" : form === base ? "baseline" : isNoGain ? stays : "";
    row.append(bar, element("span", "n", tokens === undefined ? size(form.bytes.length) : `${estimated()}${count(tokens)}`), element("span", `d${isMore ? " loss" : ""}`, difference), element("span", "b", tokens === undefined ? "" : size(form.bytes.length)), element("span", "tag", tag));
    if (isLossy) row.title = form.losses.join("; ");
    return row;
  });
  const isFurther = (_: Node, at: number) => FURTHER.includes(opened!.forms[at]!.format);
  const further = rows.length > 6 ? rows.filter(isFurther) : [];
  const shown = rows.filter((row) => !further.includes(row));
  if (further.length > 0) {
    const names = opened!.forms.map(({ format }) => format).filter((format) => FURTHER.includes(format));
    const more = element("details", "", element("summary", "", `Further forms: ${names.map(label).join(", ")}`), ...further) as HTMLDetailsElement;
    more.open = names.includes(chosen ?? "") || box.querySelector("details")?.open === true;
    shown.push(more);
  }
  box.replaceChildren(box.firstElementChild!, ...shown);
  if (focused !== undefined) box.querySelector<HTMLInputElement>(`input[value="${focused}"]`)?.focus();
}

async function drawRight(): Promise<void> {
  const form = formOf(chosen);
  const bytes = form?.isText ? form.bytes : undefined;
  for (const id of ["download", "share"]) $<HTMLButtonElement>(id).disabled = form?.bytes === undefined;
  $<HTMLButtonElement>("copy").disabled = bytes === undefined;
  $<HTMLButtonElement>("heat").disabled = bytes === undefined && !isHeat;
  $("out-name").textContent = form === undefined ? "Result" : label(form.format).replace(/^./, (first) => first.toUpperCase());
  const meta = form?.bytes === undefined ? [] : [form.tokens === undefined ? "" : `${estimated()}${plural(form.tokens, "token")}`, size(form.bytes.length)];
  $("out-meta").replaceChildren(...meta.filter(Boolean).map((words) => element("span", "", words)));
  const text = bytes === undefined ? (form?.bytes === undefined ? "" : "(bytes, not text)") : shownText(bytes);
  const isCut = bytes !== undefined && text.length === LONGEST;
  const isEdited = right.view.hasFocus && right.text === text;
  const isReadOnly = form === undefined || bytes === undefined || isCut || isAround() || isAnswer() || form.isRival === true || form.format === "input" || opened!.isDraft === true || !isWhole(form);
  if (!isEdited) right.set(text, { grammar: grammarOf(form) }, isReadOnly);
  $("heat").setAttribute("aria-pressed", String(isHeat));
  const note = form === undefined ? "" : form.isRival ? "Written by @toon-format/toon, to compare." : form.format === "input" ? "As you pasted it." : opened!.isDraft ? "" : isWhole(form) ? "Decoded and compared: the same value." : "";
  $("out-note").replaceChildren(...(note.startsWith("Decoded") ? [tick()] : []), `${note}${isCut ? " Shown: the first lines." : ""}`);
  const lost = form?.losses ?? [];
  const repairs = opened?.repairs ?? [];
  $("notes").hidden = lost.length === 0 && repairs.length === 0;
  $("out").classList.toggle("noted", !$("notes").hidden);
  $("notes").replaceChildren(...(lost.length > 0 ? [element("h3", "", `What ${label(form!.format)} loses here`), element("ul", "", ...lost.map((loss) => element("li", "bad-loss", loss)))] : []), ...(repairs.length > 0 ? [element("h3", "", "Repairs"), repairList()] : []));
  if (isHeat && !opened!.isDraft && form !== undefined && bytes !== undefined && text !== "") {
    const [ends, pasted] = [await endsIn(bytes, text), await endsIn(source.bytes, left.text)];
    if (!isHeat || form !== formOf(chosen)) return;
    right.mark({ grammar: grammarOf(form), ends });
    left.mark({ grammar: "text", ends: pasted });
    if (ends === undefined || pasted === undefined) toast("Tokens are shown in texts of up to 512 kB.");
  }
}

function repairList(): HTMLElement {
  const items = opened!.repairs!.map(({ line, message, reason, isLoss }) => {
    const words = `${message}${reason === null ? "" : `: ${reason}`}`;
    return element("li", isLoss ? "bad-loss" : "", element("span", "", `line ${line}`), element("span", "", words, ...(isLoss ? [". ", element("b", "", "Loses something.")] : [])));
  });
  return element("ol", "", ...items);
}

async function endsIn(bytes: Uint8Array, text: string): Promise<number[] | undefined> {
  const lengths = await ask({ kind: "cuts", bytes, vocabulary });
  return lengths === undefined ? undefined : endsOf(text, lengths);
}

/** The table of where the tokens go. */
async function drawParts(): Promise<void> {
  const of = opened;
  const forms = of?.forms.filter(({ isText, bytes, tokens }) => isText && bytes !== undefined && bytes.length <= LONGEST && tokens !== undefined) ?? [];
  if (of === undefined || of.isDraft || forms.length === 0 || isBusy) {
    $("under").hidden = true;
    return;
  }
  const rows = [];
  for (const form of forms) {
    const text = decoder.decode(form.bytes);
    const ends = await endsIn(form.bytes!, text);
    if (of !== opened) return;
    if (ends !== undefined) rows.push({ form, kinds: kindsOf(text, ends, grammarOf(form)) });
  }
  const most = Math.max(...rows.map(({ form }) => form.tokens!));
  const head = element("tr", "", element("th", "", "form"), element("th", "stack", element("span", "vh", "bar")), ...KINDS.map((kind, at) => element("th", "", element("span", `swatch q${at}`), kind)));
  const body = rows.map(({ form, kinds }) => {
    const stack = element("div", "");
    kinds.forEach((tokens, at) => {
      const bar = element("i", `q${at}`);
      bar.style.width = `${((tokens / most) * 100).toFixed(2)}%`;
      stack.append(bar);
    });
    stack.setAttribute("aria-hidden", "true");
    const name = element("th", "", label(form.format));
    name.setAttribute("scope", "row");
    return element("tr", "", name, element("td", "stack", stack), ...kinds.map((tokens) => element("td", "", count(tokens))));
  });
  for (const cell of head.children) cell.setAttribute("scope", "col");
  $("parts").replaceChildren(element("table", "", element("thead", "", head), element("tbody", "", ...body)));
  $("under").hidden = false;
}

// ---- what the page is told ----

function show(text: string, form?: string, from = "", extension = "", flags: string[] = []): Promise<void> {
  $<HTMLSelectElement>("from").value = from;
  picked = form;
  return read({ bytes: encoder.encode(text), extension, from, flags });
}

async function take(file: File): Promise<void> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const extension = /\.([^.]+)$/.exec(file.name)?.[1] ?? "";
  forget();
  uncheckExamples();
  await read({ ...source, bytes, extension });
}

EXAMPLES.forEach(({ name, text, form }, index) => {
  const radio = element("input", "") as HTMLInputElement;
  Object.assign(radio, { type: "radio", name: "example", value: String(index) });
  radio.addEventListener("change", () => {
    history.replaceState(null, "", location.pathname);
    void show(text, form);
  });
  $("examples").append(element("label", "chip", radio, element("span", "", name)));
});

for (const name of FROM) {
  const option = element("option", "", name === "" ? "detected" : (NAMES[name] ?? name)) as HTMLOptionElement;
  option.value = name;
  $("from").append(option);
}
$("from").addEventListener("change", () => readAs($<HTMLSelectElement>("from").value));
for (const [flag, words] of Object.entries(SWITCHES)) {
  const button = element("button", "btn", element("span", "dot"), words);
  button.dataset["flag"] = flag;
  button.addEventListener("click", () => toggle(flag));
  $("from").parentElement!.before(button);
}
$("open").addEventListener("click", () => $("file").click());
$("file").addEventListener("change", () => {
  const file = $<HTMLInputElement>("file").files?.[0];
  if (file !== undefined) void take(file);
  $<HTMLInputElement>("file").value = "";
});
$("clear").addEventListener("click", () => {
  void show("");
  left.view.focus();
});
$("cancel").addEventListener("click", () => stop());
$("as-graph").addEventListener("click", () => {
  isGraph = !isGraph;
  draw();
});
$("heat").addEventListener("click", () => {
  isHeat = !isHeat;
  draw();
});
$("vocabulary").addEventListener("change", () => {
  vocabulary = $<HTMLSelectElement>("vocabulary").value as Vocabulary;
  void read(source);
});

async function copied(text: string, words: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(words);
  } catch {
    toast("The browser did not allow copying. Select the text instead.");
  }
}

$("copy").addEventListener("click", () => void copied(decoder.decode(formOf(chosen)?.bytes), `Copied: ${label(chosen!)}`));
$("download").addEventListener("click", () => {
  const link = element("a", "") as HTMLAnchorElement;
  link.href = URL.createObjectURL(new Blob([formOf(chosen)!.bytes as Uint8Array<ArrayBuffer>]));
  const format = chosen === "input" ? opened!.format : chosen!;
  link.download = `result.${EXTENSIONS[format] ?? format}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
});
$("share").addEventListener("click", async () => {
  const text = decoder.decode(source.bytes);
  const hash = await fragment({ text, form: picked, from: source.from || undefined, extension: source.extension || undefined, flags: source.flags.length > 0 ? source.flags : undefined });
  if (hash === undefined) return toast("A link can hold 8 MB of text, and this is more.");
  history.replaceState(null, "", hash);
  const length = location.href.length;
  const note = length > LONG_ADDRESS ? ` It has ${size(length)}, and some programs cut links above 8 kB.` : "";
  await copied(location.href, `Link copied. What you pasted is in the link itself: whoever has it can read it.${note}`);
});

// A text may be pasted anywhere, as a file may be dropped.
addEventListener("paste", (event) => {
  const text = event.clipboardData?.getData("text/plain");
  if (!text || (event.target as Element).closest("input, textarea, select, [contenteditable=true]") !== null) return;
  event.preventDefault();
  uncheckExamples();
  void show(text);
});
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  const file = event.dataTransfer?.files[0];
  if (file === undefined) return;
  event.preventDefault();
  void take(file);
}, { capture: true });

async function begin(): Promise<void> {
  const found = await shared(location.hash);
  const pasted = sessionStorage.getItem("pasted");
  sessionStorage.removeItem("pasted");
  if (found !== undefined) return show(found.text, found.form, found.from, found.extension, found.flags);
  if (location.hash.length > 1) toast("The link does not say what was shared: it may have been cut, or be of more than 8 MB.");
  if (pasted !== null) return show(pasted);
  document.querySelector<HTMLInputElement>("#examples input")!.checked = true;
  return show(EXAMPLES[0]!.text, EXAMPLES[0]!.form);
}

addEventListener("hashchange", () => void begin());
configure();
void begin();
