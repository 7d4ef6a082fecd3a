//! What is sent, and what makes an answer right.

use std::sync::Arc;

use wire_core::Payload;

use crate::generation;
use crate::log::{Judged, Key};
use crate::question::{Context, Score, Truth, score};

/// A prompt, and how its answers are judged.
pub(crate) struct Prompt {
    pub(crate) key: Key,
    pub(crate) family: &'static str,
    pub(crate) size: usize,
    pub(crate) text: Arc<str>,
    pub(crate) judge: Judge,
}

/// What makes an answer right.
pub(crate) enum Judge {
    Question { truth: Truth, context: Arc<Context> },
    Payload(Arc<Payload<'static>>),
}

impl Prompt {
    pub(super) fn judged(&self, answer: &str) -> Judged {
        match &self.judge {
            Judge::Question { truth, context } => {
                let Score { exact, lenient } = score(truth, context, answer);
                Judged::Score { exact, lenient }
            }
            Judge::Payload(wanted) => {
                Judged::Written(generation::compare(&self.key.arm, wanted, answer))
            }
        }
    }

    pub(super) fn expected(&self) -> Option<String> {
        match &self.judge {
            Judge::Question { truth, .. } => Some(truth.answer()),
            Judge::Payload(_) => None,
        }
    }
}
