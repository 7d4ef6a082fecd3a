//! The symbols of a session's ids, and decoding that resolves references with them.

use wire_core::text::shown;
use wire_core::{Kind, Provenance, Symbol};

use crate::ErrorKind;
use crate::graph::decode::{Ids, Policy, SymbolLine};
use crate::lines::Diagnosis;

#[derive(Clone, Debug, Default)]
pub(in crate::graph) struct KnownSymbols {
    ids: Ids,
    symbols: Vec<Known>,
}

#[derive(Clone, Debug)]
struct Known {
    kind: Kind<'static>,
    qualified_name: Box<str>,
    score: f64,
    provenance: Provenance<'static>,
    distance: u32,
}

impl Known {
    fn of(symbol: &Symbol<'_>) -> Self {
        Known {
            kind: symbol.kind.clone().into_owned(),
            qualified_name: symbol.qualified_name.as_ref().into(),
            score: symbol.score,
            provenance: symbol.provenance.clone().into_owned(),
            distance: symbol.distance,
        }
    }
}

impl KnownSymbols {
    pub(super) fn len(&self) -> usize {
        self.symbols.len()
    }

    pub(super) fn has(&self, id: u32) -> bool {
        self.ids.resolve(id).is_some()
    }

    pub(super) fn reserve(&mut self, more: usize) {
        self.symbols.reserve(more);
    }

    fn find(&self, id: u32) -> Option<&Known> {
        self.ids.resolve(id).map(|index| &self.symbols[index as usize])
    }

    /// The symbol of a reference, at the distance of its last declaration.
    pub(in crate::graph) fn get(&self, id: u32) -> Option<Symbol<'static>> {
        let known = self.find(id)?;
        let symbol = Symbol::new(known.kind.clone(), known.qualified_name.to_string())
            .with_score(known.score)
            .with_provenance(known.provenance.clone())
            .with_distance(known.distance);
        Some(symbol)
    }

    /// Checks that an id is not bound to another symbol.
    pub(in crate::graph) fn check(&self, id: u32, kind: &str, name: &str) -> Result<(), Diagnosis> {
        match self.find(id) {
            Some(bound) if bound.kind.as_str() != kind || *bound.qualified_name != *name => {
                let Known { kind, qualified_name, .. } = bound;
                Err(session_id_conflict(id, kind.as_str(), qualified_name))
            }
            _ => Ok(()),
        }
    }

    /// Binds an id to a symbol, or updates the symbol.
    pub(super) fn bind(&mut self, id: u32, symbol: &Symbol<'_>) {
        let known = Known::of(symbol);
        match self.ids.resolve(id) {
            Some(index) => self.symbols[index as usize] = known,
            None => {
                self.ids.declare(id);
                self.symbols.push(known);
            }
        }
    }
}

/// Strict decoding that resolves references with the symbols of the session.
pub(super) struct InSession<'k> {
    known: &'k KnownSymbols,
    /// The ids that the payload declares, and the indices of their symbols.
    pub(super) declared: Vec<(u32, u32)>,
}

impl<'k> InSession<'k> {
    pub(super) fn new(known: &'k KnownSymbols) -> Self {
        InSession { known, declared: Vec::new() }
    }
}

impl Policy for InSession<'_> {
    fn resolve(&self, id: u32) -> Option<Symbol<'static>> {
        self.known.get(id)
    }

    fn declare(&mut self, symbol: &SymbolLine<'_>, index: u32) -> Result<(), Diagnosis> {
        self.known.check(symbol.id, symbol.kind.as_str(), symbol.qualified_name)?;
        self.declared.push((symbol.id, index));
        Ok(())
    }
}

#[cold]
fn session_id_conflict(id: u32, kind: &str, qualified_name: &str) -> Diagnosis {
    let name = shown(qualified_name);
    let message = format!("the session has bound @{id} to {kind} {name}, expected the same symbol");
    Diagnosis::new(ErrorKind::SessionIdConflict, 1, message)
}
