//! Counters: vocabularies that are part of the program, and estimates that say so.

use std::fmt;
use std::str::FromStr;

use tiktoken_rs::CoreBPE;
use wire_core::{TokenCounter, WordPunctuation};

/// A counter of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Counter {
    /// Words and punctuation marks (ruling G2): an estimate that needs no vocabulary.
    WordPunctuation,
    /// The vocabulary of GPT-4.
    Cl100kBase,
    /// The vocabulary of GPT-4o and later.
    O200kBase,
    /// An estimate for Claude Opus 4.7: 1.35 × cl100k, rounded half up.
    ClaudeOpus47,
}

/// What is known of a counter: itself, its name, a shorter one, and what it is.
type Row = (Counter, &'static str, &'static str, &'static str);

const TABLE: [Row; 4] = [
    (
        Counter::WordPunctuation,
        "word-punctuation",
        "estimate",
        "Words and punctuation marks: an estimate that needs no vocabulary",
    ),
    (Counter::Cl100kBase, "cl100k_base", "cl100k", "The vocabulary of GPT-4"),
    (Counter::O200kBase, "o200k_base", "o200k", "The vocabulary of GPT-4o and later"),
    (
        Counter::ClaudeOpus47,
        "claude-opus-4.7",
        "opus47",
        "An estimate for Claude Opus 4.7: 1.35 × cl100k. A file of counts has exact ones",
    ),
];

impl Counter {
    /// Every counter.
    pub const ALL: &'static [Counter] =
        &[Counter::WordPunctuation, Counter::Cl100kBase, Counter::O200kBase, Counter::ClaudeOpus47];
    /// Those that count by themselves, and don't estimate what another one counts.
    pub const OWN: [Counter; 3] =
        [Counter::WordPunctuation, Counter::Cl100kBase, Counter::O200kBase];

    fn row(self) -> &'static Row {
        TABLE.iter().find(|row| row.0 == self).expect("because the table has every counter")
    }

    /// Its name, as `cl100k_base`.
    pub fn as_str(self) -> &'static str {
        self.row().1
    }

    /// A shorter name, as `cl100k`.
    pub fn alias(self) -> &'static str {
        self.row().2
    }

    /// What it is, in a few words.
    pub fn description(self) -> &'static str {
        self.row().3
    }

    /// The counter of this name or alias.
    pub fn from_name(name: &str) -> Option<Self> {
        TABLE.iter().find(|row| row.1 == name || row.2 == name).map(|row| row.0)
    }

    /// Whether its counts stand for those of a model whose vocabulary is not public.
    pub fn is_estimate(self) -> bool {
        self == Counter::ClaudeOpus47
    }

    fn vocabulary(self) -> Option<&'static CoreBPE> {
        match self {
            Counter::WordPunctuation => None,
            Counter::Cl100kBase | Counter::ClaudeOpus47 => {
                Some(tiktoken_rs::cl100k_base_singleton())
            }
            Counter::O200kBase => Some(tiktoken_rs::o200k_base_singleton()),
        }
    }

    /// The tokens that `text` is cut into, in order: where each begins, and its length, both in bytes. Those of an estimate are
    /// those of the vocabulary that it is made from. Together they are the text, but for white space with the
    /// word-and-punctuation estimate.
    pub fn pieces(self, text: &str) -> Vec<(usize, usize)> {
        match self.vocabulary() {
            None => words(text),
            Some(bpe) => {
                let mut start = 0;
                parts(text)
                    .flat_map(|part| {
                        let ranks = bpe.encode_ordinary(part);
                        bpe._decode_native_and_split(ranks).map(|token| token.len())
                    })
                    .map(|length| {
                        let piece = (start, length);
                        start += length;
                        piece
                    })
                    .collect()
            }
        }
    }
}

impl fmt::Display for Counter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Counter {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Counter::from_name(name).ok_or_else(|| {
            let known: Vec<&str> = Counter::ALL.iter().map(|counter| counter.as_str()).collect();
            format!("{name:?} is no counter, expected one of: {}", known.join(", "))
        })
    }
}

impl TokenCounter for Counter {
    fn name(&self) -> &str {
        match self {
            Counter::ClaudeOpus47 => "claude-opus-4.7 (estimate)",
            other => other.as_str(),
        }
    }

    fn count(&self, text: &str) -> usize {
        match (self, self.vocabulary()) {
            (_, None) => WordPunctuation.count(text),
            (counter, Some(bpe)) => {
                let tokens = parts(text).map(|part| bpe.count_ordinary(part)).sum();
                if *counter == Counter::ClaudeOpus47 { inflated(tokens) } else { tokens }
            }
        }
    }
}

/// 1.35 times as many, rounded half up (ruling S1).
fn inflated(tokens: usize) -> usize {
    (tokens * 135 + 50) / 100
}

/// The text in parts that are cut inside of very long runs of letters, of white space or of marks, which take the vocabularies
/// more time than they are long, or more stack than there is. A cut can cost a token more.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    const LONGEST_RUN: usize = 4096;
    let class = |c: char| (c.is_alphanumeric(), c.is_whitespace());
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (mut run, mut before) = (0, None);
        let end = rest.char_indices().find_map(|(at, c)| {
            run = if before == Some(class(c)) { run + 1 } else { 1 };
            before = Some(class(c));
            (run > LONGEST_RUN).then_some(at)
        });
        let (part, tail) = rest.split_at(end.unwrap_or(rest.len()));
        rest = tail;
        Some(part)
    })
}

/// Where the words and punctuation marks of the estimate begin, and their lengths.
fn words(text: &str) -> Vec<(usize, usize)> {
    let mut pieces: Vec<(usize, usize)> = Vec::new();
    let mut in_word = false;
    for (at, c) in text.char_indices() {
        let word = c.is_ascii_alphanumeric() || c == '_' || c == '.';
        match pieces.last_mut() {
            Some((_, length)) if word && in_word => *length += 1,
            _ if word || !c.is_whitespace() => pieces.push((at, c.len_utf8())),
            _ => {}
        }
        in_word = word;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vocabularies_count() {
        // Known counts of the published vocabularies.
        for (counter, tokens) in
            [(Counter::WordPunctuation, 4), (Counter::Cl100kBase, 6), (Counter::O200kBase, 6)]
        {
            assert_eq!(counter.count("tiktoken is great!"), tokens, "{counter}");
        }
        assert_eq!(Counter::ClaudeOpus47.count("tiktoken is great!"), 8);
        assert_eq!([inflated(0), inflated(1), inflated(10), inflated(100)], [0, 1, 14, 135]);
    }

    #[test]
    fn every_counter_has_its_names() {
        for counter in Counter::ALL.iter().copied() {
            assert_eq!(Counter::from_name(counter.as_str()), Some(counter));
            assert_eq!(counter.alias().parse(), Ok(counter));
            assert!(counter.name().starts_with(counter.as_str()));
        }
        assert_eq!(
            "gpt".parse::<Counter>(),
            Err("\"gpt\" is no counter, expected one of: word-punctuation, cl100k_base, o200k_base, claude-opus-4.7".to_owned())
        );
    }

    #[test]
    fn pieces_are_what_is_counted() {
        let text = "@0 fn größe.b 0.78\n\t漢字 \"x\": [1, 2]\n";
        for counter in [Counter::WordPunctuation, Counter::Cl100kBase, Counter::O200kBase] {
            let pieces = counter.pieces(text);
            assert_eq!(pieces.len(), counter.count(text), "{counter}");
            assert!(pieces.is_sorted());
        }
        let (start, length) = *Counter::Cl100kBase.pieces(text).last().unwrap();
        assert_eq!(start + length, text.len());
    }

    #[test]
    fn long_runs_are_counted_in_time() {
        // A million spaces are more than the stack of the vocabularies' patterns holds.
        for (run, length) in
            [(" ", 1_100_000), ("a", 50_000), ("=", 50_000), ("\n", 50_000), ("字", 50_000)]
        {
            let text = format!("x{}y", run.repeat(length));
            for counter in [Counter::Cl100kBase, Counter::O200kBase] {
                assert_eq!(counter.count(&text), counter.pieces(&text).len());
            }
        }
        assert_eq!(parts(&"ab ".repeat(10_000)).count(), 1);
        assert_eq!(parts("").count(), 0);
    }
}
