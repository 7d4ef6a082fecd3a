//! The rule of ranking, all of it: BM25 over names (three times), qualified names, signatures (half)
//! and comments picks 12 seeds. A random walk with restart from them ranks the rest, over edges in
//! both directions: calls weigh 1, references ½, `contains` 0.3, guesses half.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use crate::link::{Edge, Graph};

const K1: f64 = 1.2;
const B: f64 = 0.75;
const SEEDS: usize = 12;
const RESTART: f64 = 0.25;
const STEPS: usize = 20;

/// `parseHTTPHeader_2` → pars, http, header: identifiers are split, plain English endings are cut.
fn words(text: &str) -> Vec<String> {
    let (mut all, mut word, mut before) = (Vec::new(), String::new(), ' ');
    for c in text.chars().chain([' ']) {
        let is_end = !c.is_alphanumeric()
            || (c.is_uppercase() && before.is_lowercase())
            || c.is_numeric() != before.is_numeric();
        if is_end {
            if word.len() > 1 && !STOP.contains(&*word) {
                let ends = ["ing", "es", "ed", "s"].iter().find_map(|end| word.strip_suffix(end));
                all.push(ends.filter(|stem| stem.len() > 2).unwrap_or(&word).to_owned());
            }
            word.clear();
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        before = c;
    }
    all
}

static STOP: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    "the of to and in is it an for that with as by or be on at are this which how \
    what where when does do from has not no its if we you can into why new pub fn self str let mut \
    impl def func const"
        .split(' ')
        .collect()
});

/// What ranks the symbols of a graph.
#[derive(Debug, Default)]
pub(crate) struct Ranker {
    /// Of each word the symbols that have it, with weighted counts.
    postings: HashMap<String, Vec<(usize, f64)>>,
    lengths: Vec<f64>,
    /// Where a walk goes from each symbol, and how often.
    steps: Vec<Vec<(usize, f64)>>,
}

impl Ranker {
    pub(crate) fn new(graph: &Graph) -> Self {
        let mut postings: HashMap<String, Vec<(usize, f64)>> = HashMap::new();
        let mut lengths = Vec::new();
        for (id, symbol) in graph.symbols.iter().enumerate() {
            let mut counts: HashMap<String, f64> = HashMap::new();
            let name = symbol.qualified.rsplit([':', '.']).next().unwrap_or_default();
            let texts = [name, &symbol.qualified, &symbol.signature, &symbol.comment];
            for (text, weight) in texts.into_iter().zip([3.0, 1.0, 0.5, 1.0]) {
                for word in words(text) {
                    *counts.entry(word).or_default() += weight;
                }
            }
            // Weights are halves, so that sums are exact in any order.
            lengths.push(counts.values().sum());
            for (word, count) in counts {
                postings.entry(word).or_default().push((id, count));
            }
        }
        let steps = |id| {
            let all: f64 = graph.around(id).map(|(edge, _)| weight(edge)).sum();
            graph.around(id).map(|(edge, to)| (to, weight(edge) / all)).collect()
        };
        let steps = (0..graph.symbols.len()).map(steps).collect();
        Ranker { postings, lengths, steps }
    }

    /// The symbols whose text is nearest to a task, with their scores, best first.
    pub(crate) fn seeds(&self, task: &str, is_wanted: impl Fn(usize) -> bool) -> Vec<(usize, f64)> {
        let average = self.lengths.iter().sum::<f64>() / self.lengths.len().max(1) as f64;
        let mut scores = vec![0.0; self.lengths.len()];
        let mut query = words(task);
        query.sort_unstable();
        query.dedup();
        for word in query {
            let Some(list) = self.postings.get(&word) else { continue };
            let with = list.len() as f64;
            let rarity = (1.0 + (self.lengths.len() as f64 - with + 0.5) / (with + 0.5)).ln();
            for &(id, count) in list.iter().filter(|(id, _)| is_wanted(*id)) {
                let norm = K1 * (1.0 - B + B * self.lengths[id] / average);
                scores[id] += rarity * count * (K1 + 1.0) / (count + norm);
            }
        }
        let mut seeds: Vec<_> =
            scores.into_iter().enumerate().filter(|(_, score)| *score > 0.0).collect();
        seeds.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        seeds.truncate(SEEDS);
        seeds
    }

    /// How often a walk that restarts at the seeds is at each symbol, in parts of the most frequent.
    pub(crate) fn walk(&self, seeds: &[(usize, f64)]) -> Vec<f64> {
        let sum: f64 = seeds.iter().map(|(_, score)| score).sum();
        let mut restart = vec![0.0; self.steps.len()];
        for (id, score) in seeds {
            restart[*id] = score / sum;
        }
        let mut at = restart.clone();
        for _ in 0..STEPS {
            let mut next: Vec<f64> = restart.iter().map(|part| part * RESTART).collect();
            for (id, here) in at.iter().enumerate().filter(|(_, here)| **here >= 1e-6) {
                for (to, part) in &self.steps[id] {
                    next[*to] += here * (1.0 - RESTART) * part;
                }
            }
            at = next;
        }
        let most = at.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        at.iter().map(|part| part / most).collect()
    }
}

fn weight(edge: &Edge) -> f64 {
    let weight = match edge.kind {
        "contains" => 0.3,
        "references" => 0.5,
        _ => 1.0,
    };
    if edge.is_resolved { weight } else { weight / 2.0 }
}
