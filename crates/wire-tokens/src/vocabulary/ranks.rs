//! The vocabularies as lists of their tokens in the order of their ranks, from which the tokens of
//! a part are found by merging: the pair of neighbours that is the token of the lowest rank first,
//! and of equal ones the first. For a part of n bytes this needs n log n steps.
//!
//! `build.rs` writes the lists: for each token a byte with its length, and its bytes.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::sync::LazyLock;

use bpe_openai::Tokenizer;
use bpe_openai::byte_pair_encoding::BytePairEncoding;

static CL100K: LazyLock<Ranks> = LazyLock::new(|| {
    Ranks::new(
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
static O200K: LazyLock<Ranks> = LazyLock::new(|| {
    Ranks::new(
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
pub(crate) struct Vocabulary(&'static Ranks);

struct Ranks {
    /// Cuts texts; it does not know the tokens.
    parts: Tokenizer,
    ranks: HashMap<&'static [u8], u32>,
}

impl Ranks {
    /// The tokens of a list, and the pattern of parts.
    fn new(list: &'static [u8], pattern: &[&str]) -> Self {
        let mut ranks = HashMap::new();
        let mut rest = list;
        while let Some((&length, after)) = rest.split_first() {
            let (token, after) = after.split_at(usize::from(length));
            let rank = u32::try_from(ranks.len()).expect("because there are fewer tokens");
            ranks.insert(token, rank);
            rest = after;
        }
        // White space before other text leaves its last character to it.
        let patterns = [(&*pattern.join("|"), false), (r"\s+\s", true), (r"\s+", false)];
        let bytes = BytePairEncoding::from_dictionary((0..=u8::MAX).map(|byte| vec![byte]), None);
        let parts = Tokenizer::new_lookahead(bytes, &patterns, false);
        Ranks { parts: parts.expect("because a test compiles the pattern"), ranks }
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
        self.0.parts.split(text)
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
