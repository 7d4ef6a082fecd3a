//! Figures of the documentation that commands print.

#![allow(clippy::unwrap_used)] // helpers of tests

use xtask::numbers::thousands;

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

/// As pages write millions, with one decimal.
fn millions(number: usize) -> String {
    let tenths = (number + 50_000) / 100_000;
    format!("{}.{} million", tenths / 10, tenths % 10)
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

/// What pages say of models is what published logs say.
#[test]
fn published_runs_are_verified_and_quoted() {
    let folder = pack("../../docs/evaluations");
    Place::new().run(&["verify", &folder]).fine();
    let text = std::fs::read_to_string(format!("{folder}/small-models.md")).unwrap();
    let mut rows = 0;
    for section in text.split("\n## ") {
        // Each section names the report of its table.
        let Some((_, rest)) = section.split_once("[The report](") else { continue };
        let (report, _) = rest.split_once(')').unwrap();
        let report = std::fs::read_to_string(format!("{folder}/{report}")).unwrap();
        for line in section.lines().filter(|line| line.starts_with("| `")) {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            let of_arm = format!("| {} |", cells[0].trim_matches('`'));
            let of_arm: Vec<&str> = report.lines().filter(|row| row.starts_with(&of_arm)).collect();
            for cell in &cells[1..] {
                let cell = format!("| {cell} |");
                assert!(of_arm.iter().any(|row| row.contains(&cell)), "{line}: {of_arm:#?}");
            }
            rows += 1;
        }
    }
    assert!(rows >= 20, "{rows}");
    let beside = |run: &str| {
        let log = format!("{folder}/small-models-constants/{run}.jsonl");
        let report = Place::new().run(&["report", &log, "--baseline", "gcf-generic"]).fine();
        let (_, pairs) = report.split_once("beside gcf-generic, question by question").unwrap();
        let row = pairs.lines().find(|line| line.starts_with("| gcf-3.6 |")).unwrap();
        row.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>()
    };
    let (half, large) = (beside("run-01"), beside("run-02"));
    says(
        &page("evaluations/small-models.md"),
        &format!(
            "Of the {} answers, {} was better and {} worse from 3.6 than from 3.5 (0.5B), and {} better and {} worse (1.5B): {} and {} points.",
            half[2], half[3], half[4], large[3], large[4], half[7], large[7]
        ),
    );
    // 87.5, 41.7 and 33.3 % of 24 in the first table.
    let quoted = "88 % of 24 look-ups right from JSON, 42 % from GCF and 33 % from GCX1";
    for name in ["shortcomings.md", "../README.md"] {
        says(&page(name), quoted);
    }
}

/// The files under the fixtures that the page names.
const REAL: [&str; 7] = [
    "transcripts/server-memory.jsonl",
    "real/github/issue_list.json",
    "real/github/pull_files.json",
    "real/kubernetes/events.json",
    "real/logs/application.json",
    "real/tables/open_orders.json",
    "real/tables/metrics.json",
];

#[test]
fn runs_over_real_data_are_as_large_as_the_page_says() {
    let of = |file| planned(&["conversation", "--input", &pack(file)]);
    let runs = REAL.map(of);
    let (calls, tokens) = runs.iter().fold((0, 0), |sum, run| (sum.0 + run.0, sum.1 + run.1));
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
    says(&page("evaluations/README.md"), &format!("That is {} calls.", runs[0].0));
}

#[test]
fn each_command_has_help() {
    wire_conformance::pages::check_help(env!("CARGO_BIN_EXE_wire-eval"));
}
