//! What a backend is, what it replies, and why it does not.

use std::time::Duration;

/// An answer, and what it cost.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Reply {
    pub(crate) text: String,
    /// The model that answered, as the provider calls it.
    pub(crate) model: Option<String>,
    pub(crate) input_tokens: Option<u64>,
    pub(crate) output_tokens: Option<u64>,
    /// Whether it ends where the provider stopped it.
    pub(crate) is_cut: bool,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Problem {
    /// It may be there the next time, not before `after`.
    Passing { message: String, after: Option<Duration> },
    /// Not to this prompt.
    Refused(String),
    /// Not to any prompt: the key is wrong, there is no such model.
    Hopeless(String),
}

impl Problem {
    /// What there is to say.
    pub(crate) fn message(&self) -> &str {
        match self {
            Problem::Passing { message, .. }
            | Problem::Refused(message)
            | Problem::Hopeless(message) => message,
        }
    }
}

/// Something that answers prompts.
pub(crate) trait Backend: Send + Sync {
    /// The answer to a prompt. `attempt` counts from 1.
    fn ask(&self, prompt: &str, attempt: u32) -> Result<Reply, Problem>;
}
