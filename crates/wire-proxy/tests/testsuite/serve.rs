//! The engine behind gateways: what it answers to whom, byte by byte.

#![cfg(unix)]
#![allow(clippy::unwrap_used)] // helpers of tests

use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::fake::{LONG, Message, Proxy};

const ROWS: &str = "[{\"id\": 1, \"name\": \"Ann\"}, {\"id\": 2, \"name\": \"Bo\"}, {\"id\": 3, \"name\": \"Cy\"}]";

/// The text that is written for it.
fn written() -> Value {
    json!("GCF profile=generic\n## [3]{id,name}\n1|Ann\n2|Bo\n3|Cy\n")
}

fn rows() -> Value {
    json!([
        {"role": "user", "content": ROWS},
        {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "orders", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "1", "content": ROWS},
    ])
}

fn engine(options: &[&str]) -> Proxy {
    Proxy::serve(options, |command| command.env("TOKEN", "a b"))
}

fn post(engine: &Proxy, path: &str, body: &Value) -> Value {
    let answer = engine.send(&format!("POST {path}"), &[], &body.to_string());
    assert_eq!(answer.status(), 200, "{}", answer.text());
    serde_json::from_str(answer.text()).unwrap()
}

fn code(answer: &Message) -> (u16, Value) {
    let body: Value = serde_json::from_str(answer.text()).unwrap();
    (answer.status(), body["error"]["code"].clone())
}

#[test]
fn a_gateway_with_a_compressor_gets_as_many_rows() {
    let engine = engine(&[]);
    for name in ["messages", "input"] {
        let body = json!({name: rows(), "model": "m", "config": {"mode": "ccr"}, "more": [[]]});
        let answer = post(&engine, "/v1/compress", &body);
        let mut expected = rows();
        expected[2]["content"] = written();
        assert_eq!(answer[name], expected);
        let [before, after, saved] = ["tokens_before", "tokens_after", "tokens_saved"]
            .map(|name| answer[name].as_u64().unwrap());
        assert!(before > after && before - after == saved, "{answer}");
        assert!(answer["compression_ratio"].as_f64().is_some_and(|ratio| ratio < 1.0));
        assert_eq!(answer["transforms_applied"], json!(["wire"]));
    }
    for body in [
        json!({"messages": [{"role": "user", "content": "ping"}]}),
        json!({"messages": rows(), "config": {"frozen_message_count": 3}}),
        json!({"messages": rows(), "config": {"frozen_message_count": 3.0}}),
        json!({"messages": rows(), "config": {"frozen_message_count": 1e300}}),
        json!({"messages": rows(), "config": {"frozen_message_count": "3"}}),
        json!({"messages": "no rows"}),
    ] {
        let answer = post(&engine, "/v1/compress", &body);
        assert_eq!(answer["messages"], body["messages"]);
        assert_eq!((&answer["tokens_saved"], &answer["compression_ratio"]), (&json!(0), &json!(1)));
        assert_eq!(answer["transforms_applied"], json!([]));
    }
}

#[test]
fn a_guardrail_changes_conversations_and_results_but_no_answer_of_a_model() {
    let engine = engine(&[]);
    let ask = |body: Value| post(&engine, "/beta/litellm_basic_guardrail_api", &body);
    let request = json!({"input_type": "request", "structured_messages": rows(), "texts": [ROWS], "model": "m"});
    let answer = ask(request);
    assert_eq!(answer["action"], "GUARDRAIL_INTERVENED");
    assert_eq!(answer["structured_messages"][2]["content"], written());
    assert_eq!(answer["structured_messages"][0], rows()[0]);
    let result = json!({"input_type": "response", "structured_messages": null, "texts": ["é", ROWS], "model": null});
    let expected = json!({"action": "GUARDRAIL_INTERVENED", "texts": ["é", written()]});
    assert_eq!(ask(result), expected);
    for body in [
        json!({"input_type": "response", "texts": [ROWS], "model": "m"}),
        json!({"input_type": "request", "texts": [ROWS]}),
        json!({"input_type": "request", "structured_messages": [], "texts": []}),
        json!({"input_type": "response", "texts": [1]}),
        json!({}),
    ] {
        assert_eq!(ask(body.clone()), json!({"action": "NONE"}), "{body}");
    }
}

#[test]
fn repeats_are_references_only_if_asked_for() {
    let order = |status: &str| {
        let items: Vec<Value> = (0..9).map(|id| json!({"item": id, "price": 9 * id})).collect();
        json!({"order_id": "W7", "status": status, "items": items}).to_string()
    };
    let result = |text: &str| json!({"role": "tool", "name": "get_order", "content": text});
    let (first, second) = (order("pending"), order("cancelled"));
    let body = json!({"messages": [result(&first), result(&first), result(&second)]});
    let texts = |options: &[&str]| {
        let answer = post(&engine(options), "/v1/compress", &body);
        let rows = answer["messages"].as_array().unwrap().clone();
        rows.into_iter().map(|row| row["content"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let same = "Same as the last full result of get_order with order_id = \"W7\"";
    let alone = texts(&[]);
    assert!(alone.iter().all(|text| !text.starts_with("Same")), "{alone:?}");
    let repeat = format!("{same}.");
    let [first, _, second] = &*alone else { panic!("{alone:?}") };
    assert_eq!(texts(&["--repeats", "exact"]), [first, &repeat, second].map(String::as_str));
    let delta = format!("{same}, but for 1 change:\nstatus = \"cancelled\"\n");
    assert_eq!(texts(&["--repeats", "delta"]), [first, &repeat, &delta].map(String::as_str));
}

#[test]
fn a_result_comes_back_only_if_it_changes() {
    let engine = engine(&[]);
    let result = json!({"content": [{"type": "text", "text": ROWS}]});
    let changed = json!({"content": [{"type": "text", "text": written()}]});
    assert_eq!(post(&engine, "/v1/result", &result), changed);
    for same in ["", "no result", "{\"content\":[]}"] {
        let answer = engine.send("POST /v1/result", &[], same);
        assert_eq!((answer.status(), answer.text()), (200, ""), "{same}");
    }
    let result_of = |text: &str| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_wire-proxy"))
            .arg("result")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(serde_json::from_str::<Value>(&result_of(&result.to_string())).unwrap(), changed);
    assert_eq!(result_of("no result"), "");
}

#[test]
fn errors_have_a_code_and_a_length_and_no_contents() {
    let engine = engine(&["--frame-bytes", "1000"]);
    for (first, body, expected) in [
        ("POST /v1/compress", "{\"messages\":[\"secret\"", (400, "invalid_json", 21)),
        ("POST /v1/compress", "[[\"secret\"],null,null]", (400, "invalid_json", 22)),
        ("POST /v1/compress", "{\"secret\":1}", (400, "no_messages", 12)),
        ("POST /secret", "{}", (404, "not_found", 0)),
        ("PUT /v1/compress", "{}", (405, "method_not_allowed", 0)),
        ("POST /v1/compress", &"secret".repeat(200), (413, "too_large", 0)),
    ] {
        let answer = engine.send(first, &[], body);
        assert!(!answer.text().contains("secret"), "{}", answer.text());
        let error: Value = serde_json::from_str(answer.text()).unwrap();
        let (status, code, bytes) = expected;
        assert_eq!(answer.status(), status);
        assert_eq!(error["error"]["code"], code);
        assert_eq!(error["error"]["bytes"], bytes);
    }
    // A gateway takes any body for the result of the tool.
    let large = engine.send("POST /v1/result", &[], &"secret".repeat(200));
    assert_eq!((large.status(), large.text()), (413, ""));
    assert_eq!(large.header("x-wire-error"), Some("too_large"));
    let page = [("Origin", "https://other.example")];
    assert_eq!(code(&engine.send("POST /v1/compress", &page, "{}")), (403, json!("refused")));
    let host = [("Host", "other.example")];
    assert_eq!(code(&engine.send("POST /v1/compress", &host, "{}")), (403, json!("refused")));
}

/// Members that an endpoint does not read are not its business.
#[test]
fn a_name_that_is_there_twice_is_an_error_where_it_is_read() {
    let engine = engine(&[]);
    for (path, read, ignored) in [
        ("/v1/compress", "messages", "texts"),
        ("/v1/compress", "config", "model"),
        ("/beta/litellm_basic_guardrail_api", "structured_messages", "messages"),
        ("/beta/litellm_basic_guardrail_api", "model", "config"),
    ] {
        let ask = |name: &str| {
            let body = format!("{{\"input\":[],\"{name}\":[],\"{name}\":[]}}");
            engine.send(&format!("POST {path}"), &[], &body)
        };
        assert_eq!(code(&ask(read)), (400, json!("invalid_json")), "{path} {read}");
        assert_eq!(ask(ignored).status(), 200, "{path} {ignored}");
    }
}

#[test]
fn a_token_comes_in_any_of_three_headers() {
    let engine = engine(&["--token-env", "TOKEN"]);
    let body = json!({"messages": []}).to_string();
    let ask = |headers: &[(&str, &str)]| engine.send("POST /v1/compress", headers, &body).status();
    for header in
        [("Authorization", "bearer a b"), ("X-API-Key", "a b"), ("X-Headroom-Proxy-Token", "a b")]
    {
        assert_eq!(ask(&[header]), 200, "{header:?}");
    }
    for headers in [
        &[][..],
        &[("Authorization", "Basic a b")],
        &[("Authorization", "Bearer")],
        &[("x-api-key", "a")],
        &[("x-api-key", "")],
    ] {
        assert_eq!(ask(headers), 401, "{headers:?}");
    }
    assert_eq!(engine.send("GET /metrics", &[], "").status(), 401);
    assert_eq!(engine.send("GET /health", &[], "").status(), 200);
    assert_eq!(engine.send("GET /health", &[], "").text(), "{\"status\":\"ok\"}");
}

#[test]
fn what_is_counted_is_on_a_page_and_a_signal_ends_it() {
    let engine = engine(&["--log", "info"]);
    post(&engine, "/v1/compress", &json!({"messages": rows()}));
    let page = engine.send("GET /metrics", &[], "");
    for line in [
        "wire_proxy_requests_total{route=\"compress\",status=\"2xx\"} 1",
        "wire_proxy_results_total 1",
        "wire_proxy_rewritten_results_total 1",
    ] {
        assert!(page.text().lines().any(|other| other == line), "{}", page.text());
    }
    engine.signal("TERM");
    let (code, errors) = engine.end();
    assert_eq!(code, 128 + 15);
    assert!(errors.contains("results=1 changed=1") && !errors.contains("Ann"), "{errors}");
}

#[test]
fn more_requests_than_it_takes_are_refused_at_once() {
    let engine = engine(&[]);
    let head = format!(
        "POST /v1/compress HTTP/1.1\r\nHost: {}\r\nContent-Length: 20\r\n\r\n{{",
        engine.address()
    );
    // Some of them may be refused themselves, while another one is answered.
    let waiting: Vec<_> = (0..128)
        .map(|_| {
            let mut stream = engine.connect();
            stream.write_all(head.as_bytes()).unwrap();
            stream
        })
        .collect();
    let body = json!({"messages": []}).to_string();
    let ask = || engine.send("POST /v1/compress", &[], &body);
    // They may not have been read yet, or not have ended.
    let becomes = |status: u16| {
        let start = Instant::now();
        while ask().status() != status {
            assert!(start.elapsed() < LONG);
            thread::sleep(Duration::from_millis(10));
        }
    };
    becomes(503);
    assert_eq!(code(&ask()).1, "busy");
    assert_eq!(engine.send("GET /health", &[], "").status(), 200);
    drop(waiting);
    becomes(200);
}

#[test]
fn addresses_that_others_reach_need_a_token() {
    for (arguments, expected) in [
        (&["0.0.0.0:0"][..], "--token-env NAME"),
        (&["--token-env", "NO_TOKEN"], "expected the name of an environment variable"),
        (&["--token-env", "EMPTY"], "the variable is empty"),
        (&["--stats", "file"], "/metrics"),
        (&["--structured", "drop"], "for clients of MCP"),
        (&["nowhere"], "expected an address"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_wire-proxy"))
            .arg("serve")
            .args(arguments)
            .env("EMPTY", "")
            .output()
            .unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains(expected) && !errors.contains("NO_TOKEN"), "{errors}");
    }
}

/// A number on the page of counters.
fn counted(page: &Message, name: &str) -> usize {
    let of = |line: &str| line.strip_prefix("wire_proxy_")?.strip_prefix(name)?.trim().parse().ok();
    page.text().lines().find_map(of).unwrap()
}

/// A conversation that takes a while.
fn long(rows: u32) -> String {
    let rows: Vec<Value> = (0..rows).map(|id| json!({"id": id, "name": "x"})).collect();
    let content = Value::from(rows).to_string();
    json!({"messages": [{"role": "tool", "content": content}]}).to_string()
}

#[test]
fn work_that_nobody_waits_for_is_not_begun() {
    let engine = engine(&[]);
    let body = long(30_000);
    let waiting: Vec<_> = (0..64).map(|_| engine.ask("POST /v1/compress", &[], &body)).collect();
    thread::sleep(Duration::from_millis(200));
    drop(waiting);
    let start = Instant::now();
    while engine.send("POST /v1/compress", &[], "{\"messages\":[]}").status() != 200 {
        assert!(start.elapsed() < LONG);
        thread::sleep(Duration::from_millis(50));
    }
    let begun = counted(&engine.send("GET /metrics", &[], ""), "results_total");
    assert!(begun < 48, "{begun} of 64");
}

#[test]
fn work_that_has_begun_keeps_its_place_until_it_ends() {
    let engine = engine(&[]);
    let body = long(50_000);
    let page = || engine.send("GET /metrics", &[], "");
    let under_way = |page: &Message| counted(page, "requests_under_way");
    let waiting = engine.ask("POST /v1/compress", &[], &body);
    let start = Instant::now();
    while counted(&page(), "bytes_under_way") < body.len() {
        assert!(start.elapsed() < LONG);
    }
    // All of the body is there, and so the work begins.
    thread::sleep(Duration::from_millis(50));
    drop(waiting);
    let mut page_now = page();
    assert_eq!((under_way(&page_now), counted(&page_now, "results_total")), (1, 0));
    while under_way(&page_now) > 0 {
        assert!(start.elapsed() < LONG);
        page_now = page();
    }
    assert_eq!(counted(&page_now, "results_total"), 1);
}

#[test]
fn a_refusal_reaches_a_gateway_that_writes_first() {
    let engine = engine(&["--frame-bytes", "1000000"]);
    // The whole body is written before the answer is read.
    let body = "x".repeat(1_900_000);
    for (path, status) in [("/v1/compress", 413), ("/nowhere", 404), ("/v1/result", 413)] {
        assert_eq!(engine.send(&format!("POST {path}"), &[], &body).status(), status);
    }
    // Who waits for a word before it writes gets the answer instead.
    let waits = [("Expect", "100-continue"), ("Content-Length", "70000000")];
    assert_eq!(engine.send("POST /v1/compress", &waits, "").status(), 413);
}
