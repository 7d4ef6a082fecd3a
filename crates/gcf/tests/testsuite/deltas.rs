//! Laws of deltas and exchanges: what the consumer ends up with is what the producer has.

use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use gcf::graph::{
    AsyncPackStore, Decoder, Delta, Dialect, Encoder, Exchange, FullReason, MemoryStore, OutOfSync,
    Outcome, PackKey, PackStore, Replica, Request, RootAlgorithm, StoreError,
};
use proptest::prelude::*;
use wire_core::{Edge, PackRoot, Payload, Symbol, WordPunctuation};

/// Payloads of a small world, so that two of them have much in common. No two symbols have one
/// name, and no edge comes twice, unless `odd`.
fn payload(odd: bool) -> impl Strategy<Value = Payload<'static>> {
    let symbol = (0..8u32, 0..3usize, 0..200u32, 0..4u32, 0..2usize);
    let symbols = proptest::collection::vec(symbol, 0..8);
    let edges = proptest::collection::vec((any::<u32>(), any::<u32>(), 0..2usize, 0..9usize), 0..8);
    (symbols, edges).prop_map(move |(symbols, edges)| {
        let mut payload = Payload { tool: "t".into(), tokens_used: 7, ..Payload::default() };
        for (name, kind, score, distance, provenance) in symbols {
            let name = format!("pkg.s{name}");
            if !odd && payload.symbols.iter().any(|symbol| symbol.qualified_name == name) {
                continue;
            }
            let symbol = Symbol::new(["function", "type", "widget"][kind], name)
                .with_score(f64::from(score) / 199.0)
                .with_distance(distance)
                .with_provenance(["lsp_resolved", "rwr"][provenance])
                .with_signature("fn f()");
            payload.symbols.push(symbol);
        }
        let count = u32::try_from(payload.symbols.len()).expect("because there are few");
        for (source, target, edge_type, status) in edges {
            let Some(source) = source.checked_rem(count) else { break };
            let mut edge = Edge::new(source, target % count, ["calls", "haunts"][edge_type]);
            if !odd && payload.edges.contains(&edge) {
                continue;
            }
            if odd && status == 0 {
                edge = edge.with_status("added");
            }
            payload.edges.push(edge);
        }
        payload
    })
}

fn encoder() -> impl Strategy<Value = Encoder> {
    let dialect = proptest::sample::select(Dialect::ALL);
    let root = proptest::option::of(proptest::sample::select(RootAlgorithm::ALL));
    (dialect, root, any::<bool>()).prop_map(|(dialect, root, distances)| {
        let encoder = Encoder::new().dialect(dialect).root_algorithm(root);
        if distances { encoder.distances_in_deltas(true) } else { encoder }
    })
}

/// Symbols and edges in an order that does not depend on theirs, and what a text keeps of them.
fn facts(payload: &Payload<'_>, with_fields: bool) -> (Vec<String>, Vec<String>) {
    let name = |index: u32| {
        let symbol = &payload.symbols[index as usize];
        format!("{} {}", symbol.kind, symbol.qualified_name)
    };
    let count = u32::try_from(payload.symbols.len()).expect("because there are few");
    let mut symbols: Vec<String> = (0..count)
        .map(|index| {
            let symbol = &payload.symbols[index as usize];
            let fields = format!("{:.2} {} {}", symbol.score, symbol.provenance, symbol.distance);
            format!("{} {}", name(index), if with_fields { fields } else { String::new() })
        })
        .collect();
    let mut edges: Vec<String> = payload
        .edges
        .iter()
        .map(|edge| format!("{} {} {}", name(edge.source), edge.edge_type, name(edge.target)))
        .collect();
    symbols.sort();
    edges.sort();
    (symbols, edges)
}

proptest! {
    #[test]
    fn a_delta_makes_the_new_payload(
        base in payload(false),
        new in payload(false),
        encoder in encoder(),
    ) {
        let Ok(delta) = Delta::between(&base, &new, &encoder, &WordPunctuation).unwrap() else {
            panic!("nothing stands in its way");
        };
        let text = encoder.delta_to_string(&delta).unwrap();
        let read = Decoder::new().decode_delta(&text).unwrap();
        // Only distances and the full payload's tokens may stay behind.
        let mut sent = (delta).clone();
        sent.full_tokens = None;
        let with_distances = text.contains("profile=graph") || text.lines().any(|line| {
            line.starts_with('@') && line.split(' ').count() == 6
        });
        if !with_distances {
            sent.added.iter_mut().for_each(|symbol| symbol.distance = 0);
        }
        prop_assert_eq!(&read, &sent);
        prop_assert_eq!(encoder.delta_to_string(&read).unwrap(), &*text);

        // The consumer holds the base as its text carried it.
        let held = Decoder::new().from_str(&encoder.to_string(&base).unwrap()).unwrap().into_owned();
        let applied = read.apply(&held).unwrap();
        let exact = RootAlgorithm::of(&delta.new_root) == Some(RootAlgorithm::PackRootV1);
        prop_assert_eq!(facts(&applied, exact), facts(&new, exact));
        prop_assert_eq!(applied.pack_root.as_ref(), Some(&encoder.pack_root(&new).unwrap()));
        prop_assert!(applied.is_canonical());
        // What it costs is what it says.
        let tokens = wire_core::TokenCounter::count(&WordPunctuation, &text) as u64;
        prop_assert_eq!(delta.tokens, Some(tokens));
        // On any other base it says so.
        if encoder.pack_root(&held).unwrap() != encoder.pack_root(&new).unwrap() {
            prop_assert_eq!(read.apply(&new).unwrap_err().code(), "base_root_mismatch");
        }
    }

    #[test]
    fn nothing_is_lost_in_an_exchange(
        payloads in proptest::collection::vec(payload(true), 1..8),
        encoder in encoder(),
        forget in proptest::collection::vec(any::<bool>(), 8),
    ) {
        let server = Exchange::with_store(encoder, MemoryStore::new(2, 1 << 20)).threshold(2.0);
        let mut consumer: Option<Replica> = None;
        for (payload, forget) in payloads.iter().zip(forget) {
            if forget {
                consumer = None;
            }
            let mut text = String::new();
            let request = consumer.as_ref().map_or(Request::Full, Replica::request);
            let answer = server.answer(request, payload, &mut text).unwrap();
            prop_assert_eq!(answer.tokens, wire_core::TokenCounter::count(&wire_core::Runs, &text) as u64);
            let held = match consumer.take() {
                None => Replica::from_answer(&text).unwrap(),
                Some(replica) => match replica.receive(&text) {
                    Ok(held) => held,
                    Err(out_of_sync) => {
                        // The identity root sees no kinds, so the bases may differ in them.
                        prop_assert_eq!(RootAlgorithm::of(&answer.root), Some(RootAlgorithm::Identity));
                        let mut full = String::new();
                        server.answer(out_of_sync.request(), payload, &mut full).unwrap();
                        out_of_sync.receive(&full).unwrap()
                    }
                },
            };
            let exact = RootAlgorithm::of(&answer.root) == Some(RootAlgorithm::PackRootV1);
            if exact {
                prop_assert_eq!(facts(held.payload(), true), facts(payload, true));
            } else {
                let root = |payload: &Payload<'_>| RootAlgorithm::Identity.root(payload).unwrap();
                prop_assert_eq!(root(held.payload()), root(payload));
            }
            // No root sees a status, so one is never asked with.
            let plain = payload.edges.iter().all(|edge| edge.status.is_unchanged());
            let since = Request::Since(&answer.root);
            prop_assert_eq!(held.request(), if plain { since } else { Request::Full });
            consumer = Some(held);
        }
    }

    #[test]
    fn every_cut_of_a_delta_is_an_error_or_a_whole_line(
        base in payload(false),
        new in payload(false),
        encoder in encoder(),
        cut in any::<prop::sample::Index>(),
    ) {
        let Ok(delta) = Delta::between(&base, &new, &encoder, &WordPunctuation).unwrap() else {
            panic!("nothing stands in its way");
        };
        let text = encoder.delta_to_string(&delta).unwrap();
        let end = cut.index(text.len());
        let read = Decoder::new().decode_delta(&text[..end]);
        prop_assert_eq!(read.is_ok(), text[..end].ends_with('\n'));
        // And applying what was cut at a line's end finds out, unless nothing is missing.
        if let Ok(read) = read {
            let held = Decoder::new().from_str(&encoder.to_string(&base).unwrap()).unwrap().into_owned();
            match read.apply(&held) {
                Ok(applied) => prop_assert_eq!(applied.pack_root, Some(delta.new_root)),
                Err(error) => prop_assert!(
                    ["root_mismatch", "contradictory_delta"].contains(&error.code()), "{}", error
                ),
            }
        }
    }

    #[test]
    fn roots_see_no_order(payload in payload(true), encoder in encoder()) {
        let mut shuffled = payload.clone();
        shuffled.symbols.reverse();
        let last = u32::try_from(payload.symbols.len()).unwrap().wrapping_sub(1);
        for edge in &mut shuffled.edges {
            (edge.source, edge.target) = (last - edge.source, last - edge.target);
        }
        shuffled.edges.reverse();
        prop_assert_eq!(encoder.pack_root(&payload).unwrap(), encoder.pack_root(&shuffled).unwrap());
    }
}

fn pack(names: &[&'static str]) -> Payload<'static> {
    Payload {
        tool: "t".into(),
        symbols: names.iter().map(|name| Symbol::new("function", *name)).collect(),
        ..Payload::default()
    }
}

#[test]
fn answers_say_why_they_are_full() {
    let server = Exchange::new(Encoder::new());
    let answer = |request: Request<'_>, payload: &Payload<'_>| {
        let mut text = String::new();
        let answer = server.answer(request, payload, &mut text).expect("because it can be written");
        (answer, text)
    };
    let (first, _) = answer(Request::Full, &pack(&["a", "b"]));
    assert_eq!(first.outcome, Outcome::Full(FullReason::Requested));
    let (same, text) = answer(Request::Since(&first.root), &pack(&["b", "a"]));
    assert_eq!(same.outcome, Outcome::Unchanged);
    assert_eq!(text, format!("unchanged pack_root={} symbols=2\n", first.root.as_str()));
    let (other, _) = answer(Request::Since(&first.root), &pack(&["c", "d"]));
    assert_eq!(other.outcome, Outcome::Full(FullReason::NotWorthIt));
    let unknown = PackRoot::new("a1b2c3").unwrap();
    let (unknown, _) = answer(Request::Since(&unknown), &pack(&["a"]));
    assert_eq!(unknown.outcome, Outcome::Full(FullReason::UnknownRoot));
    let twice = pack(&["a", "a"]);
    let (twice, _) = answer(Request::Since(&first.root), &twice);
    let why = gcf::graph::FullReason::DuplicateSymbol;
    assert_eq!(twice.outcome, Outcome::Full(why));
}

#[test]
fn a_consumer_without_a_base_takes_nothing_else() {
    let root = "0".repeat(64);
    let delta = format!("GCF tool=t delta=true base_root={root} new_root={root}\n");
    let unchanged = format!("unchanged pack_root={root} symbols=1\n");
    for answer in [&delta, &unchanged] {
        assert_eq!(Replica::from_answer(answer).unwrap_err().code(), "unexpected_answer");
    }
    let held = Replica::from_answer("GCF tool=t symbols=1\n@0 fn a 0.5 x\n").unwrap();
    // It states no root, so there is nothing to ask with.
    assert_eq!(held.request(), Request::Full);
    let out_of_sync: OutOfSync = held.receive(&unchanged).unwrap_err();
    assert_eq!(
        (out_of_sync.error().code(), out_of_sync.payload().symbols.len()),
        ("base_root_mismatch", 1)
    );
    assert_eq!(out_of_sync.request(), Request::Full);
    let out_of_sync = out_of_sync.receive(&delta).unwrap_err();
    assert_eq!(out_of_sync.error().code(), "unexpected_answer");
    assert_eq!(
        out_of_sync.to_string(),
        "the answer can't be used, and a full payload is needed: the answer is a delta, and the consumer has no payload, expected a full payload"
    );
    assert!(out_of_sync.receive("GCF tool=t symbols=0\n").is_ok());
}

#[test]
fn a_root_that_is_not_its_own_is_not_asked_with() {
    let text = Encoder::new().to_string(&pack(&["a"])).unwrap();
    let with_root = |root: &str| text.replace("symbols=1", &format!("symbols=1 pack_root={root}"));
    assert_eq!(Replica::from_answer(&with_root("a1b2c3")).unwrap().request(), Request::Full);
    let wrong = Replica::from_answer(&with_root(&"0".repeat(64))).unwrap_err();
    assert_eq!(wrong.code(), "root_mismatch");
    // And one that is, is held against the answer.
    let server = Exchange::new(Encoder::new().dialect(Dialect::V3));
    let mut full = String::new();
    let answer = server.answer(Request::Full, &pack(&["a"]), &mut full).unwrap();
    let held = Replica::from_answer(&full).unwrap();
    assert_eq!(held.request(), Request::Since(&answer.root));
    let unchanged =
        format!("GCF profile=graph unchanged=true pack_root={} symbols=2\n", answer.root.as_str());
    let out_of_sync = held.clone().receive(&unchanged).unwrap_err();
    assert_eq!(out_of_sync.error().code(), "count_mismatch");
    let trailing = unchanged.replace("symbols=2", "symbols=1") + "@0 fn a 0.50 x\n";
    let out_of_sync = held.clone().receive(&trailing).unwrap_err();
    assert_eq!(
        out_of_sync.error().to_string(),
        "line 2, column 1: a line follows the answer that nothing has changed, expected the end"
    );
    assert!(held.receive(&unchanged.replace("symbols=2", "symbols=1")).is_ok());
}

/// A store that has nothing, remembers what it was asked, and may fail.
#[derive(Debug, Default)]
struct Fixed {
    asked: Mutex<Vec<String>>,
    get_fails: bool,
    put_fails: bool,
}

fn failure(fails: bool) -> Result<(), StoreError> {
    if fails { Err(StoreError::new("the connection is closed")) } else { Ok(()) }
}

impl PackStore for Fixed {
    fn get(&self, key: &PackKey<'_>) -> Result<Option<Arc<Payload<'static>>>, StoreError> {
        self.asked.lock().expect("because no thread panics").push(key.to_string());
        failure(self.get_fails).map(|()| None)
    }

    fn put(&self, key: &PackKey<'_>, payload: Arc<Payload<'static>>) -> Result<(), StoreError> {
        assert_eq!(payload.pack_root.as_ref(), Some(key.root));
        failure(self.put_fails)
    }
}

#[test]
fn stores_are_asked_by_root() {
    let store = Arc::new(Fixed::default());
    let server = Exchange::with_store(Encoder::new(), Arc::clone(&store)).counter(WordPunctuation);
    let root = PackRoot::new("a1b2c3").unwrap();
    let payload = pack(&["a"]);
    let answer = server.answer(Request::Since(&root), &payload, &mut String::new()).unwrap();
    assert_eq!(answer.outcome, Outcome::Full(FullReason::UnknownRoot));
    assert!(answer.store_error.is_none());
    assert_eq!(*store.asked.lock().unwrap(), ["v1/identity/a1b2c3"]);
    // A root that covers everything needs no help of the store.
    for (dialect, asked) in [(Dialect::V1, 1), (Dialect::V3, 0)] {
        let store = Arc::new(Fixed::default());
        let server = Exchange::with_store(Encoder::new().dialect(dialect), Arc::clone(&store));
        let first = server.answer(Request::Full, &payload, &mut String::new()).unwrap();
        let since = Request::Since(&first.root);
        let answer = server.answer(since, &payload, &mut String::new()).unwrap();
        assert_eq!(answer.outcome, Outcome::Unchanged);
        assert_eq!(store.asked.lock().unwrap().len(), asked, "{dialect:?}");
    }
}

/// Ruling F1: an exchange names no tenant, and a store that does finds no other's payload, whatever
/// the tenants are called.
#[test]
fn keys_of_tenants_are_apart() {
    let (root, other) = (PackRoot::new("a1b2c3").unwrap(), PackRoot::new("a1b2").unwrap());
    let exchange = Exchange::new(Encoder::new());
    let key = exchange.key(&root);
    assert_eq!(key.tenant(), None);
    let keys = [
        key,
        key.of_tenant(""),
        key.of_tenant(" "),
        key.of_tenant("acme"),
        key.of_tenant("c3"),
        exchange.key(&other),
        exchange.key(&other).of_tenant("c3"),
    ];
    let texts: std::collections::BTreeSet<String> = keys.iter().map(ToString::to_string).collect();
    assert_eq!(texts.len(), keys.len(), "{texts:?}");
    let store = MemoryStore::default();
    store.put(&key.of_tenant("acme"), Arc::new(pack(&["a"]))).unwrap();
    let found = keys.map(|key| store.get(&key).unwrap().is_some());
    assert_eq!(found, keys.map(|key| key.tenant() == Some("acme")));
}

/// Identity roots cover names and edges, so scores, provenances, distances and kinds may change
/// without the consumer's knowledge.
#[test]
fn answers_count_the_changes_that_they_do_not_state() {
    let mut before = pack(&["a", "b", "c", "d", "e", "f"]);
    for symbol in &mut before.symbols {
        symbol.score = 0.5;
    }
    let mut after = before.clone();
    after.symbols[0].score = 0.75;
    after.symbols[1].distance = 1;
    after.symbols[2].provenance = wire_core::Provenance::from("lsp_resolved");
    after.symbols[3].kind = wire_core::Kind::from("method");
    // As it is written, this is the same score.
    after.symbols[4].score = 0.5004;
    let mut more = after.clone();
    more.symbols.push(Symbol::new("function", "g").with_score(0.5));

    for (dialect, unchanged, delta) in
        [(Dialect::V1, 4, 3), (Dialect::V1_4, 4, 3), (Dialect::V3, 0, 0)]
    {
        let server = Exchange::new(Encoder::new().dialect(dialect)).threshold(9.0);
        let answer = |request: Request<'_>, payload: &Payload<'_>| {
            server.answer(request, payload, &mut String::new()).unwrap()
        };
        let first = answer(Request::Full, &before);
        assert_eq!(first.unseen_changes, 0);
        let since = Request::Since(&first.root);
        assert_eq!(answer(since, &before).unseen_changes, 0);
        // As often as it is asked: the consumer still has what it got first.
        for _ in 0..2 {
            let second = answer(since, &after);
            let expected = if dialect == Dialect::V3 { Outcome::Delta } else { Outcome::Unchanged };
            assert_eq!(
                (second.outcome, second.unseen_changes),
                (expected, unchanged),
                "{dialect:?}"
            );
        }
        let third = answer(since, &more);
        assert_eq!((third.outcome, third.unseen_changes), (Outcome::Delta, delta), "{dialect:?}");
        // Who gets everything has everything.
        let full = answer(Request::Full, &after);
        assert_eq!(answer(Request::Since(&full.root), &after).unseen_changes, 0);
    }
    // Symbols that appear twice are counted as often as they differ.
    let server = Exchange::new(Encoder::new());
    let first = server.answer(Request::Full, &pack(&["a", "a"]), &mut String::new()).unwrap();
    let mut twice = pack(&["a", "a", "a"]);
    twice.symbols[0].score = 0.25;
    let answer = server.answer(Request::Since(&first.root), &twice, &mut String::new()).unwrap();
    assert_eq!((answer.outcome, answer.unseen_changes), (Outcome::Unchanged, 1));
}

#[test]
fn a_store_that_fails_costs_tokens_and_no_answer() {
    let payload = pack(&["a", "b"]);
    for (get_fails, put_fails) in [(true, false), (false, true), (true, true)] {
        let store = Arc::new(Fixed { get_fails, put_fails, ..Fixed::default() });
        let server = Exchange::with_store(Encoder::new(), Arc::clone(&store));
        let root = PackRoot::new("a1b2c3").unwrap();
        for request in [Request::Since(&root), Request::Full] {
            let mut text = String::new();
            let answer = server.answer(request, &payload, &mut text).unwrap();
            let fails = put_fails || request != Request::Full;
            let error = answer.store_error.map(|error| error.to_string());
            let expected = "the store failed: the connection is closed".to_owned();
            assert_eq!(error, fails.then_some(expected));
            let because = match request {
                Request::Full => FullReason::Requested,
                _ => FullReason::StoreFailed,
            };
            assert_eq!(answer.outcome, Outcome::Full(because));
            assert_eq!(
                text,
                Encoder::new().to_string(Replica::from_answer(&text).unwrap().payload()).unwrap()
            );
        }
    }
}

/// A store on another machine: each call waits once.
struct Remote(MemoryStore);

impl AsyncPackStore for Remote {
    async fn get(&self, key: &PackKey<'_>) -> Result<Option<Arc<Payload<'static>>>, StoreError> {
        yield_once().await;
        self.0.get(key)
    }

    async fn put(
        &self,
        key: &PackKey<'_>,
        payload: Arc<Payload<'static>>,
    ) -> Result<(), StoreError> {
        yield_once().await;
        self.0.put(key, payload)
    }
}

async fn yield_once() {
    let mut waited = false;
    std::future::poll_fn(|_| {
        if std::mem::replace(&mut waited, true) { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

/// The output of a future, and how often it was polled.
fn block_on<T>(future: impl Future<Output = T> + Send) -> (T, usize) {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    for polls in 1.. {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return (output, polls);
        }
    }
    unreachable!("because there is no end to numbers")
}

#[test]
fn a_store_that_waits_gives_the_same_answers() {
    let remote = Exchange::with_store(Encoder::new(), Arc::new(Remote(MemoryStore::default())))
        .threshold(9.0);
    let local = Exchange::new(Encoder::new()).threshold(9.0);
    let mut held: Option<Replica> = None;
    let mut outcomes = Vec::new();
    for names in [&["a", "b"][..], &["a", "b", "c"], &["a", "b", "c"]] {
        let payload = pack(names);
        let request = held.as_ref().map_or(Request::Full, Replica::request);
        let (mut text, mut expected) = (String::new(), String::new());
        let (answer, polls) = block_on(remote.answer_async(request, &payload, &mut text));
        let answer = answer.unwrap();
        assert_eq!(answer.outcome, local.answer(request, &payload, &mut expected).unwrap().outcome);
        assert_eq!(text, expected);
        outcomes.push((answer.outcome, polls));
        held = Some(match held {
            None => Replica::from_answer(&text).unwrap(),
            Some(held) => held.receive(&text).unwrap(),
        });
    }
    let full = Outcome::Full(FullReason::Requested);
    assert_eq!(outcomes, [(full, 2), (Outcome::Delta, 3), (Outcome::Unchanged, 2)]);
}

#[test]
fn fields_of_an_unchanged_answer_come_in_any_order() {
    let text = Encoder::new().dialect(Dialect::V3).to_string(&pack(&["a"])).unwrap();
    let held = Replica::from_answer(&text).unwrap();
    let root = Encoder::new().dialect(Dialect::V3).pack_root(held.payload()).unwrap();
    let root = root.as_str();
    for (answer, outcome) in [
        (format!("GCF profile=graph symbols=1 pack_root={root} unchanged=true\n"), Ok(())),
        (
            format!("GCF profile=graph symbols=2 unchanged=true pack_root={root}\n"),
            Err("count_mismatch"),
        ),
        (format!("GCF profile=x unchanged=true pack_root={root}\n"), Err("unknown_profile")),
        (
            format!("GCF symbols=1 symbols=1 unchanged=true pack_root={root}\n"),
            Err("duplicate_header_field"),
        ),
        (format!("unchanged pack_root={root} symbols=one\n"), Err("invalid_header_value")),
        ("unchanged symbols=1\n".to_owned(), Err("missing_root")),
        ("unchanged\n".to_owned(), Err("missing_header")),
    ] {
        let found = held.clone().receive(&answer);
        assert_eq!(
            found.as_ref().map(|_| ()).map_err(|out_of_sync| out_of_sync.error().code()),
            outcome,
            "{answer}"
        );
    }
}

#[test]
fn roots_need_no_tool() {
    let mut payload = pack(&["a"]);
    let root = Encoder::new().pack_root(&payload).unwrap();
    payload.tool = "a tool".into();
    assert_eq!(Encoder::new().pack_root(&payload).unwrap(), root);
}

#[test]
fn statuses_do_not_pass_through_an_exchange() {
    // Neither root sees a status, so what is held by a root may have other ones.
    let mut with = pack(&["a", "b"]);
    with.edges = vec![Edge::new(1, 0, "calls").with_status("added")];
    let mut without = with.clone();
    without.edges[0].status = "".into();
    let server = Exchange::new(Encoder::new().dialect(Dialect::V3)).threshold(9.0);
    let mut text = String::new();
    server.answer(Request::Full, &with, &mut text).unwrap();
    let held = Replica::from_answer(&text).unwrap();
    assert_eq!(held.request(), Request::Full);
    let root = Encoder::new().dialect(Dialect::V3).pack_root(&with).unwrap();
    let answer = server.answer(Request::Since(&root), &with, &mut text).unwrap();
    let why = gcf::graph::FullReason::EdgeStatus;
    assert_eq!(answer.outcome, Outcome::Full(why));
    assert_eq!(
        server.answer(Request::Since(&root), &without, &mut text).unwrap().outcome,
        Outcome::Unchanged
    );
}

#[test]
fn a_store_that_gives_something_else_is_not_used() {
    let root = Encoder::new().pack_root(&pack(&["a"])).unwrap();
    let mut broken = pack(&["a"]);
    broken.edges = vec![Edge::new(0, 9, "calls")];
    // The identity root does not see kinds.
    let unwritable = Payload { symbols: vec![Symbol::new("a b", "a")], ..pack(&["a"]) };
    for wrong in [Payload::default(), pack(&["b"]), broken, unwritable] {
        let store = Arc::new(MemoryStore::default());
        let server = Exchange::with_store(Encoder::new(), Arc::clone(&store));
        store.put(&server.key(&root), Arc::new(wrong)).unwrap();
        let answer =
            server.answer(Request::Since(&root), &pack(&["a", "b"]), &mut String::new()).unwrap();
        assert_eq!(answer.outcome, Outcome::Full(FullReason::UnknownRoot));
    }
    // One without its root in it, as from a format that has no place for it, is as good.
    let many = pack(&["a", "b", "c", "d", "e", "f", "g", "h"]);
    let root = Encoder::new().pack_root(&many).unwrap();
    let store = Arc::new(MemoryStore::default());
    let server = Exchange::with_store(Encoder::new(), Arc::clone(&store)).threshold(9.0);
    store.put(&server.key(&root), Arc::new(many)).unwrap();
    let answer = server.answer(Request::Since(&root), &pack(&["a"]), &mut String::new()).unwrap();
    assert_eq!(answer.outcome, Outcome::Delta);
}

#[test]
fn a_cut_payload_is_not_held() {
    let server = Exchange::new(Encoder::new());
    let mut payload = pack(&["a", "b"]);
    payload.edges = vec![Edge::new(0, 1, "calls"), Edge::new(1, 0, "calls")];
    let mut text = String::new();
    server.answer(Request::Full, &payload, &mut text).unwrap();
    let cut = text.trim_end().rfind('\n').unwrap() + 1;
    assert!(gcf::graph::from_str(&text[..cut]).is_ok(), "V1 does not count edges");
    assert_eq!(Replica::from_answer(&text[..cut]).unwrap_err().code(), "root_mismatch");
}

#[test]
fn a_consumer_keeps_its_decoder() {
    let text = Encoder::new().to_string(&pack(&["a", "b", "c"])).unwrap();
    let careful = Decoder::new().limits(wire_core::Limits::DEFAULT.with_items(2));
    let held = Replica::new(pack(&["a"])).unwrap().decoder(careful);
    let out_of_sync = held.receive(&text).unwrap_err();
    assert_eq!(out_of_sync.error().code(), "too_many_items");
    let out_of_sync = out_of_sync.receive(&text).unwrap_err();
    assert_eq!(out_of_sync.error().code(), "too_many_items");
    assert!(out_of_sync.receive("GCF tool=t symbols=0\n").is_ok());
}

#[test]
fn savings_are_whole_percents_rounded_half_to_even() {
    let root = || PackRoot::new("a").unwrap();
    let delta = Delta::new("t", root(), root());
    for (tokens, full, percent) in [
        (30, 200, 85),
        (1, 200, 100), // 99.5
        (3, 200, 98),  // 98.5
        (5, 200, 98),  // 97.5
        (300, 200, -50),
        (201, 200, 0),  // -0.5
        (203, 200, -2), // -1.5
        (0, 200, 100),
        (30, 0, 0),
        (0, 0, 0),
        (u64::MAX, 1, i64::MIN),
    ] {
        let counted = delta.clone().with_tokens(tokens, full);
        assert_eq!(counted.savings, Some(percent), "{tokens} of {full}");
    }
    // With the tokens it is exact, and else by the percents.
    assert!(!delta.is_worth_it(0.6));
    assert!(delta.clone().with_tokens(599, 1000).is_worth_it(0.6));
    assert!(!delta.clone().with_tokens(600, 1000).is_worth_it(0.6));
    let mut read = delta;
    read.savings = Some(41);
    assert!(read.is_worth_it(0.6) && !read.is_worth_it(0.59));
}

#[test]
fn a_store_in_memory_forgets_what_was_used_least_recently() {
    let exchange = Exchange::new(Encoder::new());
    let put = |store: &MemoryStore, root: &str, payload: &Payload<'static>| {
        let root = PackRoot::new(root).unwrap();
        store.put(&exchange.key(&root), Arc::new(payload.clone())).unwrap();
    };
    let has = |store: &MemoryStore, root: &str| {
        let root = PackRoot::new(root).unwrap();
        store.get(&exchange.key(&root)).unwrap().is_some()
    };
    let store = MemoryStore::new(2, usize::MAX);
    put(&store, "a", &pack(&["a"]));
    put(&store, "b", &pack(&["a"]));
    assert!(has(&store, "a"));
    put(&store, "c", &pack(&["a"]));
    assert!(!has(&store, "b") && has(&store, "a") && has(&store, "c"));

    let four = pack(&["a", "b", "c", "d"]);
    let size = MemoryStore::size(&four);
    for (bytes, is_kept) in [(size, true), (size - 1, false)] {
        let store = MemoryStore::new(1, bytes);
        put(&store, "a", &four);
        assert_eq!(has(&store, "a"), is_kept);
    }
    let store = MemoryStore::new(100, 2 * size);
    // The same root again takes no more.
    for root in ["a", "b", "a", "b"] {
        put(&store, root, &four);
    }
    assert!(has(&store, "a") && has(&store, "b"));
    put(&store, "c", &pack(&["a"]));
    assert!(!has(&store, "a") && has(&store, "b") && has(&store, "c"));
    // A payload that is larger than the store removes no other, and a signature counts, since
    // anybody may put a payload with one.
    let mut signed = pack(&["a"]);
    signed.symbols[0].signature = "x".repeat(2 * size).into();
    for large in [pack(&["a"; 20]), signed] {
        put(&store, "d", &large);
        assert!(!has(&store, "d") && has(&store, "b") && has(&store, "c"));
    }
}
