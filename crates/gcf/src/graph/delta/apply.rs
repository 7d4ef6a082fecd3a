//! Applying a delta.

use std::collections::{HashMap, HashSet};

use wire_core::text::shown;
use wire_core::{Edge, EdgeType, PackRoot, Payload, Symbol};

use super::{Delta, DeltaEdge};
use crate::graph::encode::Encoder;
use crate::graph::refused::out_of_range;
use crate::root::RootAlgorithm;
use crate::{Error, ErrorKind};

impl Delta<'_> {
    /// Applies the delta to `base` and returns the new payload. Both roots are checked: `base` must
    /// have the delta's base root, and the result its new root (3.5.3, section 10.4). `base` itself
    /// is not changed.
    ///
    /// The tool is that of the delta, if it states one; budget and tokens are those of the base.
    /// Symbols that stay keep their order, their signatures and their components. A symbol that was
    /// removed and added again keeps its position. Added symbols follow. Then all symbols are
    /// sorted by distance.
    ///
    /// # Errors
    ///
    /// * `unknown_root` when a root has no algorithm of [`RootAlgorithm`];
    /// * `base_root_mismatch` when `base` has another root;
    /// * `contradictory_delta` when the delta removes an item that `base` lacks, adds one that it
    ///   has, contains duplicates, or removes the source or target of an edge that stays;
    /// * `ambiguous_symbol_name` when the source or target of an edge is a name that two symbols
    ///   share;
    /// * `root_mismatch` when the result has another root;
    /// * the errors of [`Encoder::pack_root`] for the base.
    ///
    /// After any of them the consumer needs the full payload.
    pub fn apply(&self, base: &Payload<'_>) -> Result<Payload<'static>, Error> {
        let algorithm = |root| {
            RootAlgorithm::of(root).ok_or_else(|| {
                let found = shown(root.as_str());
                let message = format!(
                    "the root is {found}, expected 64 hexadecimal digits, bare or after `sha256:`"
                );
                Error::encode(ErrorKind::UnknownRoot, message)
            })
        };
        let (before, after) = (algorithm(&self.base_root)?, algorithm(&self.new_root)?);
        let root = |algorithm, payload: &Payload<'_>| {
            Encoder::new().root_algorithm(Some(algorithm)).pack_root(payload)
        };
        let found = root(before, base)?;
        if found != self.base_root {
            return Err(mismatch(ErrorKind::BaseRootMismatch, "base", &found, &self.base_root));
        }
        let new = self.apply_unverified(base)?;
        let found = root(after, &new)?;
        if found != self.new_root {
            return Err(mismatch(ErrorKind::RootMismatch, "new payload", &found, &self.new_root));
        }
        Ok(new)
    }

    /// Applies the delta as [`Delta::apply`] does, but without computing the roots, for producers
    /// whose roots are opaque. With a wrong base, the result may be a payload that nobody sent.
    ///
    /// # Errors
    ///
    /// `contradictory_delta` and `ambiguous_symbol_name`, as [`Delta::apply`];
    /// `edge_index_out_of_range` for the base.
    pub fn apply_unverified(&self, base: &Payload<'_>) -> Result<Payload<'static>, Error> {
        let mut work = Work::new(base)?;
        self.remove_symbols(&mut work)?;
        self.remove_edges(&mut work)?;
        self.add_symbols(&mut work)?;
        work.check_edges()?;
        self.add_edges(&mut work)?;

        let (symbols, edges) = work.finish();
        let tool = if self.tool.is_empty() { &base.tool } else { &self.tool };
        let mut new = Payload {
            tool: tool.to_string().into(),
            tokens_used: base.tokens_used,
            token_budget: base.token_budget,
            pack_root: Some(self.new_root.clone().into_owned()),
            symbols,
            edges,
        };
        new.canonicalize();
        Ok(new)
    }

    fn remove_symbols(&self, work: &mut Work) -> Result<(), Error> {
        for (index, symbol) in self.removed.iter().enumerate() {
            let key = (symbol.kind.as_str().to_owned(), symbol.qualified_name.to_string());
            let Some(&place) = work.places.get(&key) else {
                return Err(contradiction("removed", index, "is not a symbol of the base"));
            };
            if work.symbols[place].take().is_none() {
                return Err(contradiction("removed", index, "is removed twice"));
            }
        }
        Ok(())
    }

    fn add_symbols(&self, work: &mut Work) -> Result<(), Error> {
        for (index, symbol) in self.added.iter().enumerate() {
            let key = (symbol.kind.as_str().to_owned(), symbol.qualified_name.to_string());
            let place = *work.places.entry(key).or_insert(work.symbols.len());
            if place == work.symbols.len() {
                work.symbols.push(None);
            }
            let slot = &mut work.symbols[place];
            if slot.is_some() {
                return Err(contradiction("added", index, "exists already"));
            }
            *slot = Some(symbol.clone().into_owned());
        }
        work.index_names();
        Ok(())
    }

    fn remove_edges(&self, work: &mut Work) -> Result<(), Error> {
        if self.edges_removed.is_empty() {
            return Ok(());
        }
        // The index of each, and whether the base has it.
        let mut gone = HashMap::with_capacity(self.edges_removed.len());
        for (index, edge) in self.edges_removed.iter().enumerate() {
            let ends = work.ends("edges_removed", index, edge)?;
            let key = (ends, edge.edge_type.clone().into_owned());
            if gone.insert(key, (index, false)).is_some() {
                return Err(contradiction("edges_removed", index, "is removed twice"));
            }
        }
        work.edges.retain(|edge| {
            let found = gone.get_mut(&((edge.source, edge.target), edge.edge_type.clone()));
            found.map(|(_, is_found)| *is_found = true).is_none()
        });
        match gone.into_values().filter(|(_, is_found)| !is_found).min() {
            None => Ok(()),
            Some((index, _)) => {
                Err(contradiction("edges_removed", index, "is not an edge of the base"))
            }
        }
    }

    fn add_edges(&self, work: &mut Work) -> Result<(), Error> {
        let mut there: HashSet<((u32, u32), EdgeType<'static>)> = work
            .edges
            .iter()
            .map(|edge| ((edge.source, edge.target), edge.edge_type.clone()))
            .collect();
        for (index, edge) in self.edges_added.iter().enumerate() {
            let ends = work.ends("edges_added", index, edge)?;
            let edge_type = edge.edge_type.clone().into_owned();
            if !there.insert((ends, edge_type.clone())) {
                return Err(contradiction("edges_added", index, "exists already"));
            }
            work.edges.push(Edge::new(ends.0, ends.1, edge_type));
        }
        Ok(())
    }
}

/// A copy of the base that is being changed. Symbols keep their positions, so edges can be indices.
struct Work {
    symbols: Vec<Option<Symbol<'static>>>,
    edges: Vec<Edge<'static>>,
    /// The position of each symbol, by kind and name.
    places: HashMap<(String, String), usize>,
    /// The position of each name; `None` when two symbols share it.
    names: HashMap<String, Option<u32>>,
}

impl Work {
    fn new(base: &Payload<'_>) -> Result<Self, Error> {
        let mut work = Work {
            symbols: Vec::with_capacity(base.symbols.len()),
            edges: base.edges.iter().map(|edge| edge.clone().into_owned()).collect(),
            places: HashMap::with_capacity(base.symbols.len()),
            names: HashMap::new(),
        };
        for (place, symbol) in base.symbols.iter().enumerate() {
            let key = (symbol.kind.as_str().to_owned(), symbol.qualified_name.to_string());
            // Of two equal symbols the first can be removed; producers make no deltas of such a
            // base.
            work.places.entry(key).or_insert(place);
            work.symbols.push(Some(symbol.clone().into_owned()));
        }
        for (index, edge) in base.edges.iter().enumerate() {
            for (what, end) in [("source", edge.source), ("target", edge.target)] {
                if end as usize >= base.symbols.len() {
                    let symbols = base.symbols.len();
                    return Err(out_of_range(index, what, end, symbols));
                }
            }
        }
        work.index_names();
        Ok(work)
    }

    fn index_names(&mut self) {
        self.names.clear();
        for (place, symbol) in (0u32..).zip(&self.symbols) {
            if let Some(symbol) = symbol {
                self.names
                    .entry(symbol.qualified_name.to_string())
                    .and_modify(|slot| *slot = None)
                    .or_insert(Some(place));
            }
        }
    }

    fn ends(&self, list: &str, index: usize, edge: &DeltaEdge<'_>) -> Result<(u32, u32), Error> {
        let place = |name: &str, what: &str| match self.names.get(name) {
            Some(Some(place)) => Ok(*place),
            Some(None) => {
                let name = shown(name);
                let message = format!(
                    "{list}[{index}].{what} is {name}, expected a name that only one symbol has"
                );
                Err(Error::encode(ErrorKind::AmbiguousSymbolName, message))
            }
            None => Err(contradiction(list, index, &format!("has a {what} that is not a symbol"))),
        };
        Ok((place(&edge.source, "source")?, place(&edge.target, "target")?))
    }

    fn check_edges(&self) -> Result<(), Error> {
        let gone = |end: u32| self.symbols[end as usize].is_none();
        match self.edges.iter().position(|edge| gone(edge.source) || gone(edge.target)) {
            None => Ok(()),
            Some(index) => {
                let message = format!(
                    "edges[{index}] of the base has a source or target that is removed, expected the edge to be removed, too"
                );
                Err(Error::encode(ErrorKind::ContradictoryDelta, message))
            }
        }
    }

    /// The remaining symbols in the order of their positions, and the edges between them.
    fn finish(self) -> (Vec<Symbol<'static>>, Vec<Edge<'static>>) {
        let mut index = 0u32;
        let mut indices = Vec::with_capacity(self.symbols.len());
        for symbol in &self.symbols {
            indices.push(index);
            index += u32::from(symbol.is_some());
        }
        let mut edges = self.edges;
        for edge in &mut edges {
            edge.source = indices[edge.source as usize];
            edge.target = indices[edge.target as usize];
        }
        (self.symbols.into_iter().flatten().collect(), edges)
    }
}

#[cold]
fn contradiction(list: &str, index: usize, problem: &str) -> Error {
    let message = format!("{list}[{index}] {problem}, expected a delta of this base");
    Error::encode(ErrorKind::ContradictoryDelta, message)
}

#[cold]
fn mismatch(kind: ErrorKind, what: &str, found: &PackRoot<'_>, expected: &PackRoot<'_>) -> Error {
    Error::encode(kind, format!("the root of the {what} is {found}, expected {expected}"))
}
