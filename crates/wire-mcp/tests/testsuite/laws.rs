//! Laws: whatever comes, the client sees the same bytes, or an answer that says the same with no
//! more tokens. What they are held against is in the fuzz bodies.

#![allow(clippy::unwrap_used)] // helpers of tests

use proptest::prelude::*;
use serde_json::{Value, json};
use wire_core::TokenCounter;
use wire_fuzz_bodies::{chats, mcp_conversations, mcp_frames};
use wire_mcp::{Options, Proxy, Structured, left_verbatim};

use crate::COUNTER;

fn values() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_filter_map("finite", |n| n.is_finite().then(|| json!(n))),
        "[ -~]{0,12}".prop_map(Value::from),
        "\\PC{0,6}".prop_map(Value::from),
        "[|\t\n\r\"\\\\~^@#-]{0,4}".prop_map(Value::from),
    ];
    scalar.prop_recursive(4, 48, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map("[a-z ]{0,3}", inner.clone(), 0..6)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
            // Rows.
            prop::collection::vec(
                prop::collection::btree_map("[a-c]", inner, 1..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
                1..6
            )
            .prop_map(Value::from),
        ]
    })
}

/// Texts as tools write a value: indented as Python does it, minified, with escapes, with numbers
/// of any length.
fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        values().prop_map(|value| value.to_string()),
        values().prop_map(|value| format!("{value:#}")),
        values().prop_map(|value| value.to_string().replace(',', ", ").replace("ü", "\\u00fc")),
        (values(), "[1-9][0-9]{18,30}(\\.[0-9]{1,20})?(e-?[0-9]{1,3})?")
            .prop_map(|(value, number)| format!("[{{\"n\": {number}, \"v\": {value}}}]")),
        "[ -~]{0,30}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn frames(text in texts()) {
        mcp_frames(text.as_bytes());
    }

    #[test]
    fn answers_that_are_damaged(text in texts(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let block = json!([{"type": "text", "text": text}]);
        let frame = format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{{\"content\":{block},\"structuredContent\":{text}}}}}");
        mcp_frames(frame.as_bytes());
        let mut bytes = frame.into_bytes();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        mcp_frames(&bytes);
    }

    #[test]
    fn conversations(seed in any::<u64>()) {
        mcp_conversations(&seed.to_le_bytes());
    }

    #[test]
    fn never_more_tokens_than_came(value in values()) {
        for (text, others) in [(value.to_string(), format!("{value:#}")), (format!("{value:#}"), value.to_string())] {
            let proxy = Proxy::new(Options::new(COUNTER).structured(Structured::Keep));
            proxy.from_client(br#"{"id":1,"method":"tools/call","params":{"name":"t"}}"#);
            let frame = json!({"id": 1, "result": {"content": [{"type": "text", "text": text}]}}).to_string();
            let out: Value = serde_json::from_slice(&proxy.from_server(frame.as_bytes()).frame).unwrap();
            let out = out["result"]["content"][0]["text"].as_str().unwrap();
            let went = COUNTER.count(out);
            prop_assert!(went <= COUNTER.count(&text));
            if left_verbatim("t", "{}", &text).is_some() {
                prop_assert_eq!(out, text);
            } else if value.is_array() || value.is_object() {
                prop_assert!(wire_registry::is_near(went, COUNTER.count(&others), &COUNTER));
            }
        }
    }
}

proptest! {
    // Each is rewritten once for each row that it has.
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn conversations_with_a_model(seed in any::<u64>()) {
        chats(&seed.to_le_bytes());
    }
}

#[test]
fn numbers_beyond_doubles_stay() {
    let text = r#"{"a":["\"1e999",1000309]}"#;
    let block = json!([{"type": "text", "text": text}]);
    let said = text.replace("1000309", "-1.5E+309");
    let frame = format!(r#"{{"id":1,"result":{{"content":{block},"structuredContent":{said}}}}}"#);
    mcp_frames(frame.as_bytes());
    let proxy = Proxy::new(Options::new(COUNTER).structured(Structured::Drop));
    proxy.from_client(br#"{"id":1,"method":"tools/call","params":{"name":"t"}}"#);
    let out = proxy.from_server(frame.as_bytes());
    assert!(String::from_utf8_lossy(&out.frame).contains(&said));
}
