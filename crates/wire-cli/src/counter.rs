//! The token counters that a budget can be counted by.

use clap::ValueEnum;
use tiktoken_rs::CoreBPE;
use wire_core::{TokenCounter, WordPunctuation};

/// A counter, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum Counter {
    /// Words and punctuation marks: an estimate that needs no vocabulary.
    #[value(name = "word-punctuation")]
    WordPunctuation,
    /// The vocabulary of GPT-4.
    #[value(name = "cl100k_base")]
    Cl100kBase,
    /// The vocabulary of GPT-4o and later.
    #[value(name = "o200k_base")]
    O200kBase,
}

impl Counter {
    /// The counter itself; a vocabulary takes a moment to unpack.
    pub(crate) fn load(self) -> Box<dyn TokenCounter> {
        const SHIPPED: &str = "because the vocabulary is part of the program";
        match self {
            Counter::WordPunctuation => Box::new(WordPunctuation),
            Counter::Cl100kBase => Box::new(Vocabulary {
                name: "cl100k_base",
                bpe: tiktoken_rs::cl100k_base().expect(SHIPPED),
            }),
            Counter::O200kBase => Box::new(Vocabulary {
                name: "o200k_base",
                bpe: tiktoken_rs::o200k_base().expect(SHIPPED),
            }),
        }
    }
}

/// A vocabulary of byte pairs.
struct Vocabulary {
    name: &'static str,
    bpe: CoreBPE,
}

impl TokenCounter for Vocabulary {
    fn name(&self) -> &str {
        self.name
    }

    fn count(&self, text: &str) -> usize {
        self.bpe.encode_ordinary(text).len()
    }
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
            let counter = counter.load();
            assert_eq!(counter.count("tiktoken is great!"), tokens, "{}", counter.name());
        }
    }
}
