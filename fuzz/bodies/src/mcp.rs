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

/// A conversation that is made from the bytes, with answers in any order, alone and in batches.
pub fn mcp_conversations(data: &[u8]) {
    let mut random = Random::new(seed(data));
    let structured = [Structured::Keep, Structured::Drop, Structured::Auto][random.below(3)];
    // The same frames are the same bytes.
    let proxies = [(); 2].map(|()| proxy(structured));
    let comes = |frame: &[u8]| {
        let [out, again] = proxies.each_ref().map(|proxy| proxy.from_server(frame).frame);
        assert_eq!(out, again, "not deterministic");
        same_answers(frame, &out, &WordPunctuation);
        out.into_owned()
    };
    let mut waiting: Vec<(Value, &str)> = Vec::new();
    for step in 0..random.below(24) {
        match random.below(6) {
            0 | 1 => {
                let id = match random.below(8) {
                    // An id that is under way already.
                    0 if !waiting.is_empty() => waiting[random.below(waiting.len())].0.clone(),
                    1..=3 => json!(step.to_string()),
                    _ => json!(step),
                };
                let method = ["tools/call", "tools/call", "tools/list", "ping"][random.below(4)];
                for proxy in &proxies {
                    ask(proxy, &id, method);
                }
                waiting.push((id, method));
            }
            2 => {
                let nobody = message(&json!("nobody"), &result(&mut random)).to_string();
                let progress = r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{}}"#;
                let frame = ["banner", "{\"jsonrpc\":", progress, &nobody][random.below(4)];
                assert_eq!(
                    comes(frame.as_bytes()),
                    frame.as_bytes(),
                    "what nobody asked for is changed"
                );
            }
            3 if random.below(4) == 0 => proxies.iter().for_each(|proxy| proxy.server_passed(&[])),
            _ if waiting.is_empty() => {}
            kind => {
                let count = if kind == 5 { 1 + random.below(waiting.len()) } else { 1 };
                let mut messages = Vec::new();
                for _ in 0..count {
                    let (id, method) = waiting.swap_remove(random.below(waiting.len()));
                    let result = match method {
                        "tools/call" => result(&mut random),
                        "tools/list" => {
                            let mut tool = json!({"name": "rows", "inputSchema": {"type": "object"}, "outputSchema": {}});
                            match random.below(3) {
                                0 => {}
                                1 => tool["description"] = value(&mut random, 2),
                                _ => {
                                    tool["description"] =
                                        json!(["", "rows\n", "\"r\" \\ ü"][random.below(3)]);
                                }
                            }
                            json!({"tools": [tool, {"name": "read_rows"}]})
                        }
                        _ => json!({}),
                    };
                    messages.push(message(&id, &result));
                }
                let frame = if kind == 5 { Value::Array(messages) } else { messages.remove(0) };
                let frame = match random.below(2) {
                    0 => frame.to_string(),
                    _ => format!("{frame:#}").replace('\n', " "),
                };
                comes(frame.as_bytes());
            }
        }
    }
}

fn message(id: &Value, result: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

/// The bytes as one number.
pub(crate) fn seed(data: &[u8]) -> u64 {
    data.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn options(structured: Structured) -> Options {
    Options::new(WordPunctuation).structured(structured)
}

fn proxy(structured: Structured) -> Proxy {
    Proxy::new(options(structured))
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

pub(crate) fn value(random: &mut Random, depth: usize) -> Value {
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
