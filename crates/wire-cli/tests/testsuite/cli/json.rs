//! Errors in JSON have the same codes and positions whole and as a stream.

use crate::common::{folder, shown, text, wirefmt};

/// The code of the error that this writes, with its line and column.
fn error(arguments: &[&str], input: &[u8]) -> (String, u64, u64) {
    let folder = folder();
    let more = ["--message-format", "json"];
    let output = wirefmt(folder.path(), &[&["convert"], arguments, &more].concat(), input);
    assert_eq!(output.status.code(), Some(1), "{arguments:?} {}", shown(&output));
    let messages = text(&output.stderr);
    let last = messages.lines().last().expect("because there is an error");
    let last: serde_json::Value = serde_json::from_str(last).expect("because messages are JSON");
    let place = |name: &str| last[name].as_u64().unwrap_or_else(|| panic!("{last}"));
    (
        last["code"].as_str().expect("because it has a code").to_owned(),
        place("line"),
        place("column"),
    )
}

fn nested(levels: usize) -> String {
    format!("{}{}", "[".repeat(levels), "]".repeat(levels))
}

#[test]
fn codes_and_places_are_those_of_the_library() {
    for (json, code, line, column) in [
        (nested(200), "too_deep", 1, 128),
        ("{\"a\":1,\n\"a\":2}".to_owned(), "duplicate_key", 2, 1),
        ("[1,\n 1e400]".to_owned(), "out_of_range", 2, 2),
        ("[1,\n 01]".to_owned(), "json_syntax", 2, 3),
        ("[1,\n ".to_owned(), "json_unexpected_end", 2, 2),
        (" ".to_owned(), "json_unexpected_end", 1, 2),
        (String::new(), "json_unexpected_end", 1, 1),
    ] {
        for to in ["gcf", "json"] {
            // JSON has numbers that no double is.
            if (to, code) == ("json", "out_of_range") {
                continue;
            }
            let found = error(&["--from", "json", "--to", to], json.as_bytes());
            assert_eq!(found, (code.to_owned(), line, column), "{json} {to}");
        }
        if json.trim().is_empty() {
            for form in ["--stream", "--stream=items"] {
                let found = error(&["--from", "json", "--to", "gcf", form], json.as_bytes());
                assert_eq!(found, (code.to_owned(), line, column), "{json} {form}");
            }
        }
        if code == "json_unexpected_end" {
            continue;
        }
        let library = gcf::json_to_gcf(&json).unwrap_err();
        let place = library.position().unwrap();
        assert_eq!((library.code(), place.line, place.column), (code, line, column));
    }
}

/// JSON lines are an array, which is one more level.
#[test]
fn lines_and_items_are_nested_in_their_array() {
    let lines = |levels| format!("{{\"a\":1}}\n{}\n", nested(levels));
    let array = |levels| format!("[{{\"a\":1}},\n{}]\n", nested(levels));
    for (to, form) in
        [("gcf", &[][..]), ("json", &[]), ("json", &["--stream"]), ("gcf", &["--stream=items"])]
    {
        let arguments = |from| [&["--from", from, "--to", to], form].concat();
        let found = error(&arguments("jsonl"), lines(127).as_bytes());
        assert_eq!(found, ("too_deep".to_owned(), 2, 127), "{to} {form:?}");
        let found = error(&arguments("json"), array(127).as_bytes());
        assert_eq!(found, ("too_deep".to_owned(), 2, 127), "{to} {form:?}");
        let folder = folder();
        for (from, input) in [("jsonl", lines(126)), ("json", array(126))] {
            let arguments = [&["convert"][..], &arguments(from)].concat();
            let output = wirefmt(folder.path(), &arguments, input.as_bytes());
            assert!(output.status.success(), "{}", shown(&output));
        }
    }
}

#[test]
fn blank_lines_are_those_of_json_white_space() {
    for blank in ["\u{a0}", "\u{c}", "\u{2003}"] {
        let lines = format!("{{\"a\":1}}\n{blank}\n{{\"a\":2}}\n");
        for form in [&[][..], &["--stream"]] {
            let arguments = [&["--from", "jsonl", "--to", "gcf"], form].concat();
            let found = error(&arguments, lines.as_bytes());
            assert_eq!(found, ("json_syntax".to_owned(), 2, 1), "{blank:?} {form:?}");
        }
    }
}

/// Text that is not JSON is refused with strings for integers, too.
#[test]
fn strings_for_integers_make_no_json_of_other_text() {
    let string = ["--big-integers", "string"];
    for (json, column) in [
        ("[2026-11-24]", 6),
        ("[-]", 3),
        ("[1-2]", 3),
        ("[099999999999999999999]", 3),
        ("{99999999999999999999:1}", 2),
    ] {
        for form in [&[][..], &["--stream=items"]] {
            if form.is_empty() || json.starts_with('[') {
                let arguments = [&["--from", "json", "--to", "gcf"], form, &string].concat();
                let found = error(&arguments, json.as_bytes());
                assert_eq!(found, ("json_syntax".to_owned(), 1, column), "{json} {form:?}");
            }
        }
    }
    let query = r#"{"query_type":"search","nodes":[{"type":"T","id":1,"a":-}]}"#;
    let found = error(&[&["--to", "goon"][..], &string].concat(), query.as_bytes());
    assert_eq!(found, ("json_syntax".to_owned(), 1, 57));
}

/// Files of editors and spreadsheets, and other names of formats.
#[test]
fn common_mistakes_have_a_hint() {
    let folder = folder();
    for (name, content, hint) in [
        ("utf16.json", &b"\xff\xfe{\0}\0"[..], "error[invalid_utf8]: the input is UTF-16"),
        ("utf16.csv", b"\xfe\xff\0a\0\n", "error[invalid_utf8]: the input is UTF-16"),
        ("latin.json", b"[\"\xe4\"]", "error[invalid_utf8]: the input is not UTF-8"),
    ] {
        std::fs::write(folder.path().join(name), content).unwrap();
        for command in [&["convert", name, "--to", "gcf"][..], &["check", name]] {
            let output = wirefmt(folder.path(), command, b"");
            assert!(text(&output.stderr).contains(hint), "{command:?} {}", shown(&output));
        }
    }
    // Whatever the JSON is, and whatever it is converted to.
    for (name, content) in [
        (
            "payload.json",
            &b"{\"tool\":\"t\",\"tokens_used\":0,\"token_budget\":0,\"symbols\":[],\"x\":\"\xff\"}"
                [..],
        ),
        ("query.json", b"{\"query_type\":\"search\",\"nodes\":[],\"edges\":[],\"x\":\"\xff\"}"),
        ("rows.json", b"[{\"a\":\"\xff\"}]"),
    ] {
        std::fs::write(folder.path().join(name), content).unwrap();
        let to = |format| ["convert", name, "--to", format];
        let formats = ["json", "json-pretty", "jsonl", "gcf", "gcx", "goon", "gcb", "xml", "md"];
        let commands = formats.map(to).into_iter().chain([["check", name, "--color", "never"]]);
        for command in commands {
            let output = wirefmt(folder.path(), &command, b"");
            let message = text(&output.stderr);
            assert!(message.contains("error[invalid_utf8]"), "{command:?} {}", shown(&output));
        }
    }
    std::fs::write(folder.path().join("one.csv"), "a\n1;2\n").unwrap();
    let output = wirefmt(folder.path(), &["check", "one.csv"], b"");
    assert!(output.stderr.is_empty(), "{}", shown(&output));
}

/// Rows are rows, however long their integers are.
#[test]
fn rows_of_long_integers_are_rows() {
    let folder = folder();
    let digits = "9".repeat(400);
    let row = format!("{{\"a\":{digits}}}");
    for (from, input) in [("jsonl", row.clone()), ("json", format!("[{row}]"))] {
        let arguments = ["convert", "--from", from, "--to", "gcx"];
        let output = wirefmt(folder.path(), &arguments, input.as_bytes());
        assert_eq!(text(&output.stdout), format!("GCX1 tool=rows fields=a rows=1\n{digits}\n"));
        let arguments = ["stats", "--from", from, "--format", "csv"];
        let output = wirefmt(folder.path(), &arguments, input.as_bytes());
        assert!(text(&output.stdout).contains(",gcx,"), "{}", shown(&output));
    }
}
