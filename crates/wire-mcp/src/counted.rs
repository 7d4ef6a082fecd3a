//! A text and its tokens, which are counted at most once, and no further than they are needed.

use std::borrow::Cow;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use wire_core::TokenCounter;

use crate::json::quoted;

/// A text with what is known of its tokens.
#[derive(Debug)]
pub(crate) struct Counted<'a> {
    pub(crate) text: Cow<'a, str>,
    /// The most there are where they are not known.
    tokens: AtomicUsize,
    /// So many it has at least.
    least: AtomicUsize,
}

impl<'a> Counted<'a> {
    pub(crate) fn new(text: impl Into<Cow<'a, str>>) -> Self {
        Counted { text: text.into(), tokens: usize::MAX.into(), least: 0.into() }
    }

    /// The text as a string of JSON.
    pub(crate) fn quoted(text: &str) -> Self {
        Counted::new(quoted(text))
    }

    pub(crate) fn known(&self) -> Option<usize> {
        Some(self.tokens.load(Relaxed)).filter(|tokens| *tokens < usize::MAX)
    }

    pub(crate) fn tokens(&self, counter: &dyn TokenCounter) -> usize {
        let tokens = self.known().unwrap_or_else(|| counter.count(&self.text));
        self.remember(tokens);
        tokens
    }

    /// Keeps its tokens, which were counted elsewhere.
    pub(crate) fn remember(&self, tokens: usize) {
        self.tokens.store(tokens, Relaxed);
    }

    /// So many tokens it has at least, as is found fast and not far beyond `most`.
    pub(crate) fn at_least(&self, most: usize, counter: &dyn TokenCounter) -> usize {
        if self.least.load(Relaxed) <= most && self.known().is_none() {
            self.least.fetch_max(counter.lower_bound(&self.text, most), Relaxed);
        }
        self.known().unwrap_or_else(|| self.least.load(Relaxed))
    }

    /// Its tokens, if they are at most this many; else they are not counted to their end.
    pub(crate) fn up_to(&self, most: usize, counter: &dyn TokenCounter) -> Option<usize> {
        if let Some(tokens) = self.known() {
            return Some(tokens).filter(|tokens| *tokens <= most);
        }
        if self.least.load(Relaxed) > most {
            return None;
        }
        let tokens = counter.count_up_to(&self.text, most);
        match tokens {
            Some(tokens) => self.remember(tokens),
            None => drop(self.least.fetch_max(most.saturating_add(1), Relaxed)),
        }
        tokens
    }
}

/// Returns `true` if texts have at least this many tokens together.
pub(crate) fn cost<'c, 'a: 'c>(
    texts: impl IntoIterator<Item = &'c Counted<'a>>,
    tokens: usize,
    counter: &dyn TokenCounter,
) -> bool {
    let mut rest = tokens;
    for text in texts {
        let Some(fewer) = rest.checked_sub(1) else { return true };
        match text.up_to(fewer, counter) {
            None => return true,
            Some(tokens) => rest -= tokens,
        }
    }
    rest == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use wire_core::WordPunctuation;

    #[test]
    fn tokens_are_counted_as_far_as_they_are_needed() {
        let texts = ["a b c", "", "d"].map(Counted::new);
        for tokens in [0, 3, 4] {
            assert!(cost(&texts, tokens, &WordPunctuation), "{tokens}");
        }
        assert!(!cost(&texts, 5, &WordPunctuation));
        assert!(cost(&[], 0, &WordPunctuation) && !cost(&[], 1, &WordPunctuation));
        let text = Counted::new("a b c");
        assert!(text.at_least(9, &WordPunctuation) <= 3);
        assert_eq!(text.up_to(2, &WordPunctuation), None);
        assert_eq!(text.up_to(1, &WordPunctuation), None);
        assert_eq!(text.known(), None);
        assert_eq!(text.up_to(3, &WordPunctuation), Some(3));
        assert_eq!(text.known(), Some(3));
        assert_eq!(text.up_to(2, &WordPunctuation), None);
    }
}
