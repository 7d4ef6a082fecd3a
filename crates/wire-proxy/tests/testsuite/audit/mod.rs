//! Sessions of our own making, in the shapes that clients were observed to write, and what the
//! audit says of them.

#![allow(clippy::unwrap_used)] // helpers of tests
#![allow(clippy::cast_precision_loss)] // counts are far below 2^52

mod sessions;

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use self::sessions::{Long, Request};

fn audit(folder: &Path, arguments: &[&str]) -> Output {
    let mut audit = Command::new(env!("CARGO_BIN_EXE_wire-proxy"));
    audit.arg("audit").arg(folder).args(arguments).args(["--config", "/dev/null"]);
    let output = audit.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

fn said(folder: &Path, arguments: &[&str]) -> String {
    String::from_utf8(audit(folder, arguments).stdout).unwrap()
}

fn json(folder: &Path) -> Value {
    serde_json::from_str(&said(folder, &["--json"])).unwrap()
}

#[test]
fn sessions_of_each_client_are_read() {
    let folder = TempDir::new().unwrap();
    sessions::write(folder.path());
    let all = json(folder.path());
    let rows = all["rows"].as_array().unwrap();
    for title in [
        "Claude Code",
        "Codex",
        "Copilot CLI",
        "OpenCode",
        "Gemini CLI",
        "Qwen Code",
        "Cline",
        "Continue",
    ] {
        let mut own = rows.iter().filter(|row| row["client"].as_str().unwrap().contains(title));
        assert!(own.any(|row| row["saved"].as_u64() > Some(0)), "{title}: {all:#}");
    }
    assert_eq!(all["skipped"], serde_json::json!([]));
}

#[test]
fn whoever_reads_may_have_enough_of_it() {
    let folder = TempDir::new().unwrap();
    sessions::write(folder.path());
    let mut audit = Command::new(env!("CARGO_BIN_EXE_wire-proxy"));
    let mut audit = audit.arg("audit").arg(folder.path()).stdout(Stdio::piped()).spawn().unwrap();
    drop(audit.stdout.take());
    assert_eq!(audit.wait().unwrap().code(), Some(0));
}

#[test]
fn a_folder_without_results_says_so() {
    let (folder, out) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    assert_eq!(said(folder.path(), &[]), "no tool results\n\nRead: 0 files, 0.0 MB.\n");
    let file = out.path().join("a.html");
    audit(folder.path(), &["--html", file.to_str().unwrap()]);
    let page = fs::read_to_string(&file).unwrap();
    assert!(page.contains("<h1>no tool results</h1>") && !page.contains("<table>"), "{page}");
}

#[test]
fn the_page_has_what_the_command_says() {
    let folder = TempDir::new().unwrap();
    sessions::write(folder.path());
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/audit.md");
    let page = fs::read_to_string(page).unwrap();
    let said = said(folder.path(), &[]);
    assert!(page.contains(&format!("```text\n{said}```\n")), "docs/audit.md needs:\n{said}");
}

#[test]
fn copies_of_a_session_are_counted_once() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("a.jsonl"), sessions::claude_code(3)).unwrap();
    let all = json(folder.path());
    assert_eq!(all["total"]["results"], 1);
    assert_eq!(all["input"]["requests"], 4);
    // A copy of the session adds nothing.
    fs::write(folder.path().join("b.jsonl"), sessions::claude_code(3)).unwrap();
    let copied = json(folder.path());
    assert_eq!((&copied["total"], &copied["input"]), (&all["total"], &all["input"]));
}

/// Whether two numbers differ by at most 2 %.
fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 0.02 * b
}

/// A session of Claude Code whose usage follows Anthropic's rules: what is saved of the bill is what
/// the bills of both ways differ by, counted from the texts themselves.
#[test]
fn the_part_of_the_bill_is_that_of_the_texts() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("a.jsonl");
    let of_session = |session: &Long| {
        fs::write(&file, session.claude_code()).unwrap();
        json(folder.path())
    };
    // The tokens that each size of a result saves.
    let saved = |orders: u32| {
        let session = Long { results: vec![orders], ..Long::default() };
        (orders, of_session(&session)["total"]["saved"].as_f64().unwrap())
    };
    let saved = HashMap::from([5, 20, 60].map(saved));
    for is_for_an_hour in [false, true] {
        let results = vec![20, 5, 60, 5, 20, 20, 5, 60, 20, 5, 5, 20];
        let session = Long { results, is_for_an_hour };
        let input = &of_session(&session)["input"];
        let own = session.requests();
        let recorded = |part: fn(&Request) -> u64| own.iter().map(part).sum::<u64>();
        assert_eq!(
            input["tokens"].as_u64(),
            Some(recorded(|own| own.read + own.written + own.new))
        );
        assert_eq!(input["cached_tokens"].as_u64(), Some(recorded(|own| own.read)));
        assert_eq!(input["estimated_requests"], 0);
        let bill: f64 = own.iter().map(|own| session.price(own)).sum();
        assert!(is_near(input["bill"].as_f64().unwrap(), bill), "{input} {bill}");
        // A result is written once, and read with each request after it.
        let write = if is_for_an_hour { 2.0 } else { 1.25 };
        let later = (0_u32..).take(session.results.len()).collect::<Vec<_>>().into_iter().rev();
        let less: f64 = std::iter::zip(&session.results, later)
            .map(|(orders, later)| saved[orders] * (write + 0.1 * f64::from(later)))
            .sum();
        assert!(is_near(input["saved"].as_f64().unwrap(), less), "{input} {less}");
    }
}

/// Copilot CLI records usage as a sum at the end, and the context at each call: what follows from the
/// contexts is what the sum says.
#[test]
fn the_reckoning_of_prompts_and_caches_is_what_usage_says() {
    let folder = TempDir::new().unwrap();
    let session = Long { results: vec![20, 5, 60, 5, 20, 20, 5, 60, 20, 5], ..Long::default() };
    let [with, without] = [true, false].map(|is_recorded| {
        let lines = session.copilot(is_recorded);
        fs::write(folder.path().join("a.jsonl"), lines).unwrap();
        json(folder.path())["input"].clone()
    });
    for member in ["tokens", "cached_tokens", "bill", "saved"] {
        let [recorded, reckoned] = [&with, &without].map(|input| input[member].as_f64().unwrap());
        assert!(recorded > 0.0 && is_near(reckoned, recorded), "{member}: {with} {without}");
    }
}

/// A session of Copilot CLI may be resumed, or not be closed: its sums are of some requests only.
#[test]
fn a_sum_of_some_requests_is_not_that_of_all() {
    let folder = TempDir::new().unwrap();
    let session = Long { results: vec![20, 5, 60], ..Long::default() }.copilot(false);
    let input = |session: &str, usage: &str| {
        let sum = format!(
            r#"{{"type":"session.shutdown","data":{{"modelMetrics":{{"m":{{"usage":{usage}}}}}}}}}"#
        );
        fs::write(folder.path().join("a.jsonl"), format!("{session}{sum}\n")).unwrap();
        json(folder.path())["input"].clone()
    };
    let estimated = input(&session, "{}");
    assert!(estimated["saved"].as_f64() < estimated["bill"].as_f64(), "{estimated}");
    let some = r#"{"inputTokens":1000,"cacheReadTokens":900}"#;
    assert_eq!(input(&session, some), estimated);
    let all = r#"{"inputTokens":1000000,"cacheReadTokens":900000,"cacheWriteTokens":50000}"#;
    assert_eq!(input(&session, all)["bill"], 202_500.0);
    // Without requests the sum is known, but not what is saved of it.
    let is_other = |line: &&str| !line.contains("assistant.turn_start");
    let others: String = session.split_inclusive('\n').filter(is_other).collect();
    assert_eq!(input(&others, some)["tokens"], 1000);
    let said = said(folder.path(), &[]);
    assert!(said.contains("lower, by how much no session says"), "{said}");
    assert!(said.contains("by the providers: 1,000, of which 90 % were cached"), "{said}");
}

#[test]
fn a_bill_is_paid_as_the_provider_has_it() {
    const WRITTEN: &str = r#""cache_creation_input_tokens":900"#;
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("a.jsonl");
    let input = |written: &str| {
        fs::write(&file, sessions::claude_code(0).replace(WRITTEN, written)).unwrap();
        json(folder.path())["input"].clone()
    };
    // Half of what is written stays for an hour.
    let mixed = format!(r#"{WRITTEN},"cache_creation":{{"ephemeral_1h_input_tokens":450}}"#);
    assert_eq!(input(&mixed)["bill"], 4.0 + 450.0 * (1.25 + 2.0) + 1600.0);
    // A broken count is no record.
    assert_eq!(input(r#""cache_creation_input_tokens":9000000000"#)["requests"], 0);
    // The provider of Claude Code is Anthropic, also where nothing is written.
    assert_eq!(input(r#""cache_creation_input_tokens":0"#)["bill"], 1604.0);
    let said = said(folder.path(), &[]);
    assert!(!said.contains("other providers"), "{said}");
}

#[test]
fn the_first_line_says_what_is_saved_of_the_bill() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("a.jsonl");
    for (results, expected) in [
        (vec![60, 60, 60], "the input bill is 17 % lower, by the providers' cache rules; "),
        (vec![5, 0, 0, 0, 0, 0, 0, 0, 0, 0], "the input bill is under 1 % lower, "),
        // Both numbers have one unit.
        (vec![60; 60], "; 81,900 of the 114,120 tokens ("),
    ] {
        fs::write(&file, Long { results, ..Long::default() }.claude_code()).unwrap();
        let said = said(folder.path(), &[]);
        assert!(said.lines().next().unwrap().contains(expected), "{said}");
    }
}

#[test]
fn contents_are_shown_when_asked_for_and_escaped() {
    let folder = TempDir::new().unwrap();
    let line = sessions::claude_code(1).replace("Ada", "secret\\u001b[31m");
    fs::write(folder.path().join("a.jsonl"), line).unwrap();
    assert!(!said(folder.path(), &[]).contains("secret"));
    let shown = said(folder.path(), &["--show"]);
    assert!(shown.contains("secret") && !shown.contains('\u{1b}'), "{shown}");
    assert!(!said(folder.path(), &[]).contains("a million tokens"));
    let priced = said(folder.path(), &["--price", "3"]);
    assert!(priced.contains("At a price of 3 for a million tokens, 0."), "{priced}");
    assert!(said(folder.path(), &["--counter", "cl100k_base"]).contains("by cl100k_base"));
}

#[test]
fn the_page_for_people_needs_nothing_else() {
    let folder = TempDir::new().unwrap();
    let sessions = sessions::claude_code(1).replace("list_orders", "<script>alert(1)</script>");
    fs::write(folder.path().join("a.jsonl"), sessions).unwrap();
    let out = TempDir::new().unwrap();
    let file = out.path().join("a.html");
    audit(folder.path(), &["--html", file.to_str().unwrap()]);
    let page = fs::read_to_string(&file).unwrap();
    assert!(page.contains("&lt;script&gt;") && !page.contains("<script"), "{page}");
    assert_eq!(page.matches("http").count(), page.matches("http-equiv").count(), "{page}");
    assert!(page.contains("color-scheme: light dark"));
}

#[test]
fn broken_cut_huge_and_hostile_files_give_names_and_counts() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    let good = sessions::claude_code(1);
    write("cut.jsonl", &good.as_bytes()[..good.len() - 40]);
    write("broken.jsonl", b"{\"type\":\n\xff\xfe\n");
    write("unknown.jsonl", b"{\"a\":1}\n");
    write("empty.jsonl", b"");
    write("deep.jsonl", "[".repeat(200_000).as_bytes());
    write("deep.json", "[".repeat(200_000).as_bytes());
    write("broken.json", b"{\"messages\": [");
    write("odd.json", b"{\"messages\": 7}");
    write("long.jsonl", &vec![b'a'; 17 << 20]);
    let members = vec!["{\"a\":1}"; 250_001].join(",");
    write("dense.jsonl", format!("{good}{{\"a\":[{members}]}}\n").as_bytes());
    write("broken.db", b"SQLite format 3\0 and no more");
    write("notes.txt", b"x");
    write("fake.jsonl", good.replace("list_orders", "\\u001b[31m'; rm -rf x").as_bytes());
    let huge = fs::File::create(folder.path().join("huge.json")).unwrap();
    huge.set_len(3 << 30).unwrap();
    #[cfg(unix)]
    {
        let outside = TempDir::new().unwrap();
        fs::write(outside.path().join("secret.jsonl"), &good).unwrap();
        let links = folder.path().join("links");
        fs::create_dir(&links).unwrap();
        std::os::unix::fs::symlink(outside.path(), links.join("out")).unwrap();
        std::os::unix::fs::symlink("/dev/zero", links.join("zero.jsonl")).unwrap();
    }
    let text = said(folder.path(), &[]);
    for name in [
        "cut.jsonl",
        "broken.jsonl",
        "unknown.jsonl",
        "empty.jsonl",
        "deep.jsonl",
        "deep.json",
        "broken.json",
        "odd.json",
        "long.jsonl",
        "dense.jsonl",
        "broken.db",
        "notes.txt",
        "huge.json",
    ] {
        assert!(text.contains(name), "{name}: {text}");
    }
    assert!(!text.contains('\u{1b}') && text.contains("1 broken line\n"), "{text}");
    assert!(!text.contains("rm -rf x\"]"), "{text}");
    #[cfg(unix)]
    assert!(text.contains("symbolic link, not followed: 2"), "{text}");
}

#[test]
fn a_database_that_computes_without_an_end_is_left() {
    const PART: &str = "CREATE TABLE part (id TEXT, session_id TEXT, data TEXT)";
    const ENDLESS: &str = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x AS version, x AS session_id, x AS data FROM c";
    for (name, tables) in [
        ("session is a view", format!("{PART}; CREATE VIEW session AS {ENDLESS}")),
        ("part is a view", format!("CREATE TABLE session (version TEXT); CREATE VIEW part AS {ENDLESS}")),
        (
            "data is computed",
            "CREATE TABLE part (session_id TEXT, n INT, data AS (printf('%.*c', 16000000, 'x'))); INSERT INTO part (n) WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 9000) SELECT x FROM c".to_owned(),
        ),
        (
            "version is computed",
            format!("{PART}; CREATE TABLE session (n INT, version AS (printf('%.*c', 16000000, 'x')))"),
        ),
    ] {
        let folder = TempDir::new().unwrap();
        let database = rusqlite::Connection::open(folder.path().join("opencode.db")).unwrap();
        database.execute_batch(&tables).unwrap();
        drop(database);
        let all = json(folder.path());
        assert_eq!(all["total"]["results"], 0, "{name}");
    }
}

/// Three calls with one text: what decided is said of each, and none stands for another.
#[test]
fn what_decided_is_said() {
    let folder = TempDir::new().unwrap();
    let session = sessions::claude_code(1);
    for (file, tool, input) in [
        ("a.jsonl", "list_orders", "{}"),
        ("b.jsonl", "list_orders", r#"{"path":"data/orders.json"}"#),
        ("c.jsonl", "read_file", r#"{"path":"data/orders.json"}"#),
    ] {
        let session = session
            .replace("list_orders", tool)
            .replace(r#""input":{}"#, &format!(r#""input":{input}"#));
        let session = session.replace(r#""t1""#, &format!(r#""{file}""#));
        fs::write(folder.path().join(file), session).unwrap();
    }
    let said = said(folder.path(), &[]);
    let (_, left) = said.split_once("Left as they are:\n").unwrap();
    let (left, _) = left.split_once("\n\n").unwrap();
    assert_eq!(
        left,
        "  its call names a data file: 1 result, 636 tokens\n    its argument `path` names a `.json` file\n  its tool reads a file, by its name: 1 result, 636 tokens\n    `read_file` reads a file, by `read` and `file` in its name"
    );
    let outcomes = json(folder.path())["outcomes"].clone();
    assert_eq!(
        outcomes[0]["decided"][0], "its argument `path` names a `.json` file",
        "{outcomes:#}"
    );
}
