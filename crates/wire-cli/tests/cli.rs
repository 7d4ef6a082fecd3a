//! `wirefmt` as people and pipelines see it.

mod common;

use std::fs;
use std::io::Read;
use std::process::{Command, Output, Stdio};

use common::{AS_GCF, PAYLOAD, folder, shown, text, wirefmt};

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
    let options = ["convert", "--to", "gcf", "--dialect", "v1.4", "--replace-white-space", "_"];
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
#[cfg(feature = "scorecard")]
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
fn a_final_newline_can_be_required_of_every_text() {
    let folder = folder();
    for (input, code) in [
        (PAYLOAD.trim_end(), Some(1)),
        (AS_GCF.trim_end(), Some(1)),
        (PAYLOAD, Some(0)),
        (AS_GCF, Some(0)),
    ] {
        let output =
            wirefmt(folder.path(), &["check", "-", "--require-final-newline"], input.as_bytes());
        assert_eq!(output.status.code(), code, "{}", shown(&output));
    }
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

#[test]
fn output_is_whole_or_not_there() {
    let folder = folder();
    let path = folder.path();
    fs::write(path.join("out.gcf"), "what was there").unwrap();
    let failed = wirefmt(path, &["convert", "--to", "gcf", "-o", "out.gcf"], b"{\"tool\":");
    assert_eq!((failed.status.code(), failed.stdout.is_empty()), (Some(1), true));
    assert_eq!(fs::read_to_string(path.join("out.gcf")).unwrap(), "what was there");
    let fine = wirefmt(path, &["convert", "pack.json", "-q", "--to", "gcf", "-o", "out.gcf"], b"");
    assert!(fine.status.success());
    assert_eq!(fs::read_to_string(path.join("out.gcf")).unwrap(), AS_GCF);
    let names: Vec<_> =
        fs::read_dir(path).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "a temporary file is left: {names:?}");
}

#[cfg(unix)]
#[test]
fn what_is_there_is_respected() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder();
    let path = folder.path();
    let convert =
        |to: &str| wirefmt(path, &["convert", "pack.json", "-q", "--to", "gcf", "-o", to], b"");
    // The mode, and the file behind a link.
    fs::write(path.join("kept.gcf"), "old").unwrap();
    fs::set_permissions(path.join("kept.gcf"), fs::Permissions::from_mode(0o664)).unwrap();
    symlink("kept.gcf", path.join("link.gcf")).unwrap();
    assert!(convert("link.gcf").status.success());
    assert_eq!(fs::read_to_string(path.join("kept.gcf")).unwrap(), AS_GCF);
    assert_eq!(fs::metadata(path.join("kept.gcf")).unwrap().permissions().mode() & 0o777, 0o664);
    assert!(fs::symlink_metadata(path.join("link.gcf")).unwrap().is_symlink());
    // A link that leads to no file yet, by way of another one; and a circle of links.
    fs::create_dir(path.join("deep")).unwrap();
    symlink("deep/second.gcf", path.join("dangling.gcf")).unwrap();
    symlink("../new.gcf", path.join("deep/second.gcf")).unwrap();
    assert!(convert("dangling.gcf").status.success());
    assert_eq!(fs::read_to_string(path.join("new.gcf")).unwrap(), AS_GCF);
    assert!(fs::symlink_metadata(path.join("dangling.gcf")).unwrap().is_symlink());
    symlink("circle.gcf", path.join("circle.gcf")).unwrap();
    assert_eq!(convert("circle.gcf").status.code(), Some(3));
    symlink("no-folder/x.gcf", path.join("far.gcf")).unwrap();
    assert_eq!(convert("far.gcf").status.code(), Some(3));
    // A file that must not be written.
    fs::set_permissions(path.join("kept.gcf"), fs::Permissions::from_mode(0o444)).unwrap();
    assert_eq!(convert("kept.gcf").status.code(), Some(3));
    // Standard output by another name is appended to, and not replaced.
    fs::write(path.join("log"), "precious\n").unwrap();
    let log = fs::OpenOptions::new().append(true).open(path.join("log")).unwrap();
    let status = Command::new(env!("CARGO_BIN_EXE_wirefmt"))
        .args(["convert", "pack.json", "-q", "--to", "gcf", "-o", "/dev/stdout"])
        .current_dir(path)
        .stdout(log)
        .status()
        .unwrap();
    assert!(status.success());
    assert_eq!(fs::read_to_string(path.join("log")).unwrap(), format!("precious\n{AS_GCF}"));
    // So is what the shell opened, a file or a pipe; and a second run replaces a file.
    let shell = |script: &str| {
        let program = env!("CARGO_BIN_EXE_wirefmt");
        let command = format!("{program} convert pack.json -q --to gcf -o {script}");
        let status = Command::new("sh").args(["-c", &command]).current_dir(path).status().unwrap();
        assert!(status.success(), "{script}");
    };
    shell("/dev/fd/3 3>>log");
    assert_eq!(
        fs::read_to_string(path.join("log")).unwrap(),
        format!("precious\n{AS_GCF}{AS_GCF}")
    );
    shell("/dev/fd/3 3>&1 | cat > piped");
    assert_eq!(fs::read_to_string(path.join("piped")).unwrap(), AS_GCF);
    shell("twice.gcf && wc -c < twice.gcf > /dev/null");
    shell("twice.gcf");
    assert_eq!(fs::read_to_string(path.join("twice.gcf")).unwrap(), AS_GCF);
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
fn the_exit_code_of_check_does_not_need_a_reader() {
    let folder = folder();
    fs::write(folder.path().join("bad.gcf"), "GCF tool=t\nx\n").unwrap();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader); // before the child can write
    let status = Command::new(env!("CARGO_BIN_EXE_wirefmt"))
        .args(["check", "pack.json", "pack.json", "bad.gcf"])
        .current_dir(folder.path())
        .stdout(writer)
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(1));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let folder = folder();
    let to_file = wirefmt(
        folder.path(),
        &["convert", "pack.json", "-q", "--to", "gcf", "-o", "/dev/full"],
        b"",
    );
    assert_eq!(to_file.status.code(), Some(3), "{}", shown(&to_file));
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let status = Command::new(env!("CARGO_BIN_EXE_wirefmt"))
        .args(["convert", "pack.json", "-q", "--to", "gcf"])
        .current_dir(folder.path())
        .stdout(full)
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(3));
}

#[test]
fn a_closed_pipe_is_quiet() {
    let folder = folder();
    // More than a pipe holds, so that the writer meets the closed end.
    let symbols: Vec<String> = (0..4_000)
        .map(|n| format!(r#"{{"qualified_name":"pkg.{n}","kind":"function","score":0.5,"provenance":"x","distance":0}}"#))
        .collect();
    let pack = format!(
        r#"{{"tool":"t","tokens_used":0,"token_budget":0,"symbols":[{}]}}"#,
        symbols.join(",")
    );
    fs::write(folder.path().join("large.json"), pack).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_wirefmt"))
        .args(["convert", "large.json", "--to", "json-pretty"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 10];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap(); // and the pipe is closed
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
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

const ANSWER: &str = "Sure, here it is:\n\n```gcf\nGCF tool=t budget=2 tokens=1 symbols=3\n## targets\n- @0 method pkg.Auth 0.50 lsp_resolved\n## related\n- @1 fn pkg.Near 0.78 structural\n## edges\n@0<@1 calls added\n@0<@7 calls\n```\nAnything else?\n";

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
        &["convert", "pack.json", "--to", "gcf", "-q", "--stream", "--labeled-counts"],
        &["convert", "pack.json", "--to", "gcf", "-q", "--stream", "--dialect", "v1.4"],
        &["convert", "pack.json", "--to", "gcf", "-q", "--stream", "--dialect", "v1"],
        &["convert", "pack.json", "--to", "gcb", "--stream"],
        &["convert", "pack.json", "--to", "gcf", "--labeled-counts"],
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

/// The payload with a symbol renamed and another score.
fn changed_payload() -> String {
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
        (&["exchange", "more.json"], b""),
        (&["exchange", "pack.json"], b""),
    ] {
        let output = wirefmt(path, arguments, input);
        assert!(output.status.success(), "{}", shown(&output));
        let warned = text(&output.stderr).contains("more.json: symbols[0].file is left out");
        assert_eq!(warned, arguments.contains(&"more.json"), "{}", shown(&output));
    }
}

#[test]
fn exchanges_have_three_answers() {
    let folder = folder();
    let path = folder.path();
    let more: String = (0..9)
        .map(|n| format!(r#",{{"qualified_name":"pkg.f{n}","kind":"function","score":0.25,"provenance":"structural","distance":2}}"#))
        .collect::<Vec<_>>()
        .concat();
    let before = PAYLOAD
        .replace("\"status\":\"added\"", "\"status\":\"unchanged\"")
        .replace("}],\n\"edges\"", &format!("}}{more}],\n\"edges\""));
    fs::write(path.join("before.json"), &before).unwrap();
    fs::write(path.join("after.json"), before.replace("pkg.f3", "pkg.g3")).unwrap();
    let root = text(&wirefmt(path, &["root", "before.json"], b"").stdout);
    let root = root.trim();
    let mut report = String::new();
    for (arguments, held) in [
        (&["exchange", "before.json", "-o", "full.gcf"][..], None),
        (&["exchange", "before.json", "--held", root], Some("full.gcf")),
        (&["exchange", "after.json", "--known", "before.json", "--held", root], Some("full.gcf")),
        (&["exchange", "after.json", "--held", root, "--message-format", "json"], Some("full.gcf")),
        (&["exchange", "after.json", "--held", "a b"], None),
    ] {
        let output = wirefmt(path, arguments, b"");
        report += &format!("$ wirefmt {}\n{}\n", arguments.join(" "), shown(&output));
        if let Some(held) = held {
            let applied = wirefmt(path, &["apply", held, "-"], &output.stdout);
            assert!(applied.status.success(), "{}", shown(&applied));
            report += &format!("$ wirefmt apply {held} -\n{}\n", text(&applied.stdout));
        }
    }
    insta::assert_snapshot!(report);
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
    for threshold in ["-1", "nan", "inf", "half"] {
        let exchange = ["exchange", "after.json", "--threshold", threshold];
        assert_eq!(run(&exchange).status.code(), Some(2), "{threshold}");
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
    let options = ["--replace-white-space", "_"];
    let diff = [&["diff", "spaced.json", "after.json", "-q", "-o", "s.gcf"][..], &options].concat();
    assert!(run(&diff).status.success(), "{}", shown(&run(&diff)));
    let apply = [&["apply", "spaced.json", "s.gcf", "-q"][..], &options].concat();
    assert!(run(&apply).status.success(), "{}", shown(&run(&apply)));
    // A full answer needs nothing of the base.
    run(&["exchange", "after.json", "-o", "full.gcf"]);
    let full = run(&["apply", "spaced.json", "full.gcf", "-q"]);
    assert!(full.status.success(), "{}", shown(&full));
    // A root says how it was computed.
    let v3 = text(&run(&["root", "before.json", "--dialect", "v3"]).stdout);
    let held = ["exchange", "before.json", "--held", v3.trim()];
    assert!(text(&run(&held).stdout).starts_with("unchanged pack_root=sha256:"));
}

const CALLERS: &str = r#"{"nodes":[{"id":"a.go::A","kind":"function","name":"A","file_path":"a.go","start_line":3}],
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
    // Or what has no place is told.
    let convert = ["convert", "--tool", "search_symbols", "--to", "gcx", "--layout-only"];
    insta::assert_snapshot!(shown(&wirefmt(path, &convert, response)));
    let denied = wirefmt(path, &[&convert[..], &["--deny-loss"]].concat(), response);
    assert_eq!((denied.status.code(), denied.stdout.len()), (Some(1), 0));
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
        &["convert", "p.json", "--to", "gcf", "--drop-dangling-edges"],
        &["convert", "p.json", "--to", "gcf", "--drop-dangling-edges", "--deny-loss"],
        &["convert", "pack.json", "-o", "pack.gcb"],
        &["convert", "pack.gcb", "--to", "gcf", "--drop-dangling-edges"],
        &["convert", "short.json", "--to", "gcf"],
        &["convert", "short.json", "--to", "gcf", "--profile", "generic"],
    ] {
        let output = wirefmt(path, arguments, b"");
        all += &format!("$ wirefmt {}\n{}\n", arguments.join(" "), shown(&output));
    }
    insta::assert_snapshot!(all);
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
        ("yaml", &gcf[..], "a: 1e400"),
        ("yaml", &gcf, "a: 18446744073709551616"),
        ("toml", &gcf, "a = inf"),
        ("json", &gcf, large),
        ("toml", &gcf, "a = 18446744073709551616"),
        ("toml", &gcf, "b = 1\na = -1_000_000_000_000_000_000_000"),
        ("toml", &gcf, "a = 1e400"),
        ("toml", &gcf, "a = [1, -1.5e+400]"),
        ("yaml", &["--to", "gcx", "--tool", "t"], "a: 18446744073709551616"),
        ("jsonl", &gcf, large),
        ("json", &["--to", "json"], r#"{"a":1e400}"#),
        ("json", &["--to", "goon"], query),
    ] {
        let output = convert(from, more, input);
        assert!(output.stdout.is_empty() && !output.status.success(), "{}", shown(&output));
        assert!(text(&output.stderr).starts_with("error[out_of_range]: "), "{}", shown(&output));
        // `toml` says nothing of the place of a value.
        let placed = text(&output.stderr).contains(" --> ");
        assert!(placed || input == "a = inf", "{}", shown(&output));
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
fn what_a_layout_has_no_place_for_stands_behind_it() {
    let folder = folder();
    let path = folder.path();
    let response = r#"{"results":[{"id":"a","kind":"type","name":"A","lang":"go"}],"took_ms":3,"query":"auth"}"#;
    let json = format!("{response}\n");
    let to_gcx =
        ["convert", "--from", "json", "--to", "gcx", "--tool", "search_symbols", "--extra-columns"];
    let output = wirefmt(path, &to_gcx, json.as_bytes());
    assert_eq!(
        text(&output.stdout),
        "GCX1 tool=search_symbols fields=id,kind,name,path,line,sig,lang extras=1,took_ms,.query rows=1 took_ms=3\n\
         a\ttype\tA\t\t\t\tgo\nGCX1 tool=search_symbols.query fields=value\nauth\n"
    );
    assert!(output.status.success() && output.stderr.is_empty(), "{}", shown(&output));
    fs::write(path.join("r.gcx"), &output.stdout).unwrap();
    let back = wirefmt(path, &["convert", "--deny-loss", "r.gcx", "--to", "json"], b"");
    assert_eq!(text(&back.stdout), json, "{}", shown(&back));
    for arguments in [&["fmt", "--check", "r.gcx"][..], &["check", "r.gcx"], &["view", "r.gcx"]] {
        let output = wirefmt(path, arguments, b"");
        assert!(output.status.success(), "{}", shown(&output));
    }
    // What would read back as another value still decides for the typed form.
    let typed = wirefmt(path, &to_gcx, br#"[{"id":"a","kind":"type","name":"A","lang":"42"}]"#);
    assert!(text(&typed.stdout).contains(" typed=objects:"), "{}", shown(&typed));
}

#[cfg(feature = "scorecard")]
#[test]
fn mistakes_with_responses() {
    let folder = folder();
    let path = folder.path();
    fs::write(path.join("callers.json"), CALLERS).unwrap();
    fs::write(path.join("bad.json"), "{\"nodes\": [{\"id\": 1}]}").unwrap();
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
        &["convert", "callers.json", "--to", "gcx", "--extra-columns"],
        &["convert", "callers.json", "--to", "gcx", "--tool", "get_callers.nodes", "--layout-only"],
        &["convert", "callers.json", "--to", "gcx", "--tool", "get_callers", "--budget", "10"],
        &["convert", "bad.json", "--to", "gcx", "--tool", "get_callers", "--layout-only"],
        &["convert", "cut.json", "--to", "gcx", "--tool", "get_callers"],
        &["convert", "pack.json", "--from", "gcb", "--to", "gcx", "--tool", "t"],
        &["convert", "rows.gcx", "--to", "gcb"],
        &["convert", "rows.gcx", "--to", "gcx", "--tool", "t"],
        &["convert", "bad.gcx", "--to", "json"],
        &["view", "cut.json"],
        &["scorecard", "tools"],
    ] {
        let output = wirefmt(path, arguments, b"");
        assert!(output.stdout.is_empty(), "{}", shown(&output));
        all += &format!("$ wirefmt {}\n{}\n", arguments.join(" "), shown(&output));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn check_and_view_know_responses_and_payloads() {
    let folder = folder();
    let path = folder.path();
    fs::write(path.join("callers.json"), CALLERS).unwrap();
    wirefmt(path, &["convert", "callers.json", "--tool", "get_callers", "-o", "callers.gcx"], b"");
    wirefmt(path, &["convert", "pack.json", "-o", "pack.gcx"], b"");
    fs::write(
        path.join("many.gcx"),
        "GCX1 tool=a fields=x,y\n1\u{1b}[31m\t2\nGCX1 tool=b fields=z rows=0 total=3\n",
    )
    .unwrap();
    let mut all = String::new();
    for arguments in [
        &["check", "callers.gcx", "pack.gcx", "many.gcx"][..],
        &["check", "--message-format", "json", "callers.gcx", "pack.gcx"],
        &["view", "callers.gcx"],
        &["view", "pack.gcx"],
        &["view", "pack.json"],
        &["view", "many.gcx"],
    ] {
        let output = wirefmt(path, arguments, b"");
        all += &format!("$ wirefmt {}\n{}\n", arguments.join(" "), shown(&output));
    }
    insta::assert_snapshot!(all);
}

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

/// What a program reads of JSON that is no payload, and what is judged as one.
#[test]
fn json_is_checked_as_what_it_is() {
    let folder = folder();
    let path = folder.path();
    let query = r#"{"query_type":"search","nodes":[]}"#;
    for (input, arguments, code, expected) in [
        ("[1, 2]", &[][..], 0, "standard input: json, 2 items, 0 lines\n"),
        ("{\"a\": 18446744073709551616}\n", &[], 0, "standard input: json, 1 member, 1 line\n"),
        ("7", &["--from", "json"], 0, "standard input: json, 1 scalar, 0 lines\n"),
        (query, &[], 0, "standard input: json, search, 3 members, 0 lines\n"),
        (query, &["--as", "value"], 0, "standard input: json, 2 members, 0 lines\n"),
        (
            "{\"tool\": \"t\", \"symbols\": 1}",
            &["--as", "value"],
            0,
            "standard input: json, 2 members, 0 lines\n",
        ),
        ("{\"tool\": \"t\", \"symbols\": 1}", &[], 1, ""),
        ("{\"symbols\": []}", &[], 1, ""),
        ("[1, 2]", &["--as", "payload"], 1, ""),
        ("[1, 2]", &["--as", "response"], 1, ""),
        ("{\"a\": 1, \"a\": 2}", &[], 1, ""),
        ("[1, 2", &[], 1, ""),
        ("GCF tool=t\n", &["--as", "value"], 2, ""),
        ("1", &["--as", "value"], 0, "standard input: json, 1 scalar, 0 lines\n"),
    ] {
        let output = wirefmt(path, &[&["check", "-"], arguments].concat(), input.as_bytes());
        let expected = expected.replace("search, 3 members", "search, 2 members");
        assert_eq!(
            (output.status.code(), text(&output.stdout)),
            (Some(code), expected),
            "{}",
            shown(&output)
        );
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
        &["exchange", "rows.json"],
        &["apply", "rows.json", "pack.json"],
    ] {
        let output = wirefmt(path, arguments, b"");
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{}", shown(&output));
        assert!(
            said.starts_with("error[not_a_graph]: rows.")
                && said.contains("is for graphs only")
                && said.contains("take any JSON"),
            "{arguments:?}: {}",
            shown(&output)
        );
    }
    // What is no JSON is that before anything else.
    let output = wirefmt(path, &["root", "-"], b"[{");
    assert!(text(&output.stderr).starts_with("error[json_unexpected_end]"), "{}", shown(&output));
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

/// What nobody sees would be printed as it is by a terminal, wherever it comes from.
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
                assert!(message["message"].as_str().unwrap().contains('\u{200b}'), "{said}");
            }
        }
    }
    // A combining character is seen.
    let output = wirefmt(path, &["check", "e\u{301}"], b"");
    assert!(text(&output.stderr).contains("e\u{301} can't be read"), "{}", shown(&output));
}

/// A program that reads messages reads those about its own arguments, too.
#[test]
fn errors_of_the_arguments_are_messages() {
    let folder = folder();
    for arguments in [
        &["--message-format", "json", "convert", "pack.json", "--too", "gcf"][..],
        &["convert", "--message-format=json", "pack.json"],
        &["--message-format", "json", "convert", "pack.json", "--to", "gfc"],
    ] {
        let output = wirefmt(folder.path(), arguments, b"");
        assert_eq!(
            (output.status.code(), output.stdout.is_empty()),
            (Some(2), true),
            "{}",
            shown(&output)
        );
        let said: serde_json::Value = serde_json::from_slice(&output.stderr).unwrap();
        assert_eq!((&said["level"], &said["code"]), (&"error".into(), &"usage".into()));
        assert!(!said["message"].as_str().unwrap().contains(['\n', '\u{1b}']), "{said}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn help_that_cannot_be_written_is_an_error() {
    let full = || fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    for arguments in [&["--help"][..], &["--version"], &["help", "convert"], &["convert", "-h"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wirefmt"));
        let output = command.args(arguments).stdout(full()).output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{arguments:?}");
        assert!(text(&output.stderr).contains("standard output can't be written"), "{arguments:?}");
        let fine = Command::new(env!("CARGO_BIN_EXE_wirefmt")).args(arguments).output().unwrap();
        assert!(fine.status.success() && !fine.stdout.is_empty());
    }
}

/// Each would take minutes if a line was looked at again for each header in it.
#[test]
fn one_long_line_of_headers_takes_linear_time() {
    let folder = folder();
    for unit in ["GCF a=1 ", "GCF profile=generic ", "GCF ", "GCF profile=generic\\n"] {
        let answer = unit.repeat(8_000_000 / unit.len());
        let output =
            wirefmt(folder.path(), &["convert", "--recover", "--to", "json"], answer.as_bytes());
        assert!(output.stdout.len() < 100, "{unit}");
    }
}
