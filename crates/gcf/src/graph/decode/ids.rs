//! From the ids of a text to the indices of a payload.

use std::collections::HashMap;

use crate::ErrorKind;
use crate::lines::Diagnosis;

/// The symbols of ids.
///
/// Ids count from 0 in every payload except those of a session. So a number suffices until a text
/// deviates.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ids {
    count: u32,
    /// Every id so far, after one that differed from the number of symbols before it.
    sparse: Option<HashMap<u32, u32>>,
}

impl Ids {
    /// The number of symbols declared so far, which is the index of the next.
    #[inline]
    pub(crate) fn count(&self) -> u32 {
        self.count
    }

    #[inline]
    pub(crate) fn is_free(&self, id: u32) -> bool {
        (id == self.count && self.sparse.is_none()) || self.resolve(id).is_none()
    }

    /// Declares the next symbol with `id`; `false` when the id is in use.
    #[inline]
    pub(crate) fn declare(&mut self, id: u32) -> bool {
        let fresh =
            if id == self.count && self.sparse.is_none() { true } else { self.declare_sparse(id) };
        self.count += u32::from(fresh);
        fresh
    }

    #[cold]
    fn declare_sparse(&mut self, id: u32) -> bool {
        let count = self.count;
        let sparse = self.sparse.get_or_insert_with(|| (0..count).map(|id| (id, id)).collect());
        match sparse.entry(id) {
            std::collections::hash_map::Entry::Occupied(_) => false,
            std::collections::hash_map::Entry::Vacant(slot) => {
                slot.insert(count);
                true
            }
        }
    }

    #[inline]
    pub(crate) fn resolve(&self, id: u32) -> Option<u32> {
        match &self.sparse {
            None => (id < self.count).then_some(id),
            Some(sparse) => sparse.get(&id).copied(),
        }
    }
}

#[cold]
pub(in crate::graph) fn duplicate_id(id: u32) -> Diagnosis {
    let message = format!("the id @{id} is declared twice, expected different ids");
    Diagnosis::new(ErrorKind::DuplicateSymbolId, 1, message)
}

#[cold]
pub(super) fn undeclared(id: u32, at: usize) -> Diagnosis {
    let message = format!("the edge refers to @{id}, expected the id of an earlier symbol line");
    Diagnosis::new(ErrorKind::UnknownEdgeReference, at, message)
}

#[cold]
pub(in crate::graph) fn unresolved(id: u32) -> Diagnosis {
    let message = format!(
        "@{id} refers to a symbol of an earlier text of the session, which was not read, expected that text first, or a whole payload"
    );
    Diagnosis::new(ErrorKind::UnresolvedReference, 1, message)
}
