//! Conversations with a model (ruling M20): which texts of which rows change.

#![allow(clippy::unwrap_used)] // helpers of tests

use serde_json::{Value, json};
use wire_core::WordPunctuation;
use wire_mcp::{Options, chat};

const ROWS: &str = "[{\"id\": 1, \"name\": \"Ann\"}, {\"id\": 2, \"name\": \"Bo\"}, {\"id\": 3, \"name\": \"Cy\"}]";
const WRITTEN: &str = "GCF profile=generic\n## [3]{id,name}\n1|Ann\n2|Bo\n3|Cy\n";

/// The rows as they go on.
fn went(rows: &Value) -> Value {
    let text = rows.to_string();
    let chat = chat::rewrite(&Options::new(WordPunctuation), &text, 0).unwrap();
    chat.rows.map_or_else(|| rows.clone(), |rows| serde_json::from_str(&rows).unwrap())
}

fn call(name: &str, arguments: &Value) -> Value {
    let function = json!({"name": name, "arguments": arguments.to_string()});
    json!({"role": "assistant", "tool_calls": [{"id": "1", "type": "function", "function": function}]})
}

#[test]
fn results_change_in_the_rows_of_three_apis() {
    let part = |kind: &str, text: &str| json!({"type": kind, "text": text, "cache_control": {"type": "ephemeral"}});
    let image = json!({"type": "image", "source": {"data": ROWS}});
    let block =
        |content: Value| json!({"type": "tool_result", "tool_use_id": "1", "content": content});
    let rows = |text: &str| {
        json!([
            {"role": "system", "content": ROWS},
            {"role": "user", "content": ROWS},
            {"role": "assistant", "content": ROWS},
            {"role": "tool", "tool_call_id": "1", "content": text},
            {"role": "function", "name": "orders", "content": text},
            {"role": "tool", "tool_call_id": "1", "content": [part("text", text), image, part("text", text)]},
            {"role": "user", "content": [block(json!(text)), part("text", ROWS)]},
            {"role": "user", "content": [block(json!([part("text", text), image])), block(json!(text))]},
            {"type": "function_call_output", "call_id": "1", "output": text},
            {"type": "function_call_output", "call_id": "1", "output": [part("input_text", text)]},
        ])
    };
    assert_eq!(went(&rows(ROWS)), rows(WRITTEN));
}

#[test]
fn everything_else_stays_byte_for_byte() {
    for row in [
        json!({"role": "user", "content": [{"type": "tool_result", "is_error": true, "content": ROWS}]}),
        json!({"role": "user", "content": [{"type": "text", "text": ROWS}]}),
        json!({"role": "developer", "content": ROWS}),
        json!({"role": "tool", "content": {"text": ROWS}}),
        json!({"role": "tool", "content": [{"type": "input_text", "text": ROWS}]}),
        json!({"role": "tool", "content": [{"type": "text", "text": 1}]}),
        json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": ROWS}]}),
        json!({"type": "mcp_call", "output": ROWS}),
        json!([ROWS]),
        json!(null),
    ] {
        let rows = json!([row]);
        assert_eq!(went(&rows), rows);
    }
    let twice = format!(r#"[{{"role":"tool","role":"tool","content":{}}}]"#, json!(ROWS));
    assert_eq!(chat::rewrite(&Options::new(WordPunctuation), &twice, 0).unwrap().rows, None);
    // Bytes beside the text are those that came.
    let came = format!("[ {{\"role\" :\"tool\",\n\"n\":1.50e0,\"content\":{} }}\t]", json!(ROWS));
    let rows = chat::rewrite(&Options::new(WordPunctuation), &came, 0).unwrap().rows.unwrap();
    assert_eq!(rows, came.replace(&json!(ROWS).to_string(), &json!(WRITTEN).to_string()));
    for no_rows in ["", "{}", "1", "[", "[] []"] {
        assert_eq!(chat::rewrite(&Options::new(WordPunctuation), no_rows, 0), None, "{no_rows}");
    }
}

#[test]
fn a_call_before_the_result_says_what_the_tool_reads() {
    let result = json!({"role": "tool", "tool_call_id": "1", "content": ROWS});
    let is_changed = |rows: &[&Value]| went(&json!(rows)) != json!(rows);
    let call = |name: &str, path: &str| call(name, &json!({ "path": path }));
    assert!(is_changed(&[&call("orders", "orders"), &result]));
    assert!(!is_changed(&[&call("orders", "orders.json"), &result]));
    assert!(!is_changed(&[&call("read_text_file", "a"), &result]));
    // A later call with the same id is another one.
    assert!(is_changed(&[&call("read_text_file", "a"), &call("orders", "a"), &result]));
    assert!(is_changed(&[&result, &call("read_text_file", "a")]));
    let named = json!({"role": "tool", "name": "read_text_file", "content": ROWS});
    assert!(!is_changed(&[&named]));
    let use_of = |name: &str| json!({"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": name, "input": {"path": "a.json"}}]});
    let block = json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": ROWS}]});
    assert!(!is_changed(&[&use_of("orders"), &block]) && is_changed(&[&block]));
    let item = json!({"type": "function_call", "call_id": "1", "name": "read_text_file", "arguments": "{}"});
    let output = json!({"type": "function_call_output", "call_id": "1", "output": ROWS});
    assert!(!is_changed(&[&item, &output]) && is_changed(&[&output]));
}

#[test]
fn without_a_name_only_a_whole_text_is_data() {
    let repr = ROWS.replace('"', "'");
    for (text, is_named_only) in [
        (format!("Some rows:\n{ROWS}"), true),
        (json!({"result": format!("Some rows:\n{ROWS}")}).to_string(), true),
        (ROWS.to_owned(), false),
        (repr, false),
    ] {
        let result = json!({"role": "tool", "tool_call_id": "1", "content": text});
        let alone = json!([result]);
        assert_eq!(went(&alone) == alone, is_named_only, "{text}");
        let named = json!([call("orders", &json!({})), result]);
        assert_ne!(went(&named), named, "{text}");
    }
}

#[test]
fn frozen_rows_stay() {
    let rows = json!([
        {"role": "tool", "content": ROWS}, {"role": "tool", "content": ROWS}
    ]);
    let options = Options::new(WordPunctuation).statistics(true);
    for (frozen, changed) in [(0, 2), (1, 1), (2, 0), (9, 0)] {
        let chat = chat::rewrite(&options, &rows.to_string(), frozen).unwrap();
        assert_eq!((chat.results, chat.changed), (2, changed));
        assert_eq!(chat.rows.is_some(), changed > 0);
        assert_eq!(chat.tokens.came > chat.tokens.went, changed > 0);
    }
}

/// A limit on rows would break the beginning that a cache holds.
#[test]
fn a_long_conversation_is_rewritten_to_its_end() {
    let rows = json!(vec![json!({"role": "tool", "content": ROWS}); 10_500]);
    let chat = chat::rewrite(&Options::new(WordPunctuation), &rows.to_string(), 0).unwrap();
    assert_eq!(chat.changed, 10_500);
}
