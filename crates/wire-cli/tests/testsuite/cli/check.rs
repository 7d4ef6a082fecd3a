//! `wirefmt check` and `view`.

use std::fs;
use std::process::{Command, Stdio};

use super::responses::CALLERS;
use crate::common::{AS_GCF, PAYLOAD, folder, shown, text, wirefmt};

#[test]
fn a_final_newline_can_be_required_of_every_text() {
    let folder = folder();
    for (input, code) in [
        (PAYLOAD.trim_end(), Some(1)),
        (AS_GCF.trim_end(), Some(1)),
        (PAYLOAD, Some(0)),
        (AS_GCF, Some(0)),
    ] {
        let output =
            wirefmt(folder.path(), &["check", "-", "--require-final-newline"], input.as_bytes());
        assert_eq!(output.status.code(), code, "{}", shown(&output));
    }
}

#[test]
fn the_exit_code_of_check_does_not_need_a_reader() {
    let folder = folder();
    fs::write(folder.path().join("bad.gcf"), "GCF tool=t\nx\n").unwrap();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader); // before the child can write
    let status = Command::new(env!("CARGO_BIN_EXE_wirefmt"))
        .args(["check", "pack.json", "pack.json", "bad.gcf"])
        .current_dir(folder.path())
        .stdout(writer)
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(1));
}

#[test]
fn check_and_view_know_responses_and_payloads() {
    let folder = folder();
    let path = folder.path();
    fs::write(path.join("callers.json"), CALLERS).unwrap();
    wirefmt(path, &["convert", "callers.json", "--tool", "get_callers", "-o", "callers.gcx"], b"");
    wirefmt(path, &["convert", "pack.json", "-o", "pack.gcx"], b"");
    fs::write(
        path.join("many.gcx"),
        "GCX1 tool=a fields=x,y\n1\u{1b}[31m\t2\nGCX1 tool=b fields=z rows=0 total=3\n",
    )
    .unwrap();
    let mut all = String::new();
    for arguments in [
        &["check", "callers.gcx", "pack.gcx", "many.gcx"][..],
        &["check", "--message-format", "json", "callers.gcx", "pack.gcx"],
        &["view", "callers.gcx"],
        &["view", "pack.gcx"],
        &["view", "pack.json"],
        &["view", "many.gcx"],
    ] {
        let output = wirefmt(path, arguments, b"");
        all += &format!("$ wirefmt {}\n{}\n", arguments.join(" "), shown(&output));
    }
    insta::assert_snapshot!(all);
}

/// The reports for programs of JSON that is no payload, and what is judged as one.
#[test]
fn json_is_checked_as_what_it_is() {
    let folder = folder();
    let path = folder.path();
    let query = r#"{"query_type":"search","nodes":[]}"#;
    for (input, arguments, code, expected) in [
        ("[1, 2]", &[][..], 0, "standard input: json, 2 items, 0 lines\n"),
        ("{\"a\": 18446744073709551616}\n", &[], 0, "standard input: json, 1 member, 1 line\n"),
        ("7", &["--from", "json"], 0, "standard input: json, 1 scalar, 0 lines\n"),
        (query, &[], 0, "standard input: json, search, 3 members, 0 lines\n"),
        (query, &["--as", "value"], 0, "standard input: json, 2 members, 0 lines\n"),
        (
            "{\"tool\": \"t\", \"symbols\": 1}",
            &["--as", "value"],
            0,
            "standard input: json, 2 members, 0 lines\n",
        ),
        ("{\"tool\": \"t\", \"symbols\": 1}", &[], 1, ""),
        ("{\"symbols\": []}", &[], 1, ""),
        ("[1, 2]", &["--as", "payload"], 1, ""),
        ("[1, 2]", &["--as", "response"], 1, ""),
        ("{\"a\": 1, \"a\": 2}", &[], 1, ""),
        ("[1, 2", &[], 1, ""),
        ("GCF tool=t\n", &["--as", "value"], 2, ""),
        ("1", &["--as", "value"], 0, "standard input: json, 1 scalar, 0 lines\n"),
    ] {
        let output = wirefmt(path, &[&["check", "-"], arguments].concat(), input.as_bytes());
        let expected = expected.replace("search, 3 members", "search, 2 members");
        assert_eq!(
            (output.status.code(), text(&output.stdout)),
            (Some(code), expected),
            "{}",
            shown(&output)
        );
    }
}
