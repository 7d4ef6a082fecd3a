//! Frames and conversations through the proxy: the client sees the same bytes, or an answer that
//! says the same with no more tokens.

use serde_json::{Value, json};
use wire_core::WordPunctuation;
use wire_mcp::{Options, Proxy, Structured};

use crate::Random;
use crate::answers::same_answers;

/// Bytes as frames of both sides, and as the text and `structuredContent` of a result.
pub fn mcp_frames(data: &[u8]) {
    let proxy = proxy(Structured::Drop);
    for method in ["tools/call", "tools/list"] {
        ask(&proxy, &json!(1), method);
        same_answers(data, &proxy.from_server(data).frame, &WordPunctuation);
    }
    let passed = proxy.from_client(data).frame;
    assert_eq!(&*passed, data, "a frame of the client is changed");
    let text = String::from_utf8_lossy(data);
    let mut result = json!({"content": [{"type": "text", "text": text}]});
    exchange(&result);
    if let Ok(value) = serde_json::from_str::<Value>(&text) {
        result["structuredContent"] = value;
        exchange(&result);
    }
}

/// A conversation that is made from the bytes, with answers in any order.
pub fn mcp_conversations(data: &[u8]) {
    let mut random = Random::new(seed(data));
    let structured = [Structured::Keep, Structured::Drop, Structured::Auto][random.below(3)];
    let proxy = proxy(structured);
    let again = self::proxy(structured);
    let mut waiting: Vec<(Value, String)> = Vec::new();
    for step in 0..random.below(24) {
        match random.below(4) {
            0 => {
                let id = if random.below(2) == 0 { json!(step) } else { json!(step.to_string()) };
                let method = ["tools/call", "tools/list", "ping"][random.below(3)];
                ask(&proxy, &id, method);
                ask(&again, &id, method);
                waiting.push((id, method.to_owned()));
            }
            1 if random.below(4) == 0 => {
                let frame: &[u8] = if random.below(2) == 0 { b"banner" } else { b"{\"jsonrpc\":" };
                same_answers(frame, &proxy.from_server(frame).frame, &WordPunctuation);
                same_answers(frame, &again.from_server(frame).frame, &WordPunctuation);
            }
            _ if waiting.is_empty() => {}
            _ => {
                let (id, method) = waiting.swap_remove(random.below(waiting.len()));
                let result = match &*method {
                    "tools/call" => result(&mut random),
                    "tools/list" => {
                        json!({"tools": [{"name": "rows", "inputSchema": {"type": "object"}, "outputSchema": {}}]})
                    }
                    _ => json!({}),
                };
                let frame = json!({"jsonrpc": "2.0", "id": id, "result": result});
                let frame = if random.below(2) == 0 {
                    frame.to_string()
                } else {
                    format!("{frame:#}").replace('\n', " ")
                };
                let out = proxy.from_server(frame.as_bytes()).frame.into_owned();
                assert_eq!(out, &*again.from_server(frame.as_bytes()).frame, "not deterministic");
                same_answers(frame.as_bytes(), &out, &WordPunctuation);
            }
        }
    }
}

/// The bytes as one number.
fn seed(data: &[u8]) -> u64 {
    data.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn proxy(structured: Structured) -> Proxy {
    Proxy::new(Options::new(WordPunctuation).structured(structured))
}

fn ask(proxy: &Proxy, id: &Value, method: &str) {
    let frame = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": {"name": "rows"}});
    proxy.from_client(frame.to_string().as_bytes());
}

/// A result by way of a proxy, once and again.
fn exchange(result: &Value) {
    let list =
        br#"{"jsonrpc":"2.0","id":0,"result":{"tools":[{"name":"rows","outputSchema":{}}]}}"#;
    let through = |frame: &[u8]| {
        let proxy = proxy(Structured::Drop);
        ask(&proxy, &json!(0), "tools/list");
        proxy.from_server(list);
        ask(&proxy, &json!(1), "tools/call");
        proxy.from_server(frame).frame.into_owned()
    };
    let frame = json!({"jsonrpc": "2.0", "id": 1, "result": result}).to_string();
    let out = through(frame.as_bytes());
    same_answers(frame.as_bytes(), &out, &WordPunctuation);
    assert_eq!(out, through(&out), "rewritten twice");
}

/// A result of a tool: JSON in one block, or a block an item, with `structuredContent` that says
/// the same, or not.
fn result(random: &mut Random) -> Value {
    let value = value(random, 3);
    let rows: Vec<Value> = (0..=random.below(6))
        .map(|n| json!({"id": n, "name": format!("n {n}"), "x": value}))
        .collect();
    let written = |value: &Value, random: &mut Random| match (value, random.below(2)) {
        (Value::String(text), _) => json!({"type": "text", "text": text}),
        (value, 0) => json!({"type": "text", "text": value.to_string()}),
        (value, _) => json!({"type": "text", "text": format!("{value:#}")}),
    };
    let (blocks, said) = match random.below(4) {
        0 => (vec![written(&json!(rows), random)], json!({"result": rows})),
        1 => (rows.iter().map(|row| written(row, random)).collect(), json!({"result": rows})),
        2 => (vec![written(&value, random)], value.clone()),
        _ => (vec![written(&value, random), json!({"type": "image", "data": ""})], json!(1)),
    };
    match random.below(3) {
        0 => json!({"content": blocks}),
        1 => json!({"content": blocks, "structuredContent": said, "_meta": {"n": 1.5}}),
        _ => json!({"structuredContent": said, "content": blocks, "isError": random.below(4) == 0}),
    }
}

fn value(random: &mut Random, depth: usize) -> Value {
    match random.below(if depth == 0 { 6 } else { 8 }) {
        0 => Value::Null,
        1 => json!(random.below(2) == 0),
        2 => json!(random.below(1000)),
        3 => {
            json!(f64::from(u16::try_from(random.below(1000)).expect("because it is small")) / 8.0)
        }
        4 => json!("text, \"quoted\"\n\t| ü"),
        5 => json!(random.below(50).to_string()),
        6 => (0..random.below(4)).map(|_| value(random, depth - 1)).collect(),
        _ => (0..random.below(4)).map(|n| (format!("k {n}"), value(random, depth - 1))).collect(),
    }
}
