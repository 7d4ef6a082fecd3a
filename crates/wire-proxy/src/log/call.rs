//! A call, or what the primer added to a list of tools, as a line of the file of statistics.

use serde::{Deserialize, Serialize};
use wire_mcp::{CallRecord, PrimerRecord};

/// A call as a line of the file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Line {
    pub(crate) tool: String,
    #[serde(default)]
    pub(crate) client: Option<String>,
    /// The forms that texts were written in.
    #[serde(default)]
    pub(crate) formats: Vec<String>,
    /// The tokens for readers of `content`.
    pub(crate) content: Tokens,
    /// The tokens for readers of `structuredContent`.
    #[serde(default)]
    pub(crate) structured: Option<Tokens>,
    /// The tokens for clients that show both.
    #[serde(default)]
    pub(crate) both: Option<Tokens>,
    /// The tokens of what the client shows the model, if that is known.
    #[serde(default)]
    pub(crate) shown: Option<Tokens>,
    #[serde(default)]
    pub(crate) merged: bool,
    #[serde(default)]
    pub(crate) dropped: bool,
    /// The time that the proxy needed.
    #[serde(default)]
    pub(crate) milliseconds: f64,
}

impl Line {
    pub(crate) fn new(call: &CallRecord, milliseconds: f64) -> Self {
        Line {
            tool: call.tool.clone(),
            client: call.client.clone(),
            formats: call.formats.iter().map(|format| format.name().to_owned()).collect(),
            content: call.content.into(),
            structured: call.structured.map(Tokens::from),
            both: call.structured.map(|_| call.both().into()),
            shown: call.view.map(Tokens::from),
            merged: call.merged,
            dropped: call.dropped,
            milliseconds: (milliseconds * 1000.0).round() / 1000.0,
        }
    }
}

/// A list of tools that got the primer, as a line of the file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PrimerLine {
    pub(crate) primer: Added,
    #[serde(default)]
    pub(crate) client: Option<String>,
}

/// The tokens that were added to a list.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Added {
    /// The number of tools that got the sentence.
    pub(crate) tools: usize,
    /// Its tokens, for all of them.
    pub(crate) tokens: usize,
}

impl PrimerLine {
    pub(crate) fn new(primer: &PrimerRecord) -> Self {
        PrimerLine {
            primer: Added { tools: primer.tools, tokens: primer.tokens },
            client: primer.client.clone(),
        }
    }
}

/// Tokens of what a reader sees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tokens {
    pub(crate) came: usize,
    pub(crate) minified: usize,
    pub(crate) went: usize,
}

impl From<wire_mcp::Tokens> for Tokens {
    fn from(tokens: wire_mcp::Tokens) -> Self {
        Tokens { came: tokens.came, minified: tokens.minified, went: tokens.went }
    }
}
