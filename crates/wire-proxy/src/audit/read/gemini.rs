//! Gemini CLI: `tmp/PROJECT/chats/session-….jsonl`, and one object with `messages` before version
//! 0.38. `result` is what the model saw, and `resultDisplay` the uncut result.

use std::borrow::Cow;

use serde_json::Value;

use crate::audit::bill::Usage;
use crate::audit::call::{Call, ToolResult};
use crate::audit::read::reader::Reader;
use crate::audit::read::texts::items;
use crate::audit::session::Session;

const OPENING: &str = "<untrusted_context>\n";
const BETWEEN: &str = "\n</untrusted_context>\n<untrusted_context>\n";
const CLOSING: &str = "\n</untrusted_context>";

pub(crate) const READER: Reader = Reader {
    is_line: |line| {
        let has = |name: &str| line.get(name).is_some();
        has("$set") || has("projectHash") || line["type"] == "gemini" && has("id")
    },
    records: |document| {
        let messages = document.members.messages.clone();
        messages.filter(|_| document.members.project_hash.is_some())
    },
    repeats_lines: true,
    ..Reader::new("gemini", record)
};

fn record(message: &Value, session: &mut Session<'_>) {
    if message["type"] != "gemini" {
        return;
    }
    let usage = Usage::of(&message["tokens"], &["/input"], "/cached", "");
    session.asked("", None, usage);
    for call in items(&message["toolCalls"]) {
        let name = call["name"].as_str().unwrap_or_default();
        let own = Call::split(name, "mcp_", "_", &call["args"]);
        let responses = items(&call["result"]).map(|part| &part["functionResponse"]["response"]);
        let outputs: Vec<&str> =
            responses.clone().filter_map(|response| response["output"].as_str()).collect();
        let errors: Vec<&str> =
            responses.filter_map(|response| response["error"].as_str()).collect();
        let is_failed = call["status"] == "error" || !errors.is_empty();
        if outputs.is_empty() && errors.is_empty() {
            if call["status"] == "success" {
                session.odd();
            }
            continue;
        }
        let result = ToolResult {
            blocks: Some(outputs.iter().flat_map(|output| blocks(output)).collect()),
            seen: outputs.into_iter().chain(errors).map(Cow::from).collect(),
            is_failed,
            ..ToolResult::default()
        };
        session.result("", &call["id"], Some(own), &result);
    }
}

/// The blocks of a text that has each between tags.
fn blocks(output: &str) -> Vec<Cow<'_, str>> {
    let inside = output.strip_prefix(OPENING).and_then(|rest| rest.strip_suffix(CLOSING));
    inside.map_or_else(|| vec![output.into()], |rest| rest.split(BETWEEN).map(Cow::from).collect())
}
