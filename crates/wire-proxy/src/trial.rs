//! `wire-proxy try`: a client that lists the tools of a server, calls those that need nothing, and
//! says what would be saved.

use std::io::{BufReader, Write};
use std::process::ChildStdin;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use wire_mcp::Proxy;
use wire_tokens::TokenCounter;

use crate::args::{TableFormat, Try};
use crate::call::Line;
use crate::child::{Server, exit_code};
use crate::config;
use crate::failure::Failure;
use crate::frames::{Frames, Piece, split};
use crate::table::Table;

/// Versions of the protocol: that of the handshake, and that of servers without one.
const VERSION: &str = "2025-06-18";
const STATELESS_VERSION: &str = "2026-07-28";
/// The maximum number of pages of tools that are requested.
const MOST_PAGES: usize = 100;
/// The time that the server has to end by itself.
const END: Duration = Duration::from_millis(1500);

pub(crate) fn run(options: &Try) -> Result<u8, Failure> {
    let settings = config::settings(&options.options).map_err(Failure::Usage)?;
    let server = Server::start(&options.server).map_err(Failure::NotStarted)?;
    let proxy = Proxy::new(settings.options.statistics(true));
    // Vocabularies are loaded once; that is not part of any call's time.
    settings.counter.count("");
    let mut session = Session::new(&server, proxy, settings.frame_bytes, options.timeout);
    let outcome = session.run(options.format);
    drop(session);
    let (done, waited) = mpsc::channel();
    let waiting = server.clone();
    thread::spawn(move || {
        let _ = done.send(waiting.wait());
    });
    let ended = waited.recv_timeout(END).ok().flatten();
    server.kill();
    match outcome {
        Ok(()) => Ok(0),
        Err(Problem::Gone(method)) => {
            let how = ended.map_or("closed its output".to_owned(), |status| {
                format!("ended with exit code {}", exit_code(status))
            });
            Err(Failure::Io(format!(
                "the server {how} before it answered `{method}`; its messages, if any, are above"
            )))
        }
        Err(Problem::Silent(method)) => Err(Failure::Io(format!(
            "`{method}`: {}; is it a server that speaks MCP over standard input and output?",
            no_answer(options.timeout)
        ))),
        Err(Problem::Refused(method, error)) => {
            Err(Failure::Io(format!("`{method}`: the server answers with an error: {error}")))
        }
    }
}

/// The reasons why a request has no result. Each has the method.
enum Problem {
    /// The server ended, or does not accept requests.
    Gone(&'static str),
    /// No answer came in time.
    Silent(&'static str),
    /// The server answered with this error.
    Refused(&'static str, String),
}

fn no_answer(timeout: Duration) -> String {
    format!("no answer in {timeout:?}, --timeout sets how long to wait")
}

/// A session with a server, through a proxy.
struct Session {
    proxy: Proxy,
    input: ChildStdin,
    frames: Receiver<Vec<u8>>,
    timeout: Duration,
    requests: u64,
    /// The information about the client in each request, if there is no handshake.
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

    fn run(&mut self, format: TableFormat) -> Result<(), Problem> {
        let client = json!({"name": "wire-proxy-try", "version": env!("CARGO_PKG_VERSION")});
        let hello = json!({"protocolVersion": VERSION, "capabilities": {}, "clientInfo": client});
        match self.request("initialize", hello) {
            Ok(_) => self.notify("notifications/initialized", &json!({}))?,
            Err(Problem::Refused(..)) => {
                self.meta = Some(json!({
                    "io.modelcontextprotocol/protocolVersion": STATELESS_VERSION,
                    "io.modelcontextprotocol/clientInfo": client,
                    "io.modelcontextprotocol/clientCapabilities": {},
                }));
            }
            Err(problem) => return Err(problem),
        }
        let tools = self.tools()?;
        let mut skipped = Vec::new();
        for tool in &tools {
            let Some(name) = tool["name"].as_str() else { continue };
            if let Some(reason) = not_called(tool) {
                skipped.push(format!("{name} ({reason})"));
                continue;
            }
            match self.request("tools/call", json!({"name": name, "arguments": {}})) {
                Ok(result) if result["isError"] == true => {
                    skipped.push(format!("{name} (it failed)"));
                }
                Ok(_) => {}
                Err(Problem::Refused(_, error)) => skipped.push(format!("{name} ({error})")),
                Err(Problem::Silent(_)) => {
                    let id = self.requests;
                    self.notify("notifications/cancelled", &json!({"requestId": id}))?;
                    skipped.push(format!("{name} ({})", no_answer(self.timeout)));
                }
                Err(problem) => return Err(problem),
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
    fn tools(&mut self) -> Result<Vec<Value>, Problem> {
        let mut tools = Vec::new();
        let mut parameters = json!({});
        for _ in 0..MOST_PAGES {
            let mut page = self.request("tools/list", parameters)?;
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

    /// The result of a request.
    fn request(&mut self, method: &'static str, mut parameters: Value) -> Result<Value, Problem> {
        self.requests += 1;
        let id = self.requests;
        if let Some(meta) = &self.meta {
            parameters["_meta"] = meta.clone();
        }
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": parameters});
        self.send(&request, method)?;
        let end = Instant::now() + self.timeout;
        loop {
            let rest = end.saturating_duration_since(Instant::now());
            let frame = self.frames.recv_timeout(rest).map_err(|error| match error {
                RecvTimeoutError::Timeout => Problem::Silent(method),
                RecvTimeoutError::Disconnected => Problem::Gone(method),
            })?;
            let start = Instant::now();
            let actions = self.proxy.from_server(&frame);
            let milliseconds = start.elapsed().as_secs_f64() * 1000.0;
            for primer in &actions.primers {
                self.table.add_primer(primer.tokens);
            }
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
                    self.send(&answer, method)?;
                }
            } else if message["id"] == id {
                return match message["error"]["message"].as_str() {
                    Some(error) => Err(Problem::Refused(method, error.to_owned())),
                    None => Ok(message["result"].take()),
                };
            }
        }
    }

    fn notify(&mut self, method: &'static str, parameters: &Value) -> Result<(), Problem> {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": parameters}), method)
    }

    /// Sends a message, which is about this method.
    fn send(&mut self, message: &Value, method: &'static str) -> Result<(), Problem> {
        let text = message.to_string();
        let mut line = self.proxy.from_client(text.as_bytes()).frame.into_owned();
        line.push(b'\n');
        let written = self.input.write_all(&line).and_then(|()| self.input.flush());
        // A pipe that can't be written belongs to a server that ended.
        written.map_err(|_| Problem::Gone(method))
    }
}

/// Why a tool is not called.
fn not_called(tool: &Value) -> Option<&'static str> {
    let required = tool["inputSchema"]["required"].as_array();
    if required.is_some_and(|required| !required.is_empty()) {
        return Some("it needs arguments");
    }
    (tool["annotations"]["destructiveHint"] == true)
        .then_some("its annotations say that it destroys something")
}
