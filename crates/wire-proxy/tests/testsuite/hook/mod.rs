//! Hooks of agents: recorded events, written anew with data of ours, and what the program answers.
//! Whatever it is given, it ends with 0.

#![allow(clippy::unwrap_used)] // helpers of tests

use std::io::Write;
use std::process::{Command, Stdio};
use std::{fs, iter};

use serde_json::{Value, json};
use wire_mcp::says_the_same;

/// The whole of what the program prints for an event.
fn answered(arguments: &[&str], event: &[u8]) -> String {
    let mut hook = Command::new(env!("CARGO_BIN_EXE_wire-proxy"))
        .arg("hook")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // Not read to its end where the command line is not valid.
    let _ = hook.stdin.take().unwrap().write_all(event);
    let output = hook.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn events() -> Vec<(String, Value)> {
    let recorded: Vec<Value> = serde_json::from_str(include_str!("events.json")).unwrap();
    let event = |recorded: Value| {
        (recorded["name"].as_str().unwrap().to_owned(), recorded["event"].clone())
    };
    recorded.into_iter().map(event).collect()
}

/// The agent's own output, and where an answer has the new one.
fn places(agent: &str) -> (&'static str, &'static str) {
    match agent {
        "claude-code" => ("/tool_response", "/hookSpecificOutput/updatedToolOutput"),
        "copilot" => ("/toolResult/textResultForLlm", "/modifiedResult/textResultForLlm"),
        "cline" => ("/output", "/output"),
        "opencode bash" => ("/output/output", "/output"),
        _ => ("/output", ""),
    }
}

/// Holds that both are the same but for their texts, which say the same.
fn assert_same(came: &Value, went: &Value) {
    match (came, went) {
        (Value::String(came), Value::String(went)) => {
            let is_new = serde_json::from_str::<Value>(came).is_ok() && came != went;
            let came = if is_new { came.trim() } else { came };
            assert!(says_the_same(came, went), "{came}\n{went}");
        }
        (Value::Array(came), Value::Array(went)) if came.len() > went.len() => {
            // A row a block became one list.
            let rows: Vec<&str> =
                came.iter().map(|block| block["text"].as_str().unwrap()).collect();
            assert_eq!(went.len(), 1);
            let went = went[0]["text"].as_str().unwrap();
            assert!(says_the_same(&format!("[{}]", rows.join(",")), went), "{went}");
        }
        (Value::Array(came), Value::Array(went)) => {
            assert_eq!(came.len(), went.len());
            iter::zip(came, went).for_each(|(came, went)| assert_same(came, went));
        }
        (Value::Object(came), Value::Object(went)) => {
            assert!(came.keys().eq(went.keys()));
            iter::zip(came.values(), went.values())
                .for_each(|(came, went)| assert_same(came, went));
        }
        (came, went) => assert_eq!(came, went),
    }
}

#[test]
fn recorded_events() {
    let mut told = String::new();
    for (name, event) in events() {
        let text = event.to_string();
        let told_of = answered(&["test"], text.as_bytes());
        told += &format!("## {name}\n{told_of}\n");
        let agent = name.split(':').next().unwrap();
        let agent = if agent == "another agent" { "claude-code" } else { agent };
        let answer = answered(&[agent], text.as_bytes());
        assert_eq!(answer.is_empty(), told_of.starts_with("unchanged: "), "{name}");
        if !answer.is_empty() {
            assert!(told_of.ends_with(&answer), "{name}");
            let is_command = event["tool"] == "bash";
            let place = if is_command { "opencode bash" } else { agent };
            let (came, went) = places(place);
            let answer: Value = serde_json::from_str(&answer).unwrap();
            assert_same(event.pointer(came).unwrap(), answer.pointer(went).unwrap());
        }
        // An event of another agent has another shape.
        let other = if agent == "copilot" { "cline" } else { "copilot" };
        assert_eq!(answered(&[other], text.as_bytes()), "", "{name}");
    }
    insta::assert_snapshot!(told);
}

#[test]
fn a_report_names_the_argument_that_decided() {
    let event = json!({
        "hook_event_name": "PostToolUse", "tool_name": "mcp__a__load", "tool_input": {"path": "secret.json"},
        "tool_response": serde_json::to_string(&vec![json!({"id": 1, "name": "x"}); 9]).unwrap(),
    });
    let told = answered(&["test"], event.to_string().as_bytes());
    assert_eq!(told, "unchanged: its argument `path` names a `.json` file\n");
}

#[test]
fn what_can_not_be_read_has_no_answer() {
    let row = r#"{"id":1,"name":"x"}"#;
    let large = json!({
        "hook_event_name": "PostToolUse", "tool_name": "mcp__a__list", "tool_input": {},
        "tool_response": format!("[{}{row}]", format!("{row},").repeat(420_000)),
    });
    let large = large.to_string();
    assert!(large.len() > 10 << 20);
    for event in [
        b"".as_slice(),
        b"{",
        b"null",
        b"[]",
        b"\xff\xfe{}",
        &large.as_bytes()[..9_000],
        large.as_bytes(),
        br#"{"agent":"opencode","version":1}"#,
    ] {
        for agent in ["claude-code", "copilot", "opencode", "cline"] {
            assert_eq!(answered(&[agent], event), "", "{agent}");
        }
        assert!(answered(&["test"], event).starts_with("unchanged: "));
    }
}

#[test]
fn a_command_line_that_is_not_valid_is_no_failure() {
    for arguments in [
        &["claude-code", "--unheard-of"][..],
        &["unheard-of"],
        &["claude-code", "--config", "not-there.toml"],
        &["claude-code", "--stats", "not/there.jsonl"],
    ] {
        let (_, event) = events().remove(2);
        assert_eq!(answered(arguments, event.to_string().as_bytes()), "", "{arguments:?}");
    }
}

#[test]
fn options_come_from_the_file_and_statistics_go_to_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("a.toml"), "[hook]\ncommands = [\"cat team.json\"]\n").unwrap();
    fs::write(path("b.toml"), "[limits]\nhook-bytes = 100\n").unwrap();
    fs::write(path("c.toml"), "[[rules]]\ntools = \"Bash\"\npolicy = \"off\"\n").unwrap();
    let named =
        |name: &str| events().into_iter().find(|(own, _)| own == name).unwrap().1.to_string();
    let answer = |event: &str, config: &str| {
        let stats = path("stats.jsonl");
        let options = ["claude-code", "--config", &path(config), "--stats", &stats];
        answered(&options, event.as_bytes())
    };
    let list = named("claude-code: a command that lists");
    assert!(answer(&named("claude-code: a file"), "a.toml").contains("updatedToolOutput"));
    assert!(answer(&list, "a.toml").contains("updatedToolOutput"));
    assert_eq!(answer(&named("claude-code: no JSON"), "a.toml"), "");
    assert_eq!(answer(&list, "b.toml"), "");
    assert_eq!(answer(&list, "c.toml"), "");
    let lines = fs::read_to_string(path("stats.jsonl")).unwrap();
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    // The output that is too large is not read; those that stay are counted, too.
    assert_eq!(lines.len(), 4);
    for (line, is_less) in iter::zip(&lines, [true, true, false, false]) {
        assert_eq!((&line["tool"], &line["client"]), (&json!("Bash"), &json!("claude-code")));
        let shown = &line["shown"];
        assert_eq!(shown["went"].as_u64() < shown["came"].as_u64(), is_less, "{line}");
    }
}

#[test]
fn init_writes_the_hook_and_takes_it_back() {
    let home = tempfile::tempdir().unwrap();
    let init = |arguments: &[&str]| {
        let mut init = Command::new(env!("CARGO_BIN_EXE_wire-proxy"));
        init.arg("init").args(arguments).current_dir(&home).env("HOME", home.path());
        let output = init.env_remove("COPILOT_HOME").output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    for (agent, file) in [
        ("claude-code", ".claude/settings.json"),
        ("copilot", ".copilot/hooks/wire-proxy.json"),
        ("opencode", ".config/opencode/plugins/wire-proxy.js"),
        ("cline", ".cline/plugins/wire-proxy.js"),
    ] {
        let file = home.path().join(file);
        let (code, shown) = init(&[agent, "--hook", "--program", "wire-proxy"]);
        assert!(code == Some(0) && !file.exists() && shown.contains("--write makes"), "{shown}");
        init(&[agent, "--hook", "--program", "wire-proxy", "--write"]);
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains("hook") && text.contains(agent), "{text}");
        let (_, shown) = init(&[agent, "--hook", "--program", "wire-proxy", "--write"]);
        assert!(shown.ends_with("nothing to change\n"), "{shown}");
        assert_eq!(init(&[agent, "--hook", "--undo", "--write"]).0, Some(0));
        assert!(!file.exists(), "{agent}");
    }
    fs::write(home.path().join(".claude/settings.json"), "{ \"a\": 1 }").unwrap();
    init(&["claude-code", "--hook", "--write"]);
    init(&["claude-code", "--hook", "--undo", "--write"]);
    let settings = fs::read_to_string(home.path().join(".claude/settings.json"));
    assert_eq!(settings.unwrap(), "{ \"a\": 1 }");
    assert_eq!(init(&["codex", "--hook"]).0, Some(2));
}
