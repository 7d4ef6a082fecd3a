//! Cline CLI: `data/sessions/ID/ID.messages.json`. The file has results as they came; of those of
//! more than 8,000 characters the model saw the first and the last 4,000.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use wire_mcp::Limit;

use crate::agents::Agent;
use crate::audit::bill::Usage;
use crate::audit::call::{Call, ToolResult};
use crate::audit::read::reader::Reader;
use crate::audit::read::texts::{items, texts};
use crate::audit::session::Session;

pub(crate) const READER: Reader = Reader {
    records: |document| {
        let messages = document.members.messages.as_ref()?;
        messages.iter().any(has_role).then(|| messages.clone())
    },
    ..Reader::new("cline", record)
};

/// Returns `true` for a message of Cline; those of Gemini CLI have a type in place of a role.
fn has_role(message: &&RawValue) -> bool {
    #[derive(Deserialize)]
    struct Marks<'a> {
        #[serde(borrow)]
        role: Option<&'a RawValue>,
    }
    serde_json::from_str(message.get()).is_ok_and(|Marks { role }| role.is_some())
}

fn record(message: &Value, session: &mut Session<'_>) {
    if message["role"] == "assistant" {
        // With what came from the cache, stated in missuo/tokens#51.
        let usage = Usage::of(
            &message["metrics"],
            &["/inputTokens"],
            "/cacheReadTokens",
            "/cacheWriteTokens",
        );
        session.asked("", None, usage);
    }
    for block in items(&message["content"]) {
        match block["type"].as_str() {
            Some("tool_use") => {
                let name = block["name"].as_str().unwrap_or_default();
                session.call(&block["id"], Call::split(name, "", "__", &block["input"]));
            }
            Some("tool_result") => {
                let id = &block["tool_use_id"];
                let name = block["name"].as_str().unwrap_or_default();
                let called = session.called(id);
                let call = called.unwrap_or_else(|| Call::split(name, "", "__", &Value::Null));
                let Some(stored) = texts(&block["content"]) else {
                    session.odd();
                    continue;
                };
                let stored = stored.concat();
                let seen = shown(&stored);
                let is_cut = seen.len() < stored.len();
                let whole = serde_json::from_str(&stored).unwrap_or(Value::Null);
                let structured = &whole["structuredContent"];
                let result = ToolResult {
                    seen: vec![seen],
                    blocks: texts(&whole["content"]).filter(|_| call.server.is_some()),
                    structured: Some(Cow::Borrowed(structured)).filter(|own| !own.is_null()),
                    is_failed: block["is_error"] == true || whole["isError"] == true,
                    is_cut,
                    ..ToolResult::default()
                };
                session.result("", id, Some(call), &result);
            }
            _ => {}
        }
    }
}

/// What the model saw of a stored text.
fn shown(stored: &str) -> Cow<'_, str> {
    let Some(Limit::Characters { most, shown, .. }) = Agent::known("cline").shows().0.limit else {
        return stored.into();
    };
    let characters = stored.chars().count();
    if characters <= most {
        return stored.into();
    }
    let half = shown / 2;
    let start = stored.chars().take(half);
    start.chain(stored.chars().skip(characters - half)).collect()
}
