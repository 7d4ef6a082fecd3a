//! The sums: by client, server and tool.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::agents::Agent;
use crate::audit::bill::Input;
use crate::audit::call::ToolResult;
use crate::audit::simulate::Outcome;

/// The most tools that are counted apart, for files that name a new one in each line.
const MOST_ROWS: usize = 5_000;
/// The most names of files, and things that decided, for each reason.
const MOST_NAMES: usize = 3;
/// The most characters of a sample.
const MOST_SAMPLE: usize = 400;

/// A client, a server, and a tool. Without a server it is the client's own.
pub(crate) type Key = (Agent, Option<String>, String);

/// The sums of a tool's results.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sums {
    pub(crate) results: u64,
    pub(crate) tokens: u64,
    /// The savings of each form alone, and by the best way.
    pub(crate) forms: [u64; 3],
    pub(crate) saved: u64,
    /// By the hook, by the proxy, and by the one beyond the other.
    pub(crate) hook: u64,
    pub(crate) proxy: u64,
    pub(crate) proxy_beyond: u64,
    pub(crate) hook_beyond: u64,
    /// The savings of dropping `structuredContent`.
    pub(crate) drops: u64,
    /// The savings that its name keeps from being saved.
    pub(crate) named: u64,
    /// The largest result, if contents are shown.
    pub(crate) sample: Option<(u64, String)>,
}

impl Sums {
    pub(crate) fn plus(&mut self, other: &Sums) {
        let pairs = [
            (&mut self.results, other.results),
            (&mut self.tokens, other.tokens),
            (&mut self.saved, other.saved),
            (&mut self.hook, other.hook),
            (&mut self.proxy, other.proxy),
            (&mut self.proxy_beyond, other.proxy_beyond),
            (&mut self.hook_beyond, other.hook_beyond),
            (&mut self.drops, other.drops),
            (&mut self.named, other.named),
        ];
        let forms = self.forms.iter_mut().zip(other.forms);
        pairs.into_iter().chain(forms).for_each(|(own, other)| *own += other);
        if other.sample > self.sample {
            self.sample.clone_from(&other.sample);
        }
    }
}

/// The sums of a client.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClientSums {
    pub(crate) sessions: u64,
    pub(crate) input: Input,
    /// Results that a resumed session repeats.
    pub(crate) copies: u64,
    /// Lines that are no JSON, and results of an unknown shape.
    pub(crate) broken: u64,
    pub(crate) odd: u64,
    /// Sessions by the version of the client.
    pub(crate) versions: BTreeMap<String, u64>,
}

impl ClientSums {
    fn plus(&mut self, other: ClientSums) {
        for (own, other) in [
            (&mut self.sessions, other.sessions),
            (&mut self.copies, other.copies),
            (&mut self.broken, other.broken),
            (&mut self.odd, other.odd),
        ] {
            *own += other;
        }
        self.input += other.input;
        for (version, sessions) in other.versions {
            *self.versions.entry(version).or_default() += sessions;
        }
    }
}

/// Files that were not read, or not to their end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Skipped {
    pub(crate) files: u64,
    /// Some of their names.
    pub(crate) names: Vec<String>,
}

/// The results that have one outcome.
#[derive(Clone, Debug, Default)]
pub(crate) struct Why {
    pub(crate) results: u64,
    pub(crate) tokens: u64,
    /// Some of what decided it.
    pub(crate) decided: BTreeSet<Box<str>>,
}

/// All sums.
#[derive(Clone, Debug, Default)]
pub(crate) struct Totals {
    pub(crate) rows: BTreeMap<Key, Sums>,
    pub(crate) clients: BTreeMap<Agent, ClientSums>,
    /// Results by what became of them.
    pub(crate) whys: BTreeMap<&'static str, Why>,
    pub(crate) skipped: BTreeMap<String, Skipped>,
    pub(crate) files: u64,
    pub(crate) bytes: u64,
}

impl Totals {
    pub(crate) fn client(&mut self, source: Agent) -> &mut ClientSums {
        self.clients.entry(source).or_default()
    }

    /// The key, or that of all other tools if there are too many.
    pub(crate) fn fitting(&self, key: Key) -> Key {
        if self.rows.len() < MOST_ROWS || self.rows.contains_key(&key) {
            return key;
        }
        (key.0, None, "(other tools)".to_owned())
    }

    pub(crate) fn result(&mut self, key: &Key, outcome: &Outcome) {
        let row = self.rows.entry(key.clone()).or_default();
        row.plus(&Sums {
            results: 1,
            tokens: outcome.tokens,
            forms: outcome.forms,
            saved: outcome.best(),
            hook: outcome.hook,
            proxy: outcome.proxy,
            proxy_beyond: outcome.proxy.saturating_sub(outcome.hook),
            hook_beyond: outcome.hook.saturating_sub(outcome.proxy),
            drops: if outcome.drops { outcome.proxy } else { 0 },
            named: outcome.named,
            ..Sums::default()
        });
        let why = self.whys.entry(outcome.why).or_default();
        why.results += 1;
        why.tokens += outcome.tokens;
        why.decided.extend(outcome.decided.clone());
        // The same ones in any order of files.
        if why.decided.len() > MOST_NAMES {
            why.decided.pop_last();
        }
    }

    /// Keeps the beginning of the largest result.
    pub(crate) fn sample(&mut self, key: &Key, outcome: &Outcome, result: &ToolResult<'_>) {
        let row = self.rows.entry(key.clone()).or_default();
        if row.sample.as_ref().is_none_or(|(tokens, _)| *tokens < outcome.tokens) {
            let texts = result.seen.iter().flat_map(|text| text.chars());
            row.sample = Some((outcome.tokens, texts.take(MOST_SAMPLE).collect()));
        }
    }

    /// A file that is not read, or not to its end.
    pub(crate) fn skip(&mut self, reason: &str, path: &Path) {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let skipped = self.skipped.entry(reason.to_owned()).or_default();
        skipped.files += 1;
        skipped.names.push(name);
        skipped.names.sort();
        skipped.names.truncate(MOST_NAMES);
    }

    /// The sum of all rows.
    pub(crate) fn total(&self) -> Sums {
        let mut total = Sums::default();
        self.rows.values().for_each(|row| total.plus(row));
        total
    }

    /// The sum of all clients.
    pub(crate) fn all_clients(&self) -> ClientSums {
        let mut all = ClientSums::default();
        self.clients.values().for_each(|client| all.plus(client.clone()));
        all
    }
}
