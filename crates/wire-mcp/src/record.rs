//! The counts of a call (ruling M8), without contents and arguments.

use crate::Format;

/// Tokens of the part of a result that one reader sees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tokens {
    /// As the server sent it.
    pub came: usize,
    /// With JSON minified.
    pub minified: usize,
    /// As the client received it.
    pub went: usize,
}

impl Tokens {
    /// The sum of two counts.
    #[must_use]
    pub fn plus(self, other: Tokens) -> Tokens {
        Tokens {
            came: self.came + other.came,
            minified: self.minified + other.minified,
            went: self.went + other.went,
        }
    }
}

/// A list of tools whose descriptions got a sentence on the forms of results
/// ([`Options::primer`](crate::Options::primer)).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PrimerRecord {
    /// The client, if it said its name.
    pub client: Option<String>,
    /// The number of tools that got the sentence.
    pub tools: usize,
    /// The tokens that were added.
    pub tokens: usize,
}

/// A result of `tools/call`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallRecord {
    /// The tool.
    pub tool: String,
    /// The client, if it said its name.
    pub client: Option<String>,
    /// The forms of rewritten texts, each once; empty if no text was rewritten.
    pub formats: Vec<Format>,
    /// The tokens for readers of `content`: its texts.
    pub content: Tokens,
    /// The tokens for readers of `structuredContent`, if the result has it: itself, or the texts if
    /// it was dropped.
    pub structured: Option<Tokens>,
    /// The tokens of what the client shows the model, if that is known (ruling M10).
    pub view: Option<Tokens>,
    /// Whether several blocks were merged into one (ruling M4).
    pub merged: bool,
    /// Whether `structuredContent` was dropped (ruling M3).
    pub dropped: bool,
}

impl CallRecord {
    /// The tokens for clients that show the model both fields.
    pub fn both(&self) -> Tokens {
        match self.structured {
            None => self.content,
            Some(structured) if self.dropped => {
                Tokens { went: self.content.went, ..self.content.plus(structured) }
            }
            Some(structured) => self.content.plus(structured),
        }
    }
}
