//! What the reader of a client's sessions does.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::audit::session::Session;

/// The reader of a client's sessions.
pub(crate) struct Reader {
    /// The client's name in the table of agents.
    pub(crate) agent: &'static str,
    /// Returns `true` for a line of a session that only this client writes.
    pub(crate) is_line: fn(&Value) -> bool,
    /// The records of a file that is one JSON value, if it is this client's.
    pub(crate) records: for<'a> fn(&Document<'a>) -> Option<Vec<&'a RawValue>>,
    pub(crate) read: fn(&Value, &mut Session<'_>),
    /// `true` if it writes a line again when it changes: of lines with the same `id`, the last one
    /// counts.
    pub(crate) repeats_lines: bool,
}

impl Reader {
    /// A reader of a client that writes neither lines nor documents of its own, and no line again.
    pub(crate) const fn new(agent: &'static str, read: fn(&Value, &mut Session<'_>)) -> Self {
        Reader { agent, is_line: |_| false, records: |_| None, read, repeats_lines: false }
    }
}

/// The members that tell the clients of files that are one JSON value.
pub(crate) struct Document<'a> {
    /// All of it.
    pub(crate) whole: &'a RawValue,
    pub(crate) members: Members<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Members<'a> {
    #[serde(borrow)]
    pub(crate) messages: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    pub(crate) history: Option<Vec<&'a RawValue>>,
    pub(crate) project_hash: Option<IgnoredAny>,
    #[serde(rename = "sessionID")]
    pub(crate) session_id: Option<IgnoredAny>,
}

impl<'a> Document<'a> {
    /// Reads a file's text. A list is one of messages.
    pub(crate) fn parse(text: &'a [u8]) -> serde_json::Result<Self> {
        let whole: &RawValue = serde_json::from_slice(text)?;
        let members = if text.starts_with(b"[") {
            Members { messages: serde_json::from_str(whole.get())?, ..Members::default() }
        } else {
            serde_json::from_str(whole.get())?
        };
        Ok(Document { whole, members })
    }
}
