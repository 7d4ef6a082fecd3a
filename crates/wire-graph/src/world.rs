//! The answers of the tools, as payloads and graph responses.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs;
use std::mem;
use std::path::Path;

use anyhow::{Context as _, Result, bail, ensure};
use goon::{GraphResponse, Node, QueryType};
use wire_core::{Edge, Payload, Symbol};

use crate::index;
use crate::link::{Edge as Link, Graph};
use crate::rank::Ranker;

/// The most symbols of a ranked answer, before its budget.
const MOST: usize = 120;
/// The bytes of the longest task.
const LONGEST_TASK: usize = 10_000;

/// A graph that answers.
#[derive(Debug, Default)]
pub(crate) struct World {
    pub(crate) graph: Graph,
    ranker: Ranker,
}

/// A symbol of an answer: its index, score and distance.
type Picked = (usize, f64, u32);

impl World {
    pub(crate) fn new(graph: Graph) -> Self {
        let ranker = Ranker::new(&graph);
        World { graph, ranker }
    }

    fn is_code(&self, id: usize) -> bool {
        !matches!(self.graph.symbols[id].kind, "file" | "package")
    }

    /// The symbols that matter for a task.
    ///
    /// # Errors
    ///
    /// The task has no word of the tree, or is longer than 10,000 bytes.
    pub(crate) fn for_task(&self, task: &str) -> Result<Payload<'static>> {
        let length = task.len();
        ensure!(
            length <= LONGEST_TASK,
            "the task has {length} bytes, expected at most {LONGEST_TASK}"
        );
        let seeds = self.ranker.seeds(task, |id| self.is_code(id));
        ensure!(
            !seeds.is_empty(),
            "no symbol has a word of {task:?}, expected what is to be done, with names of the code"
        );
        Ok(self.around("context_for_task", &seeds))
    }

    /// The symbols in and around files.
    ///
    /// # Errors
    ///
    /// A path that is not in the graph.
    pub(crate) fn for_files(&self, files: &[String], root: &Path) -> Result<Payload<'static>> {
        ensure!(!files.is_empty(), "files is empty, expected paths from the root of the tree");
        let mut wanted = HashSet::new();
        for file in files {
            // An absolute one, whatever links lead to it.
            let whole = fs::canonicalize(file).ok().filter(|_| Path::new(file).is_absolute());
            let inside = whole.and_then(|whole| index::name(root, &whole));
            let path = inside.as_deref().unwrap_or(file.trim_start_matches("./"));
            let at = self.graph.files.binary_search_by(|file| file.as_str().cmp(path)).ok();
            wanted.insert(at.with_context(|| {
                format!(
                    "no file {path:?} is in the graph, expected a path from the root of the tree"
                )
            })?);
        }
        let symbols = self.graph.symbols.iter().enumerate();
        let inside =
            symbols.filter(|(id, symbol)| self.is_code(*id) && wanted.contains(&symbol.file));
        let seeds: Vec<_> = inside.map(|(id, _)| (id, 1.0)).collect();
        Ok(self.around("context_for_files", &seeds))
    }

    fn around(&self, tool: &'static str, seeds: &[(usize, f64)]) -> Payload<'static> {
        let walk = self.ranker.walk(seeds);
        let starts = seeds.iter().map(|(id, _)| *id);
        let distances: HashMap<_, _> = self.reached(starts, 3, |_, _| true).into_iter().collect();
        let mut ids: Vec<usize> =
            (0..walk.len()).filter(|id| walk[*id] >= 0.005 && self.is_code(*id)).collect();
        let name = |id: &usize| self.graph.symbols[*id].qualified.as_str();
        ids.sort_by(|a, b| walk[*b].total_cmp(&walk[*a]).then_with(|| name(a).cmp(name(b))));
        ids.truncate(MOST);
        let distance = |id| distances.get(&id).copied().unwrap_or(3);
        let picked = ids.into_iter().map(|id| (id, power_of_two(walk[id]), distance(id)));
        self.payload(tool, &picked.collect::<Vec<_>>())
    }

    /// What depends on a symbol: edges followed backwards. A type is also reached through its members.
    pub(crate) fn blast_radius(&self, start: usize, depth: u32) -> Payload<'static> {
        let is_member = |edge: &Link| edge.kind == "contains" && edge.source == start;
        let members = self.graph.around(start).filter(|(edge, _)| is_member(edge));
        let starts = [start].into_iter().chain(members.map(|(_, member)| member));
        let mut found =
            self.reached(starts, depth, |edge, id| edge.kind != "contains" && edge.target == id);
        found.sort_unstable();
        let score = |distance: u32| power_of_two(0.5_f64.powi(distance.cast_signed()));
        let picked = found.into_iter().map(|(id, distance)| (id, score(distance), distance));
        self.payload("blast_radius", &picked.collect::<Vec<_>>())
    }

    /// Some symbols, and those within a number of edges of them, with distances, nearest first.
    /// `is_followed` says of an edge and the symbol from which it is looked at whether it counts.
    fn reached(
        &self,
        starts: impl Iterator<Item = usize>,
        most: u32,
        is_followed: impl Fn(&Link, usize) -> bool,
    ) -> Vec<(usize, u32)> {
        let mut found: Vec<(usize, u32)> = starts.map(|id| (id, 0)).collect();
        let mut known = vec![false; self.graph.symbols.len()];
        for (id, _) in &found {
            known[*id] = true;
        }
        let mut at = 0;
        while let Some(&(id, distance)) = found.get(at).filter(|(_, distance)| *distance < most) {
            for (_, other) in self.graph.around(id).filter(|(edge, _)| is_followed(edge, id)) {
                if !mem::replace(&mut known[other], true) {
                    found.push((other, distance + 1));
                }
            }
            at += 1;
        }
        found
    }

    /// The picked symbols, and the edges between them.
    fn payload(&self, tool: &'static str, picked: &[Picked]) -> Payload<'static> {
        let places: HashMap<usize, u32> = picked.iter().map(|symbol| symbol.0).zip(0..).collect();
        let mut edges = BTreeSet::new();
        let (mut resolved, mut guessed) = (HashSet::new(), HashSet::new());
        for (edge, _) in picked.iter().flat_map(|symbol| self.graph.around(symbol.0)) {
            let ends = places.get(&edge.source).zip(places.get(&edge.target));
            if let Some((source, target)) = ends.filter(|_| edge.kind != "contains") {
                edges.insert((*source, *target, edge.kind));
                let known = if edge.is_resolved { &mut resolved } else { &mut guessed };
                known.extend([edge.source, edge.target]);
            }
        }
        let symbols = picked.iter().map(|(id, score, distance)| {
            let symbol = &self.graph.symbols[*id];
            // Only guesses link it to the rest.
            let is_guess = guessed.contains(id) && !resolved.contains(id);
            Symbol::new(listed(symbol.kind), symbol.qualified.clone())
                .with_score(*score)
                .with_distance(*distance)
                .with_provenance(if is_guess { "ast_inferred" } else { "ast_resolved" })
                .with_signature(symbol.signature.clone())
        });
        let edges = edges.into_iter().map(|(source, target, kind)| Edge::new(source, target, kind));
        Payload {
            tool: tool.into(),
            symbols: symbols.collect(),
            edges: edges.collect(),
            ..Payload::default()
        }
    }

    /// The symbol with a qualified name, or with an end of it that no other has.
    ///
    /// # Errors
    ///
    /// What there is instead.
    pub(crate) fn find(&self, name: &str) -> Result<usize> {
        let ends_so = |qualified: &str| {
            let head = qualified.strip_suffix(name);
            head.is_some_and(|head| head.is_empty() || head.ends_with([':', '.']))
        };
        let qualified = |id: &usize| self.graph.symbols[*id].qualified.as_str();
        let ids = 0..self.graph.symbols.len();
        let found: Vec<usize> = ids.filter(|id| ends_so(qualified(id))).collect();
        let whole = found.iter().find(|id| qualified(id) == name);
        if let (Some(id), _) | (None, [id]) = (whole, &found[..]) {
            return Ok(*id);
        }
        let some =
            |ids: Vec<usize>| ids.iter().take(5).map(qualified).collect::<Vec<_>>().join(", ");
        if found.is_empty() {
            let near = self.ranker.seeds(name, |id| self.is_code(id));
            let near = some(near.into_iter().map(|(id, _)| id).collect());
            let near = if near.is_empty() { "no other" } else { &near };
            bail!("no symbol is named {name:?}; near: {near}");
        }
        bail!("{} symbols are named {name:?}, expected one of: {}", found.len(), some(found))
    }

    /// A symbol and its neighbours, nearest first.
    pub(crate) fn neighbours(&self, start: usize, depth: u32) -> Vec<usize> {
        let found = self.reached([start].into_iter(), depth, |_, _| true);
        found.into_iter().map(|(id, _)| id).collect()
    }

    /// Symbols with their properties, and the edges between them.
    pub(crate) fn response(&self, found: &[usize]) -> GraphResponse {
        // Numbered in the answer: indices of the graph change with every edit.
        let numbers: HashMap<usize, i64> = found.iter().copied().zip(1..).collect();
        let kind = |id: usize| {
            let kind = listed(self.graph.symbols[id].kind);
            kind[..1].to_uppercase() + &kind[1..]
        };
        let nodes = found.iter().map(|id| {
            let symbol = &self.graph.symbols[*id];
            Node::new(kind(*id), numbers[id])
                .with("name", symbol.qualified.clone())
                .with("path", self.graph.files[symbol.file].clone())
                .with("line", symbol.line)
                .with("signature", symbol.signature.clone())
        });
        let edges = found.iter().flat_map(|id| self.graph.around(*id));
        let edges: BTreeSet<_> =
            edges.map(|(edge, _)| (edge.source, edge.target, edge.kind)).collect();
        let edges = edges.into_iter().filter_map(|(source, target, edge_kind)| {
            let end = |id| Some((kind(id), *numbers.get(&id)?));
            Some(goon::Edge::new(end(source)?, edge_kind.to_uppercase(), end(target)?))
        });
        let mut response = GraphResponse::new(QueryType::Neighbors);
        (response.nodes, response.edges) = (nodes.collect(), edges.collect());
        response
    }
}

/// Powers of two from 1 to 1/64, of two decimals; less is 0.01. An edit shifts the walk a little
/// everywhere, and roots cover scores, so finer ones would make each delta a full answer (ruling F4).
fn power_of_two(score: f64) -> f64 {
    let power = score.log2().round();
    if power < -6.0 { 0.01 } else { (power.exp2() * 100.0).round() / 100.0 }
}

/// Kinds that the formats list; GCB has no others.
fn listed(kind: &'static str) -> &'static str {
    if kind == "macro" { "function" } else { kind }
}

/// What is in one graph and not in the other, with the statuses of edges.
pub(crate) fn difference(old: &Graph, new: &Graph) -> Payload<'static> {
    let ((before, old_edges), (after, new_edges)) = (named(old), named(new));
    let changed: Vec<_> = old_edges.symmetric_difference(&new_edges).collect();
    let ends: HashSet<&str> = changed.iter().flat_map(|edge| [edge.0, edge.1]).collect();
    let names: BTreeSet<&str> = before.keys().chain(after.keys()).copied().collect();
    let symbols = names.into_iter().filter_map(|name| {
        let (was, is) = (before.get(name), after.get(name));
        let (score, distance) = match (was, is) {
            (None, _) => (1.0, 0),
            (_, None) => (0.25, 0),
            _ if was != is => (0.5, 0),
            _ if ends.contains(name) => (0.13, 1),
            _ => return None,
        };
        let (kind, signature) = is.or(was).copied()?;
        let symbol = Symbol::new(kind, name.to_owned()).with_score(score).with_distance(distance);
        Some(symbol.with_provenance("ast_resolved").with_signature(signature.to_owned()))
    });
    let symbols: Vec<Symbol<'_>> = symbols.collect();
    let names = symbols.iter().map(|symbol| &*symbol.qualified_name);
    let places: HashMap<&str, u32> = names.zip(0..).collect();
    let edges = changed.iter().map(|edge| {
        let status = if new_edges.contains(*edge) { "added" } else { "removed" };
        Edge::new(places[edge.0], places[edge.1], edge.2).with_status(status)
    });
    let edges = edges.collect();
    Payload { tool: "semantic_diff".into(), symbols, edges, ..Payload::default() }
}

type NamedEdge<'g> = (&'g str, &'g str, &'static str);

/// The kinds and signatures of code by qualified name, and the edges between it.
fn named(graph: &Graph) -> (BTreeMap<&str, (&'static str, &str)>, BTreeSet<NamedEdge<'_>>) {
    let code = graph.symbols.iter().filter(|symbol| symbol.kind != "file");
    let code = code.map(|code| (&*code.qualified, (listed(code.kind), &*code.signature)));
    let code: BTreeMap<_, _> = code.collect();
    let name =
        |id: usize| Some(&*graph.symbols[id].qualified).filter(|name| code.contains_key(name));
    let edges = graph.edges.iter().filter(|edge| edge.kind != "contains");
    let edges = edges.filter_map(|edge| Some((name(edge.source)?, name(edge.target)?, edge.kind)));
    let edges = edges.collect();
    (code, edges)
}
