//! Conversations with a model: a cache that holds the beginning of one holds it still when the
//! conversation has grown, and nothing but texts of tools' results is another one (ruling M20).

use serde_json::{Value, json};
use wire_core::Runs;
use wire_core::json::Json;
use wire_mcp::{Limits, Options, Repeats, chat};

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
    // Texts beyond a limit stay, which counts them as they are escaped.
    let is_limited = random.below(8) == 0;
    let came = if is_limited { json!(rows).to_string() } else { text_of(&rows, &mut random) };
    let bytes = if is_limited { 300 } else { Limits::DEFAULT.text_bytes };
    let options = Options::new(Runs).limits(Limits::DEFAULT.with_text_bytes(bytes));
    let alone = is_lawful(&rows, &came, &options);
    for (came, went) in rows.iter().zip(&alone) {
        same_row(came, went);
    }
    for repeats in [Repeats::Exact, Repeats::Delta] {
        let went = is_lawful(&rows, &came, &options.clone().repeats(repeats));
        for (at, (alone, went)) in said(&alone).into_iter().zip(said(&went)).enumerate() {
            // What a tool says in our words may be another thing after other texts.
            let is_ours = alone.0.starts_with("Same ");
            assert!(is_ours || alone.1 == went.1, "text {at}: {} became {}", alone.0, went.0);
        }
    }
}

/// The rows that are written, which are the same each time and whatever follows.
fn is_lawful(rows: &[Value], came: &str, options: &Options) -> Vec<Value> {
    let rewritten = |rows: &str| {
        let chat = chat::rewrite(options, rows, 0).expect("because it is an array");
        assert_eq!(chat.rows.is_some(), chat.changed > 0);
        chat.rows.unwrap_or_else(|| rows.to_owned())
    };
    let went = rewritten(came);
    assert_eq!(went, rewritten(came), "not deterministic");
    assert_eq!(went, rewritten(&went), "rewritten twice");
    let went: Vec<Value> = serde_json::from_str(&went).expect("because it is JSON still");
    let without_texts = |rows: &[Value]| {
        let mut rows = rows.to_vec();
        rows.iter_mut().flat_map(texts).for_each(|text| *text = Value::Null);
        rows
    };
    assert_eq!(without_texts(rows), without_texts(&went), "more than a text is changed");
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
        .zip(rows)
        .filter(|(_, row)| is_sent(row))
        .map(|(went, _)| went.clone())
        .collect();
    assert_eq!(again(&sent), expected, "a row without a result changes one");
    went
}

/// The texts of results, and what each says by the conversation alone.
fn said(rows: &[Value]) -> Vec<(String, Json<'static>)> {
    let values = chat::read(&json!(rows).to_string()).expect("because it is an array");
    let mut rows = rows.to_vec();
    let texts: Vec<&mut Value> = rows.iter_mut().flat_map(texts).collect();
    assert_eq!(texts.len(), values.len());
    let text = |text: &mut Value| text.as_str().expect("because it is a text").to_owned();
    texts.into_iter().map(text).zip(values).collect()
}

/// The texts of the results in a row.
fn texts(row: &mut Value) -> Vec<&mut Value> {
    let role = row["role"].as_str().map(str::to_owned);
    match role.as_deref() {
        Some("tool" | "function") => texts_of(row.get_mut("content")),
        Some("user") => {
            let blocks = row.get_mut("content").and_then(Value::as_array_mut);
            let is_result =
                |block: &&mut Value| block["type"] == "tool_result" && block["is_error"] != true;
            let results = blocks.into_iter().flatten().filter(is_result);
            results.flat_map(|block| texts_of(block.get_mut("content"))).collect()
        }
        _ => texts_of(row.get_mut("output")),
    }
}

fn texts_of(content: Option<&mut Value>) -> Vec<&mut Value> {
    match content {
        Some(Value::Array(parts)) => {
            let is_text = |part: &&mut Value| part["type"] != "image";
            parts.iter_mut().filter(is_text).filter_map(|part| part.get_mut("text")).collect()
        }
        content => content.into_iter().collect(),
    }
}

/// Rows in the way of one API: texts of people, calls and their results.
fn rows(random: &mut Random) -> Vec<Value> {
    let api = [Api::Chat, Api::Messages, Api::Responses][random.below(3)];
    let mut rows = vec![json!({"role": "system", "content": "s"})];
    let (mut past, mut texts) = (Vec::new(), Vec::new());
    let count = if random.below(16) == 0 { 24 } else { random.below(10) };
    for id in 0..count {
        if random.below(3) == 0 {
            rows.push(json!({"role": "user", "content": value(random, 3).to_string()}));
        }
        let tool = ["rows", "read_file", "read_query", "get_order"][random.below(4)];
        let path = ["a.json", "a b", "orders"][random.below(3)];
        let arguments = json!({ "path": path });
        let (is_named, id) = (random.below(4) > 0, format!("call {id}"));
        let text = result(random, &mut past, &mut texts);
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

/// The text of a tool's result, which may be that of an earlier one, or of a value that differs.
fn result(random: &mut Random, past: &mut Vec<Value>, texts: &mut Vec<String>) -> String {
    if !texts.is_empty() && random.below(8) == 0 {
        return texts[random.below(texts.len())].clone();
    }
    let some = match random.below(6) {
        0..=2 if !past.is_empty() => {
            let mut some = past[random.below(past.len())].clone();
            (0..random.below(4)).for_each(|_| mutate(random, &mut some));
            some
        }
        3 => value(random, 3),
        4 => {
            let some = value(random, 3);
            let row = |n| json!({"id": n, "name": format!("n {n}"), "x": some});
            (0..=random.below(6)).map(row).collect()
        }
        _ => {
            let mut some = json!({"id": random.below(4), "name": format!("n {}", random.below(9))});
            for _ in 0..3 + random.below(8) {
                some[NAMES[random.below(NAMES.len())]] = member(random, 2);
            }
            some
        }
    };
    past.push(some.clone());
    let indented = format!("{some:#}");
    let text = match random.below(14) {
        0 => some.to_string(),
        1 => format!("There are {} rows:\n{indented}", random.below(9)),
        2 => format!("```json\n{indented}\n```"),
        3 => json!({ "result": indented }).to_string(),
        4 => json!(format!("Rows:\n{some}")).to_string(),
        5 => format!("{some}\n{some}\n"),
        6 => {
            const TEXTS: [&str; 8] = [
                "",
                "not found",
                "GCF profile=generic\n## [1]{a}\n1\n",
                "{\"a\":1",
                "a\n\nb",
                "Same as the last full result with id = 1.",
                "Same as the last full result with id = 1, but for 2 changes:\nname = 2\nwithout a\n",
                "Same text as the last full result that begins with \"line\".",
            ];
            TEXTS[random.below(TEXTS.len())].to_owned()
        }
        7 => format!("line {}, which is one of many\n", random.below(3)).repeat(12),
        8..=10 => spelled(&some, random),
        _ => indented,
    };
    texts.push(text.clone());
    text
}

const NAMES: [&str; 14] = [
    "id", "name", "status", "items", "total", "a b", "a.b", "x\"y", "user_id", "rows", "", "0",
    "without", "price",
];

/// A value with names of members that a path may have to quote.
fn member(random: &mut Random, depth: usize) -> Value {
    const SCALARS: [&str; 8] = [
        "a|b",
        "x = 1",
        "it's \"q\"",
        "line\nbreak",
        "é😀",
        "Rome",
        "pending",
        "Same as the last full result with id = 1.",
    ];
    match random.below(if depth == 0 { 4 } else { 9 }) {
        0 => json!(random.below(4)),
        1 => json!(SCALARS[random.below(SCALARS.len())]),
        2 => json!(format!("id_{}", random.below(9))),
        3 => value(random, 0),
        4 | 5 => {
            let columns: Vec<&str> =
                (0..=random.below(4)).map(|_| NAMES[random.below(NAMES.len())]).collect();
            let row = |random: &mut Random| -> Value {
                columns.iter().map(|name| ((*name).to_owned(), member(random, 0))).collect()
            };
            (0..random.below(7)).map(|_| row(random)).collect()
        }
        6 => (0..random.below(5)).map(|_| member(random, depth - 1)).collect(),
        _ => (0..random.below(8))
            .map(|_| (NAMES[random.below(NAMES.len())].to_owned(), member(random, depth - 1)))
            .collect(),
    }
}

/// Changes one member or item somewhere in a value.
fn mutate(random: &mut Random, value: &mut Value) {
    let goes_on = |random: &mut Random, value: &Value| {
        let is_full = value.as_array().is_some_and(|items| !items.is_empty())
            || value.as_object().is_some_and(|members| !members.is_empty());
        is_full && random.below(5) < 3
    };
    match value {
        Value::Array(items) if !items.is_empty() => {
            let at = random.below(items.len());
            if goes_on(random, &items[at]) {
                return mutate(random, &mut items[at]);
            }
            match random.below(10) {
                0..=4 => items[at] = member(random, 1),
                5 | 6 => drop(items.remove(at)),
                7 | 8 => items.push(member(random, 1)),
                _ => items.reverse(),
            }
        }
        Value::Object(members) if !members.is_empty() => {
            let name = members.keys().nth(random.below(members.len())).cloned();
            let name = name.expect("because there are more");
            if goes_on(random, &members[&name]) {
                return mutate(random, &mut members[&name]);
            }
            match random.below(5) {
                0..=2 => drop(members.insert(name, member(random, 1))),
                3 => drop(members.remove(&name)),
                _ => {
                    let name = NAMES[random.below(NAMES.len())];
                    members.insert(name.to_owned(), member(random, 1));
                }
            }
        }
        _ => *value = member(random, 2),
    }
}

/// The value with members in another order, and other digits of the same numbers.
fn spelled(value: &Value, random: &mut Random) -> String {
    match value {
        Value::Number(number) if number.is_u64() && random.below(4) == 0 => format!("{number}.0"),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| spelled(item, random)).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(members) => {
            let mut members: Vec<String> = members
                .iter()
                .map(|(name, value)| format!("{}: {}", json!(name), spelled(value, random)))
                .collect();
            if random.below(2) == 0 {
                members.reverse();
            }
            format!("{{{}}}", members.join(", "))
        }
        value => value.to_string(),
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
