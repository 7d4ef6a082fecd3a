//! Figures of the documentation that commands print.

#![allow(clippy::unwrap_used)] // helpers of tests

use crate::common::{Place, pack};

/// A page of the documentation, with its words one space apart.
fn page(name: &str) -> String {
    let path = format!("{}/../../docs/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn says(page: &str, sentence: &str) {
    assert!(page.contains(sentence), "the page lacks: {sentence}");
}

/// The calls of a run, and the tokens of its prompts.
fn planned(arguments: &[&str]) -> (usize, usize) {
    let ran = Place::new().run(&[arguments, &["--command", "cat", "--dry-run"]].concat());
    ran.fine();
    let note = ran.stderr();
    let number = |after: &str| -> usize {
        let (_, rest) = note.split_once(after).unwrap();
        rest.split(' ').next().unwrap().parse().unwrap()
    };
    (number("note: "), number("≈ "))
}

/// As pages write a number of thousands.
fn thousands(number: usize) -> String {
    match number {
        0..1000 => number.to_string(),
        _ => format!("{},{:03}", thousands(number / 1000), number % 1000),
    }
}

/// As pages write millions, with one decimal.
fn millions(number: usize) -> String {
    let tenths = (number + 50_000) / 100_000;
    format!("{}.{} million", tenths / 10, tenths % 10)
}

fn payloads(folder: &str) -> Vec<String> {
    let files = std::fs::read_dir(pack(folder)).unwrap();
    let files = files.map(|file| file.unwrap().path());
    let files = files.filter(|file| file.extension().is_some_and(|extension| extension == "json"));
    let mut files: Vec<String> = files.map(|file| file.display().to_string()).collect();
    files.sort();
    files
}

/// The example that the page begins with.
#[test]
fn the_first_example_prints_the_table_of_the_page() {
    let text = std::fs::read_to_string(pack("../../docs/evaluation.md")).unwrap();
    let command = text.lines().find_map(|line| line.strip_prefix("wire-eval ")).unwrap();
    let arguments: Vec<&str> = command.split(' ').collect();
    let report = Place::new().run(&arguments).fine();
    let (_, table) = report.split_once("\n| arm |").unwrap();
    let (table, _) = table.split_once("\n\n").unwrap();
    assert!(text.contains(table), "the page lacks:\n| arm |{table}");
}

#[test]
fn the_default_run_is_as_large_as_the_page_says() {
    let page = page("evaluation.md");
    let (calls, tokens) = planned(&["comprehension"]);
    says(&page, &format!("The default run sends {} tokens.", millions(tokens)));
    says(&page, &format!("The default run of all four sizes has {} calls.", thousands(calls)));
}

/// In all questions but those about what the format has dropped.
#[test]
fn the_oracle_is_right_as_often_as_the_page_says() {
    let place = Place::new();
    place.run(&["comprehension", "--backend", "mock", "--log", "log.jsonl"]).fine();
    let calls = place.calls("log.jsonl");
    let wrong: Vec<_> = calls.iter().filter(|call| call["score"]["lenient"] != true).collect();
    assert!(wrong.iter().all(|call| call["arm"] == "goon" && call["question"] == "edge_status"));
    says(
        &page("evaluation.md"),
        &format!("except the {} about the status of an edge in GOON", wrong.len()),
    );
}

#[test]
fn runs_of_single_prompts_are_as_large_as_the_page_says() {
    let of = |folder| {
        let files = payloads(folder);
        let mut arguments = vec!["comprehension", "--input"];
        arguments.extend(files.iter().map(String::as_str));
        let (calls, tokens) = planned(&arguments);
        (thousands(calls), millions(tokens))
    };
    let ((calls, tokens), (more, others)) = (of("packs"), of("queries"));
    says(
        &page("evaluation.md"),
        &format!(
            "`--input fixtures/payloads/packs/*.json` is {calls} calls with {tokens} tokens, and \
             `--input fixtures/payloads/queries/*.json` {more} with {others}."
        ),
    );
}

/// The rows of the table are compared with runs by another test.
#[test]
fn times_and_sums_are_those_of_the_table() {
    let text = std::fs::read_to_string(pack("../../docs/evaluation.md")).unwrap();
    let (mut files, mut calls, mut tokens, mut first) = (0, 0, 0, 0);
    for line in text.lines().filter(|line| line.contains("| `fixtures/payloads/")) {
        let columns: Vec<&str> = line.split('|').map(str::trim).collect();
        let number = |at: usize| columns[at].replace(',', "").parse::<usize>().unwrap();
        if line.contains("server-memory.jsonl") {
            first = number(3);
        }
        (files, calls, tokens) = (files + 1, calls + number(3), tokens + number(4));
    }
    assert_eq!(files, 7);
    says(
        &page("evaluation.md"),
        &format!(
            "All seven files are {} calls with {} tokens. With four calls at once and four \
             seconds a call, that takes {} minutes. A local server that reads 1,000 tokens a \
             second needs {} minutes",
            thousands(calls),
            millions(tokens),
            calls.div_ceil(60),
            tokens.div_ceil(1000 * 60)
        ),
    );
    says(&page("evaluations/README.md"), &format!("That is {first} calls."));
}
