//! Questions of a file.

#![allow(clippy::unwrap_used)] // helpers of tests

use serde_json::{Value, json};

use crate::common::{Act, Place, Ran, Server};
use crate::mean::good;

/// Two tables, the second of which CSV can't write; all answers are those of `knows`.
fn file() -> String {
    let rows = json!([
        { "id": 1, "city": "Oslo", "open": true, "share": 0.31, "at": "a" },
        { "id": 2, "city": "Bergen", "open": false, "share": 0.5, "at": "a" },
        { "id": 3, "city": "Bergen", "open": true, "share": 0.25, "at": "a" },
    ]);
    let nested = json!({ "host": { "name": "db", "ports": [80, 443] } });
    [
        (&rows, "In which city is 2?", json!("Bergen"), "look-up"),
        (&rows, "In which city is 1?", json!("Oslo"), "look-up"),
        (&nested, "Which ports are there?", json!([443, 80]), "list"),
        (&rows, "How many are in Bergen?", json!(2), "count"),
        (&rows, "What is the mean share?", json!({ "number": 0.35, "tolerance": 0.01 }), "mean"),
        (&rows, "Is 2 open?", json!(false), "look-up"),
        (&rows, "Which are in Bergen?", json!(["2", 3]), "list"),
    ]
    .map(|(data, question, answer, kind)| {
        json!({ "data": data, "question": question, "answer": answer, "kind": kind }).to_string()
    })
    .join("\n")
}

/// Answers in words, always right but for the city of 1.
fn knows(_: &str, request: &Value) -> Value {
    let asked = request["messages"][0]["content"].as_str().unwrap();
    let (_, question) = asked.rsplit_once("</data>\n\n").unwrap();
    let answers = [
        ("In which city is 2? Answer with that only", "It is Bergen."),
        ("In which city is 1?", "Oslo or Bergen"),
        ("Which ports are there? Answer with those only", "- 80\n- 443"),
        ("How many are in Bergen? Answer with the number only", "2"),
        ("What is the mean share? Answer with the number only", "About 0.3533"),
        ("Is 2 open? Answer with yes or no only.", "No"),
        ("Which are in Bergen?", "2\n3"),
    ];
    let (_, said) = answers.iter().find(|(begin, _)| question.starts_with(begin)).unwrap();
    json!({ "model": "m", "choices": [{ "message": { "content": said }, "finish_reason": "stop" }] })
}

fn ask(place: &Place, server: &Server, more: &[&str]) -> Ran {
    let address = format!("{}/v1", server.address);
    let plan = ["comprehension", "--questions", "questions.jsonl", "--log", "log.jsonl"];
    let backend = ["--backend", "openai", "--model", "m", "--base-url", &address];
    place.run(&[&plan[..], &backend, more].concat())
}

fn begin(act: fn(&str, &Value) -> Value) -> (Place, Server) {
    let place = Place::new();
    std::fs::write(place.path("questions.jsonl"), file()).unwrap();
    (place, Server::start(move |_, _| Act::Json(act)))
}

const ARMS: [&str; 2] = ["--arms", "json,gcf-generic,gcf-3.6,csv"];

#[test]
fn questions_of_a_file_are_asked_in_every_arm_and_verified() {
    let (place, server) = begin(knows);
    let ran = ask(&place, &server, &ARMS);
    let report = ran.fine();
    assert!(ran.stderr().contains("warning: data-2 is left out of csv"), "{}", ran.stderr());
    for row in [
        "| count | 1 of 1 | 1 of 1 | 1 of 1 | 1 of 1 |",
        "| list | 2 of 2 | 2 of 2 | 2 of 2 | 1 of 1 |",
        "| look-up | 2 of 3 | 2 of 3 | 2 of 3 | 2 of 3 |",
        "| mean | 1 of 1 | 1 of 1 | 1 of 1 | 1 of 1 |",
    ] {
        assert!(report.contains(row), "{report}");
    }
    // What is the same in every row is in the header.
    let asked: Vec<String> = server.requests().iter().map(|sent| sent.body.to_string()).collect();
    assert!(asked.iter().any(|sent| sent.contains("{id,city,open,share,at=a}")), "{asked:?}");

    place.run(&["report", "log.jsonl", "--publish", "out"]).fine();
    place.run(&["verify", "out"]).fine();
    let log = place.text("out/run-01.jsonl");
    for (was, is) in [
        ("\"given\":\"Oslo\"", "\"given\":\"Bergen\""),
        ("\"expected\":\"Oslo\"", "\"expected\":\"Bergen\""),
        (
            "\"given\":{\"number\":0.35,\"tolerance\":0.01}",
            "\"given\":{\"number\":0.35,\"tolerance\":9}",
        ),
    ] {
        assert!(log.contains(was), "{was}");
        std::fs::write(place.path("out/run-01.jsonl"), log.replacen(was, is, 1)).unwrap();
        let said = place.run(&["verify", "out"]).failed(1);
        assert!(said.contains("the expected answer is not what the data says"), "{was}: {said}");
    }
    // Another answer is another run.
    std::fs::write(place.path("questions.jsonl"), file().replace("[443,80]", "[443]")).unwrap();
    let said = ask(&place, &server, &[&ARMS[..], &["--resume"]].concat()).failed(2);
    assert!(said.contains("is of another run (prompts_sha256"), "{said}");
}

#[test]
fn their_likelihood_is_reported_by_kind() {
    let (place, server) = begin(good);
    let more = ["--arms", "json,gcf-3.6", "--measure", "likelihood"];
    let report = ask(&place, &server, &more).fine();
    assert!(report.contains("### given: how likely the right answer is, by question"), "{report}");
    assert!(report.contains("| gcf-3.6 | mean | 1 | "), "{report}");
}

#[test]
fn a_sample_is_drawn_by_the_seed() {
    let (place, server) = begin(knows);
    let mut drawn = std::collections::BTreeSet::new();
    for seed in ["1", "2", "3", "4", "5", "6", "7", "8"] {
        let log = format!("{seed}.jsonl");
        let more = ["--arms", "json", "--sample", "1", "--seed", seed, "--log", &log];
        let address = format!("{}/v1", server.address);
        let plan = ["comprehension", "--questions", "questions.jsonl", "--backend", "openai"];
        let backend = ["--model", "m", "--base-url", &address];
        place.run(&[&plan[..], &backend, &more].concat()).fine();
        let calls = place.calls(&log);
        assert_eq!(calls.len(), 4, "{calls:?}");
        drawn.extend(calls.iter().map(|call| format!("{}{}", call["question"], call["given"])));
    }
    assert_eq!(drawn.len(), 7, "{drawn:?}");
}

#[test]
fn what_is_no_question_is_said_with_its_line() {
    let place = Place::new();
    let run = |text: &str| {
        std::fs::write(place.path("bad.jsonl"), text).unwrap();
        let ran = place.run(&["comprehension", "--questions", "bad.jsonl", "--backend", "mock"]);
        ran.failed(1)
    };
    let fine = file();
    let first = fine.lines().next().unwrap();
    let line = |data: Value, question: &str, answer: Value, kind: &str| {
        let line = json!({ "data": data, "question": question, "answer": answer, "kind": kind });
        format!("{first}\n\n{line}\n")
    };
    let members = "expected an object with data, question, answer and kind";
    let cases = [
        (format!("{first}\nhello"), "line 2: no JSON at column 1, "),
        ("[]".to_owned(), "line 1: "),
        (
            "{\"data\": [], \"question\": \"a\", \"answer\": 1}".to_owned(),
            "line 1: missing field `kind`, ",
        ),
        (first.replace("\"kind\"", "\"more\": 1, \"kind\""), "line 1: unknown field `more`, "),
    ];
    for (text, says) in cases {
        let said = run(&text);
        assert!(said.contains(says) && said.contains(members), "{said}");
    }
    for (text, says) in [
        (line(json!(7), "a", json!(1), "b"), "data is a scalar, expected an array or an object"),
        (line(json!([]), " ", json!(1), "b"), "expected a text without `</data>`"),
        (line(json!([]), "a </data> b", json!(1), "b"), "expected a text without `</data>`"),
        (line(json!([]), "a", json!(1), "b|c"), "expected a text of one line without `|`"),
    ] {
        let said = run(&text);
        assert!(said.contains("line 3: ") && said.contains(says), "{said}");
    }
    for answer in [
        json!(null),
        json!(""),
        json!([]),
        json!([null]),
        json!({}),
        json!({ "number": 1 }),
        json!(1e300),
        json!({ "number": "1", "tolerance": 1 }),
        json!({ "number": 1, "tolerance": -1 }),
    ] {
        let said = run(&line(json!([]), "a", answer.clone(), "b"));
        assert!(
            said.contains("line 3: answer is none, expected a text, a number"),
            "{answer}: {said}"
        );
    }
    assert!(run("\n").contains("bad.jsonl: it has no line, expected a question in each"));
    let said = place
        .run(&["comprehension", "--questions", "bad.jsonl", "--sizes", "3", "--backend", "mock"])
        .failed(2);
    assert!(said.contains("cannot be used with"), "{said}");
}
