//! Counters: vocabularies that are compiled in, and estimates that are marked as such.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use wire_core::{Runs, TokenCounter, WordPunctuation};

use crate::parts;
use crate::recent::Recent;
use crate::vocabulary::{LONGEST_TOKEN, Vocabulary};

/// A counter of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Counter {
    /// Runs of characters (ruling X17): an estimate that needs no vocabulary.
    Runs,
    /// Words and punctuation marks (ruling G2): an estimate that needs no vocabulary.
    WordPunctuation,
    /// The vocabulary of GPT-4.
    Cl100kBase,
    /// The vocabulary of GPT-4o and later.
    O200kBase,
    /// An estimate for Claude Opus 4.7: 1.35 × cl100k, rounded half up.
    ClaudeOpus47,
}

/// A counter with its name, a shorter name, and a description.
type Row = (Counter, &'static str, &'static str, &'static str);

const TABLE: [Row; 5] = [
    (
        Counter::Runs,
        "runs",
        "estimate",
        "Runs of letters, digits and marks: an estimate that needs no vocabulary",
    ),
    (
        Counter::WordPunctuation,
        "word-punctuation",
        "words",
        "Words and punctuation marks: the formats' own estimate",
    ),
    (Counter::Cl100kBase, "cl100k_base", "cl100k", "The vocabulary of GPT-4"),
    (Counter::O200kBase, "o200k_base", "o200k", "The vocabulary of GPT-4o and later"),
    (
        Counter::ClaudeOpus47,
        "claude-opus-4.7",
        "opus47",
        "An estimate for Claude Opus 4.7: 1.35 × cl100k. A file of exact counts can replace it",
    ),
];

impl Counter {
    /// Every counter.
    pub const ALL: &'static [Counter] = &[
        Counter::Runs,
        Counter::WordPunctuation,
        Counter::Cl100kBase,
        Counter::O200kBase,
        Counter::ClaudeOpus47,
    ];
    /// The counters that count themselves, rather than estimate from another one.
    pub const OWN: &'static [Counter] =
        &[Counter::Runs, Counter::WordPunctuation, Counter::Cl100kBase, Counter::O200kBase];

    fn row(self) -> &'static Row {
        TABLE.iter().find(|row| row.0 == self).expect("because the table has every counter")
    }

    /// Its name, as `cl100k_base`.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// A shorter name, as `cl100k`.
    pub fn alias(self) -> &'static str {
        self.row().2
    }

    /// A short description.
    pub fn description(self) -> &'static str {
        self.row().3
    }

    /// The counter of this name or alias.
    pub fn from_name(name: &str) -> Option<Self> {
        TABLE.iter().find(|row| row.1 == name || row.2 == name).map(|row| row.0)
    }

    /// Returns `true` if its counts estimate those of a model whose vocabulary is not public.
    pub fn is_of_private_vocabulary(self) -> bool {
        self == Counter::ClaudeOpus47
    }

    /// The counter that needs no vocabulary, if it is one.
    fn without_vocabulary(self) -> Option<&'static dyn TokenCounter> {
        match self {
            Counter::Runs => Some(&Runs),
            Counter::WordPunctuation => Some(&WordPunctuation),
            _ => None,
        }
    }

    fn vocabulary(self) -> Option<Vocabulary> {
        match self {
            Counter::Runs | Counter::WordPunctuation => None,
            Counter::Cl100kBase | Counter::ClaudeOpus47 => Some(Vocabulary::cl100k()),
            Counter::O200kBase => Some(Vocabulary::o200k()),
        }
    }

    /// The tokens of `text`, in order: where each begins, and its length, both in bytes. An
    /// estimate returns the tokens of the vocabulary that it is based on, and none if there is no
    /// such vocabulary. Else they are together the whole text.
    ///
    /// ```
    /// use wire_tokens::Counter;
    ///
    /// let pieces: Vec<_> = Counter::O200kBase.pieces("go on").collect();
    /// assert_eq!(pieces, [(0, 2), (2, 3)]);
    /// ```
    pub fn pieces(self, text: &str) -> Box<dyn Iterator<Item = (usize, usize)> + '_> {
        let Some(vocabulary) = self.vocabulary() else { return Box::new(std::iter::empty()) };
        let mut parts = vocabulary.split(text);
        let mut recent = Recent::<Vec<u8>>::new(text.len());
        let (mut start, mut slot, mut index) = (0, 0, 0);
        let lengths = move |part: &[u8], lengths: &mut Vec<u8>| vocabulary.lengths(part, lengths);
        Box::new(std::iter::from_fn(move || {
            loop {
                if let Some(&length) = recent.found(slot).get(index) {
                    index += 1;
                    let piece = (start, usize::from(length));
                    start += piece.1;
                    return Some(piece);
                }
                (slot, index) = (recent.slot(parts.next()?, lengths), 0);
            }
        }))
    }

    /// The count of a text that has this number of [`Counter::pieces`]: the number itself, or the
    /// estimate based on it.
    fn of_pieces(self, pieces: usize) -> usize {
        if self == Counter::ClaudeOpus47 { inflated(pieces) } else { pieces }
    }
}

impl fmt::Display for Counter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Counter {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Counter::from_name(name).ok_or_else(|| {
            let known: Vec<&str> = Counter::ALL.iter().map(TokenCounter::name).collect();
            format!("{name:?} is not a counter, expected one of: {}", known.join(", "))
        })
    }
}

impl TokenCounter for Counter {
    fn name(&self) -> &str {
        Counter::name(*self)
    }

    fn is_estimate(&self) -> bool {
        !matches!(self, Counter::Cl100kBase | Counter::O200kBase)
    }

    fn count(&self, text: &str) -> usize {
        self.count_up_to(text, usize::MAX).expect("because no text has more")
    }

    fn count_up_to(&self, text: &str, most: usize) -> Option<usize> {
        if let Some(counter) = self.without_vocabulary() {
            return counter.count_up_to(text, most);
        }
        let vocabulary = self.vocabulary().expect("because it counts by one");
        if self.lower_bound(text, most) > most {
            return None;
        }
        let mut recent = Recent::<usize>::new(text.len());
        let mut tokens = 0;
        for part in vocabulary.split(text) {
            let slot = recent.slot(part, |part, tokens| *tokens = vocabulary.count(part));
            tokens += recent.found(slot);
            if self.of_pieces(tokens) > most {
                return None;
            }
        }
        Some(self.of_pieces(tokens))
    }

    fn lower_bound(&self, text: &str, most: usize) -> usize {
        let least = *self.bounds(text.len()).start();
        if least > most || self.vocabulary().is_none() {
            return least;
        }
        least.max(self.of_pieces(parts::fewest(text, most)))
    }

    fn bounds(&self, bytes: usize) -> RangeInclusive<usize> {
        match self.without_vocabulary() {
            Some(counter) => counter.bounds(bytes),
            None => self.of_pieces(bytes.div_ceil(LONGEST_TOKEN))..=self.of_pieces(bytes),
        }
    }
}

/// 1.35 times as many, rounded half up (ruling S1).
fn inflated(tokens: usize) -> usize {
    tokens.saturating_mul(135).saturating_add(50) / 100
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vocabularies_count() {
        // Known counts of the published vocabularies.
        for (counter, tokens) in [
            (Counter::Runs, 4),
            (Counter::WordPunctuation, 4),
            (Counter::Cl100kBase, 6),
            (Counter::O200kBase, 6),
        ] {
            assert_eq!(counter.count("tiktoken is great!"), tokens, "{counter}");
        }
        assert_eq!(Counter::ClaudeOpus47.count("tiktoken is great!"), 8);
        assert_eq!([inflated(0), inflated(1), inflated(10), inflated(100)], [0, 1, 14, 135]);
    }

    #[test]
    fn every_counter_has_its_names() {
        for counter in Counter::ALL.iter().copied() {
            assert_eq!(Counter::from_name(counter.name()), Some(counter));
            assert_eq!(counter.alias().parse(), Ok(counter));
        }
        assert_eq!(
            "gpt".parse::<Counter>(),
            Err("\"gpt\" is not a counter, expected one of: runs, word-punctuation, cl100k_base, o200k_base, claude-opus-4.7".to_owned())
        );
    }

    #[test]
    fn pieces_are_what_is_counted() {
        let text = "@0 fn größe.b 0.78\n\t漢字 \"x\": [1, 2]\n";
        for counter in [Counter::Cl100kBase, Counter::O200kBase, Counter::ClaudeOpus47] {
            let pieces: Vec<_> = counter.pieces(text).collect();
            assert_eq!(counter.of_pieces(pieces.len()), counter.count(text), "{counter}");
            assert!(pieces.is_sorted());
        }
        let (start, length) = Counter::Cl100kBase.pieces(text).last().unwrap();
        assert_eq!(start + length, text.len());
    }

    #[test]
    fn no_text_is_counted_further_than_asked() {
        for text in ["", "x", "tiktoken is great!", &"a-b 漢字 ".repeat(50)] {
            for counter in Counter::ALL {
                let count = counter.count(text);
                assert_eq!(counter.count_up_to(text, count), Some(count), "{counter} {text:?}");
                assert!(counter.lower_bound(text, usize::MAX) <= count, "{counter} {text:?}");
                for fewer in [count.checked_sub(1), count.checked_div(2).filter(|_| count > 1)] {
                    let fewer = fewer.and_then(|fewer| counter.count_up_to(text, fewer));
                    assert_eq!(fewer, None, "{counter} {text:?}");
                }
            }
        }
    }

    #[test]
    fn long_runs_are_counted_in_time() {
        for run in [" ", "a", "=", "\n", "字", "\u{301}", "7"] {
            let text = format!("x{}y", run.repeat(200_000));
            for counter in [Counter::Cl100kBase, Counter::O200kBase] {
                let count = counter.count(&text);
                assert!(counter.bounds(text.len()).contains(&count), "{counter} {run:?} {count}");
            }
        }
    }

    #[test]
    fn bounds_hold() {
        for text in
            ["", " ", "a", "字字", "\n\n\n", &" ".repeat(128), &" ".repeat(129), &"x1".repeat(99)]
        {
            for counter in Counter::ALL {
                let (count, bounds) = (counter.count(text), counter.bounds(text.len()));
                assert!(bounds.contains(&count), "{counter} {text:?} {count} {bounds:?}");
            }
        }
        assert_eq!(Counter::O200kBase.bounds(1_000), 8..=1_000);
        assert_eq!(Counter::ClaudeOpus47.bounds(1_000), 11..=1_350);
    }
}
