//! Runs with small servers in `sh`: how frames pass, and how a run ends. Everything is bounded in
//! time.

#![cfg(unix)]
#![allow(clippy::unwrap_used)] // helpers of tests

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

/// Longer than any run here takes, also on a machine that does other things.
const LONG: Duration = Duration::from_secs(60);

const CALL: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search"}}"#;
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
fn the_end_of_the_server_is_the_end() {
    for (script, expected) in [
        ("read -r a; printf '%s\\n' \"$ANSWER\"; printf 'half'; exit 7", 7),
        ("read -r a; printf '%s\\n' \"$ANSWER\"; printf 'half'; kill -9 $$", 128 + 9),
    ] {
        let mut run = Run::start(&[], script);
        run.send(&format!("{CALL}\n"));
        let (code, lines, _) = run.end();
        assert_eq!(code, expected);
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert!(lines[0].contains(WRITTEN) && lines[1] == "half");
    }
}

#[test]
fn a_client_that_goes_lets_the_server_finish() {
    let mut run = Run::start(&[], "cat > /dev/null; echo bye; exit 3");
    run.close();
    let (code, lines, _) = run.end();
    assert_eq!((code, lines.concat().as_str()), (3, "bye\n"));
}

#[test]
fn no_orphan_is_left() {
    // It takes no notice of the closed input and of SIGTERM, and neither does what it started.
    let script = "trap '' TERM; echo $$; (trap '' TERM; while :; do sleep 0.1; done) & echo $!; while :; do sleep 0.1; done";
    let mut run = Run::start(&[], script);
    let pids = [run.line(), run.line()];
    let start = Instant::now();
    run.close();
    let (code, _, _) = run.end();
    assert_eq!(code, 128 + 9);
    assert!(start.elapsed() >= Duration::from_millis(2900), "{:?}", start.elapsed());
    for pid in pids {
        assert!(!is_running(pid.trim()), "{pid} is left");
    }
    // A server that ends, and leaves something that keeps its output open.
    let mut run = Run::start(&[], "(while :; do sleep 0.1; done) & echo $!; exit 5");
    let pid = run.line();
    assert_eq!(run.end().0, 5);
    assert!(!is_running(pid.trim()), "{pid} is left");
}

#[test]
fn a_client_that_reads_no_more_has_gone() {
    let mut child = proxy(&[], "echo $$; while :; do echo '{}'; sleep 0.05; done").spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut pid = String::new();
    output.read_line(&mut pid).unwrap();
    drop(output);
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < LONG);
        thread::sleep(Duration::from_millis(10));
    }
    assert!(!is_running(pid.trim()));
}

#[test]
fn a_slow_client_gets_all_that_a_server_wrote_before_it_ended() {
    let mut child =
        proxy(&[], "read -r a; head -c 1000000 /dev/zero | tr '\\0' x; echo").spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"{}\n").unwrap();
    thread::sleep(Duration::from_secs(4));
    let mut bytes = Vec::new();
    child.stdout.take().unwrap().read_to_end(&mut bytes).unwrap();
    assert_eq!(bytes.len(), 1_000_001);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    // One that never reads is ended by a signal.
    let script = "head -c 1000000 /dev/zero | tr '\\0' x; echo";
    let mut child = proxy(&[], script).spawn().unwrap();
    thread::sleep(Duration::from_secs(1));
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(128 + 15));
}

#[test]
fn answers_that_are_due_are_waited_for() {
    // As `printf … | wire-proxy -- npx -y server` has it: the input ends before the server answers.
    let script = "read -r a; sleep 4; printf '%s\\n' \"$ANSWER\"; exit 6";
    let mut run = Run::start(&[], script);
    run.send(&format!("{CALL}\n"));
    run.close();
    let (code, lines, _) = run.end();
    assert!(code == 6 && lines.concat().contains(WRITTEN), "{code} {lines:?}");
    // Not for a client that reads no more.
    let script = "echo $$; trap '' TERM; read -r a; while :; do sleep 0.1; done";
    let mut child = proxy(&[], script).spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut pid = String::new();
    output.read_line(&mut pid).unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(format!("{CALL}\n").as_bytes()).unwrap();
    thread::sleep(Duration::from_millis(300));
    drop((output, input));
    let start = Instant::now();
    assert_eq!(child.wait().unwrap().code(), Some(128 + 9));
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    assert!(!is_running(pid.trim()));
}

#[test]
fn what_a_dead_server_left_behind_does_not_keep_a_run_alive() {
    let mut run = Run::start(&[], "(while :; do echo '{}'; sleep 0.2; done) & exit 4");
    let (code, lines, _) = run.end();
    assert!(code == 4 && lines.iter().all(|line| line == "{}\n"), "{code} {lines:?}");
}

#[test]
fn answers_to_unread_frames_are_waited_for() {
    let script = "read -r a; sleep 4; printf '%s\\n' \"$ANSWER\"; exit 6";
    let twice = CALL.replace("\"id\":1", "\"id\":1,\"id\":1");
    for (options, call) in [(&["--policy", "off"][..], CALL), (&[], &twice)] {
        let mut run = Run::start(options, script);
        run.send(&format!("{call}\n"));
        run.close();
        let (code, lines, _) = run.end();
        assert!(code == 6 && lines.concat().trim_end() == ANSWER, "{options:?}: {code} {lines:?}");
    }
    // An answer that can't be read is one; the server, which does not end by itself, is ended.
    let script = "read -r a; echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":NaN}'; exec sleep 100";
    let mut run = Run::start(&[], script);
    run.send(&format!("{CALL}\n"));
    run.close();
    let (code, lines, _) = run.end();
    assert!(code == 128 + 15 && lines.concat().contains("NaN"), "{code} {lines:?}");
}

#[test]
fn a_client_is_missed_while_the_server_does_not_read() {
    let mut child = proxy(&[], "echo $$; trap '' TERM; exec sleep 100").spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut pid = String::new();
    output.read_line(&mut pid).unwrap();
    let mut input = child.stdin.take().unwrap();
    // More than the pipes hold; whoever writes it waits until the other end is gone.
    let writer = thread::spawn(move || {
        let frame = format!("{{\"jsonrpc\":\"2.0\",\"method\":\"{}\"}}\n", "x".repeat(4 << 20));
        let _ = input.write_all(frame.as_bytes());
    });
    thread::sleep(Duration::from_millis(300));
    drop(output);
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < LONG, "it does not end");
        thread::sleep(Duration::from_millis(20));
    }
    writer.join().unwrap();
    assert!(!is_running(pid.trim()));
}

#[test]
fn signals_go_on() {
    for (signal, number, script) in [
        ("TERM", 15, "trap 'echo got; exit 3' TERM; echo $$; while :; do sleep 0.1; done"),
        ("INT", 2, "trap 'echo got; exit 3' INT; echo $$; while :; do sleep 0.1; done"),
        ("TERM", 15, "trap '' TERM; echo $$; while :; do sleep 0.1; done"),
    ] {
        let mut run = Run::start(&[], script);
        let pid = run.line();
        let id = run.child.id().to_string();
        assert!(
            Command::new("kill").args([&format!("-{signal}"), &id]).status().unwrap().success()
        );
        let (code, lines, _) = run.end();
        assert_eq!(code, 128 + number);
        assert_eq!(lines.concat() == "got\n", script.contains("got"), "{lines:?}");
        assert!(!is_running(pid.trim()));
    }
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
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
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
    assert!(kilobytes <= 12 << 10, "{kilobytes} KiB");
}

#[test]
fn what_can_not_run_says_so() {
    let run = |arguments: &[&str], folder: &Path| -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wire-proxy"));
        command.args(arguments).current_dir(folder).stdin(Stdio::null()).output().unwrap()
    };
    let folder = tempfile::tempdir().unwrap();
    let output = run(&["--", "there-is-no-such-server"], folder.path());
    assert_eq!(output.status.code(), Some(127));
    assert!(String::from_utf8_lossy(&output.stderr).contains("there-is-no-such-server"));
    for (text, expected) in [
        ("structured = \"drop\"\n\nformat-argumnet = true\n", "line 3"),
        ("[limits]\nframes = 1\n", "line 2"),
        ("counter = \"gpt\"\n", "is not a counter"),
        ("[[rules]]\ntools = \"a[\"\n", "line 2"),
    ] {
        fs::write(folder.path().join("wire-proxy.toml"), text).unwrap();
        let output = run(&["--", "true"], folder.path());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains(expected) && errors.contains("wire-proxy.toml"), "{errors}");
    }
    fs::write(folder.path().join("wire-proxy.toml"), "").unwrap();
    for (arguments, code, expected) in [
        (&["npx", "server"][..], 2, "after `--`"),
        (&["--", "npx -y server"], 127, "separately, without quotes"),
    ] {
        let output = run(arguments, folder.path());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{errors}");
        assert!(errors.contains(expected), "{errors}");
    }
    assert_eq!(run(&["--config", "none.toml", "--", "true"], folder.path()).status.code(), Some(2));
    assert_eq!(run(&[], folder.path()).status.code(), Some(2));
    fs::remove_file(folder.path().join("wire-proxy.toml")).unwrap();
    let output = run(&["--stats", ".", "--", "true"], folder.path());
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn statistics_are_a_table() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls.jsonl");
    let config = folder.path().join("own.toml");
    fs::write(
        &config,
        format!(
            "stats = {:?}\n[[rules]]\ntools = \"sea*\"\nformats = [\"json\"]\n",
            file.to_str().unwrap()
        ),
    )
    .unwrap();
    let script = "for i in 1 2; do read -r a; printf '%s\\n' \"$ANSWER\"; done; cat";
    let mut run = Run::start(&["--config", config.to_str().unwrap()], script);
    for _ in 0..2 {
        run.send(&format!("{CALL}\n"));
        assert!(run.line().contains(WRITTEN));
    }
    run.close();
    assert_eq!(run.end().0, 0);
    let lines = fs::read_to_string(&file).unwrap();
    assert_eq!(lines.lines().count(), 2);
    assert!(!lines.contains("name\\\"") && lines.contains("\"formats\":[\"json\"]"), "{lines}");
    let output = Command::new(env!("CARGO_BIN_EXE_wire-proxy"))
        .args(["stats", file.to_str().unwrap(), "--format", "markdown"])
        .output()
        .unwrap();
    let table = String::from_utf8(output.stdout).unwrap();
    let row = table.lines().find(|line| line.contains("search")).unwrap();
    let cells: Vec<&str> = row.split('|').map(str::trim).collect();
    assert_eq!(cells[1..4], ["search", "content", "2"], "{table}");
    // What a run that was killed leaves behind is a table; what is no file of calls is an error.
    let first = lines.lines().next().unwrap();
    for (text, code, calls, expected) in [
        (format!("{first}\n{}", &first[..first.len() / 2]), 0, "1", "line 2 is cut"),
        (format!("{first}\n{first}"), 0, "2", ""),
        (String::new(), 0, "", "no calls"),
        ("{}\n".to_owned(), 3, "", "line 1"),
        (format!("{}\n{first}\n", &first[..first.len() / 2]), 3, "", "line 1"),
    ] {
        fs::write(&file, &text).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_wire-proxy"))
            .args(["stats", file.to_str().unwrap(), "--format", "markdown"])
            .output()
            .unwrap();
        let (table, errors) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{errors}");
        assert!(errors.contains(expected) && errors.is_empty() == expected.is_empty(), "{errors}");
        let row = table.lines().find(|line| line.contains("search")).unwrap_or("|||");
        assert_eq!(row.split('|').nth(3).map(str::trim), Some(calls), "{table}");
    }
}

#[test]
fn a_server_is_tried() {
    let script = r#"
read -r hello; echo '{"jsonrpc":"2.0","id":1,"result":{"capabilities":{}}}'; read -r initialized
read -r list; echo '{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"all","inputSchema":{"type":"object"}},{"name":"one","inputSchema":{"required":["id"]}},{"name":"purge","inputSchema":{},"annotations":{"destructiveHint":true}}]}}'
echo '{"jsonrpc":"2.0","id":"s","method":"ping"}'; read -r call; read -r pong
printf '%s\n' "$ANSWER" | sed 's/"id":1,"result"/"id":3,"result"/'; cat > /dev/null"#;
    let mut command = Command::new(env!("CARGO_BIN_EXE_wire-proxy"));
    let output = command
        .args(["try", "--timeout", "20", "--", "sh", "-c", script])
        .env("ANSWER", ANSWER)
        .output()
        .unwrap();
    let (table, errors) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{errors}");
    assert!(table.lines().any(|line| line.trim_start().starts_with("all")), "{table}");
    assert!(
        errors.contains("one (it needs arguments), purge (it says that it destroys something)"),
        "{errors}"
    );
}

#[test]
fn the_primer_counts_against_the_savings() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls.jsonl");
    let config = folder.path().join("own.toml");
    fs::write(&config, format!("primer = true\nstats = {:?}\n", file.to_str().unwrap())).unwrap();
    let list =
        r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"search"},{"name":"read_file"}]}}"#;
    let script = "read -r a; echo \"$LIST\"; read -r b; printf '%s\\n' \"$ANSWER\"; cat";
    let script = format!("LIST='{list}'; {script}");
    let mut run = Run::start(&["--config", config.to_str().unwrap()], &script);
    run.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n");
    let listed = run.line();
    assert_eq!(listed.matches("JSON in its results").count(), 1, "{listed}");
    run.send(&format!("{CALL}\n"));
    assert!(run.line().contains(WRITTEN));
    run.close();
    assert_eq!(run.end().0, 0);
    let lines = fs::read_to_string(&file).unwrap();
    assert!(lines.starts_with("{\"primer\":{\"tools\":1,\"tokens\":"), "{lines}");
    let rows = |format: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wire-proxy"));
        let output = command.args(["stats", file.to_str().unwrap(), "--format", format]).output();
        String::from_utf8(output.unwrap().stdout).unwrap()
    };
    assert!(rows("text").contains("tools/list  descriptions"), "{}", rows("text"));
    let rows: Vec<serde_json::Value> =
        rows("json").lines().map(|row| serde_json::from_str(row).unwrap()).collect();
    let went = |tool: &str, reader: &str| {
        let row = rows.iter().find(|row| row["tool"] == tool && row["reader"] == reader);
        row.and_then(|row| row["went"].as_u64()).unwrap()
    };
    let primer = went("tools/list", "descriptions");
    assert!(primer > 0);
    for reader in ["content", "structuredContent", "both"] {
        assert_eq!(went("all", reader), went("search", "content") + primer, "{reader}");
    }
    // So it is where a server is tried.
    let script = r#"
read -r hello; echo '{"jsonrpc":"2.0","id":1,"result":{"capabilities":{}}}'; read -r initialized
read -r list; echo '{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"one","inputSchema":{"required":["id"]}}]}}'; cat > /dev/null"#;
    let mut command = Command::new(env!("CARGO_BIN_EXE_wire-proxy"));
    let output = command
        .args(["try", "--primer", "--format", "json", "--timeout", "20", "--", "sh", "-c", script])
        .output()
        .unwrap();
    let table = String::from_utf8_lossy(&output.stdout);
    assert!(table.contains("\"reader\":\"descriptions\",\"calls\":1"), "{table}");
}

#[test]
fn servers_that_do_not_answer_are_told_apart() {
    let hello = r#"read -r hello; echo '{"jsonrpc":"2.0","id":1,"result":{}}'; read -r initialized; read -r list"#;
    let silent = format!(
        r#"{hello}; echo '{{"jsonrpc":"2.0","id":2,"result":{{"tools":[{{"name":"slow"}},{{"name":"fast"}}]}}}}'
read -r slow; read -r cancelled; read -r fast; printf '%s\n' "$ANSWER" | sed 's/"id":1,"result"/"id":4,"result"/'; cat > /dev/null"#
    );
    let refusing = format!(
        r#"{hello}; echo '{{"jsonrpc":"2.0","id":2,"error":{{"code":-1,"message":"not today"}}}}'; cat > /dev/null"#
    );
    for (script, timeout, code, expected) in [
        ("sleep 60", "0.2", 3, "`initialize`: no answer in 200ms, --timeout"),
        ("exit 7", "20", 3, "the server ended with exit code 7 before it answered `initialize`"),
        (&*refusing, "20", 3, "`tools/list`: the server answers: not today"),
        (&*silent, "2", 0, "not counted: slow (no answer in 2s, --timeout sets how long to wait)"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wire-proxy"));
        let command = command.args(["try", "--timeout", timeout, "--", "sh", "-c", script]);
        let output = command.env("ANSWER", ANSWER).output().unwrap();
        let (table, errors) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{errors}");
        assert!(errors.contains(expected), "{errors}");
        assert_eq!(table.contains("fast"), code == 0, "{table}");
    }
}

#[test]
fn help_says_first_what_is_never_touched() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wire-proxy"));
    let output = command.arg("--help").env_remove("COLUMNS").output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    assert!(help.starts_with("Never touched"), "{help}");
    insta::assert_snapshot!(help);
}

/// The published schema is that of the program.
#[test]
fn the_schema_is_published() {
    let output = Command::new(env!("CARGO_BIN_EXE_wire-proxy")).arg("schema").output().unwrap();
    let schema = String::from_utf8(output.stdout).unwrap();
    let value: serde_json::Value = serde_json::from_str(&schema).unwrap();
    assert_eq!(value["additionalProperties"], false);
    assert!(value["properties"]["format-argument"].is_object());
    insta::assert_snapshot!(schema);
}
