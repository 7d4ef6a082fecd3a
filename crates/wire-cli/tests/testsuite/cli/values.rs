//! `wirefmt convert` of any value.

use std::fs;

use crate::common::{AS_GCF, folder, shown, text, wirefmt};

#[test]
fn numbers_are_themselves_or_out_of_range() {
    let folder = folder();
    let path = folder.path();
    let convert = |from: &str, more: &[&str], input: &str| {
        let arguments = [&["convert", "--from", from][..], more].concat();
        wirefmt(path, &arguments, input.as_bytes())
    };
    let gcf = ["--to", "gcf"];
    for (from, input, value) in [
        ("toml", "a = 30.0", "30"),
        ("toml", "a = 1e2", "100"),
        ("toml", "a = -0.0", "0"),
        ("yaml", "a: 30.0", "30"),
        ("yaml", "a: 1e2", "100"),
        ("yaml", "a: -0.0", "0"),
        ("yaml", "a: '1e400'", "1e400"),
        ("yaml", "a: 1e400", "1e400"),
        ("json", "{\"a\": 30.0}", "30"),
    ] {
        let output = convert(from, &gcf, input);
        let expected = format!("GCF profile=generic\na={value}\n");
        let quoted = format!("GCF profile=generic\na=\"{value}\"\n");
        let found = text(&output.stdout);
        assert!(found == expected || found == quoted, "{from} {input}: {}", shown(&output));
    }
    let query = r#"{"query_type":"search","nodes":[{"type":"T","id":1,"a":18446744073709551616}]}"#;
    let large = r#"{"a":18446744073709551616}"#;
    for (from, more, input) in [
        ("yaml", &gcf[..], "a: 18446744073709551616"),
        ("toml", &gcf, "a = inf"),
        ("json", &gcf, large),
        ("toml", &gcf, "a = 18446744073709551616"),
        ("toml", &gcf, "b = 1\na = -1_000_000_000_000_000_000_000"),
        ("toml", &gcf, "a = 1e400"),
        ("toml", &gcf, "a = [1, -1.5e+400]"),
        ("yaml", &["--to", "json"], "a: .nan"),
        ("jsonl", &gcf, large),
        ("yaml", &["--to", "json"], "a: .inf"),
        ("toml", &["--to", "json"], "a = 1e-400"),
        ("json", &gcf, r#"{"a":1e-400}"#),
        ("json", &["--to", "goon"], query),
    ] {
        let output = convert(from, more, input);
        assert!(output.stdout.is_empty() && !output.status.success(), "{}", shown(&output));
        assert!(text(&output.stderr).starts_with("error[out_of_range]: "), "{}", shown(&output));
        assert!(text(&output.stderr).contains(" --> "), "{}", shown(&output));
    }
}

/// Ruling A6: where the target has any integers, those of YAML keep their digits.
#[test]
fn integers_of_yaml_have_any_length() {
    let folder = folder();
    let input = b"wei: 123456789012345678901234567890\nhex: 0xffffffffffffffffff\n";
    let json = "{\"wei\":123456789012345678901234567890,\"hex\":4722366482869645213695}\n";
    for (arguments, expected) in [
        (&["convert", "--from", "yaml", "--to", "json"][..], json),
        (
            &["convert", "--from", "yaml", "--to", "gcf", "--big-integers", "string"],
            "GCF profile=generic\nwei=\"123456789012345678901234567890\"\nhex=0xffffffffffffffffff\n",
        ),
    ] {
        let output = wirefmt(folder.path(), arguments, input);
        assert_eq!(text(&output.stdout), expected, "{}", shown(&output));
    }
}

/// Ruling A7: JSON has the literals of its input; elsewhere a decimal that is no double is a loss.
#[test]
fn decimals_keep_their_digits_or_are_a_counted_loss() {
    let folder = folder();
    let path = folder.path();
    let convert = |arguments: &[&str], input: &str| {
        wirefmt(path, &[&["convert"], arguments].concat(), input.as_bytes())
    };
    let json = "{\"a\":0.12345678901234567890123,\"b\":[1e2,1E-400,-0.0]}";
    let gcf = "GCF profile=generic\na=0.12345678901234567890123\nb[3]: 1e2,1E-400,-0.0\n";
    for (from, input) in [("json", json), ("jsonl", json), ("gcf", gcf)] {
        for to in ["json", "json-pretty"] {
            let output = convert(&["--from", from, "--to", to, "--deny-loss"], input);
            let found = text(&output.stdout);
            let plain: String = found.split_whitespace().collect();
            let expected = if from == "jsonl" { format!("[{json}]") } else { json.to_owned() };
            assert_eq!(plain, expected, "{from} {to} {}", shown(&output));
            assert!(output.stderr.is_empty(), "{}", shown(&output));
        }
    }
    let rows = "[{\"a\":0.1},{\"a\":9007199254740993.0},\n {\"a\":0.10000000000000001}]";
    let rounded = "decimals are rounded to the nearest double (2 decimals";
    for arguments in [
        &["--from", "json", "--to", "gcf"][..],
        &["--from", "json", "--to", "gcf", "--stream"],
        &["--from", "json", "--to", "gcf", "--stream=items"],
        &["--from", "json", "--to", "gcx"],
        &["--from", "json", "--to", "gcx", "--typed"],
    ] {
        let output = convert(arguments, rows);
        let message = text(&output.stderr);
        assert!(output.status.success() && message.contains(rounded), "{}", shown(&output));
        assert!(message.contains(", the first at line 1, column 17)"), "{}", shown(&output));
        let output = convert(&[arguments, &["--deny-loss"]].concat(), rows);
        assert!(!output.status.success(), "{}", shown(&output));
        assert!(text(&output.stderr).contains("error[loss_denied]"), "{}", shown(&output));
    }
    // One that is rounded hides no other loss, and is none of these.
    let output = |rows| String::from_utf8(convert(&["--to", "gcx"], rows).stderr).unwrap();
    let untyped = "null, empty and missing members become the same";
    let both = output(r#"[{"a":0.12345678901234567890123,"b":"7"},{"a":1,"b":7}]"#);
    assert!(both.contains("(1 decimal, ") && both.contains(untyped), "{both}");
    let one = output(r#"[{"a":0.12345678901234567890123,"b":7}]"#);
    assert!(one.contains("(1 decimal, ") && !one.contains(untyped), "{one}");
    for (from, input) in [
        ("yaml", "a: 1\nb: .12345678901234567890123\n"),
        ("toml", "a = 1\nb = 0.12345678901234567890123\n"),
    ] {
        for to in ["json", "gcf"] {
            let output = convert(&["--from", from, "--to", to], input);
            let expected = "(1 decimal, the first at line 2, column ";
            assert!(text(&output.stderr).contains(expected), "{}", shown(&output));
            let output = convert(&["--from", from, "--to", to, "--deny-loss"], input);
            assert!(!output.status.success(), "{}", shown(&output));
        }
    }
    // Of what was read from GCF or JSON lines, or with a tool's layout, too.
    let of_gcf = "GCF profile=generic\n## [1]{a,b}\n0.5|0.12345678901234567890123\n";
    let of_lines = "{\"a\":0.5}\n{\"a\":0.12345678901234567890123}\n";
    let of_layout = "{\"nodes\":[],\n\"edges\":[{\"x\":0.12345678901234567890123}]}";
    for (from, tool, input, position) in [
        ("gcf", "t", of_gcf, "line 3, column 5"),
        ("jsonl", "t", of_lines, "line 2, column 6"),
        ("json", "get_callers", of_layout, "line 2, column 15"),
    ] {
        for beyond in [false, true] {
            let input = if beyond {
                input.replace("0.12345678901234567890123", "1e400")
            } else {
                input.to_owned()
            };
            let output = convert(&["--from", from, "--to", "gcx", "--tool", tool], &input);
            let place = position.replace("line ", "input:").replace(", column ", ":");
            let expected = if beyond {
                format!(" --> standard {place}\n")
            } else {
                format!("the first at {position})")
            };
            assert!(text(&output.stderr).contains(&expected), "{}", shown(&output));
        }
    }
    let auto = |input: &str| wirefmt(path, &["auto", "--among", "gcf"], input.as_bytes());
    let output = wirefmt(path, &["auto", "-v"], b"{\"a\":0.12345678901234567890123}");
    assert!(
        text(&output.stderr).contains("toon would have 11 tokens, and lose"),
        "{}",
        shown(&output)
    );
    let output = wirefmt(path, &["check", "-"], b"GCF profile=generic\na=1e400\n");
    assert!(output.status.success(), "{}", shown(&output));
    let kept = text(&auto(rows).stdout).replace(char::is_whitespace, "");
    assert_eq!(kept, rows.replace(char::is_whitespace, ""), "{}", shown(&auto(rows)));
}

/// A zero without its sign is a loss, too, which `auto` allows; what it does not allow has a place.
#[test]
fn what_choosing_loses_of_decimals_is_counted_and_placed() {
    let folder = folder();
    let path = folder.path();
    let zeros = "[{\"a\":-0.0,\"b\":\"x\"},{\"a\":0.5,\"b\":\"x\"},{\"a\":0.5,\"b\":\"x\"}]";
    let output = wirefmt(path, &["convert", "--to", "gcf", "--deny-loss"], zeros.as_bytes());
    assert!(text(&output.stderr).contains("zeros lose their minus sign"), "{}", shown(&output));
    let auto =
        |form: &str, input: &str| wirefmt(path, &["auto", "--among", form], input.as_bytes());
    for (form, start) in [("gcf", "GCF "), ("gcx", "GCX1 ")] {
        let output = auto(form, zeros);
        assert!(text(&output.stdout).starts_with(start), "{}", shown(&output));
        let warning =
            format!("warning: standard input: in {form} zeros lose their minus sign (1 zero)\n");
        assert!(text(&output.stderr).contains(&warning), "{}", shown(&output));
        let output = auto(form, &zeros.replace("-0.0", "0.0"));
        assert!(!text(&output.stderr).contains("warning"), "{}", shown(&output));
    }
    let rounded = b"[{\"a\":0.5},\n{\"a\":0.12345678901234567890123}]";
    for (command, times) in [("auto", 1), ("stats", 3)] {
        let output = wirefmt(path, &[command, "-v"], rounded);
        let said = shown(&output);
        let place = "(1 decimal, the first at line 2, column 6)";
        assert_eq!(said.matches(place).count(), times, "{said}");
    }
}

/// Ruling A7: a payload and a query have doubles, and a tool's columns in GCX1 keep literals.
#[test]
fn decimals_of_graphs_are_counted_and_never_chosen() {
    let folder = folder();
    let path = folder.path();
    let digits = "0.12345678901234567890123";
    let payload = |score: &str, more: &str| {
        format!(
            r#"{{"tool":"t","tokens_used":1,"token_budget":2,"pack_root":"","symbols":[{{"qualified_name":"a","kind":"function","score":{score},"provenance":"p","distance":0}}],"edges":[]{more}}}"#
        )
    };
    let query = |value: &str| {
        let nodes = [(1, value), (2, "0.5"), (3, "-0.0")]
            .map(|(id, s)| format!(r#"{{"type":"U","id":{id},"s":{s}}}"#));
        format!(r#"{{"query_type":"search","nodes":[{}],"edges":[]}}"#, nodes.join(","))
    };
    for (json, targets) in
        [(payload(digits, ""), &["json", "gcf", "gcx", "goon"][..]), (query(digits), &["goon"])]
    {
        for to in targets {
            let arguments = ["convert", "--from", "json", "--to", to];
            let output = wirefmt(path, &arguments, json.as_bytes());
            let expected = "(1 decimal, the first at line 1, column ";
            assert!(text(&output.stderr).contains(expected), "{to} {}", shown(&output));
            let output =
                wirefmt(path, &[&arguments[..], &["--deny-loss"]].concat(), json.as_bytes());
            assert!(text(&output.stderr).contains("error[loss_denied]"), "{to} {}", shown(&output));
        }
        for among in [&[][..], &["--among", "json"]] {
            let output = wirefmt(path, &[&["auto"], among].concat(), json.as_bytes());
            assert!(text(&output.stdout).contains(digits), "{}", shown(&output));
        }
    }
    for (json, to) in [(payload("1e-400", ""), "json"), (query("1e400"), "goon")] {
        let output = wirefmt(path, &["convert", "--from", "json", "--to", to], json.as_bytes());
        assert!(text(&output.stderr).contains("error[out_of_range]"), "{}", shown(&output));
    }
    // What no command accepts as a payload is not valid, either.
    for literal in ["1e-400", "1e400"] {
        let output = wirefmt(path, &["check", "-"], payload(literal, "").as_bytes());
        assert!(text(&output.stderr).contains("error[out_of_range]"), "{}", shown(&output));
    }
    // GOON keeps the sign of a zero.
    let output =
        wirefmt(path, &["convert", "--to", "goon", "--deny-loss"], query("0.25").as_bytes());
    assert!(output.status.success() && text(&output.stdout).contains("s=-0"), "{}", shown(&output));

    // A member that is left out is named however deep it is nested.
    let deep = format!(r#","x":{}{}"#, "[".repeat(1_000), "]".repeat(1_000));
    let arguments = ["convert", "--from", "json", "--to", "json", "--profile", "graph"];
    let output = wirefmt(path, &arguments, payload("0.5", &deep).as_bytes());
    assert!(text(&output.stderr).contains("x is left out"), "{}", shown(&output));

    for literal in [digits, "1e400"] {
        let gcx = format!(
            "GCX1 tool=get_callers.nodes fields=id,kind,name,path,line rows=1 total_nodes=7 truncated=true\na\tf\tn\tp\t4\nGCX1 tool=get_callers.edges fields=from,to,kind,origin,confidence,label rows=1\na\tb\tcalls\to\t{literal}\tl\n"
        );
        let output = wirefmt(path, &["convert", "--to", "json", "--deny-loss"], gcx.as_bytes());
        assert!(text(&output.stdout).contains(literal), "{}", shown(&output));
        let output = wirefmt(path, &["convert", "--to", "gcf", "--deny-loss"], gcx.as_bytes());
        assert!(!output.status.success(), "{}", shown(&output));
        let output = wirefmt(path, &["auto"], gcx.as_bytes());
        assert!(text(&output.stdout).contains(literal), "{}", shown(&output));
    }
}

/// What the target holds is kept, from whichever source.
#[test]
fn integers_of_any_length_are_kept_by_what_holds_them() {
    let folder = folder();
    let path = folder.path();
    let convert = |from: &str, more: &[&str], input: &str| {
        let arguments = [&["convert", "--from", from][..], more].concat();
        wirefmt(path, &arguments, input.as_bytes())
    };
    let large = r#"{"a":18446744073709551616}"#;
    let rows = "GCX1 tool=t fields=a\n";
    for (from, more, input, expected) in [
        (
            "json",
            &["--to", "gcx", "--tool", "t"][..],
            large,
            format!("{rows}18446744073709551616\n"),
        ),
        (
            "json",
            &["--to", "gcx", "--tool", "t", "--typed"],
            large,
            "GCX1 tool=t fields=a typed=object:integer\n18446744073709551616\n".to_owned(),
        ),
        ("gcx", &["--to", "json"], &format!("{rows}18446744073709551616\n"), format!("{large}\n")),
        ("json", &["--to", "json"], large, format!("{large}\n")),
        (
            "json",
            &["--to", "json-pretty"],
            "[18446744073709551615]",
            "[\n  18446744073709551615\n]\n".to_owned(),
        ),
        (
            "yaml",
            &["--to", "gcx", "--tool", "t"],
            "a: 18446744073709551615",
            format!("{rows}18446744073709551615\n"),
        ),
        (
            "yaml",
            &["--to", "json"],
            "a: 18446744073709551615",
            "{\"a\":18446744073709551615}\n".to_owned(),
        ),
        (
            "jsonl",
            &["--to", "json"],
            "18446744073709551615\n",
            "[18446744073709551615]\n".to_owned(),
        ),
        (
            "jsonl",
            &["--to", "gcx"],
            &format!("{large}\n"),
            "GCX1 tool=rows fields=a rows=1\n18446744073709551616\n".to_owned(),
        ),
        (
            "json",
            &["--to", "json"],
            &format!("[1{}]", "0".repeat(400)),
            format!("[1{}]\n", "0".repeat(400)),
        ),
    ] {
        let output = convert(from, more, input);
        assert!(output.status.success(), "{}", shown(&output));
        assert_eq!(text(&output.stdout), expected);
    }
}

#[test]
fn values_of_any_kind_become_gcf_and_json_again() {
    let folder = folder();
    let path = folder.path();
    for (name, content) in [
        (
            "value.json",
            r#"{"version": "2.1", "ports": [8080, 8443], "users": [{"id": 1, "name": "Alice"}, {"id": 2, "name": null}]}"#,
        ),
        ("lines.jsonl", "{\"id\": 1, \"on\": true}\n\n{\"id\": 2, \"on\": true}\n"),
        ("config.yaml", "database:\n  host: db.example.com\n  port: 5432\ntags: [a, b]\n1: one\n"),
        (
            "config.toml",
            "title = \"t\"\nsince = 2024-01-02T03:04:05Z\n[[rows]]\nid = 1\nx = 1.5\n[[rows]]\nid = 2\nx = 2.5\n",
        ),
        ("rows.csv", "id,name\n007,Alice\n2,\"Bob, Jr\"\n"),
        ("answer.md", "Here:\n```\nGCF profile=generic\n## users [3]{id}\n1\n2\n```\n"),
        ("merge.yml", "base: &b {x: 1}\nd:\n  <<: *b\n  y: 2\n"),
        ("bom.json", "\u{feff}[1, 2]"),
        (
            "set.gcf",
            "GCF profile=generic pack_root=sha256:26bf2a0b2e3a8bd9b9f8b8a1a3c6be1d1aa0e3bd6a5d6e4b6d6d1dd0d6a0c0d1 key=id\n## rows [1]{@id,a}\n1|2\n",
        ),
        (
            "change.gcf",
            "GCF profile=generic delta=true base_root=a new_root=b key=id\n## added [1]{@id,a}\n1|2\n## removed [2]{@id}\n3\n4\n",
        ),
        ("pack.csv", AS_GCF),
    ] {
        fs::write(path.join(name), content).unwrap();
    }
    let mut all = String::new();
    for arguments in [
        &["convert", "value.json", "-o", "value.gcf"][..],
        &["convert", "value.gcf", "--to", "json"],
        &["check", "value.gcf"],
        &["view", "value.gcf"],
        &["convert", "lines.jsonl", "--to", "gcf"],
        &["convert", "lines.jsonl", "--to", "gcf", "--spec", "3.6"],
        &["convert", "config.yaml", "--to", "gcf"],
        &["convert", "config.toml", "--to", "gcf"],
        &["convert", "config.toml", "--to", "json"],
        &["convert", "rows.csv", "--to", "gcf"],
        &["convert", "pack.json", "--to", "gcf", "--profile", "generic"],
        &["convert", "merge.yml", "--to", "gcf"],
        &["convert", "bom.json", "--to", "gcf"],
        &["convert", "value.json", "--to", "json-pretty"],
        &["convert", "rows.csv", "-o", "rows.gcb", "--to", "gcf"],
        &["convert", "pack.csv", "--to", "gcf"],
        &["check", "change.gcf"],
        &["check", "set.gcf"],
        &["check", "--recover", "answer.md"],
        &["convert", "answer.md", "--recover", "--to", "json"],
        &["convert", "answer.md", "--recover", "--to", "json", "--deny-loss"],
    ] {
        let output = wirefmt(path, arguments, b"");
        all += &format!("$ wirefmt {}\n{}\n", arguments.join(" "), shown(&output));
    }
    let piped = wirefmt(path, &["convert", "--from", "yml", "--to", "gcf"], b"- a: 1\n- a: 2\n");
    assert_eq!(text(&piped.stdout), "GCF profile=generic\n## [2]{a}\n1\n2\n");
    insta::assert_snapshot!(all);
}

#[test]
fn mistakes_in_values() {
    let folder = folder();
    let path = folder.path();
    for (name, content) in [
        ("large.json", "{\n  \"id\": \"9\",\n  \"x\": 123456789012345678901\n}"),
        ("twice.json", r#"{"a": 1, "a": 2}"#),
        ("bad.jsonl", "{\"a\": 1}\n{\"a\": }\n"),
        ("bad.yaml", "a: 1\nb: [1\n"),
        ("nan.yaml", "a: .nan\n"),
        ("bad.toml", "a = 1\nb =\n"),
        ("ragged.csv", "a,b\n1,2\n3\n"),
        ("twice.csv", "a,a\n1,2\n"),
        ("bad.gcf", "GCF profile=generic\n## users [3]{id,name}\n1|Alice\n2|Bob\n"),
        ("open.csv", "a,b\n1,\"x\n3,4\n"),
        ("behind.csv", "a,b\n\"x\"y,2\n"),
        ("one.csv", "a\n1\n\n3\n"),
        ("none.csv", "a,b\n"),
        ("tag.yaml", "a: !x 1\n"),
        ("almost.json", r#"{"tool": "t", "symbols": [], "edge": [1]}"#),
        ("set.gcf", "GCF profile=generic pack_root=x key=id\n## rows [2]{@id,a}\n1|2\n1|3\n"),
    ] {
        fs::write(path.join(name), content).unwrap();
    }
    let mut all = String::new();
    for arguments in [
        &["convert", "large.json", "--to", "gcf"][..],
        &["convert", "twice.json", "--to", "gcf"],
        &["convert", "bad.jsonl", "--to", "gcf"],
        &["convert", "bad.yaml", "--to", "gcf"],
        &["convert", "nan.yaml", "--to", "gcf"],
        &["convert", "bad.toml", "--to", "gcf"],
        &["convert", "ragged.csv", "--to", "gcf"],
        &["convert", "twice.csv", "--to", "gcf"],
        &["check", "bad.gcf"],
        &["convert", "bad.gcf", "--to", "json"],
        &["convert", "open.csv", "--to", "gcf"],
        &["convert", "behind.csv", "--to", "gcf"],
        &["convert", "one.csv", "--to", "gcf"],
        &["convert", "none.csv", "--to", "gcf"],
        &["convert", "none.csv", "--to", "gcf", "--deny-loss"],
        &["convert", "tag.yaml", "--to", "gcf"],
        &["convert", "almost.json", "--to", "gcf"],
        &["convert", "almost.json", "--to", "gcf", "--profile", "graph"],
        &["check", "set.gcf"],
        &["convert", "none.csv", "--to", "json", "--profile", "graph"],
        &["convert", "bad.yaml", "--to", "gcb"],
        &["convert", "large.json", "--to", "gcf", "--profile", "generic", "--dialect", "v3"],
        &["convert", "pack.json", "--to", "gcb", "--profile", "generic"],
        &["convert", "pack.json", "--to", "gcf", "--profile", "graph", "--spec", "3.6"],
    ] {
        let output = wirefmt(path, arguments, b"");
        all += &format!("$ wirefmt {}\n{}\n", arguments.join(" "), shown(&output));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn integers_that_are_not_held_are_errors_or_strings() {
    let folder = folder();
    let path = folder.path();
    let convert = |arguments: &[&str], input: &str| {
        wirefmt(path, &[&["convert"], arguments].concat(), input.as_bytes())
    };
    let lines = "{\"a\": 1}\n{\"a\": -9223372036854775809}\n{\"a\": 18446744073709551616}\n";
    let query = r#"{"query_type":"search","nodes":[{"type":"T","id":1,"a":18446744073709551616,"b":18446744073709551615}]}"#;
    let as_gcf =
        "GCF profile=generic\n## [3]{a}\n1\n\"-9223372036854775809\"\n\"18446744073709551616\"\n";
    let streamed = as_gcf.replace("[3]", "[?]") + "##! summary counts=3\n";
    let array = format!("[{}]", lines.trim_end().replace('\n', ","));
    for (arguments, input, expected, count) in [
        (&["--to", "gcf"][..], &*array, as_gcf, "2 integers"),
        (&["--from", "jsonl", "--to", "gcf"], lines, as_gcf, "2 integers"),
        (&["--to", "gcf", "--stream"], &array, &streamed, "2 integers"),
        (&["--from", "jsonl", "--to", "gcf", "--stream"], lines, &streamed, "2 integers"),
        (
            &["--from", "yaml", "--to", "gcf"],
            "a: [+18446744073709551616, 9223372036854775807, 1e300]\n",
            "GCF profile=generic\na[3]: \"18446744073709551616\",9223372036854775807,1e+300\n",
            "1 integer",
        ),
        (
            &["--from", "yaml", "--to", "gcf"],
            "a: [0x1FFFFFFFFFFFFFFFF, 0o7777777777777777777777777, 0xff]\n",
            "GCF profile=generic\na[3]: 0x1FFFFFFFFFFFFFFFF,0o7777777777777777777777777,255\n",
            "2 integers",
        ),
        (
            &["--from", "toml", "--to", "gcf"],
            "a = [+18_446_744_073_709_551_616, 0xffff_ffff_ffff_ffff, 9223372036854775807, 1e300]\n",
            "GCF profile=generic\na[4]: \"18446744073709551616\",0xffffffffffffffff,9223372036854775807,1e+300\n",
            "2 integers",
        ),
    ] {
        let strings = [arguments, &["--big-integers", "string"]].concat();
        let output = convert(&strings, input);
        assert_eq!(text(&output.stdout), expected, "{}", shown(&output));
        let note = format!("strings of their digits ({count})");
        assert!(text(&output.stderr).contains(&note), "{}", shown(&output));
        for more in [&[][..], &["--big-integers", "error"]] {
            let output = convert(&[arguments, more].concat(), input);
            assert!(text(&output.stderr).contains("error[out_of_range]"), "{}", shown(&output));
        }
        // What is held is as it is, and nothing is said.
        let held = match input.as_bytes() {
            [b'a', b':', ..] => "a: 1\n",
            [b'a', ..] => "a = 1\n",
            _ => "[1]",
        };
        let output = convert(&strings, held);
        assert!(!text(&output.stderr).contains("strings"), "{}", shown(&output));
    }
    let output = convert(&["--to", "goon", "--big-integers", "string"], query);
    assert!(
        text(&output.stdout).contains("a=18446744073709551616 b=18446744073709551615"),
        "{}",
        shown(&output)
    );
    assert!(text(&output.stderr).contains("(1 integer)"), "{}", shown(&output));
    // Places are those of the input, whatever stands before them.
    for (arguments, input, place) in [
        (&["--to", "gcf"][..], "[18446744073709551616, 1e400]", ":1:24"),
        (&["--to", "gcf"], "[18446744073709551616,\n 2,, 3]", ":2:4"),
        (&["--to", "gcf", "--stream=items"], "[1,\n18446744073709551616,\n[1e400]]", ":3:2"),
        (
            &["--to", "goon"],
            r#"{"query_type":"search","nodes":[{"type":"T","id":1,"a":18446744073709551616},7]}"#,
            ":1:",
        ),
    ] {
        let output = convert(&[arguments, &["--big-integers", "string"]].concat(), input);
        assert_eq!(output.status.code(), Some(1), "{}", shown(&output));
        assert!(text(&output.stderr).contains(place), "{}", shown(&output));
    }
    for (arguments, said) in [
        (&["--to", "json"][..], "--big-integers applies only to gcf, goon"),
        (&["--to", "gcx"], "--big-integers applies only to gcf, goon"),
        (&["pack.json", "--to", "gcf"], "does not apply to a payload"),
    ] {
        let output = convert(&[arguments, &["--big-integers", "string"]].concat(), "[1]");
        assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
        assert!(text(&output.stderr).contains(said), "{}", shown(&output));
    }
}
