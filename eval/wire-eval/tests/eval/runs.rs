//! Runs with programs and mocks, and what is reported of them.

use crate::common::{Place, pack};
use serde_json::Value;

fn run(place: &Place, more: &[&str]) -> String {
    place
        .run(&[&["comprehension", "--sizes", "10,50", "--log", "log.jsonl"][..], more].concat())
        .fine()
}

/// The same by the mock whose calls fail.
fn failing(place: &Place) -> String {
    let plan = ["comprehension", "--sizes", "10,50", "--log", "log.jsonl"];
    let mock = ["--backend", "mock", "--mock", "failing", "--backoff", "0"];
    place.run(&[&plan[..], &mock].concat()).in_part()
}

/// Answers, exactly right ones, right ones, and failures of a log, but for what an arm does not
/// hold.
fn sums(place: &Place) -> [usize; 4] {
    let calls = place.calls("log.jsonl");
    let lost = |call: &&Value| call["arm"] == "goon" && call["question"] == "edge_status";
    let calls: Vec<&Value> = calls.iter().filter(|call| !lost(call)).collect();
    let count = |is: fn(&Value) -> bool| calls.iter().filter(|call| is(call)).count();
    [
        count(|call| call["answer"].is_string()),
        count(|call| call["score"]["exact"] == true),
        count(|call| call["score"]["lenient"] == true),
        count(|call| call["error"].is_string()),
    ]
}

#[test]
fn the_oracle_is_right_where_the_text_tells() {
    let place = Place::new();
    let report = run(&place, &["--backend", "mock"]);
    let [answered, exact, lenient, failed] = sums(&place);
    assert!(answered > 700 && exact == answered && lenient == answered && failed == 0);
    // What a format drops, it can't answer, and the report shows it.
    let lost: Vec<Value> = place
        .calls("log.jsonl")
        .into_iter()
        .filter(|call| call["score"]["lenient"] == false)
        .collect();
    assert!(!lost.is_empty());
    assert!(report.contains("**No model was asked**"));
    insta::assert_snapshot!(report);
}

#[test]
fn sentences_are_right_but_not_exactly() {
    let place = Place::new();
    run(&place, &["--backend", "mock", "--mock", "talkative"]);
    let [answered, exact, lenient, _] = sums(&place);
    assert!(exact == 0 && lenient == answered, "{exact} {lenient} {answered}");
}

#[test]
fn what_is_wrong_is_wrong() {
    for manner in ["wrong", "garbled"] {
        let place = Place::new();
        run(&place, &["--backend", "mock", "--mock", manner]);
        let [answered, exact, lenient, failed] = sums(&place);
        assert!(
            answered > 700 && (exact, lenient, failed) == (0, 0, 0),
            "{manner} {exact} {lenient}"
        );
    }
}

#[test]
fn failures_are_counted_apart() {
    let place = Place::new();
    let report = failing(&place);
    let [answered, exact, _, failed] = sums(&place);
    assert!(failed > 0 && exact == answered, "{answered} {exact} {failed}");
    let attempts: Vec<u64> =
        place.calls("log.jsonl").iter().map(|call| call["attempts"].as_u64().unwrap()).collect();
    assert!([1, 2, 5].iter().all(|count| attempts.contains(count)));
    assert!(report.contains("times: status 529: overloaded"), "{report}");
}

#[test]
fn slow_answers_have_a_limit() {
    let place = Place::new();
    let arguments = [
        "comprehension",
        "--families",
        "rows",
        "--sizes",
        "3",
        "--arms",
        "json",
        "--repeats",
        "1",
        "--backend",
        "mock",
        "--mock",
        "slow",
        "--timeout",
        "0.05",
        "--attempts",
        "1",
    ];
    let said = place.run(&arguments).failed(3);
    assert!(said.contains("every call failed, the first with: no answer in time"), "{said}");
}

#[test]
fn a_log_is_the_same_however_many_calls_are_made_at_a_time() {
    let texts: Vec<Vec<String>> = ["1", "8"]
        .iter()
        .map(|concurrency| {
            let place = Place::new();
            run(&place, &["--backend", "mock", "--concurrency", concurrency]);
            let mut lines: Vec<String> =
                place.text("log.jsonl").lines().map(str::to_owned).collect();
            lines.sort();
            lines
        })
        .collect();
    assert_eq!(texts[0], texts[1]);
}

#[test]
#[cfg(unix)]
fn programs_answer() {
    let ask = |command: &str, more: &[&str]| {
        let place = Place::new();
        let arguments = [
            "comprehension",
            "--families",
            "rows",
            "--sizes",
            "10",
            "--arms",
            "json,gcx",
            "--repeats",
            "1",
            "--command",
            command,
            "--log",
            "log.jsonl",
            "--backoff",
            "0",
            "--attempts",
            "2",
        ];
        (place.run(&[&arguments[..], more].concat()), place)
    };
    let (ran, place) = ask("sh -c 'cat > prompt.txt; echo 10'", &["--concurrency", "1"]);
    assert!(ran.fine().contains("| entry_count | 1 of 1 | 1 of 1 |"), "{}", ran.stdout());
    assert!(place.text("prompt.txt").contains("</data>\n\n"));
    // The prompt as an argument.
    let (ran, place) =
        ask("sh -c 'printf %s \"$1\" > prompt.txt; echo 10' sh {}", &["--concurrency", "1"]);
    ran.fine();
    assert!(place.text("prompt.txt").contains("</data>\n\n"));
    // It need not read the prompt.
    ask("echo 10", &[]).0.fine();
    let said = ask("sh -c 'echo no model >&2; exit 7'", &[]).0.failed(3);
    assert!(
        said.contains("every call failed, the first with: sh: exit status: 7: no model"),
        "{said}"
    );
    let said = ask("sleep 60", &["--timeout", "0.1"]).0.failed(3);
    assert!(said.contains("sleep: no answer within 0.1 s"), "{said}");
    // What it has started does not hold the call up, nor live on.
    let begin = std::time::Instant::now();
    for command in ["sh -c 'sleep 60; echo 10'", "sh -c 'sleep 60 & echo 10'"] {
        let said = ask(command, &["--timeout", "0.1"]).0.failed(3);
        assert!(said.contains("sh: no answer within 0.1 s"), "{said}");
    }
    assert!(begin.elapsed().as_secs() < 30);
    let said = ask("/nowhere/model", &[]).0.failed(3);
    assert!(said.contains("the backend refuses the call: /nowhere/model can't be run"), "{said}");
    // More than an argument can be.
    let place = Place::new();
    let arguments = [
        "comprehension",
        "--families",
        "packs",
        "--sizes",
        "500",
        "--arms",
        "json",
        "--repeats",
        "1",
        "--command",
        "echo {}",
    ];
    let said = place.run(&arguments).failed(3);
    assert!(said.contains("the prompt is too long for an argument"), "{said}");
    let said = ask("'", &[]).0.failed(2);
    assert!(said.contains("--command is"), "{said}");
    let said = ask("", &[]).0.failed(2);
    assert!(said.contains("--command is empty"), "{said}");
}

#[test]
fn large_runs_are_asked_about_first() {
    let place = Place::new();
    let said = place.run(&["comprehension", "--command", "/nowhere/model"]).failed(2);
    assert!(said.contains("more than 2000000 tokens, expected --yes"), "{said}");
    let said = place.run(&["comprehension", "--command", "/nowhere/model", "--yes"]).failed(3);
    assert!(said.contains("can't be run"), "{said}");
    let said = place.run(&["comprehension", "--backend", "mock", "--sizes", "10,10"]).failed(2);
    assert!(said.contains("pack-10 appears twice"), "{said}");
    for wrong in [["--backoff", "nan"], ["--price-input", "x"], ["--timeout", "0"]] {
        let said =
            place.run(&[&["comprehension", "--backend", "mock"][..], &wrong].concat()).failed(2);
        assert!(said.contains("expected a number"), "{said}");
    }
}

#[test]
fn nothing_is_asked_when_dry() {
    let place = Place::new();
    let ran = place.run(&[
        "comprehension",
        "--command",
        "/nowhere/model",
        "--dry-run",
        "--price-input",
        "3",
        "--price-output",
        "15",
        "--sizes",
        "10",
        "--families",
        "rows",
    ]);
    assert_eq!(ran.fine(), "");
    insta::assert_snapshot!(ran.stderr(), @"note: 36 calls of command /nowhere/model; ≈ 14175 tokens of prompts by o200k_base, at most 36864 of answers; ≈ 0.04 for prompts, at most 0.55 for answers");
    assert!(!place.path("comprehension.jsonl").exists());
}

#[test]
fn files_and_texts_are_asked_about() {
    let place = Place::new();
    let file = pack("packs/context_for_task_30.json");
    std::fs::write(place.path("pack.csv"), "name\nx\n").unwrap();
    let arguments = [
        "comprehension",
        "--input",
        &file,
        "--text",
        "mine=pack.csv",
        "--backend",
        "mock",
        "--repeats",
        "1",
        "--log",
        "log.jsonl",
    ];
    let report = place.run(&arguments).fine();
    // The oracle can't decode it, and says so.
    assert!(report.contains("| mine | 12 | 0 | 0.0 % (0–24) |"), "{report}");
    assert!(report.contains("| gcf | 12 | 0 | 100.0 % (76–100) |"), "{report}");
    let said =
        place.run(&["comprehension", "--text", "mine=pack.csv", "--backend", "mock"]).failed(2);
    assert!(said.contains("expected one --input"), "{said}");

    for file in [
        "queries/path_finding.json",
        "queries/aggregation_by_property.json",
        "queries/aggregation_by_node.json",
        "tools/02_search_symbols_large.json",
    ] {
        let place = Place::new();
        let file = pack(file);
        let report = place
            .run(&["comprehension", "--input", &file, "--backend", "mock", "--log", "log.jsonl"])
            .fine();
        let [answered, exact, ..] = sums(&place);
        assert!(answered > 0 && answered == exact, "{report}");
    }

    std::fs::write(place.path("prose.txt"), "once upon a time").unwrap();
    let said = place.run(&["comprehension", "--input", "prose.txt", "--backend", "mock"]).failed(1);
    assert!(said.contains("prose.txt: it is neither a payload"), "{said}");
    let said =
        place.run(&["comprehension", "--input", "nothing.json", "--backend", "mock"]).failed(3);
    assert!(said.contains("nothing.json can't be read"), "{said}");
    let said = place
        .run(&["comprehension", "--families", "rows", "--arms", "xml", "--backend", "mock"])
        .failed(2);
    assert!(said.contains("no arm supports it"), "{said}");
}

#[test]
fn reports_are_made_of_logs() {
    let place = Place::new();
    let printed = failing(&place);
    assert_eq!(place.run(&["report", "log.jsonl"]).fine(), printed);
    let object: Value =
        serde_json::from_str(&place.run(&["report", "log.jsonl", "--format", "json"]).fine())
            .unwrap();
    let tables = object["runs"][0]["tables"].as_array().unwrap();
    let row = &tables[0]["rows"][0];
    assert_eq!((&row["arm"], &row["exact"]["rate"]), (&"json".into(), &1.0.into()));
    assert_eq!(tables.len(), 12);

    place
        .run(&["conversation", "--sizes", "3", "--backend", "mock", "--log", "asked.jsonl"])
        .fine();
    place.run(&["report", "log.jsonl", "asked.jsonl", "--write", "out"]).fine();
    assert!(place.text("out/report.md").contains("## Conversation: mock oracle"));

    // Another arm to compare with, or none.
    let said = place.run(&["report", "log.jsonl", "--baseline", "nonsense"]).failed(2);
    assert!(said.contains("which is not an arm of these runs"), "{said}");
    let report = place.run(&["report", "log.jsonl", "--baseline", "gcf"]).fine();
    assert!(report.contains("### packs: beside gcf, question by question"));
    assert!(!report.contains("### rows: beside"));

    for (text, says) in [
        ("", "line 1: no run"),
        ("{}\n", "line 1: not a record of a run"),
        ("nonsense", "line 1: no run"),
    ] {
        std::fs::write(place.path("broken.jsonl"), text).unwrap();
        let said = place.run(&["report", "broken.jsonl"]).failed(1);
        assert!(said.contains(says), "{said}");
    }
}

#[test]
fn costs_are_printed() {
    let place = Place::new();
    // What one format can't hold is left out of all.
    let pack = std::fs::read_to_string(pack("packs/blast_radius_8.json")).unwrap();
    let other = pack.replace("sheetwell.export", "operator sheetwell.export");
    assert!(pack != other);
    std::fs::write(place.path("pack.json"), &pack).unwrap();
    std::fs::write(place.path("other.json"), other).unwrap();
    let ran = place.run(&["cost", "--input", "pack.json", "other.json", "--counter", "cl100k"]);
    assert!(ran.fine().contains("1 texts for each format"), "{}", ran.stdout());
    assert!(ran.stderr().contains("warning: other.json is left out: gcf:"), "{}", ran.stderr());
    insta::assert_snapshot!(place.run(&["cost", "--sizes", "10,50"]).fine());
    let object: Value =
        serde_json::from_str(&place.run(&["cost", "--sizes", "10", "--format", "json"]).fine())
            .unwrap();
    assert_eq!(object["tables"].as_array().unwrap().len(), 3 * 5);
}

/// The figures of the documentation are those of the program.
#[test]
fn documented_costs_are_those_that_are_printed() {
    let packs = std::fs::read_dir(pack("packs")).unwrap();
    let mut files: Vec<String> =
        packs.map(|file| file.unwrap().path().display().to_string()).collect();
    files.sort();
    let mut arguments = vec!["cost", "--counter", "cl100k_base", "--input"];
    arguments.extend(files.iter().map(String::as_str));
    let printed = Place::new().run(&arguments).fine();
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    let is_row = |line: &&str| ["| json |", "| gcf |"].iter().any(|arm| line.starts_with(arm));
    let rows: Vec<&str> = printed.lines().filter(is_row).collect();
    assert_eq!(rows.len(), 2);
    assert!(page.contains(&rows.join("\n")), "README.md lacks {rows:?}");
}

#[test]
fn a_file_of_counts_is_read() {
    let place = Place::new();
    let cost = ["cost", "--sizes", "3", "--counter", "opus47", "--counts", "counts.json"];
    std::fs::write(place.path("counts.json"), "{\"claude-opus-4.7\": {}}").unwrap();
    assert!(place.run(&cost).fine().contains("by claude-opus-4.7, estimated"));
    std::fs::write(place.path("counts.json"), "{\"nobody\": {}}").unwrap();
    let said = place.run(&cost).failed(1);
    assert!(said.contains("counts.json") && said.contains("nobody"), "{said}");
}

#[test]
fn help_is_there() {
    let place = Place::new();
    for command in ["comprehension", "conversation", "report", "cost", "verify"] {
        insta::assert_snapshot!(format!("help_{command}"), place.run(&[command, "--help"]).fine());
    }
    let said = place.run(&["comprehension"]).failed(2);
    assert!(said.contains("--backend <BACKEND>"), "{said}");
    let said = place.run(&["comprehension", "--backend", "mock", "--command", "cat"]).failed(2);
    assert!(said.contains("--command is for the backend command"), "{said}");
    let said = place.run(&["comprehension", "--backend", "anthropic"]).failed(2);
    assert!(said.contains("--model <MODEL>"), "{said}");
    let said = place.run(&["comprehension", "--backend", "mock", "--sizes", "0"]).failed(2);
    assert!(said.contains("0 is not in 1..=100000"), "{said}");
}

/// Two runs on one log would write over each other.
#[test]
#[cfg(unix)]
fn a_log_has_one_run_at_a_time() {
    let place = Place::new();
    let arguments = [
        "comprehension",
        "--families",
        "rows",
        "--sizes",
        "10",
        "--arms",
        "json",
        "--repeats",
        "1",
        "--concurrency",
        "1",
        "--log",
        "log.jsonl",
        "--command",
        "sleep 1",
    ];
    let mut first = place.start(&arguments);
    // The first has begun when its log has a line.
    while !place.path("log.jsonl").exists() || !place.text("log.jsonl").contains('\n') {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let resumed = [&arguments[..], &["--resume"]].concat();
    let said = place.run(&resumed).failed(2);
    assert!(said.contains("another run writes log.jsonl"), "{said}");
    // Not even while it has no answer.
    let said = place.run(&arguments).failed(2);
    let is_rejected = ["another run writes log.jsonl", "log.jsonl exists"];
    assert!(is_rejected.iter().any(|message| said.contains(message)), "{said}");
    assert!(first.wait().unwrap().success());
    assert_eq!(place.calls("log.jsonl").len(), 3);
    // Then it is free again.
    place.run(&resumed).fine();
}

#[test]
#[cfg(unix)]
fn what_a_program_writes_has_an_end() {
    for command in ["yes", "sh -c 'yes >&2'", "sh -c 'yes & wait'"] {
        let place = Place::new();
        let ran = place.run(&[
            "comprehension",
            "--families",
            "rows",
            "--sizes",
            "10",
            "--arms",
            "json",
            "--repeats",
            "1",
            "--log",
            "log.jsonl",
            "--command",
            command,
            "--max-output",
            "100000",
            "--timeout",
            "60",
        ]);
        let said = ran.failed(3);
        assert!(
            said.contains("has more than 100000 bytes, expected at most that many (--max-output)"),
            "{said}"
        );
        assert!(place.text("log.jsonl").len() < 50_000);
    }
    // Up to the limit it is an answer.
    let place = Place::new();
    place
        .run(&[
            "comprehension",
            "--families",
            "rows",
            "--sizes",
            "10",
            "--arms",
            "json",
            "--repeats",
            "1",
            "--log",
            "log.jsonl",
            "--command",
            "printf 12345",
            "--max-output",
            "5",
        ])
        .fine();
}

/// A log replaces nothing, but for one whose first line was cut off.
#[test]
fn what_is_no_log_stays() {
    let log = |place: &Place| {
        place.run(&[
            "comprehension",
            "--families",
            "rows",
            "--sizes",
            "3",
            "--arms",
            "json",
            "--repeats",
            "1",
            "--backend",
            "mock",
            "--log",
            "log.jsonl",
        ])
    };
    for text in ["{\"a\":1}", "precious", "{\"record\":\"run\"}", "\n"] {
        let place = Place::new();
        std::fs::write(place.path("log.jsonl"), text).unwrap();
        let said = log(&place).failed(2);
        assert!(said.contains("log.jsonl exists"), "{said}");
        assert_eq!(place.text("log.jsonl"), text);
    }
    for text in ["", "{\"rec", "{\"record\":\"run\",\"task\":\"compre"] {
        let place = Place::new();
        std::fs::write(place.path("log.jsonl"), text).unwrap();
        log(&place).fine();
    }
}

#[test]
#[cfg(target_os = "linux")]
fn help_and_arguments_are_said_safely() {
    let place = Place::new();
    let said = place.run(&["cost", "--x\u{202e}\u{9b}31m"]).failed(2);
    assert!(said.contains(r"\u{202e}") && !said.contains(['\u{202e}', '\u{9b}']), "{said}");
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_wire-eval"));
    assert_eq!(command.arg("--help").stdout(full).output().unwrap().status.code(), Some(3));
    let said = place.run(&["comprehension", "--backend", "mock", "--log", "/dev/null"]).failed(2);
    assert!(said.contains("/dev/null is not a regular file"), "{said}");
}

/// One run of several seeds, and a run for each of them, give one and the same report.
#[test]
fn runs_of_several_seeds_are_pooled() {
    let place = Place::new();
    let ask = |log: &str, seeds: [&str; 2]| {
        let plan = ["comprehension", "--families", "rows", "--sizes", "5,8", "--arms", "json,gcx"];
        let mock = ["--backend", "mock", "--repeats", "1", "--log", log];
        place.run(&[&plan[..], &mock, &seeds].concat()).fine()
    };
    let whole = ask("whole.jsonl", ["--seeds", "3..8"]);
    assert!(whole.contains("seeds 3..8, repeats: 1"), "{whole}");
    for seed in ["8", "3", "4", "5", "7", "6"] {
        ask(&format!("{seed}.jsonl"), ["--seed", seed]);
    }
    let logs = ["8.jsonl", "3.jsonl", "4.jsonl", "5.jsonl", "6.jsonl", "7.jsonl"];
    assert_eq!(place.run(&[&["report"], &logs[..]].concat()).fine(), whole);
    // The same seed again is another run, not more data.
    let twice = place.run(&["report", "3.jsonl", "whole.jsonl"]).fine();
    assert!(twice.contains("seed 3, ") && twice.contains("seeds 3..8, "), "{twice}");
    place.run(&[&["report", "--publish", "out"], &logs[..]].concat()).fine();
    let checked = place.run(&["verify", "out"]).fine();
    assert_eq!(checked.matches("12 calls, 12 scores computed again").count(), 6, "{checked}");
    let ask = |log: &str, seeds: [&str; 2]| {
        let plan = ["conversation", "--sizes", "5", "--arms", "json,gcx"];
        let mock = ["--backend", "mock", "--repeats", "1", "--log", log];
        place.run(&[&plan[..], &mock, &seeds].concat()).fine()
    };
    let whole = ask("turns.jsonl", ["--seeds", "3,5"]);
    assert!(whole.contains("seeds 3, 5, repeats: 1"), "{whole}");
    ask("turns-3.jsonl", ["--seed", "3"]);
    ask("turns-5.jsonl", ["--seed", "5"]);
    assert_eq!(place.run(&["report", "turns-5.jsonl", "turns-3.jsonl"]).fine(), whole);
    let said = place.run(&["conversation", "--backend", "mock", "--seed=1", "--seeds=2"]).failed(2);
    assert!(said.contains("cannot be used with"), "{said}");
    for wrong in ["8..3", "x", "", "1..", "0..10000", "-1..2"] {
        let seeds = format!("--seeds={wrong}");
        let said = place.run(&["comprehension", "--backend", "mock", &seeds]).failed(2);
        assert!(said.contains("expected `1..50` or `1,2,7`"), "{said}");
    }
}

/// Of 25 tables with one question of each kind, GCX1 gets every other cell wrong: what is right
/// everywhere says nothing of the arms, and is left out of the sums.
#[test]
fn what_is_right_everywhere_is_left_out_and_said() {
    let place = Place::new();
    let plan = ["comprehension", "--families", "rows", "--sizes", "5", "--arms", "json,gcx"];
    let mock = ["--backend", "mock", "--repeats", "1", "--log", "log.jsonl", "--seeds", "1..25"];
    let report = place.run(&[&plan[..], &mock].concat()).fine();
    // If all kinds are so, none is left out.
    assert!(report.contains("| gcx | 75 | 0 |"), "{report}");
    assert!(report.contains("| cell (at the ceiling) | 25 of 25 | 25 of 25 |"), "{report}");
    let wrong = |line: &str| {
        let mut record: Value = serde_json::from_str(line).unwrap();
        let is_odd = |name: &Value| name.as_str().unwrap().ends_with(['1', '3', '5', '7', '9']);
        let is_cell = record["question"] == "cell" && record["arm"] == "gcx";
        if is_cell && is_odd(&record["material"]) {
            record["score"] = serde_json::json!({ "exact": false, "lenient": false });
        }
        format!("{record}\n")
    };
    let log: String = place.text("log.jsonl").lines().map(wrong).collect();
    std::fs::write(place.path("log.jsonl"), log).unwrap();
    let report = place.run(&["report", "log.jsonl"]).fine();
    for row in [
        "| json | 25 | 0 | 100.0 % (87–100) | 100.0 % (87–100) |",
        "| gcx | 25 | 0 | 48.0 % (30–67) | 48.0 % (30–67) |",
        "| entry_count (at the ceiling) | 25 of 25 | 25 of 25 |",
        "| filter (at the ceiling) | 25 of 25 | 25 of 25 |",
        "| cell | 25 of 25 | 12 of 25 |",
        "### rows: right answers by size\n\n| arm | size 5 |\n|---|---:|\n| json | 25 of 25 |\n| gcx | 12 of 25 |",
        "The other tables are without these kinds",
        // 2 · 0.5^13, and 13 of 25.
        "| gcx | 25 | 0 | 13 | 12 | < 0.001 | −52 (−72 to −32) |",
    ] {
        assert!(report.contains(row), "{row}\n{report}");
    }
    // Three kinds in sums of one: the same differences by kind would say it twice.
    assert!(!report.contains("rows: beside json, by question"), "{report}");
    // The log is not what the prompts say.
    place.run(&["report", "log.jsonl", "--publish", "out"]).fine();
    let said = place.run(&["verify", "out"]).failed(1);
    assert!(said.contains("the score is not that of the answer"), "{said}");
}

#[test]
fn kinds_of_questions_are_chosen() {
    let place = Place::new();
    let plan = ["comprehension", "--backend", "mock", "--sizes", "10", "--repeats", "1"];
    let chosen = ["--kinds", "cell,edge_count", "--log", "log.jsonl"];
    place.run(&[&plan[..], &chosen].concat()).fine();
    let calls = place.calls("log.jsonl");
    let asked: std::collections::BTreeSet<&str> =
        calls.iter().map(|call| call["question"].as_str().unwrap()).collect();
    assert_eq!(asked.into_iter().collect::<Vec<_>>(), ["cell", "edge_count"]);
    let said = place.run(&[&plan[..], &["--kinds", "nonsense"]].concat()).failed(2);
    assert!(said.contains("nonsense"), "{said}");
}

/// What does not fit in one arm is asked in none, and is known before the first call.
#[test]
fn prompts_that_do_not_fit_are_left_out_of_the_plan() {
    let place = Place::new();
    let plan = ["comprehension", "--backend", "mock", "--families", "rows", "--sizes", "5,50"];
    let limits = ["--max-tokens", "64", "--log", "log.jsonl", "--max-context"];
    let fitting = [&plan[..], &limits, &["1000"]].concat();
    let ran = place.run(&[&fitting[..], &["--dry-run"]].concat());
    ran.fine();
    let note = "note: 20 prompts don't fit into 1000 tokens with an answer of 64 in every arm, and are left out: of rows-50\nnote: 36 calls";
    assert!(ran.stderr().starts_with(note), "{}", ran.stderr());
    place.run(&fitting).fine();
    let calls = place.calls("log.jsonl");
    assert!(calls.len() == 36 && calls.iter().all(|call| call["material"] == "rows-5"));
    let said = place.run(&[&plan[..], &limits, &["80"]].concat()).failed(2);
    assert!(said.contains("no question fits into --max-context 80 in every arm"), "{said}");
}

/// One wrong answer of each kind, in place of right ones.
#[test]
fn wrong_answers_are_told_by_their_origin() {
    let place = Place::new();
    let plan = ["comprehension", "--families", "rows", "--sizes", "5", "--arms", "json,gcx"];
    let mock = ["--backend", "mock", "--repeats", "1", "--kinds", "cell", "--log", "log.jsonl"];
    let report = place.run(&[&plan[..], &mock, &["--seeds", "1..4"]].concat()).fine();
    assert!(!report.contains("where wrong answers about a value come from"), "{report}");
    let records: Vec<Value> =
        place.text("log.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let data = |material: &Value| -> (Vec<Value>, String, String) {
        let call = records
            .iter()
            .find(|record| record["arm"] == "json" && record["material"] == *material);
        let sha256 = &call.unwrap()["prompt_sha256"];
        let prompt = records.iter().find(|record| record["sha256"] == *sha256).unwrap();
        let (data, question) =
            prompt["text"].as_str().unwrap().split_once("\n</data>\n\nWhat is the ").unwrap();
        let data: Value = serde_json::from_str(data.split_once("<data>\n").unwrap().1).unwrap();
        let (key, rest) = question.split_once(" of the entry whose id is ").unwrap();
        let id = rest.split_once("? Answer").unwrap().0;
        (data["results"].as_array().unwrap().clone(), key.to_owned(), id.to_owned())
    };
    let mut log = String::new();
    for mut record in records.iter().cloned() {
        if record["record"] == "call" && record["arm"] == "gcx" {
            let (rows, key, id) = data(&record["material"]);
            let asked = rows.iter().find(|row| row["id"] == *id).unwrap();
            let other =
                rows.iter().find(|row| row["id"] != *id && row[&key] != asked[&key]).unwrap();
            record["answer"] = match record["material"].as_str().unwrap() {
                "rows-5-seed-1" => asked["file_path"].clone(),
                "rows-5-seed-2" => format!("`{}`\n", other[&key].as_str().unwrap()).into(),
                "rows-5-seed-3" => other["id"].clone(),
                _ => "nobody knows".into(),
            };
            record["score"] = serde_json::json!({ "exact": false, "lenient": false });
        }
        log += &format!("{record}\n");
    }
    std::fs::write(place.path("log.jsonl"), log).unwrap();
    let report = place.run(&["report", "log.jsonl"]).fine();
    assert!(report.contains("| gcx | 1 of 4 | 1 of 4 | 1 of 4 | 1 of 4 |"), "{report}");
}

/// Other ways to write tables are there to compare with, and not asked unless they are named.
#[test]
fn other_tables_are_arms_by_name() {
    let place = Place::new();
    let plan = ["comprehension", "--backend", "mock", "--families", "rows", "--sizes", "5"];
    let log = ["--repeats", "1", "--log", "log.jsonl"];
    let report =
        place.run(&[&plan[..], &["--arms", "json,json-sorted,csv,markdown"], &log].concat()).fine();
    // The oracle reads what the formats decode.
    assert!(report.contains("| json-sorted | 3 | 0 | 100.0 %"), "{report}");
    assert!(
        report.contains("| csv | 3 | 0 |") && report.contains("| markdown | 3 | 0 |"),
        "{report}"
    );
    let log = place.text("log.jsonl");
    for beginning in ["id,kind,", "| id | kind |"] {
        assert!(log.contains(&format!("<data>\\n{beginning}")), "{beginning}\n{log}");
    }
    // Its scores are computed again from the baseline's text.
    place.run(&["report", "log.jsonl", "--publish", "out"]).fine();
    assert!(place.run(&["verify", "out"]).fine().contains("12 calls, 12 scores computed again"));
    place.run(&[&plan[..], &["--dry-run"]].concat()).fine();
    let all = place.run(&[&plan[..], &["--log", "all.jsonl"]].concat()).fine();
    assert!(!all.contains("| csv |"), "{all}");
}
