//! An index of the items read so far, to find references to them.
//!
//! Our texts are sorted, and so are nearly all others. While they are, comparing an item with the
//! one before shows that it is new, and a binary search finds it again. From the first item that is
//! out of order, a hash map is used.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;

/// A map whose keys mostly come in order.
#[derive(Debug)]
pub(super) struct Ordered<K, V> {
    sorted: Vec<(K, V)>,
    /// All of them, once one was out of order.
    all: Option<HashMap<K, V>>,
}

impl<K, V> Default for Ordered<K, V> {
    fn default() -> Self {
        Ordered { sorted: Vec::new(), all: None }
    }
}

impl<K: Copy + Ord + Hash, V: Copy> Ordered<K, V> {
    /// Adds an item; `false` when its key exists already.
    pub(super) fn insert(&mut self, key: K, value: V) -> bool {
        if self.all.is_none() {
            if self.sorted.last().is_none_or(|(last, _)| *last < key) {
                self.sorted.push((key, value));
                return true;
            }
            self.all = Some(self.sorted.drain(..).collect());
        }
        match self.all.get_or_insert_default().entry(key) {
            Entry::Occupied(_) => false,
            Entry::Vacant(entry) => {
                entry.insert(value);
                true
            }
        }
    }

    /// The value of a key. `guess` is its probable distance from the first one.
    fn get(&self, key: K, guess: Option<usize>) -> Option<V> {
        if let Some(all) = &self.all {
            return all.get(&key).copied();
        }
        let guessed = guess.and_then(|guess| self.sorted.get(guess));
        if let Some((_, value)) = guessed.filter(|(found, _)| *found == key) {
            return Some(*value);
        }
        let place = self.sorted.binary_search_by_key(&key, |(key, _)| *key).ok()?;
        Some(self.sorted[place].1)
    }
}

/// The position of each node among all nodes, by its type and id.
#[derive(Debug, Default)]
pub(super) struct Index<'a> {
    /// The positions of the types, once there are many.
    types: HashMap<&'a str, usize>,
    places: Vec<(&'a str, Ordered<i64, usize>)>,
}

impl<'a> Index<'a> {
    /// Up to this many types, a linear search is faster than a hash.
    const FEW: usize = 8;

    /// The nodes of a type by their ids, to add one.
    pub(super) fn of_type_mut(&mut self, name: &'a str) -> &mut Ordered<i64, usize> {
        let place = self.find(name).unwrap_or_else(|| {
            self.types.insert(name, self.places.len());
            self.places.push((name, Ordered::default()));
            self.places.len() - 1
        });
        &mut self.places[place].1
    }

    fn find(&self, name: &str) -> Option<usize> {
        if self.places.len() <= Self::FEW {
            return self.places.iter().position(|(known, _)| *known == name);
        }
        self.types.get(name).copied()
    }

    /// The position of the node with this type and id.
    pub(super) fn get(&self, entity_type: &str, id: i64) -> Option<usize> {
        let nodes = &self.places[self.find(entity_type)?].1;
        // Ids often count up.
        let first = nodes.sorted.first().map(|(first, _)| *first);
        let guess = first.and_then(|first| id.checked_sub(first));
        nodes.get(id, guess.and_then(|guess| usize::try_from(guess).ok()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_new_is_what_a_map_says(all in proptest::collection::vec((0u8..30, any::<u8>()), 0..20), sorted: bool) {
            let mut all = all;
            if sorted {
                all.sort_unstable();
            }
            let (mut ordered, mut twin) = (Ordered::default(), HashMap::new());
            for (key, value) in all {
                let is_new = !twin.contains_key(&key);
                twin.entry(key).or_insert(value);
                prop_assert_eq!(ordered.insert(key, value), is_new);
            }
            for key in 0..30 {
                for guess in [None, Some(0), Some(3), Some(usize::MAX)] {
                    prop_assert_eq!(ordered.get(key, guess), twin.get(&key).copied());
                }
            }
        }

        #[test]
        fn nodes_are_found_where_they_are(
            nodes in proptest::collection::vec((0usize..12, prop_oneof![-20i64..20, Just(i64::MIN), Just(i64::MAX)]), 0..60),
            sorted: bool,
        ) {
            const NAMES: [&str; 12] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
            let mut nodes = nodes;
            if sorted {
                nodes.sort_unstable();
            }
            let (mut index, mut twin) = (Index::default(), HashMap::new());
            for (place, (name, id)) in nodes.into_iter().enumerate() {
                let is_new = !twin.contains_key(&(name, id));
                twin.entry((name, id)).or_insert(place);
                prop_assert_eq!(index.of_type_mut(NAMES[name]).insert(id, place), is_new);
            }
            for (place, name) in NAMES.into_iter().enumerate() {
                for id in (-21..21).chain([i64::MIN, i64::MAX]) {
                    prop_assert_eq!(index.get(name, id), twin.get(&(place, id)).copied());
                }
            }
        }
    }
}
