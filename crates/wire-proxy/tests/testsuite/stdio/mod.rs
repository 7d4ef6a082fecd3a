//! Runs with small servers in `sh`: how frames pass, and how a run ends. Everything is bounded in
//! time.

#![cfg(unix)]
#![allow(clippy::unwrap_used)] // helpers of tests

mod commands;
mod config;
mod ends;
mod frames;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use crate::fake::{CALL, LONG};

const ANSWER: &str = r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"[ {\"id\": 1, \"name\": \"a\"}, {\"id\": 2, \"name\": \"b\"} ]"}]}}"#;

/// How its text goes on.
const WRITTEN: &str = r#""[{\"id\":1,\"name\":\"a\"},{\"id\":2,\"name\":\"b\"}]""#;

struct Run {
    child: Child,
    lines: Receiver<String>,
    errors: Option<thread::JoinHandle<Vec<u8>>>,
}

fn proxy(options: &[&str], script: &str) -> Command {
    let program = env!("CARGO_BIN_EXE_wire-proxy");
    let mut command = Command::new(if cfg!(target_os = "linux") { "env" } else { program });
    if cfg!(target_os = "linux") {
        // Tests that run in the background of a shell, or under `nohup`, hand signals on as
        // ignored, and a shell can't trap those.
        command.args(["--default-signal=HUP,INT,TERM", program]);
    }
    command.args(options).args(["--", "sh", "-c", script]).env("ANSWER", ANSWER);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

impl Run {
    fn start(options: &[&str], script: &str) -> Self {
        let mut child = proxy(options, script).spawn().unwrap();
        let (sender, lines) = mpsc::channel();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        thread::spawn(move || {
            loop {
                let mut line = Vec::new();
                if output.read_until(b'\n', &mut line).unwrap_or(0) == 0 {
                    return;
                }
                if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                    return;
                }
            }
        });
        let mut stderr = child.stderr.take().unwrap();
        let errors = thread::spawn(move || {
            let mut errors = Vec::new();
            let _ = stderr.read_to_end(&mut errors);
            errors
        });
        Run { child, lines, errors: Some(errors) }
    }

    fn send(&mut self, line: &str) {
        let stdin = self.child.stdin.as_mut().unwrap();
        stdin.write_all(line.as_bytes()).unwrap();
        stdin.flush().unwrap();
    }

    fn line(&self) -> String {
        self.lines.recv_timeout(LONG).unwrap()
    }

    fn close(&mut self) {
        drop(self.child.stdin.take());
    }

    /// The exit code, and what is left of both outputs.
    fn end(&mut self) -> (i32, Vec<String>, String) {
        let start = Instant::now();
        let code = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status.code().expect("an exit code");
            }
            assert!(start.elapsed() < LONG, "it does not end");
            thread::sleep(Duration::from_millis(10));
        };
        let errors = self.errors.take().unwrap().join().unwrap();
        (code, self.lines.iter().collect(), String::from_utf8_lossy(&errors).into_owned())
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn is_running(pid: &str) -> bool {
    let start = Instant::now();
    loop {
        // A process that nobody waited for yet is not running.
        let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let alive = status.lines().any(|line| line.starts_with("State:") && !line.contains('Z'));
        if !alive || start.elapsed() > Duration::from_secs(5) {
            return alive;
        }
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn frames_pass_in_both_directions() {
    let mut run = Run::start(
        &[],
        "read -r a; printf '%s\\r\\n' \"$a\"; read -r b; echo 'Server ready'; echo banner; printf '%s\\n' \"$ANSWER\"; cat; printf 'end'",
    );
    run.send("{ \"odd\":  1.00 }\n");
    assert_eq!(run.line(), "{ \"odd\":  1.00 }\r\n");
    run.send(&format!("{CALL}\n"));
    assert_eq!(run.line(), "Server ready\n");
    assert_eq!(run.line(), "banner\n");
    let answer = run.line();
    assert!(answer.contains(WRITTEN) && answer.len() < ANSWER.len(), "{answer}");
    run.close();
    let (code, rest, errors) = run.end();
    assert_eq!((code, rest.concat().as_str()), (0, "end"));
    assert_eq!(errors.matches("not JSON").count(), 1, "{errors}");
}

#[test]
fn standard_error_passes() {
    let mut run =
        Run::start(&[], "head -c 3000000 /dev/zero | tr '\\0' x >&2; echo '{}'; cat >/dev/null");
    assert_eq!(run.line(), "{}\n");
    run.close();
    let (code, _, errors) = run.end();
    assert_eq!((code, errors.len()), (0, 3_000_000));
}

#[test]
fn long_frames_pass_in_pieces() {
    let script = "head -c 3000000 /dev/zero | tr '\\0' x; echo; printf '%s\\n' \"$ANSWER\"; cat";
    let mut run = Run::start(&["--frame-bytes", "1000"], script);
    assert!(run.line() == "x".repeat(3_000_000) + "\n");
    assert_eq!(run.line().trim_end(), ANSWER);
    let long = format!("\"{}\"\n", "y".repeat(500_000));
    run.send(&long);
    assert!(run.line() == long);
    run.close();
    assert_eq!(run.end().0, 0);
}

#[cfg(target_os = "linux")]
#[test]
fn slow_readers_do_not_make_memory_grow() {
    let memory = |id: u32| -> u64 {
        let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap();
        let line = status.lines().find(|line| line.starts_with("RssAnon:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    };
    // Nobody reads what the server writes, and the server does not read what the client writes.
    let mut child =
        proxy(&[], "while :; do printf '{\"a\":\"%s\"}\\n' \"$ANSWER\"; done").spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let sender = thread::spawn(move || {
        let line = format!("{{\"a\":\"{}\"}}\n", "z".repeat(10_000));
        while input.write_all(line.as_bytes()).is_ok() {}
    });
    thread::sleep(Duration::from_secs(1));
    let kilobytes = memory(child.id());
    let is_done = sender.is_finished();
    // The whole group ends with it, since the next write of the server fails.
    child.kill().unwrap();
    child.wait().unwrap();
    sender.join().unwrap();
    assert!(!is_done, "the writer was not made to wait");
    assert!(kilobytes <= 4 << 10, "{kilobytes} KiB");
}
