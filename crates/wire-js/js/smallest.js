// The form with the fewest tokens. Which that is the module decides, as everywhere (ruling X17).
import { utf8 } from "./convert.js";
import { WireError, calling } from "./error.js";
import gcf from "./gcf.module.js";
import gcx from "./gcx.module.js";
import { CHOICE, STRINGIFY, checked, counted } from "./options.js";
import { toText } from "./values.js";

const encoder = new TextEncoder();

// Half of a surrogate pair counts as the character that stands for it.
export const estimateTokens = (text) => gcf().runs(encoder.encode(text));
// The name by which reasons report it.
Object.defineProperty(estimateTokens, "name", { value: "runs" });

export function smallest(value, options) {
  const { counter, formats, ...others } = checked(options, { ...STRINGIFY, ...CHOICE });
  return smallestFromJSON(toText(value, others), { counter, formats });
}

export function smallestFromJSON(json, options) {
  return chosen({ json: calling(() => gcf().minified(utf8(json))) }, checked(options, CHOICE));
}

/** The choice among texts that are there, of which `json` is minified JSON, and the other forms of that. */
export function chosen(texts, { counter = estimateTokens, formats = gcf().forms().split(" ") }) {
  const json = utf8(texts.json);
  const writers = { gcf: () => proven(json, gcf().from_json(json, "3.5", true), gcf()), gcx: () => proven(json, gcx().from_json(json, undefined, true, true), gcx()) };
  const candidates = {};
  const refused = [];
  for (const format of ["input", "json", "gcf", "gcx"]) {
    try {
      if (texts[format] === undefined && formats.includes(format)) texts = { ...texts, [format]: calling(writers[format]) };
      if (texts[format] !== undefined) candidates[format] = counted(counter, texts[format]);
    } catch (error) {
      if (!(error instanceof WireError) || error.code === "invalid_option") throw error;
      candidates[format] = { code: error.code, message: error.message };
      refused.push(`; ${format} can't represent it (${error.code})`);
    }
  }
  const names = Object.keys(candidates).filter((format) => texts[format] !== undefined);
  const bytes = names.map((format) => utf8(texts[format]).length);
  const found = gcf().choose(counter.name || "counter", counter === estimateTokens, names.join(" "), bytes, names.map((format) => candidates[format]));
  const format = found.slice(0, found.indexOf(" "));
  const tokens = candidates[format];
  return { text: texts[format], format, tokens, saved: candidates.json - tokens, candidates, reason: found.slice(format.length + 1) + refused.join("") };
}

/** A text that decodes to the same value as the JSON. */
function proven(json, text, module) {
  const back = utf8(module.to_json(utf8(text)));
  if (gcf().same(json, back)) return text;
  throw new WireError({ code: "not_equal", message: "the text does not decode to the same value" });
}
