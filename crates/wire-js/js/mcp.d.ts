import type { ChoiceOptions } from "./index.js";

/** The forms of a result, for the schema of a tool. */
export declare const formats: readonly ["auto", "json", "gcf", "gcx"];

/** The description of the argument `format`, for the model. */
export declare const formatDescription: string;

/** A result of a tool, as servers of both generations of the SDK send it. */
export interface ToolResult {
  [name: string]: unknown;
  content: { type: "text"; text: string }[];
  structuredContent?: { [name: string]: unknown };
  isError?: boolean;
}

/** Options of `toolResult`. */
export interface ToolOptions extends ChoiceOptions {
  /** The form of results where the client asks for none (default "auto": the one with the fewest tokens). */
  format?: (typeof formats)[number];
  /** The name of the argument by which a client asks for a form (default "format"). The handler sees it, too. */
  argument?: string;
  /** The name of the tool, whose words say whether it reads a file (default: that of the handler). */
  name?: string;
  /**
   * `true`: all results stay JSON; `false`: none. By default what a model may have to quote stays: results of tools that read a file by the
   * words of their name or by an argument that ends in `.json` or the like, and those that are mostly one long text.
   */
  verbatim?: boolean;
  /**
   * "keep" sends an object that the handler returns as `structuredContent`, too, which a tool with an `outputSchema` needs; "drop" leaves
   * `structuredContent` out where a text says the same (default: results keep what they have).
   */
  structured?: "keep" | "drop";
  /** Is told when a result can't be written (default: `console.warn`). */
  warn?: (message: string) => void;
}

/**
 * The handler of a tool whose results are text with few tokens. The handler returns any value (`undefined` is empty `content`), or a result
 * with `content`, whose JSON texts are rewritten: not those of errors, of a user interface, and of blocks with `annotations` or `_meta`. A
 * result has no more tokens than before, as `counter` counts, and its values are the same.
 * @throws {WireError} `invalid_option` for an option of another name or type.
 * @example
 * const format = z.enum(formats).optional().describe(formatDescription);
 * server.registerTool("list", { inputSchema: { city: z.string(), format } }, toolResult(({ city }) => usersOf(city)));
 */
export declare function toolResult<Args extends any[]>(handler: (...args: Args) => unknown, options?: ToolOptions): (...args: Args) => Promise<ToolResult>;
