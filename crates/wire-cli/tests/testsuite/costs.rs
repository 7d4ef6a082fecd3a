//! `stats` and `auto`.

use std::fs;

use crate::common::{PAYLOAD, folder, shown, text, wirefmt};

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
        &["stats", "pack.json", "-v", "--counter", "word-punctuation,o200k_base"][..],
        &["stats", "no.json", "--counter", "word-punctuation"],
        &["stats", "callers.json", "--tool", "get_callers", "--tokenizer", "cl100k,estimate"],
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
        &["auto", "query.json", "-v"],
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
