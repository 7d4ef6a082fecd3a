//! Things in order, each once.

use std::collections::HashMap;
use std::hash::Hash;

/// So many are compared one by one.
const FEW: usize = 16;

/// Things in order, each once: few are searched, many are hashed.
#[derive(Clone, Debug)]
pub(super) struct Distinct<K> {
    items: Vec<K>,
    index: HashMap<K, usize>,
}

impl<K: Clone + Eq + Hash> Distinct<K> {
    pub(super) fn new() -> Self {
        Distinct { items: Vec::new(), index: HashMap::new() }
    }

    /// The things, in their order.
    pub(super) fn items(&self) -> &[K] {
        &self.items
    }

    /// The index of a thing.
    pub(super) fn find(&self, item: &K) -> Option<usize> {
        if self.items.len() <= FEW {
            self.items.iter().position(|known| known == item)
        } else {
            self.index.get(item).copied()
        }
    }

    /// Adds a thing and says its index, or that of the same one that is there.
    pub(super) fn insert(&mut self, item: K) -> Result<usize, usize> {
        if let Some(found) = self.find(&item) {
            return Err(found);
        }
        let new = self.items.len();
        self.items.push(item);
        if new + 1 > FEW {
            // From here on all are hashed.
            let unhashed = if self.index.is_empty() { 0 } else { new };
            self.index.extend(
                (unhashed..).zip(&self.items[unhashed..]).map(|(at, item)| (item.clone(), at)),
            );
        }
        Ok(new)
    }
}

#[cfg(test)]
mod tests {
    use super::Distinct;

    #[test]
    fn few_and_many() {
        let mut distinct = Distinct::new();
        for number in 0..100 {
            assert_eq!(distinct.insert(number * 7), Ok(number));
            assert_eq!(distinct.insert(number / 2 * 7), Err(number / 2));
            assert_eq!(distinct.find(&1), None);
        }
    }
}
