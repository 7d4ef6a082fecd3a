//! `wirefmt diff`, `apply` and `root`.

use std::fs;
use std::process::Output;

use crate::common::{PAYLOAD, folder, shown, text, wirefmt};

/// The payload with a symbol renamed and another score.
pub(crate) fn changed_payload() -> String {
    PAYLOAD
        .replace("pkg.Near", "pkg.Nearer")
        .replace("\"score\":0.5,", "\"score\":0.6,")
        .replace("\"status\":\"added\"", "\"status\":\"unchanged\"")
}

#[test]
fn deltas_are_made_and_applied() {
    let folder = folder();
    let path = folder.path();
    let before = PAYLOAD.replace("\"status\":\"added\"", "\"status\":\"unchanged\"");
    fs::write(path.join("before.json"), &before).unwrap();
    fs::write(path.join("after.json"), changed_payload()).unwrap();
    let mut report = String::new();
    for arguments in [
        &["diff", "before.json", "after.json"][..],
        &["diff", "before.json", "after.json", "--dialect", "v3", "--counter", "o200k_base"],
        &["diff", "before.json", "after.json", "--distances"],
        &["diff", "pack.json", "after.json"],
        &["diff", "before.json", "nope.json"],
        &["root", "before.json"],
        &["root", "before.json", "after.json", "--root-algorithm", "pack-root-v1"],
        &["root", "before.json", "--exact", "--dialect", "v3"],
    ] {
        let output = wirefmt(path, arguments, b"");
        report += &format!("$ wirefmt {}\n{}\n", arguments.join(" "), shown(&output));
    }
    insta::assert_snapshot!(report);

    for dialect in ["v1", "v3"] {
        let diff = ["diff", "before.json", "after.json", "--distances", "--dialect", dialect];
        let delta = wirefmt(path, &diff, b"");
        let applied = wirefmt(path, &["apply", "before.json", "-", "-q"], &delta.stdout);
        assert!(applied.status.success(), "{}", shown(&applied));
        let roots: Vec<Output> = [&b""[..], &applied.stdout]
            .into_iter()
            .map(|input| {
                let file = if input.is_empty() { "after.json" } else { "-" };
                wirefmt(path, &["root", file, "--from", "json", "--dialect", dialect], input)
            })
            .collect();
        assert_eq!(text(&roots[0].stdout), text(&roots[1].stdout));
        // And not to anything else.
        let elsewhere = wirefmt(path, &["apply", "after.json", "-"], &delta.stdout);
        assert_eq!(elsewhere.status.code(), Some(1));
        assert!(
            text(&elsewhere.stderr).contains("error[base_root_mismatch]"),
            "{}",
            shown(&elsewhere)
        );
        let unverified =
            wirefmt(path, &["apply", "after.json", "-", "--unverified"], &delta.stdout);
        assert!(
            text(&unverified.stderr).contains("error[contradictory_delta]"),
            "{}",
            shown(&unverified)
        );
    }
}

#[test]
fn what_a_delta_does_not_carry_is_warned_of() {
    let folder = folder();
    let path = folder.path();
    let before = PAYLOAD.replace("\"status\":\"added\"", "\"status\":\"unchanged\"");
    let components =
        r#""components":{"blast_radius":0.5,"confidence":1,"recency":0,"distance":0},"kind":"fun"#;
    fs::write(path.join("before.json"), &before).unwrap();
    let signature =
        "warning: after.json: in gcf signatures of changed symbols are dropped (1 symbol)";
    let parts =
        "warning: after.json: in gcf score components of changed symbols are dropped (1 symbol)";
    let score = "warning: after.json: in gcf scores of changed symbols are rounded to two decimals (1 symbol)";
    for (old, new, v3, v1) in [
        ("0.777", "0.777", &[][..], &[][..]),
        // Added again, without what the base knows.
        ("0.777", "0.5", &[signature], &[]),
        ("0.777", "0.123", &[signature, score], &[]),
        ("0.777", "0.7771", &[score], &[score]),
        ("fn near()", "fn far()", &[signature], &[signature]),
        ("\"kind\":\"fun", components, &[parts], &[parts]),
        ("pkg.Near", "pkg.Nearer", &[signature, score], &[signature, score]),
        ("0.5", "0.6", &[], &[]),
    ] {
        fs::write(path.join("after.json"), before.replace(old, new)).unwrap();
        for (dialect, expected) in [("v1", v1), ("v3", v3)] {
            let arguments = ["diff", "before.json", "after.json", "--dialect", dialect];
            let output = wirefmt(path, &arguments, b"");
            let said = text(&output.stderr);
            let said: Vec<&str> = said.lines().filter(|line| line.contains("in gcf")).collect();
            assert_eq!(said, expected, "{old} to {new}: {}", shown(&output));
        }
    }
}

#[test]
fn members_that_payloads_do_not_know_are_missed_across_calls_too() {
    let folder = folder();
    let path = folder.path();
    let plain = PAYLOAD.replace("\"status\":\"added\"", "\"status\":\"unchanged\"");
    let more = plain.replacen("\"kind\"", "\"file\":\"a.rs\",\"kind\"", 1);
    fs::write(path.join("pack.json"), plain).unwrap();
    fs::write(path.join("more.json"), more).unwrap();
    let delta = wirefmt(path, &["diff", "pack.json", "pack.json"], b"").stdout;
    for (arguments, input) in [
        (&["diff", "pack.json", "more.json"][..], &b""[..]),
        (&["diff", "more.json", "pack.json"], b""),
        (&["apply", "more.json", "-"], &delta),
    ] {
        let output = wirefmt(path, arguments, input);
        assert!(output.status.success(), "{}", shown(&output));
        let warned = text(&output.stderr).contains("more.json: symbols[0].file is left out");
        assert_eq!(warned, arguments.contains(&"more.json"), "{}", shown(&output));
    }
}

#[test]
fn commands_for_graphs_say_so() {
    let folder = folder();
    let path = folder.path();
    fs::write(path.join("rows.json"), "[{\"a\": 1}, {\"a\": 2}]").unwrap();
    fs::write(path.join("rows.csv"), "a\n1\n").unwrap();
    for arguments in [
        &["convert", "rows.json", "--to", "gcb"][..],
        &["convert", "rows.json", "--to", "xml"],
        &["convert", "rows.json", "--to", "goon"],
        &["convert", "rows.csv", "--to", "gcb"],
        &["diff", "rows.json", "pack.json"],
        &["diff", "pack.json", "rows.csv"],
        &["root", "rows.json"],
        &["apply", "rows.json", "pack.json"],
    ] {
        let output = wirefmt(path, arguments, b"");
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{}", shown(&output));
        assert!(
            said.starts_with("error[not_a_graph]: rows.")
                && said.contains("is for graphs only")
                && said.contains("accept any JSON"),
            "{arguments:?}: {}",
            shown(&output)
        );
    }
    // What is no JSON is that before anything else.
    let output = wirefmt(path, &["root", "-"], b"[{");
    assert!(text(&output.stderr).starts_with("error[json_unexpected_end]"), "{}", shown(&output));
}
