//! OpenCode: table `part` of `opencode.db` since version 1.2, and before that a file for each part.
//! The parts have what the model saw, after hooks and cuts.

use std::path::Path;

use serde_json::Value;

use crate::audit::bill::Usage;
use crate::audit::call::{Call, ToolResult};
use crate::audit::read::reader::Reader;
#[cfg(feature = "sqlite")]
use crate::audit::read::sqlite;
use crate::audit::session::Session;

/// Its own tools, by its documentation: names of others begin with a server.
const OWN: [&str; 5] = ["apply_patch", "plan_enter", "plan_exit", "todo_read", "todo_write"];

pub(crate) const READER: Reader = Reader {
    // Its messages have no results: a file of one is read, and has none.
    records: |document| document.members.session_id.as_ref().map(|_| vec![document.whole]),
    ..Reader::new("opencode", |record, session| {
        session.is_part = true;
        part("", record, session);
    })
};

/// A part of a conversation.
fn part(conversation: &str, part: &Value, session: &mut Session<'_>) {
    match part["type"].as_str() {
        // Steps, their tokens and compactions are stated in anomalyco/opencode's source.
        Some("step-start") => session.asked(conversation, None, Usage::default()),
        Some("step-finish") => {
            let prompt = ["/input", "/cache/read", "/cache/write"];
            let usage = Usage::of(&part["tokens"], &prompt, prompt[1], prompt[2]);
            session.used(conversation, usage);
        }
        Some("compaction") => session.compacted(conversation),
        Some("tool") => tool(conversation, part, session),
        _ => {}
    }
}

fn tool(conversation: &str, part: &Value, session: &mut Session<'_>) {
    let (name, state) = (part["tool"].as_str().unwrap_or_default(), &part["state"]);
    let is_failed = state["status"] == "error";
    if !is_failed && state["status"] != "completed" {
        return;
    }
    let text = if is_failed { &state["error"] } else { &state["output"] };
    let Some(text) = text.as_str() else {
        session.odd();
        return;
    };
    let call = if OWN.contains(&name) {
        Call::own(name, &state["input"])
    } else {
        Call::split(name, "", "_", &state["input"])
    };
    let metadata = &state["metadata"];
    let result = ToolResult {
        seen: vec![text.into()],
        is_failed: is_failed || metadata["exit"].as_i64().is_some_and(|code| code != 0),
        is_cut: metadata["truncated"] == true,
        ..ToolResult::default()
    };
    session.result(conversation, &part["callID"], Some(call), &result);
}

/// Reads the parts of a database; `read` is told how many bytes each has. The error is why not all
/// of it was read.
#[cfg(feature = "sqlite")]
pub(crate) fn database(
    path: &Path,
    session: &mut Session<'_>,
    mut read: impl FnMut(usize),
) -> Result<(), String> {
    let parts = sqlite::open(path).and_then(|database| {
        if let Some(version) = sqlite::version(&database) {
            session.version(&version.into());
        }
        sqlite::parts(&database, |conversation, data| {
            read(data.len());
            match serde_json::from_slice(data) {
                Ok(own) => part(conversation, &own, session),
                Err(_) => session.broken(),
            }
        })
    });
    parts.map_err(|error| match error.sqlite_error_code() {
        Some(code) => format!("a database that can't be read: {code:?}"),
        None => "a database of an unknown shape".to_owned(),
    })
}

#[cfg(not(feature = "sqlite"))]
pub(crate) fn database(_: &Path, _: &mut Session<'_>, _: impl FnMut(usize)) -> Result<(), String> {
    Err("a database, which this program was built without the feature `sqlite` to read".to_owned())
}
