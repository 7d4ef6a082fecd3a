//! Edges by name: which symbol a name stands for, and what is wrong with one that stands for none.

use std::collections::HashMap;
use std::fmt;

use crate::payload::Symbol;

/// The end of an edge that a name stands for.
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

/// An end of an edge that no name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnnamedEnd<'p> {
    /// The index of the edge.
    pub edge: usize,
    /// Which end of it.
    pub endpoint: Endpoint,
    /// The index that it has.
    pub index: u32,
    /// The name that several symbols have; `None` where there is no symbol.
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

/// Why a name does not say which symbol is meant.
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
    /// The index of the edge, or the one that it would get.
    pub edge: usize,
    /// Which end of it.
    pub endpoint: Endpoint,
    /// The name.
    pub name: String,
    /// What is wrong with it.
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

/// Qualified names to indices; knows which names are ambiguous. Never iterated, so the order of
/// the hash map can't show.
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
