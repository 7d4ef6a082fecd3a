import type { CompactOptions } from "./compact.js";

export { type CompactOptions, mayBeQuoted } from "./compact.js";

/**
 * The `wrapModelCall` of a middleware: the model gets text where that has fewer tokens, and the state keeps what the tools returned. Errors,
 * images and artifacts stay.
 * @example
 * createMiddleware({ name: "wire-formats", wrapModelCall: compactToolResults() });
 */
export declare function compactToolResults(options?: CompactOptions): <Request extends { messages: any[] }, Response>(request: Request, handler: (request: Request) => Response) => Response;
