//! The text that is sent, and the answers that are right.

use std::sync::Arc;

use serde_json::Value;

use crate::log::Key;
use crate::prompt::Sent;
use crate::question::{Context, Score, Truth, score};

/// A prompt, and how its answers are judged.
pub(crate) struct Prompt {
    pub(crate) key: Key,
    pub(crate) family: &'static str,
    pub(crate) size: usize,
    pub(crate) sent: Arc<Sent>,
    pub(crate) judge: Judge,
    /// The answer that a file gives, if the question is of one.
    pub(crate) given: Option<Value>,
}

/// The judge of an answer.
pub(crate) struct Judge {
    pub(crate) truth: Truth,
    pub(crate) context: Arc<Context>,
}

impl Prompt {
    /// Its digest, and the answer that a file gives.
    pub(super) fn known(&self) -> Option<(String, Truth)> {
        Some((self.sent.sha256.clone(), Truth::given(self.given.as_ref()?).ok()?))
    }
}

impl Judge {
    pub(crate) fn score(&self, answer: &str) -> Score {
        score(&self.truth, &self.context, answer)
    }
}
