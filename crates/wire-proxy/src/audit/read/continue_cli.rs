//! Continue CLI: `sessions/ID.json`, whose `history` has what the model saw. It has no prompts.

use serde_json::Value;

use crate::audit::bill::Usage;
use crate::audit::call::{Call, ToolResult, arguments};
use crate::audit::read::reader::Reader;
use crate::audit::read::texts::{items, texts};
use crate::audit::session::Session;

/// Its own tools, by the CLI's documentation; tools of servers have no prefix.
const OWN: [&str; 14] = [
    "Read",
    "Edit",
    "MultiEdit",
    "Write",
    "List",
    "Bash",
    "Search",
    "Fetch",
    "Checklist",
    "Diff",
    "Exit",
    "Status",
    "UploadArtifact",
    "AskQuestion",
];

pub(crate) const READER: Reader = Reader {
    records: |document| document.members.history.clone(),
    ..Reader::new("continue", record)
};

fn record(item: &Value, session: &mut Session<'_>) {
    let message = &item["message"];
    if message["role"] == "assistant" {
        session.asked("", None, Usage::default());
    }
    // The whole message stands for its texts and calls.
    session.text("", &message.to_string());
    for state in items(&item["toolCallStates"]) {
        let function = &state["toolCall"]["function"];
        let name = function["name"].as_str().unwrap_or_default();
        let call = if OWN.contains(&name) || name.starts_with("builtin_") {
            Call::own(name, &Value::Null)
        } else {
            Call::mcp(name, "", name, &arguments(&function["arguments"]))
        };
        // A call without an output has not ended.
        for output in items(&state["output"]) {
            let Some(text) = output["content"].as_str() else {
                session.odd();
                continue;
            };
            let blocks: Option<Value> = serde_json::from_str(text).ok();
            let blocks = blocks.as_ref().filter(|blocks| blocks.is_array()).and_then(texts);
            let is_failed = state["status"] == "errored" || state["status"] == "canceled";
            let seen = vec![text.into()];
            let result = ToolResult { seen, blocks, is_failed, ..ToolResult::default() };
            session.result("", &state["toolCallId"], Some(call.clone()), &result);
        }
    }
}
