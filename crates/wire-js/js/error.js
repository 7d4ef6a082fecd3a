/** What the formats refuse to write or to read. */
export class WireError extends SyntaxError {
  /** @param {{message: string, code: string, line?: number|null, column?: number|null, offset?: number|null, path?: string}} problem */
  constructor({ message, code, line, column, offset, path }) {
    super(message);
    this.name = "WireError";
    this.code = code;
    this.line = line ?? undefined;
    this.column = column ?? undefined;
    this.offset = offset ?? undefined;
    this.path = path;
  }
}

/** Calls the module, whose errors are JSON text. */
export function calling(call) {
  try {
    return call();
  } catch (thrown) {
    throw typeof thrown === "string" ? new WireError(JSON.parse(thrown)) : thrown;
  }
}
