//! `wirefmt convert` of queries' responses.

use std::fs;

use crate::common::{folder, shown, text, wirefmt};

const TRAVERSAL: &str = r#"{"query_type":"traversal","nodes":[{"type":"User","id":"1","username":"alice"},
{"type":"MergeRequest","id":42,"title":"Fix auth bug","iid":101}],
"edges":[{"from":"User","from_id":1,"to":"MergeRequest","to_id":42,"type":"AUTHORED","depth":1}],
"pagination":{"has_more":true,"total_rows":7}}"#;

const AGGREGATION: &str = r#"{"query_type":"aggregation","group_columns":[{"name":"u","kind":"node","entity":"User"}],
"columns":[{"name":"merged","function":"count","target":"u"}],
"rows":[{"u":{"type":"User","id":"7","properties":{"username":"bot\u001b[31m\u0085"}},"merged":12},{"u":null,"merged":1}]}"#;

#[test]
fn responses_of_queries_become_text_and_json_again() {
    let folder = folder();
    let path = folder.path();
    fs::write(path.join("traversal.json"), TRAVERSAL).unwrap();
    fs::write(path.join("aggregation.json"), AGGREGATION).unwrap();
    let mut all = String::new();
    for arguments in [
        &["convert", "traversal.json", "-o", "traversal.goon"][..],
        &["convert", "traversal.goon", "--to", "json"],
        &["convert", "aggregation.json", "--to", "goon"],
        &["convert", "pack.json", "-o", "pack.goon"],
        &["convert", "pack.goon", "--to", "goon"],
        &["check", "traversal.goon", "pack.goon"],
        &["view", "traversal.goon"],
        &["view", "pack.goon"],
        &["convert", "traversal.json", "--to", "goon", "--goon-version", "4.0.1"],
        &["convert", "traversal.goon", "--to", "gcf"],
        &["convert", "traversal.json", "--to", "json", "--goon-version", "4.0.1"],
        &["convert", "traversal.json", "--to", "goon", "--budget", "3"],
    ] {
        let output = wirefmt(path, arguments, b"");
        all += &format!("$ wirefmt {}\n{}\n", arguments.join(" "), shown(&output));
    }
    fs::write(
        path.join("aggregation.goon"),
        wirefmt(path, &["convert", "aggregation.json", "--to", "goon", "-q"], b"").stdout,
    )
    .unwrap();
    all += &shown(&wirefmt(path, &["view", "aggregation.goon"], b""));
    insta::assert_snapshot!(all);
}

/// In a row nothing shows how long a cut cell was, so a message says that it is cut.
#[test]
fn cut_cells_are_counted() {
    let folder = folder();
    let path = folder.path();
    let rows: Vec<String> = [3, 201, 500]
        .map(|length| format!("{{\"n\":{length},\"title\":\"{}\"}}", "x".repeat(length)))
        .into();
    let json = format!(
        "{{\"query_type\":\"aggregation\",\"nodes\":[],\"edges\":[],\"columns\":[{{\"name\":\"n\",\"function\":\"count\"}}],\"group_columns\":[{{\"name\":\"title\",\"kind\":\"property\"}}],\"rows\":[{}]}}",
        rows.join(",")
    );
    fs::write(path.join("rows.json"), &json).unwrap();
    let cut = wirefmt(path, &["convert", "rows.json", "--to", "goon"], b"");
    assert_eq!(
        text(&cut.stderr),
        "warning: rows.json: in goon long texts are cut, among them 2 cells of rows, whose lengths are not written\n"
    );
    assert!(cut.status.success() && !text(&cut.stdout).contains("_len"), "{}", shown(&cut));
    let denied = wirefmt(path, &["convert", "rows.json", "--to", "goon", "--deny-loss"], b"");
    assert_eq!((denied.status.code(), denied.stdout.len()), (Some(1), 0), "{}", shown(&denied));
}

/// Ruling N17: the lowest version that has the members of the pagination.
#[test]
fn pagination_decides_the_version() {
    let folder = folder();
    let path = folder.path();
    let convert = |pagination: &str, more: &[&str]| {
        let json = format!(
            r#"{{"query_type":"search","nodes":[],"edges":[],"pagination":{{"has_more":true,{pagination}}}}}"#
        );
        wirefmt(path, &[&["convert", "--to", "goon"], more].concat(), json.as_bytes())
    };
    for (pagination, version, notes) in [
        (r#""next_cursor":"abc""#, "4.0.1", 1),
        (r#""truncated":true"#, "4.0.1", 1),
        (r#""total_rows":7"#, "1.0.0", 0),
    ] {
        let output = convert(pagination, &[]);
        let header = format!("goon_version:{version}\n");
        assert!(text(&output.stdout).contains(&header), "{}", shown(&output));
        assert_eq!(text(&output.stderr).matches("note: ").count(), notes, "{}", shown(&output));
    }
    for more in [&["--goon-version", "1.0.0"][..], &["--goon-version", "1.0.0", "--lossy", "nodes"]]
    {
        let output = convert(r#""next_cursor":"abc""#, more);
        let expected = "expected no value; version 4.0.1 has it";
        assert!(text(&output.stderr).contains(expected), "{}", shown(&output));
        assert!(output.stdout.is_empty(), "{}", shown(&output));
    }
    // No version has both.
    let output = convert(r#""next_cursor":"abc","total_rows":7"#, &[]);
    assert!(text(&output.stderr).contains("expected no value\n"), "{}", shown(&output));
}

/// A node has the properties that came first, and a message counts the others.
#[test]
fn nodes_of_two_kinds_are_refused_or_the_first() {
    let folder = folder();
    let path = folder.path();
    let json = r#"{"query_type":"aggregation","group_columns":[{"name":"u","kind":"node","entity":"U"}],"columns":[],"rows":[{"u":{"type":"U","id":"1","properties":{"a":"x"}}},{"u":{"type":"U","id":"1","properties":{"a":"y"}}}]}"#;
    let output = wirefmt(path, &["convert", "--to", "goon"], json.as_bytes());
    assert!(text(&output.stderr).contains("error[conflicting_node]"), "{}", shown(&output));
    let output = wirefmt(path, &["convert", "--to", "goon", "--lossy", "nodes"], json.as_bytes());
    assert!(text(&output.stdout).contains("1 a=x\n"), "{}", shown(&output));
    assert!(
        text(&output.stderr).contains("1 cells with other ones are dropped"),
        "{}",
        shown(&output)
    );
}

#[test]
fn mistakes_in_responses_of_queries() {
    let folder = folder();
    let path = folder.path();
    let dangling = r#"{"query_type":"traversal","nodes":[],"edges":[{"from":"A","from_id":1,"to":"B","to_id":2,"type":"T"}]}"#;
    fs::write(path.join("dangling.json"), dangling).unwrap();
    fs::write(path.join("unknown.json"), r#"{"query_type":"search","hints":[]}"#).unwrap();
    fs::write(path.join("bad.goon"), "@header\nquery_type:search\ngoon_version:1.0.0\nnodes:2\nedges:0\n@nodes\nUser(1):\n1 username=alice\n@edges\n").unwrap();
    let mut all = String::new();
    for arguments in [
        &["convert", "dangling.json", "--to", "goon"][..],
        &["convert", "unknown.json", "--to", "goon"],
        &["check", "bad.goon"],
    ] {
        let output = wirefmt(path, arguments, b"");
        assert!(output.stdout.is_empty(), "{}", shown(&output));
        all += &format!("$ wirefmt {}\n{}\n", arguments.join(" "), shown(&output));
    }
    insta::assert_snapshot!(all);
}
