//! `wirefmt convert --stream` of values.

use std::fs;

use crate::common::{PAYLOAD, folder, shown, text, wirefmt};

const LINES: &str =
    "{\"id\": 1, \"name\": \"a|b\"}\n\n{\"id\": 2}\r\n{\"name\": null, \"id\": 2.50}";
const ANYTHING: &str = "[{\"id\": 1, \"tags\": [\"a\", {\"b\": [[]]}]},\n 7, \"x]\\\"\", [1, 2], {}, [{\"c\": 1}], null]\n";

#[test]
fn streams_of_values_are_rows_items_and_json() {
    let folder = folder();
    let path = folder.path();
    for (name, content) in [("lines.jsonl", LINES), ("anything.json", ANYTHING)] {
        fs::write(path.join(name), content).unwrap();
    }
    let mut all = String::new();
    for arguments in [
        &["convert", "lines.jsonl", "--to", "gcf", "--stream", "-o", "rows.gcf"][..],
        &["convert", "rows.gcf", "--to", "gcf", "--stream"],
        &["convert", "rows.gcf", "--to", "json", "--stream"],
        &["convert", "rows.gcf", "--to", "json-pretty", "--stream"],
        &["convert", "rows.gcf", "--stream", "-o", "rows.jsonl"],
        &["convert", "rows.jsonl", "--to", "jsonl", "--stream"],
        &["convert", "lines.jsonl", "--to", "json", "--stream"],
        &["convert", "anything.json", "--to", "gcf", "--stream=items", "-o", "items.gcf"],
        &["convert", "items.gcf", "--to", "gcf", "--stream=items"],
        &["convert", "items.gcf", "--to", "jsonl", "--stream"],
        &["convert", "items.gcf", "--to", "json-pretty", "--stream"],
        &["convert", "anything.json", "--to", "jsonl"],
        &["convert", "pack.json", "--to", "gcf", "-q", "--stream=rows"],
    ] {
        let output = wirefmt(path, arguments, b"");
        all += &format!("$ wirefmt {}\n{}\n", arguments.join(" "), shown(&output));
    }
    insta::assert_snapshot!(all);
}

/// Whatever the stream is written as, its value is that of the whole.
#[test]
fn a_streamed_value_is_that_of_the_whole() {
    let folder = folder();
    let path = folder.path();
    let json = |arguments: &[&str], input: &[u8]| {
        let output = wirefmt(path, &[&["convert"], arguments].concat(), input);
        assert!(output.status.success(), "{arguments:?}: {}", shown(&output));
        text(&output.stdout)
    };
    let value = |json: &str| serde_json::from_str::<serde_json::Value>(json).unwrap();
    for (from, input, forms) in [
        ("jsonl", LINES, &["--stream", "--stream=items"][..]),
        ("json", ANYTHING, &["--stream=items"]),
        ("json", "[]", &["--stream", "--stream=items"]),
        ("jsonl", "", &["--stream", "--stream=items"]),
        (
            "json",
            " [ {\"a\": 1, \"b\": \"\"} , {\"b\": \"\\u0000\\ud83d\\ude00\"} ] ",
            &["--stream"],
        ),
    ] {
        let of_gcf = |gcf: &str, more: &[&str]| {
            json(&[&["--from", "gcf", "--to", "json"], more].concat(), gcf.as_bytes())
        };
        let whole = json(&["--from", from, "--to", "gcf"], input.as_bytes());
        let whole = value(&of_gcf(&whole, &[]));
        for form in forms {
            let gcf = json(&["--from", from, "--to", "gcf", form], input.as_bytes());
            assert_eq!(value(&of_gcf(&gcf, &[])), whole, "{gcf}");
            assert_eq!(value(&of_gcf(&gcf, &["--stream"])), whole, "{gcf}");
            let lines = json(&["--from", "gcf", "--to", "jsonl", "--stream"], gcf.as_bytes());
            assert_eq!(lines, json(&["--from", "gcf", "--to", "jsonl"], gcf.as_bytes()));
            let again = json(&["--from", "jsonl", "--to", "json"], lines.as_bytes());
            assert_eq!(value(&again), whole);
        }
        // JSON to JSON keeps all digits, and is the same text.
        for to in ["json", "json-pretty", "jsonl"] {
            let convert = |more: &[&str]| {
                json(&[&["--from", from, "--to", to], more].concat(), input.as_bytes())
            };
            assert_eq!(convert(&["--stream"]), convert(&[]), "{input} {to}");
        }
    }
    // What is wrong is told as of the whole.
    let large = b"[18446744073709551616]";
    assert_eq!(json(&["--to", "json", "--stream"], large), "[18446744073709551616]\n");
}

/// The first bytes tell lines from an array and from a payload, however the bytes come.
#[test]
fn what_is_streamed_is_found_out_by_its_beginning() {
    let folder = folder();
    let long = format!("{{\"a\": \"{}\"}}\n{{\"a\": 1}}\n", "x".repeat(200_000));
    let array = format!("[\"{}\"]", "x".repeat(200_000));
    for (input, starts) in [
        ("{\"a\": 1}\n{\"a\": 2}\n", "GCF profile=generic\n## [?]{a}\n1\n2\n"),
        ("\n\n{\"a\": 1}\n \n{\"a\": 2}", "GCF profile=generic\n## [?]{a}\n1\n2\n"),
        ("{\n\"a\":1\n}\n{\n\"a\":2\n}\n", "GCF profile=generic\n## [?]{a}\n1\n2\n"),
        ("[1]\n[2]\n", "GCF profile=generic\n## [?]\n@0 [1]: 1\n@1 [1]: 2\n"),
        ("[1,\n2]\n", "GCF profile=generic\n## [?]\n@0 =1\n@1 =2\n"),
        ("\u{feff}[1]", "GCF profile=generic\n## [?]\n@0 =1\n"),
        (&long, "GCF profile=generic\n## [?]\n@0 {}\n  a=xxxx"),
        (&array, "GCF profile=generic\n## [?]\n@0 =xxxx"),
        ("GCF profile=generic\n## [1]: 7\n", ""),
    ] {
        let form = if starts.contains("]{a}") { "--stream" } else { "--stream=items" };
        let output = wirefmt(folder.path(), &["convert", "--to", "gcf", form], input.as_bytes());
        assert!(text(&output.stdout).starts_with(starts), "{}", shown(&output));
        assert_eq!(output.status.success(), !starts.is_empty(), "{}", shown(&output));
    }
    // The name of a member is a name, whatever `serde_json` uses it for.
    let named = b"[{\"$serde_json::private::RawValue\":\"x\"}]";
    let output = wirefmt(folder.path(), &["convert", "--to", "gcf", "--stream"], named);
    let rows = "{\"$serde_json::private::RawValue\"}\nx\n##! summary counts=1\n";
    assert_eq!(text(&output.stdout), format!("GCF profile=generic\n## [?]{rows}"));
    let compact = PAYLOAD.replace('\n', " ");
    for payload in [PAYLOAD, &compact] {
        let output =
            wirefmt(folder.path(), &["convert", "--to", "gcf", "--stream"], payload.as_bytes());
        assert!(text(&output.stdout).starts_with("GCF profile=graph tool=t"), "{}", shown(&output));
    }
}

#[test]
fn mistakes_in_streams() {
    let folder = folder();
    let path = folder.path();
    for (name, content) in [
        ("field.jsonl", "{\"id\": 1}\n{\"id\": 2, \"x\": 1}\n"),
        ("nested.jsonl", "{\"id\": 1}\n\n{\"id\": [2]}\n"),
        ("scalar.jsonl", "7\n"),
        ("empty.jsonl", "{}\n"),
        ("path.jsonl", "{\"a>b\": 1}\n"),
        ("syntax.jsonl", "{\"id\": 1}\n{\"id\": }\n"),
        ("line.json", "[{\"id\": 1}, {\"id\": 18446744073709551616}]"),
        ("lines.json", "[\n  {\"id\": 1},\n  {\"id\": 2, \"id\": 3}\n]"),
        ("comma.json", "[\n  {\"id\": 1},\n]"),
        ("open.json", "[{\"id\": 1}, {\"id\""),
        ("behind.json", "[{\"id\": 1}]\n[2]"),
        ("bytes.jsonl", "{\"id\": \"\u{e4}\"}\n"),
        ("object.json", "{\"id\": 1}"),
        ("rows.yaml", "- a: 1\n"),
        ("named.gcf", "GCF profile=generic\n## x [1]{a}\n1\n"),
        ("members.gcf", "GCF profile=generic\na=1\n"),
        ("width.gcf", "GCF profile=generic\n## [?]{a}\n1\n2|3\n"),
        ("cut.gcf", "GCF profile=generic\n## [?]\n@0 =1\n"),
        ("lacks.gcf", "GCF profile=generic\n## [2]{a,b}\n1|~\n2|3\n"),
        ("deep.gcf", "GCF profile=generic\n## [2]{a,b}\n1|2\n@1 ~|^\n.b [1]: 1\n"),
        ("other.gcf", "GCF profile=generic\n## [2]\n@0 {}\n  a=1\n@1 {}\n  b=1\n"),
        ("spec.json", "[{\"r\":[{\"a\":1,\"k\":7},{\"a\":2,\"k\":7}]}]"),
        ("rows.jsonl", "{\"id\": 1}\n"),
    ] {
        fs::write(path.join(name), content).unwrap();
    }
    fs::write(path.join("bytes.jsonl"), b"{\"id\": \"\xe4\"}\n").unwrap();
    let mut all = String::new();
    for arguments in [
        &["convert", "field.jsonl", "--to", "gcf", "--stream"][..],
        &["convert", "field.jsonl", "-o", "out.gcf", "--stream"],
        &["convert", "nested.jsonl", "--to", "gcf", "--stream"],
        &["convert", "nested.jsonl", "--to", "gcf", "--stream", "--message-format", "json"],
        &["convert", "scalar.jsonl", "--to", "gcf", "--stream"],
        &["convert", "empty.jsonl", "--to", "gcf", "--stream"],
        &["convert", "path.jsonl", "--to", "gcf", "--stream"],
        &["convert", "syntax.jsonl", "--to", "gcf", "--stream"],
        &["convert", "syntax.jsonl", "--to", "json", "--stream"],
        &["convert", "line.json", "--to", "gcf", "--stream"],
        &["convert", "lines.json", "--to", "gcf", "--stream"],
        &["convert", "comma.json", "--to", "gcf", "--stream"],
        &["convert", "open.json", "--to", "gcf", "--stream"],
        &["convert", "behind.json", "--to", "gcf", "--stream"],
        &["convert", "bytes.jsonl", "--to", "gcf", "--stream"],
        &["convert", "object.json", "--to", "gcf", "--stream"],
        &["convert", "object.json", "--to", "json", "--stream"],
        &["convert", "object.json", "--to", "jsonl"],
        &["convert", "rows.yaml", "--to", "gcf", "--stream"],
        &["convert", "named.gcf", "--to", "json", "--stream"],
        &["convert", "members.gcf", "--to", "json", "--stream"],
        &["convert", "width.gcf", "--to", "jsonl", "--stream"],
        &["convert", "cut.gcf", "--to", "jsonl", "--stream"],
        &["convert", "lacks.gcf", "--to", "gcf", "--stream"],
        &["convert", "deep.gcf", "--to", "gcf", "--stream"],
        &["convert", "deep.gcf", "--to", "gcf", "--stream", "--message-format", "json"],
        &["convert", "other.gcf", "--to", "gcf", "--stream"],
        &["convert", "spec.json", "--to", "gcf", "--stream=items", "--spec", "3.6"],
        &["convert", "spec.json", "--to", "gcf", "--stream=items", "--spec", "3.5"],
        &["convert", "spec.json", "--to", "gcf", "--stream=items", "--infer-types"],
        &["convert", "pack.json", "--to", "gcf", "--stream=items"],
        &["convert", "pack.json", "--to", "json", "--stream"],
        &["convert", "rows.jsonl", "--to", "gcx", "--stream"],
        &["convert", "rows.jsonl", "--to", "gcf", "--stream", "--dialect", "v3"],
        &["convert", "rows.jsonl", "--to", "gcf", "--stream=lines"],
        &["convert", "missing.jsonl", "--to", "gcf", "--stream"],
    ] {
        let output = wirefmt(path, arguments, b"");
        all += &format!("$ wirefmt {}\n{}\n", arguments.join(" "), shown(&output));
    }
    assert!(!path.join("out.gcf").exists());
    insta::assert_snapshot!(all);
}
