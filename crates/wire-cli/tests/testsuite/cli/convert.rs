//! `wirefmt convert` of payloads.

use std::fs;

use crate::common::{AS_GCF, PAYLOAD, folder, shown, text, wirefmt};

pub(crate) const ANSWER: &str = "Sure, here it is:\n\n```gcf\nGCF tool=t budget=2 tokens=1 symbols=3\n## targets\n- @0 method pkg.Auth 0.50 lsp_resolved\n## related\n- @1 fn pkg.Near 0.78 structural\n## edges\n@0<@1 calls added\n@0<@7 calls\n```\nAnything else?\n";

#[test]
fn convert_prints_data_and_warns_of_losses() {
    let folder = folder();
    let output = wirefmt(folder.path(), &["convert", "pack.json", "--to", "gcf"], b"");
    assert_eq!(text(&output.stdout), AS_GCF);
    insta::assert_snapshot!(shown(&output));
    let quiet = wirefmt(folder.path(), &["convert", "pack.json", "--to", "gcf", "--quiet"], b"");
    assert_eq!((quiet.stdout, quiet.stderr.is_empty()), (output.stdout, true));
}

#[test]
fn formats_are_told_by_first_bytes_extensions_and_names() {
    let folder = folder();
    let path = folder.path();
    let to_gcb = wirefmt(path, &["convert", "pack.json", "-o", "pack.gcb"], b"");
    assert!(to_gcb.status.success() && to_gcb.stdout.is_empty(), "{}", shown(&to_gcb));
    let bytes = fs::read(path.join("pack.gcb")).unwrap();
    assert!(bytes.starts_with(b"GCB1"));
    // By first bytes, from standard input, whatever the option's default is.
    let back = wirefmt(path, &["convert", "--to", "json", "-q"], &bytes);
    assert!(text(&back.stdout).starts_with(r#"{"tool":"t","tokens_used":1"#), "{}", shown(&back));
    // The first bytes decide over the extension.
    fs::write(path.join("odd.json"), AS_GCF).unwrap();
    let odd = wirefmt(path, &["check", "odd.json"], b"");
    assert_eq!(text(&odd.stdout), "odd.json: gcf, 2 symbols, 1 edge\n");
    // A broken start leaves the extension.
    fs::write(path.join("broken.gcf"), "oops\n").unwrap();
    let broken = wirefmt(path, &["check", "broken.gcf"], b"");
    assert!(text(&broken.stderr).contains("error[missing_header]"), "{}", shown(&broken));
    // An alias.
    let alias = wirefmt(path, &["convert", "-q", "--from", "binary", "--to", "gcf"], &bytes);
    assert!(text(&alias.stdout).starts_with("GCF tool=t"), "{}", shown(&alias));
}

#[test]
fn dialects_and_white_space() {
    let folder = folder();
    let spaced = PAYLOAD.replace("pkg.Near", "operator new");
    let convert = ["convert", "-", "--to", "gcf", "-q"];
    let refused = wirefmt(folder.path(), &convert, spaced.as_bytes());
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stderr).contains("error[invalid_name]"), "{}", shown(&refused));
    let options = ["convert", "--to", "gcf", "--dialect", "v1.4", "--lossy", "names"];
    let replaced = wirefmt(folder.path(), &options, spaced.as_bytes());
    assert!(
        text(&replaced.stdout).contains("symbols=2 edges=1 ")
            && text(&replaced.stdout).contains("## edges [1]\n")
    );
    assert!(text(&replaced.stdout).contains(" operator_new "));
    assert!(
        text(&replaced.stderr).contains("white space was replaced in 1 name"),
        "{}",
        shown(&replaced)
    );
    let elsewhere =
        wirefmt(folder.path(), &["convert", "pack.json", "--to", "gcb", "--dialect", "v1"], b"");
    assert_eq!(elsewhere.status.code(), Some(2), "{}", shown(&elsewhere));
}

#[test]
fn answers_are_recovered() {
    let folder = folder();
    fs::write(folder.path().join("answer.md"), ANSWER).unwrap();
    let mut report = String::new();
    for arguments in [
        &["check", "--recover", "answer.md"][..],
        &["check", "--recover", "--message-format", "json", "answer.md"],
        &["convert", "--recover", "answer.md", "--to", "gcf"],
        &["convert", "--recover", "--from", "json", "answer.md", "--to", "gcf"],
        &["convert", "--recover", "pack.json", "--to", "gcf"],
    ] {
        let output = wirefmt(folder.path(), arguments, b"");
        report += &format!("$ wirefmt {}\n{}\n", arguments.join(" "), shown(&output));
    }
    insta::assert_snapshot!(report);
    fs::write(folder.path().join("good.gcf"), AS_GCF).unwrap();
    let good = wirefmt(folder.path(), &["check", "--recover", "good.gcf"], b"");
    assert!(good.status.success() && good.stderr.is_empty(), "{}", shown(&good));
    // Every file is looked at.
    let both = wirefmt(folder.path(), &["check", "--recover", "answer.md", "good.gcf"], b"");
    assert_eq!(both.status.code(), Some(1));
    assert!(text(&both.stdout).contains("good.gcf: gcf, 2 symbols, 1 edge\n"), "{}", shown(&both));
}

#[test]
fn a_budget_keeps_the_highest_scores() {
    let folder = folder();
    let mut report = String::new();
    for arguments in [
        &["convert", "pack.json", "--to", "gcf", "--budget", "40"][..],
        &["convert", "pack.json", "--to", "gcf", "--budget", "60", "--counter", "cl100k_base"],
        &[
            "convert",
            "pack.json",
            "--to",
            "json",
            "-q",
            "--budget",
            "130",
            "--counter",
            "o200k_base",
        ],
        &["convert", "pack.json", "--to", "gcf", "--budget", "5"],
        &["convert", "pack.json", "--to", "gcb", "--budget", "50"],
        &["convert", "pack.json", "--to", "gcf", "--counter", "cl100k_base"],
    ] {
        let output = wirefmt(folder.path(), arguments, b"");
        report += &format!("$ wirefmt {}\n{}\n", arguments.join(" "), shown(&output));
    }
    insta::assert_snapshot!(report);
}

#[test]
fn streams_have_a_trailer() {
    let folder = folder();
    let mut report = String::new();
    for arguments in [
        &["convert", "pack.json", "--to", "gcf", "-q", "--stream"][..],
        &["convert", "pack.json", "--to", "gcf", "-q", "--stream", "--dialect", "v1.4"],
        &["convert", "pack.json", "--to", "gcf", "-q", "--stream", "--dialect", "v1"],
        &["convert", "pack.json", "--to", "gcb", "--stream"],
    ] {
        let output = wirefmt(folder.path(), arguments, b"");
        report += &format!("$ wirefmt {}\n{}\n", arguments.join(" "), shown(&output));
    }
    insta::assert_snapshot!(report);
    let to_file = ["convert", "pack.json", "-q", "--stream", "-o", "pack.gcf"];
    let written = wirefmt(folder.path(), &to_file, b"");
    assert!(written.status.success(), "{}", shown(&written));
    let text = fs::read_to_string(folder.path().join("pack.gcf")).unwrap();
    assert!(text.ends_with("##! summary symbols=2 edges=1 counts=1,1,1\n"), "{text}");
    // What can't be written leaves nothing behind.
    let spaced = PAYLOAD.replace("pkg.Near", "operator new");
    let refused =
        wirefmt(folder.path(), &["convert", "--to", "gcf", "--stream"], spaced.as_bytes());
    assert_eq!((refused.status.code(), refused.stdout.len()), (Some(1), 0));
}

#[test]
fn dangling_edges_are_refused_or_dropped_and_counted() {
    let folder = folder();
    let path = folder.path();
    let payload = r#"{"tool":"t","tokens_used":0,"token_budget":0,"symbols":[{"qualified_name":"a","kind":"function","score":1.0,"provenance":"structural","distance":0}],"edges":[{"source":"a","target":"a","edge_type":"calls"},{"source":"a","target":"b","edge_type":"calls"},{"source":"c","target":"a","edge_type":"calls"}]}"#;
    fs::write(path.join("p.json"), payload).unwrap();
    fs::write(path.join("short.json"), r#"{"tool":"t","symbols":[]}"#).unwrap();
    let mut all = String::new();
    for arguments in [
        &["convert", "p.json", "--to", "gcf"][..],
        &["convert", "p.json", "--to", "gcf", "--lossy", "edges"],
        &["convert", "p.json", "--to", "gcf", "--lossy", "edges", "--deny-loss"],
        &["convert", "pack.json", "-o", "pack.gcb"],
        &["convert", "pack.gcb", "--to", "gcf", "--lossy", "edges"],
        &["convert", "short.json", "--to", "gcf"],
        &["convert", "short.json", "--to", "gcf", "--profile", "generic"],
    ] {
        let output = wirefmt(path, arguments, b"");
        all += &format!("$ wirefmt {}\n{}\n", arguments.join(" "), shown(&output));
    }
    insta::assert_snapshot!(all);
}

/// Each would take much longer if a line was looked at again for each header in it.
#[test]
fn one_long_line_of_headers_takes_linear_time() {
    let folder = folder();
    for unit in ["GCF a=1 ", "GCF profile=generic ", "GCF ", "GCF profile=generic\\n"] {
        let answer = unit.repeat(60_000 / unit.len());
        let output =
            wirefmt(folder.path(), &["convert", "--recover", "--to", "json"], answer.as_bytes());
        assert!(output.stdout.len() < 100, "{unit}");
    }
}
