//! A server that answers what a test says, byte by byte, and a client that sees every byte.

#![cfg(unix)] // as the tests that use it
#![allow(clippy::unwrap_used)] // helpers of tests

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

/// Longer than any step of these tests, also on a busy machine.
pub(crate) const LONG: Duration = Duration::from_secs(60);

pub(crate) const HELLO: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#;
pub(crate) const CALL: &str =
    r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search"}}"#;
pub(crate) const ANSWER: &str = r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"[ {\"id\": 1, \"name\": \"é\"}, {\"id\": 2, \"name\": \"b\"} ]"}]}}"#;
/// The answer as the proxy writes it.
pub(crate) const WRITTEN: &str = r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"[{\"id\":1,\"name\":\"é\"},{\"id\":2,\"name\":\"b\"}]"}]}}"#;

/// A request or an answer as it came: the first line, headers in lower case, the body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Message {
    pub(crate) first: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    /// `true` if the body is whole.
    pub(crate) is_whole: bool,
}

impl Message {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| &**value)
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub(crate) fn status(&self) -> u16 {
        self.first.split(' ').nth(1).unwrap().parse().unwrap()
    }

    /// Reads one; `None` at the end of a connection.
    fn read(stream: &mut impl BufRead) -> Option<Self> {
        let mut message = Message::default();
        if stream.read_line(&mut message.first).ok()? == 0 {
            return None;
        }
        loop {
            let mut line = String::new();
            stream.read_line(&mut line).ok()?;
            let Some((name, value)) = line.trim_end().split_once(':') else { break };
            message.headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        message.is_whole = message.read_body(stream).is_some();
        Some(message)
    }

    fn read_body(&mut self, stream: &mut impl BufRead) -> Option<()> {
        if let Some(length) = self.header("content-length") {
            let mut rest = stream.take(length.parse().unwrap());
            rest.read_to_end(&mut self.body).ok()?;
            return (rest.limit() == 0).then_some(());
        }
        if self.header("transfer-encoding").is_none() {
            let is_answer = self.first.starts_with("HTTP/");
            return if is_answer {
                stream.read_to_end(&mut self.body).ok().map(|_| ())
            } else {
                Some(())
            };
        }
        loop {
            let mut size = String::new();
            stream.read_line(&mut size).ok()?;
            let size = u64::from_str_radix(size.trim(), 16).ok()?;
            let before = self.body.len() as u64;
            stream.take(size).read_to_end(&mut self.body).ok()?;
            let mut end = String::new();
            if self.body.len() as u64 - before < size || stream.read_line(&mut end).ok()? == 0 {
                return None;
            }
            if size == 0 {
                return Some(());
            }
        }
    }
}

/// A server, and the requests that came to it.
pub(crate) struct Upstream {
    pub(crate) address: SocketAddr,
    pub(crate) asked: Receiver<Message>,
}

impl Upstream {
    /// A server that answers each request by this function. A connection ends if it returns false.
    pub(crate) fn start(
        answer: impl Fn(&Message, &mut TcpStream) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self::at("127.0.0.1:0".parse().unwrap(), answer)
    }

    /// The same at an address.
    pub(crate) fn at(
        address: SocketAddr,
        answer: impl Fn(&Message, &mut TcpStream) -> bool + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind(address).unwrap();
        let address = listener.local_addr().unwrap();
        let (sender, asked) = mpsc::channel();
        let answer = Arc::new(answer);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (Ok(mut stream), answer, sender) =
                    (stream, Arc::clone(&answer), sender.clone())
                else {
                    return;
                };
                thread::spawn(move || {
                    let mut reader = BufReader::new(stream.try_clone().unwrap());
                    while let Some(message) = Message::read(&mut reader) {
                        let _ = sender.send(message.clone());
                        if !answer(&message, &mut stream) {
                            return;
                        }
                    }
                });
            }
        });
        Upstream { address, asked }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/srv", self.address)
    }

    pub(crate) fn next(&self) -> Message {
        self.asked.recv_timeout(LONG).unwrap()
    }
}

/// Answers with a body of this type, and goes on.
pub(crate) fn reply(stream: &mut TcpStream, kind: &str, body: &[u8]) -> bool {
    reply_with(stream, "200 OK", &format!("Content-Type: {kind}\r\n"), body)
}

pub(crate) fn reply_with(stream: &mut TcpStream, status: &str, headers: &str, body: &[u8]) -> bool {
    let head = format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {}\r\n\r\n", body.len());
    stream.write_all(&[head.as_bytes(), body].concat()).is_ok()
}

/// The head of an event stream in chunks.
pub(crate) const STREAM: &str =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";

pub(crate) fn chunk(bytes: &[u8]) -> Vec<u8> {
    [format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat()
}

/// wire-proxy, listening.
pub(crate) struct Proxy {
    child: Child,
    address: String,
    errors: Option<thread::JoinHandle<String>>,
}

impl Proxy {
    /// In front of this server.
    pub(crate) fn before(upstream: &Upstream, options: &[&str]) -> Self {
        let url = upstream.url();
        Self::start(&[options, &["--upstream", &url]].concat(), |command| command)
    }

    pub(crate) fn start(options: &[&str], with: impl Fn(&mut Command) -> &mut Command) -> Self {
        Self::run(&[&["--listen", "127.0.0.1:0"], options].concat(), with)
    }

    /// Behind gateways.
    pub(crate) fn serve(options: &[&str], with: impl Fn(&mut Command) -> &mut Command) -> Self {
        Self::run(&[&["serve", "127.0.0.1:0"], options].concat(), with)
    }

    fn run(arguments: &[&str], with: impl Fn(&mut Command) -> &mut Command) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wire-proxy"));
        command.args(arguments);
        with(&mut command);
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut first = String::new();
        stderr.read_line(&mut first).unwrap();
        let (_, rest) = first.split_once("http://").unwrap_or_else(|| panic!("{first}"));
        let address = rest.split('/').next().unwrap().trim().to_owned();
        let errors = thread::spawn(move || {
            let mut errors = String::new();
            let _ = stderr.read_to_string(&mut errors);
            errors
        });
        Proxy { child, address, errors: Some(errors) }
    }

    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(LONG)).unwrap();
        stream
    }

    /// Sends a request, without reading an answer.
    pub(crate) fn ask(&self, first: &str, headers: &[(&str, &str)], body: &str) -> TcpStream {
        let mut stream = self.connect();
        let mut request = format!("{first} HTTP/1.1\r\n");
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            request += &format!("Host: {}\r\n", self.address);
        }
        for (name, value) in headers {
            request += &format!("{name}: {value}\r\n");
        }
        if !body.is_empty() {
            request +=
                &format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len());
        }
        request += "Connection: close\r\n\r\n";
        stream.write_all((request + body).as_bytes()).unwrap();
        stream
    }

    pub(crate) fn send(&self, first: &str, headers: &[(&str, &str)], body: &str) -> Message {
        let stream = self.ask(first, headers, body);
        Message::read(&mut BufReader::new(stream)).expect("an answer")
    }

    pub(crate) fn post(&self, body: &str) -> Message {
        self.send("POST /mcp", &[], body)
    }

    pub(crate) fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-s", name, &pid]).status().unwrap().success());
    }

    pub(crate) fn memory(&self) -> usize {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap() * 1024
    }

    /// Its exit code, and what it wrote to standard error.
    pub(crate) fn end(mut self) -> (i32, String) {
        let start = Instant::now();
        let code = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status.code().expect("an exit code");
            }
            assert!(start.elapsed() < LONG, "it does not end");
            thread::sleep(Duration::from_millis(10));
        };
        (code, self.errors.take().unwrap().join().unwrap())
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
