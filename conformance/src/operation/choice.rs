//! Cases about the choice of the smallest form, and of the estimate of tokens that it goes by.

use serde::Deserialize;

use crate::verdict::{Verdict, same};

/// A text, and its tokens by the estimate of runs.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Estimate {
    /// What is counted.
    pub came: String,
    /// The tokens to get.
    pub tokens: usize,
}

/// A text that a tool gave, and what is sent of it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choose {
    /// What the tool gave.
    pub came: String,
    /// What is sent.
    pub sent: String,
}

/// How an implementation estimates and chooses.
pub trait Choices {
    /// The tokens of a text by the estimate of runs.
    fn estimate(&self, text: &str) -> usize;

    /// What is sent of a text of a tool that has no name, by that estimate.
    fn choose(&self, came: &str) -> String;
}

/// The text has so many tokens.
pub(crate) fn estimates(subject: &dyn Choices, case: &Estimate) -> Verdict {
    same(&subject.estimate(&case.came), &case.tokens)
}

/// The text is sent so, and stays so when it comes again.
pub(crate) fn chooses(subject: &dyn Choices, case: &Choose) -> Verdict {
    same(&subject.choose(&case.came), &case.sent)?;
    same(&subject.choose(&case.sent), &case.sent)
}
