//! Output in a terminal.
#![cfg(unix)]

use std::fs;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::folder;
use nix::pty::{Winsize, openpty};

/// The screen of `wirefmt` in a terminal of 60 columns and 10 lines, its messages among it.
fn seen(folder: &Path, arguments: &[&str], pager: &str) -> String {
    shown_by(env!("CARGO_BIN_EXE_wirefmt"), folder, arguments, pager)
}

/// The same of any program.
fn shown_by(program: &str, folder: &Path, arguments: &[&str], pager: &str) -> String {
    let size = Winsize { ws_row: 10, ws_col: 60, ws_xpixel: 0, ws_ypixel: 0 };
    let terminal = openpty(Some(&size), None).expect("because there are terminals");
    let end = || Stdio::from(terminal.slave.try_clone().expect("because it is open"));
    let mut child = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .env_remove("NO_COLOR")
        .env_remove("COLUMNS")
        .env_remove("CLICOLOR_FORCE")
        .env_remove("LESS")
        .env("TERM", "xterm")
        .env("PAGER", pager)
        .stdin(end())
        .stdout(end())
        .stderr(end())
        .spawn()
        .expect("because the binary was built for this test");
    drop(terminal.slave);
    let mut shown = Vec::new();
    // Once the other end is closed reading is an error on some systems.
    let _ = File::from(terminal.master).read_to_end(&mut shown);
    child.wait().expect("because it was spawned");
    String::from_utf8_lossy(&shown).replace("\r\n", "\n")
}

#[test]
fn tables_are_as_wide_as_the_terminal() {
    let folder = folder();
    let shown = seen(folder.path(), &["view", "pack.json", "--no-pager"], "cat");
    let plain = ["\u{1b}[0m", "\u{1b}[1m", "\u{1b}[2m"]
        .iter()
        .fold(shown.clone(), |text, style| text.replace(style, ""));
    assert!(plain.lines().all(|line| line.chars().count() <= 60), "{shown}");
    insta::assert_snapshot!(shown);
}

#[test]
fn what_is_longer_than_the_terminal_goes_to_the_pager() {
    let folder = folder();
    let path = folder.path();
    let view = ["view", "pack.json"];
    let paged = seen(path, &view, "sed s/^/paged:/");
    assert!(paged.lines().all(|line| line.starts_with("paged:")), "{paged}");
    // What fits is shown, and so is all where there is no pager, or none is wanted.
    fs::write(path.join("short.json"), "[1]").unwrap();
    for (arguments, pager) in [
        (&["view", "short.json"][..], "sed s/^/paged:/"),
        (&view, ""),
        (&view, "no-such-program"),
        (&["view", "pack.json", "--no-pager"], "sed s/^/paged:/"),
    ] {
        let shown = seen(path, arguments, pager);
        assert!(!shown.is_empty() && !shown.contains("paged:"), "{arguments:?} {pager}: {shown}");
    }
}

#[test]
fn errors_are_coloured_and_long_work_has_a_bar() {
    let folder = folder();
    let path = folder.path();
    fs::write(path.join("bad.gcf"), "GCF tool=t\noops\n").unwrap();
    insta::assert_snapshot!("an_error", seen(path, &["check", "bad.gcf"], "cat"));
    insta::assert_snapshot!("usage", seen(path, &["convert"], "cat"));
    fs::create_dir(path.join("in")).unwrap();
    for number in 0..1000 {
        fs::write(path.join(format!("in/{number}.json")), "[1]").unwrap();
    }
    // The first input comes slowly enough for a bar, however fast the machine is.
    let program = env!("CARGO_BIN_EXE_wirefmt");
    let stats = |inputs| {
        format!(
            "(sleep 1.5; cat in/0.json) | {program} stats - {inputs} --total --counter word-punctuation --jobs 1"
        )
    };
    let shown = shown_by("sh", path, &["-c", &stats("in")], "cat");
    assert!(shown.contains("/1,001 files, ") && shown.contains(" left"), "{shown}");
    let quiet = shown_by("sh", path, &["-c", &stats("in/1?.json -q")], "cat");
    assert!(quiet.contains("by word-punctuation") && !quiet.contains(" files, "), "{quiet}");
}

/// The screen of each command whose input comes slowly, which takes a while on every
/// machine. All run at the same time.
fn shown_of_slow_inputs<const N: usize>(folder: &Path, commands: [&str; N]) -> [String; N] {
    let program = env!("CARGO_BIN_EXE_wirefmt");
    let run = |arguments: &str| {
        let slow = "(printf '{\"a\": 1}\\n{\"a\": 2}\\n'; sleep 1.5; echo '{\"a\": 3}')";
        shown_by("sh", folder, &["-c", &format!("{slow} | {program} {arguments}")], "cat")
    };
    std::thread::scope(|scope| {
        let runs = commands.map(|command| scope.spawn(move || run(command)));
        runs.map(|run| run.join().expect("because nothing in it panics"))
    })
}

#[test]
fn work_on_one_input_that_takes_over_a_second_shows_progress() {
    let folder = folder();
    let path = folder.path();
    let [streamed, whole, checked] = shown_of_slow_inputs(
        path,
        [
            "convert --to gcf --stream -o streamed.gcf",
            "convert --from jsonl --to gcf -o out.gcf",
            "check - --from jsonl",
        ],
    );
    assert!(streamed.contains("standard input: 18 B, "), "{streamed}");
    assert_eq!(
        fs::read_to_string(path.join("streamed.gcf")).unwrap(),
        "GCF profile=generic\n## [?]{a}\n1\n2\n3\n##! summary counts=3\n"
    );
    assert!(whole.contains("standard input, 1s"), "{whole}");
    assert!(checked.contains("standard input, 1s"), "{checked}");
    for (command, output) in [("auto", "tokens as json"), ("stats", "json-pretty")] {
        let loud = format!("{command} - --from jsonl");
        let [shown, quiet] = shown_of_slow_inputs(path, [&loud, &format!("{loud} -q")]);
        let (progress, rest) = shown.split_once("standard input, 1s").unwrap_or_default();
        assert!(!progress.contains(output) && rest.contains(output), "{command}: {shown}");
        assert!(!quiet.contains("standard input, 1s"), "{command}: {quiet}");
    }
}

#[test]
fn progress_is_neither_in_the_output_nor_where_messages_are_not_wanted_nor_in_files() {
    let folder = folder();
    let commands = [
        "convert --to gcf --stream",
        "convert --to gcf --stream -o quiet.gcf -q",
        "convert --to gcf --stream -o out.gcf 2> log; cat log",
    ];
    for (command, shown) in commands.iter().zip(shown_of_slow_inputs(folder.path(), commands)) {
        assert!(!shown.contains("standard input"), "{command}: {shown}");
    }
}

#[test]
fn bytes_are_not_shown_in_a_terminal() {
    let folder = folder();
    let shown = seen(folder.path(), &["convert", "pack.json", "--to", "gcb"], "cat");
    assert!(
        shown.contains("gcb is binary and standard output is a terminal, expected --output FILE"),
        "{shown}"
    );
}

#[test]
fn who_waits_for_input_says_so() {
    use std::io::Write;
    let folder = folder();
    let terminal = openpty(None, None).unwrap();
    let end = || Stdio::from(terminal.slave.try_clone().unwrap());
    let mut child = Command::new(env!("CARGO_BIN_EXE_wirefmt"))
        .args(["view", "--no-pager"])
        .current_dir(folder.path())
        .stdin(end())
        .stdout(end())
        .stderr(end())
        .spawn()
        .unwrap();
    drop(terminal.slave);
    let mut master = File::from(terminal.master);
    let mut shown = Vec::new();
    let mut byte = [0];
    while !String::from_utf8_lossy(&shown).contains("reading standard input up to its end") {
        master.read_exact(&mut byte).unwrap();
        shown.push(byte[0]);
    }
    master.write_all(b"[1]\n\x04").unwrap();
    let _ = master.read_to_end(&mut shown);
    assert!(child.wait().unwrap().success());
    assert!(
        String::from_utf8_lossy(&shown).contains("  1\r\n"),
        "{}",
        String::from_utf8_lossy(&shown)
    );
}
