//! JSON inside texts (ruling M12): only the JSON changes, and the new text says the same.

#![allow(clippy::unwrap_used)] // helpers of tests

use proptest::prelude::*;
use serde_json::{Value, json};
use wire_core::TokenCounter;
use wire_mcp::{Options, Proxy, says_the_same};
use wire_tokens::Counter;

const COUNTER: Counter = Counter::O200kBase;
const ROWS: &str = "[\n  {\"id\": 1, \"name\": \"alpha\"},\n  {\"id\": 2, \"name\": \"beta\"},\n  {\"id\": 3, \"name\": \"gamma\"}\n]";
const FORM: &str = "GCF profile=generic\n## [3]{id,name}\n1|alpha\n2|beta\n3|gamma\n";

/// The client's text of a result.
fn through(client: &str, result: &Value) -> Value {
    let proxy = Proxy::new(Options::new(COUNTER));
    let hello =
        json!({"id": 0, "method": "initialize", "params": {"clientInfo": {"name": client}}});
    proxy.from_client(hello.to_string().as_bytes());
    proxy.from_client(br#"{"id":1,"method":"tools/call","params":{"name":"t"}}"#);
    let frame = json!({"id": 1, "result": result}).to_string();
    let out: Value = serde_json::from_slice(&proxy.from_server(frame.as_bytes()).frame).unwrap();
    out["result"].clone()
}

fn text_for(client: &str, text: &str) -> String {
    let result = json!({"content": [{"type": "text", "text": text}]});
    through(client, &result)["content"][0]["text"].as_str().unwrap().to_owned()
}

fn went(text: &str) -> String {
    text_for("x", text)
}

#[test]
fn forms_stand_where_the_json_stood() {
    for (before, after, form_before) in [
        ("Found 3 items:\n\n", "", "Found 3 items:\n\n"),
        ("Found: ", "", "Found: "),
        ("", "\n\nPage 1 of 3.", ""),
        ("", "\nPage 1 of 3.", ""),
        ("\u{feff}", "", "\u{feff}"),
        ("See\n```json\n", "\n```\n", "See\n```\n"),
        ("~~~~json\n", "\n~~~~", "~~~~\n"),
        ("<data>\n", "\n</data>", "<data>\n"),
        ("<data>", "</data>\nend", "<data>"),
    ] {
        let came = format!("{before}{ROWS}{after}");
        let out = went(&came);
        assert_eq!(out, format!("{form_before}{FORM}{after}"), "{came}");
        assert!(says_the_same(&came, &out) && !says_the_same(&out, &came));
        assert_eq!(went(&out), out, "rewritten twice");
    }
    let lines = "{\"id\": 1, \"name\": \"alpha\"}\n{\"id\": 2, \"name\": \"beta\"}\n{\"id\": 3, \"name\": \"gamma\"}";
    assert_eq!(went(&format!("Items:\n{lines}\n")), format!("Items:\n{FORM}\n"));
    // Copilot joins blocks with nothing, and reads forms at the start of a line alone.
    let minified = "Found: [{\"id\":1,\"name\":\"alpha\"},{\"id\":2,\"name\":\"beta\"},{\"id\":3,\"name\":\"gamma\"}]";
    assert_eq!(text_for("copilot-cli", &format!("Found: {ROWS}")), minified);
    // After the bracket there is no line end, so that a form could not end.
    assert_eq!(went(&format!("Found: {ROWS}<br>")), format!("{minified}<br>"));
}

#[test]
fn prose_and_code_stay() {
    let twice = "{\"a\": 1, \"a\": {\"b\": [1, 2]}}";
    for text in [
        "[ ] a task\n[x] another",
        "[1, 2] are the first, [ 3 ] the third.",
        "[1]: https://example.com",
        "[2026-01-01 10:00:00] INFO { \"a\" : 1 } done",
        "fn main() {\n    let x = [1, 2];\n}",
        "a { b [ c",
        "[ ]\n{ }",
        &format!("Twice:\n{twice}\n"),
        &format!("{{\"content\": \"{}\"}} \n", "text ".repeat(9)).replace("} ", "}\n\nend"),
        &format!("{FORM}\n{ROWS}"),
        &format!("x\n{ROWS} and more"),
    ] {
        assert_eq!(went(text), *text);
    }
    // A cell that looks like the end of a form.
    for cell in ["```", "</data>", "a\\n\\nb"] {
        let rows =
            format!("[\n {{\"a\": \"{cell}\", \"b\": 1}},\n {{\"a\": \"{cell}\", \"b\": 2}}\n]");
        let came = format!("```json\n{rows}\n```\n");
        assert!(says_the_same(&came, &went(&came)), "{came}");
    }
}

#[test]
fn texts_that_only_begin_like_json_are_read_in_linear_time() {
    const MANY: usize = 100_000;
    for text in [
        "[".repeat(MANY),
        "[\n".repeat(MANY),
        "{\"a\": ".repeat(MANY),
        "[1,\n".repeat(MANY),
        ": [\"".repeat(MANY),
        "<a>[".repeat(MANY),
        "[1]\n[ 2 ]\n".repeat(MANY / 10),
        format!("{}{}", "[\n".repeat(120), "{\"a\": 1},\n".repeat(MANY)),
        "GCX1 ".repeat(MANY),
        "[{\"a\":1,\"a\":\n".repeat(MANY),
    ] {
        assert!(says_the_same(&text, &went(&text)));
    }
}

/// The cases as servers send them: rows save what they save alone, whatever the words around them.
#[test]
fn what_servers_send() {
    let cases: Value = serde_json::from_str(include_str!("cases/json_in_text.json")).unwrap();
    let first = |result: &Value| result["content"][0]["text"].as_str().unwrap_or("").to_owned();
    let results = cases["results"].as_object().unwrap();
    let rows = COUNTER.count(&first(&through("x", &results["plain"])));
    for (tool, came) in results {
        let (out, text) = (through("x", came), first(came));
        match &**tool {
            "plain" | "prefix" | "suffix" | "fence" | "tags" | "ndjson" => {
                let start = text.find(['[', '{']).unwrap();
                let words = [&text[..start], &text[text.rfind([']', '}']).unwrap() + 1..]].concat();
                // A line end of the form, and what the words' ends join with.
                let most = rows + COUNTER.count(&words) + 2;
                let tokens = COUNTER.count(&first(&out));
                assert!(tokens <= most, "{tool}: {tokens}, not {most}: {out}");
            }
            "items_and_note" => {
                assert_eq!(first(&out), text.replace(": ", ":").replace(", ", ","), "{tool}");
            }
            "embedded" => {
                let mut of_file = came.clone();
                of_file["content"][0]["resource"]["uri"] = "file:///items.json".into();
                assert_eq!(through("x", &of_file), of_file);
                let with = |text: &str| {
                    let mut result = came.clone();
                    result["content"][0]["resource"]["text"] = text.into();
                    result
                };
                let form = out["content"][0]["resource"]["text"].as_str().unwrap();
                assert_eq!(out, with(form));
                let text = came["content"][0]["resource"]["text"].as_str().unwrap();
                assert!(form.starts_with("GC") && says_the_same(text, form), "{form}");
                // What is in a sentence is, too.
                let said = through("x", &with(&format!("Found 8 items:\n{text}")));
                assert_eq!(said, with(&format!("Found 8 items:\n{form}")));
            }
            // Strings that hold JSON.
            _ => assert_eq!(out, *came, "{tool}"),
        }
    }
}

#[test]
fn json_that_breaks_off_stays_with_what_is_in_it() {
    for text in [
        "[{\"a\": \"<p>[ 1, 2 ]</p>\"}, {\"b\": ",
        "[{\"a\": \"\\ud800\"}, \"<p>[ 1, 2 ]</p>\"]\nend",
        "Got: {\"a\": \"<p>[ 1, 2 ]</p>\", ...}\n",
        "[\n{\"a\": [ 1, 2 ]},\n{\"a\": [ 1, 2 ]}\n... (cut)",
        "{\n  data: [ 1, 2, 3 ]\n}",
        "Got: {'a': [ 1, 2 ]}\n[ 1, 2 ]",
        "GCF tool=t symbols=1\n[ 1, 2 ]\n",
    ] {
        assert_eq!(went(text), text);
    }
}

#[test]
fn json_that_has_no_form_leaves_the_others_theirs() {
    let fence =
        "{\"id\":1, \"more\":0, \"name\":null}\n{\"id\":\"```\", \"more\":0, \"name\":\"```\"}";
    let came = format!("{fence}\n\n{ROWS}");
    let out = went(&came);
    assert!(out.ends_with(&format!("\n\n{FORM}")) && says_the_same(&came, &out), "{out}");
    assert_eq!(went(&out), out);
}

fn prose() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ -~\n]{0,40}",
        Just("\n".to_owned()),
        Just("Found: ".to_owned()),
        Just("\n\n".to_owned()),
        Just("\n```json\n".to_owned()),
        Just("\n```\n".to_owned()),
        Just("<data>".to_owned()),
        Just("\n</data>\n".to_owned()),
        Just("\u{feff}".to_owned()),
        Just("2026-01-01 INFO [main] {x: [1]}\n".to_owned()),
        Just("- [ ] task\n[1](a)\n".to_owned()),
        Just("GCF profile=generic\n".to_owned()),
        Just("if (a) {\n  b = [1];\n}\n".to_owned()),
    ]
}

fn data() -> impl Strategy<Value = String> {
    let cell = prop_oneof![
        any::<i32>().prop_map(Value::from),
        "[ -~]{0,9}".prop_map(Value::from),
        prop_oneof![Just("```"), Just("a\n\nb"), Just("</data>"), Just("\n"), Just("GCX1 ")]
            .prop_map(Value::from),
        Just(Value::Null),
    ];
    let row = prop::collection::vec(cell, 3)
        .prop_map(|cells| json!({"id": cells[0], "name": cells[1], "more": cells[2]}));
    (prop::collection::vec(row, 1..8), 0..4).prop_map(|(rows, kind)| match kind {
        0 => json!(rows).to_string(),
        1 => format!("{:#}", json!(rows)),
        2 => format!("{:#}", rows[0]),
        _ => rows
            .iter()
            .map(|row| row.to_string().replace(",\"", ", \""))
            .collect::<Vec<_>>()
            .join("\n"),
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn prose_with_json_in_it(pieces in prop::collection::vec((prose(), prop::option::of(data())), 1..5)) {
        let came: String = pieces.iter().flat_map(|(prose, data)| [&**prose, data.as_deref().unwrap_or("")]).collect();
        for client in ["x", "copilot-cli", "@cline/core"] {
            let out = text_for(client, &came);
            let is_json = serde_json::from_str::<Value>(&came).is_ok();
            prop_assert!(is_json || says_the_same(&came, &out), "{came:?} became {out:?}");
            // Clients show the text, Cline its escaped JSON.
            let shown = |text: &str| match client {
                "@cline/core" => COUNTER.count(&json!([{"type": "text", "text": text}]).to_string()),
                _ => COUNTER.count(text),
            };
            prop_assert!(shown(&out) <= shown(&came), "{came:?} became {out:?}");
            if client == "x" {
                prop_assert_eq!(text_for(client, &out), out, "rewritten twice");
            }
        }
    }
}
