//! Python's `repr` of rows is data (ruling M18). Random values of a real Python are read by
//! `cargo xtask proxy`.

#![allow(clippy::unwrap_used)]

use serde_json::{Value, json};
use wire_core::TokenCounter;
use wire_mcp::{Call, Left, Options, repr_to_json, rewrite, says_the_same};

use crate::COUNTER;

fn rows(count: usize) -> String {
    let row = |id: usize| {
        format!("{{'id': {id}, 'name': 'it is {id}', 'price': {id}.5, 'open': True, 'due': None}}")
    };
    format!("[{}]", (0..count).map(row).collect::<Vec<_>>().join(", "))
}

fn of(result: &Value, tool: &str) -> Result<Value, Left> {
    let options = Options::new(COUNTER);
    let output = rewrite(&options, &Call::of(&[tool]), &result.to_string());
    output.result.map(|result| serde_json::from_str(&result).unwrap())
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap()
}

fn block(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}]})
}

#[test]
fn what_is_exactly_a_repr_is_read() {
    for (repr, json) in [
        ("[]", "[]"),
        ("{}", "{}"),
        ("[1, -2, 0]", "[1,-2,0]"),
        ("[1.0, -0.0, 1e+16, 1e-05, 0.0001, 1e+100]", "[1.0,-0.0,1e+16,1e-05,0.0001,1e+100]"),
        // Of two as near, the even one.
        ("[180174176309964.12, 1.5e-07]", "[180174176309964.12,1.5e-07]"),
        ("[123456789012345678901234567890]", "[123456789012345678901234567890]"),
        ("{'a': None, 'b': [True, False]}", r#"{"a":null,"b":[true,false]}"#),
        (r#"["it's", 'say "no"', 'it\'s "both"']"#, r#"["it's","say \"no\"","it's \"both\""]"#),
        (
            r"['a\nb\t\r\\', '\x00\x7f\xa0\u200b']",
            "[\"a\\nb\\t\\r\\\\\",\"\\u0000\u{7f}\u{a0}\u{200b}\"]",
        ),
        ("['é', '日本', '😀']", "[\"é\",\"日本\",\"😀\"]"),
        (r"['\U000e0001']", "[\"\u{e0001}\"]"),
    ] {
        assert_eq!(repr_to_json(repr).as_deref(), Some(json), "{repr}");
    }
    let deep = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(repr_to_json(&deep(127)).is_some() && repr_to_json(&deep(1_000_000)).is_none());
}

#[test]
fn what_is_nearly_a_repr_is_not() {
    for text in [
        "",
        "1",
        "'a'",
        "None",
        "[1,2]",
        "[1,  2]",
        "[ 1]",
        "[1 ]",
        "[1, ]",
        "[1, 2",
        "[1] ",
        "[1]\n",
        "(1, 2)",
        "[(1, 2)]",
        "{1: 2}",
        "{'a':1}",
        "{'a': 1, 'a': 2}",
        "{'a'}",
        "[b'x']",
        "[u'x']",
        "[nan]",
        "[inf]",
        "[1e400]",
        "[1.]",
        "[.5]",
        "[1.50]",
        "[1e5]",
        "[1e+5]",
        "[100000000000000000.0]",
        "[0.00001]",
        "[1e-5]",
        "[-0]",
        "[01]",
        "[+1]",
        "[1_000]",
        "[1j]",
        "[true]",
        "[null]",
        "[\"a\"]",
        r#"["it's \"both\""]"#,
        r"['it\'s']",
        r"['\a']",
        r"['\x41']",
        r"['\u0041']",
        r"['\xA0']",
        r"['\u00e9']",
        r"['\xe9']",
        r"['\ud800']",
        r"['\U00110000']",
        r"['\x0a']",
        "['\n']",
        "['\u{a0}']",
        "['\u{200b}']",
        "['\u{1faf6}']",
        r"['\U0001faf6']",
        "['\u{e000}']",
        "[...]",
        "[Decimal('1.50')]",
        "[datetime.date(2026, 1, 2)]",
        "[{'a': 1}, x]",
    ] {
        assert_eq!(repr_to_json(text), None, "{text}");
    }
}

#[test]
fn rows_as_python_prints_them_are_data() {
    let came = rows(20);
    let out = of(&block(&came), "read_query").unwrap();
    let value: Value = serde_json::from_str(&repr_to_json(&came).unwrap()).unwrap();
    assert!(says_the_same(&value.to_string(), text(&out)), "{out}");
    let tokens = |text: &str| COUNTER.count(text);
    assert!(tokens(text(&out)) * 2 < tokens(&came), "{out}");
    // What says the same in `structuredContent` does not keep it.
    let mut both = block(&came);
    both["structuredContent"] = json!({"result": came});
    assert!(of(&both, "read_query").is_ok());
    // Not what a model may have to quote, and not a part of a text.
    assert_eq!(of(&block(&came), "read_file"), Err(Left::File));
    assert_eq!(of(&block(&format!("Rows: {came}")), "t"), Err(Left::NoJson));
    let marked =
        json!({"content": [{"type": "text", "text": came, "annotations": {"priority": 1}}]});
    assert!(of(&marked, "t").is_err());
    let record = |text: &str| {
        let options = Options::new(COUNTER).statistics(true);
        rewrite(&options, &Call::of(&["t"]), &block(text).to_string()).record.unwrap()
    };
    assert!(record(&came).repr && !record("[{\"a\": 1}]").repr);
}

#[test]
fn a_program_that_reads_a_schema_gets_what_was_sent() {
    let proxy = wire_mcp::Proxy::new(Options::new(COUNTER));
    proxy.from_client(br#"{"id":1,"method":"tools/list"}"#);
    proxy.from_server(
        br#"{"id":1,"result":{"tools":[{"name":"t","outputSchema":{"type":"object"}}]}}"#,
    );
    proxy.from_client(br#"{"id":2,"method":"tools/call","params":{"name":"t"}}"#);
    let frame = json!({"id": 2, "result": block(&rows(20))}).to_string();
    assert_eq!(&*proxy.from_server(frame.as_bytes()).frame, frame.as_bytes());
}
