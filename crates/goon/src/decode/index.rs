//! What has been read, so that it is known when it is met again.
//!
//! What we write stands in order, and so does nearly all that anybody else does. As long as it does, a
//! comparison with the one before says that something is new, and a search by halves finds it again;
//! from the first on that is out of order, hashes do.

use std::collections::HashMap;
use std::collections::HashSet;
use std::hash::Hash;

use crate::response::Node;

/// A set of what mostly comes in order.
#[derive(Debug)]
pub(super) struct Ordered<T> {
    sorted: Vec<T>,
    /// All of them, once one was out of order.
    all: Option<HashSet<T>>,
}

impl<T> Default for Ordered<T> {
    fn default() -> Self {
        Ordered { sorted: Vec::new(), all: None }
    }
}

impl<T: Copy + Ord + Hash> Ordered<T> {
    /// Adds one; `false` if it is there.
    pub(super) fn insert(&mut self, new: T) -> bool {
        if let Some(all) = &mut self.all {
            return all.insert(new);
        }
        if self.sorted.last().is_none_or(|last| *last < new) {
            self.sorted.push(new);
            return true;
        }
        self.all.insert(self.sorted.drain(..).collect()).insert(new)
    }
}

/// Where each node is among all.
#[derive(Debug, Default)]
pub(super) struct Index<'a> {
    types: HashMap<&'a str, usize>,
    groups: Vec<Group<'a>>,
}

/// The nodes of a type.
#[derive(Debug)]
struct Group<'a> {
    name: &'a str,
    first: usize,
    end: usize,
    /// Their places by their ids, if they don't stand in the order of those.
    places: Option<HashMap<i64, usize>>,
}

impl<'a> Index<'a> {
    /// Up to so many types are looked through, which is faster than a hash.
    const FEW: usize = 8;

    /// Begins a type, at this node.
    pub(super) fn begin(&mut self, name: &'a str, first: usize) {
        self.types.insert(name, self.groups.len());
        self.groups.push(Group { name, first, end: first, places: None });
    }

    /// All nodes have been read.
    pub(super) fn end(&mut self, nodes: &[Node]) {
        let mut end = nodes.len();
        for group in self.groups.iter_mut().rev() {
            group.end = std::mem::replace(&mut end, group.first);
            let members = &nodes[group.first..group.end];
            if !members.is_sorted_by_key(|node| node.id) {
                let places = (group.first..).zip(members).map(|(place, node)| (node.id, place));
                group.places = Some(places.collect());
            }
        }
    }

    /// The place of the node of this type and id.
    pub(super) fn get(&self, nodes: &[Node], entity_type: &str, id: i64) -> Option<usize> {
        let group = if self.groups.len() <= Self::FEW {
            self.groups.iter().find(|group| group.name == entity_type)?
        } else {
            &self.groups[*self.types.get(entity_type)?]
        };
        if let Some(places) = &group.places {
            return places.get(&id).copied();
        }
        let members = &nodes[group.first..group.end];
        // Ids often count up.
        let first = members.first()?.id;
        let guess = id.checked_sub(first).and_then(|guess| usize::try_from(guess).ok());
        let place =
            match guess.filter(|&guess| members.get(guess).is_some_and(|node| node.id == id)) {
                Some(place) => place,
                None => members.binary_search_by_key(&id, |node| node.id).ok()?,
            };
        Some(group.first + place)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_new_is_what_a_set_says(all in proptest::collection::vec(0u8..30, 0..20), sorted: bool) {
            let mut all = all;
            if sorted {
                all.sort_unstable();
            }
            let (mut ordered, mut twin) = (Ordered::default(), HashSet::new());
            for one in all {
                prop_assert_eq!(ordered.insert(one), twin.insert(one));
            }
        }

        #[test]
        fn nodes_are_found_where_they_are(
            ids in proptest::collection::vec(proptest::collection::hash_set(prop_oneof![-20i64..20, Just(i64::MIN), Just(i64::MAX)], 0..12), 0..12),
            sorted: bool,
        ) {
            const NAMES: [&str; 12] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
            let (mut index, mut nodes, mut twin) = (Index::default(), Vec::new(), HashMap::new());
            for (name, ids) in NAMES.into_iter().zip(ids) {
                let mut ids: Vec<i64> = ids.into_iter().collect();
                if sorted {
                    ids.sort_unstable();
                }
                index.begin(name, nodes.len());
                for id in ids {
                    twin.insert((name, id), nodes.len());
                    nodes.push(Node { entity_type: name.to_owned(), id, properties: BTreeMap::new() });
                }
            }
            index.end(&nodes);
            for name in NAMES {
                for id in (-21..21).chain([i64::MIN, i64::MAX]) {
                    prop_assert_eq!(index.get(&nodes, name, id), twin.get(&(name, id)).copied());
                }
            }
        }
    }
}
