//! Conversations with a model: which texts of which rows change (ruling M20), and which results
//! become references to earlier ones (ruling M21).

#![allow(clippy::unwrap_used)] // helpers of tests

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use wire_core::json::Json;
use wire_core::{TokenCounter, WordPunctuation};
use wire_mcp::{Limits, Options, Repeats, chat};

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
fn a_call_is_read_in_each_way_that_clients_write_it() {
    let result = json!({"role": "tool", "tool_call_id": "1", "content": ROWS});
    let stays = |rows: &Value| went(rows) == *rows;
    let path = r#"{"path":"a.json"}"#;
    let load = |member: &str, call: Value| json!({"role": "assistant", member: call});
    let calls = |function: Value| load("tool_calls", json!([{"id": "1", "function": function}]));
    // Arguments may be an object, or a string with one.
    for arguments in [json!(path), json!({"path": "a.json"})] {
        let call = calls(json!({"name": "load", "arguments": arguments}));
        assert!(stays(&json!([call, result])), "{call}");
        let block = json!({"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "load", "input": arguments}]});
        assert!(stays(&json!([block, result])), "{block}");
    }
    let custom = load(
        "tool_calls",
        json!([{"id": "1", "type": "custom", "custom": {"name": "read_file", "input": "a"}}]),
    );
    assert!(stays(&json!([custom, result])));
    // The older member, and the name by which its result is found.
    let older = load("function_call", json!({"name": "load", "arguments": path}));
    assert!(stays(&json!([older, {"role": "function", "name": "load", "content": ROWS}])));
    // Frameworks write other things into `name`.
    for name in ["", "executor"] {
        let mut named = result.clone();
        named["name"] = json!(name);
        assert!(stays(&json!([calls(json!({"name": "read_file"})), named])), "{name}");
    }
    let error = json!([{"role": "tool", "is_error": true, "content": ROWS}]);
    assert!(stays(&error));
}

#[test]
fn a_call_that_can_not_be_read_may_be_any() {
    let result = json!({"role": "tool", "tool_call_id": "1", "content": ROWS});
    let is_changed = |before: &str| {
        let rows = format!("[{before},{result}]");
        chat::rewrite(&Options::new(WordPunctuation), &rows, 0).unwrap().changed == 1
    };
    let many = vec![json!({"id": "0", "function": {"name": "a"}}); 10_001];
    for before in [
        r#"{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"a","name":"read_file"}}]}"#,
        r#"{"role":"assistant","role":"assistant","tool_calls":[{"id":"1","function":{"name":"read_file"}}]}"#,
        r#"{"role":"assistant","tool_calls":[{"id":"1"}]}"#,
        &json!({"role": "assistant", "tool_calls": many}).to_string(),
    ] {
        assert!(!is_changed(before), "{before:.99}");
    }
    for before in [
        "null",
        r#"{"role":"user","content":"a"}"#,
        r#"{"role":"assistant","tool_calls":null,"function_call":null,"content":null}"#,
    ] {
        assert!(is_changed(before), "{before}");
    }
    let unclear = r#"{"role":"assistant","tool_calls":[{"id":"2"}]}"#;
    let clear = r#"{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"a"}}]}"#;
    assert!(is_changed(&format!("{unclear},{clear}")));
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

const ORDER: &str = r##"{"status":"pending","order_id":"#W7","total":10.50,"insured":true,"items":[{"sku":"a","price":5},{"sku":"b","price":7},{"sku":"c","price":9}],"paid":[{"by":"card","sum":3},{"by":"gift","sum":4}],"address":{"city":"Rome","zip":"00100"}}"##;
const SAME: &str = "Same as the last full result with order_id = \"#W7\"";

fn results(texts: &[&str]) -> Vec<Value> {
    texts.iter().map(|text| json!({"role": "tool", "content": text})).collect()
}

/// The texts of these results as they go on, and what is read in them.
fn repeated(repeats: Repeats, rows: &[Value]) -> (Vec<String>, Vec<Json<'static>>) {
    let options = Options::new(WordPunctuation).repeats(repeats);
    let rows = json!(rows).to_string();
    let went = chat::rewrite(&options, &rows, 0).unwrap().rows.unwrap_or(rows);
    let values: Vec<Value> = serde_json::from_str(&went).unwrap();
    let texts = values.iter().filter(|row| row["role"] == "tool");
    let texts = texts.map(|row| row["content"].as_str().unwrap().to_owned()).collect();
    (texts, chat::read(&went).unwrap())
}

/// What the last of these texts becomes.
fn last(texts: &[&str]) -> String {
    let (went, values) = repeated(Repeats::Delta, &results(texts));
    let alone = repeated(Repeats::Off, &results(texts)).1;
    assert_eq!(values, alone, "{went:?}");
    went.last().unwrap().clone()
}

#[test]
fn a_result_that_repeats_an_earlier_one_is_a_reference() {
    let changed = ORDER.replace("pending", "cancelled");
    let rows = results(&[ORDER, ORDER, &changed]);
    let (exact, _) = repeated(Repeats::Exact, &rows);
    assert_eq!(exact[1], format!("{SAME}."));
    assert!(!exact[0].starts_with("Same") && !exact[2].starts_with("Same"), "{exact:?}");
    let (delta, values) = repeated(Repeats::Delta, &rows);
    assert_eq!(delta[1], exact[1]);
    assert_eq!(delta[2], format!("{SAME}, but for 1 change:\nstatus = \"cancelled\"\n"));
    assert_eq!(values[2], Json::parse(&changed).unwrap());
    assert_eq!(values[2].get("total").unwrap(), &Json::Number("10.50".into()));
    // The same digits are not needed, and no order of members.
    let spelled = r#"{"a": {"b": 1.0, "c": "x"}, "id": 100, "list": [1, 2, 3, 4, 5, 6, 7, 8, 9]}"#;
    let other = r#"{"id": 1e2, "list": [1, 2, 3, 4, 5, 6, 7, 8, 9], "a": {"c": "x", "b": 1}}"#;
    assert_eq!(last(&[spelled, other]), "Same as the last full result with id = 100.");
    // The name of the tool is that of the base.
    let row = |name: &str, text: &str| json!({"role": "tool", "name": name, "content": text});
    let rows = [row("get_order", ORDER), row("no name", &changed), row("update_order", ORDER)];
    let (named, _) = repeated(Repeats::Delta, &rows);
    let of = "Same as the last full result of get_order with order_id = \"#W7\"";
    assert_eq!(named[1], format!("{of}, but for 1 change:\nstatus = \"cancelled\"\n"));
    assert_eq!(named[2], format!("{of}."));
    assert_eq!(repeated(Repeats::Delta, &[row("no name", ORDER), row("x", ORDER)]).0[1], exact[1]);
    let (named, _) = repeated(Repeats::Delta, &[row("with", ORDER), row("x", ORDER)]);
    assert_eq!(named[1], "Same as the last full result of with with order_id = \"#W7\".");
}

#[test]
fn each_change_is_a_line() {
    for (from, to, lines) in [
        ("\"Rome\"", "null", "address.city = null"),
        ("\"price\":7", "\"price\":8", "items[1].price = 8"),
        ("\"insured\":true,", "", "without insured"),
        ("10.50", "10.50,\"more\":[ ]", "more = []"),
        (
            "\"sum\":4}",
            "\"sum\":4},{\"by\":\"x\"},{ }",
            "paid also has {\"by\":\"x\"}\npaid also has {}",
        ),
        ("{\"sku\":\"b\",\"price\":7},", "", "without items[1]"),
        (
            "{\"sku\":\"b\",\"price\":7},{\"sku\":\"c\",\"price\":9}",
            "{\"sku\":\"c\",\"price\":1}",
            "without items[1]\nitems[1].price = 1",
        ),
        ("{\"city\":\"Rome\",\"zip\":\"00100\"}", "\"Rome\"", "address = \"Rome\""),
    ] {
        let changed = ORDER.replace(from, to);
        assert_ne!(changed, ORDER);
        assert_eq!(last(&[ORDER, &changed]), format!("{SAME}{}", but(lines)));
    }
    let row = |n: usize| format!("{{\"id\":{n},\"name\":\"row {n}\"}}");
    let list =
        |rows: std::ops::Range<usize>| format!("[{}]", rows.map(row).collect::<Vec<_>>().join(","));
    let same = "Same as the last full result with [0].id = 1";
    let added = "rows also has {\"id\":20,\"name\":\"row 20\"}";
    assert_eq!(last(&[&list(1..20), &list(1..21)]), format!("{same}{}", but(added)));
    assert_eq!(last(&[&list(1..20), &list(1..19)]), format!("{same}{}", but("without [18]")));
}

/// How a reference goes on with these lines.
fn but(lines: &str) -> String {
    let count = lines.split('\n').count();
    format!(", but for {count} change{}:\n{lines}\n", if count == 1 { "" } else { "s" })
}

#[test]
fn odd_names_are_in_brackets() {
    let base = r#"{"a b":[{"x\"y":1}],"":2,"rows":[{"id":"i"}],"without":3,"a.b":4,"list":["a","b","c","d","e","f","g","h","i","j",["a","b","c","d","e","f","g","h","i","j"],["a","b","c","d","e","f","g","h","i","j"],["a","b","c","d","e","f","g","h","i","j"]]}"#;
    let changed = base
        .replace(":1", ":10")
        .replace(":2", ":20")
        .replace("{\"id\":\"i\"}", "{\"id\":\"i\"},{}")
        .replace(":3", ":30")
        .replace(":4", ":40");
    let lines = "[\"a b\"][0][\"x\\\"y\"] = 10\n[\"\"] = 20\nrows also has {}\nwithout = 30\n[\"a.b\"] = 40";
    let same = "Same as the last full result with rows[0].id = \"i\"";
    assert_eq!(last(&[base, &changed]), format!("{same}{}", but(lines)));
    let removed = base.replace("\"without\":3,", "");
    assert_eq!(last(&[base, &removed]), format!("{same}{}", but("without without")));
}

#[test]
fn equal_texts_without_json_are_references_too() {
    let log = "running 12 tests\n".to_owned() + &"test one ... ok\n".repeat(12);
    let expected = "Same text as the last full result that begins with \"running 12 tests\\ntest one ... ok\\ntest on\".";
    assert_eq!(last(&[&log, &log]), expected);
    assert_eq!(last(&[&log, &log, &log]), expected);
    // Another one begins with the same words.
    assert_eq!(last(&[&log, &format!("{log}more"), &log]), log);
    assert_eq!(last(&["not found", "not found"]), "not found");
}

#[test]
fn a_reference_names_a_full_result_that_is_near() {
    let changed = |status: &str| ORDER.replace("pending", status);
    let is_reference = |texts: &[&str]| last(texts).starts_with("Same as");
    // Other results between them.
    let others = |count: usize| -> Vec<String> { (0..count).map(|n| format!("not {n}")).collect() };
    for (count, is_near) in [(14, true), (15, false)] {
        let others = others(count);
        let mut texts = vec![ORDER];
        texts.extend(others.iter().map(String::as_str));
        texts.push(ORDER);
        assert_eq!(is_reference(&texts), is_near, "{count}");
    }
    // The second is a reference, so that the third is one to the first.
    let (second, third) = (changed("paid"), changed("sent"));
    let expected = format!("{SAME}, but for 1 change:\nstatus = \"sent\"\n");
    assert_eq!(last(&[ORDER, &second, &third]), expected);
    // What the base is named by has another value in a result after it.
    let other = r##"{"order_id":"#W7","status":"none of the other members"}"##;
    let named = "Same as the last full result with address.city = \"Rome\".";
    assert_eq!(
        last(&[ORDER, other, ORDER]),
        "Same as the last full result with status = \"pending\"."
    );
    let other = r##"{"order_id":"#W7","status":"pending","total":1}"##;
    assert_eq!(last(&[ORDER, other, ORDER]), named);
    // A text has few tokens, a difference many, or all members are other ones.
    assert!(!is_reference(&["{\"id\":7,\"a\":[1,2,3]}"; 2]));
    let letters = |from: u8| -> String {
        let members = (from..from + 20).map(|n| format!("\"k{n}\":[{n},{n}]"));
        format!("{{\"id\":1,{}}}", members.collect::<Vec<_>>().join(","))
    };
    assert!(!is_reference(&[&letters(0), &letters(20)]));
    assert!(!is_reference(
        &["[true,false,true,false,true,false,true,false,true,false,true,false,true,false,true,false]";
            2]
    ));
}

#[test]
fn what_stays_is_no_reference() {
    let row = |text: &str| json!({"role": "tool", "tool_call_id": "1", "content": text});
    let changed = ORDER.replace("pending", "paid");
    let file = call("read_text_file", &json!({"path": "a"}));
    let rows = [file, row(ORDER), row(ORDER), row(&changed)];
    assert_eq!(repeated(Repeats::Delta, &rows).0, [ORDER, ORDER, &changed]);
    let page = json!({"content": "line\n".repeat(60)}).to_string();
    assert_eq!(last(&[&page, &page]), page);
    // Errors are no results.
    let block = |is_error: bool| json!({"role": "user", "content": [{"type": "tool_result", "is_error": is_error, "content": ORDER}]});
    let options = Options::new(WordPunctuation).repeats(Repeats::Delta);
    let went = |options: &Options, rows: &Value, frozen| {
        let rows = rows.to_string();
        let chat = chat::rewrite(options, &rows, frozen).unwrap();
        (chat.rows.unwrap_or(rows).matches("Same as").count(), chat.changed)
    };
    assert_eq!(went(&options, &json!([block(true), block(false), block(true)]), 0).0, 0);
    assert_eq!(went(&options, &json!([block(false), block(false)]), 0).0, 1);
    // Frozen rows can be named.
    assert_eq!(went(&options, &json!([row(ORDER), row(ORDER), row(ORDER)]), 2), (1, 1));
    let dry = options.clone().dry_run(true);
    assert_eq!(went(&dry, &json!([row(ORDER), row(ORDER)]), 0).0, 0);
    // A text beyond the limit may have the member by which a base is named.
    let small = options.limits(Limits::DEFAULT.with_text_bytes(600));
    assert_eq!(went(&small, &json!([row(ORDER), row("x"), row(ORDER)]), 0).0, 1);
    assert_eq!(went(&small, &json!([row(ORDER), row(&"x".repeat(600)), row(ORDER)]), 0).0, 0);
}

#[test]
fn the_tokens_are_those_of_what_is_written() {
    let rows = results(&[ORDER, ORDER, &ORDER.replace("pending", "paid"), "not found"]);
    let options = Options::new(WordPunctuation).repeats(Repeats::Delta).statistics(true);
    let chat = chat::rewrite(&options, &json!(rows).to_string(), 0).unwrap();
    let count =
        |texts: &[String]| texts.iter().map(|text| WordPunctuation.count(text)).sum::<usize>();
    assert_eq!(chat.tokens.went, count(&repeated(Repeats::Delta, &rows).0));
}

/// The bytes that were counted.
struct Counted(Arc<AtomicUsize>);

impl TokenCounter for Counted {
    fn name(&self) -> &str {
        WordPunctuation.name()
    }

    fn count(&self, text: &str) -> usize {
        self.0.fetch_add(text.len(), Ordering::Relaxed);
        WordPunctuation.count(text)
    }
}

/// Which results are equal is found by their values alone.
#[test]
fn exact_repeats_count_no_more_where_nothing_repeats() {
    let bytes = Arc::new(AtomicUsize::new(0));
    let options = Options::new(Counted(Arc::clone(&bytes)));
    let counted = |repeats: Repeats, rows: &[Value]| {
        bytes.store(0, Ordering::Relaxed);
        chat::rewrite(&options.clone().repeats(repeats), &json!(rows).to_string(), 0).unwrap();
        bytes.load(Ordering::Relaxed)
    };
    let orders: Vec<String> =
        (0..9).map(|n| ORDER.replace("pending", &format!("status {n}"))).collect();
    let mut rows = results(&orders.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(counted(Repeats::Exact, &rows), counted(Repeats::Off, &rows));
    assert!(counted(Repeats::Delta, &rows) > counted(Repeats::Off, &rows));
    rows.push(rows[0].clone());
    assert!(counted(Repeats::Exact, &rows) > counted(Repeats::Off, &rows));
}

#[test]
fn a_text_that_is_no_reference_is_read_as_a_text() {
    let read = |text: &str| {
        let rows = json!(results(&[ORDER, text])).to_string();
        chat::read(&rows).unwrap().pop().unwrap()
    };
    for wrong in [
        "Same as the last full result",
        "Same as the last full result with order_id = \"#W7\"",
        "Same as the last full result with order_id = \"#W8\".",
        "Same as the last full result with order_id = #W7.",
        "Same as the last full result with  = \"#W7\".",
        "Same as the last full result with [\"order_id = \"#W7\".",
        "Same as the last full result with items[+0].price = 5.",
        "Same as the last full result with items[99999999999999999999].price = 5.",
        "Same as the last full result of get_order with order_id = \"#W7\".",
        "Same text as the last full result that begins with \"{\".",
        "Same text as the last full result that begins with 1.",
    ] {
        assert_eq!(read(wrong).as_str(), Some(wrong));
    }
    for line in [
        "",
        "status",
        "status =",
        "status = x",
        "= 1",
        "without",
        "without x",
        "without items[3]",
        "without status.x",
        "x.y = 1",
        "items[3] = 1",
        "items also has",
        "status also has 1",
        "rows also has 1",
        "status = 1\n",
        "a b = 1",
        "[] = 1",
        "[-1] = 1",
        ".a = 1",
    ] {
        let wrong = format!("{SAME}{}", but(line));
        assert_eq!(read(&wrong).as_str(), Some(&*wrong));
    }
    for wrong in [
        ", but for 2 changes:\nstatus = 1\n",
        ", but for 1 changes:\nstatus = 1\n",
        ", but for 1 change:\nstatus = 1\nstatus = 2\n",
        ", but for 0 changes:\n",
        ", but:\nstatus = 1\n",
    ] {
        assert!(read(&format!("{SAME}{wrong}")).as_str().is_some(), "{wrong}");
    }
    let many = |count: usize| format!("{SAME}{}", but(&vec!["status = 1"; count].join("\n")));
    assert!(read(&many(100)).as_object().is_some() && read(&many(101)).as_object().is_none());
    // A reference that is cut is none.
    let changed = ORDER.replace("pending", "a\\nb").replace("\"insured\":true,", "");
    let (texts, _) = repeated(Repeats::Delta, &results(&[ORDER, &changed]));
    let text = &texts[1];
    assert!(read(text).as_object().is_some() && text.matches('\n').count() == 3, "{text}");
    for end in 0..text.len() {
        assert!(read(&text[..end]).as_str().is_some(), "{}", &text[..end]);
    }
    for end in 0..=SAME.len() {
        assert!(read(&format!("{SAME}.")[..end]).as_str().is_some());
    }
    assert_eq!(chat::read("{}"), None);
    assert_eq!(chat::read(r#"[{"role":"tool","content":"\ud800"}]"#), Some(vec![Json::Null]));
}
