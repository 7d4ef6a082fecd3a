//! Questions, and their answers in every format: what the tools and the command line share.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, ensure};
use clap::{Args, ValueEnum};
use gcf::graph::{Dialect, Encoder, Exchange, Outcome, Request};
use goon::Pagination;
use rmcp::schemars::{self, JsonSchema};
use serde::{Deserialize, Serialize};
use tokio::runtime::Handle;
use wire_core::{Codec, PackRoot, Payload, TokenCounter, fit_to_budget};
use wire_registry::{json::Json, markdown::Markdown, xml::Xml};
use wire_store::Store;
use wire_tokens::Counter;

use crate::index::{Index, locked};
use crate::world::{World, difference};

// Clients refuse whole lists of tools for `oneOf`, `const`, unions of types and unsigned formats in
// schemas. So the fields below are signed and have defaults, and variants of enums have no comments.

/// A format of payloads.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize, Serialize, JsonSchema, ValueEnum,
)]
#[schemars(inline)]
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
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize, Serialize, JsonSchema, ValueEnum,
)]
#[schemars(inline)]
#[serde(rename_all = "lowercase")]
pub(crate) enum NodeFormat {
    #[default]
    Goon,
    Json,
    Gcx,
}

// How a pack is written.
#[derive(Debug, Args, Deserialize, JsonSchema)]
pub(crate) struct How {
    /// gcf has the fewest tokens; gcx and goon have signatures; gcb is bytes, for programs.
    #[arg(long, value_enum, default_value_t)]
    #[serde(default)]
    format: Format,
    /// The most tokens of the answer (o200k).
    #[arg(long, value_name = "N", default_value_t = 5000)]
    #[serde(default = "number::<5000>")]
    token_budget: i64,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Args, Deserialize, JsonSchema)]
pub(crate) struct Radius {
    /// A qualified name, or an end of it that no other symbol has.
    symbol: String,
    /// How many edges are followed, at most 6.
    #[arg(long, value_name = "N", default_value_t = 2)]
    #[serde(default = "number::<2>")]
    depth: i64,
}

#[derive(Debug, Args, Deserialize, JsonSchema)]
pub(crate) struct Neighbours {
    /// A qualified name, or an end of it that no other symbol has.
    symbol: String,
    /// How many edges are followed, at most 3.
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[serde(default = "number::<1>")]
    depth: i64,
    /// The format of the answer.
    #[arg(long, value_enum, default_value_t)]
    #[serde(default)]
    format: NodeFormat,
    /// The most tokens of the answer (o200k).
    #[arg(long, value_name = "N", default_value_t = 5000)]
    #[serde(default = "number::<5000>")]
    token_budget: i64,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Args, Deserialize, JsonSchema)]
pub(crate) struct Between {
    /// The older revision, as git names it.
    from: String,
    /// The newer revision; left out, the files as they are.
    #[arg(default_value = "", hide_default_value = true)]
    #[serde(default)]
    to: String,
}

fn number<const N: i64>() -> i64 {
    N
}

/// A number from 1.
fn within(name: &str, value: i64, most: u32) -> Result<u32> {
    let fits = u32::try_from(value).ok().filter(|value| (1..=most).contains(value));
    fits.ok_or_else(|| anyhow!("{name} is {value}, expected 1 to {most}"))
}

/// A question whose answer is a payload.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Question {
    Task(String),
    Files(Vec<String>),
    Radius(Radius),
    Between(Between),
}

/// An answer.
#[derive(Debug)]
pub(crate) enum Answer {
    Text(String),
    /// GCB.
    Bytes(Vec<u8>),
}

/// A tree that answers questions. It is scanned again before an answer.
#[derive(Debug)]
pub(crate) struct Tree {
    root: PathBuf,
    state: Mutex<State>,
    pub(crate) store: Store,
    /// Answers in GCF: unchanged, deltas, full.
    pub(crate) answers: [AtomicU64; 3],
}

#[derive(Debug)]
struct State {
    index: Index,
    /// The graph, and answers about it.
    current: Arc<(World, Known)>,
    scanned: Option<Instant>,
}

/// Answers, fitted.
type Known = Mutex<HashMap<(Question, Format, u32), Payload<'static>>>;

/// Changes within this time may be seen only by the next question.
const FRESH: Duration = Duration::from_millis(100);
/// The most answers that are kept.
const KEPT: usize = 256;
/// The largest budget.
const MOST_TOKENS: u32 = 1_000_000;

impl Tree {
    pub(crate) fn new(root: PathBuf, store: Store) -> Self {
        let index = Index::new(root.clone());
        let state = State { index, current: Arc::default(), scanned: None };
        Tree { root, state: Mutex::new(state), store, answers: Default::default() }
    }

    /// The graph of the files as they are, and answers about it.
    pub(crate) fn world(&self) -> Arc<(World, Known)> {
        Arc::clone(&self.fresh().current)
    }

    /// What was left out of the graph.
    pub(crate) fn report(&self) -> Vec<String> {
        self.fresh().index.report()
    }

    fn fresh(&self) -> MutexGuard<'_, State> {
        let mut state = locked(&self.state);
        if state.scanned.is_none_or(|at| at.elapsed() > FRESH) {
            if state.index.scan() {
                state.current = Arc::new((World::new(state.index.graph()), Known::default()));
            }
            state.scanned = Some(Instant::now());
        }
        state
    }

    /// The answer to a question; in GCF only what has changed since `held` for this tenant, where that
    /// is fewer tokens. Waits for the store, so it is called where a thread may wait, in a runtime.
    ///
    /// # Errors
    ///
    /// What is wrong with the question, for a reader.
    pub(crate) fn pack(
        &self,
        question: Question,
        how: &How,
        held: &str,
        tenant: &str,
    ) -> Result<Answer> {
        let payload = self.payload(question, how)?;
        if how.format == Format::Gcf {
            // A root that can't be one was mistyped by a model: it is as unknown as any other.
            let held = PackRoot::new(held).ok();
            let request = held.as_ref().map_or(Request::Full, Request::Since);
            let encoder = Encoder::new().dialect(Dialect::V3);
            let exchange = Exchange::with_store(encoder, self.store.tenant(tenant));
            let exchange = exchange.counter(Counter::O200kBase);
            let mut text = String::new();
            let answer = exchange.answer_async(request, &payload, &mut text);
            let sent = match Handle::current().block_on(answer)?.outcome {
                Outcome::Unchanged => 0,
                Outcome::Delta => 1,
                _ => 2,
            };
            self.answers[sent].fetch_add(1, Ordering::Relaxed);
            return Ok(Answer::Text(text));
        }
        let mut bytes = Vec::new();
        how.format.codec().encode(&payload, &mut bytes)?;
        let is_text = how.format != Format::Gcb;
        Ok(if is_text { Answer::Text(String::from_utf8(bytes)?) } else { Answer::Bytes(bytes) })
    }

    /// The payload of an answer, within a budget.
    fn payload(&self, question: Question, how: &How) -> Result<Payload<'static>> {
        let budget = within("token_budget", how.token_budget, MOST_TOKENS)?;
        let key = (question, how.format, budget);
        let current = self.world();
        let (world, known) = &*current;
        if let Some(known) = locked(known).get(&key) {
            return Ok(known.clone());
        }
        let payload = match &key.0 {
            Question::Task(task) => world.for_task(task)?,
            Question::Files(files) => world.for_files(files, &self.root)?,
            Question::Radius(Radius { symbol, depth }) => {
                let depth = within("depth", *depth, 6)?;
                world.blast_radius(world.find(symbol)?, depth)
            }
            Question::Between(Between { from, to }) => {
                let state = self.fresh();
                let old = state.index.revision(from)?;
                if to.is_empty() {
                    difference(&old, &state.current.0.graph)
                } else {
                    difference(&old, &state.index.revision(to)?)
                }
            }
        };
        let text = if how.format == Format::Gcb { Format::Gcf } else { how.format };
        let (codec, counter) = (text.codec(), &Counter::O200kBase);
        let fitted = fit_to_budget(&payload, &*codec, counter, budget.into())?.payload;
        // A revision's name may mean another one soon.
        if !matches!(key.0, Question::Between(_)) {
            let mut known = locked(known);
            if known.len() >= KEPT {
                known.clear();
            }
            known.insert(key, fitted.clone());
        }
        Ok(fitted)
    }

    /// The neighbours of a symbol: as many of the nearest as fit.
    ///
    /// # Errors
    ///
    /// What is wrong with the question, for a reader.
    pub(crate) fn query(&self, asked: &Neighbours) -> Result<Answer> {
        let depth = within("depth", asked.depth, 3)?;
        let budget = within("token_budget", asked.token_budget, MOST_TOKENS)?;
        let current = self.world();
        let world = &current.0;
        let found = world.neighbours(world.find(&asked.symbol)?, depth);
        let write = |count: usize| -> Result<String> {
            let mut response = world.response(&found[..count]);
            let more = Pagination { has_more: true, ..Pagination::default() };
            response.pagination = Some(more).filter(|_| count < found.len());
            Ok(match asked.format {
                NodeFormat::Goon => goon::to_string(&response)?,
                NodeFormat::Json => response.to_value().to_string(),
                NodeFormat::Gcx => gcx::encode_response("graph_query", &response.to_value())?,
            })
        };
        let all = write(found.len())?;
        let fits = |text: &str| Counter::O200kBase.count(text) as u64 <= u64::from(budget);
        if fits(&all) {
            return Ok(Answer::Text(all));
        }
        let counts: Vec<usize> = (1..found.len()).collect();
        let most = counts.partition_point(|count| write(*count).is_ok_and(|text| fits(&text)));
        ensure!(most > 0, "{budget} tokens do not hold one node, expected a larger token_budget");
        write(most).map(Answer::Text)
    }
}

impl Format {
    fn codec(self) -> Box<dyn Codec> {
        match self {
            Format::Gcf => Box::new(gcf::Gcf::default()),
            Format::Json => Box::new(Json::compact()),
            Format::Xml => Box::new(Xml),
            Format::Markdown => Box::new(Markdown),
            Format::Gcx => Box::new(gcx::Gcx::default()),
            Format::Goon => Box::new(goon::Goon::default()),
            Format::Gcb => Box::new(gcb::Gcb::default()),
        }
    }
}
