//! The answers of the tools, as payloads and graph responses.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use goon::{GraphResponse, Node, Pagination, QueryType};
use wire_core::{Edge, Payload, Symbol};

use crate::link::Graph;
use crate::rank::Ranker;

/// The most symbols of a ranked answer, before its budget.
const MOST: usize = 120;
/// The bytes of the longest task.
const LONGEST_TASK: usize = 10_000;

/// A graph that answers.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) graph: Graph,
    ranker: Ranker,
    /// Of each symbol the indices of its edges.
    edges_of: Vec<Vec<usize>>,
}

/// A symbol of an answer: its index, score and distance.
struct Picked {
    id: usize,
    score: f64,
    distance: u32,
}

impl World {
    pub(crate) fn new(graph: Graph) -> Self {
        let ranker = Ranker::new(&graph);
        let mut edges_of = vec![Vec::new(); graph.symbols.len()];
        for (n, edge) in graph.edges.iter().enumerate() {
            edges_of[edge.source].push(n);
            edges_of[edge.target].push(n);
        }
        World { graph, ranker, edges_of }
    }

    fn is_code(&self, id: usize) -> bool {
        !matches!(self.graph.symbols[id].kind, "file" | "package")
    }

    /// The symbols that matter for a task.
    ///
    /// # Errors
    ///
    /// The task has no word of the tree, or is longer than 10,000 bytes.
    pub(crate) fn for_task(&self, task: &str) -> Result<Payload<'static>, String> {
        if task.len() > LONGEST_TASK {
            return Err(format!(
                "the task has {} bytes, expected at most {LONGEST_TASK}",
                task.len()
            ));
        }
        let seeds = self.ranker.seeds(task, |id| self.is_code(id));
        if seeds.is_empty() {
            return Err(format!(
                "no symbol has a word of {task:?}, expected what is to be done, with names of the code"
            ));
        }
        Ok(self.around("context_for_task", &seeds))
    }

    /// The symbols in and around files.
    ///
    /// # Errors
    ///
    /// A path that is not in the graph.
    pub(crate) fn for_files(&self, files: &[String]) -> Result<Payload<'static>, String> {
        if files.is_empty() {
            return Err("files is empty, expected paths from the root of the tree".to_owned());
        }
        let mut wanted = HashSet::new();
        for path in files {
            let path = path.trim_start_matches("./");
            let at = self.graph.files.binary_search_by(|file| file.as_str().cmp(path));
            wanted.insert(at.map_err(|_| {
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
        if seeds.is_empty() {
            return self.payload(tool, Vec::new());
        }
        let walk = self.ranker.walk(seeds);
        let distances = self.ranker.distances(seeds, 3);
        let mut ids: Vec<usize> =
            (0..walk.len()).filter(|id| walk[*id] >= 0.005 && self.is_code(*id)).collect();
        let name = |id: &usize| self.graph.symbols[*id].qualified.as_str();
        ids.sort_by(|a, b| walk[*b].total_cmp(&walk[*a]).then_with(|| name(a).cmp(name(b))));
        ids.truncate(MOST);
        let picked = ids.into_iter().map(|id| Picked {
            id,
            score: power_of_two(walk[id]),
            distance: distances.get(&id).copied().unwrap_or(3),
        });
        self.payload(tool, picked.collect())
    }

    /// What depends on a symbol: edges followed backwards. A type is also reached through its members.
    pub(crate) fn blast_radius(&self, start: usize, depth: u32) -> Payload<'static> {
        let mut found = BTreeMap::from([(start, 0)]);
        let members = self.edges_of[start].iter().map(|n| &self.graph.edges[*n]);
        let members = members.filter(|edge| edge.kind == "contains" && edge.source == start);
        found.extend(members.map(|edge| (edge.target, 0)));
        let mut border: Vec<usize> = found.keys().copied().collect();
        for distance in 1..=depth {
            let mut next = BTreeSet::new();
            for &id in &border {
                let edges = self.edges_of[id].iter().map(|n| &self.graph.edges[*n]);
                let back = edges.filter(|edge| edge.kind != "contains" && edge.target == id);
                next.extend(back.map(|edge| edge.source).filter(|from| !found.contains_key(from)));
            }
            found.extend(next.iter().map(|id| (*id, distance)));
            border = next.into_iter().collect();
        }
        let picked = found.into_iter().map(|(id, distance)| Picked {
            id,
            score: power_of_two(0.5_f64.powi(i32::try_from(distance).unwrap_or(i32::MAX))),
            distance,
        });
        self.payload("blast_radius", picked.collect())
    }

    /// The picked symbols, and the edges between them.
    fn payload(&self, tool: &'static str, picked: Vec<Picked>) -> Payload<'static> {
        let places: HashMap<usize, u32> = picked.iter().map(|symbol| symbol.id).zip(0..).collect();
        let mut edges = BTreeSet::new();
        let (mut resolved, mut guessed) = (HashSet::new(), HashSet::new());
        for n in picked.iter().flat_map(|symbol| &self.edges_of[symbol.id]) {
            let edge = &self.graph.edges[*n];
            if edge.kind != "contains"
                && let (Some(source), Some(target)) =
                    (places.get(&edge.source), places.get(&edge.target))
            {
                edges.insert((*source, *target, edge.kind));
                let known = if edge.is_resolved { &mut resolved } else { &mut guessed };
                known.extend([edge.source, edge.target]);
            }
        }
        let symbols = picked.into_iter().map(|Picked { id, score, distance }| {
            let symbol = &self.graph.symbols[id];
            // Only guesses link it to the rest.
            let is_guess = guessed.contains(&id) && !resolved.contains(&id);
            Symbol::new(listed(symbol.kind), symbol.qualified.clone())
                .with_score(score)
                .with_distance(distance)
                .with_provenance(if is_guess { "ast_inferred" } else { "ast_resolved" })
                .with_signature(symbol.signature.clone())
        });
        Payload {
            tool: tool.into(),
            symbols: symbols.collect(),
            edges: edges
                .into_iter()
                .map(|(source, target, kind)| Edge::new(source, target, kind))
                .collect(),
            ..Payload::default()
        }
    }

    /// The symbol with a qualified name, or with an end of it that no other has.
    ///
    /// # Errors
    ///
    /// What there is instead.
    pub(crate) fn find(&self, name: &str) -> Result<usize, String> {
        let ends_so = |qualified: &str| {
            let head = qualified.strip_suffix(name);
            head.is_some_and(|head| head.is_empty() || head.ends_with([':', '.']))
        };
        let symbols = self.graph.symbols.iter().enumerate();
        let found: Vec<usize> =
            symbols.filter(|(_, symbol)| ends_so(&symbol.qualified)).map(|(id, _)| id).collect();
        let qualified = |id: &usize| self.graph.symbols[*id].qualified.as_str();
        match (found.iter().find(|id| qualified(id) == name), &found[..]) {
            (Some(id), _) | (None, [id]) => Ok(*id),
            (None, []) => {
                let near = self.ranker.seeds(name, |id| self.is_code(id));
                let near: Vec<&str> = near.iter().take(5).map(|(id, _)| qualified(id)).collect();
                let near = if near.is_empty() { "no other".to_owned() } else { near.join(", ") };
                Err(format!("no symbol is named {name:?}; near: {near}"))
            }
            (None, many) => {
                let some: Vec<&str> = many.iter().take(5).map(qualified).collect();
                let some = some.join(", ");
                Err(format!("{} symbols are named {name:?}, expected one of: {some}", many.len()))
            }
        }
    }

    /// The neighbours of a symbol with their properties, nearest first, at most `most` of them.
    pub(crate) fn query(&self, start: usize, depth: u32, most: usize) -> GraphResponse {
        let mut found = vec![start];
        let mut border = 0;
        for _ in 0..depth {
            let mut known: HashSet<usize> = found.iter().copied().collect();
            for at in std::mem::replace(&mut border, found.len())..found.len() {
                let id = found[at];
                for edge in self.edges_of[id].iter().map(|n| &self.graph.edges[*n]) {
                    let other = if edge.source == id { edge.target } else { edge.source };
                    if known.insert(other) {
                        found.push(other);
                    }
                }
            }
        }
        let is_cut = found.len() > most;
        found.truncate(most);
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
        let edges: BTreeSet<usize> =
            found.iter().flat_map(|id| &self.edges_of[*id]).copied().collect();
        let edges = edges.into_iter().filter_map(|n| {
            let edge = &self.graph.edges[n];
            let end = |id| Some((kind(id), *numbers.get(&id)?));
            Some(goon::Edge::new(end(edge.source)?, edge.kind.to_uppercase(), end(edge.target)?))
        });
        let mut response = GraphResponse::new(QueryType::Neighbors);
        (response.nodes, response.edges) = (nodes.collect(), edges.collect());
        response.pagination =
            is_cut.then(|| Pagination { has_more: true, ..Pagination::default() });
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
    let (before, after) = (signatures(old), signatures(new));
    let (old_edges, new_edges) = (edges(old), edges(new));
    let mut picked: BTreeMap<&str, (f64, u32)> = BTreeMap::new();
    for (name, symbol) in &after {
        match before.get(name) {
            None => picked.insert(name, (1.0, 0)),
            Some(was) if was != symbol => picked.insert(name, (0.5, 0)),
            Some(_) => None,
        };
    }
    picked.extend(
        before.keys().filter(|name| !after.contains_key(*name)).map(|name| (*name, (0.25, 0))),
    );
    let added = new_edges.difference(&old_edges).map(|edge| (*edge, "added"));
    let removed = old_edges.difference(&new_edges).map(|edge| (*edge, "removed"));
    let changed: BTreeMap<_, _> = added.chain(removed).collect();
    for (source, target, _) in changed.keys() {
        for end in [source, target] {
            picked.entry(end).or_insert((0.13, 1));
        }
    }
    let places: HashMap<&str, u32> = picked.keys().copied().zip(0..).collect();
    let symbols = picked.iter().map(|(name, (score, distance))| {
        let (kind, signature) =
            after.get(name).or_else(|| before.get(name)).copied().unwrap_or_default();
        Symbol::new(kind, (*name).to_owned())
            .with_score(*score)
            .with_distance(*distance)
            .with_provenance("ast_resolved")
            .with_signature(signature.to_owned())
    });
    let edges = changed.iter().map(|((source, target, kind), status)| {
        Edge::new(places[source], places[target], *kind).with_status(*status)
    });
    Payload {
        tool: "semantic_diff".into(),
        symbols: symbols.collect(),
        edges: edges.collect(),
        ..Payload::default()
    }
}

/// Kinds and signatures by qualified name.
fn signatures(graph: &Graph) -> BTreeMap<&str, (&'static str, &str)> {
    let symbols = graph.symbols.iter().filter(|symbol| symbol.kind != "file");
    symbols.map(|symbol| (&*symbol.qualified, (listed(symbol.kind), &*symbol.signature))).collect()
}

type NamedEdge<'g> = (&'g str, &'g str, &'static str);

fn edges(graph: &Graph) -> BTreeSet<NamedEdge<'_>> {
    let name = |id: usize| graph.symbols[id].qualified.as_str();
    let between_code = |edge: &&crate::link::Edge| {
        edge.kind != "contains"
            && [edge.source, edge.target].iter().all(|id| graph.symbols[*id].kind != "file")
    };
    graph
        .edges
        .iter()
        .filter(between_code)
        .map(|e| (name(e.source), name(e.target), e.kind))
        .collect()
}
