// Answers requests by the package `@blackwell-systems/gcf`: a line of JSON in, a line of JSON out.
//
// A request is `[what, argument]`, an answer `{"ok": …}` or `{"error": …}`.

import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const require = createRequire(pathToFileURL(`${process.argv[2]}/`));
const gcf = require("@blackwell-systems/gcf");

const symbol = (value) => ({
  qualifiedName: value.qualified_name,
  kind: value.kind,
  score: value.score ?? 0,
  provenance: value.provenance ?? "",
  distance: value.distance ?? 0,
});
const edge = ({ source, target, edge_type: edgeType, status }) => ({ source, target, edgeType, status });
const payload = (value) => ({
  tool: value.tool,
  tokensUsed: value.tokens_used,
  tokenBudget: value.token_budget,
  packRoot: value.pack_root,
  symbols: value.symbols.map(symbol),
  edges: value.edges.map(edge),
});
const plain = (read) => ({
  tool: read.tool,
  tokens_used: read.tokensUsed,
  token_budget: read.tokenBudget,
  pack_root: read.packRoot ?? "",
  symbols: read.symbols.map((found) => ({
    qualified_name: found.qualifiedName,
    kind: found.kind,
    score: found.score,
    provenance: found.provenance,
    distance: found.distance,
  })),
  edges: read.edges.map((found) => ({
    source: found.source,
    target: found.target,
    edge_type: found.edgeType,
    status: found.status ?? "",
  })),
});

let session = null;
let keyed = null;

const answers = {
  encode_generic: (value) => gcf.encodeGeneric(value),
  decode_generic: (text) => gcf.decodeGeneric(text),
  encode: (value) => gcf.encode(payload(value)),
  decode: (text) => plain(gcf.decode(text)),
  // The next payload of a session; `null` begins a new one.
  session: (value) => {
    if (value === null) {
      session = new gcf.Session();
      return null;
    }
    return gcf.encodeWithSession(payload(value), session);
  },
  delta: (value) =>
    gcf.encodeDelta({
      tool: value.tool,
      baseRoot: value.base_root,
      newRoot: value.new_root,
      removed: value.removed.map(symbol),
      added: value.added.map(symbol),
      removedEdges: value.removed_edges.map(edge),
      addedEdges: value.added_edges.map(edge),
      deltaTokens: value.delta_tokens,
      fullTokens: value.full_tokens,
    }),
  keyed_full: ({ set, tool }) => gcf.encodeGenericFull(set, tool),
  keyed_read: (text) => {
    const { set, packRoot } = gcf.decodeGenericFull(text);
    return { set, root: packRoot };
  },
  keyed_delta: ({ base, next }) => gcf.encodeGenericDelta(gcf.diffGenericSets(base, next)),
  keyed_apply: ({ base, text }) => {
    const delta = gcf.decodeGenericDelta(text);
    return gcf.verifyGenericDelta(base, delta, delta.newRoot);
  },
  // Begins a session, or sends the next set.
  keyed_session: ({ base, tool, every, next }) => {
    if (base) {
      keyed = new gcf.GenericDeltaSession(base, tool, every ? gcf.fixedN(every) : gcf.sizeGuard());
      return null;
    }
    const { wire: text, isFull: is_full } = keyed.next(next);
    return { text, is_full };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  let text;
  try {
    const [what, argument] = JSON.parse(line);
    // Objects of this language put keys that look like numbers first.
    const given = what === "encode_generic" ? gcf.parseJSONOrdered(line)[1] : argument;
    text = JSON.stringify({ ok: answers[what](given) ?? null }, (_, value) =>
      value instanceof Map ? Object.fromEntries(value) : value,
    );
  } catch (problem) {
    text = JSON.stringify({ error: String(problem) });
  }
  process.stdout.write(`${text}\n`);
}
