//! Messages of `wirefmt`, for people and for programs.

use std::fs;

use super::convert::ANSWER;
use super::deltas::changed_payload;
use crate::common::{AS_GCF, PAYLOAD, folder, shown, text, wirefmt};

#[test]
fn errors_show_the_place() {
    let folder = folder();
    let mut report = String::new();
    for (arguments, input) in [
        (&["check", "-"][..], &b"GCF tool=t symbols=1\n@0 fn a 0.5\n"[..]),
        (&["check", "-"], b"GCF tool=t symbols=9\r\n@0 fn a 0.5 x\r\n"),
        (&["check", "-", "--from", "gcf"], "GCF tool=t\nélan \u{1b}[31m\n".as_bytes()),
        (&["check", "-"], b"GCB1\x01\x01t\x00\x00\x01\x00\x01a\x63"),
        (&["check", "-"], b"{\"tool\":\"t\",\"tokens_used\":0,\"token_budget\":0,\n\"symbols\":[{\"kind\":1}]}"),
        (&["convert", "--to", "gcf"], b"{\"tool\":\"t\",\"tokens_used\":0,\"token_budget\":0,\"symbols\":[],\n\"edges\":[{\"source\":\"x\",\"target\":\"y\",\"edge_type\":\"calls\"}]}"),
        (&["check", "-"], b"neither\n"),
        (&["check", "nowhere.gcf"], b""),
        (&["convert", "pack.json", "-o", "pack.unknown"], b""),
        (&["convert", "pack.json", "--to", "gcf", "--deny-loss"], b""),
        (&["convert", "pack.json", "-o", "no/such/folder.gcf"], b""),
        (&["check", "pack.json", "nowhere.gcf", "-"], b"GCF tool=t\nx\n"),
    ] {
        let output = wirefmt(folder.path(), arguments, input);
        report += &format!("$ wirefmt {}\n{}\n\n", arguments.join(" "), shown(&output));
    }
    insta::assert_snapshot!(report);
}

#[test]
fn messages_for_machines() {
    let folder = folder();
    let mut report = String::new();
    for (arguments, input) in [
        (&["check", "pack.json"][..], &b""[..]),
        (&["check", "-"], b"GCF tool=t symbols=1\n@0 fn a 0.5\n"),
        (&["check", "-"], b"GCB1\x02"),
        (&["convert", "pack.json", "--to", "gcb"], b""),
        (&["check", "nowhere.gcf"], b""),
        (&["formats"], b""),
    ] {
        let mut all = vec!["--message-format", "json"];
        all.extend(arguments);
        let mut output = wirefmt(folder.path(), &all, input);
        if output.stdout.starts_with(b"GCB1") {
            output.stdout = format!("({} bytes)\n", output.stdout.len()).into_bytes();
        }
        report += &format!("$ wirefmt {}\n{}\n", all.join(" "), shown(&output));
    }
    insta::assert_snapshot!(report);
}

// The help names every command.
#[test]
fn help_and_formats() {
    let folder = folder();
    let mut report = String::new();
    for arguments in [
        &["--help"][..],
        &["convert", "--help"],
        &["check", "--help"],
        &["formats"],
        &["convert", "--to", "gfc"],
        &["convert"],
    ] {
        report += &format!(
            "$ wirefmt {}\n{}\n",
            arguments.join(" "),
            shown(&wirefmt(folder.path(), arguments, b""))
        );
    }
    insta::assert_snapshot!(report);
}

#[test]
fn colours_are_asked_for_or_not_there() {
    let folder = folder();
    let broken = b"GCF tool=t\nx\n";
    let plain = wirefmt(folder.path(), &["check", "-"], broken);
    assert!(!plain.stderr.contains(&0x1b));
    let coloured = wirefmt(folder.path(), &["check", "-", "--color", "always"], broken);
    assert!(coloured.stderr.contains(&0x1b));
}

#[cfg(unix)]
#[test]
fn file_names_cannot_forge_lines() {
    let folder = folder();
    let name = "evil\u{1b}[31m\nfake.gcf: gcf, 10 symbols";
    fs::write(folder.path().join(name), AS_GCF).unwrap();
    let output = wirefmt(folder.path(), &["check", name, "pack.json", "no\nfile"], b"");
    let all = [output.stdout, output.stderr].concat();
    assert!(!all.contains(&0x1b) && text(&all).lines().count() == 4, "{}", text(&all));
}

#[test]
fn completions_and_man_page() {
    let folder = folder();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = wirefmt(folder.path(), &["completions", shell], b"");
        assert!(output.status.success() && text(&output.stdout).contains("wirefmt"), "{shell}");
    }
    let page = wirefmt(folder.path(), &["man"], b"");
    assert!(text(&page.stdout).starts_with(".ie"), "{}", shown(&page));
}

#[test]
fn obvious_mistakes_and_siblings() {
    let folder = folder();
    let path = folder.path();
    let before = PAYLOAD.replace("\"status\":\"added\"", "\"status\":\"unchanged\"");
    fs::write(path.join("before.json"), &before).unwrap();
    fs::write(path.join("after.json"), changed_payload()).unwrap();
    fs::write(path.join("answer.md"), ANSWER).unwrap();
    fs::write(path.join("bad.gcf"), "GCF tool=t\noops\n").unwrap();
    let run = |arguments: &[&str]| wirefmt(path, arguments, b"");

    // Standard input can be read once.
    for arguments in [&["diff", "-", "-"][..], &["apply", "-", "-"], &["root", "-", "-"]] {
        assert_eq!(run(arguments).status.code(), Some(2), "{arguments:?}");
    }
    // A delta can be checked, and applied into the format of the output's extension.
    let delta = run(&["diff", "before.json", "after.json", "--dialect", "v3", "-o", "d.gcf"]);
    assert!(delta.status.success(), "{}", shown(&delta));
    let checked = run(&["check", "d.gcf"]);
    assert_eq!(text(&checked.stdout), "d.gcf: gcf delta, 4 symbols, 2 edges\n");
    let applied = run(&["apply", "before.json", "d.gcf", "-o", "after.gcf", "-q"]);
    assert!(applied.status.success(), "{}", shown(&applied));
    let after = fs::read_to_string(path.join("after.gcf")).unwrap();
    assert!(after.starts_with("GCF profile=graph tool=t"), "{after}");
    // The root of a file is of the kind that the file states.
    let root = text(&run(&["root", "after.gcf"]).stdout);
    assert!(root.starts_with("sha256:") && after.contains(root.trim()), "{root}");
    let dialect = run(&["apply", "before.json", "d.gcf", "--to", "json", "--dialect", "v3"]);
    assert_eq!(dialect.status.code(), Some(2), "{}", shown(&dialect));
    // One bad file does not hide the others.
    let roots = run(&["root", "before.json", "bad.gcf", "after.json"]);
    assert_eq!((roots.status.code(), text(&roots.stdout).lines().count()), (Some(1), 2));
    // What was lost can be refused.
    let lost = run(&["convert", "--recover", "answer.md", "--to", "json", "--deny-loss"]);
    assert_eq!((lost.status.code(), lost.stdout.len()), (Some(1), 0));
    assert!(text(&lost.stderr).contains("line 11"), "{}", shown(&lost));
    // Names are replaced in the base as they were for the delta.
    fs::write(path.join("spaced.json"), before.replace("pkg.Auth", "operator new")).unwrap();
    let options = ["--lossy", "names"];
    let diff = [&["diff", "spaced.json", "after.json", "-q", "-o", "s.gcf"][..], &options].concat();
    assert!(run(&diff).status.success(), "{}", shown(&run(&diff)));
    let apply = [&["apply", "spaced.json", "s.gcf", "-q"][..], &options].concat();
    assert!(run(&apply).status.success(), "{}", shown(&run(&apply)));
    // An answer that nothing has changed gives the base, and a full answer needs nothing of it.
    let unchanged = format!(
        "unchanged pack_root={} symbols=2\n",
        text(&run(&["root", "after.json"]).stdout).trim()
    );
    let base = wirefmt(path, &["apply", "after.json", "-", "-q"], unchanged.as_bytes());
    assert_eq!(text(&base.stdout), text(&run(&["convert", "after.json", "--to", "json"]).stdout));
    run(&["convert", "after.json", "-o", "full.gcf"]);
    let full = run(&["apply", "spaced.json", "full.gcf", "-q"]);
    assert!(full.status.success(), "{}", shown(&full));
}

/// Invisible characters would be printed as it is by a terminal, wherever it comes from.
#[test]
fn nothing_that_is_said_hides() {
    const HIDDEN: &str = "\u{202e}\u{2028}\u{200b}\u{61c}\u{e0041}\u{9b}\u{3164}\u{fe0f}";
    let folder = folder();
    let path = folder.path();
    let query = format!("{{\"query_type\":\"search\",\"a{HIDDEN}\":1}}");
    let pattern = format!("x[{HIDDEN}");
    let option = format!("--a{HIDDEN}");
    for format in ["human", "json"] {
        for (arguments, input) in [
            (&["check", "-"][..], &*query),
            (&["check", &pattern], ""),
            (&["check", &option], ""),
            (&["convert", "-", "--to", HIDDEN], ""),
        ] {
            let arguments = [&["--message-format", format], arguments].concat();
            let output = wirefmt(path, &arguments, input.as_bytes());
            let said = text(&output.stderr);
            assert!(!output.status.success() && !said.is_empty());
            assert!(!said.chars().any(|c| HIDDEN.contains(c)), "{arguments:?}: {said:?}");
            if format == "json" {
                let message: serde_json::Value = serde_json::from_str(&said).unwrap();
                let message = message["message"].as_str().unwrap();
                let is_named = message.contains('\u{200b}') || message.contains("\\u{200b}");
                assert!(is_named, "{said}");
            }
        }
    }
    // A combining character is seen.
    let output = wirefmt(path, &["check", "e\u{301}"], b"");
    assert!(text(&output.stderr).contains("e\u{301} can't be read"), "{}", shown(&output));
}

/// A text of another format names the one that reads it, and one of none the headers that there are.
#[test]
fn a_text_of_another_format_is_told() {
    let folder = folder();
    let headers =
        "`GCF tool=…` or `GCF profile=graph …` of a graph, `GCF profile=generic` of any value";
    for (from, input, code, expected) in [
        ("gcf", "GCX1 tool=t fields=a\n1\n", "missing_header", "which the format gcx reads"),
        ("gcf", "@header\nquery_type:search\n", "missing_header", "which the format goon reads"),
        ("gcf", "GCX1 tool=t fields=a\n", "missing_header", headers),
        ("gcf", "hello\n", "missing_header", headers),
        ("gcf", "", "missing_header", headers),
        ("gcf", "GCF\na=1\n", "missing_tool", "or `GCF profile=generic` of any value"),
        ("gcx", "GCF profile=generic\na=1\n", "not_gcx", "which the format gcf reads"),
        ("gcx", "@header\n", "not_gcx", "which the format goon reads"),
        ("goon", "GCF tool=t\n", "not_goon", "which the format gcf reads"),
        ("goon", "GCX1 tool=t fields=a\n", "not_goon", "which the format gcx reads"),
    ] {
        let output = wirefmt(
            folder.path(),
            &["convert", "-", "--from", from, "--to", "json"],
            input.as_bytes(),
        );
        let said = text(&output.stderr);
        let code = format!("error[{code}]: ");
        assert!(said.starts_with(&code) && said.contains(expected), "{from} {input:?}: {said}");
    }
}

/// A program that reads messages reads those about its own arguments, too.
#[test]
fn errors_of_the_arguments_are_messages() {
    let folder = folder();
    let json = ["--message-format", "json"];
    let mut report = String::new();
    for arguments in [
        &["convert", "pack.json", "--too", "gcf"][..],
        &["convert", "pack.json"],
        &["convert", "pack.json", "--to", "gfc"],
        &["convert", "pack.json", "--to", "gcf", "--tp"],
        &["convert", "--to", "gcf", "--stream=item"],
        &["convret"],
        &["check", "-x"],
    ] {
        let arguments = [arguments, &json].concat();
        let output = wirefmt(folder.path(), &arguments, b"");
        assert_eq!(
            (output.status.code(), output.stdout.is_empty()),
            (Some(2), true),
            "{}",
            shown(&output)
        );
        let said: serde_json::Value = serde_json::from_slice(&output.stderr).unwrap();
        assert_eq!((&said["level"], &said["code"]), (&"error".into(), &"usage".into()));
        assert!(!said["message"].as_str().unwrap().contains(['\n', '\u{1b}']), "{said}");
        report += &format!("$ wirefmt {}\n{}\n", arguments.join(" "), shown(&output));
    }
    insta::assert_snapshot!(report);
    let output = wirefmt(folder.path(), &["convert", "--message-format=json", "x.json"], b"");
    assert!(output.stderr.starts_with(b"{"), "{}", shown(&output));
}
