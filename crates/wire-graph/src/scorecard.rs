//! `wire-graph scorecard`: what the answers about this repository cost, as tables of Markdown.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use gcf::graph::{Dialect, Encoder, Exchange, MemoryStore, Outcome, Replica, Request};
use wire_core::{Payload, TokenCounter, fit_to_budget};
use wire_registry::Registry;
use wire_tokens::Counter;

use crate::extract;
use crate::index::{Index, git, linked};
use crate::lang;
use crate::world::World;

const QUESTIONS: [&str; 10] = [
    "add a third outcome to the exchange when the store fails",
    "make the MemoryStore forget payloads after a time to live",
    "why does the proxy leave a tool result unchanged",
    "count tokens with the o200k vocabulary faster",
    "decode GOON rows whose cells are truncated",
    "write a new format into the registry",
    "how is a pack root computed from symbols and edges",
    "GCX1 header with fields containing a tab",
    "login of wire-proxy to a server behind a URL with OAuth",
    "python decorator tool_result for DataFrames",
];

/// What an agent that works on the second question does to a file, with the text that is replaced.
const EDITS: [(&str, &str, &str); 10] = [
    ("nothing", "", ""),
    ("a comment", "/// A payload of a store.", "/// A payload that a store has."),
    (
        "a method",
        "    /// A panic of another thread",
        "    fn forget(&self, packs: &mut Packs) {\n        packs.by_key.clear();\n    }\n\n    /// A panic of another thread",
    ),
    (
        "a call of it",
        "        let bytes = ",
        "        self.forget(&mut self.packs());\n        let bytes = ",
    ),
    (
        "another call",
        "        Ok(self.packs()",
        "        self.forget(&mut self.packs());\n        Ok(self.packs()",
    ),
    ("nothing", "", ""),
    (
        "a struct with an impl",
        "/// The approximate size",
        "struct Age(u64);\n\nimpl Age {\n    fn is_over(&self, ttl: u64) -> bool { self.0 > ttl }\n}\n\n/// The approximate size",
    ),
    (
        "a use of it",
        "        packs.by_key.clear();",
        "        if Age(1).is_over(2) { packs.by_key.clear(); }",
    ),
    ("a new name", "size(", "bytes_of("),
    ("nothing", "", ""),
];
const EDITED: &str = "crates/gcf/src/graph/exchange/store.rs";

const BUDGET: u64 = 2000;
const FORMATS: [&str; 6] = ["gcf", "json", "xml", "markdown", "gcx", "goon"];

/// The tables, for a commit and the ten before it.
///
/// # Errors
///
/// What `git` says, or what the commit lacks.
pub(crate) fn scorecard(root: &Path, registry: &Registry, commit: &str) -> Result<String, String> {
    let revisions = git(root, &["rev-list", "--first-parent", "--reverse", "-n", "11", commit])?;
    let revisions: Vec<&str> = revisions.lines().collect();
    let mut index = Index::new(root.to_owned());
    let mut world = |revision: &str| index.revision(revision).map(World::new);
    let now = world(commit)?;
    let mut out = String::new();
    let _ = writeln!(
        out,
        "Ten questions about {} files, {} symbols, {} edges.\n",
        now.graph.files.len(),
        now.graph.symbols.len(),
        now.graph.edges.len()
    );
    formats(&mut out, registry, &now)?;
    let mut commits = Readers::new(QUESTIONS.len());
    for revision in revisions {
        let world = world(revision)?;
        for (reader, question) in QUESTIONS.iter().enumerate() {
            commits.ask(registry, reader, &world.for_task(question)?)?;
        }
    }
    let mut edits = Readers::new(1);
    let mut source = git(root, &["show", &format!("{commit}:{EDITED}")])?;
    let mut files = index.files(commit)?;
    let at =
        files.iter().position(|(path, ..)| path == EDITED).ok_or("the edited file is not there")?;
    edits.ask(registry, 0, &now.for_task(QUESTIONS[1])?)?;
    for (what, before, after) in EDITS {
        if !source.contains(before) {
            return Err(format!("{what}: {EDITED} has no {before:?} at {commit}"));
        }
        if !before.is_empty() {
            source = source.replace(before, after);
        }
        let language = lang::of(EDITED).expect("it is Rust");
        files[at].2 = Arc::new(extract::facts(language, &source).ok_or("the edit is too deep")?);
        edits.ask(registry, 0, &World::new(linked(&files)).for_task(QUESTIONS[1])?)?;
    }
    out.push_str("\n| asked again, 2,000 tokens | unchanged | delta | full | tokens of full | of JSON | unseen changes |\n|---|--:|--:|--:|--:|--:|--:|\n");
    commits.row(&mut out, "ten questions after each of ten commits");
    edits.row(&mut out, "one question after each of ten edits in its answer");
    Ok(out)
}

fn formats(out: &mut String, registry: &Registry, world: &World) -> Result<(), String> {
    out.push_str("| | gcf | json | xml | markdown | gcx | goon |\n|---|--:|--:|--:|--:|--:|--:|\n");
    let (mut whole, mut fitting) = ([0; FORMATS.len()], [0; FORMATS.len()]);
    for question in QUESTIONS {
        let payload = world.for_task(question)?;
        for (n, format) in FORMATS.iter().enumerate() {
            whole[n] += tokens(registry, format, &payload)?;
            fitting[n] += fitted(registry, format, &payload)?.symbols.len();
        }
    }
    let row = |name: &str, cells: [String; FORMATS.len()]| {
        format!("| {name} | {} |\n", cells.join(" | "))
    };
    out.push_str(&row("tokens of all ten", whole.map(|n| n.to_string())));
    out.push_str(&row("of minified JSON", whole.map(|n| format!("{} %", n * 100 / whole[1]))));
    out.push_str(&row(
        "symbols in 2,000 tokens",
        fitting.map(|n| (n / QUESTIONS.len()).to_string()),
    ));
    Ok(())
}

fn tokens(registry: &Registry, format: &str, payload: &Payload<'_>) -> Result<usize, String> {
    let bytes = registry.encode(format, payload).map_err(|error| error.to_string())?;
    Ok(Counter::O200kBase.count(&String::from_utf8_lossy(&bytes)))
}

fn fitted(
    registry: &Registry,
    format: &str,
    payload: &Payload<'static>,
) -> Result<Payload<'static>, String> {
    let codec = registry.get(format).map_err(|error| error.to_string())?;
    let fitted = fit_to_budget(payload, codec, &Counter::O200kBase, BUDGET);
    fitted.map(|fitted| fitted.payload).map_err(|error| error.to_string())
}

/// Readers that ask again with what they have.
struct Readers {
    exchange: Exchange<MemoryStore>,
    held: Vec<Option<Replica>>,
    /// Unchanged, deltas, full.
    outcomes: [usize; 3],
    sent: u64,
    full: u64,
    json: usize,
    unseen: usize,
}

impl Readers {
    fn new(readers: usize) -> Self {
        let encoder = Encoder::new().dialect(Dialect::V3);
        let exchange = Exchange::with_store(encoder, MemoryStore::default());
        let held = (0..readers).map(|_| None).collect();
        let exchange = exchange.counter(Counter::O200kBase);
        Readers { exchange, held, outcomes: [0; 3], sent: 0, full: 0, json: 0, unseen: 0 }
    }

    fn ask(
        &mut self,
        registry: &Registry,
        reader: usize,
        payload: &Payload<'static>,
    ) -> Result<(), String> {
        let payload = fitted(registry, "gcf", payload)?;
        let mut text = String::new();
        let held = self.held[reader].take();
        let request = held.as_ref().map_or(Request::Full, Replica::request);
        let answer = self
            .exchange
            .answer(request, &payload, &mut text)
            .map_err(|error| error.to_string())?;
        let (n, now) = match held {
            // The first answer is not one to a second question.
            None => (None, Replica::from_answer(&text).map_err(|error| error.to_string())?),
            Some(held) => {
                let n = match answer.outcome {
                    Outcome::Unchanged => 0,
                    Outcome::Delta => 1,
                    _ => 2,
                };
                (Some(n), held.receive(&text).map_err(|error| error.to_string())?)
            }
        };
        if let Some(n) = n {
            self.outcomes[n] += 1;
            self.sent += answer.tokens;
            self.full += answer.full_tokens;
            self.json += tokens(registry, "json", &payload)?;
            self.unseen += answer.unseen_changes;
        }
        self.held[reader] = Some(now);
        Ok(())
    }

    fn row(&self, out: &mut String, name: &str) {
        let [unchanged, deltas, full] = self.outcomes;
        let of = |all: u64| 100.0 * self.sent as f64 / all as f64;
        let (of_full, of_json) = (of(self.full), of(self.json as u64));
        let _ = writeln!(
            out,
            "| {name} | {unchanged} | {deltas} | {full} | {of_full:.1} % | {of_json:.1} % | {} |",
            self.unseen
        );
    }
}
