//! What a server remembers of the payloads that it sent.

use std::mem::size_of;
use std::sync::Arc;

use lru::LruCache;
use wire_core::{Edge, PackRoot, Payload, Symbol};

/// Payloads by their root.
///
/// A store may forget: then the answer is the full payload.
pub trait PackStore {
    /// The payload of this root, if the store has it.
    fn get(&mut self, root: &PackRoot<'_>) -> Option<Arc<Payload<'static>>>;

    /// Takes in a payload, whose `pack_root` is `root`.
    fn put(&mut self, root: PackRoot<'static>, payload: Arc<Payload<'static>>);
}

/// Payloads in memory, bounded in number and bytes; the one that was used least recently goes first.
///
/// ```
/// use std::sync::Arc;
/// use gcf::graph::{MemoryStore, PackStore};
/// use wire_core::{PackRoot, Payload};
///
/// let mut store = MemoryStore::new(1, 1 << 20);
/// for root in ["a1", "b2"] {
///     store.put(PackRoot::new(root)?, Arc::new(Payload::default()));
/// }
/// assert!(store.get(&PackRoot::new("a1")?).is_none());
/// assert!(store.get(&PackRoot::new("b2")?).is_some());
/// # Ok::<(), wire_core::InvalidPackRoot>(())
/// ```
#[derive(Debug)]
pub struct MemoryStore {
    packs: LruCache<String, Arc<Payload<'static>>>,
    max_packs: usize,
    max_bytes: usize,
    bytes: usize,
}

impl Default for MemoryStore {
    /// At most 256 payloads of together 64 MiB.
    fn default() -> Self {
        MemoryStore::new(256, 64 << 20)
    }
}

impl MemoryStore {
    /// A store of at most so many payloads, and so many bytes of payloads. One that is larger by itself is not kept.
    pub fn new(max_packs: usize, max_bytes: usize) -> Self {
        MemoryStore { packs: LruCache::unbounded(), max_packs, max_bytes, bytes: 0 }
    }

    /// The number of payloads.
    pub fn len(&self) -> usize {
        self.packs.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.packs.is_empty()
    }

    /// About how many bytes the payloads take.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

impl PackStore for MemoryStore {
    fn get(&mut self, root: &PackRoot<'_>) -> Option<Arc<Payload<'static>>> {
        self.packs.get(root.as_str()).cloned()
    }

    fn put(&mut self, root: PackRoot<'static>, payload: Arc<Payload<'static>>) {
        let bytes = size(&payload);
        if let Some(old) = self.packs.pop(root.as_str()) {
            self.bytes -= size(&old);
        }
        if bytes > self.max_bytes || self.max_packs == 0 {
            return;
        }
        self.bytes += bytes;
        self.packs.put(root.as_str().to_owned(), payload);
        while self.bytes > self.max_bytes || self.packs.len() > self.max_packs {
            let Some((_, oldest)) = self.packs.pop_lru() else { break };
            self.bytes -= size(&oldest);
        }
    }
}

/// About how many bytes a payload takes: its structures, and its text.
fn size(payload: &Payload<'_>) -> usize {
    let symbols: usize = payload
        .symbols
        .iter()
        .map(|symbol| {
            let words = [symbol.kind.as_str(), symbol.provenance.as_str()];
            size_of::<Symbol<'_>>()
                + symbol.qualified_name.len()
                + words.iter().map(|word| word.len()).sum::<usize>()
        })
        .sum();
    let edges: usize = payload
        .edges
        .iter()
        .map(|edge| {
            size_of::<Edge<'_>>() + edge.edge_type.as_str().len() + edge.status.as_str().len()
        })
        .sum();
    // The root stands in the payload, and is the key.
    let root = payload.pack_root.as_ref().map_or(0, |root| root.as_str().len());
    size_of::<Payload<'_>>() + payload.tool.len() + 2 * root + symbols + edges
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(name: &str) -> PackRoot<'static> {
        PackRoot::new(name.to_owned()).unwrap()
    }

    fn pack(symbols: usize) -> Arc<Payload<'static>> {
        let symbols = (0..symbols).map(|_| Symbol::new("function", "a")).collect();
        Arc::new(Payload { symbols, ..Payload::default() })
    }

    #[test]
    fn the_least_recently_used_goes_first() {
        let mut store = MemoryStore::new(2, usize::MAX);
        store.put(root("a"), pack(1));
        store.put(root("b"), pack(1));
        assert!(store.get(&root("a")).is_some());
        store.put(root("c"), pack(1));
        assert!(store.get(&root("b")).is_none() && store.get(&root("a")).is_some());
        assert_eq!((store.len(), store.bytes()), (2, 2 * size(&pack(1))));
        store.put(root("a"), pack(3));
        assert_eq!(store.bytes(), size(&pack(1)) + size(&pack(3)));
    }

    #[test]
    fn bytes_are_bounded() {
        let mut store = MemoryStore::new(100, 2 * size(&pack(4)));
        store.put(root("a"), pack(4));
        store.put(root("b"), pack(4));
        store.put(root("c"), pack(1));
        assert_eq!(store.len(), 2);
        assert!(store.get(&root("a")).is_none());
        // What is larger than the store takes no other's place.
        store.put(root("d"), pack(100));
        assert!(store.get(&root("d")).is_none());
        assert_eq!(store.len(), 2);
    }
}
