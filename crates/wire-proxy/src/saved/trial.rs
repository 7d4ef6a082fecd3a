//! `wire-proxy try`: a client that lists the tools of a server, calls those that only read or that it
//! is told to call, and says what would be saved.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::io::{self, BufReader, IsTerminal, PipeReader, PipeWriter, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};
use std::{mem, thread};

use serde_json::{Value, json};
use wire_mcp::Proxy;
use wire_tokens::TokenCounter;

use crate::agents::Agent;
use crate::failure::{Failure, print, say};
use crate::frames::{Frames, Piece, split};
use crate::init::{Found, servers};
use crate::options::remote::is_url;
use crate::options::{Options, file};
use crate::saved::options::{Call, Try};
use crate::saved::table::TableFormat;
use crate::saved::verdict::{self, Verdict};
use crate::stdio::Server;
use crate::stdio::Start;
use crate::text::printable;

/// Versions of the protocol: that of the handshake, and that of servers without one.
const VERSION: &str = "2025-06-18";
const STATELESS_VERSION: &str = "2026-07-28";
/// The maximum number of pages of tools that are requested.
const MAX_PAGES: usize = 100;
/// The time that the server has to end by itself.
const END: Duration = Duration::from_millis(1500);

#[derive(Clone)]
struct Trial {
    /// Its name in a configuration; `None` for a command of the command line, which says its name.
    name: Option<String>,
    start: Start,
    /// The clients that start it.
    clients: Vec<Agent>,
}

pub(crate) fn run(options: &Try) -> Result<u8, Failure> {
    let config = file::read(options.options.config.as_deref()).map_err(Failure::Usage)?;
    let mut code = 0;
    let trials = trials(options, &config)?;
    let is_one = trials.len() == 1;
    let mut tried = Vec::new();
    // The tools of --call that some server has.
    let mut called = HashSet::new();
    for trial in trials {
        match (one(options, &config, &trial, is_one, &mut called), trial.name) {
            (Ok(verdicts), name) => tried.push((name.unwrap_or_default(), verdicts)),
            // Other servers may answer.
            (Err(Failure::Io(message) | Failure::NotStarted(message)), Some(name)) => {
                say(format_args!("{name}: {}", message.trim_end()));
                code = 3;
            }
            (Err(failure), _) => return Err(failure),
        }
    }
    if !is_one {
        if let Some(call) = options.call.iter().find(|call| !called.contains(&call.name)) {
            return Err(Failure::Usage(format!("--call: no server has a tool {:?}", call.name)));
        }
        if options.explain.is_none() && options.format == TableFormat::Text {
            print(verdict::summary(&tried).as_bytes())?;
        }
    }
    Ok(code)
}

/// The server that is named, those of clients, or the sample.
fn trials(options: &Try, config: &Options) -> Result<Vec<Trial>, Failure> {
    let settings = file::settings_of(config, &options.options).map_err(Failure::Usage)?;
    // A word that is no URL is the name of a server.
    let named = options.remote.url.as_deref().filter(|word| !is_url(word));
    if !options.server.is_empty() || options.remote.is_given() && named.is_none() {
        let start = Start::of(&options.server, &options.remote, settings.frame_bytes)
            .map_err(Failure::Usage)?;
        return Ok(vec![Trial { name: None, start, clients: vec![] }]);
    }
    let client = options.client.as_deref().and_then(Agent::named);
    let mut found =
        if options.sample { vec![] } else { servers(client.as_slice(), settings.frame_bytes) };
    if let Some(named) = named {
        let known: BTreeSet<String> = found.iter().map(|found| printable(&found.name)).collect();
        found.retain(|found| found.name == named);
        if found.is_empty() {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            return Err(Failure::Usage(format!(
                "no client has a server {named:?} here; they have: {}; `wire-proxy try -- COMMAND` tries a command",
                if known.is_empty() { "none".to_owned() } else { known.join(", ") }
            )));
        }
    }
    for Found { client, file, name, shown, .. } in &found {
        let (name, file) = (printable(name), printable(&file.display().to_string()));
        say(format_args!("{name} of {}, {file}: `{shown}`", client.title()));
    }
    let count = found.iter().filter(|found| found.is_of_folder).count();
    let found = if count == 0 || options.project || may_start(count) {
        found
    } else {
        let own: Vec<Found> = found.into_iter().filter(|found| !found.is_of_folder).collect();
        let problem = format!(
            "{count} of these are in files of this folder, and are not started; --project starts them"
        );
        if own.is_empty() {
            return Err(Failure::Usage(problem));
        }
        say(problem);
        own
    };
    let mut trials: Vec<Trial> = Vec::new();
    for Found { client, name, start, .. } in found {
        match trials.iter_mut().find(|trial| trial.start == start) {
            Some(trial) => trial.clients.push(client),
            None => trials.push(Trial { name: Some(name), start, clients: vec![client] }),
        }
    }
    if trials.is_empty() {
        if !options.sample {
            say(format_args!(
                "no client has a server here, so a sample is tried; `wire-proxy try -- COMMAND` or `wire-proxy try URL` tries yours"
            ));
        }
        let own = std::env::current_exe().map_err(|error| Failure::Io(error.to_string()))?;
        let command = vec![own.into_os_string(), "sample".into()];
        let start = Start::Command { command, environment: vec![] };
        trials.push(Trial { name: None, start, clients: vec![] });
    }
    Ok(trials)
}

/// Asks whether to start servers in files of the current folder, if there is a terminal.
fn may_start(count: usize) -> bool {
    if !(io::stdin().is_terminal() && io::stderr().is_terminal()) {
        return false;
    }
    say(format_args!(
        "{count} of these are in files of this folder, which may be a stranger's: start them? [y/N]"
    ));
    let mut answer = String::new();
    let _ = io::stdin().read_line(&mut answer);
    matches!(answer.trim(), "y" | "Y" | "yes")
}

/// Tries a server, and returns what clients show of its results; prints that if it is the only one.
fn one(
    options: &Try,
    config: &Options,
    trial: &Trial,
    is_one: bool,
    called: &mut HashSet<String>,
) -> Result<Vec<Verdict>, Failure> {
    let settings = file::settings_of(config, &options.options).map_err(Failure::Usage)?;
    let verdicts = verdict::of(options.client.as_deref(), config, &options.options, &trial.clients)
        .map_err(Failure::Usage)?;
    let (server, input, output) = Server::start(&trial.start)?;
    let proxy = Proxy::new(settings.options.statistics(true));
    // Vocabularies are loaded once; that is not part of any call's time.
    settings.counter.count("");
    let mut session =
        Session::new((input, output), proxy, settings.frame_bytes, options.timeout, verdicts);
    let outcome = session.run(options, trial.name.as_deref(), is_one, called);
    let verdicts = mem::take(&mut session.verdicts);
    drop(session);
    let (done, waited) = mpsc::channel();
    let waiting = server.clone();
    thread::spawn(move || {
        let _ = done.send(waiting.wait());
    });
    let ended = waited.recv_timeout(END).ok();
    server.kill();
    match outcome {
        Ok(()) => Ok(verdicts),
        Err(Problem::Gone(method)) => {
            let how = ended.map_or("closed its output".to_owned(), |code| {
                format!("ended with exit code {code}")
            });
            Err(Failure::Io(format!(
                "the server {how} before it answered `{method}`; its messages, if any, are above"
            )))
        }
        Err(Problem::Silent(method)) => Err(Failure::Io(format!(
            "`{method}`: {}; is it a server that speaks MCP over standard input and output?",
            no_answer(options.timeout)
        ))),
        Err(Problem::Unknown(message)) => Err(Failure::Usage(message)),
        Err(Problem::Unprinted(failure)) => Err(failure),
        Err(Problem::Refused(method, error)) => {
            if let Some(at_path) = trial.start.at_path().filter(|_| error.contains("answers 404")) {
                let error = error.trim_start_matches("wire-proxy: ");
                say(format_args!("{error}; its path `/mcp` is tried"));
                let trial = Trial { start: at_path, ..trial.clone() };
                return one(options, config, &trial, is_one, called);
            }
            Err(Failure::Io(format!("`{method}`: the server answers with an error: {error}")))
        }
    }
}

/// The reasons why a run ends early. Most have the method of a request without a result.
enum Problem {
    /// The server ended, or does not accept requests.
    Gone(&'static str),
    /// No answer came in time.
    Silent(&'static str),
    /// The server answered with this error.
    Refused(&'static str, String),
    /// A tool that is to be called is not listed.
    Unknown(String),
    /// The table can't be printed.
    Unprinted(Failure),
}

fn printed(text: &str) -> Result<(), Problem> {
    print(text.as_bytes()).map(drop).map_err(Problem::Unprinted)
}

fn no_answer(timeout: Duration) -> String {
    format!("no answer in {timeout:?}, --timeout sets how long to wait")
}

/// A session with a server, through a proxy.
struct Session {
    proxy: Proxy,
    input: PipeWriter,
    frames: Receiver<Vec<u8>>,
    timeout: Duration,
    requests: u64,
    /// The information about the client in each request, if there is no handshake.
    meta: Option<Value>,
    /// The clients' views of the same frames.
    verdicts: Vec<Verdict>,
}

impl Session {
    fn new(
        (input, output): (PipeWriter, PipeReader),
        proxy: Proxy,
        frame_bytes: usize,
        timeout: Duration,
        verdicts: Vec<Verdict>,
    ) -> Self {
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
        Session { proxy, input, frames, timeout, requests: 0, meta: None, verdicts }
    }

    fn run(
        &mut self,
        options: &Try,
        given: Option<&str>,
        is_one: bool,
        called: &mut HashSet<String>,
    ) -> Result<(), Problem> {
        let client = json!({"name": "wire-proxy-try", "version": env!("CARGO_PKG_VERSION")});
        let hello = json!({"protocolVersion": VERSION, "capabilities": {}, "clientInfo": client});
        let mut name = given.unwrap_or("this server").to_owned();
        match self.request("initialize", hello) {
            Ok(said) => {
                if let (None, Some(own)) = (given, said["serverInfo"]["name"].as_str()) {
                    own.clone_into(&mut name);
                }
                self.notify("notifications/initialized", &json!({}))?;
            }
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
        // Of several servers those are called that have the tool.
        let has = |call: &&Call| tools.iter().any(|tool| tool["name"] == *call.name);
        let asked: Vec<Call> =
            options.call.iter().filter(|call| is_one || has(call)).cloned().collect();
        if asked.is_empty() && !options.call.is_empty() {
            return Ok(());
        }
        called.extend(asked.iter().map(|call| call.name.clone()));
        let plan = Plan::of(&tools, &asked, options.all).map_err(Problem::Unknown)?;
        let names: Vec<&str> = plan.calls.iter().map(|call| &*call.name).collect();
        if !names.is_empty() {
            say(format_args!("calls {}", printable(&names.join(", "))));
        }
        let mut failed = Vec::new();
        for Call { name, arguments } in &plan.calls {
            match self.request("tools/call", json!({"name": name, "arguments": arguments})) {
                Ok(result) if result["isError"] == true => {
                    failed.push(format!("{name} (it failed)"));
                }
                Ok(_) => {}
                Err(Problem::Refused(_, error)) => failed.push(format!("{name} ({error})")),
                Err(Problem::Silent(_)) => {
                    let id = self.requests;
                    self.notify("notifications/cancelled", &json!({"requestId": id}))?;
                    failed.push(format!("{name} ({})", no_answer(self.timeout)));
                }
                Err(problem) => return Err(problem),
            }
        }
        if is_one || options.explain.is_some() || options.format != TableFormat::Text {
            self.print(options, &name)?;
        }
        let of = if is_one { String::new() } else { format!("{}: ", printable(&name)) };
        if !failed.is_empty() {
            say(format_args!("{of}not counted: {}", printable(&failed.join(", "))));
        }
        plan.explain(&of);
        Ok(())
    }

    /// The verdicts, and the table of tools; or why a tool was left alone.
    fn print(&self, options: &Try, name: &str) -> Result<(), Problem> {
        if let Some(tool) = &options.explain {
            let lines = verdict::explained(tool, &self.verdicts);
            if lines.is_empty() {
                return Err(Problem::Unknown(format!(
                    "--explain: {tool:?} was not called; `--call {tool}` calls it"
                )));
            }
            return printed(&(lines.join("\n") + "\n"));
        }
        let Some((heading, table)) = self.verdicts.first().map(Verdict::table) else {
            return Ok(());
        };
        let rows = table.shown(options.format);
        if options.format != TableFormat::Text || rows.is_empty() {
            return printed(&rows);
        }
        let lines = verdict::said(name, &self.verdicts).join("\n");
        printed(&format!("{lines}\n\n{heading}\n\n{rows}"))
    }

    /// The tools of all pages, each once.
    fn tools(&mut self) -> Result<Vec<Value>, Problem> {
        let mut tools = Vec::new();
        let mut names = HashSet::new();
        let mut cursors = HashSet::new();
        let mut parameters = json!({});
        let mut pages = 0;
        let reason = loop {
            pages += 1;
            let mut page = self.request("tools/list", parameters)?;
            if let Value::Array(more) = page["tools"].take() {
                let is_new = |tool: &Value| names.insert(tool["name"].as_str().map(str::to_owned));
                tools.extend(more.into_iter().filter(is_new));
            }
            let cursor = match page["nextCursor"].take() {
                Value::Null => return Ok(tools),
                Value::String(cursor) if cursor.is_empty() => break "its `nextCursor` is empty",
                Value::String(cursor) => cursor,
                _ => break "its `nextCursor` is not a string",
            };
            if !cursors.insert(cursor.clone()) {
                break "its `nextCursor` is that of an earlier page";
            }
            if pages == MAX_PAGES {
                break "more pages are not asked for";
            }
            parameters = json!({"cursor": cursor});
        };
        say(format_args!("the list of tools ends at page {pages}: {reason}"));
        Ok(tools)
    }

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
            let actions = self.proxy.from_server(&frame);
            for verdict in &mut self.verdicts {
                verdict.gets(&frame);
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
        for verdict in &self.verdicts {
            verdict.asks(message);
        }
        let text = message.to_string();
        let mut line = self.proxy.from_client(text.as_bytes()).frame.into_owned();
        line.push(b'\n');
        let written = self.input.write_all(&line).and_then(|()| self.input.flush());
        // A pipe that can't be written belongs to a server that ended.
        written.map_err(|_| Problem::Gone(method))
    }
}

/// The calls of a run, and the tools that are not called.
#[derive(Debug, Default, PartialEq)]
struct Plan {
    calls: Vec<Call>,
    /// Tools that may write.
    writing: Vec<String>,
    /// Tools that need arguments.
    asking: Vec<String>,
    /// A call of one of these that only reads.
    example: Option<Call>,
}

impl Plan {
    /// Calls the tools that are asked for, and of the others those that only read. The error says
    /// which tools there are.
    fn of(tools: &[Value], asked: &[Call], all: bool) -> Result<Self, String> {
        let listed: BTreeMap<&str, &Value> =
            tools.iter().filter_map(|tool| Some((tool["name"].as_str()?, tool))).collect();
        if let Some(call) = asked.iter().find(|call| !listed.contains_key(&*call.name)) {
            let names: Vec<&str> = listed.into_keys().collect();
            return Err(format!(
                "--call: the server has no tool {:?}; it has {}",
                call.name,
                printable(&names.join(", "))
            ));
        }
        let mut plan = Plan { calls: asked.to_vec(), ..Plan::default() };
        for tool in tools {
            let Some(name) = tool["name"].as_str() else { continue };
            if asked.iter().any(|call| call.name == name) {
                continue;
            }
            let call = |arguments| Call { name: name.to_owned(), arguments };
            if let Some(example) = example(&tool["inputSchema"]) {
                plan.asking.push(name.to_owned());
                let reads = only_reads(tool).then(|| call(example));
                plan.example = plan.example.or(reads);
            } else if all || only_reads(tool) {
                plan.calls.push(call(json!({})));
            } else {
                plan.writing.push(name.to_owned());
            }
        }
        Ok(plan)
    }

    /// Says what was not called, and how to call it; `of` begins the message.
    fn explain(&self, of: &str) {
        let is_empty = self.calls.is_empty();
        if !self.writing.is_empty() {
            say(format_args!(
                "{of}not called, since only tools with `readOnlyHint: true` are: {}\n  `--call NAME` calls one of them, and `--all` all that need no arguments; they may write",
                printable(&self.writing.join(", "))
            ));
        }
        if !self.asking.is_empty() {
            let call = self.example.as_ref().map_or_else(
                || "NAME {\"query\":\"a\"}".to_owned(),
                |Call { name, arguments }| format!("{name} {arguments}"),
            );
            let why = if is_empty && self.writing.is_empty() {
                "nothing to call without arguments"
            } else {
                "not called, since they need arguments"
            };
            say(format_args!(
                "{of}{why}: {}\n  `--call '{}'` calls one of them",
                printable(&self.asking.join(", ")),
                printable(&call)
            ));
        }
        if is_empty && self.writing.is_empty() && self.asking.is_empty() {
            say(format_args!("{of}it has no tools"));
        }
    }
}

/// Returns `true` if the annotations of a tool say that it only reads. A tool without them may
/// destroy something, as MCP has it.
fn only_reads(tool: &Value) -> bool {
    let annotations = &tool["annotations"];
    annotations["readOnlyHint"] == true && annotations["destructiveHint"] != true
}

/// An example of the arguments that a tool needs, if it needs some.
fn example(schema: &Value) -> Option<Value> {
    let required = schema["required"].as_array().filter(|required| !required.is_empty())?;
    let value = |name: &str| match schema["properties"][name]["type"].as_str() {
        Some("integer" | "number") => json!(1),
        Some("boolean") => json!(true),
        Some("array") => json!([]),
        Some("object") => json!({}),
        _ => json!("..."),
    };
    Some(
        required
            .iter()
            .filter_map(|name| Some((name.as_str()?.to_owned(), value(name.as_str()?))))
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(name: &str, arguments: Value) -> Call {
        Call { name: name.into(), arguments }
    }

    #[test]
    fn only_tools_that_read_are_called_unasked() {
        let tools = [
            json!({"name": "plain"}),
            json!({"name": "reads", "annotations": {"readOnlyHint": true}}),
            json!({"name": "writes", "annotations": {"readOnlyHint": false, "destructiveHint": false}}),
            json!({"name": "both", "annotations": {"readOnlyHint": true, "destructiveHint": true}}),
            json!({"name": "text", "annotations": {"readOnlyHint": "true"}}),
            json!({"name": "asks", "annotations": {"readOnlyHint": true}, "inputSchema": {
                "properties": {"n": {"type": "integer"}}, "required": ["query", "n"]
            }}),
        ];
        let example = call("asks", json!({"query": "...", "n": 1}));
        let plan = Plan::of(&tools, &[], false).unwrap();
        assert_eq!(plan.calls, [call("reads", json!({}))]);
        assert_eq!(plan.writing, ["plain", "writes", "both", "text"]);
        assert_eq!((&*plan.asking, plan.example), (&["asks".to_owned()][..], Some(example)));
        let asked = [call("writes", json!({})), call("asks", json!({"query": "a", "n": 2}))];
        let plan = Plan::of(&tools, &asked, false).unwrap();
        assert_eq!(plan.calls, [&asked[..], &[call("reads", json!({}))]].concat());
        assert_eq!(
            (plan.writing, plan.asking),
            (vec!["plain".into(), "both".into(), "text".into()], vec![])
        );
        let plan = Plan::of(&tools, &[], true).unwrap();
        assert_eq!(
            (plan.calls.len(), plan.writing.len(), plan.asking),
            (5, 0, vec!["asks".into()])
        );
        let error = Plan::of(&tools, &[call("read", json!({}))], false).unwrap_err();
        assert!(error.contains("no tool \"read\"; it has asks, both"), "{error}");
    }
}
