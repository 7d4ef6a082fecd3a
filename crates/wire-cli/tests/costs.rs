//! `stats`, `auto`, `fmt` and `scorecard`.

mod common;

use std::fs;
use std::path::Path;

use common::{AS_GCF, PAYLOAD, folder, shown, text, wirefmt};
use serde_json::Value;

const CALLERS: &str = r#"{"nodes":[{"id":"a.go::A","kind":"function","name":"A","file_path":"a.go","start_line":3}],
"edges":[{"from":"a.go::A","to":"b.go::B","kind":"calls","confidence":0.9}],"total_nodes":1,"truncated":false}"#;
const QUERY: &str = r#"{"query_type":"search","nodes":[{"type":"User","id":1,"username":"alice"},{"type":"User","id":2,"username":"bob"}],"edges":[]}"#;

#[test]
fn stats_as_tables_objects_and_rows() {
    let folder = folder();
    let path = folder.path();
    fs::write(path.join("callers.json"), CALLERS).unwrap();
    fs::write(path.join("query.json"), QUERY).unwrap();
    fs::write(path.join("rows.csv"), "id,name\n1,a\n2,b\n").unwrap();
    fs::write(path.join("no.json"), PAYLOAD.replace("pkg.Near", "operator new")).unwrap();
    let mut all = String::new();
    for arguments in [
        &["stats", "pack.json"][..],
        &["stats", "no.json", "--counter", "word-punctuation"],
        &["stats", "callers.json", "--tool", "get_callers", "--tokenizer", "cl100k,opus47"],
        &["stats", "query.json", "rows.csv", "--counter", "o200k_base"],
        &["stats", "pack.json", "--counter", "cl100k_base", "--format", "csv"],
        &["stats", "query.json", "--counter", "cl100k_base", "--format", "json"],
    ] {
        let output = wirefmt(path, arguments, b"");
        all += &format!("$ wirefmt {}\n{}\n", arguments.join(" "), shown(&output));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn counts_of_a_file_are_exact() {
    let folder = folder();
    let path = folder.path();
    let stats = ["stats", "pack.json", "--counter", "claude-opus-4.7", "--format", "json"];
    let estimated: Value = serde_json::from_slice(&wirefmt(path, &stats, b"").stdout).unwrap();
    let format = |stats: &Value, name: &str| -> Value {
        let formats = stats["formats"].as_array().unwrap();
        formats.iter().find(|format| format["format"] == name).unwrap().clone()
    };
    let gcf = format(&estimated, "gcf");
    assert_eq!(gcf["counts"][0]["estimated"], true);
    let digest = gcf["sha256"].as_str().unwrap();
    let counts = format!("{{\"claude-opus-4.7\": {{\"{digest}\": 77}}}}");
    fs::write(path.join("counts.json"), counts).unwrap();
    let exact = [&stats[..], &["--counts", "counts.json"]].concat();
    let exact: Value = serde_json::from_slice(&wirefmt(path, &exact, b"").stdout).unwrap();
    let counted = &format(&exact, "gcf")["counts"][0];
    assert_eq!((&counted["tokens"], &counted["estimated"]), (&77.into(), &false.into()));
    assert_eq!(format(&exact, "xml"), format(&estimated, "xml"));
    for (file, code) in [("{\"gpt\": {}}", 2), ("[", 1), ("{\"cl100k_base\": {\"x\": -1}}", 1)] {
        fs::write(path.join("counts.json"), file).unwrap();
        let output = wirefmt(path, &["stats", "pack.json", "--counts", "counts.json"], b"");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(code), 0), "{file}");
    }
}

#[test]
fn auto_takes_the_cheapest_that_loses_nothing_or_what_may_be_lost() {
    let folder = folder();
    let path = folder.path();
    fs::write(path.join("callers.json"), CALLERS).unwrap();
    fs::write(path.join("query.json"), QUERY).unwrap();
    fs::write(path.join("tiny.json"), "1").unwrap();
    fs::write(path.join("rows.csv"), "id,name\n1,a\n2,b\n").unwrap();
    let mut all = String::new();
    for arguments in [
        &["auto", "pack.json"][..],
        &["auto", "pack.json", "--allow-loss", "score,signature,components,order"],
        &["auto", "pack.json", "--among", "xml", "--allow-loss", "any"],
        &["auto", "pack.json", "--among", "md,xml"],
        &["auto", "callers.json", "--tool", "get_callers", "--counter", "word-punctuation"],
        &["auto", "callers.json", "--among", "goon"],
        &["auto", "query.json"],
        &["auto", "rows.csv"],
        &["auto", "tiny.json", "-q"],
        &["auto", "pack.json", "--allow-loss", "sore"],
    ] {
        let output = wirefmt(path, arguments, b"");
        all += &format!("$ wirefmt {}\n{}\n", arguments.join(" "), shown(&output));
    }
    insta::assert_snapshot!(all);
    // Each in a file whose extension says what it became.
    fs::create_dir(path.join("in")).unwrap();
    for name in ["pack.json", "query.json", "tiny.json"] {
        fs::copy(path.join(name), path.join("in").join(name)).unwrap();
    }
    let output = wirefmt(path, &["auto", "in", "-O", "out"], b"");
    insta::assert_snapshot!("auto_in_a_folder", shown(&output));
    for name in ["pack.gcx", "query.json", "tiny.json"] {
        assert!(path.join("out").join(name).exists(), "{name}");
    }
    let again = wirefmt(path, &["auto", "in", "-O", "out", "--skip-existing"], b"");
    assert!(text(&again.stderr).contains("3 files: written before"), "{}", shown(&again));
}

#[test]
fn fmt_writes_what_encoders_write() {
    let folder = folder();
    let path = folder.path();
    let cases: [(&str, &str, &str); 12] = [
        (
            "a.gcf",
            "GCF budget=2 tool=t symbols=1 tokens=1\r\n## targets\r\n@7 function a .5 x\r\n",
            "GCF tool=t budget=2 tokens=1 symbols=1\n## targets\n@0 fn a 0.50 x\n",
        ),
        (
            "v3.gcf",
            "GCF profile=graph symbols=1 tool=t\n## targets\n@0 fn a 0.50 x",
            "GCF profile=graph tool=t symbols=1\n## targets\n@0 fn a 0.50 x\n",
        ),
        ("generic.gcf", "GCF profile=generic\r\na=1\r\n", "GCF profile=generic\na=1\n"),
        (
            "rows.gcx",
            "GCX1 fields=a,b total=3 tool=t rows=1\n1\t\n\n",
            "GCX1 tool=t fields=a,b rows=1 total=3\n1\t\n",
        ),
        (
            "q.goon",
            "@header\r\nquery_type:search\r\ngoon_version:1.0.0\r\nnodes:1\r\nedges:0\r\n@nodes\r\nUser(1):\r\n1 name=\"al\"\r\n@edges\r\n",
            "@header\nquery_type:search\ngoon_version:1.0.0\nnodes:1\nedges:0\n@nodes\nUser(1):\n1 name=al\n@edges\n",
        ),
        ("one.json", "{ \"b\": 1,  \"a\": [] }", "{\"b\":1,\"a\":[]}\n"),
        ("lines.json", "{\"b\": 1,\n\"a\": []}\n", "{\n  \"b\": 1,\n  \"a\": []\n}\n"),
        (
            "query.json",
            "{\"nodes\":[],\"query_type\":\"search\", \"edges\":[]}\n",
            "{\"nodes\":[],\"query_type\":\"search\",\"edges\":[]}\n",
        ),
        (
            "payload.json",
            "{\"symbols\":[],\"tool\":\"t\",\"token_budget\":1,\"tokens_used\":0,\"edges\":null}",
            "{\"tool\":\"t\",\"tokens_used\":0,\"token_budget\":1,\"symbols\":[]}\n",
        ),
        (
            "x.xml",
            "<context tool='t' tokens_used='0' token_budget='0'/>",
            "<context tool=\"t\" tokens_used=\"0\" token_budget=\"0\">\n  <relationship_summary>\n    <total_symbols>0</total_symbols>\n    <total_edges>0</total_edges>\n    <by_distance>\n    </by_distance>\n  </relationship_summary>\n</context>\n",
        ),
        (
            "delta.gcf",
            "GCF tool=t delta=true base_root=a1 new_root=b2\r\n## removed\r\nfunction a\r\n",
            "GCF tool=t delta=true base_root=a1 new_root=b2\n## removed\nfn a\n",
        ),
        ("mark.gcf", "\u{feff}GCF profile=generic\na=1\n", "GCF profile=generic\na=1\n"),
    ];
    fs::create_dir(path.join("in")).unwrap();
    for (name, before, _) in cases {
        fs::write(path.join("in").join(name), before).unwrap();
    }
    let check = wirefmt(path, &["fmt", "--check", "in"], b"");
    assert_eq!(
        (check.status.code(), text(&check.stdout).lines().count()),
        (Some(1), 12),
        "{}",
        shown(&check)
    );
    assert!(text(&check.stderr).contains("error[unformatted]: 12 files are not formatted"));
    for (name, before, _) in cases {
        assert_eq!(fs::read_to_string(path.join("in").join(name)).unwrap(), before, "{name}");
    }
    let format = wirefmt(path, &["fmt", "in"], b"");
    assert!(format.status.success() && format.stdout.is_empty(), "{}", shown(&format));
    for (name, _, after) in cases {
        assert_eq!(fs::read_to_string(path.join("in").join(name)).unwrap(), after, "{name}");
    }
    let check = wirefmt(path, &["fmt", "--check", "in"], b"");
    assert!(check.status.success() && check.stdout.is_empty(), "{}", shown(&check));
    // In a pipe.
    let piped = wirefmt(path, &["fmt", "-"], cases[0].1.as_bytes());
    assert_eq!(text(&piped.stdout), cases[0].2);
}

/// Fields and sections whose names look like what specification 3.6 added are names.
#[test]
fn fmt_keeps_the_specification_of_a_text() {
    let folder = folder();
    for body in [
        "## rows [2]{id,\"a=b\"}\n1|2\n3|4\n",
        "## \"a group=b\" [2]{id,kind}\n1|x\n2|x\n",
        "## rows [2]{id,kind=x}\n1\n2\n",
    ] {
        let text = format!("GCF profile=generic\n{body}");
        let output = wirefmt(folder.path(), &["fmt", "-"], text.as_bytes());
        assert_eq!(String::from_utf8_lossy(&output.stdout), text, "{}", shown(&output));
    }
}

#[test]
fn fmt_loses_nothing() {
    let folder = folder();
    let path = folder.path();
    let mut all = String::new();
    for (name, before) in [
        ("comment.gcf", "GCF tool=t symbols=1\n# seen\n## targets\n@0 fn a 0.50 x\n"),
        ("field.gcf", "GCF tool=t symbols=1 trace=9\n## targets\n@0 fn a 0.50 x\n"),
        ("session.gcf", "GCF tool=t symbols=1 session=true\n## targets\n@0 fn a 0.50 x\n"),
        ("comment.gcx", "GCX1 tool=t fields=a\n# 1 match\nx\n"),
        (
            "two.xml",
            "<!-- one --><context tool='t' tokens_used='0' token_budget='0'><!-- two --></context>",
        ),
        ("more.xml", "<context tool='t' tokens_used='0' token_budget='0' trace='1'/>"),
        (
            "more.json",
            "{\"tool\":\"t\",\"tokens_used\":0,\"token_budget\":0,\"symbols\":[{\"qualified_name\":\"a\",\"kind\":\"type\",\"score\":1,\"provenance\":\"x\",\"distance\":0,\"line\":3}]}",
        ),
        ("rows.csv", "a\n1\n"),
        ("cr.gcx", "GCX1 tool=t fields=a,b\nx\ry\tz\n"),
        ("short.gcx", "GCX1 tool=t fields=a,b,c rows=1\n1\n"),
        (
            "scores.xml",
            "<context tool='t' tokens_used='0' token_budget='0'><target_symbols><symbol name='a' kind='type' score='0.125' confidence='0' provenance='x' distance='0'/></target_symbols></context>",
        ),
        ("scores.gcf", "GCF tool=t symbols=1\n## targets\n@0 fn a 0.125 x\n"),
        (
            "symbol.xml",
            "<context tool='t' tokens_used='0' token_budget='0'><target_symbols><symbol name='a' kind='type' score='0.12' confidence='0' provenance='x' distance='0' file='a.go'/></target_symbols></context>",
        ),
        (
            "date.goon",
            "@header\nquery_type:search\ngoon_version:1.0.0\nnodes:1\nedges:0\n@nodes\nU(1):\n1 d=\"2026-05-08 22:55:58\"\n@edges\n",
        ),
        (
            "delta.gcf",
            "GCF tool=t delta=true base_root=a1 new_root=b2 server=x\n## removed\nfn a\n",
        ),
        ("header.gcf", "GCF profile=generic server=x\na=1\n"),
        (
            "trailer.gcf",
            "GCF tool=t symbols=1\n## targets\n@0 fn a 0.50 x\n## edges [0]\n## _summary symbols=1 edges=0 took=3\n",
        ),
        ("inside.gcf", "GCF profile=generic\na=1\n## b\n  # inside\n  x=2\n"),
        ("set.gcf", "GCF profile=generic key=id pack_root=sha256:00 delta=true\n"),
        ("broken.gcf", "GCF tool=t\noops\n"),
    ] {
        fs::write(path.join(name), before).unwrap();
        let output = wirefmt(path, &["fmt", name], b"");
        assert_eq!(
            (output.status.code(), fs::read_to_string(path.join(name)).unwrap()),
            (Some(1), before.to_owned()),
            "{}",
            shown(&output)
        );
        all += &format!("$ wirefmt fmt {name}\n{}\n", shown(&output));
    }
    insta::assert_snapshot!(all);
    // All digits of an integer stay.
    fs::write(path.join("big.json"), "[ 123456789012345678901234567890 ]").unwrap();
    assert!(wirefmt(path, &["fmt", "big.json"], b"").status.success());
    assert_eq!(
        fs::read_to_string(path.join("big.json")).unwrap(),
        "[123456789012345678901234567890]\n"
    );
    for name in ["comment.gcf", "comment.gcx", "two.xml"] {
        let output = wirefmt(path, &["fmt", "--drop-comments", name], b"");
        assert!(output.status.success(), "{}", shown(&output));
    }
    assert_eq!(
        fs::read_to_string(path.join("comment.gcf")).unwrap(),
        "GCF tool=t symbols=1\n## targets\n@0 fn a 0.50 x\n"
            .replace("tool=t", "tool=t budget=0 tokens=0")
    );
}

#[test]
fn fmt_keeps_what_encoders_of_responses_write() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    for folder in ["gcx/responses/texts", "goon/texts"] {
        let output = wirefmt(&root, &["fmt", "--check", folder], b"");
        assert!(output.status.success(), "{}", shown(&output));
    }
    let folder = folder();
    let path = folder.path();
    // A row of one empty cell is a blank line.
    for json in ["null", "\"\"", "{\"a\":\"\"}", "[\"\",\"\"]", "{\"a\":null}", "[]", "{}"] {
        for typed in [&["--typed"][..], &[]] {
            let convert = ["convert", "-", "--tool", "foo", "--to", "gcx", "-q", "-o", "r.gcx"];
            let convert = [&convert[..], typed].concat();
            assert!(wirefmt(path, &convert, json.as_bytes()).status.success());
            let before = wirefmt(path, &["convert", "r.gcx", "--to", "json", "-q"], b"").stdout;
            let output = wirefmt(path, &["fmt", "r.gcx"], b"");
            assert!(output.status.success(), "{json} {}", shown(&output));
            let after = wirefmt(path, &["convert", "r.gcx", "--to", "json", "-q"], b"").stdout;
            assert_eq!(before, after, "{json} {typed:?}");
        }
    }
    // Streams become buffered texts of the same dialect.
    for dialect in ["v1.4", "v3"] {
        let stream = ["convert", "pack.json", "--to", "gcf", "--stream", "--dialect", dialect];
        let stream = [&stream[..], &["-q", "-o", "s.gcf"]].concat();
        assert!(wirefmt(path, &stream, b"").status.success());
        assert!(wirefmt(path, &["fmt", "s.gcf"], b"").status.success());
        let text = fs::read_to_string(path.join("s.gcf")).unwrap();
        assert!(text.contains("## edges [1]\n") && !text.contains("summary"), "{text}");
    }
}

#[test]
fn nothing_is_left_out_in_silence() {
    let folder = folder();
    let path = folder.path();
    let more =
        PAYLOAD.replace("\"kind\":\"method\"", "\"kind\":\"method\",\"file\":\"x.go\",\"line\":3");
    fs::write(path.join("more.json"), more).unwrap();
    fs::write(
        path.join("meta.gcx"),
        "GCX1 tool=foo fields=a,b etag=xyz rows=2 total=5\n1\tx\n2\ty\n",
    )
    .unwrap();
    fs::write(
        path.join("more.xml"),
        "<context tool='t' tokens_used='0' token_budget='0' trace='1'/>",
    )
    .unwrap();
    fs::write(path.join("empty.csv"), "id,name\n").unwrap();
    fs::write(path.join("almost.json"), "{\"query_type\":\"search\",\"nodes\":[],\"extra\":1}")
        .unwrap();
    let mut all = String::new();
    for arguments in [
        &["auto", "more.json"][..],
        &["convert", "more.json", "--to", "gcf"],
        &["convert", "more.json", "--to", "gcf", "--deny-loss"],
        &["auto", "meta.gcx"],
        &["convert", "meta.gcx", "--to", "json"],
        &["convert", "meta.gcx", "--to", "json", "--deny-loss"],
        &["convert", "more.xml", "--to", "json"],
        &["auto", "almost.json"],
        &["auto", "more.xml"],
        &["stats", "more.xml", "--format", "csv", "--counter", "cl100k_base"],
        &["auto", "empty.csv"],
    ] {
        let output = wirefmt(path, arguments, b"");
        all += &format!("$ wirefmt {}\n{}\n", arguments.join(" "), shown(&output));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn what_is_written_is_formatted() {
    let folder = folder();
    let path = folder.path();
    for (number, arguments) in [
        &["--to", "gcf"][..],
        &["--to", "gcf", "--dialect", "v1.4"],
        &["--to", "gcf", "--dialect", "v3"],
        &["--to", "gcf", "--profile", "generic"],
        &["--to", "gcf", "--profile", "generic", "--spec", "3.6"],
        &["--to", "gcb"],
        &["--to", "gcx"],
        &["--to", "goon"],
        &["--to", "xml"],
        &["--to", "json"],
        &["--to", "json-pretty"],
    ]
    .iter()
    .enumerate()
    {
        let name = format!("{number}.{}", arguments[1].trim_end_matches("-pretty"));
        let convert = [&["convert", "pack.json", "-q", "-o", &name], *arguments].concat();
        assert!(wirefmt(path, &convert, b"").status.success());
        let output = wirefmt(path, &["fmt", "--check", &name], b"");
        assert!(output.status.success(), "{name} {}", shown(&output));
    }
    assert!(wirefmt(path, &["fmt", "--check", "-"], AS_GCF.as_bytes()).status.success());
}

#[cfg(feature = "scorecard")]
#[test]
fn the_documentation_has_the_scorecards() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = wirefmt(&root, &["scorecard", "all", "--check", "docs/scorecards"], b"");
    assert!(output.status.success(), "{}", shown(&output));
}

#[cfg(feature = "scorecard")]
#[test]
fn scorecards_in_each_form_and_their_mistakes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let run = |arguments: &[&str]| wirefmt(&root, arguments, b"");
    let json = run(&["scorecard", "all", "--format", "json", "--no-timings"]);
    let cards: Value = serde_json::from_slice(&json.stdout).unwrap();
    let names: Vec<&str> = cards["cards"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|card| card["card"].as_str())
        .collect();
    assert_eq!(names, ["packs", "tools", "queries", "delta", "real"]);
    let median = cards["cards"][1]["sections"][1]["rows"].as_array().unwrap().last().unwrap();
    assert!(median["saved of JSON"].as_f64().is_some_and(|part| part > 0.2), "{median}");
    let tools = text(&run(&["scorecard", "tools"]).stdout);
    assert!(
        tools.contains("## Tokens by cl100k_base")
            && tools.contains("## Tokens by claude-opus-4.7")
    );
    let tools = text(&run(&["scorecard", "tools", "--tokenizer", "o200k_base"]).stdout);
    assert!(
        tools.contains("## Tokens by o200k_base") && !tools.contains("## Tokens by cl100k_base")
    );
    let timed = text(&run(&["scorecard", "packs"]).stdout);
    assert!(timed.contains("## p50") && timed.contains("## p99") && timed.contains(" µs"));
    let svg = text(&run(&["scorecard", "delta", "--format", "svg"]).stdout);
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));

    let folder = folder();
    let path = folder.path();
    let fixtures = root.join("fixtures").display().to_string();
    let write = ["scorecard", "delta", "--fixtures", &fixtures, "--write", "cards"];
    assert!(wirefmt(path, &write, b"").status.success());
    let mut check = write;
    check[4] = "--check";
    assert!(wirefmt(path, &check, b"").status.success());
    fs::write(path.join("cards/delta.svg"), "old").unwrap();
    fs::create_dir(path.join("cards/none")).unwrap();
    fs::create_dir(path.join("mine")).unwrap();
    fs::write(path.join("mine/rows.json"), r#"[{"id": 1}, {"id": 2}]"#).unwrap();
    let mine = ["scorecard", "real", "mine", "--fixtures", &fixtures, "--record", "counts.json"];
    let mine = text(&wirefmt(path, &mine, b"").stdout);
    assert!(mine.contains("| mine: rows |"), "{mine}");
    assert!(fs::read_to_string(path.join("counts.json")).unwrap().contains("o200k_base"));
    let mut all = String::new();
    for arguments in [
        &check[..],
        &["scorecard", "delta", "--fixtures", "nowhere"],
        &["scorecard", "all", "--fixtures", &fixtures, "--format", "svg"],
        &["scorecard", "packs", "--tokenizer", "gpt"],
        &["scorecard", "packs", "--write", "a", "--check", "b"],
        &["scorecard", "real", "--fixtures", &fixtures, "nowhere"],
        &["scorecard", "real", "--fixtures", &fixtures, "cards/none"],
        &["scorecard", "real", "--record", "counts.json"],
        &["scorecard", "tools", "cards"],
    ] {
        let output = wirefmt(path, arguments, b"");
        assert!(output.stdout.is_empty(), "{}", shown(&output));
        let command = arguments.join(" ").replace(&fixtures, "FIXTURES");
        all += &format!("$ wirefmt {command}\n{}\n", shown(&output));
    }
    insta::assert_snapshot!(all);
}
