//! The text that is sent, and the answers that are right.

use std::sync::Arc;

use serde_json::Value;
use wire_core::Payload;

use crate::generation;
use crate::log::{Judged, Key};
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
pub(crate) enum Judge {
    Question { truth: Truth, context: Arc<Context> },
    Payload(Arc<Payload<'static>>),
}

impl Prompt {
    pub(super) fn judged(&self, answer: &str) -> Judged {
        self.judge.judged(&self.key.arm, answer)
    }

    pub(super) fn expected(&self) -> Option<String> {
        self.judge.expected()
    }
}

impl Judge {
    /// The right answer of a question.
    pub(crate) fn expected(&self) -> Option<String> {
        match self {
            Judge::Question { truth, .. } => Some(truth.answer()),
            Judge::Payload(_) => None,
        }
    }

    /// Returns `true` if an answer in an arm is right.
    pub(crate) fn judged(&self, arm: &str, answer: &str) -> Judged {
        match self {
            Judge::Question { truth, context } => {
                let Score { exact, lenient } = score(truth, context, answer);
                Judged::Score { exact, lenient }
            }
            Judge::Payload(wanted) => Judged::Written(generation::compare(arm, wanted, answer)),
        }
    }
}
