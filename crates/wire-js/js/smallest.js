// The form with the fewest tokens.
import { utf8 } from "./convert.js";
import { WireError, calling } from "./error.js";
import gcf from "./gcf.module.js";
import gcx from "./gcx.module.js";
import { STRINGIFY, TYPES, checked, counted } from "./options.js";
import { toText } from "./values.js";

const encoder = new TextEncoder();

// `WordPunctuation` of `wire-core`.
export const estimateTokens = (text) => text.match(/[A-Za-z0-9_.]+|[^A-Za-z0-9_.\p{White_Space}]/gu)?.length ?? 0;

const bytes = (text) => encoder.encode(text).length;

const COUNTER = { counter: TYPES.counter };

export function smallest(value, options) {
  const { counter, ...others } = checked(options, { ...STRINGIFY, ...COUNTER });
  return smallestFromJSON(toText(value, others), { counter });
}

export function smallestFromJSON(json, options) {
  const { counter = bytes } = checked(options, COUNTER);
  const minified = calling(() => gcf().minified(utf8(json)));
  const given = encoder.encode(minified);
  const forms = {
    json: () => minified,
    gcf: () => proven(given, gcf().from_json(given, "3.5", true), gcf()),
    gcx: () => proven(given, gcx().from_json(given, undefined, true, true), gcx()),
  };
  const candidates = {};
  let best;
  for (const [format, write] of Object.entries(forms)) {
    let text;
    try {
      text = calling(write);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      candidates[format] = { code: error.code, message: error.message };
      continue;
    }
    const tokens = (candidates[format] = counted(counter, text));
    // Of equal ones the first, so that JSON is replaced only by fewer.
    if (best === undefined || tokens < best.tokens) best = { text, format, tokens };
  }
  const unit = counter === bytes ? "bytes" : "tokens";
  const found = Object.entries(candidates).map(([format, made]) => (typeof made === "number" ? `${format} ${made} ${unit}` : `${format} can't represent it (${made.code})`));
  const why = best.format === "json" ? `no other format uses fewer ${unit}` : `it uses the fewest ${unit}`;
  const reason = `${best.format} by ${counter.name || "counter"}, since ${why}: ${found.join(", ")}`;
  return { ...best, saved: candidates.json - best.tokens, candidates, reason };
}

/** A text that decodes to the same value as the JSON. */
function proven(json, text, module) {
  const back = encoder.encode(module.to_json(encoder.encode(text)));
  if (gcf().same(json, back)) return text;
  throw new WireError({ code: "not_equal", message: "the text does not decode to the same value" });
}
