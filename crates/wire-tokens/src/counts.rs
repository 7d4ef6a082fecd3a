//! Exact counts of texts, for counters that only estimate.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use wire_core::TokenCounter;

use crate::Counter;

/// A number of tokens, and whether it was counted or estimated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tokens {
    /// The number of tokens.
    pub count: usize,
    /// `true` if the count is an estimate for a vocabulary that is not public.
    pub estimated: bool,
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

/// Exact counts by counter and text (ruling S1): the content of a file of counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts(BTreeMap<Counter, BTreeMap<String, usize>>);

/// The reason why a text is not a file of counts.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CountsError {
    /// It is not JSON, or does not have the form that [the crate page](crate) shows.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// It has counts of an unknown counter.
    #[error("it has counts of the unknown counter {name:?}, expected one of: {}", names().join(", "))]
    UnknownCounter {
        /// The name of the counter.
        name: String,
    },
    /// A key is not the SHA-256 of a text.
    #[error(
        "{counter} has a count for {key:?}, expected the SHA-256 of a text in 64 lowercase hexadecimal digits"
    )]
    NoDigest {
        /// The counter.
        counter: Counter,
        /// The key.
        key: String,
    },
}

fn names() -> Vec<&'static str> {
    Counter::ALL.iter().map(TokenCounter::name).collect()
}

impl Counts {
    /// Reads the text of a file of counts.
    ///
    /// # Errors
    ///
    /// [`CountsError`] when the text is not a file of counts.
    pub fn from_json(text: &[u8]) -> Result<Self, CountsError> {
        let counters: BTreeMap<String, BTreeMap<String, usize>> = serde_json::from_slice(text)?;
        let mut counts = Counts::default();
        for (name, texts) in counters {
            let counter = Counter::from_name(&name).ok_or(CountsError::UnknownCounter { name })?;
            let is_digest = |key: &String| {
                key.len() == 64 && key.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
            };
            if let Some(key) = texts.keys().find(|key| !is_digest(key)) {
                return Err(CountsError::NoDigest { counter, key: key.clone() });
            }
            counts.0.entry(counter).or_default().extend(texts);
        }
        Ok(counts)
    }

    /// The text of a file with these counts, sorted by counter and by digest.
    pub fn to_json(&self) -> String {
        let texts = |texts: &BTreeMap<String, usize>| -> Value {
            texts
                .iter()
                .map(|(key, count)| (key.clone(), (*count).into()))
                .collect::<Map<_, _>>()
                .into()
        };
        let counters: Map<String, Value> =
            self.0.iter().map(|(counter, of)| (counter.name().to_owned(), texts(of))).collect();
        format!("{:#}\n", Value::Object(counters))
    }

    /// Notes the exact count of a text.
    pub fn insert(&mut self, counter: Counter, text: &str, count: usize) {
        self.0.entry(counter).or_default().insert(digest(text), count);
    }

    /// The exact count of a text, if it is known.
    pub fn exact(&self, counter: Counter, text: &str) -> Option<usize> {
        self.0.get(&counter)?.get(&digest(text)).copied()
    }

    /// The tokens of a text: the exact count where it is known, else the counter's own count.
    pub fn tokens(&self, counter: Counter, text: &str) -> Tokens {
        match self.exact(counter, text) {
            Some(count) => Tokens { count, estimated: false },
            None => {
                Tokens { count: counter.count(text), estimated: counter.is_of_private_vocabulary() }
            }
        }
    }
}

/// The key of a text in a file of counts: its SHA-256 in 64 lowercase hexadecimal digits.
pub fn digest(text: &str) -> String {
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
    fn digests_are_those_of_sha_256() {
        assert_eq!(
            digest("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn files_come_back() {
        let mut counts = Counts::default();
        counts.insert(Counter::ClaudeOpus47, "abc", 3);
        counts.insert(Counter::Cl100kBase, "abc", 1);
        let text = counts.to_json();
        assert_eq!(Counts::from_json(text.as_bytes()).unwrap(), counts);
        assert_eq!(
            counts.tokens(Counter::ClaudeOpus47, "abc"),
            Tokens { count: 3, estimated: false }
        );
        assert!(counts.tokens(Counter::ClaudeOpus47, "abd").estimated);
        assert!(!counts.tokens(Counter::O200kBase, "abc").estimated);
    }

    #[test]
    fn what_is_no_file_of_counts() {
        for (text, says) in [
            ("[]", "expected a map"),
            (
                r#"{"gpt": {}}"#,
                "counts of the unknown counter \"gpt\", expected one of: runs, word-punctuation",
            ),
            (r#"{"opus47": {"abc": 1}}"#, "claude-opus-4.7 has a count for \"abc\""),
            (r#"{"cl100k_base": {"abc": -1}}"#, "invalid value"),
        ] {
            let error = Counts::from_json(text.as_bytes()).unwrap_err().to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
