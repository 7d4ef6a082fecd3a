//! Claude Code: `projects/FOLDER/SESSION.jsonl`. The file has what the model saw, after hooks.

use serde_json::Value;

use crate::audit::bill::Usage;
use crate::audit::call::{Call, ToolResult};
use crate::audit::read::reader::Reader;
use crate::audit::read::texts::{items, texts};
use crate::audit::session::Session;

pub(crate) const READER: Reader = Reader {
    is_line: |line| {
        let is_of_session = line.get("uuid").is_some() && line.get("sessionId").is_some();
        is_of_session && line["message"].get("content").is_some()
    },
    ..Reader::new("claude-code", record)
};

fn record(line: &Value, session: &mut Session<'_>) {
    session.version(&line["version"]);
    let message = &line["message"];
    let side = if line["isSidechain"] == true { "side" } else { "" };
    let conversation = line["agentId"].as_str().unwrap_or(side);
    match line["type"].as_str() {
        Some("assistant") if message["model"] != "<synthetic>" => {
            // Each block of a response is a line, and repeats its usage.
            let request = ["requestId", "requestRef"].iter().find_map(|id| line[*id].as_str());
            let id = format!("{} {}", message["id"], request.unwrap_or_default());
            let prompt =
                ["/input_tokens", "/cache_creation_input_tokens", "/cache_read_input_tokens"];
            let usage = Usage::of(&message["usage"], &prompt, prompt[2], prompt[1]);
            session.asked(conversation, Some(&id), usage);
            for block in items(&message["content"]).filter(|block| block["type"] == "tool_use") {
                let name = block["name"].as_str().unwrap_or_default();
                let call = Call::split(name, "mcp__", "__", &block["input"]);
                session.call(&block["id"], call);
            }
        }
        Some("user") => {
            for block in items(&message["content"]).filter(|block| block["type"] == "tool_result") {
                let id = &block["tool_use_id"];
                let call = session.called(id);
                let Some(seen) = texts(&block["content"]) else {
                    session.odd();
                    continue;
                };
                let is_mcp = call.as_ref().is_some_and(|call| call.server.is_some());
                let starts = |start| seen.first().is_some_and(|text| text.starts_with(start));
                let is_cut = starts("<persisted-output>") || starts("Error: result (");
                let result = ToolResult {
                    // A text alone is `structuredContent`; texts of the server are blocks.
                    hides_texts: is_mcp && block["content"].is_string(),
                    is_failed: block["is_error"] == true,
                    is_cut,
                    seen,
                    ..ToolResult::default()
                };
                session.result(conversation, id, call, &result);
            }
        }
        // Stated in anthropics/claude-code#48740.
        Some("system") if line["subtype"] == "compact_boundary" => session.compacted(conversation),
        _ => {}
    }
}
