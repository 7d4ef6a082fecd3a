//! Copilot CLI: `session-state/ID/events.jsonl`. `result.content` is what the model saw, and
//! `detailedContent` what it was before a hook.

use std::borrow::Cow;

use serde_json::Value;

use crate::audit::bill::Usage;
use crate::audit::call::{Call, ToolResult};
use crate::audit::read::reader::Reader;
use crate::audit::session::Session;

pub(crate) const READER: Reader = Reader {
    is_line: |line| {
        line["data"].is_object() && line["type"].as_str().is_some_and(|kind| kind.contains('.'))
    },
    ..Reader::new("copilot", record)
};

fn record(line: &Value, session: &mut Session<'_>) {
    let data = &line["data"];
    match line["type"].as_str().unwrap_or_default() {
        "session.start" => session.version(&data["copilotVersion"]),
        // Requests, compactions and prompts are stated in github/copilot-cli#1394 and #3625.
        "assistant.turn_start" => session.asked("", None, Usage::default()),
        "session.compaction_complete" => session.compacted(""),
        "session.shutdown" => {
            for (_, model) in data["modelMetrics"].as_object().into_iter().flatten() {
                let (prompt, cached) = (["/inputTokens"], "/cacheReadTokens");
                session.used_in_all(Usage::of(&model["usage"], &prompt, cached, ""));
            }
        }
        "tool.execution_start" => {
            let name = data["toolName"].as_str().unwrap_or_default();
            let call = match (data["mcpServerName"].as_str(), data["mcpToolName"].as_str()) {
                (Some(server), Some(tool)) => Call::mcp(name, server, tool, &data["arguments"]),
                _ => Call::own(name, &data["arguments"]),
            };
            session.call(&data["toolCallId"], call);
        }
        "tool.execution_complete" => {
            let id = &data["toolCallId"];
            let call = session.called(id);
            session.context("", &data["toolTelemetry"]["metrics"]["context_current_tokens"]);
            let result = &data["result"];
            let Some(text) = result["content"].as_str() else {
                if data["success"] == true {
                    session.odd();
                }
                return;
            };
            let structured = Some(&result["structuredContent"]).filter(|value| !value.is_null());
            let (blocks, structured) = parts(text, structured);
            let result = ToolResult {
                seen: vec![text.into()],
                blocks,
                structured,
                is_failed: data["success"] == false,
                ..ToolResult::default()
            };
            session.result("", id, call, &result);
        }
        _ => {}
    }
}

type Parts<'v> = (Option<Vec<Cow<'v, str>>>, Option<Cow<'v, Value>>);

/// The text, and `structuredContent`, if the model saw both, or one copy of equal ones.
fn parts<'v>(text: &'v str, structured: Option<&'v Value>) -> Parts<'v> {
    let Some(structured) = structured else { return (None, None) };
    let spelled = structured.to_string();
    if text == spelled {
        return (Some(vec![text.into()]), Some(Cow::Borrowed(structured)));
    }
    let before = text.strip_suffix(&spelled).and_then(|before| before.strip_suffix("\n\n"));
    match before {
        Some(before) => (Some(vec![before.into()]), Some(Cow::Borrowed(structured))),
        None => (None, None),
    }
}
