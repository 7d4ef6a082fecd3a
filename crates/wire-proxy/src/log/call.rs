//! A call as a line of the file of statistics.

use serde::{Deserialize, Serialize};
use wire_mcp::{CallRecord, Tokens};

/// A call as a line of the file.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
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
    pub(crate) unwrapped: bool,
    #[serde(default)]
    pub(crate) repr: bool,
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
            content: call.content,
            structured: call.structured,
            both: call.structured.map(|_| call.both()),
            shown: call.view,
            unwrapped: call.unwrapped,
            repr: call.repr,
            merged: call.merged,
            dropped: call.dropped,
            milliseconds: (milliseconds * 1000.0).round() / 1000.0,
        }
    }
}
