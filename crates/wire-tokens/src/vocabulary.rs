//! Vocabularies: how a text is cut into parts, and the tokens of a part.
//!
//! The tokens of a part are found by merging: of all pairs of neighbours that together are a token,
//! the one of the lowest rank first, and of equal ones the first. For a part of n bytes this needs
//! n log n steps, and some hundred bytes of memory for each byte. So a part that would be longer than
//! [`LONGEST_PART`] is cut there, and the count of its text is an estimate.
//!
//! `build.rs` writes the tokens in the order of their ranks: for each a byte with its length, and
//! its bytes.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::LazyLock;

use regex_automata::meta::Regex;
use regex_automata::{Anchored, Input};
use rustc_hash::FxHashMap;

/// Bytes of the longest token of either vocabulary.
pub(crate) const LONGEST_TOKEN: usize = 128;

/// Bytes of the longest part: a run of one class, such as letters or spaces, that is longer is cut.
/// No word and no indentation is so long.
pub(crate) const LONGEST_PART: usize = 4096;

/// The two last patterns of both vocabularies: white space before other text leaves its last
/// character to it.
const SPACES: [&str; 2] = [r"\s+\s", r"\s+"];
/// The pattern of [`SPACES`] whose last character belongs to the next part.
const SPACE_BEFORE_TEXT: usize = 1;

static CL100K: LazyLock<Tokens> = LazyLock::new(|| {
    Tokens::new(
        include_bytes!(concat!(env!("OUT_DIR"), "/cl100k_base.tokens")),
        &[
            "(?i:'s|'t|'re|'ve|'m|'ll|'d)",
            r"[^\r\n\p{L}\p{N}]?\p{L}+",
            r"\p{N}{1,3}",
            r" ?[^\s\p{L}\p{N}]+[\r\n]*",
            r"\s*[\r\n]+",
            r"\s+$",
        ],
    )
});
static O200K: LazyLock<Tokens> = LazyLock::new(|| {
    Tokens::new(
        include_bytes!(concat!(env!("OUT_DIR"), "/o200k_base.tokens")),
        &[
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
            r"\p{N}{1,3}",
            r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
            r"\s*[\r\n]+",
            r"\s+$",
        ],
    )
});

/// A vocabulary.
#[derive(Clone, Copy)]
pub(crate) struct Vocabulary(&'static Tokens);

struct Tokens {
    /// The kind of a part.
    part: Regex,
    /// The rank of each token.
    ranks: FxHashMap<&'static [u8], u32>,
}

impl Tokens {
    /// The tokens of a list, and the pattern of parts.
    fn new(list: &'static [u8], pattern: &[&str]) -> Self {
        let mut ranks = FxHashMap::default();
        ranks.reserve(list.len() / 8);
        let mut rest = list;
        while let Some((&length, after)) = rest.split_first() {
            let (token, after) = after.split_at(usize::from(length));
            let rank = u32::try_from(ranks.len()).expect("because there are fewer tokens");
            ranks.insert(token, rank);
            rest = after;
        }
        let patterns = [&*pattern.join("|"), SPACES[0], SPACES[1]];
        Tokens { part: Regex::new_many(&patterns).expect("because a test compiles it"), ranks }
    }

    fn rank(&self, bytes: &[u8]) -> Option<u32> {
        self.ranks.get(bytes).copied()
    }
}

impl Vocabulary {
    pub(crate) fn cl100k() -> Self {
        Vocabulary(&CL100K)
    }

    pub(crate) fn o200k() -> Self {
        Vocabulary(&O200K)
    }

    /// The parts of a text, each of which is encoded by itself.
    pub(crate) fn split(self, text: &str) -> impl Iterator<Item = &str> {
        let mut at = 0;
        std::iter::from_fn(move || {
            let longest = text.len().min(at + LONGEST_PART);
            let end = (at..=longest).rev().find(|&end| text.is_char_boundary(end))?;
            let input = Input::new(text).range(at..end).anchored(Anchored::Yes);
            let found = self.0.part.find(input)?;
            let mut part = &text[found.range()];
            if found.pattern().as_usize() == SPACE_BEFORE_TEXT {
                let last = part.chars().next_back().map_or(0, char::len_utf8);
                part = &part[..part.len() - last];
            }
            at += part.len();
            Some(part)
        })
    }

    /// The number of tokens of a part.
    pub(crate) fn count(self, part: &[u8]) -> usize {
        if part.is_empty() || self.0.rank(part).is_some() {
            return usize::from(!part.is_empty());
        }
        let ends = self.merged(part);
        let mut tokens = 0;
        let mut at = 0;
        while at < part.len() {
            at = ends[at];
            tokens += 1;
        }
        tokens
    }

    /// Replaces `lengths` by the bytes of each token of a part.
    pub(crate) fn lengths(self, part: &[u8], lengths: &mut Vec<u8>) {
        lengths.clear();
        let ends = match self.0.rank(part) {
            Some(_) => Vec::new(),
            None => self.merged(part),
        };
        let mut at = 0;
        while at < part.len() {
            let end = ends.get(at).copied().unwrap_or(part.len());
            lengths.push(u8::try_from(end - at).expect("because no token has 256 bytes"));
            at = end;
        }
    }

    /// For each byte at which a token begins, the end of this token. The values of all other bytes
    /// have no meaning.
    fn merged(self, part: &[u8]) -> Vec<usize> {
        const NONE: usize = usize::MAX;
        let mut ends: Vec<usize> = (1..=part.len()).collect();
        let mut before: Vec<usize> =
            (0..part.len()).map(|at| at.checked_sub(1).unwrap_or(NONE)).collect();
        let mut pairs = BinaryHeap::new();
        let pair = |start: usize, middle: usize, ends: &[usize]| {
            let end = *ends.get(middle)?;
            Some(Reverse((self.0.rank(&part[start..end])?, start, middle, end)))
        };
        pairs.extend((1..part.len()).filter_map(|middle| pair(middle - 1, middle, &ends)));
        while let Some(Reverse((_, start, middle, end))) = pairs.pop() {
            // One of them has become a part of another token.
            if ends[start] != middle || ends[middle] != end {
                continue;
            }
            ends[start] = end;
            ends[middle] = NONE;
            if let Some(after) = before.get_mut(end) {
                *after = start;
            }
            pairs.extend(pair(start, end, &ends));
            if before[start] != NONE {
                pairs.extend(pair(before[start], start, &ends));
            }
        }
        ends
    }

    /// Bytes of its longest token.
    #[cfg(test)]
    pub(crate) fn longest(self) -> usize {
        self.0.ranks.keys().map(|token| token.len()).max().unwrap()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_token_is_longer_than_the_bound() {
        for vocabulary in [Vocabulary::cl100k(), Vocabulary::o200k()] {
            assert_eq!(vocabulary.longest(), LONGEST_TOKEN);
        }
    }

    #[test]
    fn lengths_are_those_of_what_is_counted() {
        for vocabulary in [Vocabulary::cl100k(), Vocabulary::o200k()] {
            for part in
                ["", "a", "tokens", " antidisestablishmentarianism", "\u{1F9FF}字", "zzzzzqqqqq"]
            {
                let mut lengths = vec![1];
                vocabulary.lengths(part.as_bytes(), &mut lengths);
                assert_eq!(lengths.len(), vocabulary.count(part.as_bytes()), "{part:?}");
                let bytes: usize = lengths.iter().copied().map(usize::from).sum();
                assert_eq!(bytes, part.len());
            }
        }
    }
}
