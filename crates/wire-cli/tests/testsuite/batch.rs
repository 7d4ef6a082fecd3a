//! Folders, patterns and many files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::common::{AS_GCF, PAYLOAD, folder, shown, text, wirefmt};
use walkdir::WalkDir;

const ROOM: &str = "because there is room for temporary files";

/// The files below a folder, in the order of their names.
fn files(root: &Path) -> Vec<String> {
    let files = WalkDir::new(root).sort_by_file_name().into_iter().flatten();
    files
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| {
            entry.path().strip_prefix(root).expect("because it is below").display().to_string()
        })
        .collect()
}

/// A folder `in` with four payloads, one of them broken if so wished, and a file that is none.
fn packs(broken: bool) -> tempfile::TempDir {
    let folder = folder();
    let root = folder.path().join("in");
    fs::create_dir_all(root.join("deep/er")).expect(ROOM);
    fs::write(root.join("a.json"), PAYLOAD).expect(ROOM);
    fs::write(root.join("b.gcf"), AS_GCF).expect(ROOM);
    fs::write(root.join("deep/c.json"), if broken { "{\"tool\":" } else { PAYLOAD }).expect(ROOM);
    fs::write(root.join("deep/er/d.JSON"), PAYLOAD).expect(ROOM);
    fs::write(root.join("notes.txt"), "nothing").expect(ROOM);
    folder
}

#[test]
fn a_folder_becomes_a_folder() {
    let folder = packs(false);
    let path = folder.path();
    let convert = ["convert", "in", "--to", "gcf", "--output-dir", "out/of/it"];
    let output = wirefmt(path, &convert, b"");
    insta::assert_snapshot!(shown(&output));
    let out = path.join("out/of/it");
    assert_eq!(files(&out), ["a.gcf", "b.gcf", "deep/c.gcf", "deep/er/d.gcf"]);
    assert_eq!(fs::read_to_string(out.join("deep/er/d.gcf")).unwrap(), AS_GCF);
    // A pattern that the shell leaves alone, and files by name.
    let matched = wirefmt(path, &["convert", "in/**/*.json", "-t", "gcb", "-O", "bin", "-q"], b"");
    assert!(matched.status.success(), "{}", shown(&matched));
    assert_eq!(files(&path.join("bin")), ["a.gcb", "deep/c.gcb"]);
    let named = ["convert", "in/b.gcf", "in/deep/c.json", "-t", "json", "-O", "named", "-q"];
    assert!(wirefmt(path, &named, b"").status.success());
    assert_eq!(files(&path.join("named")), ["b.json", "c.json"]);
}

#[test]
fn failures_are_all_reported_or_end_the_work() {
    let folder = packs(true);
    let path = folder.path();
    let convert = ["convert", "in", "--to", "gcf", "-O", "out", "-q"];
    let output = wirefmt(path, &convert, b"");
    insta::assert_snapshot!(shown(&output));
    assert_eq!(files(&path.join("out")), ["a.gcf", "b.gcf", "deep/er/d.gcf"]);
    let fast = [&convert[..], &["--fail-fast", "--jobs", "1", "--output-dir", "fast"]].concat();
    let fast: Vec<&str> = fast.into_iter().filter(|word| !["-O", "out"].contains(word)).collect();
    let output = wirefmt(path, &fast, b"");
    assert!(text(&output.stderr).contains("1 of 3 files failed"), "{}", shown(&output));
    assert_eq!(files(&path.join("fast")), ["a.gcf", "b.gcf"]);
    // Each remark is for machines alone.
    let machines = ["--message-format", "json", "convert", "in", "-t", "gcf", "-O", "m"];
    let output = wirefmt(path, &machines, b"");
    for line in text(&output.stderr).lines() {
        let message: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(message["file"].is_string() || message["code"] == "several", "{line}");
    }
    // The other commands work on folders, too.
    for (arguments, good) in [
        (&["check", "in"][..], 3),
        (&["root", "in"], 3),
        (&["stats", "in", "--format", "csv", "--counter", "cl100k_base"], 1 + 3 * 10),
    ] {
        let output = wirefmt(path, arguments, b"");
        let lines = text(&output.stdout).lines().count();
        assert_eq!((output.status.code(), lines), (Some(1), good), "{}", shown(&output));
    }
}

#[test]
fn what_is_there_can_be_left_as_it_is() {
    let folder = packs(false);
    let path = folder.path();
    fs::create_dir_all(path.join("out/deep")).unwrap();
    fs::write(path.join("out/deep/c.gcf"), "mine").unwrap();
    let convert = ["convert", "in", "--to", "gcf", "-O", "out", "--skip-existing"];
    let output = wirefmt(path, &convert, b"");
    assert!(text(&output.stderr).contains("note: 1 file: written before"), "{}", shown(&output));
    assert_eq!(fs::read_to_string(path.join("out/deep/c.gcf")).unwrap(), "mine");
    let again = wirefmt(path, &convert, b"");
    assert_eq!(
        text(&again.stderr),
        "note: 4 files: written before, and left as it is (--skip-existing)\n"
    );
    let over = wirefmt(path, &convert[..6], b"");
    assert!(over.status.success());
    assert_eq!(fs::read_to_string(path.join("out/deep/c.gcf")).unwrap(), AS_GCF);
}

#[test]
fn obvious_mistakes() {
    let folder = packs(false);
    let path = folder.path();
    fs::create_dir_all(path.join("empty")).unwrap();
    fs::write(path.join("in/a.gcb"), b"GCB1").unwrap();
    fs::write(path.join("there"), "").unwrap();
    let mut all = String::new();
    for arguments in [
        &["convert", "in", "--to", "gcf"][..],
        &["convert", "in/a.json", "in/b.gcf", "--to", "gcf", "-o", "one.gcf"],
        &["convert", "in", "--to", "gcf", "-O", "out"],
        &["convert", "in/deep", "--to", "json", "-O", "in/deep"],
        &["convert", "empty", "--to", "gcf", "-O", "out"],
        &["convert", "in", "--from", "xml", "--to", "gcf", "-O", "out"],
        &["convert", "nothing/*.json", "--to", "gcf", "-O", "out"],
        &["convert", "in/[a.json", "--to", "gcf", "-O", "out"],
        &["convert", "nowhere", "--to", "gcf", "-O", "out"],
        &["convert", "in/a.json", "--to", "gcf", "--skip-existing"],
        &["convert", "in/a.json", "--to", "gcf", "-O", "there/below"],
        &["convert", "in/a.json", "--to", "gcf", "-O", "out", "-o", "x.gcf"],
        &["convert", "-", "-", "--to", "gcf", "-O", "out"],
        &["convert", "in", "-O", "out"],
        &["convert", "in", "--to", "gcf", "-O", "out", "--jobs", "0"],
        &["check", "empty"],
        &["auto", "in"],
        &["stats", "in/a.json", "--counter", "gpt"],
    ] {
        let output = wirefmt(path, arguments, b"");
        assert!(output.stdout.is_empty() && !output.status.success(), "{}", shown(&output));
        all += &format!("$ wirefmt {}\n{}\n", arguments.join(" "), shown(&output));
    }
    insta::assert_snapshot!(all);
    assert!(!path.join("out").exists());
}

#[test]
#[cfg(unix)]
fn what_cannot_be_read_or_written_is_said() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = packs(false);
    let path = folder.path();
    symlink("nowhere", path.join("in/link.json")).unwrap();
    let output = wirefmt(path, &["convert", "in", "--to", "gcf", "-O", "out", "-q"], b"");
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stderr).contains("in/link.json can't be read"), "{}", shown(&output));
    assert_eq!(files(&path.join("out")).len(), 4);
    // A folder without the right to write into it; those who may do everything are not asked.
    let closed = path.join("closed");
    fs::create_dir(&closed).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o500)).unwrap();
    if fs::write(closed.join("probe"), "").is_err() {
        let output = wirefmt(path, &["convert", "in/a.json", "-t", "gcf", "-O", "closed"], b"");
        assert_eq!((output.status.code(), files(&closed).len()), (Some(3), 0));
    }
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
}

/// SIGTERM and SIGHUP end a batch as SIGINT does, and a file that is being written leaves nothing
/// behind.
#[test]
#[cfg(target_os = "linux")]
fn a_batch_that_is_interrupted_or_ended_leaves_whole_files_and_goes_on() {
    use nix::sys::signal::Signal;
    for (signal, code) in [(Signal::SIGINT, 130), (Signal::SIGTERM, 143), (Signal::SIGHUP, 129)] {
        batch_ends_by(signal, code);
    }
}

/// The first file is a pipe, so that the signal comes while the work is under way.
#[cfg(target_os = "linux")]
#[allow(clippy::unwrap_used)] // a test that can't begin has failed
fn batch_ends_by(signal: nix::sys::signal::Signal, code: i32) {
    const FILES: usize = 200;
    let folder = folder();
    let path = folder.path();
    fs::create_dir(path.join("in")).unwrap();
    for number in 0..FILES {
        fs::write(path.join(format!("in/{number}.json")), PAYLOAD).unwrap();
    }
    nix::unistd::mkfifo(&path.join("pipe.json"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    let out = path.join("out");
    let convert = ["convert", "pipe.json", "in", "--to", "gcf", "-O", "out", "--skip-existing"];
    // Tests that run in the background of a shell, or under `nohup`, hand signals on as ignored.
    let mut child = Command::new("env")
        .args(["--default-signal=HUP,INT,TERM", env!("CARGO_BIN_EXE_wirefmt")])
        .args([&convert[..], &["--jobs", "1"]].concat())
        .current_dir(path)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Opening it waits for the reader, who then waits for what is written.
    let mut pipe = fs::OpenOptions::new().write(true).open(path.join("pipe.json")).unwrap();
    let process = nix::unistd::Pid::from_raw(i32::try_from(child.id()).unwrap());
    nix::sys::signal::kill(process, signal).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    std::io::Write::write_all(&mut pipe, PAYLOAD.as_bytes()).unwrap();
    drop(pipe);
    let mut said = String::new();
    std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut said).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(code), "{said}");
    assert!(said.contains("error[interrupted]: interrupted, with "), "{said}");
    let whole = |out: &PathBuf| {
        let names = files(out);
        for name in &names {
            assert_eq!(fs::read_to_string(out.join(name)).unwrap(), AS_GCF, "{name}");
        }
        names.len()
    };
    // The one that was being worked on is finished, and not all others are begun.
    assert!((1..FILES).contains(&whole(&out)), "{}", whole(&out));
    let rest =
        wirefmt(path, &["convert", "in", "--to", "gcf", "-O", "out", "--skip-existing", "-q"], b"");
    assert!(rest.status.success(), "{}", shown(&rest));
    assert_eq!(whole(&out), FILES + 1);
}

/// Whoever starts a program under `nohup` wants it to outlive the terminal.
#[test]
#[cfg(target_os = "linux")]
fn under_nohup_the_end_of_the_terminal_ends_nothing() {
    let folder = folder();
    let path = folder.path();
    nix::unistd::mkfifo(&path.join("pipe.json"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    let mut child = Command::new("nohup")
        .arg(env!("CARGO_BIN_EXE_wirefmt"))
        .args(["convert", "pipe.json", "-q", "--to", "gcf", "-o", "out.gcf"])
        .current_dir(path)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut pipe = fs::OpenOptions::new().write(true).open(path.join("pipe.json")).unwrap();
    let process = nix::unistd::Pid::from_raw(i32::try_from(child.id()).unwrap());
    nix::sys::signal::kill(process, nix::sys::signal::Signal::SIGHUP).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    std::io::Write::write_all(&mut pipe, PAYLOAD.as_bytes()).unwrap();
    drop(pipe);
    assert!(child.wait().unwrap().success());
    assert_eq!(fs::read_to_string(path.join("out.gcf")).unwrap(), AS_GCF);
}

#[test]
fn nothing_is_written_outside_of_the_folder_or_over_inputs() {
    let folder = packs(false);
    let path = folder.path();
    fs::create_dir_all(path.join("w/out")).unwrap();
    let up = ["convert", "../i*/a.json", "--to", "gcf", "-O", "OUT", "-q"];
    let output = wirefmt(&path.join("w"), &up, b"");
    assert!(output.status.success(), "{}", shown(&output));
    assert_eq!(files(&path.join("w")), ["OUT/in/a.gcf"]);
    let out = ["convert", "o*/../../in/a.json", "--to", "gcf", "-O", "OUT", "-q"];
    assert_eq!(wirefmt(&path.join("w"), &out, b"").status.code(), Some(3));
    // Of a single file, too, if that is all there is of what would be lost.
    let itself = ["convert", "in/a.json", "--to", "gcf", "-o", "in/a.json"];
    assert_eq!(wirefmt(path, &itself, b"").status.code(), Some(2));
    let pretty = ["convert", "in/deep/c.json", "--to", "json-pretty", "-o", "in/deep/c.json"];
    assert!(wirefmt(path, &pretty, b"").status.success());
    // Into the folder of the sources, and again.
    let beside = ["convert", "in/deep", "--to", "gcf", "-O", "in/deep", "--skip-existing", "-q"];
    for _ in 0..2 {
        let output = wirefmt(path, &beside, b"");
        assert!(output.status.success(), "{}", shown(&output));
    }
    assert_eq!(files(&path.join("in/deep")), ["c.gcf", "c.json", "er/d.JSON", "er/d.gcf"]);
    let before = fs::read(path.join("in/a.json")).unwrap();
    let output = wirefmt(path, &["auto", "in", "-O", "in"], b"");
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
    assert_eq!(fs::read(path.join("in/a.json")).unwrap(), before);
}

#[test]
#[cfg(unix)]
fn links_to_folders_above_lead_nowhere() {
    let folder = folder();
    let path = folder.path();
    fs::create_dir(path.join("loop")).unwrap();
    fs::write(path.join("loop/a.json"), PAYLOAD).unwrap();
    std::os::unix::fs::symlink(".", path.join("loop/self")).unwrap();
    for argument in ["loop", "loop/**/*.json"] {
        let output = wirefmt(path, &["check", argument], b"");
        assert_eq!(text(&output.stdout).lines().count(), 1, "{}", shown(&output));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn odd_entries_of_folders() {
    use std::os::unix::ffi::OsStrExt;
    let folder = folder();
    let path = folder.path();
    fs::create_dir_all(path.join("in/closed")).unwrap();
    fs::write(path.join("in").join(std::ffi::OsStr::from_bytes(b"x\xff.json")), PAYLOAD).unwrap();
    fs::write(path.join("in/y.json"), PAYLOAD).unwrap();
    // Nobody writes to it, so that reading would never end.
    nix::unistd::mkfifo(&path.join("in/pipe.json"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    let walked = wirefmt(path, &["check", "in"], b"");
    assert_eq!(text(&walked.stdout).lines().count(), 2, "{}", shown(&walked));
    let matched = wirefmt(path, &["check", "in/*.json"], b"");
    assert_eq!(text(&matched.stdout), "in/y.json: json, 2 symbols, 1 edge\n");
    // What does not fit a file is said of the file.
    fs::write(path.join("in/a.yaml"), "a: 1\n").unwrap();
    let output = wirefmt(path, &["convert", "in/*.*", "--to", "gcb", "-O", "out"], b"");
    assert_eq!(output.status.code(), Some(1), "{}", shown(&output));
    let said = text(&output.stderr);
    assert!(said.contains("in/a.yaml is yaml, and gcb is for graphs only"), "{}", shown(&output));
    let output = wirefmt(path, &["convert", "in", "--to", "gcf", "-O", "d", "--deny-loss"], b"");
    assert!(text(&output.stderr).contains("in/y.json: gcf would lose"), "{}", shown(&output));
}

#[test]
fn a_reader_that_leaves_hides_no_failure() {
    let folder = folder();
    let path = folder.path();
    fs::create_dir(path.join("in")).unwrap();
    for number in 0..120 {
        let pack = if number == 0 { "{" } else { PAYLOAD };
        fs::write(path.join(format!("in/{number:04}.json")), pack).unwrap();
    }
    let exit_code = |arguments: &[&str]| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_wirefmt"))
            .args(arguments)
            .current_dir(path)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        child.wait().unwrap().code()
    };
    assert_eq!(exit_code(&["check", "in"]), Some(1));
    assert_eq!(exit_code(&["stats", "in", "--counter", "word-punctuation"]), Some(1));
    assert_eq!(exit_code(&["stats", "in/01*.json", "--counter", "word-punctuation"]), Some(0));
}

#[test]
fn the_order_of_what_is_said_is_that_of_the_files() {
    let folder = folder();
    let path = folder.path();
    fs::create_dir(path.join("in")).unwrap();
    for number in 100..400 {
        let pack = if number % 50 == 0 { "{\"tool\": 1}" } else { PAYLOAD };
        fs::write(path.join(format!("in/{number}.json")), pack).unwrap();
    }
    let one = wirefmt(path, &["check", "in", "--jobs", "1"], b"");
    let many = wirefmt(path, &["check", "in", "--jobs", "8"], b"");
    assert_eq!((&one.stdout, &one.stderr), (&many.stdout, &many.stderr));
    assert_eq!(text(&one.stdout).lines().count(), 294);
}
