//! `stats`, `auto` and `scorecard`.

mod common;

use std::fs;
use std::path::Path;

use common::{PAYLOAD, folder, shown, text, wirefmt};
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
