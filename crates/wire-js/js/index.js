// GCF, GCX1, GOON and GCB1 for JavaScript. `index.d.ts` describes each name. Every format has a WebAssembly module of its own, which is loaded
// at the first call, and which bundlers leave out where the format is not used.
import { recovering, verbs } from "./convert.js";
import gcfModule from "./gcf.module.js";
import gcxModule from "./gcx.module.js";
import goonModule from "./goon.module.js";
import graphModule from "./graph.module.js";
import { parseLines, stringifyLines } from "./lines.js";
import { DEEPEST, encode } from "./lite/gcf.js";
import { STRINGIFY, TYPES, checked, oneOf } from "./options.js";
import { isPlain } from "./values.js";

/** The characters beyond which the module writes a value. */
const LARGE = 1 << 22;

export { WireError } from "./error.js";
export * as keyed from "./keyed.js";
export { estimateTokens, smallest, smallestFromJSON } from "./smallest.js";

export const gcf = /* @__PURE__ */ (() => {
  const own = { spec: oneOf("3.5", "3.6") };
  const byJSON = verbs(
    own,
    (json, { spec = "3.5", exact = false }) => gcfModule().from_json(json, spec, exact),
    (text) => gcfModule().to_json(text),
  );
  const stringify = (value, options) => {
    const { replacer, spec = "3.5" } = checked(options, { ...STRINGIFY, ...own }, "replacer");
    if (replacer === undefined && spec === "3.5" && isPlain(value, DEEPEST, true)) {
      try {
        return encode(value, LARGE);
      } catch {
        // It is too deep, and the module says where; or so large that the module is faster by seconds.
      }
    }
    return byJSON.stringify(value, options);
  };
  return { ...byJSON, stringify, recover: recovering((answer) => gcfModule().recover(answer)), stringifyLines, parseLines };
})();

// Bundlers keep a pure call if an argument reads a member such as `TYPES.text`, and the module with it. A function around the call prevents that.
export const gcx = /* @__PURE__ */ (() =>
  verbs(
    { tool: TYPES.text, typed: TYPES.truth },
    (json, { tool, typed = false, exact = false }) => gcxModule().from_json(json, tool, typed, exact),
    (text) => gcxModule().to_json(text),
  ))();

export const goon = /* @__PURE__ */ (() =>
  verbs(
    { version: oneOf("1.0.0", "4.0.1"), quoteNumbers: TYPES.truth, truncation: TYPES.truth, dropUnrepresentable: TYPES.truth },
    (json, { version = "1.0.0", quoteNumbers = false, truncation = true, dropUnrepresentable = false, exact = false }) =>
      goonModule().from_json(json, version, quoteNumbers, truncation, dropUnrepresentable, exact),
    (text) => goonModule().to_json(text),
  ))();

export const graph = /* @__PURE__ */ (() => ({
  ...verbs(
    { dialect: oneOf("v1", "v1.4", "v3") },
    (json, { dialect = "v1" }) => graphModule().from_json(json, dialect),
    (text) => graphModule().to_json(text),
  ),
  recover: recovering((answer) => graphModule().recover(answer)),
}))();

export const gcb = /* @__PURE__ */ verbs(
  {},
  (json) => graphModule().gcb_from_json(json),
  (bytes) => graphModule().gcb_to_json(bytes),
);
