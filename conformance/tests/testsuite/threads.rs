//! Registries, stores and exchanges that many threads use.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, RwLock};
use std::thread;

use gcf::graph::{
    Decoder, Encoder, Exchange, MemoryStore, Outcome, PackStore, Replica, Request, Session,
    SessionReader,
};
use wire_core::{Edge, PackRoot, Payload, Symbol};
use wire_registry::Registry;

const THREADS: u32 = 8;
const ROUNDS: u32 = 200;

fn shared<T: Send + Sync>() {}
fn movable<T: Send>() {}

#[test]
fn what_may_be_shared() {
    shared::<Registry>();
    shared::<Decoder>();
    shared::<Encoder>();
    shared::<gcb::Decoder>();
    shared::<gcx::Decoder>();
    shared::<goon::Decoder>();
    shared::<gcf::Decoder>();
    shared::<Exchange>();
    shared::<MemoryStore>();
    shared::<gcf::Prepared>();
    movable::<Session>();
    movable::<SessionReader>();
    movable::<Replica>();
}

/// A payload of ten symbols, of which one is new in every version.
fn version(version: u32) -> Payload<'static> {
    let symbol = |at: u32| {
        let name = if at == 9 { format!("pkg.S{version}") } else { format!("pkg.Symbol{at}") };
        Symbol::new("function", name).with_score(f64::from(9 - at) / 10.0)
    };
    Payload {
        tool: "t".into(),
        symbols: (0..10).map(symbol).collect(),
        edges: vec![Edge::new(0, 9, "calls")],
        ..Payload::default()
    }
}

#[test]
fn one_registry_for_all() {
    let mut registry = Registry::new();
    registry.register(gcf::Gcf::default()).unwrap();
    registry.register(gcb::Gcb::default()).unwrap();
    registry.register(gcx::Gcx::default()).unwrap();
    registry.register(goon::Goon::default()).unwrap();
    let names = ["json", "json-pretty", "xml", "markdown", "gcf", "gcb", "gcx", "goon"];
    let payload = version(0);
    let expected = names.map(|name| registry.encode(name, &payload).unwrap());
    thread::scope(|scope| {
        for start in 0..THREADS as usize {
            let (registry, payload, expected) = (&registry, &payload, &expected);
            scope.spawn(move || {
                for at in (0..names.len() * 20).map(|round| (start + round) % names.len()) {
                    let bytes = registry.encode(names[at], payload).unwrap();
                    assert_eq!(bytes, expected[at]);
                    if names[at] != "markdown" {
                        assert_eq!(registry.decode(names[at], &bytes).unwrap().symbols.len(), 10);
                    }
                }
            });
        }
    });
}

#[test]
fn one_store_for_all() {
    let store = Arc::new(MemoryStore::new(4, 1 << 20));
    let exchange = Exchange::with_store(Encoder::new(), Arc::clone(&store));
    thread::scope(|scope| {
        for start in 0..THREADS {
            let (exchange, store) = (&exchange, &store);
            scope.spawn(move || {
                for round in 0..ROUNDS {
                    let number = (start + round) % 6;
                    let root = PackRoot::new(format!("v{number}")).unwrap();
                    let pack = Payload { pack_root: Some(root.clone()), ..version(number) };
                    store.put(&exchange.key(&root), Arc::new(pack)).unwrap();
                    // It may be gone by now, but is never another one.
                    let found = store.get(&exchange.key(&root)).unwrap();
                    assert!(found.is_none_or(|pack| pack.pack_root.as_ref() == Some(&root)));
                }
            });
        }
    });
}

#[test]
fn an_exchange_under_racing_updates() {
    let exchange = Exchange::with_store(Encoder::new(), MemoryStore::new(3, 1 << 20));
    let current = RwLock::new(version(0));
    let (done, unchanged, deltas, fulls) =
        (AtomicBool::new(false), AtomicU32::new(0), AtomicU32::new(0), AtomicU32::new(0));
    let ask = |request: Request<'_>| {
        let mut text = String::new();
        // What is current may be another one as soon as the answer is made.
        let payload = current.read().unwrap().clone();
        let answer = exchange.answer(request, &payload, &mut text).unwrap();
        match answer.outcome {
            Outcome::Unchanged => unchanged.fetch_add(1, Ordering::Relaxed),
            Outcome::Delta => deltas.fetch_add(1, Ordering::Relaxed),
            _ => fulls.fetch_add(1, Ordering::Relaxed),
        };
        (answer.root, text)
    };
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut next = 0;
            while !done.load(Ordering::Relaxed) {
                next = (next + 1) % 7;
                *current.write().unwrap() = version(next);
                thread::yield_now();
            }
        });
        let consumers: Vec<_> = (0..THREADS)
            .map(|_| {
                scope.spawn(|| {
                    let (_, text) = ask(Request::Full);
                    let mut held = Replica::from_answer(&text).unwrap();
                    for _ in 0..ROUNDS {
                        let (root, text) = ask(held.request());
                        held = held.receive(&text).unwrap();
                        assert_eq!(held.payload().pack_root.as_ref(), Some(&root));
                        assert_eq!(held.payload().symbols.len(), 10);
                    }
                })
            })
            .collect();
        for consumer in consumers {
            consumer.join().unwrap();
        }
        done.store(true, Ordering::Relaxed);
    });
    let answers = [&unchanged, &deltas, &fulls].map(|count| count.load(Ordering::Relaxed));
    assert_eq!(answers.iter().sum::<u32>(), THREADS * (ROUNDS + 1), "{answers:?}");
}
