// Every case of `fixtures/` that the package has a verb and the options for; the others are counted by name, so that none is left out in silence.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { WireError, estimateTokens, gcb, gcf, gcx, goon, graph, keyed, smallest } from "wire-formats";
import { estimate, rewrite, stringify } from "wire-formats/lite";

const FIXTURES = process.env.WIRE_FIXTURES;
const FORMATS = { gcf, gcx, goon, gcb };

/**
 * Where 64 bits do not hold an integer, or a column has doubles, texts keep the digits, as `toJSON` does. The cases say what readers with
 * numbers of their own make of it.
 */
const KEEPS_DIGITS = new Set(
  `cells.json#large_doubles cells.json#doubles_at_the_ends_of_the_integers cells.json#nested_doubles extras.json#metadata_that_64_bits_do_not_hold
  extras.json#metadata_that_is_a_double fallback.json#strings_that_are_not_how_numbers_are_written fallback.json#digits_beyond_the_integers
  fallback.json#digits_beyond_the_integers_that_a_double_is_written_with fallback.json#digits_without_a_type fallback.json#digits_of_a_double_without_a_type
  layouts.json#numbers_that_nobody_writes_so typed.json#cell_integer_too_large typed.json#cell_integer_too_small`
    .split(/\s+/)
    .map((name) => `gcx/responses/${name}`),
);
/** Numbers that no double holds are found in the JSON text: the error has a path, and no line. */
const BEYOND_DOUBLES = new Set(["gcf/generic/rejected.json#double_above_the_range", "gcf/generic/rejected.json#double_below_the_range", "gcx/responses/typed.json#cell_float_too_large"]);

/** What is not run, and how many cases there are. */
const NOT_RUN = JSON.parse(readFileSync(new URL("not-run.json", import.meta.url), "utf8"));

const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(\.\d+)?([eE][-+]?\d+)?|[[\]{},:]|true|false|null/g;

/** The texts of the items of an array, or of the members of an object: JavaScript's numbers have fewer digits than those of the cases. */
function parts(text) {
  const found = [];
  let [depth, start] = [0, 0];
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    if (depth === 1 && /^[\]},:]$/.test(token)) {
      const part = text.slice(start, index).trim();
      if (part !== "") found.push(part);
      start = index + 1;
    }
    if (/[[{]/.test(token[0])) depth += 1;
    if (/[\]}]/.test(token[0])) depth -= 1;
    if (depth === 1 && /^[[{]$/.test(token) && start === 0) start = index + 1;
  }
  return found;
}
const members = (text) => {
  const found = parts(text);
  return Object.fromEntries(found.flatMap((part, index) => (index % 2 === 0 ? [[JSON.parse(part), found[index + 1]]] : [])));
};

const cases = readdirSync(FIXTURES, { recursive: true })
  .filter((path) => path.endsWith(".json"))
  .sort()
  .flatMap((path) => {
    const text = readFileSync(join(FIXTURES, path), "utf8");
    const document = JSON.parse(text);
    // The manifest has counts of cases, and the rules have none.
    if (!Array.isArray(document.cases)) return [];
    const texts = parts(members(text).cases);
    return document.cases.map((given, index) => ({ options: {}, ...given, format: document.format, name: `${path}#${given.name}`, texts: members(texts[index]) }));
  });

/** A JSON text as a value in which 1 is not 1.0, and every digit counts. */
const exact = (text) =>
  JSON.parse(
    text.replace(TOKENS, (token, fraction, exponent) => {
      if (!/^[-\d]/.test(token)) return token;
      const double = Number(token);
      return JSON.stringify(fraction ?? exponent ? `double ${Object.is(double, -0) ? "-0" : double}` : `integer ${token}`);
    }),
  );
const isSame = (one, other) => {
  try {
    assert.deepEqual(exact(one), exact(other));
    return true;
  } catch {
    return false;
  }
};
/** Whether JavaScript's numbers hold those of a JSON text. */
const isHeld = (text) => isSame(text, JSON.stringify(JSON.parse(text)));

/** Options of cases, by format, as those of the package. */
const OPTIONS = {
  gcf: { spec: (spec) => ({ spec }), decimals: () => ({ exact: true }) },
  gcx: { typed: () => ({ typed: true }), decimals: () => ({ exact: true }) },
  goon: {
    goon_version: (version) => ({ version }),
    quote_numbers: () => ({ quoteNumbers: true }),
    truncation: () => ({ truncation: false }),
    unrepresentable: () => ({ dropUnrepresentable: true }),
    decimals: () => ({ exact: true }),
  },
  graph: { dialect: (dialect) => ({ dialect }) },
  gcb: {},
};

const input = (members) => {
  if (members.hex) return Uint8Array.from(Buffer.from(members.hex.map((line) => line.split(";")[0].replaceAll(" ", "")).join(""), "hex"));
  return members.text_file ? readFileSync(join(FIXTURES, members.text_file)) : Buffer.from(members.text);
};
const file = (members, name) => readFileSync(join(FIXTURES, members[`${name}_file`]), "utf8");
const source = (members, name) => (members[`${name}_file`] ? file(members, name) : members.texts[name]);
const document = (members, name) => JSON.parse(source(members, name));
const has = (members, name) => name in members || `${name}_file` in members;

/** The JSON form of a payload of a case, or why it has none. */
function jsonForm(payload) {
  const { symbols = [], edges = [] } = payload;
  const names = symbols.map((symbol) => symbol.qualified_name);
  const numbers = symbols.flatMap(({ score, components = {} }) => [score, ...Object.values(components)]);
  if (numbers.some((number) => typeof number === "string")) return "payloads with numbers that JSON lacks";
  const ends = edges.flatMap(({ source, target }) => [source, target]);
  if (ends.some((end) => names.filter((name) => name === names[end]).length !== 1)) return "payloads with edges that JSON can't name";
  const zeros = { blast_radius: 0, confidence: 0, recency: 0, distance: 0 };
  const symbol = ({ components, ...rest }) => ({ score: 0, provenance: "structural", distance: 0, ...rest, components: { ...zeros, ...components } });
  return {
    tool: "",
    tokens_used: 0,
    token_budget: 0,
    ...payload,
    symbols: symbols.map(symbol),
    edges: edges.map((edge) => ({ ...edge, source: names[edge.source], target: names[edge.target] })),
  };
}

/** A payload as it is compared: members that have their default may be absent. */
function normal(payload) {
  const { pack_root, edges = [], symbols, ...rest } = payload;
  return {
    ...rest,
    ...(pack_root ? { pack_root } : {}),
    symbols: symbols.map(({ signature, ...symbol }) => ({ ...symbol, ...(signature ? { signature } : {}) })),
    edges: edges.map(({ status, ...edge }) => ({ ...edge, ...(status && status !== "unchanged" ? { status } : {}) })),
  };
}

const PAYLOADS = new Set(["encode", "decode", "roundtrip", "refuse", "reject", "recover", "irrecoverable"]);
const RESPONSES = new Set(["response", "response_decode", "response_refuse", "response_reject", "response_rewrite"]);

/** What runs a case, or why it is not run. */
function runner(members) {
  const { format, operation } = members;
  if (format === "choice") return choice(members);
  if (!(format in FORMATS)) return `payloads in ${format}`;
  if (RESPONSES.has(operation)) return response(members);
  if (operation in SETS) return isHeld(members.texts.keyed) ? () => SETS[operation](members, members.keyed) : "sets with numbers that JavaScript lacks";
  if (!PAYLOADS.has(operation)) return `operations that JavaScript lacks: ${operation}`;
  if (format === "gcx" || format === "goon") return `payloads in ${format}`;
  return payload(members);
}

const setOf = ({ map, rows, key, fields, name }) => new keyed.KeyedSet(map ?? rows, { key, fields, name });
const changeOf = ({ key, fields, baseRoot, newRoot, deltaTokens, ...options }) =>
  new keyed.Delta(new keyed.KeyedSet([], { key, fields }), baseRoot, newRoot, { tokens: deltaTokens, ...options });

/** The set of a consumer after the text of a case. */
function received(members) {
  const text = input(members);
  const held = members.keyed.set && setOf(members.keyed.set);
  const message = keyed.parse(text);
  if (message instanceof keyed.Delta) {
    assert.equal(keyed.parse(message.stringify()).stringify(), message.stringify());
    if (held) assert.equal(held.apply(message).root, keyed.receive(text, held).root);
  }
  return keyed.receive(text, held);
}

/** What runs a case of sets. */
const SETS = {
  set(members, { set, root }) {
    const made = setOf(set);
    // Objects of JavaScript begin with the keys that are integers.
    const written = (text) => (set.map ? text.split("\n").sort() : text);
    assert.deepEqual([written(made.stringify()), made.root], [written(String(input(members))), root]);
    assert.equal(keyed.receive(made.stringify()).root, root);
  },
  set_refuse: (members, { change, set, next }) =>
    fails(members, () => {
      if (change) changeOf(change);
      const base = setOf(set);
      if (next) base.deltaTo(setOf(next));
    }),
  set_delta(members, { set, next }) {
    const [base, after] = [setOf(set), setOf(next)];
    const delta = base.deltaTo(after);
    assert.equal(delta.stringify(), String(input(members)));
    assert.equal(base.apply(delta).root, after.root);
    assert.equal(delta.size, delta.added().length + delta.changed().length + delta.removed().length);
  },
  set_write: (members, { change }) => assert.equal(changeOf(change).stringify(), String(input(members))),
  set_apply(members, { root, next }) {
    const found = received(members);
    if (root) assert.equal(found.root, root);
    if (!next) return;
    const after = setOf(next);
    const rows = (set) => set.rows().map((row) => JSON.stringify(row)).sort();
    assert.deepEqual([found.root, rows(found)], [after.root, rows(after)]);
  },
  set_reject: (members) => fails(members, () => received(members)),
  set_session(members, { set, policy, tool, updates, texts }) {
    const session = new keyed.Session(setOf(set), { tool, sizeGuard: policy === "size-guard", fullEvery: policy > 0 ? Number(policy) : undefined });
    const sent = [session.full()];
    let held = keyed.receive(sent[0]);
    for (const next of updates.map(setOf)) {
      const { text, isFull } = session.next(next);
      held = keyed.receive(text, held);
      assert.deepEqual([held.root, isFull], [next.root, keyed.parse(text) instanceof keyed.KeyedSet]);
      sent.push(text);
    }
    assert.deepEqual(sent, texts);
  },
};

/** The estimate, and the choice between JSON and GCF: by the small encoder, and by the module. */
function choice({ operation, came, tokens, sent }) {
  if (operation === "estimate") return () => assert.deepEqual([estimate(came), estimateTokens(came)], [tokens, tokens]);
  return () => {
    assert.equal(rewrite(came), sent);
    if (!/^[[{]/.test(came) || came !== jsonOf(came)) return;
    const value = JSON.parse(came);
    assert.equal(stringify(value), sent);
    // Where GCF can't hold the levels, `smallest` refuses the value.
    if (came.includes("[".repeat(128))) assert.throws(() => smallest(value), { code: "too_deep" });
    else assert.equal(smallest(value).text, sent);
  };
}

/** What `JSON.stringify` writes of a JSON text; `undefined` of others. */
function jsonOf(text) {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The options of a case, or why the package has none of them. */
function options(members, of) {
  const made = {};
  for (const [name, value] of Object.entries(members.options)) {
    if (!(name in OPTIONS[of])) return `the option ${name}`;
    Object.assign(made, OPTIONS[of][name](value));
  }
  return made;
}

function fails(members, act) {
  const { code, ...position } = members.error;
  assert.throws(act, (error) => {
    assert.ok(error instanceof WireError, error);
    assert.equal(error.code, code, error.message);
    for (const [name, value] of Object.entries(position)) {
      if (["line", "column", "offset"].includes(name)) assert.equal(error[name], value, name);
    }
    return true;
  });
}

function payload(members) {
  const of = members.format === "gcb" ? "gcb" : "graph";
  const format = of === "gcb" ? gcb : graph;
  const given = options(members, of);
  if (typeof given === "string") return given;
  const forms = {};
  for (const name of ["payload", "decoded"]) {
    if (!has(members, name)) continue;
    // Scores are doubles in all of the formats, however they are written.
    if (!isHeld(source(members, name).replace(/\.0\b(?!\d)/g, ""))) return "payloads with numbers that JavaScript lacks";
    forms[name] = jsonForm(document(members, name));
    if (typeof forms[name] === "string") return forms[name];
  }
  const text = members.operation === "refuse" ? undefined : input(members);
  const writes = () => assert.deepEqual(Buffer.from(format.stringify(forms.payload, given)), Buffer.from(text));
  const reads = (expected) => assert.deepEqual(normal(format.parse(text)), normal(expected));
  switch (members.operation) {
    case "encode":
      return writes;
    case "decode":
      return () => reads(forms.payload);
    case "roundtrip":
      return () => {
        writes();
        reads(forms.decoded ?? forms.payload);
      };
    case "refuse":
      return () => fails(members, () => format.stringify(forms.payload, given));
    case "reject":
      return () => fails(members, () => format.parse(text));
    case "irrecoverable":
      return () => fails(members, () => graph.recover(text));
    default:
      return () => {
        const { value, repairs } = graph.recover(text);
        assert.deepEqual(normal(value), normal(forms.payload));
        const expected = members.report?.repairs?.map(({ line, offset, repair, reason = null }) => ({ line, offset, code: repair, reason }));
        if (expected) assert.deepEqual(repairs.map(({ isLoss, ...repair }) => repair), expected);
      };
  }
}

function response(members) {
  const format = FORMATS[members.format];
  const given = options(members, members.format);
  if (typeof given === "string") return given;
  if (members.format === "gcx") Object.assign(given, { tool: members.tool });
  const json = members.json_text ?? (has(members, "json") ? source(members, "json") : undefined);
  const text = members.operation === "response_refuse" ? undefined : input(members);
  const reads = (expected) => {
    assert.deepEqual(exact(format.toJSON(text)), exact(expected));
    assert.deepEqual(format.parse(text), JSON.parse(expected));
  };
  if (KEEPS_DIGITS.has(members.name)) {
    return () => {
      if (members.operation === "response") assert.equal(format.fromJSON(json, given), String(text));
      assert.deepEqual(format.parse(text), JSON.parse(format.toJSON(text)));
    };
  }
  if (BEYOND_DOUBLES.has(members.name)) return () => assert.throws(() => format.parse(text), { code: "out_of_range", path: /\$/ });
  switch (members.operation) {
    case "response":
      return () => {
        assert.equal(format.fromJSON(json, given), String(text));
        // Numbers of values are doubles already.
        const { exact: _, ...ofValues } = given;
        if (isHeld(json)) assert.equal(format.stringify(JSON.parse(json), ofValues), String(text));
        reads(has(members, "decoded_json") ? source(members, "decoded_json") : json);
      };
    case "response_decode":
      return () => reads(json);
    case "response_refuse":
      return () => fails(members, () => format.fromJSON(json, given));
    case "response_reject":
      return () => fails(members, () => format.parse(text));
    default:
      return () => assert.equal(format.fromJSON(format.toJSON(text), given), members.reencoded ?? String(text));
  }
}

const notRun = {};
let run = 0;
for (const members of cases) {
  const act = runner(members);
  if (typeof act === "string") {
    notRun[act] = (notRun[act] ?? 0) + 1;
    continue;
  }
  run += 1;
  test(members.name, act);
}

test("what is not run is counted", () => {
  assert.deepEqual(notRun, NOT_RUN);
  assert.ok(run > 1500, `${run} cases`);
});
