//! `wire-proxy try`: a client that lists the tools of a server, calls those that need nothing, and
//! says what would be saved.

use std::io::{BufReader, Write};
use std::process::ChildStdin;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use wire_mcp::Proxy;

use crate::args::{TableFormat, Try};
use crate::call::Line;
use crate::child::Server;
use crate::config;
use crate::failure::Failure;
use crate::frames::{Frames, Piece, split};
use crate::table::Table;

/// Versions of the protocol: that of the handshake, and that of servers without one.
const VERSION: &str = "2025-06-18";
const STATELESS_VERSION: &str = "2026-07-28";
/// How many pages of tools are asked for.
const MOST_PAGES: usize = 100;
/// How long the server has to end by itself.
const END: Duration = Duration::from_millis(1500);

pub(crate) fn run(options: &Try) -> Result<u8, Failure> {
    let settings = config::settings(&options.options).map_err(Failure::Usage)?;
    let server = Server::start(&options.server).map_err(Failure::NotStarted)?;
    let proxy = Proxy::new(settings.options.statistics());
    let mut session = Session::new(&server, proxy, settings.frame_bytes, options.timeout);
    let outcome = session.run(options.format);
    drop(session);
    let (done, waited) = mpsc::channel();
    let waiting = server.clone();
    thread::spawn(move || {
        waiting.wait();
        let _ = done.send(());
    });
    let _ = waited.recv_timeout(END);
    server.kill();
    outcome.map(|()| 0).map_err(Failure::Io)
}

/// A session with a server, through a proxy.
struct Session {
    proxy: Proxy,
    input: ChildStdin,
    frames: Receiver<Vec<u8>>,
    timeout: Duration,
    requests: u64,
    /// What each request says of the client, where there is no handshake.
    meta: Option<Value>,
    table: Table,
}

impl Session {
    fn new(server: &Server, proxy: Proxy, frame_bytes: usize, timeout: Duration) -> Self {
        let (input, output) = server.pipes();
        // A few frames at most: the server waits while one is worked on.
        let (sender, frames) = mpsc::sync_channel(1);
        thread::spawn(move || {
            let mut frames = Frames::new(BufReader::new(output), frame_bytes);
            while let Ok((piece, bytes)) = frames.next() {
                let sent = match piece {
                    Piece::End => return,
                    Piece::Frame => sender.send(split(bytes).0.to_vec()),
                    Piece::Part | Piece::LastPart => Ok(()),
                };
                if sent.is_err() {
                    return;
                }
            }
        });
        Session { proxy, input, frames, timeout, requests: 0, meta: None, table: Table::default() }
    }

    fn run(&mut self, format: TableFormat) -> Result<(), String> {
        let client = json!({"name": "wire-proxy-try", "version": env!("CARGO_PKG_VERSION")});
        let hello = json!({"protocolVersion": VERSION, "capabilities": {}, "clientInfo": client});
        match self.request("initialize", hello)? {
            Ok(_) => {
                self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
            }
            Err(_) => {
                self.meta = Some(json!({
                    "io.modelcontextprotocol/protocolVersion": STATELESS_VERSION,
                    "io.modelcontextprotocol/clientInfo": client,
                    "io.modelcontextprotocol/clientCapabilities": {},
                }));
            }
        }
        let tools = self.tools()?;
        let mut skipped = Vec::new();
        for tool in &tools {
            let Some(name) = tool["name"].as_str() else { continue };
            if let Some(reason) = not_called(tool) {
                skipped.push(format!("{name} ({reason})"));
                continue;
            }
            let outcome = self.request("tools/call", json!({"name": name, "arguments": {}}))?;
            match outcome {
                Ok(result) if result["isError"] == true => {
                    skipped.push(format!("{name} (it failed)"));
                }
                Ok(_) => {}
                Err(error) => skipped.push(format!("{name} ({error})")),
            }
        }
        print!("{}", self.table.shown(format));
        if !skipped.is_empty() {
            let what =
                if tools.len() == skipped.len() { "No tool was called" } else { "Not counted" };
            eprintln!("wire-proxy: {}: {}", what.to_lowercase(), skipped.join(", "));
        }
        Ok(())
    }

    /// All pages of tools.
    fn tools(&mut self) -> Result<Vec<Value>, String> {
        let mut tools = Vec::new();
        let mut parameters = json!({});
        for _ in 0..MOST_PAGES {
            let mut page = self
                .request("tools/list", parameters)?
                .map_err(|error| format!("tools/list: {error}"))?;
            if let Value::Array(more) = page["tools"].take() {
                tools.extend(more);
            }
            match page["nextCursor"].take() {
                Value::Null => return Ok(tools),
                cursor => parameters = json!({"cursor": cursor}),
            }
        }
        Ok(tools)
    }

    /// The result of a request, or the message of the error that the server answered with.
    fn request(
        &mut self,
        method: &str,
        mut parameters: Value,
    ) -> Result<Result<Value, String>, String> {
        self.requests += 1;
        let id = self.requests;
        if let Some(meta) = &self.meta {
            parameters["_meta"] = meta.clone();
        }
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": parameters}))?;
        let end = Instant::now() + self.timeout;
        loop {
            let frame =
                match self.frames.recv_timeout(end.saturating_duration_since(Instant::now())) {
                    Ok(frame) => frame,
                    Err(RecvTimeoutError::Timeout) => {
                        return Err(format!(
                            "{method}: no answer in {:?}; --timeout sets how long to wait",
                            self.timeout
                        ));
                    }
                    Err(RecvTimeoutError::Disconnected) => {
                        return Err(format!("{method}: the server ended before it answered"));
                    }
                };
            let start = Instant::now();
            let actions = self.proxy.from_server(&frame);
            let milliseconds = start.elapsed().as_secs_f64() * 1000.0;
            for call in &actions.calls {
                self.table.add(&Line::new(call, milliseconds));
            }
            let Ok(mut message) = serde_json::from_slice::<Value>(&actions.frame) else { continue };
            if let Some(asked) = message.get("method").and_then(Value::as_str) {
                if let Some(id) = message.get("id") {
                    let answer = match asked {
                        "ping" => json!({"jsonrpc": "2.0", "id": id, "result": {}}),
                        _ => {
                            json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "not offered"}})
                        }
                    };
                    self.send(&answer)?;
                }
            } else if message["id"] == id {
                return Ok(match message["error"]["message"].as_str() {
                    Some(error) => Err(error.to_owned()),
                    None => Ok(message["result"].take()),
                });
            }
        }
    }

    fn send(&mut self, message: &Value) -> Result<(), String> {
        let text = message.to_string();
        let mut line = self.proxy.from_client(text.as_bytes()).frame.into_owned();
        line.push(b'\n');
        let written = self.input.write_all(&line).and_then(|()| self.input.flush());
        written.map_err(|error| format!("the server takes no requests: {error}"))
    }
}

/// Why a tool is not called.
fn not_called(tool: &Value) -> Option<&'static str> {
    let required = tool["inputSchema"]["required"].as_array();
    if required.is_some_and(|required| !required.is_empty()) {
        return Some("it needs arguments");
    }
    (tool["annotations"]["destructiveHint"] == true).then_some("it says that it destroys something")
}
