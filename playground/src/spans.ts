// The coloured parts of a line, in any of the page's formats.
import { GRAMMARS, type Span, coloured } from "./grammar.js";

export type Grammar = keyof typeof GRAMMARS | "json" | "toon" | "text";

const JSON_PARTS = /("(?:[^"\\]|\\.)*"?)(\s*:)?|(-?\d[\d.eE+-]*|\b(?:true|false|null)\b)|[{}[\],:]/g;
const TOON_PARTS = /^(\s*(?:- )?)("[^"]*"|[^\s:"[{]+)?(\[[^\]]*\])?(\{[^}]*\})?(:)|(?<=^|[,\s])(-?\d+(?:\.\d+)?|true|false|null)(?=,|$)|,/g;

export function spansOf(line: string, grammar: Grammar): Span[] {
  if (grammar === "json") return parts(line, JSON_PARTS, ([, text, colon, number]) => [colon && text ? [text, "key"] : [text, ""], [colon, "punctuation"], [number, "number"]]);
  if (grammar === "toon") return parts(line, TOON_PARTS, ([, dash, key, count, columns, colon, number]) => [[dash, ""], [key, "key"], [count, "number"], [columns, "key"], [colon, "punctuation"], [number, "number"]]);
  return grammar === "text" ? [] : coloured(line, grammar);
}

/** The spans of the groups of each match; a match without groups is punctuation. */
function parts(line: string, pattern: RegExp, named: (match: (string | undefined)[]) => [string | undefined, string][]): Span[] {
  const spans: Span[] = [];
  for (const match of line.matchAll(pattern)) {
    let start = match.index;
    const groups = named([...match]).filter(([text]) => text !== undefined);
    if (groups.length === 0) spans.push({ start, end: start + match[0].length, colour: "punctuation" });
    for (const [text, colour] of groups) {
      const end = start + text!.length;
      if (colour !== "" && start < end) spans.push({ start, end, colour });
      start = end;
    }
  }
  return spans;
}
