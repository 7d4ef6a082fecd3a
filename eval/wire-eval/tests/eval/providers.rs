//! Providers: right answers, and everything that goes wrong between here and there.

use crate::common::{Act, KEY, Place, Server};

/// Questions about ten rows of JSON: a cell, a filter, and how many rows there are.
const ROWS: [&str; 9] = [
    "comprehension",
    "--families",
    "rows",
    "--sizes",
    "10",
    "--arms",
    "json",
    "--log",
    "log.jsonl",
];

fn of<'a>(backend: &'a str, address: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut arguments = ROWS.to_vec();
    arguments.extend(["--backend", backend, "--base-url", address, "--model", "m"]);
    arguments.extend(["--backoff", "0.01", "--timeout", "1"]);
    arguments.extend(more);
    if !more.contains(&"--repeats") {
        arguments.extend(["--repeats", "3"]);
    }
    // At temperature 0 equal prompts would be sent once.
    if !more.contains(&"--temperature") {
        arguments.extend(["--temperature", "0.5"]);
    }
    arguments
}

#[test]
fn both_protocols_are_spoken() {
    let server = Server::start(|_, _| Act::Answer("10"));
    for (backend, path, header, key, room) in [
        ("anthropic", "/v1/messages", "x-api-key", KEY.to_owned(), 1024),
        ("openai", "/chat/completions", "authorization", format!("Bearer {KEY}"), 64),
    ] {
        let place = Place::new();
        let before = server.requests().len();
        let report = place.run(&of(backend, &server.address, &["--temperature", "0.5"])).fine();
        let facts = format!(
            "- Backend: {backend} m at {}; model as it calls itself: model-of-2026\n\
             - wire-eval 0.1.0, seed 1, repeats: 3, temperature: 0.5, answers of at most {room} tokens\n\
             - 9 calls: 9 answered, 0 failed (neither right nor wrong), 0 answers cut off\n\
             - Tokens of prompts: as the provider counts them\n",
            server.address
        );
        assert!(report.contains(&facts), "{report}");
        assert!(
            report.contains("| json | 9 | 0 | 33.3 % (12–65) | 33.3 % (12–65) | 1000 | 100.0 % |")
        );
        assert!(report.contains("| entry_count | 3 of 3 |\n| cell | 0 of 3 |"), "{report}");

        let requests = server.requests().split_off(before);
        assert_eq!(requests.len(), 9);
        for request in &requests {
            assert_eq!((request.path.as_str(), request.header(header)), (path, Some(&*key)));
            assert_eq!(request.body["model"], "m");
            assert_eq!(request.body["max_tokens"], room);
            assert_eq!(request.body["temperature"], 0.5);
            let prompt = request.body["messages"][0]["content"].as_str().unwrap();
            assert!(prompt.contains("<data>\n{\"results\":[{"), "{prompt}");
        }
        let log = place.text("log.jsonl");
        assert!(!log.contains(KEY) && log.lines().count() == 1 + 3 + 9, "{log}");
        let call = &place.calls("log.jsonl")[0];
        assert_eq!((&call["input_tokens"], &call["output_tokens"]), (&1000.into(), &3.into()));
    }
}

#[test]
fn what_passes_is_tried_again() {
    for backend in ["anthropic", "openai"] {
        for act in [
            Act::Status(500),
            Act::Status(529),
            Act::Status(408),
            Act::Later(1),
            Act::Silence,
            Act::NoJson,
            Act::NoAnswer,
            Act::Half,
            Act::HangUp,
        ] {
            // The first request of each two.
            let server =
                Server::start(move |number, _| if number < 1 { act } else { Act::Answer("10") });
            let place = Place::new();
            place
                .run(&of(backend, &server.address, &["--repeats", "1", "--concurrency", "1"]))
                .fine();
            let calls = place.calls("log.jsonl");
            let attempts: Vec<u64> =
                calls.iter().map(|call| call["attempts"].as_u64().unwrap()).collect();
            assert_eq!(attempts, [2, 1, 1], "{backend} {act:?}");
            assert_eq!(server.requests().len(), 4);
        }
    }
}

#[test]
fn what_fails_is_neither_right_nor_wrong() {
    // Every other prompt is refused, and what is refused is not tried again.
    let server =
        Server::start(
            |number, _| {
                if number.is_multiple_of(2) { Act::Status(400) } else { Act::Answer("10") }
            },
        );
    let place = Place::new();
    let ran =
        place.run(&of("anthropic", &server.address, &["--repeats", "2", "--concurrency", "1"]));
    let report = ran.in_part();
    assert!(report.contains("6 calls: 3 answered, 3 failed"), "{report}");
    assert!(report.contains("- Failed 3 times: status 400: something about …\n"), "{report}");
    assert!(report.contains("| json | 3 | 3 |"), "{report}");
    let warning =
        "warning: failed 3 times: status 400: something about …\nerror: 3 of 6 calls failed";
    assert!(ran.stderr().contains(warning), "{}", ran.stderr());
    assert_eq!(server.requests().len(), 6);
    assert!(!place.text("log.jsonl").contains(KEY));

    // Going on makes just those again.
    let healthy = Server::start(|_, _| Act::Answer("10"));
    let again = ["--repeats", "2", "--resume"];
    let other = place.run(&of("anthropic", &healthy.address, &again)).failed(2);
    assert!(other.contains("log.jsonl is of another run (backend: there"), "{other}");
    let log = place.text("log.jsonl").replace(&server.address, &healthy.address);
    std::fs::write(place.path("log.jsonl"), log).unwrap();
    let report = place.run(&of("anthropic", &healthy.address, &again)).fine();
    assert!(report.contains("6 calls: 6 answered, 0 failed"), "{report}");
    assert_eq!(healthy.requests().len(), 3);
}

#[test]
fn without_hope_the_run_stops() {
    for status in [401, 403, 404] {
        let server = Server::start(move |_, _| Act::Status(status));
        let place = Place::new();
        let said = place.run(&of("openai", &server.address, &["--concurrency", "1"])).failed(3);
        let expected = format!(
            "error: the backend refuses the call: status {status}: something about Bearer …\n"
        );
        assert!(said.ends_with(&expected), "{said}");
        assert!(!said.contains(KEY));
        assert_eq!(server.requests().len(), 1);
    }
}

#[test]
fn redirections_are_not_followed() {
    let server = Server::start(|_, _| Act::Redirect);
    let said =
        Place::new().run(&of("anthropic", &server.address, &["--concurrency", "1"])).failed(3);
    assert!(
        said.contains("status 302") && said.contains("redirections are not followed"),
        "{said}"
    );
    assert!(server.requests().iter().all(|request| request.path != "/elsewhere"));
}

#[test]
fn a_key_is_hidden_before_a_message_is_cut() {
    let server =
        Server::start(|number, _| if number == 0 { Act::Prose } else { Act::Answer("10") });
    let place = Place::new();
    let report = place.run(&of("anthropic", &server.address, &["--repeats", "1"])).in_part();
    for text in [place.text("log.jsonl"), report] {
        assert!(text.contains("xxx …") && !text.contains("sk-"), "{text}");
    }
}

#[test]
fn no_word_is_a_wrong_answer_in_both_protocols() {
    let server = Server::start(|_, _| Act::Nothing);
    for backend in ["anthropic", "openai"] {
        let report = Place::new().run(&of(backend, &server.address, &[])).fine();
        assert!(
            report.contains("9 answered, 0 failed (neither right nor wrong), 9 answers cut off")
        );
        assert!(report.contains("| json | 9 | 0 | 0.0 % (0–30) | 0.0 % (0–30) |"), "{report}");
    }
}

#[test]
fn a_run_that_stops_does_not_wait() {
    // One caller is asked to wait for a minute, the other learns that there is no hope.
    let server =
        Server::start(|number, _| if number == 0 { Act::Later(6000) } else { Act::Status(401) });
    let begin = std::time::Instant::now();
    let ran = Place::new().run(&of("openai", &server.address, &["--concurrency", "2"]));
    let said = ran.failed(3);
    assert!(said.contains("note: waiting for 60 s, as the provider asks"), "{said}");
    assert!(begin.elapsed().as_secs() < 30);
}

#[test]
fn means_are_of_the_same_prompts() {
    // As a limit of the context would, this refuses what is long.
    let server = Server::start(|_, request| {
        let length = request.body["messages"][0]["content"].as_str().unwrap().len();
        if length > 4000 { Act::Status(400) } else { Act::Answer("1") }
    });
    let place = Place::new();
    let arguments = [
        "comprehension",
        "--families",
        "rows",
        "--sizes",
        "5,50",
        "--log",
        "log.jsonl",
        "--backend",
        "openai",
        "--model",
        "m",
        "--base-url",
        &server.address,
    ];
    let report = place.run(&arguments).in_part();
    let of_json = |arm: &str| {
        let row = report.lines().find(|line| line.starts_with(&format!("| {arm} |"))).unwrap();
        let cell = row.split('|').nth(7).unwrap().trim().trim_end_matches(" %");
        cell.parse::<f64>().unwrap()
    };
    assert!(of_json("gcx") < 75.0 && of_json("json-pretty") > 120.0, "{report}");
    assert!(report.contains("only the pairs below compare the same questions"));
    assert!(report.contains("Tokens of prompts: estimated by o200k_base"));
}

#[test]
fn where_every_call_fails_the_run_fails() {
    let server = Server::start(|_, _| Act::Status(500));
    let place = Place::new();
    let few = ["--attempts", "2", "--concurrency", "1", "--repeats", "1"];
    let said = place.run(&of("openai", &server.address, &few)).failed(3);
    assert!(said.contains("error: every call failed, the first with: status 500"), "{said}");
    assert_eq!(server.requests().len(), 6);
    // Nobody waits for all of many: after the first four there is no hope.
    let place = Place::new();
    let said = place.run(&of("openai", &server.address, &few[..4])).failed(3);
    assert!(said.ends_with("; the run stopped after 4 of 9 calls\n"), "{said}");
    assert_eq!(server.requests().len(), 6 + 8);
    // A prompt that is refused says nothing of the others.
    let server =
        Server::start(|number, _| if number < 8 { Act::Status(400) } else { Act::Answer("10") });
    let report = place.run(&of("openai", &server.address, &few[..4])).in_part();
    assert!(report.contains("9 calls: 1 answered, 8 failed"), "{report}");
    // Once something was answered, the server is there.
    let server =
        Server::start(|number, _| if number > 0 { Act::Status(500) } else { Act::Answer("10") });
    let place = Place::new();
    let report = place.run(&of("openai", &server.address, &few[..4])).in_part();
    assert!(report.contains("9 calls: 1 answered, 8 failed"), "{report}");
}

/// What was answered before does not hide that the run stopped: a report of it would not be whole.
#[test]
fn a_run_that_stops_early_with_answers_fails() {
    let server =
        Server::start(|number, _| if number < 9 { Act::Answer("10") } else { Act::Status(500) });
    let place = Place::new();
    let arguments = of("openai", &server.address, &["--attempts", "1", "--concurrency", "1"]);
    place.run(&arguments).fine();
    let log = place.text("log.jsonl");
    // The run, and three prompts with an answer each.
    let lines: Vec<&str> = log.split_inclusive('\n').collect();
    std::fs::write(place.path("log.jsonl"), lines[..7].concat()).unwrap();
    let answered = place.calls("log.jsonl").len();
    let said = place.run(&[&arguments[..], &["--resume"]].concat()).failed(3);
    assert_eq!(server.requests().len(), 9 + 4);
    let left = 9 - answered - 4;
    let expected = format!("the run stopped, and {left} of 9 calls were not made");
    assert!(left > 0 && said.contains(&expected), "{said}");
    assert!(said.contains("the first with: status 500"), "{said}");
    assert!(said.ends_with("what was answered is in the log, and --resume goes on\n"), "{said}");
}

#[test]
fn a_server_that_is_not_there_is_named() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    drop(listener);
    // At the start at once, without another attempt.
    let place = Place::new();
    let said = place.run(&of("openai", &address, &["--attempts", "20"])).failed(3);
    let expected = format!("error: {address} can't be reached: the connection is refused\n");
    assert!(said.ends_with(&expected), "{said}");
    assert!(place.calls("log.jsonl").is_empty());
}

/// A server that was there may come back.
#[test]
fn a_server_that_goes_away_is_tried_again() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let server = std::thread::spawn(move || {
        use std::io::{Read, Write};
        let (mut stream, _) = listener.accept().unwrap();
        drop(listener);
        let mut request = Vec::new();
        while !request.ends_with(b"}") {
            let mut bytes = [0; 4096];
            let read = stream.read(&mut bytes).unwrap();
            request.extend(&bytes[..read]);
        }
        let body = r#"{"choices":[{"message":{"content":"10"},"finish_reason":"stop"}]}"#;
        let head = format!(
            "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
    });
    let place = Place::new();
    let few = ["--attempts", "2", "--repeats", "1"];
    let report = place.run(&of("openai", &address, &few)).in_part();
    server.join().unwrap();
    assert!(report.contains("3 calls: 1 answered, 2 failed"), "{report}");
    assert!(report.contains("Failed 2 times: ") && report.contains("can't be reached"), "{report}");
    let calls = place.calls("log.jsonl");
    let failed = calls.iter().filter(|call| call["error"].is_string());
    assert!(failed.into_iter().all(|call| call["attempts"] == 2), "{calls:?}");
}

/// Messages that differ in their numbers are of one kind; other statuses are other kinds.
#[test]
fn failures_of_one_kind_are_one_line() {
    let server = Server::start(|number, _| match number {
        0 => Act::Answer("10"),
        1 => Act::Status(400),
        2 => Act::Status(422),
        _ => Act::TooLong,
    });
    let ran = Place::new().run(&of("openai", &server.address, &[]));
    let report = ran.in_part();
    for said in [report, ran.stderr()] {
        let lines = said.lines().filter(|line| line.to_lowercase().contains("failed "));
        let lines: Vec<&str> = lines.filter(|line| line.contains(" times: ")).collect();
        assert_eq!(lines.len(), 3, "{said}");
        assert!(lines[0].contains("ailed 6 times: status 400: request ("), "{said}");
        assert!(lines[0].ends_with("tokens) exceeds the available context size (64 tokens)"));
    }
    assert!(ran.stderr().ends_with("error: 8 of 9 calls failed; --resume makes them again\n"));
}

/// One model on this machine answers one call after another, and the same each time.
#[test]
fn a_local_server_has_defaults_of_its_own() {
    let server = Server::start(|_, _| Act::Answer("10"));
    let local = ["--backend", "openai", "--model", "m", "--base-url", &server.address];
    let place = Place::new();
    let report = place.run(&[&ROWS[..], &local].concat()).fine();
    let facts = "repeats: 1, temperature: 0, answers of at most 64 tokens";
    assert!(report.contains(facts) && !report.contains("Fewer than three repeats"), "{report}");
    let requests = server.requests();
    assert_eq!(requests.len(), 3);
    assert!(requests.iter().all(|request| request.body["temperature"] == 0.0));
    // A server elsewhere has the provider's.
    let other =
        ["--backend", "openai", "--model", "m", "--base-url", "https://10.0.0.1", "--dry-run"];
    let said = Place::new().run(&[&ROWS[..], &other].concat());
    said.fine();
    assert!(
        said.stderr().contains("note: 9 calls")
            && said.stderr().contains("at most 9216 of answers"),
        "{}",
        said.stderr()
    );
}

/// After a wrong name of a model, a wrong key or a wrong address, the same command is given again,
/// corrected.
#[test]
fn a_log_without_an_answer_is_begun_anew() {
    let server = Server::start(|number, _| match number {
        0 => Act::Status(404),
        1..=4 => Act::Status(500),
        _ => Act::Answer("10"),
    });
    let place = Place::new();
    let once = ["--concurrency", "1", "--attempts", "1"];
    let said = place.run(&of("openai", &server.address, &once)).failed(3);
    assert!(said.contains("status 404"), "{said}");
    let said = place.run(&of("openai", &server.address, &once)).failed(3);
    assert!(said.contains("every call failed"), "{said}");
    assert_eq!(place.calls("log.jsonl").len(), 4);
    let corrected = ["--concurrency", "1", "--attempts", "1", "--temperature", "0"];
    let report = place.run(&of("openai", &server.address, &corrected)).fine();
    assert!(report.contains("9 calls: 9 answered, 0 failed"), "{report}");
    assert_eq!(place.text("log.jsonl").lines().count(), 1 + 3 + 9);
    place.run(&["report", "log.jsonl"]).fine();
    // What is no log of ours is not written over.
    std::fs::write(place.path("log.jsonl"), "{}\n").unwrap();
    let said = place.run(&of("openai", &server.address, &once)).failed(2);
    assert!(said.contains("log.jsonl exists, expected a new name"), "{said}");
    assert_eq!(place.text("log.jsonl"), "{}\n");
}

#[test]
fn a_wait_that_is_asked_for_is_kept() {
    let server =
        Server::start(|number, _| if number == 0 { Act::Later(70) } else { Act::Answer("10") });
    let place = Place::new();
    let begin = std::time::Instant::now();
    place.run(&of("openai", &server.address, &["--repeats", "1", "--concurrency", "1"])).fine();
    assert!(begin.elapsed().as_millis() >= 700);
}

#[test]
fn answers_that_are_cut_off_are_counted() {
    let server = Server::start(|_, _| Act::Cut("10"));
    for backend in ["anthropic", "openai"] {
        let report = Place::new().run(&of(backend, &server.address, &[])).fine();
        assert!(
            report.contains("9 answered, 0 failed (neither right nor wrong), 9 answers cut off")
        );
    }
}

/// A report without its seconds, the eighth column, which differ on a busy machine.
fn timeless(report: &str) -> String {
    let cut = |line: &str| match line.strip_suffix(" |") {
        Some(row) if line.matches('|').count() == 9 => {
            row.rsplit_once('|').map_or("", |row| row.0).to_owned()
        }
        _ => line.to_owned(),
    };
    report.lines().map(cut).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_run_goes_on_where_it_was_stopped() {
    let server = Server::start(|_, _| Act::Answer("10"));
    let place = Place::new();
    let arguments = of("anthropic", &server.address, &["--concurrency", "1"]);
    let whole = timeless(&place.run(&arguments).fine());
    let log = place.text("log.jsonl");
    // Stopped within a line, and between two.
    let lines: Vec<&str> = log.split_inclusive('\n').collect();
    for (keep, left) in [(lines[..5].concat() + "{\"record\":\"ca", 7), (lines[..7].concat(), 6)] {
        std::fs::write(place.path("log.jsonl"), &keep).unwrap();
        let before = server.requests().len();
        let ran = place.run(&[&arguments[..], &["--resume"]].concat());
        assert_eq!(timeless(&ran.fine()), whole);
        assert_eq!(server.requests().len() - before, left);
        assert!(ran.stderr().contains("answered already"), "{}", ran.stderr());
        let is_warned = ran.stderr().contains("log.jsonl, line 6: the line is cut off");
        assert_eq!(is_warned, left == 7, "{}", ran.stderr());
        assert_eq!(place.calls("log.jsonl").len(), 9);
    }
    // A dry run writes no log, so that none is in its way.
    place.run(&[&arguments[..], &["--dry-run"]].concat()).fine();
    // A log is never written over.
    let said = place.run(&arguments).failed(2);
    assert!(said.contains("log.jsonl exists, expected a new name, or --resume"), "{said}");
    // A log that was cut within a character, and one that was not begun.
    let mut bytes = std::fs::read(place.path("log.jsonl")).unwrap();
    bytes.extend("{\"answer\":\"…".bytes().take(13));
    std::fs::write(place.path("log.jsonl"), &bytes).unwrap();
    assert_eq!(timeless(&place.run(&["report", "log.jsonl"]).fine()), whole);
    assert_eq!(timeless(&place.run(&[&arguments[..], &["--resume"]].concat()).fine()), whole);
    std::fs::write(place.path("log.jsonl"), "{\"rec").unwrap();
    assert_eq!(timeless(&place.run(&arguments).fine()), whole);
    // Without a log there is nothing to go on with, and it begins.
    let fresh = Place::new();
    fresh.run(&[&arguments[..], &["--resume"]].concat()).fine();
}

/// A line that is damaged is an error that says what to do, and no answer is lost unnoticed.
#[test]
fn a_log_damaged_in_the_middle_is_not_gone_on_with() {
    let server = Server::start(|_, _| Act::Answer("10"));
    let place = Place::new();
    let arguments = of("anthropic", &server.address, &["--concurrency", "1"]);
    let resumed = [&arguments[..], &["--resume"]].concat();
    let whole = timeless(&place.run(&arguments).fine());
    let log = place.text("log.jsonl");
    let lines: Vec<&str> = log.split_inclusive('\n').collect();
    let is_call = |line: &&str| line.starts_with("{\"record\":\"call\"");
    let call = lines.iter().position(is_call).unwrap();
    assert!(lines[call - 1].starts_with("{\"record\":\"prompt\""), "{}", lines[call - 1]);
    for damaged in [call, call - 1] {
        let mut left = lines.clone();
        let half = &lines[damaged][..lines[damaged].len() / 2];
        let half = format!("{half}\n");
        left[damaged] = &half;
        // As often as it says so, the line that it names is removed.
        loop {
            let text = left.concat();
            std::fs::write(place.path("log.jsonl"), &text).unwrap();
            let before = server.requests().len();
            let ran = place.run(&resumed);
            if ran.code() == 0 {
                assert_eq!(timeless(&ran.fine()), whole);
                assert!(server.requests().len() > before);
                break;
            }
            let said = ran.failed(1);
            assert!(
                said.contains("; remove the line, and --resume makes its call again"),
                "{said}"
            );
            assert_eq!((place.text("log.jsonl"), server.requests().len()), (text, before));
            let number = said.split("line ").nth(1).unwrap().split(':').next().unwrap();
            left.remove(number.parse::<usize>().unwrap() - 1);
        }
    }
}

#[test]
fn keys_do_not_travel_in_the_clear() {
    let said = Place::new().run(&of("anthropic", "http://10.0.0.1", &[])).failed(2);
    assert!(said.contains("ANTHROPIC_API_KEY would travel in the clear"), "{said}");
    let said = Place::new().run(&of("anthropic", "http://localhost.example.com", &[])).failed(2);
    assert!(said.contains("would travel in the clear"), "{said}");
    let said = Place::new().run(&of("anthropic", "http://localhost:x@10.0.0.1", &[])).failed(2);
    assert!(said.contains("--base-url has an @"), "{said}");
    let said = Place::new().run(&of("anthropic", "ftp://x", &[])).failed(2);
    assert!(said.contains("expected it to begin with https://"), "{said}");
}

#[test]
fn a_server_without_a_key() {
    let server = Server::start(|_, _| Act::Answer("10"));
    Place::new().run_with(&of("openai", &server.address, &[]), &[]).fine();
    assert!(server.requests().iter().all(|request| request.header("authorization").is_none()));
    for (backend, key) in [("openai", "OPENAI_API_KEY"), ("anthropic", "ANTHROPIC_API_KEY")] {
        let place = Place::new();
        let arguments = [&ROWS[..], &["--backend", backend, "--model", "m"]].concat();
        let said = place.run_with(&arguments, &[]).failed(2);
        assert!(said.contains(&format!("the environment has no {key}")), "{said}");
        assert!(!place.path("log.jsonl").exists());
    }
}

#[test]
fn what_stays_here_goes_through_no_proxy() {
    let proxy = Server::start(|_, _| Act::Answer("10"));
    let server = Server::start(|_, _| Act::Answer("10"));
    for name in ["HTTP_PROXY", "http_proxy", "ALL_PROXY"] {
        for host in ["127.0.0.1", "localhost"] {
            let place = Place::new();
            let address = server.address.replace("127.0.0.1", host);
            let arguments = of("openai", &address, &["--repeats", "1"]);
            place.run_with(&arguments, &[("OPENAI_API_KEY", KEY), (name, &proxy.address)]).fine();
        }
    }
    assert_eq!((proxy.requests().len(), server.requests().len()), (0, 18));
}

#[test]
fn a_key_in_an_answer_is_hidden() {
    for backend in ["anthropic", "openai"] {
        let server = Server::start(|_, _| Act::Quote);
        let place = Place::new();
        let ran = place.run(&of(backend, &server.address, &["--repeats", "1"]));
        let report = ran.fine();
        let log = place.text("log.jsonl");
        for text in [&*log, &*report, &*ran.stderr()] {
            assert!(!text.contains(KEY) && !text.contains('\u{1b}'), "{text}");
        }
        let answer = place.calls("log.jsonl")[0]["answer"].as_str().unwrap().to_owned();
        assert!(answer.starts_with("\u{1b}[2J") && answer.contains('…'), "{answer}");
    }
}

#[test]
fn what_a_provider_says_moves_no_cursor() {
    let server =
        Server::start(|number, _| if number < 2 { Act::Escapes } else { Act::Answer("10") });
    let place = Place::new();
    let arguments = of("openai", &server.address, &["--repeats", "1", "--concurrency", "1"]);
    let ran = place.run(&arguments);
    let report = ran.in_part();
    assert!(report.contains(r"no\u{1b}[2J\u{9b}31m\u{200b} way"), "{report}");
    for text in [&*report, &*ran.stderr()] {
        assert!(!text.contains(['\u{1b}', '\u{9b}', '\u{200b}']), "{text}");
    }
}

#[test]
fn a_date_to_wait_for_is_one() {
    // One that is over, and one that nobody waits for.
    let server = Server::start(|number, _| match number {
        0 => Act::LaterAt("Sun, 06 Nov 1994 08:49:37 GMT"),
        _ => Act::Answer("10"),
    });
    let place = Place::new();
    place.run(&of("openai", &server.address, &["--repeats", "1", "--concurrency", "1"])).fine();
    assert_eq!(place.calls("log.jsonl")[0]["attempts"], 2);
    for act in [Act::LaterAt("Fri, 31 Dec 9999 23:59:59 GMT"), Act::LaterAt("7200")] {
        let server = Server::start(move |_, _| act);
        let place = Place::new();
        let said = place.run(&of("openai", &server.address, &["--concurrency", "1"])).failed(3);
        assert!(
            said.contains("it asks for a wait of ") && said.contains("expected at most 3600 s"),
            "{said}"
        );
        assert_eq!(server.requests().len(), 1);
    }
}

#[test]
fn a_proxy_that_cannot_be_used_is_not_passed_by() {
    for proxy in ["socks5://127.0.0.1:1", "garb age://x", "https://"] {
        let place = Place::new();
        let arguments = of("openai", "https://192.0.2.1/v1", &["--repeats", "1"]);
        let ran = place.run_with(&arguments, &[("OPENAI_API_KEY", KEY), ("ALL_PROXY", proxy)]);
        let said = ran.failed(2);
        assert!(said.contains("ALL_PROXY names no proxy that can be used"), "{said}");
    }
    for base in ["http://localhost:1/v1?key=x", "http://localhost:1/v1#x"] {
        let said = Place::new().run(&of("openai", base, &[])).failed(2);
        assert!(said.contains("expected no query and no fragment"), "{said}");
    }
}
