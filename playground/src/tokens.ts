// Where the tokens of a text go: to keys, punctuation, texts and numbers.
import { type Grammar, spansOf } from "./spans";

export const KINDS = ["keys", "punctuation", "texts", "numbers"] as const;

const OF_COLOUR: Record<string, number> = { head: 0, key: 0, punctuation: 1, comment: 1, number: 3 };

/** The ends of tokens in characters, from their lengths in bytes. A token may end inside a character; that counts to the next one. */
export function endsOf(text: string, lengths: Uint32Array): number[] {
  const ends: number[] = [];
  let [bytes, at, end] = [0, 0, 0];
  for (const length of lengths) {
    end += length;
    while (bytes < end && at < text.length) {
      const code = text.codePointAt(at)!;
      bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
      at += code < 0x10000 ? 1 : 2;
    }
    ends.push(at);
  }
  return ends;
}

/** The number of tokens of each kind: a token is of the kind that most of its characters are. */
export function kindsOf(text: string, ends: number[], grammar: Grammar): number[] {
  const kinds = new Uint8Array(text.length).fill(2);
  let start = 0;
  for (const line of text.split("\n")) {
    for (const span of spansOf(line, grammar)) kinds.fill(OF_COLOUR[span.colour]!, start + span.start, start + span.end);
    const indent = line.length - line.trimStart().length;
    kinds.fill(1, start, start + indent);
    start += line.length;
    if (start < text.length) kinds[start++] = 1;
  }
  const counts = [0, 0, 0, 0];
  let from = 0;
  for (const end of ends) {
    const votes = [0, 0, 0, 0];
    for (let at = from; at < Math.max(end, from + 1); at++) votes[kinds[at] ?? 1]!++;
    counts[votes.indexOf(Math.max(...votes))]!++;
    from = end;
  }
  return counts;
}
