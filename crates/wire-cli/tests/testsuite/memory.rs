//! How much memory `wirefmt` takes, in bytes that the system grants it.
#![cfg(target_os = "linux")]

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

/// The values of a stream; all of them together are three times what the program may take.
const VALUES: usize = 7_000;
/// In KiB.
const GRANTED: usize = 4 << 10;

fn value(number: usize) -> String {
    format!(
        "{{\"id\":{number},\"name\":\"item number {number}\",\"price\":{number}.25,\"on\":true}}"
    )
}

/// One of a stream: long, so that few are many bytes.
fn long_value(number: usize) -> String {
    format!("{{\"id\":{number},\"name\":\"{}\",\"price\":{number}.25}}", "x".repeat(2_000))
}

/// All small values in one text.
fn small_rows(count: usize) -> String {
    format!("[{}]", (0..count).map(value).collect::<Vec<_>>().join(","))
}

/// Converts what `write` writes in the memory that is granted: its lines are counted. None if that
/// does not do.
fn converted(arguments: &[&str], write: impl FnOnce(&mut dyn Write) + Send) -> Option<usize> {
    let limited = format!("ulimit -d {GRANTED}; exec \"$0\" \"$@\"");
    let mut child = Command::new("sh")
        .args(["-c", &limited, env!("CARGO_BIN_EXE_wirefmt"), "convert"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("because there is a shell");
    let stdin = child.stdin.take().expect("because it is piped");
    let stdout = child.stdout.take().expect("because it is piped");
    let lines = std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut written = Written { to: std::io::BufWriter::new(stdin), bytes: 0 };
            write(&mut written);
            assert!(written.bytes > 3 * (GRANTED << 10), "{} bytes", written.bytes);
        });
        BufReader::new(stdout).split(b'\n').count()
    });
    let status = child.wait().expect("because the child was spawned");
    status.success().then_some(lines)
}

struct Written<W> {
    to: W,
    bytes: usize,
}

impl<W: Write> Write for Written<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.bytes += bytes.len();
        // Who fails early doesn't read.
        let _ = self.to.write_all(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.to.flush()
    }
}

fn lines(writer: &mut dyn Write) {
    for number in 0..VALUES {
        writeln!(writer, "{}", long_value(number)).expect("because it takes all");
    }
}

/// All on one line.
fn array(writer: &mut dyn Write) {
    for number in 0..VALUES {
        let before = if number == 0 { "[" } else { "," };
        write!(writer, "{before}{}", long_value(number)).expect("because it takes all");
    }
    write!(writer, "]").expect("because it takes all");
}

fn rows(writer: &mut dyn Write) {
    write!(writer, "GCF profile=generic\n## [?]{{id,name,text}}\n").expect("because it takes all");
    for number in 0..VALUES {
        let text = "x".repeat(2_000);
        writeln!(writer, "{number}|item number {number}|{text}").expect("because it takes all");
    }
    writeln!(writer, "##! summary counts={VALUES}").expect("because it takes all");
}

#[test]
fn streams_take_memory_that_does_not_grow_with_them() {
    for (arguments, write, expected) in [
        (["--to", "gcf", "--stream"], array as fn(&mut dyn Write), VALUES + 3),
        (["--to", "gcf", "--stream=items"], lines, 4 * VALUES + 3),
        (["--to", "jsonl", "--stream"], rows, VALUES),
    ] {
        assert_eq!(converted(&arguments, write), Some(expected), "{arguments:?}");
    }
    // Whole it is too much, so that the limit is one.
    assert_eq!(converted(&["--from", "jsonl", "--to", "gcf"], lines), None);
}

/// Runs `wirefmt` on a file of this text, in so many tenths of its bytes. It returns how many bytes
/// are written.
fn runs_in(tenths: usize, arguments: &[&str], text: &[u8]) -> usize {
    let folder = tempfile::tempdir().expect("because there is a folder for temporary files");
    let path = folder.path().join("values.json");
    std::fs::write(&path, text).expect("because the folder is new");
    let granted = (tenths * text.len() / 10) >> 10;
    let limited = format!("ulimit -d {granted}; exec \"$0\" \"$@\"");
    let output = Command::new("sh")
        .args(["-c", &limited, env!("CARGO_BIN_EXE_wirefmt")])
        .args(arguments)
        .arg(&path)
        .output()
        .expect("because there is a shell");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}, {granted} KiB: {message}");
    assert!(!output.stdout.is_empty(), "{arguments:?}");
    output.stdout.len()
}

#[test]
fn whole_values_take_less_than_three_times_their_text() {
    let text = small_rows(120_000);
    for to in ["gcf", "json"] {
        let written = runs_in(29, &["convert", "--to", to], text.as_bytes());
        assert!(written > text.len() / 4, "{to}");
    }
    // Nothing is kept of what is checked but its text.
    runs_in(14, &["check"], text.as_bytes());
}

/// The texts of all formats together are some ten times the input. So is a tree of these small
/// rows, for which the memory does not suffice.
#[test]
fn costs_are_found_without_a_tree() {
    let counter = ["--counter", "word-punctuation", "--jobs", "1"];
    runs_in(150, &[&["auto"], &counter[..]].concat(), small_rows(20_000).as_bytes());
    // Of more than 4 MiB there is no TOON, whose encoder makes several trees.
    let text = small_rows(66_000);
    assert!(text.len() > 4 << 20, "{} bytes", text.len());
    runs_in(130, &[&["stats"], &counter[..]].concat(), text.as_bytes());
}

/// Rows without common members are as large as their number squared where each has a cell for each
/// member. `auto` and `stats` do not write that, and nothing but the text is kept of it.
#[test]
fn rows_without_common_members_are_not_squared() {
    let rows = |count: usize| {
        let row = |number: usize| format!("{{\"member{number}\":{number}}}");
        format!("[{}]", (0..count).map(row).collect::<Vec<_>>().join(","))
    };
    let text = rows(20_000);
    for command in ["auto", "stats"] {
        let arguments = [command, "--counter", "word-punctuation", "--jobs", "1"];
        runs_in(1_000, &arguments, text.as_bytes());
    }
    // 4 MB of text, and 50 MB as JSON.
    let text = rows(2_000);
    runs_in(4_000, &["view"], text.as_bytes());
    let written = runs_in(4_000, &["convert", "--to", "gcx"], text.as_bytes());
    assert!(written > 4_000_000, "{written} bytes");
}
