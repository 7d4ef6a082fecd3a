//! The trait of backends, their replies, and the reasons for missing replies.

use std::time::Duration;

use serde_json::{Value, json};

use crate::log::Token;
use crate::prompt::Sent;

/// An answer, and its tokens.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Reply {
    pub(crate) text: String,
    /// The model that answered, as the provider calls it.
    pub(crate) model: Option<String>,
    pub(crate) input_tokens: Option<u64>,
    pub(crate) output_tokens: Option<u64>,
    /// `true` if it ends where the provider stopped it.
    pub(crate) is_cut: bool,
}

/// The reasons for a missing answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Problem {
    /// A later request may succeed, but not before `after`.
    Passing { message: String, after: Option<Duration> },
    /// Nobody is at the address, which at the start is most likely wrong, and later may pass.
    Unreachable(String),
    /// Not to this prompt.
    Refused(String),
    /// No prompt will be answered: for example, the key is wrong, or the model does not exist.
    Hopeless(String),
}

impl Problem {
    /// How long to wait before the next attempt, if the provider says so.
    pub(crate) fn after(&self) -> Option<Duration> {
        match self {
            Problem::Passing { after, .. } => *after,
            _ => None,
        }
    }
}

/// Something that answers prompts.
pub(crate) trait Backend: Send + Sync {
    /// The answer to a prompt. `attempt` counts from 1.
    fn ask(&self, prompt: &Sent, attempt: u32) -> Result<Reply, Problem>;

    /// How likely each token of an answer is to the model. Only backends that can are asked.
    fn likelihood(&self, _: &Sent, _: &str) -> Result<Vec<Token>, Problem> {
        Err(Problem::Hopeless("it does not state how likely an answer is".to_owned()))
    }

    /// Returns `true` if the time until an answer says something of a model.
    fn takes_time(&self) -> bool {
        true
    }
}

/// The conversation as the messages of both protocols.
pub(super) fn messages(prompt: &Sent) -> Vec<Value> {
    let mut messages = Vec::new();
    for (text, answer) in prompt.turns() {
        messages.push(json!({ "role": "user", "content": text }));
        if let Some(answer) = answer {
            messages.push(json!({ "role": "assistant", "content": answer }));
        }
    }
    messages
}
