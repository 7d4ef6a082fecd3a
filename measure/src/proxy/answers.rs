//! The answers of a run, direct and through the proxy, and whether they say the same.

use std::panic;

use anyhow::{Context as _, Result, ensure};
use serde::Deserialize;
use serde_json::{Value, json};
use wire_fuzz_bodies::same_answers;
use wire_mcp::{Reads, repr_to_json};
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

/// A line of a client.
#[derive(Deserialize)]
struct Line {
    kind: String,
    server: String,
    policy: String,
    #[serde(default)]
    tool: String,
    #[serde(default)]
    group: String,
    direct: Value,
    through: Value,
}

/// The answers, each of which says the same both ways. Other lines are printed.
pub(crate) fn judged(lines: &str, folder: &str) -> Result<Vec<Answer>> {
    let mut answers = Vec::new();
    for line in lines.lines() {
        if !line.starts_with('{') {
            println!("{line}");
            continue;
        }
        let Line { kind, server, policy, tool, group, direct, through } =
            serde_json::from_str(line)?;
        let place = || format!("{server}, {policy}, {tool}");
        if kind == "tools" {
            let [before, after] = [&direct, &through].map(|list| json!({"tools": list}));
            hold(&before, &after, policy == "keep").with_context(place)?;
            continue;
        }
        let is_left_alone = matches!(Reads::of(&tool), Reads::File { .. }) || is_wrapped(&direct);
        let is_result = direct["isError"] != true && direct["content"].is_array();
        hold(&direct, &through, is_left_alone || !is_result).with_context(place)?;
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
    Ok(answers)
}

/// Whether a result is a text that is wrapped as one, `{"content": "<text>"}`, or a list with such
/// an item: in `structuredContent`, in its only member `result`, or in its only block.
fn is_wrapped(result: &Value) -> bool {
    let only = |value: &Value, name: &str| match value.as_object() {
        Some(members) if members.len() == 1 => members.get(name).cloned(),
        _ => None,
    };
    let is_wrapper = |value: &Value| only(value, "content").is_some_and(|text| text.is_string());
    let wraps = |value: &Value| match value.as_array() {
        Some(items) => items.iter().any(is_wrapper),
        None => is_wrapper(value),
    };
    let structured = &result["structuredContent"];
    let says = only(structured, "result").is_some_and(|value| wraps(&value));
    let block = |block: &Value| {
        let text = block["text"].as_str()?;
        serde_json::from_str::<Value>(text).ok()
    };
    let text = match result["content"].as_array().map(Vec::as_slice) {
        Some([only]) => block(only),
        _ => None,
    };
    says || wraps(structured) || text.is_some_and(|value| wraps(&value))
}

/// Fails where an answer through the proxy says something else, or with more tokens.
fn hold(direct: &Value, through: &Value, is_verbatim: bool) -> Result<()> {
    let frame = |result: &Value| json!({"id": 1, "result": result}).to_string();
    let (came, went) = (frame(direct), frame(through));
    let same = || same_answers(came.as_bytes(), went.as_bytes(), &Counter::O200kBase);
    let is_same = direct == through || !is_verbatim && panic::catch_unwind(same).is_ok();
    ensure!(is_same, "{direct} became {through}");
    Ok(())
}

/// JSON without white space, also of Python's `repr`; `None` for what is not an array or object.
pub(crate) fn minified(text: &str) -> Option<String> {
    if !text.trim_start().starts_with(['{', '[']) {
        return None;
    }
    let value = text.parse().ok().map(|value: gcx::json::Exact| value.to_string());
    value.or_else(|| repr_to_json(text))
}
