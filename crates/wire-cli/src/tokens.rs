//! Counting tokens: by vocabularies that are part of the program, by estimates that say so, and by exact counts from a file.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;

use clap::ValueEnum;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use tiktoken_rs::CoreBPE;
use wire_core::{TokenCounter, WordPunctuation};

use crate::failure::Failure;
use crate::input::Input;

/// A counter, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ValueEnum)]
pub(crate) enum Counter {
    /// Words and punctuation marks: an estimate that needs no vocabulary.
    #[value(name = "word-punctuation", alias = "estimate")]
    WordPunctuation,
    /// The vocabulary of GPT-4.
    #[value(name = "cl100k_base", alias = "cl100k")]
    Cl100kBase,
    /// The vocabulary of GPT-4o and later.
    #[value(name = "o200k_base", alias = "o200k")]
    O200kBase,
    /// An estimate for Claude Opus 4.7: 1.35 × cl100k. `stats` and `scorecard` take exact counts with --counts.
    #[value(name = "claude-opus-4.7", alias = "opus47")]
    ClaudeOpus47,
}

impl Counter {
    /// Those that count by themselves.
    pub(crate) const OWN: [Counter; 3] =
        [Counter::WordPunctuation, Counter::Cl100kBase, Counter::O200kBase];

    /// Its name, as people type it.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Counter::WordPunctuation => "word-punctuation",
            Counter::Cl100kBase => "cl100k_base",
            Counter::O200kBase => "o200k_base",
            Counter::ClaudeOpus47 => "claude-opus-4.7",
        }
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

    /// The lengths in bytes of the tokens that `text` is cut into, in order; those of an estimate are those of the vocabulary
    /// that it is made from. Together they are the text, but for white space with the word-and-punctuation estimate, whose
    /// lengths come with where each begins.
    pub(crate) fn pieces(self, text: &str) -> Vec<(usize, usize)> {
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

/// A number of tokens, and whether it was counted or estimated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tokens {
    pub(crate) count: usize,
    pub(crate) estimated: bool,
}

/// Estimates have a mark: `≈ 317`.
impl fmt::Display for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.estimated {
            f.write_str("≈ ")?;
        }
        write!(f, "{}", self.count)
    }
}

/// Counters, and the exact counts of a file for those that only estimate.
#[derive(Default)]
pub(crate) struct Tally {
    exact: HashMap<Counter, HashMap<String, usize>>,
}

/// The file of exact counts: by the name of a counter, and by the SHA-256 of a text, in 64 lowercase hexadecimal digits.
#[derive(Deserialize)]
#[serde(transparent)]
struct CountsFile(HashMap<String, HashMap<String, usize>>);

impl Tally {
    /// With the counts of a file, if there is one.
    pub(crate) fn with_counts(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path else { return Ok(Tally::default()) };
        let input = Input::read(path)?;
        let CountsFile(counters) = serde_json::from_slice(&input.bytes)
            .map_err(|error| input.refused(wire_registry::json::error(&input.bytes, &error)))?;
        let mut exact = HashMap::new();
        for (name, counts) in counters {
            let counter = Counter::from_str(&name, false).map_err(|_| {
                let known: Vec<&str> =
                    Counter::value_variants().iter().map(|counter| counter.as_str()).collect();
                let message = format!(
                    "{} counts by {name:?}, expected one of: {}",
                    input.name,
                    known.join(", ")
                );
                Failure::Usage { message }
            })?;
            exact.insert(counter, counts);
        }
        Ok(Tally { exact })
    }

    /// The tokens of a text.
    pub(crate) fn tokens(&self, counter: Counter, text: &str) -> Tokens {
        let known = self.exact.get(&counter).and_then(|counts| counts.get(&digest(text)));
        match known {
            Some(&count) => Tokens { count, estimated: false },
            None => {
                Tokens { count: counter.count(text), estimated: counter == Counter::ClaudeOpus47 }
            }
        }
    }
}

/// The key of a text in the file of counts.
pub(crate) fn digest(text: &str) -> String {
    use std::fmt::Write as _;
    Sha256::digest(text).iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
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

    #[test]
    fn digests_are_those_of_sha_256() {
        assert_eq!(
            digest("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
