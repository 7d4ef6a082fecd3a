/**
 * JSON values as compact text for language models, and back.
 *
 * Each format has the verbs `stringify`, `parse`, `fromJSON` and `toJSON`. The last two convert text
 * without making objects, which is the fastest way where the JSON text is there already.
 *
 * @example
 * import { gcf } from "wire-formats";
 * const text = gcf.stringify([{ id: 1, name: "Ann" }, { id: 2, name: "Bo" }]);
 * // GCF profile=generic
 * // ## [2]{id,name}
 * // 1|Ann
 * // 2|Bo
 * gcf.parse(text)[1].name; // "Bo"
 */

/** Text, or its bytes in UTF-8. */
export type Text = string | Uint8Array;

/** As in `JSON.stringify`: a function that returns what to write, or the names of the members to write. */
export type Replacer = ((this: any, key: string, value: any) => unknown) | readonly (string | number)[];

/** As in `JSON.parse`: a function that returns what to keep of a member. */
export type Reviver = (this: any, key: string, value: any) => unknown;

/**
 * Options of each `stringify`. A replacer may stand in their place. An option of another name or type is an error with the code
 * `invalid_option`, here and in all verbs.
 */
export interface StringifyOptions {
  /** What to write of each member. */
  replacer?: Replacer;
  /** Writes a `Map` whose keys are strings as an object (default: it is an error, because JSON drops its entries). */
  maps?: boolean;
}

/** Options of each `parse`. A reviver may stand in their place. */
export interface ParseOptions {
  /** What to keep of each member. */
  reviver?: Reviver;
  /** Reads integers beyond 2^53 as `bigint` (default: as the nearest number, as `JSON.parse` does). */
  bigint?: boolean;
}

/** An option of each `fromJSON` of values. */
export interface ExactOption {
  /** Makes a decimal that is not a double an error (default: it is rounded). */
  exact?: boolean;
}

/** Options of GCF. */
export interface GcfOptions {
  /** The version of the specification (default "3.5", which every reader reads). */
  spec?: "3.5" | "3.6";
}

/** Options of GCX1. */
export interface GcxOptions {
  /** The name of the tool. If it has a layout, its columns are those of the layout (default: none, with types). */
  tool?: string;
  /** Writes the types of the columns, so that the text decodes to an equal value (default: only without `tool`). */
  typed?: boolean;
}

/** Options of GOON. */
export interface GoonOptions {
  /** The version of the format (default "1.0.0"). */
  version?: "1.0.0" | "4.0.1";
  /** Writes texts that look like numbers in quotes (default `false`). */
  quoteNumbers?: boolean;
  /** Cuts long texts, as the format asks for (default `true`). */
  truncation?: boolean;
  /** Leaves out what the version can't represent (default: it is an error). */
  dropUnrepresentable?: boolean;
}

/** Options of payloads in GCF. */
export interface GraphOptions {
  /** The dialect (default "v1"). */
  dialect?: "v1" | "v1.4" | "v3";
}

/** The verbs of a format. */
export interface Format<Options, Written = string> {
  /**
   * Writes a value.
   * @throws {WireError} with the path of what can't be written.
   * @example gcf.stringify({ ports: [8080, 8443] }); // "GCF profile=generic\nports[2]: 8080,8443\n"
   */
  stringify(value: unknown, options?: (StringifyOptions & Options) | Replacer | null): Written;
  /**
   * Reads a value.
   * @throws {WireError} with the position of what is wrong.
   * @example const { ports } = gcf.parse<{ ports: number[] }>("GCF profile=generic\nports[2]: 8080,8443\n");
   */
  parse<T = any>(text: Written extends string ? Text : Uint8Array, options?: ParseOptions | Reviver | null): T;
  /**
   * Converts JSON text. No digit of an integer is lost.
   * @throws {WireError} with the position in the JSON text.
   * @example gcf.fromJSON('{"ports":[8080,8443]}'); // "GCF profile=generic\nports[2]: 8080,8443\n"
   */
  fromJSON(json: Text, options?: (Options & (Written extends string ? ExactOption : {})) | null): Written;
  /**
   * Converts to minified JSON text.
   * @throws {WireError} with the position of what is wrong.
   * @example gcf.toJSON("GCF profile=generic\nports[2]: 8080,8443\n"); // '{"ports":[8080,8443]}'
   */
  toJSON(text: Written extends string ? Text : Uint8Array): string;
}

/** A repair of an answer. */
export interface Repair {
  /** The line of the answer, from 1. */
  line: number;
  /** The number of bytes before the line. */
  offset: number;
  /** What was done, such as "code_fence". */
  code: string;
  /** Why a line was left out: the code of an error. */
  reason: string | null;
  /** Whether something that the answer says is missing in the value. */
  isLoss: boolean;
}

/** The value that was found in an answer. */
export interface Recovered<T> {
  /** The value. */
  value: T;
  /** Everything that was repaired or left out, in the order of the answer. */
  repairs: Repair[];
}

/** A verb of the formats that models write. */
export interface Recovering {
  /**
   * Finds the value in a model's answer, and repairs what is nearly valid. Nothing is invented.
   * @throws {WireError} if there is nothing to recover.
   * @example gcf.recover("Sure:\nGCF profile=generic\nok=true\n").value; // { ok: true }
   */
  recover<T = any>(answer: Text, options?: ParseOptions | Reviver | null): Recovered<T>;
}

/** Verbs for rows that come one after the other. */
export interface Lines {
  /**
   * Writes rows as they come, each as a line. Rows have scalars as values.
   * @throws {WireError} for a row with a nested value or with a field that the first row lacks.
   * @example for await (const line of gcf.stringifyLines(rows)) response.write(line);
   */
  stringifyLines(
    rows: Iterable<object> | AsyncIterable<object>,
    options?: StringifyOptions & {
      /** The columns (default: the names of the first row's members). */
      fields?: readonly string[];
    },
  ): AsyncGenerator<string, void, void>;
  /**
   * Reads the text of `stringifyLines`, cut anywhere, row by row.
   * @throws {WireError} with the position of what is wrong, also if the end is missing.
   * @example for await (const row of gcf.parseLines(response.body)) use(row);
   */
  parseLines<T = any>(chunks: Iterable<Text> | AsyncIterable<Text>, options?: ParseOptions): AsyncGenerator<T, void, void>;
}

/**
 * GCF: any value. Rows of objects name their columns once.
 * @example gcf.parse(gcf.stringify([{ id: 1 }, { id: 2 }])); // [{ id: 1 }, { id: 2 }]
 */
export declare const gcf: Format<GcfOptions> & Recovering & Lines;

/**
 * GCX1: lists of objects and results of tools, as rows with tabs.
 * @example gcx.stringify([{ id: "a", size: 1.5 }]); // "GCX1 tool=value fields=id,size rows=1 typed=objects:string,float\na\t1.5\n"
 */
export declare const gcx: Format<GcxOptions>;

/**
 * GOON: results of graph queries.
 * @example goon.stringify({ query_type: "search", nodes: [{ type: "User", id: 8, properties: {} }], edges: [] });
 */
export declare const goon: Format<GoonOptions>;

/**
 * GCF for payloads: ranked symbols of code, and the edges between them. Some of their members are dropped.
 * @example graph.stringify({ tool: "t", tokens_used: 0, token_budget: 0, symbols: [] });
 */
export declare const graph: Format<GraphOptions> & Recovering;

/**
 * GCB1: payloads as bytes.
 * @example gcb.parse(gcb.stringify({ tool: "t", tokens_used: 0, token_budget: 0, symbols: [] })).tool; // "t"
 */
export declare const gcb: Format<{}, Uint8Array>;

/**
 * GCF for tables that are sent again and again: sets of rows with a key, and what changes between calls. Each text states the root of the
 * set, so that a reader notices what it missed.
 * @example
 * const session = new keyed.Session(new keyed.KeyedSet([{ id: 1, n: "x" }, { id: 2, n: "y" }], { key: "id" }));
 * const held = keyed.receive(session.full());
 * const sent = session.next(new keyed.KeyedSet([{ id: 1, n: "x" }, { id: 2, n: "z" }], { key: "id" }));
 * keyed.receive(sent.text, held).rows()[1].n; // "z"
 */
export declare namespace keyed {
  /** Rows of scalars with the same fields, one of which, the key, no two rows have alike. Sets with the same rows have the same root. */
  class KeyedSet {
    /**
     * The set of an array of objects, or of an object of objects by their keys. `fields` are the fields in their order, which an array
     * without rows needs; `name` is the name of the table in the text (default "rows").
     * @throws {WireError} with the code "not_keyed" or "duplicate_key" for other rows.
     */
    constructor(rows: object, options: StringifyOptions & { key: string; fields?: readonly string[]; name?: string });
    /** The identity of the rows, in whatever order they are. */
    readonly root: string;
    /** The name of the key. */
    readonly key: string;
    /** The names of the fields, the key among them. */
    readonly fields: readonly string[];
    /** The name of the table in the text. */
    readonly name: string;
    /** The number of rows. */
    readonly size: number;
    /** The rows, as objects. */
    rows<T = any>(options?: ParseOptions | Reviver | null): T[];
    /** The whole set as text; `tool` is the tool whose answer it is. */
    stringify(options?: { tool?: string } | null): string;
    /** The text that says that the set has not changed. */
    stringifyUnchanged(): string;
    /**
     * What turns this set into the next one.
     * @throws {WireError} with the code "schema_change" where the fields differ: send the whole set then.
     */
    deltaTo(next: KeyedSet): Delta;
    /**
     * The set that a delta makes of this one. Nothing is applied in part.
     * @throws {WireError} if the delta is for another set.
     */
    apply(delta: Delta): KeyedSet;
  }

  /** What changes one set into another. `deltaTo` makes one; a producer that knows what changed makes it from the rows. */
  class Delta {
    /**
     * The delta between sets of these roots. `of` has the key and the fields; its rows don't count. `removed` is an array of keys.
     * `tokens` and `fullTokens` are those of the delta and of the whole set, for the savings in the text.
     */
    constructor(
      of: KeyedSet,
      baseRoot: string,
      newRoot: string,
      options?: StringifyOptions & {
        added?: readonly object[];
        changed?: readonly object[];
        removed?: readonly unknown[];
        tool?: string;
        tokens?: number;
        fullTokens?: number;
      },
    );
    /** The root of the set that it applies to. */
    readonly baseRoot: string;
    /** The root of the set that comes out. */
    readonly newRoot: string;
    /** The tool. */
    readonly tool: string | null;
    /** What it saves against the whole set, in percent, if that is stated. */
    readonly savings: number | null;
    /** The number of rows that are added, changed or removed. */
    readonly size: number;
    /** The rows that the base does not have. */
    added<T = any>(options?: ParseOptions | Reviver | null): T[];
    /** The rows that replace those with the same key. */
    changed<T = any>(options?: ParseOptions | Reviver | null): T[];
    /** The rows that are gone, each with its key alone. */
    removed<T = any>(options?: ParseOptions | Reviver | null): T[];
    /** The delta as text. */
    stringify(): string;
    /** Whether its text is less than 60 % of that of the whole set, in bytes. */
    isWorthIt(full: KeyedSet): boolean;
  }

  /** A producer that sends a set again and again, as the whole or as what changed. */
  class Session {
    /**
     * A session that begins with a set. The whole set goes out on every turn that `fullEvery` divides (default 15), since models lose track
     * of long chains of deltas; with `sizeGuard` as soon as the deltas are as many bytes as the whole set.
     */
    constructor(base: KeyedSet, options?: { fullEvery?: number; sizeGuard?: boolean; tool?: string } | null);
    /** The text of the whole set that the consumer has: send it first. */
    full(): string;
    /** The text that makes `set` of what the consumer has. */
    next(set: KeyedSet): Update;
  }

  /** What a session sends next. */
  interface Update {
    /** The text. */
    text: string;
    /** Whether it is the whole set and no delta. */
    isFull: boolean;
  }

  /** The set is still the one of this root. */
  interface Unchanged {
    /** The root. */
    root: string;
    /** The number of rows, if it is stated. */
    count: number | null;
  }

  /**
   * What a text is.
   * @throws {WireError} with the position of what is wrong.
   */
  function parse(text: Text): KeyedSet | Delta | Unchanged;

  /**
   * The set of a consumer after a text: the full set, or `held` with a delta applied.
   * @throws {WireError} for a text that can't be read, or that is about another set than `held`: ask for the full set then.
   */
  function receive(text: Text, held?: KeyedSet): KeyedSet;
}

/** Counts the tokens of a text: a number, which is not a promise. */
export type Counter = (text: string) => number;

/**
 * An estimate of the tokens of a text by its runs of letters, digits and marks: of most texts within 15 % of the tokens of GPT-4o.
 * `wire-formats/o200k` and `wire-formats/cl100k` count the tokens of models.
 * @example estimateTokens("GCF tool=t"); // 4
 */
export declare const estimateTokens: Counter;

/** The form with the fewest tokens. */
export interface Smallest {
  /** The text. */
  text: string;
  /** Its format; "json" is minified. */
  format: "json" | "gcf" | "gcx";
  /** The number of its tokens. */
  tokens: number;
  /** How many fewer these are than those of minified JSON. */
  saved: number;
  /** The tokens of each format, or why it can't represent the value. */
  candidates: Partial<Record<"json" | "gcf" | "gcx", number | { code: string; message: string }>>;
  /** Why this format was chosen, as a sentence. */
  reason: string;
}

/** Options of `smallest`. */
export interface ChoiceOptions {
  /** What counts tokens (default: `estimateTokens`). */
  counter?: Counter;
  /** The formats to choose from besides minified JSON (default: GCF). */
  formats?: readonly ("json" | "gcf" | "gcx")[];
}

/**
 * The text of a value in the format with the fewest tokens, of minified JSON, GCF and those that `formats` names. It reads back equal. Of
 * those with nearly the fewest (3 % more, 5 % by the estimate) it is the first, so that JSON is replaced only by what saves something.
 * @throws {WireError} with the path of what JSON can't represent.
 * @example smallest([{ id: 1 }, { id: 2 }], { counter: countTokens }).format; // "gcf"
 */
export declare function smallest(value: unknown, options?: StringifyOptions & ChoiceOptions): Smallest;

/**
 * The same of a JSON text. No digit is lost.
 * @throws {WireError} with the position in the JSON text.
 * @example smallestFromJSON('[{"id":1},{"id":2}]').text;
 */
export declare function smallestFromJSON(json: Text, options?: ChoiceOptions): Smallest;

/**
 * What the formats refuse to write or to read.
 * @example try { gcf.parse(text) } catch (error) { if (error instanceof WireError) console.log(error.code, error.line) }
 */
export declare class WireError extends SyntaxError {
  /** A stable name, such as "row_width_mismatch". */
  readonly code: string;
  /** The line of a text, from 1. */
  readonly line?: number;
  /** The column in code points, from 1. */
  readonly column?: number;
  /** The number of UTF-8 bytes before the position. */
  readonly offset?: number;
  /** The position in a value that was written, such as "$.orders[2].id". */
  readonly path?: string;
}
