//! How a run ends, whoever ends it.

use super::*;

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
    // The server and the process that it started ignore the closed input and SIGTERM.
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
}

#[test]
fn a_signal_ends_a_run_whose_client_never_reads() {
    let script = "head -c 1000000 /dev/zero | tr '\\0' x; echo";
    let mut child = proxy(&[], script).spawn().unwrap();
    // Once there is a byte, the pipe is soon full.
    child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
    thread::sleep(Duration::from_millis(100));
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
}

#[test]
fn answers_are_not_waited_for_where_the_client_reads_no_more() {
    let script = "trap '' TERM; read -r a; echo $$; while :; do sleep 0.1; done";
    let mut child = proxy(&[], script).spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut input = child.stdin.take().unwrap();
    input.write_all(format!("{CALL}\n").as_bytes()).unwrap();
    // The server has the call when it writes this.
    let mut pid = String::new();
    output.read_line(&mut pid).unwrap();
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

/// The run with these options ends as the server does, after the answer that came late.
fn waits_for_the_answer(options: &[&str], call: &str) {
    let script = "read -r a; sleep 4; printf '%s\\n' \"$ANSWER\"; exit 6";
    let mut run = Run::start(options, script);
    run.send(&format!("{call}\n"));
    run.close();
    let (code, lines, _) = run.end();
    assert!(code == 6 && lines.concat().trim_end() == ANSWER, "{options:?}: {code} {lines:?}");
}

#[test]
fn answers_are_waited_for_without_a_policy() {
    waits_for_the_answer(&["--policy", "off"], CALL);
}

#[test]
fn answers_to_unread_frames_are_waited_for() {
    waits_for_the_answer(&[], &CALL.replace("\"id\":1", "\"id\":1,\"id\":1"));
}

/// The server, which does not end by itself, is ended.
#[test]
fn an_answer_that_can_not_be_read_is_one() {
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
    // More than fits into the pipes, so its writer waits until the other end is closed.
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

/// A place to write to that fails: a pipe that nobody reads, and a disk that is full.
#[cfg(target_os = "linux")]
fn nowhere() -> [Stdio; 2] {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    [writer.into(), fs::File::create("/dev/full").unwrap().into()]
}

#[test]
#[cfg(target_os = "linux")]
fn messages_that_nobody_can_read_end_nothing() {
    for stderr in nowhere() {
        // A line that is not JSON is worth a message.
        let script = "echo banner; echo banner; read -r a; printf '%s\\n' \"$ANSWER\"; exit 3";
        let mut child = proxy(&[], script).stderr(stderr).spawn().unwrap();
        child.stdin.take().unwrap().write_all(format!("{CALL}\n").as_bytes()).unwrap();
        let done = child.wait_with_output().unwrap();
        let said = String::from_utf8(done.stdout).unwrap();
        assert!(said.starts_with("banner\nbanner\n") && said.contains(WRITTEN), "{said}");
        assert_eq!(done.status.code(), Some(3));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn no_command_panics_when_nobody_reads_what_it_prints() {
    let folder = std::env::temp_dir().join(format!("wire-proxy-nowhere-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("mcp.json"), r#"{"mcpServers":{"a":{"command":"node"}}}"#).unwrap();
    for arguments in [
        &["init", "cursor", "--file", "mcp.json"][..],
        &["init", "cursor", "--file", "missing.json"],
        &["try", "--sample"],
        &["try", "missing.json"],
        &["config", "--project", "."],
        &["hook", "test"],
        &["hook", "claude"],
        &["audit", "."],
        &["--help"],
        &["init", "--help"],
        &["--version"],
        &["--typo"],
    ] {
        for is_output in [true, false] {
            for nowhere in nowhere() {
                let mut command = Command::new(env!("CARGO_BIN_EXE_wire-proxy"));
                command.args(arguments).current_dir(&folder).env("HOME", &folder);
                command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
                let command =
                    if is_output { command.stdout(nowhere) } else { command.stderr(nowhere) };
                let mut child = command.spawn().unwrap();
                // Half an event.
                child.stdin.take().unwrap().write_all(b"{\"tool_name\":").ok();
                let code = child.wait().unwrap().code();
                assert!(matches!(code, Some(0..=3)), "{arguments:?} {is_output}: {code:?}");
                // An agent's call goes on, whatever happens to the hook.
                assert!(arguments != ["hook", "claude"] || code == Some(0));
            }
        }
    }
    fs::remove_dir_all(folder).unwrap();
}
