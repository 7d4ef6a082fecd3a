//! Qwen Code: `projects/FOLDER/chats/ID.jsonl`. `response.output` is what the model saw.

use std::borrow::Cow;

use serde_json::Value;

use crate::audit::bill::Usage;
use crate::audit::call::{Call, ToolResult};
use crate::audit::read::reader::Reader;
use crate::audit::read::texts::items;
use crate::audit::session::Session;

pub(crate) const READER: Reader = Reader {
    is_line: |line| {
        let is_of_session = line.get("uuid").is_some() && line.get("sessionId").is_some();
        is_of_session && (line["message"].get("parts").is_some() || line["type"] == "tool_result")
    },
    ..Reader::new("qwen", record)
};

fn record(line: &Value, session: &mut Session<'_>) {
    session.version(&line["version"]);
    let parts = || items(&line["message"]["parts"]);
    match line["type"].as_str() {
        Some("assistant") => {
            // Stated in the source of QwenLM/qwen-code.
            let usage = &line["usageMetadata"];
            let usage = Usage::of(usage, &["/promptTokenCount"], "/cachedContentTokenCount", "");
            session.asked("", line["uuid"].as_str(), usage);
            for call in parts().map(|part| &part["functionCall"]).filter(|call| call.is_object()) {
                // Tools that are loaded later are called through one of its own.
                let (name, input) = match (call["name"].as_str(), call["args"]["name"].as_str()) {
                    (Some("tool_call"), Some(name)) => (name, &call["args"]["arguments"]),
                    (name, _) => (name.unwrap_or_default(), &call["args"]),
                };
                session.call(&call["id"], Call::split(name, "mcp__", "__", input));
            }
        }
        Some("tool_result") => {
            for response in
                parts().map(|part| &part["functionResponse"]).filter(|part| part.is_object())
            {
                let call = session.called(&response["id"]);
                let own = &response["response"];
                let (output, error) = (own["output"].as_str(), own["error"].as_str());
                let Some(text) = output.or(error) else {
                    session.odd();
                    continue;
                };
                let (blocks, structured) = split(text).unzip();
                let result = ToolResult {
                    seen: vec![text.into()],
                    blocks,
                    structured,
                    is_failed: output.is_none(),
                    ..ToolResult::default()
                };
                session.result("", &response["id"], call, &result);
            }
        }
        Some("system") if line["subtype"] == "chat_compression" => session.compacted(""),
        _ => {}
    }
}

/// The text and `structuredContent` of what the model saw, which is first the latter and a line end,
/// if they say the same.
fn split(seen: &str) -> Option<(Vec<Cow<'_, str>>, Cow<'_, Value>)> {
    let (first, text) = seen.split_once('\n')?;
    let structured: Value = serde_json::from_str(first).ok().filter(Value::is_object)?;
    let said: Value = serde_json::from_str(text).ok()?;
    let is_said = said == structured || structured.get("result") == Some(&said);
    is_said.then(|| (vec![text.into()], Cow::Owned(structured)))
}
