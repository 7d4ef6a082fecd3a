// Colours of GCF, GCX1 and GOON by the repository's TextMate grammars, in the page and in the book.
// The grammars work line by line: a rule is a `match`, or a `begin` whose own rules apply up to the line's end.
import gcf from "../../editors/textmate/gcf.tmLanguage.json" with { type: "json" };
import gcx from "../../editors/textmate/gcx.tmLanguage.json" with { type: "json" };
import goon from "../../editors/textmate/goon.tmLanguage.json" with { type: "json" };

/** The grammars by the names of their formats. */
export const GRAMMARS = { gcf, gcx, goon };

/** The colour of a scope, by its first words. */
const COLOURS = [
  ["keyword.control", "head"],
  ["entity.name.section", "head"],
  ["entity.", "key"],
  ["variable.parameter", "key"],
  ["storage.", "key"],
  ["constant.", "number"],
  ["variable.other", "number"],
  ["punctuation.", "punctuation"],
  ["keyword.operator", "punctuation"],
  ["comment.", "comment"],
];

/** @typedef {{ start: number, end: number, colour: string }} Span */

/**
 * The coloured parts of a line, in order.
 *
 * @param {string} line
 * @param {keyof typeof GRAMMARS} format
 * @returns {Span[]}
 */
export function coloured(line, format) {
  const grammar = compiled(format);
  /** @type {Span[]} */
  const spans = [];
  let rules = grammar;
  for (let at = 0; at <= line.length; ) {
    const found = rules.flatMap((rule) => {
      rule.pattern.lastIndex = at;
      const match = rule.pattern.exec(line);
      return match === null ? [] : [{ rule, match }];
    });
    if (found.length === 0) break;
    // The first match; of those at one place that of the first rule.
    const { rule, match } = found.reduce((best, other) => (other.match.index < best.match.index ? other : best));
    const indices = /** @type {(readonly [number, number] | undefined)[]} */ (/** @type {unknown} */ (match.indices));
    for (const [group, colour] of rule.colours) {
      const range = indices[group];
      if (range !== undefined && range[0] < range[1]) spans.push({ start: range[0], end: range[1], colour });
    }
    const end = match.index + match[0].length;
    at = end > at ? end : at + 1;
    if (rule.rules !== undefined) rules = rule.rules;
  }
  return spans;
}

/** @typedef {{ pattern: RegExp, colours: [number, string][], rules?: Rule[] }} Rule */
/** @type {Map<string, Rule[]>} */
const known = new Map();

/** @param {keyof typeof GRAMMARS} format */
function compiled(format) {
  let rules = known.get(format);
  if (rules === undefined) {
    const { patterns, repository } = GRAMMARS[format];
    rules = patterns.map(({ include }) => compile(/** @type {any} */ (repository)[include.slice(1)]));
    known.set(format, rules);
  }
  return rules;
}

/**
 * @param {any} rule
 * @returns {Rule}
 */
function compile(rule) {
  const captures = rule.captures ?? rule.beginCaptures ?? {};
  /** @type {[number, string][]} */
  const colours = Object.entries(captures).flatMap(([group, { name }]) => {
    const colour = COLOURS.find(([start]) => name.startsWith(start))?.[1];
    return colour === undefined ? [] : [[Number(group), colour]];
  });
  return { pattern: new RegExp(rule.match ?? rule.begin, "gd"), colours, rules: rule.patterns?.map(compile) };
}
