//! Edges by name: which symbol a name means, and the errors when it means no symbol or several.

use std::collections::{HashMap, HashSet};
use std::fmt;

use crate::payload::{Edge, Payload, Symbol};
use crate::vocab::EdgeType;

/// The end of an edge that a name is for: source or target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endpoint {
    /// The edge's source.
    Source,
    /// The edge's target.
    Target,
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Endpoint::Source => "source",
            Endpoint::Target => "target",
        })
    }
}

/// An edge whose source or target can't be written as a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnnamedEnd<'p> {
    /// The index of the edge.
    pub edge: usize,
    /// The end of the edge that the name is for.
    pub endpoint: Endpoint,
    /// The index that it has.
    pub index: u32,
    /// The name that several symbols share; `None` when the index is not that of a symbol.
    pub name: Option<&'p str>,
    pub(crate) symbols: usize,
}

impl fmt::Display for UnnamedEnd<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UnnamedEnd { edge, endpoint, index, name, symbols } = self;
        write!(f, "edges[{edge}].{endpoint}")?;
        match name {
            None => write!(f, " is {index}, and there are {symbols} symbols"),
            Some(name) => write!(
                f,
                ": more than one symbol is named {}, and edges are written by name",
                crate::text::shown(name)
            ),
        }
    }
}

impl std::error::Error for UnnamedEnd<'_> {}

/// Why a name does not identify a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameProblem {
    /// No symbol of the payload has the name.
    Unknown,
    /// More than one symbol of the payload has the name.
    Ambiguous,
}

/// An edge names a symbol that is not there, or one of several.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("edges[{edge}].{endpoint}: {} {}", match problem {
    NameProblem::Unknown => "no symbol is named",
    NameProblem::Ambiguous => "more than one symbol is named",
}, crate::text::shown(name))]
pub struct EdgeNameError {
    /// The index of the edge, or the index that it would get.
    pub edge: usize,
    /// The end of the edge that the name is for.
    pub endpoint: Endpoint,
    /// The name.
    pub name: String,
    /// Why the name does not identify a symbol.
    pub problem: NameProblem,
}

impl EdgeNameError {
    /// A stable code: `unknown_symbol_name` or `ambiguous_symbol_name`.
    pub fn code(&self) -> &'static str {
        match self.problem {
            NameProblem::Unknown => "unknown_symbol_name",
            NameProblem::Ambiguous => "ambiguous_symbol_name",
        }
    }
}

/// Why symbols and edges can't become a payload: the error of
/// [`PayloadBuilder::build`](crate::PayloadBuilder::build).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// Two symbols have one kind and one qualified name.
    #[error(
        "symbols[{index}]: symbols[{first}] is the {kind} {} already",
        crate::text::shown(name)
    )]
    DuplicateSymbol {
        /// The index of the second symbol.
        index: usize,
        /// The index of the first symbol.
        first: usize,
        /// Their kind.
        kind: String,
        /// Their qualified name.
        name: String,
    },
    /// The name of an edge's source or target is that of no symbol, or of several.
    #[error(transparent)]
    Edge(#[from] EdgeNameError),
}

impl BuildError {
    /// A stable code: `duplicate_symbol`, `unknown_symbol_name` or `ambiguous_symbol_name`.
    pub fn code(&self) -> &'static str {
        match self {
            BuildError::DuplicateSymbol { .. } => "duplicate_symbol",
            BuildError::Edge(error) => error.code(),
        }
    }
}

/// Qualified names to indices, with a mark for ambiguous names. It is never iterated, so the order
/// of the hash map has no effect.
pub(crate) struct NameIndex<'s>(HashMap<&'s str, Option<u32>>);

impl<'s> NameIndex<'s> {
    pub(crate) fn new(symbols: &'s [Symbol<'_>]) -> Self {
        let mut names = HashMap::with_capacity(symbols.len());
        for (index, symbol) in (0u32..).zip(symbols) {
            names
                .entry(&*symbol.qualified_name)
                .and_modify(|slot| *slot = None)
                .or_insert(Some(index));
        }
        NameIndex(names)
    }

    pub(crate) fn get(&self, name: &str) -> Result<u32, NameProblem> {
        match self.0.get(name) {
            Some(Some(index)) => Ok(*index),
            Some(None) => Err(NameProblem::Ambiguous),
            None => Err(NameProblem::Unknown),
        }
    }
}

impl Payload<'_> {
    /// The names of the source and target of each edge, for formats that write edges by name.
    ///
    /// ```
    /// use wire_core::{Edge, Payload, Symbol};
    ///
    /// let mut payload = Payload::default();
    /// payload.symbols =
    ///     vec![Symbol::new("function", "a"), Symbol::new("function", "b")];
    /// payload.edges = vec![Edge::new(1, 0, "calls"), Edge::new(0, 2, "calls")];
    /// let names: Vec<_> = payload.edge_names().collect();
    /// assert_eq!(names[0], Ok(("b", "a")));
    /// let error = names[1].clone().unwrap_err();
    /// assert_eq!(error.to_string(), "edges[1].target is 2, and there are 2 symbols");
    /// ```
    ///
    /// # Errors
    ///
    /// [`UnnamedEnd`] when the source or target of an edge is not a symbol, or has a name that
    /// several symbols share.
    pub fn edge_names(&self) -> impl Iterator<Item = Result<(&str, &str), UnnamedEnd<'_>>> {
        let names = (!self.edges.is_empty()).then(|| NameIndex::new(&self.symbols));
        let name_of = move |edge, endpoint, index: u32| {
            let unnamed =
                |name| UnnamedEnd { edge, endpoint, index, name, symbols: self.symbols.len() };
            let symbol = self.symbols.get(index as usize).ok_or_else(|| unnamed(None))?;
            let name = &*symbol.qualified_name;
            match names.as_ref().map(|names| names.get(name)) {
                Some(Err(NameProblem::Ambiguous)) => Err(unnamed(Some(name))),
                _ => Ok(name),
            }
        };
        self.edges.iter().enumerate().map(move |(index, edge)| {
            let source = name_of(index, Endpoint::Source, edge.source)?;
            Ok((source, name_of(index, Endpoint::Target, edge.target)?))
        })
    }
}

impl<'a> Payload<'a> {
    /// Adds the edges between the payload's symbols that `neighbours` finds, and returns the number
    /// of edges added.
    ///
    /// `neighbours` is called once for each symbol, in order. From whatever graph the caller has,
    /// it returns the names of the symbols that this symbol points at, each with its edge type.
    /// Names that are not in the payload are skipped, and an edge that exists already is not added
    /// again.
    ///
    /// ```
    /// use wire_core::{EdgeType, Payload, Symbol};
    ///
    /// let mut payload = Payload::default();
    /// payload.symbols =
    ///     vec![Symbol::new("function", "a"), Symbol::new("function", "b")];
    /// let added = payload.discover_edges(|symbol| match &*symbol.qualified_name {
    ///     "a" => vec![("b", EdgeType::Calls), ("elsewhere", EdgeType::Calls)],
    ///     _ => vec![],
    /// })?;
    /// assert_eq!(added, 1);
    /// # Ok::<(), wire_core::EdgeNameError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`EdgeNameError`] when several symbols share the name of a neighbour; then no edge is added.
    pub fn discover_edges<N, F>(&mut self, mut neighbours: F) -> Result<usize, EdgeNameError>
    where
        N: AsRef<str>,
        F: FnMut(&Symbol<'a>) -> Vec<(N, EdgeType<'a>)>,
    {
        let mut found = Vec::new();
        {
            let names = NameIndex::new(&self.symbols);
            let mut known: HashSet<(u32, u32, EdgeType<'a>)> = self
                .edges
                .iter()
                .map(|edge| (edge.source, edge.target, edge.edge_type.clone()))
                .collect();
            for (source, symbol) in (0u32..).zip(&self.symbols) {
                for (name, edge_type) in neighbours(symbol) {
                    let name = name.as_ref();
                    let target = match names.get(name) {
                        Ok(target) => target,
                        Err(NameProblem::Unknown) => continue,
                        Err(problem) => {
                            return Err(EdgeNameError {
                                edge: self.edges.len() + found.len(),
                                endpoint: Endpoint::Target,
                                name: name.to_owned(),
                                problem,
                            });
                        }
                    };
                    if known.insert((source, target, edge_type.clone())) {
                        found.push(Edge::new(source, target, edge_type));
                    }
                }
            }
        }
        let added = found.len();
        self.edges.append(&mut found);
        Ok(added)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn discovery_keeps_edges_among_the_symbols() {
        let symbol = |name: &'static str| Symbol::new("function", name);
        let mut payload = Payload {
            symbols: ["far", "b", "near", "a"].map(symbol).to_vec(),
            edges: vec![Edge::new(3, 1, "calls")],
            ..Payload::default()
        };
        let lookup = |symbol: &Symbol<'_>| match &*symbol.qualified_name {
            "a" => vec![
                ("b", EdgeType::Calls),
                ("b", EdgeType::Imports),
                ("elsewhere", EdgeType::Calls),
            ],
            "near" => vec![("far", EdgeType::Tests), ("far", EdgeType::Tests)],
            _ => vec![],
        };
        assert_eq!(payload.discover_edges(lookup), Ok(2));
        assert_eq!(payload.edges[1..], [Edge::new(2, 0, "tests"), Edge::new(3, 1, "imports")]);

        payload.symbols.push(Symbol::new("type", "b"));
        let before = payload.clone();
        let error = payload.discover_edges(lookup).unwrap_err();
        assert_eq!((error.code(), &*error.name), ("ambiguous_symbol_name", "b"));
        assert_eq!(payload, before);
    }
}
