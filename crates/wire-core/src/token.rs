//! Counting tokens.

use std::ops::RangeInclusive;

/// Counts the tokens that a model uses for a text.
///
/// This library has only the deterministic estimate below. Vocabularies of models are large;
/// `wire-tokens` has them.
pub trait TokenCounter: Send + Sync {
    /// The counter's name, as `cl100k_base`.
    fn name(&self) -> &str;

    /// The number of tokens of `text`.
    fn count(&self, text: &str) -> usize;

    /// The fewest and the most tokens that a text of this many bytes can have. A caller need not
    /// count when the bounds decide. A vocabulary uses at most one token a byte, and at least one
    /// for each length of its longest token. The default is from 0 to any number.
    fn bounds(&self, bytes: usize) -> RangeInclusive<usize> {
        let _ = bytes;
        0..=usize::MAX
    }

    /// A number of tokens that `text` has at least, which is found much faster than it is counted. It
    /// is not looked for far beyond `most`. The default is that of the [bounds](Self::bounds).
    fn lower_bound(&self, text: &str, most: usize) -> usize {
        let _ = most;
        *self.bounds(text.len()).start()
    }

    /// The number of tokens of `text` if it is at most `most`, else `None`. When the smaller of two
    /// texts is wanted, the other need not be counted to its end. The default implementation does
    /// count it to its end.
    fn count_up_to(&self, text: &str, most: usize) -> Option<usize> {
        if *self.bounds(text.len()).start() > most {
            return None;
        }
        Some(self.count(text)).filter(|tokens| *tokens <= most)
    }
}

/// The word-and-punctuation estimate (ruling G2): a maximal run of `[A-Za-z0-9_.]` is one token,
/// and so is every other character that is not white space.
///
/// ```
/// use wire_core::{TokenCounter, WordPunctuation};
///
/// assert_eq!(WordPunctuation.count("@0<@4 calls\n"), 6);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WordPunctuation;

impl TokenCounter for WordPunctuation {
    fn name(&self) -> &'static str {
        "word-punctuation"
    }

    fn count(&self, text: &str) -> usize {
        let mut tokens = 0;
        let mut in_word = false;
        for c in text.chars() {
            let word = c.is_ascii_alphanumeric() || c == '_' || c == '.';
            if (word && !in_word) || (!word && !c.is_whitespace()) {
                tokens += 1;
            }
            in_word = word;
        }
        tokens
    }

    /// The longest token is the whole text, and white space has no tokens.
    fn bounds(&self, bytes: usize) -> RangeInclusive<usize> {
        0..=bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_punctuation() {
        for (text, tokens) in [
            ("", 0),
            (" \t\n\u{3000}", 0),
            ("a_b.c9", 1),
            ("a-b", 3),
            ("0.78 lsp_resolved", 2),
            ("größe", 4), // gr, ö, ß, e
            ("##", 2),
        ] {
            assert_eq!(WordPunctuation.count(text), tokens, "{text:?}");
        }
    }
}
