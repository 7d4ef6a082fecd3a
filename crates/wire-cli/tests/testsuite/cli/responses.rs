//! `wirefmt convert` of tools' responses.

use std::fs;
use std::path::Path;

use crate::common::{folder, shown, text, wirefmt};

pub(crate) const CALLERS: &str = r#"{"nodes":[{"id":"a.go::A","kind":"function","name":"A","file_path":"a.go","start_line":3}],
"edges":[{"from":"a.go::A","to":"b.go::B","kind":"calls","confidence":0.9}],"total_nodes":1,"truncated":false}"#;

#[test]
fn responses_of_tools_become_rows_and_json_again() {
    let folder = folder();
    let path = folder.path();
    fs::write(path.join("callers.json"), CALLERS).unwrap();
    let convert = ["convert", "callers.json", "--tool", "get_callers", "-o", "callers.gcx"];
    let written = wirefmt(path, &convert, b"");
    assert!(written.status.success() && written.stderr.is_empty(), "{}", shown(&written));
    let text_of_rows = fs::read_to_string(path.join("callers.gcx")).unwrap();
    assert!(
        text_of_rows
            .starts_with("GCX1 tool=get_callers.nodes fields=id,kind,name,path,line rows=1 ")
    );
    let back = wirefmt(path, &["convert", "callers.gcx", "--to", "json"], b"");
    let json = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    assert_eq!(json(&text(&back.stdout)), json(CALLERS));
    // From standard input, with no extension; arrays, too.
    let typed = ["convert", "--tool", "list", "--typed", "--to", "gcx"];
    let typed = wirefmt(path, &typed, br#"[{"a":null},{"a":"42"}]"#);
    assert_eq!(text(&typed.stdout), "GCX1 tool=list fields=a rows=2 typed=objects:string?\n\n42\n");
    let back = wirefmt(path, &["convert", "--to", "json"], &typed.stdout);
    assert_eq!(text(&back.stdout), "[{\"a\":null},{\"a\":\"42\"}]\n");
    let pretty = wirefmt(path, &["convert", "--to", "json-pretty"], &typed.stdout);
    assert!(text(&pretty.stdout).starts_with("[\n  {\n    \"a\": null"));
    // The plain form says what it can't tell.
    let again = wirefmt(path, &["convert", "--to", "gcx"], &typed.stdout);
    insta::assert_snapshot!(shown(&again));
}

#[test]
fn what_a_response_loses_is_told_or_refused() {
    let folder = folder();
    let path = folder.path();
    let response = br#"[{"id":"a","kind":"function","language":"go","name":"A"}]"#;
    let convert = ["convert", "--tool", "search_symbols", "--to", "gcx", "--deny-loss"];
    // What does not fit the layout is written whole.
    let whole = wirefmt(path, &convert, response);
    assert!(whole.status.success() && whole.stderr.is_empty(), "{}", shown(&whole));
    let back = wirefmt(path, &["convert", "--to", "json"], &whole.stdout);
    assert_eq!(back.stdout.trim_ascii_end(), response);
}

#[test]
fn yaml_toml_and_csv_are_responses_too() {
    let folder = folder();
    let path = folder.path();
    let json = br#"[{"id":"a","kind":"function","name":"A","start_line":3}]"#;
    let yaml = b"- {id: a, kind: function, name: A, start_line: 3}\n";
    let lines = b"{\"id\":\"a\",\"kind\":\"function\",\"name\":\"A\",\"start_line\":3}\n";
    let convert = |from: &str, tool: &str, input: &[u8]| {
        let arguments = ["convert", "--from", from, "--tool", tool, "--to", "gcx"];
        text(&wirefmt(path, &arguments, input).stdout)
    };
    let expected = convert("json", "search_symbols", json);
    assert!(
        expected.starts_with("GCX1 tool=search_symbols fields=id,kind,name,path,line,sig rows=1\n")
    );
    assert_eq!(convert("yaml", "search_symbols", yaml), expected);
    assert_eq!(convert("jsonl", "search_symbols", lines), expected);
    assert_eq!(convert("csv", "t", b"a,b\n1,x y\n"), "GCX1 tool=t fields=a,b rows=1\n1\tx y\n");
    assert_eq!(convert("toml", "t", b"timeout = 30.0\n"), "GCX1 tool=t fields=timeout\n30\n");
    // Without rows the names of the columns are lost.
    let empty = ["convert", "--from", "csv", "--tool", "t", "--to", "gcx", "--deny-loss"];
    let denied = wirefmt(path, &empty, b"a,b\n");
    assert_eq!((denied.status.code(), denied.stdout.len()), (Some(1), 0), "{}", shown(&denied));
}

/// What is written in one compact form is written in another as its JSON would be.
#[test]
fn compact_forms_become_each_other() {
    let folder = folder();
    let path = folder.path();
    let rows = r#"[{"id":1,"n":null,"v":[1,{"x":"y"}]},{"id":18446744073709551616,"n":"","v":{}}]"#;
    let callers = fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../fixtures/gcx/responses/texts/12_get_callers_medium.gcx"),
    );
    let query =
        r#"{"query_type":"search","nodes":[{"type":"User","id":1,"username":"al"}],"edges":[]}"#;
    let write = |name: &str, text: &str| fs::write(path.join(name), text).unwrap();
    write("rows.json", rows);
    write("callers.gcx", &callers.unwrap());
    write("query.json", query);
    write("scalar.json", "7");
    write("meta.gcx", "GCX1 tool=foo fields=a etag=x rows=1\n1\n");
    for (json, to) in [
        ("rows.json", &["--to", "gcx", "--typed", "-o", "rows.gcx"][..]),
        ("rows.json", &["--to", "gcf", "--big-integers", "string", "-o", "rows.gcf"]),
        ("query.json", &["--to", "goon", "-o", "query.goon"]),
        ("query.json", &["--to", "gcf", "-o", "query.gcf"]),
        ("pack.json", &["--to", "gcb", "-o", "pack.gcb"]),
        ("pack.json", &["--profile", "generic", "-o", "pack.gcf"]),
        ("scalar.json", &["--to", "gcf", "-o", "scalar.gcf"]),
        ("rows.json", &["--to", "gcx", "--tool", "query", "-o", "plain.gcx"]),
    ] {
        let made = wirefmt(path, &[&["convert", json, "-q"][..], to].concat(), b"");
        assert!(made.status.success(), "{}", shown(&made));
    }
    let strings = &["--big-integers", "string"][..];
    for (name, targets) in [
        (
            "rows.gcx",
            &[&["gcf"][..], &["gcf", "--spec", "3.6"], &["gcf", "--profile", "generic"]][..],
        ),
        ("plain.gcx", &[&["gcf"]]),
        ("callers.gcx", &[&["gcf"], &["gcf", "--profile", "generic"]]),
        ("rows.gcf", &[&["gcx"], &["gcx", "--typed"], &["gcx", "--tool", "get_callers"]]),
        ("query.goon", &[&["gcf"], &["gcx", "--tool", "t", "--typed"]]),
        ("query.gcf", &[&["goon"], &["gcx", "--tool", "t"]]),
        ("pack.gcb", &[&["gcf", "--profile", "generic"]]),
        ("pack.gcf", &[&["gcb"], &["xml"], &["goon"]]),
        ("scalar.gcf", &[&["gcx", "--tool", "t", "--typed"]]),
    ] {
        let json = wirefmt(path, &["convert", name, "--to", "json", "-q"], b"").stdout;
        for target in targets {
            let options = [&["--to"][..], target, if target[0] == "gcf" { strings } else { &[] }];
            let options = [&options.concat()[..], &["-q"]].concat();
            let direct = wirefmt(path, &[&["convert", name][..], &options].concat(), b"");
            let by_json =
                wirefmt(path, &[&["convert", "-", "--from", "json"][..], &options].concat(), &json);
            assert!(direct.status.success(), "{name} {target:?}: {}", shown(&direct));
            assert_eq!(direct.stdout, by_json.stdout, "{name} {target:?}");
        }
    }
    // What has no JSON, or whose JSON can't be written so, is told as of the input itself.
    let mut all = String::new();
    for arguments in [
        &["convert", "rows.gcx", "--to", "gcf"][..],
        &["convert", "meta.gcx", "--to", "gcf"],
        &["convert", "meta.gcx", "--to", "gcf", "--deny-loss"],
        &["convert", "meta.gcx", "--to", "gcx"],
        &["convert", "meta.gcx", "--to", "gcx", "--typed", "--deny-loss"],
        &["convert", "rows.gcx", "--to", "gcf", "--typed"],
        &["convert", "rows.gcx", "--to", "gcf", "--profile", "graph"],
        &["convert", "rows.gcx", "--to", "goon"],
        &["convert", "rows.gcf", "--to", "goon"],
        &["convert", "query.gcf", "--to", "gcb"],
        &["convert", "query.goon", "--to", "gcx"],
        &["convert", "query.goon", "--to", "gcb"],
        &["convert", "scalar.gcf", "--to", "gcx", "--typed"],
        &["convert", "scalar.json", "--to", "gcf", "--typed"],
    ] {
        all += &format!(
            "$ wirefmt {}\n{}\n",
            arguments.join(" "),
            shown(&wirefmt(path, arguments, b""))
        );
    }
    insta::assert_snapshot!(all);
}

#[test]
fn mistakes_with_responses() {
    let folder = folder();
    let path = folder.path();
    fs::write(path.join("callers.json"), CALLERS).unwrap();
    fs::write(path.join("cut.json"), "{\"nodes\": [").unwrap();
    fs::write(
        path.join("bad.gcx"),
        "GCX1 tool=search_symbols fields=id,kind,name rows=1\na\t\tA\n",
    )
    .unwrap();
    fs::write(path.join("rows.gcx"), "GCX1 tool=t fields=a rows=1\nx\n").unwrap();
    let mut all = String::new();
    for arguments in [
        &["convert", "callers.json", "--to", "gcx"][..],
        &["convert", "callers.json", "--to", "gcf", "--tool", "get_callers"],
        &["convert", "callers.json", "--to", "gcx", "--typed"],
        &["convert", "callers.json", "--to", "gcx", "--tool", "get_callers", "--budget", "10"],
        &["convert", "cut.json", "--to", "gcx", "--tool", "get_callers"],
        &["convert", "pack.json", "--from", "gcb", "--to", "gcx", "--tool", "t"],
        &["convert", "rows.gcx", "--to", "gcb"],
        &["convert", "rows.gcx", "--to", "gcx", "--tool", "t"],
        &["convert", "bad.gcx", "--to", "json"],
        &["view", "cut.json"],
    ] {
        let output = wirefmt(path, arguments, b"");
        assert!(output.stdout.is_empty(), "{}", shown(&output));
        all += &format!("$ wirefmt {}\n{}\n", arguments.join(" "), shown(&output));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn rows_need_no_tool() {
    let folder = folder();
    let path = folder.path();
    let expected = "GCX1 tool=rows fields=a,b rows=2\n1\tx\n2\ty\n";
    for (from, input) in [
        (&[][..], "[{\"a\": 1, \"b\": \"x\"}, {\"a\": 2, \"b\": \"y\"}]"),
        // Told from JSON by its first line.
        (&[], "{\"a\": 1, \"b\": \"x\"}\n{\"a\": 2, \"b\": \"y\"}\n"),
        (&["--from", "csv"], "a,b\n1,x\n2,y\n"),
        (&["--from", "tsv"], "a\tb\n1\tx\n2\ty\n"),
        (&[], "---\n- {a: 1, b: x}\n- {a: 2, b: y}\n"),
    ] {
        let arguments = [&["convert", "--to", "gcx", "-q"], from].concat();
        let output = wirefmt(path, &arguments, input.as_bytes());
        assert_eq!(text(&output.stdout), expected, "{}", shown(&output));
        let typed = wirefmt(path, &[&arguments[..], &["--typed"]].concat(), input.as_bytes());
        assert!(
            text(&typed.stdout).starts_with("GCX1 tool=rows fields=a,b rows=2 typed=objects:"),
            "{}",
            shown(&typed)
        );
    }
    fs::write(path.join("t.tsv"), "a\tb\n\"x, y\"\t\n").unwrap();
    let output = wirefmt(path, &["convert", "t.tsv", "--to", "json"], b"");
    assert_eq!(text(&output.stdout), "[{\"a\":\"x, y\",\"b\":\"\"}]\n", "{}", shown(&output));
    let output = wirefmt(path, &["convert", "--from", "json", "--to", "gcx"], b"[]");
    assert_eq!(text(&output.stdout), "GCX1 tool=rows fields=value rows=0\n", "{}", shown(&output));
    // Others say what they need, whatever they are written in.
    fs::write(path.join("m.yaml"), "a: 1\n").unwrap();
    for (file, input) in [("m.yaml", ""), ("-", "{\"a\": 1}"), ("-", "[1]")] {
        let output = wirefmt(path, &["convert", file, "--to", "gcx"], input.as_bytes());
        let said = text(&output.stderr);
        assert!(said.contains("not an array of objects") && said.contains("--tool NAME"), "{said}");
    }
    // A tool without a layout is noted, and only then.
    for (tool, is_noted) in
        [("search_symbol", true), ("search_symbols", false), ("get_callers.nodes", false)]
    {
        let output = wirefmt(path, &["convert", "--to", "gcx", "--tool", tool], b"[{\"a\": 1}]");
        assert_eq!(
            text(&output.stderr).matches("has no layout").count(),
            usize::from(is_noted),
            "{}",
            shown(&output)
        );
    }
    for (input, expected) in [
        (&b"7 apples\n"[..], "as --from yaml, csv, tsv, toml or jsonl"),
        (b"Here:\n```\nGCF tool=t\n```\n", "expected --recover"),
    ] {
        let output = wirefmt(path, &["convert", "--to", "gcx"], input);
        assert!(text(&output.stderr).contains(expected), "{}", shown(&output));
    }
}
