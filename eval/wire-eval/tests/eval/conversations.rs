//! Several calls in one conversation, and runs that are published.

use serde_json::{Value, json};

use crate::common::{Act, KEY, Place, Server};

const ASK: [&str; 7] =
    ["conversation", "--sizes", "10", "--log", "log.jsonl", "--concurrency", "1"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&ASK[..], more].concat()
}

#[test]
fn the_oracle_is_right_in_every_arm() {
    let place = Place::new();
    let report = place.run(&with(&["--backend", "mock"])).fine();
    let calls = place.calls("log.jsonl");
    assert!(
        calls.len() > 200 && calls.iter().all(|call| call["score"]["exact"] == true),
        "{report}"
    );
    insta::assert_snapshot!(report);
    for manner in ["wrong", "garbled"] {
        let place = Place::new();
        place.run(&with(&["--backend", "mock", "--mock", manner])).fine();
        assert!(place.calls("log.jsonl").iter().all(|call| call["score"]["lenient"] == false));
    }
}

/// What was said before is sent as messages of a conversation, and answers to it stay in the
/// context.
#[test]
fn turns_are_messages() {
    for (backend, price) in [("anthropic", "3.06"), ("openai", "3.06")] {
        let server = Server::start(|_, _| Act::Answer("10"));
        let place = Place::new();
        let arguments = [
            "--backend",
            backend,
            "--base-url",
            &server.address,
            "--model",
            "m",
            "--arms",
            "proxy",
            "--repeats",
            "1",
            "--price-input",
            "3",
            "--price-output",
            "20",
        ];
        let report = place.run(&with(&arguments)).fine();
        // A thousand prompt tokens and three of the answer, a thousand times.
        assert!(
            report.contains("price of 1,000 answers | median seconds |") && report.contains(price),
            "{report}"
        );
        assert!(report.contains("Prices as given for the run: 3 a million tokens of prompts, 20 a million tokens of answers"));
        let requests = server.requests();
        assert_eq!(requests.len(), place.calls("log.jsonl").len());
        let messages = |at: usize| requests[at].body["messages"].as_array().unwrap().clone();
        let first = messages(0);
        assert_eq!((first.len(), &first[0]["role"]), (1, &json!("user")));
        let text = first[0]["content"].as_str().unwrap();
        assert!(
            text.contains("Call 1, of list_customers, answered:\n\n<data>\nGCF profile=generic\n"),
            "{text}"
        );
        let last = messages(requests.len() - 1);
        assert_eq!(last.len(), 2 * requests.len() - 1);
        assert_eq!(
            (&last[0], &last[1]),
            (&first[0], &json!({ "role": "assistant", "content": "10" }))
        );
        assert_eq!(
            last.iter().filter(|message| message["content"].to_string().contains("<data>")).count(),
            3
        );
        assert!(
            last.last().unwrap()["content"]
                .as_str()
                .unwrap()
                .starts_with("Take the entry that you gave in answer ")
        );
        assert!(place.calls("log.jsonl").iter().all(|call| call["milliseconds"].is_u64()));
        assert!(!place.text("log.jsonl").contains(KEY));
    }
}

#[test]
#[cfg(unix)]
fn programs_are_told_all_of_it() {
    let place = Place::new();
    let arguments =
        ["--command", "sh -c 'cat >> prompts.txt; echo 10'", "--arms", "json", "--repeats", "1"];
    place.run(&with(&arguments)).fine();
    let prompts = place.text("prompts.txt");
    assert!(prompts.contains("Your answer was:\n\n10\n\n"), "{prompts}");
}

#[test]
fn frames_and_files_are_conversations() {
    let place = Place::new();
    let issues: Vec<Value> = (0..5)
        .map(|n| json!({ "number": 40 + n, "title": format!("Fix {n}"), "user": { "login": format!("u{}", n % 2) }, "open": n > 2 }))
        .collect();
    let frame = |id: usize, value: &Value| {
        let call = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": "list_issues" } });
        let text = json!({ "type": "text", "text": value.to_string() });
        format!(
            "{call}\n{}\n",
            json!({ "jsonrpc": "2.0", "id": id, "result": { "content": [text] } })
        )
    };
    let frames = frame(1, &issues.clone().into())
        + &frame(2, &json!("prose"))
        + &frame(3, &json!({ "page": 7 }));
    std::fs::write(place.path("mcp.jsonl"), frames).unwrap();
    std::fs::write(place.path("issues.json"), Value::from(issues.clone()).to_string()).unwrap();
    let lines: Vec<String> = issues.iter().map(Value::to_string).collect();
    std::fs::write(place.path("lines.jsonl"), lines.join("\n")).unwrap();
    std::fs::write(place.path("empty.json"), "{}").unwrap();
    let files = ["mcp.jsonl", "issues.json", "lines.jsonl", "empty.json"];
    let ran = place.run(
        &[&["conversation", "--backend", "mock", "--log", "log.jsonl", "--input"][..], &files]
            .concat(),
    );
    let report = ran.fine();
    assert!(
        ran.stderr().contains("mcp.jsonl: 1 calls answered with no JSON, and are left out"),
        "{}",
        ran.stderr()
    );
    assert!(
        ran.stderr().contains("1 calls have nothing that a question can name"),
        "{}",
        ran.stderr()
    );
    let calls = place.calls("log.jsonl");
    assert!(calls.iter().all(|call| call["score"]["exact"] == true), "{report}");
    let asked = |dataset: &str, question: &str| {
        calls.iter().any(|call| call["material"] == dataset && call["question"] == question)
    };
    assert!(asked("mcp", "call_follow") && asked("mcp", "call_member"), "{report}");
    assert!(asked("issues+lines+empty", "call_earlier"), "{report}");

    for (name, text, says) in [
        (
            "prose.txt",
            "once upon a time",
            "prose.txt: it contains neither MCP frames nor a JSON array or object",
        ),
        (
            "none.jsonl",
            "{\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n",
            "none.jsonl: no call in it has an answer in JSON",
        ),
    ] {
        std::fs::write(place.path(name), text).unwrap();
        let said = place.run(&["conversation", "--backend", "mock", "--input", name]).failed(1);
        assert!(said.contains(says), "{said}");
    }
    let said = place.run(&["conversation", "--backend", "mock", "--input", "empty.json"]).failed(2);
    assert!(said.contains("there is nothing to ask"), "{said}");
}

#[test]
fn primers_are_arms() {
    let place = Place::new();
    std::fs::write(
        place.path("primer.txt"),
        "The data is a table: the first line names its parts.\n",
    )
    .unwrap();
    let primer = ["--primer", "gcx=primer.txt", "--backend", "mock", "--repeats", "1"];
    let report = place.run(&with(&primer)).fine();
    assert!(
        report.contains("| gcx+primer | 38") || report.contains("| gcx+primer | 19"),
        "{report}"
    );
    let log = place.text("log.jsonl");
    let prompts = log.lines().filter(|line| line.contains("the first line names its parts."));
    // It stands once, before the first call.
    assert_eq!(prompts.count(), 1);
    let single = [
        &["comprehension", "--families", "rows", "--sizes", "10", "--log", "single.jsonl"][..],
        &primer,
    ];
    let report = place.run(&single.concat()).fine();
    assert!(report.contains("| gcx+primer | 3 | 0 | 100.0 %"), "{report}");

    let said = place.run(&with(&["--primer", "xml=primer.txt", "--backend", "mock"])).failed(2);
    assert!(said.contains("--primer is of \"xml\", expected one of the arms json, "), "{said}");
    std::fs::write(place.path("primer.txt"), " \n").unwrap();
    let said = place.run(&with(&["--primer", "gcx=primer.txt", "--backend", "mock"])).failed(1);
    assert!(said.contains("primer.txt: it is not a primer"), "{said}");
}

#[test]
fn a_conversation_goes_on_where_it_was_stopped() {
    let place = Place::new();
    let failing =
        Server::start(|number, _| if number < 5 { Act::Answer("10") } else { Act::Status(401) });
    let arguments = |address: &str| -> Vec<String> {
        let more = [
            "--backend",
            "openai",
            "--base-url",
            address,
            "--model",
            "m",
            "--arms",
            "json",
            "--repeats",
            "1",
            "--resume",
        ];
        with(&more).into_iter().map(str::to_owned).collect()
    };
    let arguments = arguments(&failing.address);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    place.run(&arguments).failed(3);
    assert_eq!(place.calls("log.jsonl").len(), 5);
    let said = place.run(&arguments).failed(3);
    assert!(said.contains("5 are answered already"), "{said}");
}

#[test]
fn what_is_published_is_checked() {
    let place = Place::new();
    place.run(&with(&["--backend", "mock"])).fine();
    let single = [
        "comprehension",
        "--sizes",
        "10",
        "--backend",
        "mock",
        "--mock",
        "talkative",
        "--log",
        "single.jsonl",
    ];
    place.run(&single).fine();
    let logs = ["log.jsonl", "single.jsonl"];
    place.run(&[&["report"][..], &logs, &["--publish", "runs/mine"]].concat()).fine();
    let printed = place.run(&["verify", "runs"]).fine();
    assert_eq!(printed.lines().count(), 2, "{printed}");
    assert_eq!(place.run(&["verify", "runs/mine"]).fine(), printed);

    for (file, from, to, says) in [
        (
            "run-01.jsonl",
            "\"exact\":true",
            "\"exact\":false",
            "the score is not that of the answer",
        ),
        (
            "run-01.jsonl",
            "\"expected\":\"10\"",
            "\"expected\":\"11\"",
            "the expected answer is not what the data says",
        ),
        (
            "run-01.jsonl",
            "How many entries",
            "How many  entries",
            "the prompt does not have the digest",
        ),
        (
            "run-02.jsonl",
            "\"lenient\":true",
            "\"lenient\":false",
            "the score is not that of the answer",
        ),
        ("report.md", "100.0 %", "99.0 %", "it is not what the log says"),
    ] {
        let name = format!("runs/mine/{file}");
        let text = place.text(&name);
        let changed = text.replacen(from, to, 1);
        assert!(changed != text, "{from}");
        std::fs::write(place.path(&name), changed).unwrap();
        let said = place.run(&["verify", "runs"]).failed(1);
        assert!(said.contains(says) && said.contains(file), "{said}");
        std::fs::write(place.path(&name), text).unwrap();
    }
    // A call that is not there.
    let text = place.text("runs/mine/run-01.jsonl");
    let lines: Vec<&str> = text.lines().collect();
    std::fs::write(
        place.path("runs/mine/run-01.jsonl"),
        lines[..lines.len() - 1].join("\n") + "\n",
    )
    .unwrap();
    let said = place.run(&["verify", "runs"]).failed(1);
    let made = lines.iter().filter(|line| line.contains("\"record\":\"call\"")).count();
    assert!(said.contains(&format!("it has {} calls, expected {made}", made - 1)), "{said}");
    // Without the number, a repeat is missing.
    let unknown =
        lines[..lines.len() - 1].join("\n").replacen(&format!("\"calls\":{made},"), "", 1);
    std::fs::write(place.path("runs/mine/run-01.jsonl"), unknown + "\n").unwrap();
    let said = place.run(&["verify", "runs"]).failed(1);
    assert!(said.contains("was not asked 3 times"), "{said}");

    std::fs::create_dir(place.path("empty")).unwrap();
    let said = place.run(&["verify", "empty"]).failed(2);
    assert!(said.contains("there is no run in it"), "{said}");
}

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Lists of real services, and the session with an MCP server that the repository has.
#[test]
fn real_data_is_asked_about() {
    let files =
        ["payloads/transcripts/server-memory.jsonl", "payloads/real/tables/open_orders.json"]
            .map(|file| format!("{REPOSITORY}/fixtures/{file}"));
    let input = ["conversation", "--log", "log.jsonl", "--repeats", "1", "--concurrency", "1"];
    let input = [&input[..], &["--input", &files[0], &files[1]]].concat();

    let place = Place::new();
    let report = place.run(&[&input[..], &["--backend", "mock"]].concat()).fine();
    let calls = place.calls("log.jsonl");
    assert!(calls.iter().all(|call| call["score"]["exact"] == true), "{report}");
    let asked = |dataset: &str| calls.iter().filter(|call| call["material"] == dataset).count();
    assert_eq!((asked("server-memory"), asked("open_orders")), (105, 25), "{report}");

    let server = Server::start(|_, _| Act::Answer("10"));
    let place = Place::new();
    let provider = ["--backend", "openai", "--base-url", &server.address, "--model", "m"];
    let arms = ["--arms", "json,proxy"];
    place.run(&[&input[..], &provider, &arms].concat()).fine();
    let requests = server.requests();
    assert_eq!((requests.len(), place.calls("log.jsonl").len()), (52, 52));
    let has = |text: &str| requests.iter().any(|it| it.body["messages"].to_string().contains(text));
    // As the proxy sends them on, and as minified JSON.
    assert!(has("\\nGCF profile=generic\\n") && has("[{\\\"order_id\\\":58101,"));
}
