//! Memory in front of an engine: what a get and a put do.

use std::fmt;
use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use gcf::graph::{AsyncPackStore, Decoder, Encoder, MemoryStore, PackKey, Payload, StoreError};
use moka::future::Cache;
use moka::policy::EvictionPolicy;
use sha2::{Digest, Sha256};
use tokio::time::Instant;

use crate::breaker::Breaker;
use crate::counters::{Counters, Counts, gauge};
use crate::engine::Engine;
use crate::options::{OpenError, Options};

/// The layout of keys and values: a store of another layout shares an engine and no key.
const LAYOUT: &str = "wire:1:";
/// The bytes of an entry in memory besides its payload and key, by estimate.
const ENTRY_BYTES: usize = 300;
/// The seconds from one log line to the next.
const QUIET: u64 = 60;

/// A store, for all tenants and threads of a program. A clone is the same store.
#[derive(Clone)]
pub struct Store(pub(crate) Arc<Shared>);

/// The packs of one tenant: the store of an exchange. It puts the tenant into each key, so no
/// request finds another's packs (ruling F1).
#[derive(Clone, Debug)]
pub struct Tenant {
    store: Store,
    name: Arc<str>,
}

pub(crate) struct Shared {
    /// How people call the engine.
    name: &'static str,
    engine: Option<Box<dyn Engine>>,
    options: Options,
    pub(crate) memory: Cache<String, Arc<Held>>,
    breaker: Breaker,
    counters: Counters,
    start: Instant,
    /// The seconds after `start` at which the next line may be logged.
    next_line: AtomicU64,
}

/// A pack in memory.
pub(crate) struct Held {
    payload: Arc<Payload<'static>>,
    /// When the engine was last known to have it.
    kept: Mutex<Option<Instant>>,
}

/// Why a pack is not there.
enum Absent {
    Missing,
    Spared,
    Failed(StoreError),
}

impl Store {
    /// Opens the store at an address: `memory:`, `folder:PATH`, `redis://HOST` or `rediss://HOST`
    /// (the crate page has all of them), with the defaults of [`Options`].
    ///
    /// A folder is made if it is missing. A server is first asked when a pack is read or written, so
    /// it may be gone now.
    ///
    /// # Errors
    ///
    /// When the address is of no store or needs a feature that this program was built without, and
    /// when the folder can't be made or read.
    pub fn open(address: &str) -> Result<Store, OpenError> {
        Store::open_with(address, Options::default())
    }

    /// [`Store::open`] with other bounds.
    ///
    /// # Errors
    ///
    /// As [`Store::open`].
    pub fn open_with(address: &str, options: Options) -> Result<Store, OpenError> {
        let (name, engine) = options.engine(address)?;
        Ok(Store::new(name, engine, options))
    }

    pub(crate) fn new(
        name: &'static str,
        engine: Option<Box<dyn Engine>>,
        options: Options,
    ) -> Self {
        let memory = Cache::builder()
            .max_capacity(options.memory_bytes)
            .weigher(|key: &String, held: &Arc<Held>| {
                let bytes = MemoryStore::size(&held.payload) + key.len() + ENTRY_BYTES;
                u32::try_from(bytes).unwrap_or(u32::MAX)
            })
            // A new pack is the one that is asked for next.
            .eviction_policy(EvictionPolicy::lru())
            .time_to_live(options.age)
            .build();
        Store(Arc::new(Shared {
            name,
            engine,
            options,
            memory,
            breaker: Breaker::new(options.failures, options.pause),
            counters: Counters::default(),
            start: Instant::now(),
            next_line: AtomicU64::new(0),
        }))
    }

    /// The packs of a tenant: the server's own name for who asks, from its authentication and never
    /// from the request's arguments. A server with a single tenant names it once, as `""`.
    pub fn tenant(&self, name: &str) -> Tenant {
        Tenant { store: self.clone(), name: name.into() }
    }

    /// The engine: `memory`, `folder` or `redis`.
    pub fn engine(&self) -> &'static str {
        self.0.name
    }

    /// What has happened since the store was opened.
    pub fn counts(&self) -> Counts {
        self.0.counters.read()
    }

    /// The counters and gauges in the text format of Prometheus, for a server's `/metrics`. All
    /// names begin with `wire_store_`; no tenant, root or address is in it.
    pub fn metrics(&self) -> String {
        let mut page = self.counts().page();
        let shared = &*self.0;
        gauge(
            &mut page,
            "memory_bytes",
            "Bytes of packs in memory.",
            shared.memory.weighted_size(),
        );
        let is_open = u64::from(shared.breaker.is_open());
        gauge(
            &mut page,
            "breaker_open",
            "1 while the engine is not asked, after failures.",
            is_open,
        );
        page
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the address, which may have a password.
        f.debug_struct("Store")
            .field("engine", &self.0.name)
            .field("options", &self.0.options)
            .field("counts", &self.counts())
            .finish()
    }
}

impl AsyncPackStore for Tenant {
    async fn get(&self, key: &PackKey<'_>) -> Result<Option<Arc<Payload<'static>>>, StoreError> {
        self.store.0.get(&key.of_tenant(&self.name)).await
    }

    async fn put(
        &self,
        key: &PackKey<'_>,
        payload: Arc<Payload<'static>>,
    ) -> Result<(), StoreError> {
        self.store.0.put(&key.of_tenant(&self.name), payload).await;
        Ok(())
    }
}

impl Shared {
    async fn get(&self, key: &PackKey<'_>) -> Result<Option<Arc<Payload<'static>>>, StoreError> {
        let name = name(key);
        let counters = &self.counters;
        // All who ask for one key at the same time wait for one request.
        let entry = self.memory.entry_by_ref(&name).or_try_insert_with(self.load(&name, key)).await;
        let (count, answer) = match entry.as_ref().map_err(|absent| &**absent) {
            Ok(entry) if entry.is_fresh() => {
                (&counters.reads_engine, Ok(Some(Arc::clone(&entry.value().payload))))
            }
            Ok(entry) => {
                self.keep(&name, key, entry.value()).await;
                (&counters.reads_memory, Ok(Some(Arc::clone(&entry.value().payload))))
            }
            Err(Absent::Missing) => (&counters.reads_missing, Ok(None)),
            Err(Absent::Spared) => (&counters.reads_spared, Ok(None)),
            Err(Absent::Failed(error)) => (&counters.reads_failed, Err(error.clone())),
        };
        count.fetch_add(1, Relaxed);
        answer
    }

    async fn put(&self, key: &PackKey<'_>, payload: Arc<Payload<'static>>) {
        let name = name(key);
        let held = match self.memory.get(&name).await {
            Some(held) if is_same(&held.payload, &payload) => held,
            // A root by names alone is that of payloads with other scores, too.
            _ => {
                let held = Arc::new(Held { payload, kept: Mutex::new(None) });
                self.memory.insert(name.clone(), Arc::clone(&held)).await;
                held
            }
        };
        self.keep(&name, key, &held).await;
    }

    /// Reads a pack from the engine. A text that is not the pack of its key is removed.
    async fn load(&self, name: &str, key: &PackKey<'_>) -> Result<Arc<Held>, Absent> {
        let Some(engine) = &self.engine else { return Err(Absent::Missing) };
        let read = async {
            let Some(text) = engine.get(name).await? else { return Ok(None) };
            let payload = self.read(&text, key);
            if payload.is_none() {
                self.counters.dropped.fetch_add(1, Relaxed);
                self.say(&"a stored text was not the pack of its key, and is removed");
                engine.remove(name).await?;
            }
            Ok(payload)
        };
        let payload = match self.ask(read).await {
            None => return Err(Absent::Spared),
            Some(read) => read.map_err(Absent::Failed)?.ok_or(Absent::Missing)?,
        };
        Ok(Arc::new(Held { payload: Arc::new(payload), kept: Mutex::new(Some(Instant::now())) }))
    }

    /// The pack of a key, if the text is that.
    fn read(&self, text: &[u8], key: &PackKey<'_>) -> Option<Payload<'static>> {
        if text.len() as u64 > self.options.value_bytes {
            return None;
        }
        let payload = Decoder::new().from_slice(text).ok()?.into_owned();
        key.algorithm.root(&payload).is_ok_and(|root| root == *key.root).then_some(payload)
    }

    /// Writes a pack to the engine, unless it was there a short time ago.
    async fn keep(&self, name: &str, key: &PackKey<'_>, held: &Held) {
        let Some(engine) = &self.engine else { return };
        if !held.is_due(self.options.refresh) {
            return;
        }
        let encoder = Encoder::new().dialect(key.dialect).root_algorithm(Some(key.algorithm));
        let write = async {
            let text = encoder.to_vec(&held.payload).map_err(StoreError::new)?;
            if text.len() as u64 > self.options.value_bytes {
                return Ok(false);
            }
            engine.put(name, text).await.map(|()| true)
        };
        let counters = &self.counters;
        let (count, is_kept) = match self.ask(write).await {
            Some(Ok(true)) => (&counters.writes_done, true),
            // It stays too long, so it is not tried with each answer.
            Some(Ok(false)) => (&counters.writes_too_long, true),
            Some(Err(_)) => (&counters.writes_failed, false),
            None => (&counters.writes_spared, false),
        };
        count.fetch_add(1, Relaxed);
        if !is_kept {
            *held.kept() = None;
        }
    }

    /// The answer of the engine in time; `None` if it is not asked, after failures.
    async fn ask<T>(
        &self,
        request: impl Future<Output = Result<T, StoreError>>,
    ) -> Option<Result<T, StoreError>> {
        if !self.breaker.allows() {
            return None;
        }
        let in_time = tokio::time::timeout(self.options.timeout, request).await;
        let answer = in_time.unwrap_or_else(|_| Err(StoreError::new("no answer in time")));
        match &answer {
            Ok(_) => self.breaker.succeeded(),
            Err(error) => {
                self.breaker.failed();
                self.say(error);
            }
        }
        Some(answer)
    }

    /// Logs what went wrong, at most a line a minute.
    fn say(&self, problem: &dyn fmt::Display) {
        let (now, next) = (self.start.elapsed().as_secs(), self.next_line.load(Relaxed));
        let is_due = now >= next
            && self.next_line.compare_exchange(next, now + QUIET, Relaxed, Relaxed).is_ok();
        if is_due {
            tracing::warn!(engine = self.name, counts = ?self.counters.read(), "{problem}");
        }
    }
}

impl Held {
    fn kept(&self) -> MutexGuard<'_, Option<Instant>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns `true` if it is to be written now. Of several who ask at the same time, one is told
    /// so.
    fn is_due(&self, refresh: Duration) -> bool {
        let mut kept = self.kept();
        let is_due = kept.is_none_or(|at| at.elapsed() >= refresh);
        if is_due {
            *kept = Some(Instant::now());
        }
        is_due
    }
}

/// Two payloads of one root differ in nothing that a delta says.
fn is_same(one: &Payload<'_>, other: &Payload<'_>) -> bool {
    one.symbols == other.symbols && one.edges == other.edges
}

/// The key of the engine: a hash, so that nothing that a caller sends is in it, and no key is long.
pub(crate) fn name(key: &PackKey<'_>) -> String {
    let mut hash = Sha256::new();
    for part in [
        key.tenant().unwrap_or_default(),
        key.dialect.name(),
        key.algorithm.name(),
        key.root.as_str(),
    ] {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part.as_bytes());
    }
    let mut name = String::with_capacity(LAYOUT.len() + 64);
    name.push_str(LAYOUT);
    for byte in hash.finalize() {
        name.push(char::from(b"0123456789abcdef"[usize::from(byte >> 4)]));
        name.push(char::from(b"0123456789abcdef"[usize::from(byte & 15)]));
    }
    name
}
