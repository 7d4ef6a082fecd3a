//! The model's view of an answer (rulings M10, M11, M16, M17): never more tokens than of the
//! server's own, for any client and policy.

#![allow(clippy::unwrap_used)] // helpers of tests

use proptest::prelude::*;
use serde_json::{Value, json};
use wire_core::TokenCounter;
use wire_core::number::Digits;
use wire_mcp::{
    CallRecord, Catalog, Clients, Format, Limits, Options, Policy, Proxy, Rule, Shows, Structured,
    View,
};

use crate::COUNTER;

/// One name of each client that has one, and two that identify none.
fn names() -> Vec<String> {
    let known = Clients::known().clients.iter().filter_map(|client| client.names.first());
    known.map(|name| name.replace('*', "my-server")).chain(["mcp", "x"].map(Into::into)).collect()
}

/// The views of a client.
fn views(name: &str) -> Vec<&'static Shows> {
    let table = Clients::known();
    match table.named(name).and_then(|client| client.shows.as_ref()) {
        Some(shows) => vec![&shows.what],
        None => {
            // Gemini CLI says its name.
            let shows = table.clients.iter().filter_map(|client| client.shows.as_ref());
            shows
                .map(|said| &said.what)
                .filter(|shows| shows.separator.as_ref().is_none_or(|text| text.len() < 3))
                .collect()
        }
    }
}

/// The model's text of a result.
fn shown(shows: &Shows, result: &Value) -> Vec<String> {
    let texts: Vec<String> = result["content"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|block| Some(block["text"].as_str()?.to_owned()))
        .collect();
    let said = result.get("structuredContent").map(|value| spelled(shows, value));
    let joined = |texts: Vec<String>| match &shows.separator {
        None => texts,
        Some(separator) => vec![texts.join(separator)],
    };
    let minified = |text: String| match serde_json::from_str::<Value>(&text) {
        Ok(value) if shows.minifies => value.to_string(),
        _ => text,
    };
    match (shows.view, said) {
        (View::Array, _) => vec![result["content"].to_string()],
        (View::Result, _) => vec![spelled(shows, result)],
        (View::Structured, Some(said)) => vec![said],
        (View::Both, Some(said)) => {
            let texts = joined(texts);
            match &*texts {
                [text] if shows.one_copy && *text == said => vec![said],
                [text] if shows.separator.as_deref() == Some("\n") => {
                    vec![format!("{said}\n{text}")]
                }
                [text] if shows.separator.is_some() => vec![format!("{text}\n\n{said}")],
                _ => [texts, vec![said]].concat(),
            }
        }
        (View::Texts | View::Structured | View::Both, _) => {
            let is_one = texts.len() == 1 || shows.separator.is_none();
            let minified = |text| if is_one { minified(text) } else { text };
            joined(texts.into_iter().map(minified).collect())
        }
        (other, _) => panic!("{other:?}"),
    }
}

/// A value as a client minifies it: one that joins blocks by nothing has `serde_json`, and all others
/// have JavaScript, whose numbers are doubles and lose the `.0`.
fn spelled(shows: &Shows, value: &Value) -> String {
    fn in_doubles(value: &Value) -> Value {
        match value {
            Value::Number(number) => {
                let double = Digits::new().shortest(number.as_f64().unwrap()).to_owned();
                serde_json::from_str(&double).unwrap()
            }
            Value::Array(items) => items.iter().map(in_doubles).collect(),
            Value::Object(members) => {
                members.iter().map(|(name, value)| (name.clone(), in_doubles(value))).collect()
            }
            other => other.clone(),
        }
    }
    let is_serde = shows.separator.as_deref() == Some("");
    if is_serde { value.to_string() } else { in_doubles(value).to_string() }
}

fn tokens(shows: &Shows, result: &Value) -> usize {
    shown(shows, result).iter().map(|text| COUNTER.count(text)).sum()
}

/// A proxy of a client to which the tool `t` was listed, and the list as it got it.
fn listed(options: Options, client: &str, tool: &Value) -> (Proxy, Value) {
    let proxy = Proxy::new(options);
    let hello =
        json!({"id": 0, "method": "initialize", "params": {"clientInfo": {"name": client}}});
    proxy.from_client(hello.to_string().as_bytes());
    proxy.from_client(br#"{"id":1,"method":"tools/list"}"#);
    let list = json!({"id": 1, "result": {"tools": [tool]}}).to_string();
    let list = serde_json::from_slice::<Value>(&proxy.from_server(list.as_bytes()).frame).unwrap();
    (proxy, list["result"]["tools"][0].clone())
}

fn call(proxy: &Proxy, meta: &Value, result: &str) -> (String, Option<CallRecord>) {
    let call = json!({"id": 2, "method": "tools/call", "params": {"name": "t", "_meta": meta}});
    proxy.from_client(call.to_string().as_bytes());
    let frame = format!("{{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{result}}}");
    let actions = proxy.from_server(frame.as_bytes());
    let out = String::from_utf8(actions.frame.into_owned()).unwrap();
    let out = out.strip_prefix("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":").unwrap();
    (out.strip_suffix('}').unwrap().to_owned(), actions.calls.into_iter().next())
}

fn options(structured: Structured) -> Options {
    Options::new(COUNTER).structured(structured).statistics(true)
}

fn tool() -> Value {
    json!({"name": "t", "inputSchema": {"type": "object"}, "outputSchema": {"type": "object"}})
}

/// The result that a client gets under a policy, of a tool with an `outputSchema`.
fn through(client: &str, structured: Structured, result: &Value) -> Value {
    let (proxy, _) = listed(options(structured), client, &tool());
    serde_json::from_str(&call(&proxy, &Value::Null, &result.to_string()).0).unwrap()
}

fn text(text: impl Into<String>) -> Value {
    json!({"type": "text", "text": text.into()})
}

fn rows(count: usize) -> Value {
    (0..count).map(|n| json!({"id": n, "name": format!("item {n}"), "open": true})).collect()
}

fn values() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (0..100i64).prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1000..1000i32).prop_map(|n| json!(f64::from(n) / 8.0)),
        "[a-z ]{0,8}".prop_map(Value::from),
        "[ -~\n\t\u{e9}\"\\\\]{0,8}".prop_map(Value::from),
    ];
    scalar.prop_recursive(3, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map("[a-z]{1,4}", inner.clone(), 0..5)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
            prop::collection::vec(
                prop::collection::btree_map("[a-c]", inner, 1..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
                1..6
            )
            .prop_map(Value::from),
        ]
    })
}

/// A value as servers write it.
fn written(value: &Value, layout: usize) -> String {
    match (value, layout % 3) {
        (Value::String(text), _) => text.clone(),
        (value, 0) => value.to_string(),
        (value, 1) => format!("{value:#}"),
        (value, _) => value.to_string().replace("\":", "\": ").replace(",\"", ", \""),
    }
}

/// Results as servers send them: one block, a block an item, a summary before the data, with
/// `structuredContent` that says the same, wraps it, says something else, or is absent.
fn results() -> impl Strategy<Value = Value> {
    (values(), 0..3usize, 0..4usize, 0..6usize).prop_map(|(value, layout, blocks, said)| {
        let content = match (blocks, &value) {
            (0, Value::Array(items)) => {
                items.iter().map(|item| text(written(item, layout))).collect()
            }
            (1, value) => vec![text("3 items"), text(written(value, layout))],
            (2, value) => vec![text(written(value, layout)), json!({"type": "image", "data": ""})],
            (_, value) => vec![text(written(value, layout))],
        };
        let mut result = json!({"content": content});
        match said {
            0 | 1 if value.is_object() => result["structuredContent"] = value,
            0..=2 => result["structuredContent"] = json!({"result": value}),
            3 => result["structuredContent"] = json!({"more": 1}),
            4 => result["_meta"] = json!({"a": 1}),
            _ => {}
        }
        result
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn no_view_grows(result in results(), formats in prop::sample::subsequence(Format::ALL, 1..=3)) {
        for client in names() {
            // A text that is written where there is none is a cost.
            for structured in Structured::ALL.iter().filter(|policy| **policy != Structured::Text) {
                let options = options(*structured).formats(&formats);
                let (proxy, _) = listed(options, &client, &tool());
                let (out, _) = call(&proxy, &Value::Null, &result.to_string());
                let out = serde_json::from_str(&out).unwrap();
                for shows in views(&client) {
                    let (came, went) = (tokens(shows, &result), tokens(shows, &out));
                    prop_assert!(
                        went <= came,
                        "{client}, {structured:?}, {shows:?}: {came} became {went}\n{result}\n{out}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_schema_that_is_seen_keeps_the_text_json(value in values(), layout in 0..3usize) {
        let result = json!({"content": [text(written(&value, layout))]});
        for client in names() {
            let out = through(&client, Structured::Keep, &result);
            let (came, went) = (&result["content"][0]["text"], &out["content"][0]["text"]);
            let parsed = |text: &Value| serde_json::from_str::<Value>(text.as_str().unwrap());
            prop_assert!(came == went || parsed(came).unwrap() == parsed(went).unwrap());
        }
    }

    #[test]
    fn calls_of_programs_and_tools_with_a_widget_pass_byte_for_byte(
        result in results(),
        structured in prop::sample::select(Structured::ALL.to_vec()),
    ) {
        let raw = format!("{result:#}").replace('\n', " ");
        for client in names() {
            let options = || options(structured).format_argument(true);
            let (proxy, _) = listed(options(), &client, &tool());
            let (out, _) = call(&proxy, &json!({"callId": "exec-5f"}), &raw);
            prop_assert_eq!(&out, &raw, "{}", &client);
            for meta in [
                json!({"ui": {"resourceUri": "ui://w"}}),
                json!({"ui/resourceUri": "ui://w"}),
                json!({"openai/outputTemplate": "ui://w"}),
                json!({"ui": {"visibility": ["app"]}}),
            ] {
                let mut bound = tool();
                bound["_meta"] = meta.clone();
                let (proxy, seen) = listed(options(), &client, &bound);
                prop_assert_eq!(seen, bound, "{}", &client);
                prop_assert_eq!(&call(&proxy, &Value::Null, &raw).0, &raw, "{}", &client);
                // The result alone says it.
                let mut result = result.clone();
                result["_meta"] = meta;
                let (proxy, _) = listed(options(), &client, &tool());
                let (out, _) = call(&proxy, &Value::Null, &result.to_string());
                prop_assert_eq!(out, result.to_string(), "{}", &client);
            }
        }
    }
}

#[test]
fn a_client_without_a_session_has_what_the_server_said() {
    let catalog = Catalog::new(&Limits::DEFAULT);
    let exchange = |frames: [&str; 2]| {
        let proxy = Proxy::with_catalog(options(Structured::Drop), &catalog).for_one_exchange();
        proxy.from_client(frames[0].as_bytes());
        String::from_utf8(proxy.from_server(frames[1].as_bytes()).frame.into_owned()).unwrap()
    };
    let call = |tool: &str| {
        let asked = format!(r#"{{"id":2,"method":"tools/call","params":{{"name":"{tool}"}}}}"#);
        let result = json!({"content": [text(format!("{:#}", rows(9)))]});
        let frame = json!({"id": 2, "result": result}).to_string();
        (exchange([&asked, &frame]), frame)
    };
    let is_form = |frame: String| frame.contains("GCX1") || frame.contains("GCF");
    assert!(is_form(call("widget").0) && is_form(call("declared").0));
    let list = r#"{"id":1,"result":{"tools":[{"name":"widget","_meta":{"ui":{}}},{"name":"declared","outputSchema":{}},{"name":"free"}]}}"#;
    assert_eq!(exchange([r#"{"id":1,"method":"tools/list"}"#, list]), list);
    let (widget, came) = call("widget");
    assert_eq!(widget, came);
    let (declared, came) = call("declared");
    assert!(!is_form(declared.clone()) && declared.len() < came.len(), "{declared}");
    assert!(is_form(call("free").0));
}

#[test]
fn a_list_that_was_not_read_tells_of_widgets_and_schemas() {
    let list = r#"[{"name":"t","outputSchema":{},"_meta":META},{"name":"twice","name":"twice"}]"#;
    let result = json!({"content": [text(format!("{:#}", rows(9)))]}).to_string();
    // One of its tools can't be read; or nobody asked for it.
    for id in ["1", "7"] {
        for (meta, is_bound) in [("{\"ui\":{}}", true), ("{}", false)] {
            let proxy = Proxy::new(options(Structured::Drop));
            proxy.from_client(br#"{"id":1,"method":"tools/list"}"#);
            let tools = list.replace("META", meta);
            let frame = format!("{{\"id\":{id},\"result\":{{\"tools\":{tools}}}}}");
            assert_eq!(&*proxy.from_server(frame.as_bytes()).frame, frame.as_bytes());
            let (out, _) = call(&proxy, &Value::Null, &result);
            assert_eq!(out == result, is_bound, "{out}");
            assert!(!out.contains("GCX1") && !out.contains("GCF"), "{out}");
        }
    }
}

#[test]
fn a_schema_that_was_removed_frees_the_text() {
    let result = json!({"content": [text(format!("{:#}", rows(9)))]});
    let is_form = |out: Value| !out["content"][0]["text"].as_str().unwrap().starts_with('[');
    for client in names().iter().filter(|name| *name != "codemode-proxy") {
        assert!(!is_form(through(client, Structured::Keep, &result)), "{client}");
        assert!(is_form(through(client, Structured::Drop, &result)), "{client}");
    }
    // The blocks of a list stay apart: the client parses the first one.
    let blocks: Vec<Value> =
        rows(9).as_array().unwrap().iter().map(|row| text(format!("{row:#}"))).collect();
    let result = json!({"content": blocks});
    let out = through("gemini-cli-mcp-client", Structured::Keep, &result);
    assert_eq!(out["content"].as_array().unwrap().len(), 9);
    let first = out["content"][0]["text"].as_str().unwrap();
    assert_eq!(serde_json::from_str::<Value>(first).unwrap(), rows(9)[0]);
}

#[test]
fn programs_are_told_apart_by_the_mark_alone() {
    let result = json!({"content": [text(format!("{:#}", rows(9)))], "structuredContent": {"result": rows(9)}});
    let came = result.to_string();
    let (proxy, seen) = listed(options(Structured::Drop), "codex-mcp-client", &tool());
    assert!(seen.get("outputSchema").is_none());
    for (meta, is_program) in [
        (json!({"callId": "exec-1"}), true),
        (json!({"callId": "call_exec-1"}), false),
        (json!({"callId": 1}), false),
        (json!({}), false),
        (Value::Null, false),
    ] {
        let (out, record) = call(&proxy, &meta, &came);
        assert_eq!(out == came, is_program, "{meta}");
        assert_eq!(record.unwrap().dropped, !is_program, "{meta}");
    }
    // Metadata that can't be read could have the mark.
    proxy.from_client(br#"{"id":2,"method":"tools/call","params":{"name":"t","_meta":{"callId":"a","callId":"exec-1"}}}"#);
    let frame = json!({"id": 2, "result": result}).to_string();
    assert_eq!(&*proxy.from_server(frame.as_bytes()).frame, frame.as_bytes());
    // The program's type is made from the schema, which stays unless `drop` was said.
    for structured in [Structured::Keep, Structured::Auto] {
        let (_, seen) = listed(options(structured), "codex-mcp-client", &tool());
        assert!(seen.get("outputSchema").is_some(), "{structured:?}");
    }
}

#[test]
fn copilot_and_qwen_code_show_one_copy_of_equal_ones() {
    let value = json!({"rows": rows(9), "count": 9});
    for client in ["copilot-cli", "qwen-cli-mcp-client-fake"] {
        let shown = |came: &str| {
            let result = json!({"content": [text(came)], "structuredContent": value});
            let out = through(client, Structured::Keep, &result);
            let shows = views(client)[0];
            (tokens(shows, &result), tokens(shows, &out))
        };
        let once = COUNTER.count(&value.to_string());
        assert_eq!(shown(&value.to_string()), (once, once), "{client}");
        let (came, went) = shown(&format!("{value:#}"));
        assert!(came > 2 * once && went == once, "{client}: {came} {went}");
    }
}

#[test]
fn a_double_without_a_fraction_is_one_copy_as_javascript_writes_it() {
    let result: Value = serde_json::from_str(
        r#"{"content":[{"type":"text","text":"{\"a\":[{\"a\":1.0}]}"}],"structuredContent":{"a":[{"a":1.0}]}}"#,
    )
    .unwrap();
    let out = through("qwen-cli-mcp-client-fake", Structured::Keep, &result);
    assert_eq!(out["content"][0], text(r#"{"a":[{"a":1}]}"#));
    let shows = views("qwen-cli-mcp-client-fake")[0];
    assert!(tokens(shows, &out) < tokens(shows, &result));
}

#[test]
fn a_form_begins_a_line_where_blocks_are_joined_by_nothing() {
    for (before, is_form) in [("9 items", false), ("9 items\n", true), ("", true)] {
        let result = json!({"content": [text(before), text(format!("{:#}", rows(9)))]});
        let out = through("copilot-cli", Structured::Drop, &result);
        let written = out["content"][1]["text"].as_str().unwrap();
        assert_eq!(!written.starts_with('['), is_form, "{before:?}: {written}");
        let out = through("opencode", Structured::Drop, &result);
        assert!(!out["content"][1]["text"].as_str().unwrap().starts_with('['));
    }
}

#[test]
fn limits_cut_no_more_than_of_the_answer_that_came() {
    let is_json = |out: &Value| out["content"][0]["text"].as_str().unwrap().starts_with('[');
    let through = |client: &str, result: &Value| through(client, Structured::Drop, result);
    let short = |count: usize| -> Value { (0..count).map(|n| json!({"n": n})).collect() };
    // OpenCode: 2,400 short rows are one line of JSON, but 2,401 lines of a table.
    let many = json!({"content": [text(short(2400).to_string())]});
    assert!(is_json(&through("opencode", &many)) && !is_json(&through("goose", &many)));
    let few = json!({"content": [text(short(1900).to_string())]});
    assert!(!is_json(&through("opencode", &few)));
    // A single line beyond its bytes is not shown at all.
    let wide = json!({"content": [text(rows(1500).to_string())]});
    assert!(wide.to_string().len() > 60_000 && !is_json(&through("opencode", &wide)));
    // Gemini CLI: many blocks are never cut, and one is.
    let blocks = |count: usize| {
        let row = |n: usize| text(json!({"id": n, "text": "x ".repeat(50)}).to_string());
        json!({"content": (0..count).map(row).collect::<Vec<_>>()})
    };
    let count = |out: &Value| out["content"].as_array().unwrap().len();
    assert_eq!(count(&through("gemini-cli-mcp-client", &blocks(900))), 900);
    assert_eq!(count(&through("gemini-cli-mcp-client", &blocks(90))), 1);
    assert_eq!(count(&through("goose", &blocks(900))), 1);
    // Claude Code: what it saves as a file for programs stays JSON.
    let large = json!({"content": [text(format!("{:#}", rows(9000)))]});
    assert!(is_json(&through("claude-code", &large)) && !is_json(&through("goose", &large)));
    let medium = json!({"content": [text(format!("{:#}", rows(1200)))]});
    assert!(medium.to_string().len() > 60_000 && !is_json(&through("claude-code", &medium)));
    // A tool can raise that limit.
    let mut raised = tool();
    raised["_meta"] = json!({"anthropic/maxResultSizeChars": 1_000_000});
    let (proxy, _) = listed(options(Structured::Drop), "claude-code", &raised);
    let out = call(&proxy, &Value::Null, &large.to_string()).0;
    assert!(!is_json(&serde_json::from_str(&out).unwrap()));
}

#[test]
fn a_text_is_written_where_there_is_none() {
    let said = json!({"result": rows(9)});
    let image = json!({"type": "image", "data": ""});
    for blocks in [vec![], vec![image.clone()]] {
        let result = json!({"content": blocks, "structuredContent": said});
        for client in names() {
            let out = through(&client, Structured::Text, &result);
            let shows = Clients::known().named(&client).and_then(|client| client.shows.as_ref());
            let sees_it = client == "codemode-proxy"
                || shows.is_some_and(|shows| {
                    matches!(shows.what.view, View::Structured | View::Both | View::Result)
                });
            assert_eq!(out == result, sees_it, "{client}: {out}");
            assert_eq!(out["structuredContent"], said);
            if !sees_it {
                let written = out["content"][0]["text"].as_str().unwrap();
                let decoded = gcx::decode_response(written).ok();
                let decoded = decoded.or_else(|| gcf::from_str(written).ok());
                assert_eq!(decoded, Some(rows(9)), "{written}");
                assert_eq!(out["content"].as_array().unwrap()[1..], blocks);
                let (proxy, _) = listed(options(Structured::Text), &client, &tool());
                let record = call(&proxy, &Value::Null, &result.to_string()).1.unwrap();
                assert!(record.content.went > record.content.came, "it is a cost");
            }
            assert_eq!(through(&client, Structured::Keep, &result), result);
        }
    }
    // A result with a text has it already.
    let result = json!({"content": [text("9 items")], "structuredContent": said});
    assert_eq!(through("opencode", Structured::Text, &result), result);
}

#[test]
fn a_summary_beside_the_value_does_not_keep_a_second_copy() {
    let said = json!({"result": rows(9)});
    let result =
        json!({"content": [text("9 items"), text(rows(9).to_string())], "structuredContent": said});
    for client in names() {
        let out = through(&client, Structured::Keep, &result);
        assert_eq!((&out["content"][0], &out["structuredContent"]), (&text("9 items"), &said));
    }
    let out = through("claude-code", Structured::Drop, &result);
    assert_eq!(out["content"][0], text("9 items"));
    assert_eq!(out.get("structuredContent"), None, "{out}");
    // What the texts don't say stays.
    let mut other = result.clone();
    other["structuredContent"]["more"] = json!(1);
    let out = through("claude-code", Structured::Drop, &other);
    assert_eq!(out["structuredContent"], other["structuredContent"]);
}

#[test]
fn an_empty_list_without_a_text_stays() {
    let result = json!({"content": [], "structuredContent": {"result": []}});
    for client in names() {
        assert_eq!(through(&client, Structured::Drop, &result), result, "{client}");
    }
}

#[test]
fn statistics_have_the_view_of_a_known_client() {
    let result = json!({"content": [text(format!("{:#}", rows(9)))], "structuredContent": {"result": rows(9)}});
    for client in names() {
        let (proxy, _) = listed(options(Structured::Drop), &client, &tool());
        let (out, record) = call(&proxy, &Value::Null, &result.to_string());
        let out: Value = serde_json::from_str(&out).unwrap();
        let known = Clients::known().named(&client).and_then(|client| client.shows.as_ref());
        let view = record.unwrap().view;
        assert_eq!(view.is_some(), known.is_some(), "{client}");
        if let Some((view, shows)) = view.zip(known) {
            let expected = (tokens(&shows.what, &result), tokens(&shows.what, &out));
            assert_eq!((view.came, view.went), expected, "{client}");
            assert!(view.minified <= view.came, "{client}");
        }
    }
}

#[test]
fn a_rule_overrides_the_table() {
    let rule = Rule::new().clients("codex*").unwrap().policy(Policy::Off);
    let (proxy, seen) = listed(options(Structured::Drop).rule(rule), "codex-mcp-client", &tool());
    assert_eq!(seen, tool());
    let result = json!({"content": [text(format!("{:#}", rows(9)))]}).to_string();
    assert_eq!(call(&proxy, &Value::Null, &result).0, result);
}
