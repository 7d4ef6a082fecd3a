// Sets of rows with a key, and what changes between calls. `index.d.ts` describes each name.
import { utf8, written } from "./convert.js";
import { calling } from "./error.js";
import module from "./keyed.module.js";
import { PARSE, STRINGIFY, TYPES, checked, invalid } from "./options.js";
import { toText, toValue } from "./values.js";

/** The texts of sets and deltas. */
const texts = /* @__PURE__ */ new WeakMap();
function textOf(object, of) {
  if (!(object instanceof of)) throw new TypeError(`expected a ${of.name}`);
  return texts.get(object);
}
const bytes = (object, of = KeyedSet) => utf8(textOf(object, of));

/** Gives an object the members that the module has found. */
function fill(object, { text, ...members }) {
  texts.set(object, text);
  return Object.freeze(Object.assign(object, members));
}
const found = (call) => JSON.parse(calling(call));
const made = (of, members) => fill(Object.create(of.prototype), members);
const rowsOf = (object, of, options) => toValue(calling(() => module().rows(utf8(texts.get(object)), of)), checked(options, PARSE, "reviver"));

export class KeyedSet {
  constructor(rows, options) {
    const { key, fields, name, ...values } = checked(options, { key: TYPES.text, fields: TYPES.names, name: TYPES.text, ...STRINGIFY });
    if (key === undefined) invalid("key is undefined, expected a string");
    const [names, title] = [fields && utf8(JSON.stringify(fields.map(String))), name === undefined ? undefined : utf8(name)];
    fill(this, JSON.parse(written(rows, values, (json) => module().set(json, key, names, title))));
  }
  rows(options) {
    return rowsOf(this, "all", options);
  }
  stringify(options) {
    const { tool } = checked(options, { tool: TYPES.text });
    return tool === undefined ? texts.get(this) : calling(() => module().with_tool(bytes(this), tool));
  }
  stringifyUnchanged() {
    return calling(() => module().unchanged(bytes(this)));
  }
  deltaTo(next) {
    return made(Delta, found(() => module().delta_to(bytes(this), bytes(next))));
  }
  apply(delta) {
    return receive(textOf(delta, Delta), this);
  }
}

export class Delta {
  constructor(of, baseRoot, newRoot, options) {
    const { count, list, text } = TYPES;
    const known = { added: list, changed: list, removed: list, tool: text, tokens: count, fullTokens: count, ...STRINGIFY };
    const { added = [], changed = [], removed = [], tool, tokens, fullTokens, ...values } = checked(options, known);
    const keys = removed.map((key) => toText(key, values));
    const [rows, others] = [added, changed].map((list) => utf8(toText(list, values)));
    fill(this, found(() => module().delta(bytes(of), baseRoot, newRoot, rows, others, keys, tool, tokens, fullTokens)));
  }
  added(options) {
    return rowsOf(this, "added", options);
  }
  changed(options) {
    return rowsOf(this, "changed", options);
  }
  removed(options) {
    return rowsOf(this, "removed", options);
  }
  stringify() {
    return texts.get(this);
  }
  isWorthIt(full) {
    return calling(() => module().is_worth_it(bytes(this, Delta), bytes(full)));
  }
}

export class Session {
  #base;
  #options;
  /** The texts after the first, and the bytes of the deltas since the last whole set. */
  #turns = 0;
  #bytes = 0;
  constructor(base, options) {
    this.#base = base;
    this.#options = { ...checked(options, { fullEvery: TYPES.turns, sizeGuard: TYPES.truth, tool: TYPES.text }) };
    textOf(base, KeyedSet);
    this.full(); // refuses the name of a tool that can't be written
  }
  full() {
    return this.#base.stringify({ tool: this.#options.tool });
  }
  next(set) {
    const { fullEvery = 15, sizeGuard = false } = this.#options;
    const delta = changes(this.#base, set);
    this.#base = set;
    this.#turns += 1;
    this.#bytes += delta === undefined ? 0 : utf8(delta).length;
    const isFull = delta === undefined || (sizeGuard ? this.#bytes >= utf8(this.full()).length : this.#turns % fullEvery === 0);
    if (isFull) this.#bytes = 0;
    return { text: isFull ? this.full() : delta, isFull };
  }
}

/** The text of a delta; `undefined` where the fields differ. */
function changes(base, next) {
  try {
    return base.deltaTo(next).stringify();
  } catch (error) {
    if (error.code === "schema_change") return undefined;
    throw error;
  }
}

export function parse(text) {
  const members = found(() => module().parse(utf8(text)));
  if (members.text === undefined) return members;
  return made(members.fields === undefined ? Delta : KeyedSet, members);
}

export function receive(text, held) {
  return made(KeyedSet, found(() => module().receive(utf8(text), held && bytes(held))));
}
