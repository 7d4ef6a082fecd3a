//! Stores over an engine of the tests, which fails, hangs or loses as it is told. The clock stands
//! still unless a test moves it.

mod folder;

use std::collections::BTreeMap;
use std::future::pending;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};
use std::time::Duration;

use gcf::graph::{
    Answer as Sent, AsyncPackStore, Dialect, Encoder, Exchange, FullReason, MemoryStore, Outcome,
    PackRoot, Payload, Replica, Request, RootAlgorithm, StoreError, Symbol,
};
use tokio::time::{Instant, advance};

use crate::engine::{Answer, Engine};
use crate::{Options, Store, Tenant};

#[derive(Clone, Copy, Default, PartialEq)]
enum Mood {
    #[default]
    Well,
    Fails,
    Hangs,
}

/// An engine that several stores share.
#[derive(Clone, Default)]
struct Shared(Arc<State>);

#[derive(Default)]
struct State {
    texts: Mutex<BTreeMap<String, Vec<u8>>>,
    mood: Mutex<Mood>,
    /// How often it was asked, of whatever kind.
    asked: AtomicUsize,
}

impl Shared {
    fn is(&self, mood: Mood) {
        *self.0.mood.lock().unwrap() = mood;
    }

    fn asked(&self) -> usize {
        self.0.asked.load(SeqCst)
    }

    fn keys(&self) -> Vec<String> {
        self.0.texts.lock().unwrap().keys().cloned().collect()
    }

    async fn work<T>(
        &self,
        work: impl FnOnce(&mut BTreeMap<String, Vec<u8>>) -> T,
    ) -> Result<T, StoreError> {
        self.0.asked.fetch_add(1, SeqCst);
        // Those who ask at the same time are here together.
        tokio::task::yield_now().await;
        let mood = *self.0.mood.lock().unwrap();
        match mood {
            Mood::Well => Ok(work(&mut self.0.texts.lock().unwrap())),
            Mood::Fails => Err(StoreError::new(io::Error::from(io::ErrorKind::StorageFull))),
            Mood::Hangs => pending().await,
        }
    }
}

impl Engine for Shared {
    fn get<'a>(&'a self, key: &'a str) -> Answer<'a, Option<Vec<u8>>> {
        Box::pin(self.work(move |texts| texts.get(key).cloned()))
    }

    fn put<'a>(&'a self, key: &'a str, text: Vec<u8>) -> Answer<'a, ()> {
        Box::pin(self.work(move |texts| drop(texts.insert(key.to_owned(), text))))
    }

    fn remove<'a>(&'a self, key: &'a str) -> Answer<'a, ()> {
        Box::pin(self.work(move |texts| drop(texts.remove(key))))
    }
}

/// A store of a process of its own.
fn replica(engine: &Shared) -> Store {
    Store::new("shared", Some(Box::new(engine.clone())), Options::default())
}

fn exchange(store: &Store, tenant: &str) -> Exchange<Tenant> {
    Exchange::with_store(Encoder::new().dialect(Dialect::V3), store.tenant(tenant))
}

/// A payload of 30 symbols, of which one is new in each version.
fn version(version: u32) -> Payload<'static> {
    let symbol = |at: u32| {
        let name = if at == 29 { format!("pkg.New{version}") } else { format!("pkg.Old{at}") };
        Symbol::new("function", name).with_score(0.5)
    };
    Payload {
        tool: "t".into(),
        symbols: (0..30).map(symbol).collect(),
        edges: vec![gcf::graph::Edge::new(0, 29, "calls")],
        ..Payload::default()
    }
}

async fn ask(server: &Exchange<Tenant>, reader: Option<&Replica>, payload: &Payload<'_>) -> Sent {
    let request = reader.map_or(Request::Full, Replica::request);
    server.answer_async(request, payload, &mut String::new()).await.unwrap()
}

async fn reader(server: &Exchange<Tenant>, payload: &Payload<'_>) -> Replica {
    let mut text = String::new();
    server.answer_async(Request::Full, payload, &mut text).await.unwrap();
    Replica::from_answer(&text).unwrap()
}

const UNKNOWN: Outcome = Outcome::Full(FullReason::UnknownRoot);
const FAILED: Outcome = Outcome::Full(FullReason::StoreFailed);

/// Ruling F1, of one tenant: any process knows what another has sent.
#[tokio::test(start_paused = true)]
async fn f1_a_tenant_finds_its_packs_in_every_process() {
    let engine = Shared::default();
    let held = reader(&exchange(&replica(&engine), "acme"), &version(1)).await;
    let answer = ask(&exchange(&replica(&engine), "acme"), Some(&held), &version(2)).await;
    assert_eq!(answer.outcome, Outcome::Delta);
}

/// Ruling F1, of another tenant: the same root, which it has heard of, is one that nobody sent.
#[tokio::test(start_paused = true)]
async fn f1_a_tenant_finds_no_pack_of_another() {
    let engine = Shared::default();
    let store = replica(&engine);
    let held = reader(&exchange(&store, "acme"), &version(1)).await;
    // In memory, and in the engine.
    for store in [store, replica(&engine)] {
        for tenant in ["globex", "", "acme "] {
            let answer = ask(&exchange(&store, tenant), Some(&held), &version(2)).await;
            assert_eq!(answer.outcome, UNKNOWN, "{tenant:?}");
            assert!(answer.store_error.is_none());
        }
    }
}

#[test]
fn a_key_is_a_hash_of_tenant_dialect_algorithm_and_root() {
    let key = |tenant: &str, encoder: Encoder, root: &str| {
        let root = PackRoot::new(root).unwrap();
        crate::store::name(&Exchange::new(encoder).key(&root).of_tenant(tenant))
    };
    let v1 = Encoder::new();
    // Another hash here is another layout, which needs another number.
    let expected = "wire:1:9d311776571ed57ecf732e206060d32cadd63af7ab0414ff2c3aecb3723c93df";
    assert_eq!(key("acme", v1.dialect(Dialect::V3), "a1b2"), expected);
    let keys = std::collections::BTreeSet::from([
        key("acme", v1, "a1b2"),
        key("acm", v1, "a1b2"),
        key("", v1, "a1b2"),
        key("acme", v1, "a1"),
        key("acmev1", v1, "a1b2"),
        key("acme", v1.dialect(Dialect::V3), "a1b2"),
        key("acme", v1.root_algorithm(Some(RootAlgorithm::PackRootV1)), "a1b2"),
        key("acme", v1, &"x".repeat(100_000)),
    ]);
    assert_eq!(keys.len(), 8);
    assert!(keys.iter().all(|key| key.len() == expected.len()), "{keys:?}");
}

#[tokio::test(start_paused = true)]
async fn every_dialect_and_algorithm_reads_what_it_has_written() {
    let mut payload = version(1);
    payload.symbols[1].distance = 4;
    payload.symbols[2].score = 0.129;
    payload.symbols[3].provenance = "lsp_resolved".into();
    for dialect in Dialect::ALL {
        for algorithm in RootAlgorithm::ALL {
            let encoder = Encoder::new().dialect(*dialect).root_algorithm(Some(*algorithm));
            let engine = Shared::default();
            let server = |store: Store| Exchange::with_store(encoder, store.tenant("t"));
            let held = reader(&server(replica(&engine)), &payload).await;
            let Request::Since(root) = held.request() else { unreachable!("it has a root") };
            let other = replica(&engine);
            let server = server(other.clone());
            let found = other.tenant("t").get(&server.key(root)).await.unwrap().unwrap();
            assert_eq!(&*found, held.payload(), "{dialect:?} {algorithm:?}");
            assert_eq!((other.counts().reads_engine, other.counts().dropped), (1, 0));
        }
    }
}

/// Ruling F2, of writes: memory has the pack, so an engine that takes none costs no delta.
#[tokio::test(start_paused = true)]
async fn f2_a_write_succeeds_once_memory_has_the_pack() {
    for mood in [Mood::Fails, Mood::Hangs] {
        let engine = Shared::default();
        engine.is(mood);
        let store = replica(&engine);
        let server = exchange(&store, "t");
        let held = reader(&server, &version(1)).await;
        for n in 2..6 {
            let answer = ask(&server, Some(&held), &version(n)).await;
            assert_eq!((answer.outcome, answer.store_error.is_none()), (Outcome::Delta, true));
        }
        let counts = store.counts();
        assert_eq!((counts.writes_done, counts.writes_failed), (0, 3));
        // Two packs a request: that of the reader, which the engine lacks, and the new one.
        assert_eq!(counts.writes_spared, 6);
        assert!(engine.keys().is_empty());
    }
}

/// Ruling F2, of reads: the answer is in full, and says what failed.
#[tokio::test(start_paused = true)]
async fn f2_a_read_that_fails_is_reported() {
    let engine = Shared::default();
    let held = reader(&exchange(&replica(&engine), "t"), &version(1)).await;
    for (mood, error) in [
        (Mood::Fails, "the store failed: no storage space"),
        (Mood::Hangs, "the store failed: no answer in time"),
    ] {
        engine.is(mood);
        let store = replica(&engine);
        let answer = ask(&exchange(&store, "t"), Some(&held), &version(2)).await;
        assert_eq!(answer.outcome, FAILED);
        assert_eq!(answer.store_error.unwrap().to_string(), error);
        assert_eq!((store.counts().reads_failed, store.counts().writes_failed), (1, 1));
    }
}

/// Ruling F3: no wait is longer than the timeout, after three failures there is none, and after a
/// second one request tries.
#[tokio::test(start_paused = true)]
async fn f3_the_breaker_opens_and_closes() {
    let engine = Shared::default();
    let held = reader(&exchange(&replica(&engine), "t"), &version(1)).await;
    let Request::Since(root) = held.request() else { unreachable!("it has a root") };
    let store = replica(&engine);
    let (key, packs) = (exchange(&store, "t").key(root), store.tenant("t"));
    engine.is(Mood::Hangs);
    let asked = engine.asked();
    let pause = Duration::from_secs(1);
    let is_open = || store.metrics().ends_with("wire_store_breaker_open 1\n");
    for _ in 0..3 {
        assert!(!is_open());
        let start = Instant::now();
        assert!(packs.get(&key).await.is_err());
        // The clock has steps of a millisecond.
        assert!((100..=101).contains(&start.elapsed().as_millis()), "{:?}", start.elapsed());
    }
    // It opened when the third request had waited.
    let opened = Instant::now();
    for _ in 0..50 {
        assert!(is_open() && packs.get(&key).await.unwrap().is_none());
    }
    assert_eq!((Instant::now(), engine.asked()), (opened, asked + 3));
    assert_eq!((store.counts().reads_failed, store.counts().reads_spared), (3, 50));
    // Still ill: one tries, and the others are spared for another second.
    advance(pause).await;
    assert!(packs.get(&key).await.is_err());
    assert!(packs.get(&key).await.unwrap().is_none() && is_open());
    assert_eq!(engine.asked(), asked + 4);
    engine.is(Mood::Well);
    advance(pause).await;
    assert!(packs.get(&key).await.unwrap().is_some() && !is_open());
    assert_eq!(store.counts().reads_engine, 1);
}

/// Failures that are not in a row open nothing.
#[tokio::test(start_paused = true)]
async fn a_success_between_failures_counts_anew() {
    let breaker = crate::breaker::Breaker::new(3, Duration::from_secs(1));
    for _ in 0..5 {
        breaker.failed();
        breaker.failed();
        breaker.succeeded();
    }
    breaker.failed();
    breaker.failed();
    assert!(breaker.allows() && !breaker.is_open());
    breaker.failed();
    assert!(!breaker.allows() && breaker.is_open());
}

/// Ruling F3: what is not the pack of its key is no base of a delta, whoever put it there.
#[tokio::test(start_paused = true)]
async fn f3_a_text_that_is_not_the_pack_of_its_key_is_dropped_and_counted() {
    let engine = Shared::default();
    let held = reader(&exchange(&replica(&engine), "t"), &version(1)).await;
    let key = &engine.keys()[0];
    let good = engine.0.texts.lock().unwrap()[key].clone();
    let other = Encoder::new().dialect(Dialect::V3).to_vec(&version(7)).unwrap();
    let good_text = String::from_utf8(good.clone()).unwrap();
    for bad in [
        other,
        good_text.replace("Old3 ", "Evil ").into_bytes(),
        good[..good.len() / 2].to_vec(),
        Vec::new(),
        vec![0xff; 300],
        vec![b'x'; 2 << 20],
    ] {
        engine.0.texts.lock().unwrap().insert(key.clone(), bad.clone());
        let store = replica(&engine);
        let answer = ask(&exchange(&store, "t"), Some(&held), &version(2)).await;
        let bad = String::from_utf8_lossy(&bad[..bad.len().min(300)]).into_owned();
        assert_eq!(answer.outcome, UNKNOWN, "{bad}");
        assert!(!engine.keys().contains(key));
        let counts = store.counts();
        assert_eq!((counts.dropped, counts.reads_missing, counts.reads_failed), (1, 1, 0));
    }
    // And the text itself is accepted.
    engine.0.texts.lock().unwrap().insert(key.clone(), good);
    let answer = ask(&exchange(&replica(&engine), "t"), Some(&held), &version(2)).await;
    assert_eq!(answer.outcome, Outcome::Delta);
}

/// Ruling F3: a log line a minute.
#[test]
fn f3_a_failure_is_logged_once_a_minute() {
    struct Lines(Arc<AtomicUsize>, ThreadId);
    impl tracing::Subscriber for Lines {
        fn enabled(&self, metadata: &tracing::Metadata<'_>) -> bool {
            metadata.target().starts_with("wire_store")
        }
        fn new_span(&self, _: &tracing::span::Attributes<'_>) -> tracing::span::Id {
            tracing::span::Id::from_u64(1)
        }
        fn record(&self, _: &tracing::span::Id, _: &tracing::span::Record<'_>) {}
        fn record_follows_from(&self, _: &tracing::span::Id, _: &tracing::span::Id) {}
        fn event(&self, event: &tracing::Event<'_>) {
            assert_eq!(*event.metadata().level(), tracing::Level::WARN);
            self.0.fetch_add(usize::from(thread::current().id() == self.1), SeqCst);
        }
        fn enter(&self, _: &tracing::span::Id) {}
        fn exit(&self, _: &tracing::span::Id) {}
    }
    let lines = Arc::new(AtomicUsize::new(0));
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let runtime = builder.enable_time().start_paused(true).build().unwrap();
    // Of all threads: the other tests would switch off the events of a subscriber of this one alone.
    let subscriber = Lines(Arc::clone(&lines), thread::current().id());
    tracing::subscriber::set_global_default(subscriber).unwrap();
    runtime.block_on(async {
        let engine = Shared::default();
        engine.is(Mood::Fails);
        let server = exchange(&replica(&engine), "t");
        for expected in 1..4 {
            for n in 0..20 {
                ask(&server, None, &version(n)).await;
            }
            assert_eq!(lines.load(SeqCst), expected);
            advance(Duration::from_secs(60)).await;
        }
        // One that is well has nothing to say.
        engine.is(Mood::Well);
        ask(&server, None, &version(1)).await;
        assert_eq!(lines.load(SeqCst), 3);
    });
}

/// Ruling F4: unchanged answers write nothing again.
#[tokio::test(start_paused = true)]
async fn f4_an_unchanged_answer_writes_nothing() {
    let engine = Shared::default();
    let store = replica(&engine);
    let server = exchange(&store, "t");
    let held = reader(&server, &version(1)).await;
    let asked = engine.asked();
    for _ in 0..59 {
        advance(Duration::from_secs(1)).await;
        let answer = ask(&server, Some(&held), &version(1)).await;
        assert_eq!(answer.outcome, Outcome::Unchanged);
    }
    assert_eq!((engine.asked(), store.counts().writes_done), (asked, 1));
}

/// Ruling F4: what an emptied engine has lost is there again after 60 s, by whatever root it is.
#[tokio::test(start_paused = true)]
async fn f4_an_emptied_engine_is_filled_as_packs_are_used() {
    for algorithm in RootAlgorithm::ALL {
        let engine = Shared::default();
        let store = replica(&engine);
        let encoder = Encoder::new().dialect(Dialect::V3).root_algorithm(Some(*algorithm));
        let server = Exchange::with_store(encoder, store.tenant("t"));
        let held = reader(&server, &version(1)).await;
        let keys = engine.keys();
        engine.0.texts.lock().unwrap().clear();
        ask(&server, Some(&held), &version(1)).await;
        assert!(engine.keys().is_empty());
        advance(Duration::from_secs(60)).await;
        ask(&server, Some(&held), &version(1)).await;
        assert_eq!(engine.keys(), keys, "{algorithm:?}");
        assert_eq!(store.counts().writes_done, 2);
        // What could not be written is tried again at once.
        engine.is(Mood::Fails);
        advance(Duration::from_secs(60)).await;
        ask(&server, Some(&held), &version(1)).await;
        engine.is(Mood::Well);
        ask(&server, Some(&held), &version(1)).await;
        assert_eq!((store.counts().writes_failed, store.counts().writes_done), (1, 3));
    }
}

/// A root by names alone is that of other scores, too: the store has what was sent last.
#[tokio::test(start_paused = true)]
async fn a_payload_with_other_scores_replaces_the_one_of_its_root() {
    let engine = Shared::default();
    let store = replica(&engine);
    let server = Exchange::with_store(Encoder::new(), store.tenant("t"));
    let mut payload = version(1);
    let held = reader(&server, &payload).await;
    payload.symbols[0].score = 0.75;
    assert_eq!(reader(&server, &payload).await.request(), held.request());
    assert_eq!(store.counts().writes_done, 2);
    for store in [store, replica(&engine)] {
        let server = Exchange::with_store(Encoder::new(), store.tenant("t"));
        let answer = ask(&server, Some(&held), &payload).await;
        assert_eq!((answer.outcome, answer.unseen_changes), (Outcome::Unchanged, 0));
    }
}

#[tokio::test(start_paused = true)]
async fn those_who_ask_for_one_pack_at_a_time_wait_for_one_request() {
    let engine = Shared::default();
    let held = reader(&exchange(&replica(&engine), "t"), &version(1)).await;
    let Request::Since(root) = held.request() else { unreachable!("it has a root") };
    for (mood, is_found) in [(Mood::Well, true), (Mood::Hangs, false)] {
        engine.is(mood);
        let (store, asked) = (replica(&engine), engine.asked());
        let (root, start) = (root.clone().into_owned(), Instant::now());
        let gets: Vec<_> = (0..50)
            .map(|_| {
                let (packs, server, root) =
                    (store.tenant("t"), exchange(&store, "t"), root.clone());
                tokio::spawn(async move {
                    packs.get(&server.key(&root)).await.is_ok_and(|pack| pack.is_some())
                })
            })
            .collect();
        for get in gets {
            assert_eq!(get.await.unwrap(), is_found);
        }
        assert_eq!(engine.asked(), asked + 1);
        assert!(start.elapsed() < Duration::from_millis(110));
        let counts = store.counts();
        let reads = [counts.reads_engine, counts.reads_memory, counts.reads_failed];
        assert_eq!(reads, if is_found { [1, 49, 0] } else { [0, 0, 50] });
    }
}

#[tokio::test(start_paused = true)]
async fn memory_is_bounded_in_bytes_and_forgets_what_was_used_least_recently() {
    let size = MemoryStore::size(&version(1)) as u64 + 600;
    let options = Options { memory_bytes: 10 * size, ..Options::default() };
    let store = Store::new("memory", None, options);
    let server = exchange(&store, "t");
    let mut held = Vec::new();
    for n in 0..30 {
        held.push(reader(&server, &version(n)).await);
        store.0.memory.run_pending_tasks().await;
    }
    let bytes = store.0.memory.weighted_size();
    assert!((5 * size..=10 * size).contains(&bytes), "{bytes}");
    assert!(store.metrics().contains(&format!("\nwire_store_memory_bytes {bytes}\n")));
    assert_eq!(ask(&server, Some(&held[29]), &version(99)).await.outcome, Outcome::Delta);
    assert_eq!(ask(&server, Some(&held[0]), &version(99)).await.outcome, UNKNOWN);
    // One that is larger than all of memory costs a full answer and removes no other.
    let mut large = version(1);
    large.symbols[0].qualified_name = "x".repeat(1 << 19).into();
    let lost = reader(&server, &large).await;
    store.0.memory.run_pending_tasks().await;
    assert_eq!(ask(&server, Some(&lost), &version(99)).await.outcome, UNKNOWN);
    assert_eq!(ask(&server, Some(&held[29]), &version(99)).await.outcome, Outcome::Delta);
}

#[tokio::test]
async fn memory_forgets_what_is_too_old() {
    let options = Options { age: Duration::from_millis(1), ..Options::default() };
    let store = Store::new("memory", None, options);
    let server = exchange(&store, "t");
    let held = reader(&server, &version(1)).await;
    let Request::Since(root) = held.request() else { unreachable!("it has a root") };
    let start = std::time::Instant::now();
    while store.tenant("t").get(&server.key(root)).await.unwrap().is_some() {
        assert!(start.elapsed() < Duration::from_secs(60), "it is still there");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[tokio::test(start_paused = true)]
async fn a_text_that_is_too_long_stays_in_memory() {
    let engine = Shared::default();
    let options = Options { value_bytes: 100, ..Options::default() };
    let store = Store::new("shared", Some(Box::new(engine.clone())), options);
    let server = exchange(&store, "t");
    let held = reader(&server, &version(1)).await;
    ask(&server, Some(&held), &version(1)).await;
    assert_eq!(ask(&server, Some(&held), &version(2)).await.outcome, Outcome::Delta);
    assert_eq!((store.counts().writes_too_long, engine.asked()), (2, 0));
    assert!(engine.keys().is_empty());
}

#[tokio::test(start_paused = true)]
async fn an_operator_reads_counters() {
    let engine = Shared::default();
    let store = replica(&engine);
    let server = exchange(&store, "acme");
    let held = reader(&server, &version(1)).await;
    ask(&server, Some(&held), &version(2)).await;
    let page = store.metrics();
    let bytes = page.lines().find_map(|line| line.strip_prefix("wire_store_memory_bytes "));
    let expected = format!(
        "# HELP wire_store_reads_total Packs that exchanges asked for.
# TYPE wire_store_reads_total counter
wire_store_reads_total{{result=\"memory\"}} 1
wire_store_reads_total{{result=\"engine\"}} 0
wire_store_reads_total{{result=\"missing\"}} 0
wire_store_reads_total{{result=\"failed\"}} 0
wire_store_reads_total{{result=\"spared\"}} 0
# HELP wire_store_writes_total Packs that were to be written to the engine.
# TYPE wire_store_writes_total counter
wire_store_writes_total{{result=\"done\"}} 2
wire_store_writes_total{{result=\"failed\"}} 0
wire_store_writes_total{{result=\"spared\"}} 0
wire_store_writes_total{{result=\"too_long\"}} 0
# HELP wire_store_dropped_total Texts of the engine that were not the pack of their key.
# TYPE wire_store_dropped_total counter
wire_store_dropped_total 0
# HELP wire_store_memory_bytes Bytes of packs in memory.
# TYPE wire_store_memory_bytes gauge
wire_store_memory_bytes {}
# HELP wire_store_breaker_open 1 while the engine is not asked, after failures.
# TYPE wire_store_breaker_open gauge
wire_store_breaker_open 0
",
        bytes.unwrap()
    );
    assert_eq!(page, expected);
}

#[test]
fn an_address_that_names_no_store_says_what_does() {
    let error = |address: &str| Store::open(address).unwrap_err().to_string();
    for (address, shown) in [
        ("", ""),
        ("memory", "memory"),
        ("memory:x", "memory:…"),
        ("folder:", "folder:…"),
        ("postgres://user:secret@host/db", "postgres:…"),
    ] {
        assert_eq!(
            error(address),
            format!(
                "the store is `{shown}`, expected `memory:`, `folder:PATH`, `redis://HOST` or `rediss://HOST`"
            )
        );
    }
    let file = tempfile::NamedTempFile::new().unwrap();
    let path = file.path().display();
    let message = error(&format!("folder:{path}"));
    assert!(message.starts_with(&format!("the folder of the store, {path}: ")), "{message}");
    assert!(message.ends_with(", expected a folder that this user can write"), "{message}");
    #[cfg(not(feature = "redis"))]
    assert_eq!(
        error("redis://user:secret@host"),
        "a store at `redis:…` needs the feature `redis` of the package wire-store"
    );
    #[cfg(not(feature = "rediss"))]
    assert_eq!(
        error("rediss://user:secret@host"),
        "a store at `rediss:…` needs the feature `rediss` of the package wire-store"
    );
    #[cfg(feature = "redis")]
    for address in ["redis://:secret@host/database", "redis://:secret@"] {
        let error = error(address);
        assert!(
            error.starts_with("the address of the store: ") && !error.contains("secret"),
            "{error}"
        );
    }
}

/// A server that is not there yet keeps no program from starting.
#[cfg(feature = "redis")]
#[tokio::test]
async fn a_server_that_is_gone_costs_tokens() {
    // A port that was free a moment ago.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let options = Options { timeout: Duration::from_secs(30), ..Options::default() };
    let store = Store::open_with(&format!("redis://:secret@127.0.0.1:{port}"), options).unwrap();
    assert!(!format!("{store:?}").contains("secret"), "{store:?}");
    let server = exchange(&store, "t");
    let held = reader(&server, &version(1)).await;
    assert_eq!(ask(&server, Some(&held), &version(2)).await.outcome, Outcome::Delta);
    let lost = reader(&exchange(&replica(&Shared::default()), "t"), &version(3)).await;
    let answer = ask(&server, Some(&lost), &version(4)).await;
    assert!(matches!(answer.outcome, Outcome::Full(_)));
    assert_eq!((store.counts().writes_done, store.engine()), (0, "redis"));
}
