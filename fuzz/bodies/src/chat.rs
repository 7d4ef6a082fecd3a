//! Conversations with a model: a cache that holds the beginning of one holds it still when the
//! conversation has grown, and nothing but texts of tools' results is another one (ruling M20).

use serde_json::{Value, json};
use wire_core::Runs;
use wire_mcp::{Options, chat};

use crate::Random;
use crate::answers::{same_block, unwrapped};
use crate::mcp::{seed, value};

/// The way in which an API writes the rows of a conversation.
#[derive(Clone, Copy)]
enum Api {
    Chat,
    Messages,
    Responses,
}

/// A conversation that is made from the bytes.
pub fn chats(data: &[u8]) {
    let mut random = Random::new(seed(data));
    let rows = rows(&mut random);
    let came = text_of(&rows, &mut random);
    let went = rewritten(&came);
    assert_eq!(went, rewritten(&came), "not deterministic");
    assert_eq!(went, rewritten(&went), "rewritten twice");
    let went: Vec<Value> = serde_json::from_str(&went).expect("because it is JSON still");
    assert_eq!(rows.len(), went.len());
    for (came, went) in rows.iter().zip(&went) {
        same_row(came, went);
    }
    let again = |rows: &[Value]| -> Vec<Value> {
        let rows = serde_json::to_string(rows).expect("because it was JSON");
        serde_json::from_str(&rewritten(&rows)).expect("because it is JSON still")
    };
    for end in 0..rows.len() {
        assert_eq!(again(&rows[..end]), went[..end], "a later row changes an earlier one");
    }
    // A gateway that does not send what people say.
    let is_sent = |row: &Value| {
        row["role"] != "system" && !row["content"].is_string()
            || row["role"] == "tool"
            || row["role"] == "function"
    };
    let sent: Vec<Value> = rows.iter().filter(|row| is_sent(row)).cloned().collect();
    let expected: Vec<Value> = went
        .iter()
        .zip(&rows)
        .filter(|(_, row)| is_sent(row))
        .map(|(went, _)| went.clone())
        .collect();
    assert_eq!(again(&sent), expected, "a row without a result changes one");
}

fn rewritten(rows: &str) -> String {
    let chat = chat::rewrite(&Options::new(Runs), rows, 0).expect("because it is an array");
    assert_eq!(chat.rows.is_some(), chat.changed > 0);
    chat.rows.unwrap_or_else(|| rows.to_owned())
}

/// Rows in the way of one API: texts of people, calls and their results.
fn rows(random: &mut Random) -> Vec<Value> {
    let api = [Api::Chat, Api::Messages, Api::Responses][random.below(3)];
    let mut rows = vec![json!({"role": "system", "content": "s"})];
    for id in 0..random.below(10) {
        if random.below(3) == 0 {
            rows.push(json!({"role": "user", "content": value(random, 3).to_string()}));
        }
        let tool = ["rows", "read_file", "read_query", "get_order"][random.below(4)];
        let path = ["a.json", "a b", "orders"][random.below(3)];
        let arguments = json!({ "path": path });
        let (is_named, id) = (random.below(4) > 0, format!("call {id}"));
        let text = result(random);
        let parts = |kind: &str| {
            json!([
                {"type": kind, "text": text, "cache_control": {"type": "ephemeral"}},
                {"type": "image", "source": {"data": "iVBO", "note": text}},
                {"type": kind, "text": "[{\"a\": 1}, {\"a\": 2}]"},
            ])
        };
        match api {
            Api::Chat => {
                if is_named {
                    let function = json!({"name": tool, "arguments": arguments.to_string()});
                    rows.push(json!({"role": "assistant", "content": null, "tool_calls": [{"id": id, "function": function}]}));
                }
                let content = if random.below(3) == 0 { parts("text") } else { json!(text) };
                let role = if random.below(4) == 0 { "function" } else { "tool" };
                let mut row = json!({"role": role, "tool_call_id": id, "content": content});
                if random.below(4) == 0 {
                    row["name"] = json!(tool);
                }
                rows.push(row);
            }
            Api::Messages => {
                if is_named {
                    let call =
                        json!({"type": "tool_use", "id": id, "name": tool, "input": arguments});
                    rows.push(json!({"role": "assistant", "content": [{"type": "text", "text": text}, call]}));
                }
                let content = if random.below(2) == 0 { parts("text") } else { json!(text) };
                let mut block =
                    json!({"type": "tool_result", "tool_use_id": id, "content": content});
                if random.below(4) == 0 {
                    block["is_error"] = json!(random.below(2) == 0);
                }
                rows.push(
                    json!({"role": "user", "content": [block, {"type": "text", "text": text}]}),
                );
            }
            Api::Responses => {
                if is_named {
                    rows.push(json!({"type": "function_call", "call_id": id, "name": tool, "arguments": arguments.to_string()}));
                }
                let output = if random.below(3) == 0 { parts("input_text") } else { json!(text) };
                rows.push(json!({"type": "function_call_output", "call_id": id, "output": output}));
            }
        }
    }
    rows
}

/// The text of a tool's result.
fn result(random: &mut Random) -> String {
    let some = value(random, 3);
    let rows: Value = (0..=random.below(6))
        .map(|n| json!({"id": n, "name": format!("n {n}"), "x": some}))
        .collect();
    let some = if random.below(2) == 0 { some } else { rows };
    let indented = format!("{some:#}");
    match random.below(10) {
        0 => some.to_string(),
        1 => format!("There are {} rows:\n{indented}", random.below(9)),
        2 => format!("```json\n{indented}\n```"),
        3 => json!({ "result": indented }).to_string(),
        4 => json!(format!("Rows:\n{some}")).to_string(),
        5 => format!("{some}\n{some}\n"),
        6 => ["", "not found", "GCF profile=generic\n## [1]{a}\n1\n", "{\"a\":1", "a\n\nb"]
            [random.below(5)]
        .to_owned(),
        _ => indented,
    }
}

/// The conversation as one client or another writes it.
fn text_of(rows: &[Value], random: &mut Random) -> String {
    let rows = json!(rows);
    match random.below(3) {
        0 => rows.to_string(),
        1 => format!("{rows:#}"),
        _ => rows.to_string().replace('ü', "\\u00fc"),
    }
}

/// Panics unless two rows differ in nothing but the texts of a tool's results, which say the same.
fn same_row(came: &Value, went: &Value) {
    if came == went {
        return;
    }
    let mut back = went.clone();
    let is_block = |block: &Value| block["type"] == "tool_result" && block["is_error"] != true;
    match came["role"].as_str() {
        Some("tool" | "function") => same_content(&came["content"], &mut back["content"]),
        Some("user") => {
            let blocks = came["content"].as_array().expect("because only results change");
            let others = back["content"].as_array_mut().expect("because no block is lost");
            for (came, went) in blocks.iter().zip(others).filter(|(came, _)| is_block(came)) {
                same_content(&came["content"], &mut went["content"]);
            }
        }
        _ => same_content(&came["output"], &mut back["output"]),
    }
    assert_eq!(*came, back, "more than a text is changed");
}

/// Writes the texts of a content back where they say the same, and panics where they don't.
fn same_content(came: &Value, went: &mut Value) {
    let block = |text: &Value| json!({"type": "text", "text": text});
    let back = |came: &Value, went: &mut Value| {
        let (old, new) = (block(came), block(went));
        let is_unwrapped = || unwrapped(&old).is_some_and(|inner| same_block(&inner, &new));
        assert!(same_block(&old, &new) || is_unwrapped(), "{came} became {went}");
        *went = came.clone();
    };
    match came.as_array() {
        None => back(came, went),
        Some(parts) => {
            let others = went.as_array_mut().expect("because it was a list");
            for (came, went) in parts.iter().zip(others) {
                if came["type"] != "image" {
                    back(&came["text"], &mut went["text"]);
                }
            }
        }
    }
}
