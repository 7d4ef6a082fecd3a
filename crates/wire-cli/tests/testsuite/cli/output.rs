//! Where output goes, and what becomes of it when something goes wrong.

use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};

use crate::common::{AS_GCF, folder, shown, text, wirefmt};

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
    let outputs: &[&[&str]] = if cfg!(unix) {
        &[&[], &["-o", "-"], &["-o", "/dev/stdout"], &["-o", "/dev/fd/1"]]
    } else {
        &[&[], &["-o", "-"]]
    };
    for output in outputs {
        let mut child = Command::new(env!("CARGO_BIN_EXE_wirefmt"))
            .args(["convert", "large.json", "--to", "json-pretty"])
            .args(*output)
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = [0; 10];
        child.stdout.take().unwrap().read_exact(&mut first).unwrap(); // and the pipe is closed
        let ended = child.wait_with_output().unwrap();
        let said = text(&ended.stderr);
        assert_eq!((ended.status.code(), said), (Some(0), String::new()), "{output:?}");
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
