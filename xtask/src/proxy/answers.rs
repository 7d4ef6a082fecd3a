//! The answers of a run, direct and through the proxy, and whether they say the same.

use std::panic;

use serde::Deserialize;
use serde_json::{Value, json};
use wire_fuzz_bodies::same_answers;
use wire_tokens::Counter;

/// A call of a tool.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) server: String,
    pub(crate) policy: String,
    pub(crate) tool: String,
    /// The row of the table that it is in.
    pub(crate) group: String,
    /// Whether a model may have to quote it exactly, so that the proxy leaves it alone (ruling M5).
    pub(crate) is_left_alone: bool,
    pub(crate) direct: Value,
    pub(crate) through: Value,
    /// Whether it says where on this machine the run was.
    pub(crate) has_path: bool,
}

/// A line of the client.
#[derive(Deserialize)]
struct Line {
    kind: String,
    server: String,
    #[serde(default)]
    policy: String,
    #[serde(default)]
    tool: String,
    #[serde(default)]
    group: String,
    /// By the tool's name.
    #[serde(default)]
    left_alone: bool,
    direct: Value,
    through: Value,
}

/// The answers, each of which says the same both ways.
pub(crate) fn judged(lines: &str, folder: &str) -> Result<Vec<Answer>, String> {
    let mut answers = Vec::new();
    for line in lines.lines() {
        let line: Line = serde_json::from_str(line).map_err(|error| format!("{line}: {error}"))?;
        let Line { kind, server, policy, tool, group, left_alone, direct, through } = line;
        let place = format!("{server}, {policy}, {tool}");
        match &*kind {
            "count" if direct == through => {}
            "count" => {
                return Err(format!("{server}: {direct} direct, {through} through the proxy"));
            }
            "tools" => {
                let (direct, through) = (json!({"tools": direct}), json!({"tools": through}));
                hold(&place, &direct, &through, policy == "keep")?;
            }
            _ => {
                let is_left_alone = left_alone || is_wrapped(&direct);
                let is_result = direct["isError"] != true && direct["content"].is_array();
                hold(&place, &direct, &through, is_left_alone || !is_result)?;
                if is_result {
                    let has_path = direct.to_string().contains(folder);
                    answers.push(Answer {
                        server,
                        policy,
                        tool,
                        group,
                        is_left_alone,
                        direct,
                        through,
                        has_path,
                    });
                }
            }
        }
    }
    Ok(answers)
}

/// Whether a result is a text that is wrapped as one: `{"content": "<text>"}`, in
/// `structuredContent` or in its only block.
fn is_wrapped(result: &Value) -> bool {
    let wraps = |value: &Value| {
        value.as_object().is_some_and(|members| {
            members.len() == 1 && members.get("content").is_some_and(Value::is_string)
        })
    };
    let block = |block: &Value| {
        let text = block["text"].as_str()?;
        serde_json::from_str::<Value>(text).ok()
    };
    let only = match result["content"].as_array().map(Vec::as_slice) {
        Some([only]) => block(only),
        _ => None,
    };
    wraps(&result["structuredContent"]) || only.is_some_and(|value| wraps(&value))
}

/// Fails where an answer through the proxy says something else, or with more tokens.
fn hold(place: &str, direct: &Value, through: &Value, is_verbatim: bool) -> Result<(), String> {
    if is_verbatim && direct != through {
        return Err(format!("{place}: {direct} became {through}"));
    }
    let frame = |result: &Value| json!({"id": 1, "result": result}).to_string();
    let (came, went) = (frame(direct), frame(through));
    panic::catch_unwind(|| same_answers(came.as_bytes(), went.as_bytes(), &Counter::O200kBase))
        .map_err(|_| format!("{place}: {came} became {went}"))
}

/// JSON without white space; `None` for what is not an array or object.
pub(crate) fn minified(text: &str) -> Option<String> {
    let value: gcx::json::Exact =
        text.trim_start().starts_with(['{', '[']).then(|| text.parse().ok())??;
    Some(value.to_string())
}
