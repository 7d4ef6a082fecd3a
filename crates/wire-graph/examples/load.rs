//! Callers that ask again and again while a tree is edited, in front of replicas whose store comes and
//! goes: `load TREE REFERENCE REPLICA…`, a folder that it edits and addresses such as `127.0.0.1:8080`.
//! `tests/clients/store.py` starts it, and says on standard input what to do:
//!
//! | line | an edit of the tree, and then |
//! |---|---|
//! | `run` | `go` is printed, and all callers ask, ten times a second each, until a line `stop` |
//! | `rounds N ASKS` | each caller asks so often; and all of this N times |
//!
//! Then what happened is printed, a line of JSON. Every answer is applied to what its caller has, and
//! its root compared with that of the reference: a server without a store, whose answers are in full.

use std::collections::HashMap;
use std::env;
use std::error::Error;
use std::fs;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use gcf::graph::{Replica, Request};
use serde_json::{Value, json};
use ureq::Agent;
use wire_core::TokenCounter;
use wire_tokens::Counter;

const CALLERS: usize = 64;
/// The tokens of an answer.
const BUDGET: u64 = 2000;
/// What an edit begins with.
const EDIT: &str = "\n/// To ";
/// What callers ask, and the files with a function that is about it and the next two questions.
const QUESTIONS: [(&str, &str); 10] = [
    ("evict packs from the memory store", "gcf/src/graph/exchange/store.rs"),
    ("apply a delta to a payload", "gcf/src/graph/delta/apply.rs"),
    ("compute the root of a payload", "gcf/src/root.rs"),
    ("register a codec by its name", "wire-registry/src/registry.rs"),
    ("decode the header of a row format", "gcx/src/header.rs"),
    ("count tokens of a text with a vocabulary", "wire-tokens/src/lib.rs"),
    ("fit a payload into a budget", "wire-core/src/lib.rs"),
    ("read records from a binary frame", "gcb/src/lib.rs"),
    ("write nodes of a query response", "goon/src/lib.rs"),
    ("rank the symbols of an answer", "wire-graph/src/rank.rs"),
];

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [tree, reference, replicas @ ..] = &arguments[..] else {
        panic!("expected the arguments TREE REFERENCE REPLICA…")
    };
    let mut edits = Edits::begin(Path::new(tree));
    let mut callers: Vec<_> = (0..CALLERS as u64).map(Caller::new).collect();
    let mut lines = io::stdin().lock().lines().map(|line| line.expect("standard input is a pipe"));
    while let Some(line) = lines.next() {
        let numbers: Vec<usize> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
        let load = Load { replicas, requests: AtomicUsize::new(0), tally: Mutex::default() };
        if let [rounds, asks] = numbers[..] {
            for _ in 0..rounds {
                let expected = load.prepare(&mut edits, reference);
                load.ask(&mut callers, &expected, |asked| asked < asks, || ());
            }
        } else {
            let expected = load.prepare(&mut edits, reference);
            println!("go");
            let is_over = AtomicBool::new(false);
            load.ask(
                &mut callers,
                &expected,
                |_| !is_over.load(Relaxed),
                || {
                    lines.next();
                    is_over.store(true, Relaxed);
                },
            );
        }
        println!("{}", load.report());
    }
}

/// Edits of the tree. Each gives one function another name, which is in the answers to three questions.
struct Edits {
    files: Vec<(PathBuf, String)>,
    number: usize,
}

impl Edits {
    fn begin(tree: &Path) -> Self {
        let read = |(_, path): &(&str, &str)| {
            let path = tree.join(path);
            let text = fs::read_to_string(&path);
            let text = text.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            // Without the edit of an earlier program.
            (path, text.split(EDIT).next().unwrap_or_default().to_owned())
        };
        let mut edits = Edits { files: QUESTIONS.iter().map(read).collect(), number: 0 };
        for _ in QUESTIONS {
            edits.next();
        }
        edits
    }

    fn next(&mut self) {
        let (number, from) = (self.number, self.number % QUESTIONS.len());
        let about: Vec<_> = QUESTIONS.iter().cycle().skip(from).take(3).map(|(q, _)| *q).collect();
        let (path, text) = &self.files[from];
        let text = format!("{text}{EDIT}{}.\nfn edit_{number}() {{}}\n", about.join("; "));
        fs::write(path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        self.number += 1;
    }
}

/// The text of an answer.
type Answer = Result<String, Box<dyn Error>>;
/// The root of the answer to a question, and its tokens in full.
type Expected = (String, usize);

/// What happened.
#[derive(Default)]
struct Tally {
    failed: usize,
    wrong: usize,
    /// Unchanged, deltas, full.
    outcomes: [usize; 3],
    tokens: usize,
    /// As if all answers were in full.
    full_tokens: usize,
    times: Vec<Duration>,
    /// The tokens of texts, most of which are sent often.
    counted: HashMap<String, usize>,
}

/// A run.
struct Load<'a> {
    replicas: &'a [String],
    requests: AtomicUsize,
    tally: Mutex<Tally>,
}

impl Load<'_> {
    /// Edits the tree, and asks the reference. Replicas have read the edit at the end.
    fn prepare(&self, edits: &mut Edits, reference: &str) -> Vec<Expected> {
        edits.next();
        // A server looks at the tree at most ten times a second.
        thread::sleep(Duration::from_millis(150));
        let agent = agent();
        thread::scope(|threads| {
            for replica in self.replicas {
                // It has no symbol of this name, and looks for one; or it is gone.
                let query = json!({"symbol": "no such symbol"});
                let agent = &agent;
                threads.spawn(move || drop(call(agent, replica, "graph_query", &query)));
            }
            let ask = |question: &(&str, &str)| {
                let text = ask(&agent, reference, question.0, Request::Full);
                let text = text.expect("the reference answers");
                let held = Replica::from_answer(&text).expect("the reference is right");
                (root(&held).expect("it states roots"), Counter::O200kBase.count(&text))
            };
            QUESTIONS.iter().map(ask).collect()
        })
    }

    /// All callers ask while `goes_on` by the number of answers that each has.
    fn ask(
        &self,
        callers: &mut [Caller],
        expected: &[Expected],
        goes_on: impl Fn(usize) -> bool + Sync,
        meanwhile: impl FnOnce(),
    ) {
        thread::scope(|threads| {
            for caller in callers {
                let goes_on = &goes_on;
                threads.spawn(move || {
                    let mut asked = 0;
                    // Not all at once.
                    thread::sleep(Duration::from_millis(caller.random(100)));
                    while goes_on(asked) {
                        self.ask_once(caller, expected);
                        asked += 1;
                        thread::sleep(Duration::from_millis(50 + caller.random(100)));
                    }
                });
            }
            meanwhile();
        });
    }

    fn ask_once(&self, caller: &mut Caller, expected: &[Expected]) {
        // Each question first.
        let new = (0..QUESTIONS.len()).find(|question| !caller.held.contains_key(question));
        let any = caller.random(QUESTIONS.len() as u64);
        let question = new.unwrap_or(usize::try_from(any).expect("it is small"));
        let (root_now, full_tokens) = &expected[question];
        let held = caller.held.remove(&question);
        let request = held.as_ref().map_or(Request::Full, Replica::request);
        let start = Instant::now();
        let answered = self.balance(&caller.agent, QUESTIONS[question].0, request);
        let time = start.elapsed();
        let text = match answered {
            Ok(text) => text,
            Err(problem) => {
                eprintln!("failed: {problem}");
                self.tally.lock().expect("no thread has panicked").failed += 1;
                caller.held.extend(held.map(|held| (question, held)));
                return;
            }
        };
        let line = text.lines().next().unwrap_or_default();
        let says = |words: &[&str]| line.split(' ').any(|word| words.contains(&word));
        let is_unchanged = says(&["unchanged", "unchanged=true"]);
        let outcome = if is_unchanged { 0 } else { 2 - usize::from(says(&["delta=true"])) };
        let now = match held {
            Some(held) => held.receive(&text).map_err(gcf::Error::from),
            None => Replica::from_answer(&text),
        };
        let is_right = now.as_ref().is_ok_and(|now| root(now).as_ref() == Some(root_now));
        if !is_right {
            eprintln!("wrong, expected {root_now}: {line}; {:?}", now.as_ref().err());
        }
        caller.held.extend(now.ok().map(|now| (question, now)));
        let mut tally = self.tally.lock().expect("no thread has panicked");
        tally.wrong += usize::from(!is_right);
        tally.outcomes[outcome] += 1;
        let tokens = || Counter::O200kBase.count(&text);
        tally.tokens += *tally.counted.entry(text.clone()).or_insert_with(tokens);
        tally.full_tokens += full_tokens;
        tally.times.push(time);
    }

    /// Asks the next replica, and the others if it is gone, as a load balancer does.
    fn balance(&self, agent: &Agent, question: &str, request: Request<'_>) -> Answer {
        let first = self.requests.fetch_add(1, Relaxed);
        let mut problems = String::new();
        // Each of them twice: an open connection may have ended with its process.
        for attempt in 0..2 * self.replicas.len() {
            let replica = &self.replicas[(first + attempt / 2) % self.replicas.len()];
            match ask(agent, replica, question, request) {
                Ok(text) => return Ok(text),
                Err(problem) => problems += &format!("{replica}: {problem}; "),
            }
        }
        Err(problems.into())
    }

    fn report(self) -> Value {
        let mut tally = self.tally.into_inner().expect("no thread has panicked");
        tally.times.sort_unstable();
        let percentile = |percent: usize| {
            let time = tally.times.get(tally.times.len() * percent / 100);
            time.map_or(0.0, |time| time.as_secs_f64() * 1000.0)
        };
        json!({
            "requests": self.requests.into_inner(),
            "failed": tally.failed, "wrong": tally.wrong, "outcomes": tally.outcomes,
            "tokens": tally.tokens, "full_tokens": tally.full_tokens,
            "p50": percentile(50), "p99": percentile(99),
        })
    }
}

/// A reader of answers, with what it has.
struct Caller {
    agent: Agent,
    held: HashMap<usize, Replica>,
    state: u64,
}

impl Caller {
    fn new(number: u64) -> Self {
        Caller { agent: agent(), held: HashMap::new(), state: number << 32 }
    }

    /// A number below another one.
    fn random(&mut self, below: u64) -> u64 {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.state >> 33) % below
    }
}

fn root(held: &Replica) -> Option<String> {
    held.payload().pack_root.as_ref().map(|root| root.as_str().to_owned())
}

fn agent() -> Agent {
    let patience = Some(Duration::from_secs(20));
    Agent::config_builder().proxy(None).timeout_global(patience).build().into()
}

fn ask(agent: &Agent, server: &str, question: &str, request: Request<'_>) -> Answer {
    let mut arguments = json!({"task_description": question, "token_budget": BUDGET});
    if let Request::Since(root) = request {
        arguments["pack_root"] = root.as_str().into();
    }
    call(agent, server, "context_for_task", &arguments)
}

/// Calls a tool, by a request of MCP that needs none before it.
fn call(agent: &Agent, server: &str, tool: &str, arguments: &Value) -> Answer {
    const VERSION: &str = "2026-07-28";
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": tool, "arguments": arguments, "_meta": {
            "io.modelcontextprotocol/protocolVersion": VERSION,
            "io.modelcontextprotocol/clientInfo": {"name": "load", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        },
    }});
    let request = agent
        .post(format!("http://{server}/mcp"))
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", VERSION)
        .header("mcp-method", "tools/call")
        .header("mcp-name", tool);
    let mut response = request.send(body.to_string())?;
    let answer: Value = serde_json::from_reader(response.body_mut().as_reader())?;
    let result = &answer["result"];
    match result["content"][0]["text"].as_str() {
        Some(text) if result["isError"] != true => Ok(text.to_owned()),
        _ => Err(answer.to_string().into()),
    }
}
