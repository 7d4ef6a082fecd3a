//! Questions, and their answers in every format: what the tools and the command line share.

use std::collections::HashMap;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use gcf::graph::{Dialect, Encoder, Exchange, Outcome, Request};
use rmcp::schemars;
use serde::Deserialize;
use tokio::runtime::Handle;
use wire_core::{PackRoot, Payload, TokenCounter, fit_to_budget};
use wire_registry::Registry;
use wire_store::Store;
use wire_tokens::Counter;

use crate::index::Index;
use crate::world::{World, difference};

/// A format of payloads.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize, schemars::JsonSchema, ValueEnum,
)]
#[schemars(crate = "rmcp::schemars", inline)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Format {
    #[default]
    Gcf,
    Json,
    Xml,
    Markdown,
    Gcx,
    Goon,
    Gcb,
}

/// A format of neighbours with properties.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize, schemars::JsonSchema, ValueEnum,
)]
#[schemars(crate = "rmcp::schemars", inline)]
#[serde(rename_all = "lowercase")]
pub(crate) enum NodeFormat {
    #[default]
    Goon,
    Json,
    Gcx,
}

/// A question whose answer is a payload.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Question {
    Task(String),
    Files(Vec<String>),
    BlastRadius { symbol: String, depth: u32 },
    Difference { from: String, to: Option<String> },
}

/// An answer.
#[derive(Debug)]
pub(crate) enum Answer {
    Text(String),
    /// GCB.
    Bytes(Vec<u8>),
}

/// All formats of payloads.
pub(crate) fn registry() -> Registry {
    let mut registry = Registry::new();
    let added = registry
        .register(gcf::Gcf::default())
        .and_then(|()| registry.register(gcb::Gcb::default()))
        .and_then(|()| registry.register(gcx::Gcx::default()))
        .and_then(|()| registry.register(goon::Goon::default()));
    added.expect("the names differ");
    registry
}

/// A tree that answers questions. It is scanned again before an answer.
#[derive(Debug)]
pub(crate) struct Tree {
    state: Mutex<State>,
    registry: Registry,
    pub(crate) store: Store,
    /// Answers in GCF: unchanged, deltas, full.
    pub(crate) answers: [AtomicU64; 3],
}

#[derive(Debug)]
struct State {
    index: Index,
    world: Option<Arc<World>>,
    scanned: Option<Instant>,
    /// Answers about the tree as it is, fitted.
    known: HashMap<(Question, Format, u64), Payload<'static>>,
}

/// Changes within this time may be seen only by the next question.
const FRESH: Duration = Duration::from_millis(100);
/// The most answers that are kept.
const KEPT: usize = 256;

impl Tree {
    pub(crate) fn new(root: PathBuf, store: Store) -> Self {
        let state =
            State { index: Index::new(root), world: None, scanned: None, known: HashMap::new() };
        let answers = Default::default();
        Tree { state: Mutex::new(state), registry: registry(), store, answers }
    }

    /// The graph of the files as they are; a first one is announced on standard error.
    pub(crate) fn world(&self) -> Arc<World> {
        self.fresh().1
    }

    /// What was left out of the graph.
    pub(crate) fn report(&self) -> Vec<String> {
        self.fresh().0.index.report()
    }

    fn fresh(&self) -> (MutexGuard<'_, State>, Arc<World>) {
        let mut guard = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let state = &mut *guard;
        if state.scanned.is_none_or(|at| at.elapsed() > FRESH) {
            let is_first = state.world.is_none();
            let has_changed = state.index.scan(|files| {
                if is_first && files % 5000 == 0 {
                    let _ = writeln!(io::stderr(), "wire-graph: {files} files");
                }
            });
            if has_changed || is_first {
                state.world = Some(Arc::new(World::new(state.index.graph())));
                state.known.clear();
            }
            state.scanned = Some(Instant::now());
        }
        let world = Arc::clone(state.world.as_ref().expect("it was made"));
        (guard, world)
    }

    /// The payload of an answer, within a budget.
    ///
    /// # Errors
    ///
    /// What is wrong with the question, for a reader.
    pub(crate) fn payload(
        &self,
        question: Question,
        format: Format,
        budget: u64,
    ) -> Result<Payload<'static>, String> {
        let (mut state, world) = self.fresh();
        let key = (question, format, budget);
        if let Some(known) = state.known.get(&key) {
            return Ok(known.clone());
        }
        let payload = if let Question::Difference { from, to } = &key.0 {
            let mut graph = |revision: &str| state.index.revision(revision);
            let old = graph(from)?;
            match to {
                Some(to) => difference(&old, &graph(to)?),
                None => difference(&old, &world.graph),
            }
        } else {
            // Others may ask meanwhile.
            drop(state);
            match &key.0 {
                Question::Task(task) => world.for_task(task)?,
                Question::Files(files) => world.for_files(files)?,
                Question::BlastRadius { symbol, depth } => {
                    world.blast_radius(world.find(symbol)?, *depth)
                }
                Question::Difference { .. } => unreachable!("it has its own arm"),
            }
        };
        let counted = if format == Format::Gcb { Format::Gcf } else { format };
        let codec = self.registry.get(&counted.name()).map_err(|error| error.to_string())?;
        let fitted = fit_to_budget(&payload, codec, &Counter::O200kBase, budget);
        let fitted = fitted.map_err(|error| error.to_string())?.payload;
        // A revision's name may mean another one soon.
        if !matches!(key.0, Question::Difference { .. }) {
            let (mut state, now) = self.fresh();
            if Arc::ptr_eq(&now, &world) {
                if state.known.len() >= KEPT {
                    state.known.clear();
                }
                state.known.insert(key, fitted.clone());
            }
        }
        Ok(fitted)
    }

    /// A payload in a format; in GCF only what has changed since `held` for this tenant, where that
    /// is fewer tokens. Waits for the store, so it is called where a thread may wait, in a runtime.
    ///
    /// # Errors
    ///
    /// The payload can't be written in the format.
    pub(crate) fn write(
        &self,
        payload: &Payload<'_>,
        format: Format,
        held: &str,
        tenant: &str,
    ) -> Result<Answer, String> {
        if format == Format::Gcf {
            // A root that can't be one was mistyped by a model: it is as unknown as any other.
            let held = PackRoot::new(held).ok();
            let request = held.as_ref().map_or(Request::Full, Request::Since);
            let encoder = Encoder::new().dialect(Dialect::V3);
            let exchange = Exchange::with_store(encoder, self.store.tenant(tenant));
            let exchange = exchange.counter(Counter::O200kBase);
            let mut text = String::new();
            let answer = exchange.answer_async(request, payload, &mut text);
            let answer = Handle::current().block_on(answer).map_err(|error| error.to_string())?;
            let sent = match answer.outcome {
                Outcome::Unchanged => 0,
                Outcome::Delta => 1,
                _ => 2,
            };
            self.answers[sent].fetch_add(1, Ordering::Relaxed);
            return Ok(Answer::Text(text));
        }
        let bytes =
            self.registry.encode(&format.name(), payload).map_err(|error| error.to_string())?;
        if format == Format::Gcb {
            return Ok(Answer::Bytes(bytes));
        }
        String::from_utf8(bytes).map(Answer::Text).map_err(|error| error.to_string())
    }

    /// The neighbours of a symbol: as many of the nearest as fit.
    ///
    /// # Errors
    ///
    /// What is wrong with the question, for a reader.
    pub(crate) fn query(
        &self,
        symbol: &str,
        depth: u32,
        format: NodeFormat,
        budget: u64,
    ) -> Result<Answer, String> {
        let world = self.world();
        let start = world.find(symbol)?;
        let write = |most| {
            let response = world.query(start, depth, most);
            match format {
                NodeFormat::Goon => goon::to_string(&response).map_err(|error| error.to_string()),
                NodeFormat::Json => Ok(response.to_value().to_string()),
                NodeFormat::Gcx => gcx::encode_response("graph_query", &response.to_value())
                    .map_err(|error| error.to_string()),
            }
        };
        let fits = |text: &str| Counter::O200kBase.count(text) as u64 <= budget;
        let all = write(usize::MAX)?;
        if fits(&all) {
            return Ok(Answer::Text(all));
        }
        let (mut fitting, mut too_many) = (0, world.graph.symbols.len() + 1);
        while too_many - fitting > 1 {
            let middle = fitting + (too_many - fitting) / 2;
            if fits(&write(middle)?) { fitting = middle } else { too_many = middle }
        }
        if fitting == 0 {
            return Err(format!(
                "{budget} tokens do not hold one node, expected a larger token_budget"
            ));
        }
        write(fitting).map(Answer::Text)
    }
}

impl Format {
    pub(crate) fn name(self) -> String {
        let value = self.to_possible_value().expect("no format is hidden");
        value.get_name().to_owned()
    }
}
