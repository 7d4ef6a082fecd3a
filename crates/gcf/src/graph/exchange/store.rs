//! The payloads that a server has sent.

use std::error::Error;
use std::fmt;
use std::future::Future;
use std::mem::size_of;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lru::LruCache;
use wire_core::{Edge, PackRoot, Payload, Symbol};

use crate::graph::Dialect;
use crate::root::RootAlgorithm;

/// The key of a stored payload: its root, how the exchange writes it, and whose it is. Displayed, it
/// is a text that no two keys share, such as `v3/pack-root-v1/sha256:…`, and with a tenant
/// `v3/pack-root-v1/sha256:… acme`. A consumer sends the root, so it can be any text without spaces.
/// [`Exchange::key`](super::Exchange::key) makes keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct PackKey<'k> {
    /// The root of the payload.
    pub root: &'k PackRoot<'k>,
    /// The dialect of the exchange.
    pub dialect: Dialect,
    /// The algorithm by which the exchange computes roots.
    pub algorithm: RootAlgorithm,
    tenant: Option<&'k str>,
}

impl<'k> PackKey<'k> {
    pub(super) fn new(
        root: &'k PackRoot<'k>,
        dialect: Dialect,
        algorithm: RootAlgorithm,
    ) -> PackKey<'k> {
        PackKey { root, dialect, algorithm, tenant: None }
    }

    /// The key of a tenant's payload with this root (ruling F1). An exchange makes keys without a
    /// tenant, so a store that serves several sets it, by what the server knows of who asks and
    /// never by what the request says.
    ///
    /// ```
    /// use gcf::graph::{Encoder, Exchange, PackRoot};
    ///
    /// let root = PackRoot::new("a1b2")?;
    /// let key = Exchange::new(Encoder::new()).key(&root);
    /// assert_ne!(key.of_tenant("acme"), key.of_tenant("globex"));
    /// assert_eq!(
    ///     (key.tenant(), key.of_tenant("acme").tenant()),
    ///     (None, Some("acme"))
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of_tenant(self, tenant: &'k str) -> Self {
        PackKey { tenant: Some(tenant), ..self }
    }

    /// The tenant; `None` unless a store has set it.
    pub fn tenant(&self) -> Option<&'k str> {
        self.tenant
    }
}

impl fmt::Display for PackKey<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.dialect.name(), self.algorithm.name(), self.root)?;
        // A root has no space, so that what follows the first one is the tenant, whatever it is.
        self.tenant.map_or(Ok(()), |tenant| write!(f, " {tenant}"))
    }
}

/// A payload of a store.
pub(super) type Pack = Arc<Payload<'static>>;

/// Payloads that an exchange has sent, for concurrent requests.
///
/// A store may forget payloads, and it may fail: then the answer is the full payload (ruling F2).
/// One with memory in front of a shared store succeeds once memory has the payload, so that an
/// outage of the shared one does not make every answer a full one.
pub trait PackStore {
    /// The payload of this key; `None` when the store does not have it.
    ///
    /// # Errors
    ///
    /// When the store can't be reached or read.
    fn get(&self, key: &PackKey<'_>) -> Result<Option<Arc<Payload<'static>>>, StoreError>;

    /// Stores a payload, whose `pack_root` is the root of the key.
    ///
    /// # Errors
    ///
    /// When the store can't be reached or written. A full store is not an error: it forgets a
    /// payload.
    fn put(&self, key: &PackKey<'_>, payload: Arc<Payload<'static>>) -> Result<(), StoreError>;
}

/// [`PackStore`] for asynchronous stores, such as those on another machine: see
/// [`Exchange::answer_async`](super::Exchange::answer_async).
pub trait AsyncPackStore {
    /// As [`PackStore::get`].
    fn get(
        &self,
        key: &PackKey<'_>,
    ) -> impl Future<Output = Result<Option<Arc<Payload<'static>>>, StoreError>> + Send;

    /// As [`PackStore::put`].
    fn put(
        &self,
        key: &PackKey<'_>,
        payload: Arc<Payload<'static>>,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;
}

impl<S: PackStore + ?Sized> PackStore for Arc<S> {
    fn get(&self, key: &PackKey<'_>) -> Result<Option<Pack>, StoreError> {
        (**self).get(key)
    }

    fn put(&self, key: &PackKey<'_>, payload: Pack) -> Result<(), StoreError> {
        (**self).put(key, payload)
    }
}

impl<S: AsyncPackStore + Send + Sync + ?Sized> AsyncPackStore for Arc<S> {
    fn get(
        &self,
        key: &PackKey<'_>,
    ) -> impl Future<Output = Result<Option<Pack>, StoreError>> + Send {
        (**self).get(key)
    }

    fn put(
        &self,
        key: &PackKey<'_>,
        payload: Pack,
    ) -> impl Future<Output = Result<(), StoreError>> + Send {
        (**self).put(key, payload)
    }
}

/// Why a store failed: the error of its implementation.
///
/// ```
/// use gcf::graph::StoreError;
///
/// let error = StoreError::new(std::io::Error::other("the connection is closed"));
/// assert_eq!(error.to_string(), "the store failed: the connection is closed");
/// ```
#[derive(Clone, Debug)]
pub struct StoreError(Arc<dyn Error + Send + Sync>);

impl StoreError {
    /// The failure of a store, by an error or a message.
    pub fn new(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        StoreError(Arc::from(error.into()))
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the store failed: {}", self.0)
    }
}

impl Error for StoreError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.0)
    }
}

/// Payloads in memory, bounded in number and bytes; the least recently used one is removed first.
/// Several threads may use one store. It never fails.
///
/// ```
/// use std::sync::Arc;
/// use gcf::graph::{Encoder, Exchange, MemoryStore, PackStore};
/// use wire_core::{PackRoot, Payload};
///
/// let store = Arc::new(MemoryStore::new(1, 1 << 20));
/// let exchange = Exchange::with_store(Encoder::new(), Arc::clone(&store));
/// let (first, second) = (PackRoot::new("a1")?, PackRoot::new("b2")?);
/// for root in [&first, &second] {
///     store.put(&exchange.key(root), Arc::new(Payload::default()))?;
/// }
/// assert!(store.get(&exchange.key(&first))?.is_none());
/// assert!(store.get(&exchange.key(&second))?.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct MemoryStore {
    packs: Mutex<Packs>,
    max_packs: usize,
    max_bytes: usize,
}

#[derive(Debug)]
struct Packs {
    by_key: LruCache<String, (Pack, usize)>,
    bytes: usize,
}

impl Default for MemoryStore {
    /// At most 256 payloads of together 64 MiB.
    fn default() -> Self {
        MemoryStore::new(256, 64 << 20)
    }
}

impl MemoryStore {
    /// A store for at most `max_packs` payloads of `max_bytes` bytes together. A payload larger
    /// than `max_bytes` is not stored.
    pub fn new(max_packs: usize, max_bytes: usize) -> Self {
        let packs = Mutex::new(Packs { by_key: LruCache::unbounded(), bytes: 0 });
        MemoryStore { packs, max_packs, max_bytes }
    }

    /// The approximate size of a payload in bytes, as the store counts it: its structures and its
    /// text.
    pub fn size(payload: &Payload<'_>) -> usize {
        let symbols = payload.symbols.iter().map(|symbol| {
            let words = [symbol.kind.as_str(), symbol.provenance.as_str()];
            let names = [&*symbol.qualified_name, &*symbol.signature];
            size_of::<Symbol<'_>>()
                + [words, names].as_flattened().iter().map(|text| text.len()).sum::<usize>()
        });
        let edges = payload.edges.iter().map(|edge| {
            size_of::<Edge<'_>>() + edge.edge_type.as_str().len() + edge.status.as_str().len()
        });
        // The root is stored twice: in the payload and as the key.
        let root = payload.pack_root.as_ref().map_or(0, |root| root.as_str().len());
        size_of::<Payload<'_>>()
            + payload.tool.len()
            + 2 * root
            + symbols.chain(edges).sum::<usize>()
    }

    /// A panic of another thread leaves the payloads consistent, since it happened between two
    /// calls.
    fn packs(&self) -> MutexGuard<'_, Packs> {
        self.packs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PackStore for MemoryStore {
    fn get(&self, key: &PackKey<'_>) -> Result<Option<Pack>, StoreError> {
        Ok(self.packs().by_key.get(&key.to_string()).map(|(payload, _)| Arc::clone(payload)))
    }

    fn put(&self, key: &PackKey<'_>, payload: Pack) -> Result<(), StoreError> {
        let key = key.to_string();
        let bytes = MemoryStore::size(&payload);
        let fits = bytes <= self.max_bytes && self.max_packs > 0;
        // Removed payloads are dropped after the lock is released.
        let mut gone = Vec::new();
        let mut packs = self.packs();
        gone.extend(packs.by_key.pop(&key));
        if fits {
            packs.by_key.put(key, (payload, bytes));
            packs.bytes += bytes;
        }
        packs.bytes -= gone.iter().map(|(_, bytes)| bytes).sum::<usize>();
        while packs.bytes > self.max_bytes || packs.by_key.len() > self.max_packs {
            let Some((_, oldest)) = packs.by_key.pop_lru() else { break };
            packs.bytes -= oldest.1;
            gone.push(oldest);
        }
        drop(packs);
        drop(gone);
        Ok(())
    }
}
