//! Vocabularies: how a text is cut into parts, and the tokens of a part.
//!
//! There are two forms of the same vocabularies, and both have the same interface. `tables` is fast
//! and large, and is the default; `ranks` is a feature for programs that have to be small.

#[cfg(feature = "compact")]
mod ranks;
#[cfg(not(feature = "compact"))]
mod tables;

#[cfg(feature = "compact")]
pub(crate) use self::ranks::Vocabulary;
#[cfg(not(feature = "compact"))]
pub(crate) use self::tables::Vocabulary;

/// Bytes of the longest token of either vocabulary.
pub(crate) const LONGEST_TOKEN: usize = 128;

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
