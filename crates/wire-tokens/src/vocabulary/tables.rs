//! The vocabularies of `bpe-openai`, with tables that were made when it was built.

use bpe_openai::Tokenizer;

/// A vocabulary.
#[derive(Clone, Copy)]
pub(crate) struct Vocabulary(&'static Tokenizer);

impl Vocabulary {
    pub(crate) fn cl100k() -> Self {
        Vocabulary(bpe_openai::cl100k_base())
    }

    pub(crate) fn o200k() -> Self {
        Vocabulary(bpe_openai::o200k_base())
    }

    /// The parts of a text, each of which is encoded by itself.
    pub(crate) fn split(self, text: &str) -> impl Iterator<Item = &str> {
        self.0.split(text)
    }

    /// The number of tokens of a part.
    pub(crate) fn count(self, part: &[u8]) -> usize {
        self.0.bpe.count(part)
    }

    /// Replaces `lengths` by the bytes of each token of a part.
    pub(crate) fn lengths(self, part: &[u8], lengths: &mut Vec<u8>) {
        let length = |token| {
            let length = self.0.bpe.token_len(token);
            u8::try_from(length).expect("because no token has 256 bytes")
        };
        lengths.clear();
        lengths.extend(self.0.bpe.encode_via_backtracking(part).into_iter().map(length));
    }

    /// Bytes of its longest token.
    #[cfg(test)]
    pub(crate) fn longest(self) -> usize {
        let tokens = u32::try_from(self.0.bpe.num_tokens()).unwrap();
        (0..tokens).map(|token| self.0.bpe.token_len(token)).max().unwrap()
    }
}
