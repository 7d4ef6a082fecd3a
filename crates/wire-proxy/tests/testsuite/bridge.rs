//! `wire-proxy URL`: a client over stdio, and a server over HTTP that answers byte by byte.

#![cfg(unix)]
#![allow(clippy::unwrap_used)] // helpers of tests

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};
use std::{fs, thread};

use crate::fake::{
    ANSWER, CALL, HELLO, LONG, Message, STREAM, Upstream, WRITTEN, chunk, reply, reply_with,
};

const BEGUN: &str =
    r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{}}}"#;
const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
/// A call of 2026-07-28.
const LATER: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"é","arguments":{"region":"eu"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#;

/// wire-proxy with a URL, and its lines.
struct Bridge {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    errors: Option<thread::JoinHandle<String>>,
}

impl Bridge {
    fn to(url: &str, options: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wire-proxy"));
        command.arg(url).args(options).env("SECRET", "Bearer top-secret");
        command.env("XDG_DATA_HOME", env!("CARGO_TARGET_TMPDIR")).env("BROWSER", "false");
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, lines) = mpsc::channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        thread::spawn(move || output.lines().for_each(|line| drop(sender.send(line.unwrap()))));
        let mut stderr = child.stderr.take().unwrap();
        let errors = thread::spawn(move || {
            let mut errors = String::new();
            stderr.read_to_string(&mut errors).unwrap();
            errors
        });
        Bridge { input: child.stdin.take(), child, lines, errors: Some(errors) }
    }

    fn send(&mut self, frame: &str) {
        writeln!(self.input.as_mut().unwrap(), "{frame}").unwrap();
    }

    fn line(&self) -> String {
        self.lines.recv_timeout(LONG).unwrap()
    }

    fn ask(&mut self, frame: &str) -> String {
        self.send(frame);
        self.line()
    }

    /// Closes its input; returns its exit code, the lines that were not read, and the errors.
    fn end(mut self) -> (i32, Vec<String>, String) {
        drop(self.input.take());
        let code = self.child.wait().unwrap().code().unwrap();
        (code, self.lines.iter().collect(), self.errors.take().unwrap().join().unwrap())
    }
}

fn json(stream: &mut TcpStream, body: &str) -> bool {
    reply(stream, "application/json", body.as_bytes())
}

fn accepted(stream: &mut TcpStream) -> bool {
    reply_with(stream, "202 Accepted", "", b"")
}

fn refused(stream: &mut TcpStream) -> bool {
    reply_with(stream, "405 Method Not Allowed", "", b"")
}

fn events(stream: &mut TcpStream, events: &str) -> bool {
    let body = [STREAM.as_bytes(), &chunk(events.as_bytes()), b"0\r\n\r\n"].concat();
    stream.write_all(&body).is_ok()
}

fn has(message: &Message, text: &str) -> bool {
    String::from_utf8_lossy(&message.body).contains(text)
}

/// A server with a session, which answers calls by this function.
fn with_session(
    call: impl Fn(&Message, &mut TcpStream) -> bool + Send + Sync + 'static,
) -> Upstream {
    Upstream::start(move |asked, stream| {
        if asked.first.starts_with("GET") || asked.first.starts_with("DELETE") {
            refused(stream)
        } else if has(asked, "\"initialize\"") {
            let headers = "Mcp-Session-Id: s-1\r\nContent-Type: application/json\r\n";
            reply_with(stream, "200 OK", headers, BEGUN.as_bytes())
        } else if has(asked, "notifications/") {
            accepted(stream)
        } else {
            call(asked, stream)
        }
    })
}

#[test]
fn a_session_is_kept_and_results_are_rewritten() {
    // Line ends in JSON would end a frame.
    let upstream =
        with_session(|_, stream| json(stream, &ANSWER.replace(",\"result\"", ",\r\n\"result\"")));
    let mut bridge = Bridge::to(
        &upstream.url(),
        &["--header-env", "Authorization=SECRET", "--header", "X-More: 1"],
    );
    assert_eq!(bridge.ask(HELLO), BEGUN);
    bridge.send(INITIALIZED);
    let written = WRITTEN.replace(",\"result\"", ",  \"result\"");
    assert_eq!(bridge.ask(CALL), written);
    assert_eq!(bridge.end(), (0, Vec::new(), String::new()));
    let hello = upstream.next();
    assert_eq!(hello.text(), HELLO);
    assert_eq!(hello.header("accept"), Some("application/json, text/event-stream"));
    assert_eq!(
        (hello.header("mcp-session-id"), hello.header("mcp-protocol-version")),
        (None, None)
    );
    let mut methods = Vec::new();
    for _ in 0..4 {
        let asked = upstream.next();
        methods.push(asked.first.split(' ').next().unwrap().to_owned());
        assert_eq!(asked.header("mcp-session-id"), Some("s-1"));
        assert_eq!(asked.header("mcp-protocol-version"), Some("2025-11-25"));
        assert_eq!(asked.header("authorization"), Some("Bearer top-secret"));
        assert_eq!((asked.header("x-more"), asked.header("mcp-method")), (Some("1"), None));
    }
    // The server's own stream may be opened before or after the call.
    assert_eq!((&*methods[0], &*methods[3]), ("POST", "DELETE"));
    methods.sort();
    assert_eq!(methods, ["DELETE", "GET", "POST", "POST"]);
}

#[test]
fn frames_on_streams_come_in_their_order() {
    let own = r#"{"jsonrpc":"2.0","id":"s","method":"ping"}"#;
    let note = r#"{"jsonrpc":"2.0","method":"notifications/message","params":{}}"#;
    let upstream = Upstream::start(move |asked, stream| {
        if asked.first.starts_with("GET") {
            // Stays open, as servers do.
            stream
                .write_all(
                    [STREAM.as_bytes(), &chunk(format!("data: {own}\n\n").as_bytes())]
                        .concat()
                        .as_slice(),
                )
                .is_ok()
        } else if has(asked, "\"initialize\"") {
            json(stream, BEGUN)
        } else if has(asked, "tools/call") {
            events(
                stream,
                &format!(
                    ": hi\nevent: message\ndata: {note}\n\nevent: other\ndata: x\n\ndata: {ANSWER}\n\n"
                ),
            )
        } else {
            accepted(stream)
        }
    });
    let mut bridge = Bridge::to(&upstream.url(), &[]);
    bridge.ask(HELLO);
    bridge.send(INITIALIZED);
    assert_eq!(bridge.line(), own);
    let answer = r#"{"jsonrpc":"2.0","id":"s","result":{}}"#;
    bridge.send(answer);
    assert_eq!(bridge.ask(CALL), note);
    assert_eq!(bridge.line(), WRITTEN);
    assert_eq!(bridge.end().0, 0);
    assert!(upstream.asked.iter().any(|asked| asked.body == answer.as_bytes()));
}

#[test]
fn a_stream_that_breaks_off_goes_on_where_it_was() {
    let upstream = with_session(|_, stream| events(stream, "id: e-1\nretry: 10\ndata:\n\n"));
    let url = upstream.url();
    let mut bridge = Bridge::to(&url, &[]);
    bridge.ask(HELLO);
    // Nothing says where it was, so that it is an error, and the call is not sent again.
    let error = bridge.ask(CALL);
    assert!(error.contains("\"id\":1,\"error\"") && error.contains("405"), "{error}");
    drop(bridge);

    let upstream = Upstream::start(|asked, stream| {
        if asked.first.starts_with("GET") {
            return match asked.header("last-event-id") {
                Some("e-1") => events(stream, &format!("id: e-2\ndata: {ANSWER}\n\n")),
                _ => refused(stream),
            };
        }
        if has(asked, "\"initialize\"") {
            json(stream, BEGUN)
        } else {
            events(stream, "id: e-1\nretry: 10\ndata:\n\n")
        }
    });
    let mut bridge = Bridge::to(&upstream.url(), &[]);
    bridge.ask(HELLO);
    assert_eq!(bridge.ask(CALL), WRITTEN);
    bridge.end();
    assert_eq!(upstream.asked.try_iter().filter(|asked| has(asked, "tools/call")).count(), 1);
}

#[test]
fn a_session_that_is_forgotten_begins_again() {
    let (hellos, lists) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let upstream = Upstream::start(move |asked, stream| {
        if has(asked, "\"initialize\"") {
            let id = hellos.fetch_add(1, Ordering::SeqCst);
            let headers = format!("Mcp-Session-Id: s-{id}\r\nContent-Type: application/json\r\n");
            return reply_with(stream, "200 OK", &headers, BEGUN.as_bytes());
        }
        if has(asked, "notifications/") {
            return accepted(stream);
        }
        if has(asked, "tools/list") {
            let tool = lists.fetch_add(1, Ordering::SeqCst);
            let id = if has(asked, "\"wire-proxy\"") { "\"wire-proxy\"" } else { "2" };
            let list = format!(
                r#"{{"jsonrpc":"2.0","id":{id},"result":{{"tools":[{{"name":"t{tool}","inputSchema":{{}}}}]}}}}"#
            );
            return json(stream, &list);
        }
        if asked.first.starts_with("GET") {
            return refused(stream);
        }
        // The first session is gone.
        match asked.header("mcp-session-id") {
            Some("s-0") => reply_with(stream, "404 Not Found", "", b""),
            _ => json(stream, ANSWER),
        }
    });
    let mut bridge = Bridge::to(&upstream.url(), &[]);
    bridge.ask(HELLO);
    bridge.send(INITIALIZED);
    bridge.ask(r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#);
    let lines = [bridge.ask(CALL), bridge.line()];
    assert!(lines.contains(&WRITTEN.to_owned()), "{lines:?}");
    assert!(
        lines.iter().any(|line| line.contains("notifications/tools/list_changed")),
        "{lines:?}"
    );
    assert_eq!(bridge.end().0, 0);
}

#[test]
fn clients_of_2026_say_all_in_headers() {
    let upstream = Upstream::start(|asked, stream| {
        if has(asked, "tools/list") {
            let list = r#"{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"é","inputSchema":{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}}]}}"#;
            return json(stream, list);
        }
        // Breaks off, and has an id: the call is not sent again, and not asked for.
        events(stream, "id: e-1\nretry: 1\ndata:\n\n")
    });
    let mut bridge = Bridge::to(&upstream.url(), &[]);
    let list = LATER.replace("tools/call", "tools/list").replace("\"id\":1", "\"id\":2");
    bridge.ask(&list);
    let error = bridge.ask(LATER);
    assert!(
        error.contains("\"id\":1,\"error\"") && error.contains("ended before the answer"),
        "{error}"
    );
    bridge.end();
    upstream.next();
    let asked = upstream.next();
    for (name, value) in [
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", "tools/call"),
        ("mcp-name", "=?base64?w6k=?="),
        ("mcp-param-region", "eu"),
    ] {
        assert_eq!(asked.header(name), Some(value));
    }
    assert!(upstream.asked.try_recv().is_err());
}

#[test]
fn cancelling_ends_the_stream_since_2026() {
    let upstream = Upstream::start(|asked, stream| {
        if has(asked, "\"id\":2") {
            return json(stream, &ANSWER.replace("\"id\":1", "\"id\":2"));
        }
        stream.write_all([STREAM.as_bytes(), &chunk(b": wait\n\n")].concat().as_slice()).unwrap();
        // Until the client closes the connection.
        let mut rest = [0];
        stream.set_read_timeout(Some(LONG)).unwrap();
        assert_eq!(stream.read(&mut rest).unwrap_or(0), 0);
        false
    });
    let mut bridge = Bridge::to(&upstream.url(), &[]);
    bridge.send(LATER);
    upstream.next();
    bridge.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#);
    let second = bridge.ask(&LATER.replace("\"id\":1", "\"id\":2"));
    assert!(second.contains("\"id\":2"), "{second}");
    // One that is over is not, either.
    bridge.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}"#);
    let (code, lines, _) = bridge.end();
    assert_eq!((code, lines), (0, Vec::new()));
    assert!(has(&upstream.next(), "\"id\":2"));
    assert!(upstream.asked.try_recv().is_err());
}

#[test]
fn the_older_transport_is_found() {
    let (sender, waits) = mpsc::channel::<String>();
    let waits = std::sync::Mutex::new(waits);
    let upstream = Upstream::start(move |asked, stream| {
        if asked.first.starts_with("GET /srv") {
            let waits = waits.lock().unwrap();
            let send = |stream: &mut TcpStream, event: &str| {
                stream.write_all(&chunk(event.as_bytes())).unwrap();
            };
            stream.write_all(STREAM.as_bytes()).unwrap();
            send(stream, "event: endpoint\ndata: /messages?session=7\n\n");
            while let Ok(frame) = waits.recv_timeout(LONG) {
                if frame.is_empty() {
                    return false;
                }
                send(stream, &format!("event: message\ndata: {frame}\n\n"));
            }
            return false;
        }
        if asked.first.starts_with("POST /messages?session=7 ") {
            let answer = match () {
                () if has(asked, "\"initialize\"") => BEGUN.replace("2025-11-25", "2024-11-05"),
                () if has(asked, "\"id\":1") => ANSWER.to_owned(),
                () if has(asked, "\"id\":9") => String::new(),
                () => return accepted(stream),
            };
            sender.send(answer).unwrap();
            return accepted(stream);
        }
        refused(stream)
    });
    let mut bridge = Bridge::to(&upstream.url(), &[]);
    assert!(bridge.ask(HELLO).contains("2024-11-05"));
    bridge.send(INITIALIZED);
    assert_eq!(bridge.ask(CALL), WRITTEN);
    // The stream ends while an answer is due.
    let error = bridge.ask(&CALL.replace("\"id\":1", "\"id\":9"));
    assert!(error.contains("\"id\":9,\"error\"") && error.contains("stream ended"), "{error}");
    assert_eq!(bridge.end().0, 0);
}

#[test]
fn what_fails_is_an_error_with_the_id() {
    for (status, headers, body, said) in [
        (
            "401 Unauthorized",
            "WWW-Authenticate: Bearer realm=\"no metadata\"\r\n",
            "",
            "--header-env Authorization=VARIABLE",
        ),
        ("500 Internal Server Error", "", "oh", "the server answers 500"),
        (
            "302 Found",
            "Location: https://elsewhere.example/mcp\r\n",
            "",
            "redirects to https://elsewhere.example",
        ),
        ("200 OK", "Content-Type: application/json\r\n", "{\"cut", "without an answer"),
        (
            "200 OK",
            "Content-Type: application/json\r\n",
            "{\"id\":5,\"result\":{}}",
            "without an answer",
        ),
        ("202 Accepted", "", "", "without an answer"),
        // An error of the protocol passes, whatever the status.
        (
            "400 Bad Request",
            "Content-Type: application/json\r\n",
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32602,\"message\":\"mine\"}}",
            "mine",
        ),
    ] {
        let upstream =
            Upstream::start(move |_, stream| reply_with(stream, status, headers, body.as_bytes()));
        let mut bridge = Bridge::to(&upstream.url(), &[]);
        let error = bridge.ask(CALL);
        assert!(error.contains("\"id\":1,\"error\"") && error.contains(said), "{status}: {error}");
        assert_eq!(bridge.end().0, 0);
    }
    // Nobody listens.
    let mut bridge = Bridge::to("http://127.0.0.1:9/mcp", &[]);
    let error = bridge.ask(CALL);
    assert!(error.contains("the server can't be reached"), "{error}");
    assert_eq!(bridge.end().0, 0);
}

#[test]
fn a_secret_is_found_nowhere() {
    let folder = tempfile::TempDir::new().unwrap();
    let stats = folder.path().join("stats");
    let upstream = with_session(|_, stream| json(stream, ANSWER));
    let options = ["--header-env", "Authorization=SECRET", "--stats", stats.to_str().unwrap()];
    let mut bridge = Bridge::to(&upstream.url(), &options);
    let mut all = bridge.ask(HELLO) + &bridge.ask(CALL);
    // The title of the proxy, which starts no other process.
    let own = bridge.child.id().to_string();
    let mut titles = 0;
    for entry in fs::read_dir("/proc").unwrap() {
        let process = entry.unwrap().path();
        let facts = fs::read_to_string(process.join("status")).unwrap_or_default();
        let is_own =
            |line: &str| matches!(line.split_once(":\t"), Some(("Pid" | "PPid", id)) if id == own);
        if facts.lines().any(is_own) {
            let title = fs::read(process.join("cmdline")).unwrap();
            all += &String::from_utf8_lossy(&title);
            titles += 1;
        }
    }
    assert_eq!(titles, 1);
    drop(upstream);
    all += &bridge.ask(&CALL.replace("\"id\":1", "\"id\":3"));
    let (_, lines, errors) = bridge.end();
    all += &(lines.concat() + &errors + &fs::read_to_string(stats).unwrap());
    assert!(all.contains("search") && !all.contains("top-secret"), "{all}");
}

#[test]
fn mistakes_are_said_before_anything_is_sent() {
    for (arguments, said) in [
        (&["npx"][..], "the server's command after `--`"),
        (&["ftp://host"], "the scheme is \"ftp\""),
        (&["https://u:top-secret@host"], "has a user or a password"),
        (&["https://host", "--header", "top-secret"], "expected a name, a colon and a value"),
        (&["https://host", "--header", "A B: top-secret"], "\"A B\" is not the name of a header"),
        (&["https://host", "--header", "A: top-secret\n"], ""),
        (
            &["https://host", "--header", "Mcp-Session-Id: 7"],
            "the header mcp-session-id is wire-proxy's own",
        ),
        (
            &["https://host", "--header-env", "A=NOT_SET_AT_ALL"],
            "the variable NOT_SET_AT_ALL is not set",
        ),
        (&["https://host", "--header-env", "A"], "expected a name, `=` and a variable"),
        (&["--header", "A: b", "--", "cat"], "cannot be used with"),
        (&["bridge"], "or its URL"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_wire-proxy"))
            .args(arguments)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        let code = if said.is_empty() { 0 } else { 2 };
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {errors}");
        assert!(errors.contains(said) && !errors.contains("top-secret"), "{arguments:?}: {errors}");
    }
}

#[test]
fn an_end_comes_soon() {
    let upstream = Upstream::start(|_, _| {
        thread::sleep(LONG);
        false
    });
    let mut bridge = Bridge::to(&upstream.url(), &[]);
    bridge.send(CALL);
    upstream.next();
    let pid = bridge.child.id().to_string();
    assert!(Command::new("kill").args(["-s", "TERM", &pid]).status().unwrap().success());
    let start = std::time::Instant::now();
    assert_eq!(bridge.child.wait().unwrap().code(), Some(143));
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_url_without_its_path_is_found() {
    let upstream = Upstream::start(|asked, stream| {
        if !asked.first.starts_with("POST /mcp ") {
            return reply_with(stream, "404 Not Found", "", b"");
        }
        let frame: serde_json::Value = serde_json::from_str(asked.text()).unwrap();
        if frame.get("id").is_none() {
            return accepted(stream);
        }
        let result = serde_json::json!({"capabilities": {}, "tools": []});
        json(
            stream,
            &serde_json::json!({"jsonrpc": "2.0", "id": frame["id"], "result": result}).to_string(),
        )
    });
    let root = upstream.url().replace("/srv", "/");
    let mut command = Command::new(env!("CARGO_BIN_EXE_wire-proxy"));
    let output = command.args(["try", &root]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("answers 404") && said.contains("its path `/mcp` is tried"), "{said}");
}

#[test]
fn a_server_with_a_url_can_be_tried() {
    let upstream = with_session(|asked, stream| {
        if has(asked, "tools/list") {
            let id = if has(asked, "\"id\":2") { 2 } else { 1 };
            let tool = r#"{"name":"rows","inputSchema":{},"annotations":{"readOnlyHint":true}}"#;
            return json(
                stream,
                &format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"tools":[{tool}]}}}}"#),
            );
        }
        let frame: serde_json::Value = serde_json::from_str(asked.text()).unwrap();
        json(
            stream,
            &ANSWER.replace("\"id\":1,\"result\"", &format!("\"id\":{},\"result\"", frame["id"])),
        )
    });
    let output = Command::new(env!("CARGO_BIN_EXE_wire-proxy"))
        .args(["try", &upstream.url(), "--header", "A: b"])
        .output()
        .unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("rows"), "{said}");
    assert_eq!(upstream.next().header("a"), Some("b"));

    // Those of clients are tried, too; a query may have a secret.
    let home = tempfile::TempDir::new().unwrap();
    let url = format!("{}?key=top-secret", upstream.url());
    let entry = serde_json::json!({"type": "http", "url": url, "headers": {"Authorization": "Bearer top-secret"}});
    let asked =
        serde_json::json!({"url": "https://example.com/mcp", "headers": {"A": "${input:a}"}});
    let files = serde_json::json!({"mcpServers": {"far": entry, "asked": asked}});
    fs::create_dir_all(home.path().join(".cursor")).unwrap();
    fs::write(home.path().join(".cursor/mcp.json"), files.to_string()).unwrap();
    fs::create_dir_all(home.path().join(".codex")).unwrap();
    let codex = format!("[mcp_servers.far]\nurl = \"{url}\"\nbearer_token_env_var = \"OWN\"\n");
    fs::write(home.path().join(".codex/config.toml"), codex).unwrap();
    while upstream.asked.try_recv().is_ok() {}
    let mut command = Command::new(env!("CARGO_BIN_EXE_wire-proxy"));
    command.arg("try").current_dir(home.path()).env("HOME", home.path()).env("OWN", "top-secret");
    let output = command.env_remove("CODEX_HOME").env_remove("COPILOT_HOME").output().unwrap();
    let all = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert!(all.contains("far of Cursor, ") && all.contains(&upstream.url()), "{all}");
    assert!(!all.contains("asked of") && !all.contains("top-secret"), "{all}");
    // Both have the same headers, so that it is one server.
    assert!(all.contains("far, as Codex shows it"), "{all}");
    assert_eq!(upstream.next().header("authorization"), Some("Bearer top-secret"));
}

#[test]
fn ids_are_compared_as_values() {
    for (id, back) in [(r#""a/b""#, r#""a\/b""#), (r#""é<""#, r#""\u00e9\u003c""#), ("5", "5.0")] {
        for is_stream in [false, true] {
            let upstream = with_session(move |_, stream| {
                let answer =
                    format!(r#"{{"jsonrpc":"2.0","id":{back},"result":{{"content":[]}}}}"#);
                if is_stream {
                    events(stream, &format!("data: {answer}\n\n"))
                } else {
                    json(stream, &answer)
                }
            });
            let mut bridge = Bridge::to(&upstream.url(), &[]);
            bridge.ask(HELLO);
            bridge.send(INITIALIZED);
            let answer = bridge.ask(&CALL.replace("\"id\":1", &format!("\"id\":{id}")));
            assert!(answer.contains("\"content\""), "{answer}");
            // And no second answer.
            assert_eq!(bridge.end().1, Vec::<String>::new());
        }
    }
}

#[test]
fn a_session_that_could_not_begin_again_begins_at_the_next_request() {
    let step = AtomicUsize::new(0);
    let upstream = Upstream::start(move |asked, stream| {
        let session = asked.header("mcp-session-id");
        if asked.first.starts_with("GET") || asked.first.starts_with("DELETE") {
            return refused(stream);
        }
        if has(asked, "\"initialize\"") {
            let at = step.fetch_add(1, Ordering::Relaxed);
            if at == 1 {
                return reply_with(stream, "503 Busy", "", b"");
            }
            let headers = format!("Mcp-Session-Id: s-{at}\r\nContent-Type: application/json\r\n");
            return reply_with(stream, "200 OK", &headers, BEGUN.as_bytes());
        }
        if has(asked, "notifications/") {
            return accepted(stream);
        }
        match session {
            Some("s-2") => json(stream, ANSWER),
            Some(_) => reply_with(stream, "404 Not Found", "", b""),
            None => reply_with(stream, "400 Bad Request", "", b""),
        }
    });
    let mut bridge = Bridge::to(&upstream.url(), &[]);
    bridge.ask(HELLO);
    bridge.send(INITIALIZED);
    assert!(bridge.ask(CALL).contains("503"), "the server is busy");
    assert_eq!(bridge.ask(CALL), WRITTEN);
}

#[test]
fn reasons_about_no_request_reach_the_client() {
    for status in ["429 Too Many Requests", "400 Bad Request", "200 OK"] {
        let upstream = with_session(move |_, stream| {
            let body = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"quota until noon"}}"#;
            reply_with(stream, status, "Content-Type: application/json\r\n", body.as_bytes())
        });
        let mut bridge = Bridge::to(&upstream.url(), &[]);
        bridge.ask(HELLO);
        bridge.send(INITIALIZED);
        let answer = bridge.ask(CALL);
        assert!(answer.contains("quota until noon") && answer.contains("\"id\":1"), "{answer}");
    }
}

#[test]
fn a_server_that_is_busy_or_hasty_has_its_stream_opened_again() {
    let gets = std::sync::Arc::new(AtomicUsize::new(0));
    let counted = std::sync::Arc::clone(&gets);
    let note = r#"{"jsonrpc":"2.0","method":"notifications/message","params":{}}"#;
    let upstream = Upstream::start(move |asked, stream| {
        if asked.first.starts_with("GET") {
            return match counted.fetch_add(1, Ordering::Relaxed) {
                0 => reply_with(stream, "503 Busy", "", b""),
                // `retry: 0`, and the end of the stream.
                _ => events(stream, &format!("retry: 0\ndata: {note}\n\n")),
            };
        }
        if has(asked, "\"initialize\"") { json(stream, BEGUN) } else { accepted(stream) }
    });
    let mut bridge = Bridge::to(&upstream.url(), &[]);
    bridge.ask(HELLO);
    bridge.send(INITIALIZED);
    assert_eq!(bridge.line(), note);
    let before = gets.load(Ordering::Relaxed);
    thread::sleep(Duration::from_millis(1_100));
    assert!(gets.load(Ordering::Relaxed) <= before + 3, "not in a circle");
}

#[test]
fn no_frame_waits_for_an_answer_to_a_notification() {
    let upstream = Upstream::start(|asked, stream| {
        if has(asked, "\"initialize\"") {
            return json(stream, BEGUN);
        }
        if has(asked, "notifications/initialized") {
            thread::sleep(LONG);
        }
        if asked.first.starts_with("GET") { refused(stream) } else { json(stream, ANSWER) }
    });
    let mut bridge = Bridge::to(&upstream.url(), &[]);
    bridge.ask(HELLO);
    bridge.send(INITIALIZED);
    assert_eq!(bridge.ask(CALL), WRITTEN);
}

#[test]
fn nothing_compressed_is_asked_for() {
    let upstream = with_session(|_, stream| {
        let head = "Content-Type: application/json\r\nContent-Encoding: gzip\r\n";
        reply_with(stream, "200 OK", head, b"\x1f\x8b\x08")
    });
    let mut bridge = Bridge::to(&upstream.url(), &[]);
    bridge.ask(HELLO);
    assert_eq!(upstream.next().header("accept-encoding"), Some("identity"));
    let refused = bridge.ask(CALL);
    assert!(refused.contains("the coding gzip, which was not asked for"), "{refused}");
}

#[test]
fn a_cancelled_call_of_the_older_transport_ends() {
    let cancelled = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&cancelled);
    let upstream = Upstream::start(move |asked, stream| {
        if asked.first.starts_with("GET") {
            let endpoint = chunk(b"event: endpoint\ndata: /post\n\n");
            let begun = chunk(format!("data: {BEGUN}\n\n").as_bytes());
            stream.write_all(&[STREAM.as_bytes(), &endpoint, &begun].concat()).unwrap();
            thread::sleep(LONG);
            return false;
        }
        if asked.first.starts_with("POST /srv") {
            return refused(stream);
        }
        let is_cancelled = String::from_utf8_lossy(&asked.body).contains("notifications/cancelled");
        count.fetch_add(usize::from(is_cancelled), Ordering::Relaxed);
        accepted(stream)
    });
    let mut bridge = Bridge::to(&upstream.url(), &[]);
    bridge.ask(HELLO);
    // As many as may be under way; then another one.
    for id in 1..=1_100 {
        bridge.send(&CALL.replace("\"id\":1", &format!("\"id\":{id}")));
        bridge.send(&format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#));
        let start = Instant::now();
        while id % 100 == 0 && cancelled.load(Ordering::Relaxed) < id {
            assert!(start.elapsed() < LONG, "{id}");
            thread::sleep(Duration::from_millis(5));
        }
    }
    thread::sleep(Duration::from_millis(500));
    bridge.send(r#"{"jsonrpc":"2.0","id":"last","method":"ping"}"#);
    let line = bridge.lines.recv_timeout(Duration::from_millis(500));
    assert!(line.is_err(), "{line:?}");
}
