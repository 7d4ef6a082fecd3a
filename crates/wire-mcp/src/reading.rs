//! Facts about a text. Each is computed at most once, and only when it is needed.

use std::cell::OnceCell;

use wire_core::TokenCounter;

use crate::content::Text;
use crate::json::Json;

/// A text with its value and its tokens.
#[derive(Debug)]
pub(crate) struct Reading<'t> {
    pub(crate) text: &'t str,
    is_plain: bool,
    value: OnceCell<Option<Json<'t>>>,
    minified: OnceCell<String>,
    tokens: OnceCell<usize>,
    minified_tokens: OnceCell<usize>,
}

impl<'t> Reading<'t> {
    /// The reading of a block's text.
    pub(crate) fn new(text: &'t Text<'_>) -> Self {
        Reading {
            text: &text.value,
            is_plain: text.is_plain,
            value: OnceCell::new(),
            minified: OnceCell::new(),
            tokens: OnceCell::new(),
            minified_tokens: OnceCell::new(),
        }
    }

    /// Its value, if it is JSON.
    fn json(&self) -> Option<&Json<'t>> {
        self.value.get_or_init(|| Json::parse(self.text)).as_ref()
    }

    /// Its value, if it is an array or an object that may be rewritten.
    pub(crate) fn value(&self) -> Option<&Json<'t>> {
        let begins = self.text.trim_start_matches([' ', '\t', '\n', '\r']);
        if !self.is_plain || !begins.starts_with(['{', '[']) {
            return None;
        }
        self.json().filter(|value| !value.is_verbatim())
    }

    /// Whether it says the same as a value: it is the value's JSON, or the value is this text.
    pub(crate) fn says(&self, value: &Json<'_>) -> bool {
        match value {
            Json::String(text) if *text == self.text => true,
            value => self.json().is_some_and(|own| own == value),
        }
    }

    /// Its value as minified JSON, or the text if it has no value that may be rewritten.
    pub(crate) fn minified(&self) -> &str {
        match self.value() {
            Some(value) => self.minified.get_or_init(|| value.minified()),
            None => self.text,
        }
    }

    /// Its tokens as it came.
    pub(crate) fn tokens(&self, counter: &dyn TokenCounter) -> usize {
        *self.tokens.get_or_init(|| counter.count(self.text))
    }

    /// The tokens of the original text, if they are known.
    pub(crate) fn known_tokens(&self) -> Option<usize> {
        self.tokens.get().copied()
    }

    /// Keeps the tokens that it came with, which were counted elsewhere.
    pub(crate) fn remember(&self, tokens: usize) {
        self.tokens.get_or_init(|| tokens);
    }

    /// Its tokens as minified JSON.
    pub(crate) fn minified_tokens(&self, counter: &dyn TokenCounter) -> usize {
        *self.minified_tokens.get_or_init(|| match self.minified() {
            minified if minified == self.text => self.tokens(counter),
            minified => counter.count(minified),
        })
    }

    /// The tokens of minified JSON, if they are known.
    pub(crate) fn known_minified_tokens(&self) -> Option<usize> {
        self.minified_tokens.get().copied()
    }

    /// Whether it uses at least this many tokens, both unchanged and minified.
    pub(crate) fn costs(&self, tokens: usize, counter: &dyn TokenCounter) -> bool {
        costs(self.text, self.known_tokens(), tokens, counter)
            && (self.minified() == self.text
                || costs(self.minified(), self.known_minified_tokens(), tokens, counter))
    }
}

/// Whether a text, whose tokens may be known, uses at least this many. Counting stops at this
/// number.
pub(crate) fn costs(
    text: &str,
    known: Option<usize>,
    tokens: usize,
    counter: &dyn TokenCounter,
) -> bool {
    let Some(fewer) = tokens.checked_sub(1) else { return true };
    match known {
        Some(known) => known > fewer,
        None => counter.count_up_to(text, fewer).is_none(),
    }
}
