//! Codex: `sessions/Y/M/D/rollout-….jsonl`. `response_item` has what the model saw, and `event_msg`
//! the server's result. What a program of the code mode received is not what the model saw.

use std::borrow::Cow;

use serde_json::Value;

use crate::audit::bill::Usage;
use crate::audit::call::{Call, ToolResult, arguments};
use crate::audit::read::reader::Reader;
use crate::audit::read::texts::{items, texts};
use crate::audit::session::Session;

/// The most results of servers that wait for what the model saw of them.
const MOST_ORIGINALS: usize = 100;

pub(crate) const READER: Reader = Reader {
    is_line: |line| line.get("payload").is_some() && line.get("timestamp").is_some(),
    ..Reader::new("codex", record)
};

fn record(line: &Value, session: &mut Session<'_>) {
    let payload = &line["payload"];
    match (line["type"].as_str().unwrap_or_default(), payload["type"].as_str().unwrap_or_default())
    {
        ("session_meta", _) => session.version(&payload["cli_version"]),
        ("response_item", "function_call" | "custom_tool_call" | "local_shell_call") => {
            session.call(&payload["call_id"], call(payload));
        }
        ("response_item", "function_call_output" | "custom_tool_call_output") => {
            output(payload, session);
        }
        ("event_msg", "item_completed") if payload["item"]["type"] == "McpToolCall" => {
            original(&payload["item"]["id"], &payload["item"]["result"], session);
        }
        // Before `item_completed`; stated in openai/codex's protocol.
        ("event_msg", "mcp_tool_call_end") => {
            original(&payload["call_id"], &payload["result"]["Ok"], session);
        }
        ("token_usage_record", _) => {
            session.notes.has_records = true;
            let usage = usage(&payload["usage"]);
            session.asked("", payload["response_id"].as_str(), usage);
        }
        // Before version 0.153, stated in xiufengsun/TokenTracker#652. It repeats itself.
        ("event_msg", "token_count") if !session.notes.has_records => {
            let total = &payload["info"]["total_token_usage"]["total_tokens"];
            let total = total.as_u64().unwrap_or(session.notes.last_total);
            if total != session.notes.last_total {
                session.notes.last_total = total;
                let usage = usage(&payload["info"]["last_token_usage"]);
                session.asked("", None, usage);
            }
        }
        ("compacted", _) => session.compacted(""),
        _ => {}
    }
}

fn usage(value: &Value) -> Usage {
    Usage::of(value, &["/input_tokens"], "/cached_input_tokens", "")
}

fn call(payload: &Value) -> Call {
    let name = payload["name"].as_str().unwrap_or("local_shell");
    let server = payload["namespace"].as_str().and_then(|space| space.strip_prefix("mcp__"));
    match server {
        Some(server) => Call::mcp(name, server, name, &arguments(&payload["arguments"])),
        None => Call::split(name, "mcp__", "__", &arguments(&payload["arguments"])),
    }
}

fn original(id: &Value, result: &Value, session: &mut Session<'_>) {
    let originals = &mut session.notes.originals;
    if originals.len() >= MOST_ORIGINALS {
        originals.clear();
    }
    if let Some(id) = id.as_str() {
        originals.insert(id.to_owned(), result.clone());
    }
}

fn output(payload: &Value, session: &mut Session<'_>) {
    let id = &payload["call_id"];
    let call = session.called(id);
    let original = id.as_str().and_then(|id| session.notes.originals.remove(id));
    let Some(seen) = texts(&payload["output"]) else {
        session.odd();
        return;
    };
    let is_cut = seen.iter().any(|text| text.contains(" tokens truncated…"));
    let mut result = ToolResult { seen, is_cut, ..ToolResult::default() };
    if let Some(original) = original {
        result.is_failed = original["isError"] == true;
        (result.blocks, result.structured) = proven(&result.seen, &original);
    } else {
        let blocks = result.seen.iter().filter(|text| !text.starts_with("Wall time: "));
        result.blocks = Some(blocks.cloned().collect());
    }
    session.result("", id, call, &result);
}

type Parts<'v> = (Option<Vec<Cow<'v, str>>>, Option<Cow<'v, Value>>);

/// The parts of the server's result, if they are what the model saw: texts alone, or
/// `structuredContent` after two lines. A hook can have replaced them.
fn proven<'v>(seen: &[Cow<'_, str>], original: &Value) -> Parts<'v> {
    let owned = |text: &Value| text.as_str().map(|text| Cow::Owned(text.to_owned()));
    let blocks: Vec<Cow<'v, str>> =
        items(&original["content"]).filter_map(|block| owned(&block["text"])).collect();
    let structured = ["structuredContent", "structured_content"].iter();
    let structured = structured.map(|name| &original[*name]).find(|value| !value.is_null());
    match (seen, structured) {
        ([text], Some(structured)) => {
            let shown = text.split_once("Output:\n").map_or(&**text, |(_, shown)| shown);
            let is_it = serde_json::from_str::<Value>(shown).is_ok_and(|own| own == *structured);
            if is_it { (Some(blocks), Some(Cow::Owned(structured.clone()))) } else { (None, None) }
        }
        (_, None) if seen.ends_with(&blocks) => (Some(blocks), None),
        _ => (None, None),
    }
}
