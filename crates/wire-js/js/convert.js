// The way between JavaScript's values and the module: as JSON text, in bytes of UTF-8.
import { WireError, calling } from "./error.js";
import { PARSE, STRINGIFY, TYPES, checked } from "./options.js";
import { pathAt, toText, toValue } from "./values.js";

const encoder = new TextEncoder();

/** A text as UTF-8, which the module checks. */
export function utf8(text) {
  if (text instanceof Uint8Array) return text;
  if (typeof text !== "string") throw new TypeError(`the input is a ${typeof text}, expected a string or a Uint8Array`);
  if (text.isWellFormed()) return encoder.encode(text);
  const before = text.slice(0, text.search(/\p{Surrogate}/u));
  const [line, column] = [before.split("\n").length, [...before.slice(before.lastIndexOf("\n") + 1)].length + 1];
  const message = `line ${line}, column ${column}: a lone surrogate is not text`;
  throw new WireError({ code: "invalid_utf8", message, line, column, offset: encoder.encode(before).length });
}

/** Writes a value by way of its JSON text. Positions in that text, which the caller does not see, become paths. */
export function written(value, options, write) {
  const json = toText(value, options);
  try {
    return calling(() => write(encoder.encode(json), options));
  } catch (error) {
    if (!(error instanceof WireError) || error.offset === undefined) throw error;
    const path = pathAt(json, error.offset);
    // The text is JSON but for escapes of lone surrogates.
    const isSurrogate = error.code === "json_syntax";
    const code = isSurrogate ? "invalid_surrogate" : error.code;
    const message = isSurrogate ? "a lone surrogate is not text" : error.message.replace(/^line \d+, column \d+: /, "");
    throw new WireError({ code, message: `${path}: ${message}`, path });
  }
}

/** The verbs of a format, from the two functions of the module, and the options of its texts. */
export const verbs = (own, write, read) => ({
  stringify: (value, options) => written(value, checked(options, { ...STRINGIFY, ...own }, "replacer"), write),
  parse: (text, options) => toValue(calling(() => read(utf8(text))), checked(options, PARSE, "reviver")),
  fromJSON(json, options) {
    const given = checked(options, { exact: TYPES.truth, ...own });
    return calling(() => write(utf8(json), given));
  },
  toJSON: (text) => calling(() => read(utf8(text))),
});

/** A verb of the formats that models write. */
export const recovering = (recover) => (answer, options) => {
  const given = checked(options, PARSE, "reviver");
  // The value is JSON text itself, so that no digit is lost.
  const { value, repairs } = JSON.parse(calling(() => recover(utf8(answer))));
  return { value: toValue(value, given), repairs };
};
