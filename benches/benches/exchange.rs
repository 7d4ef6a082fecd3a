//! Answers of a server with a store: one that answers at once, and one that waits. The peer is a
//! server without a store, which sends the whole payload each time. An item is a symbol with 1.2
//! edges.

use std::future::Future;
use std::hint::black_box;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use criterion::{Criterion, criterion_group, criterion_main};
use gcf::graph::{
    Answer, AsyncPackStore, Encoder, Exchange, MemoryStore, Outcome, PackKey, PackStore, Replica,
    Request, StoreError,
};
use wire_benches::pack;
use wire_benches::work::Work;
use wire_core::Payload;

/// A store that could wait, and never has to.
#[derive(Default)]
struct Ready(MemoryStore);

impl AsyncPackStore for Ready {
    async fn get(&self, key: &PackKey<'_>) -> Result<Option<Arc<Payload<'static>>>, StoreError> {
        self.0.get(key)
    }

    async fn put(
        &self,
        key: &PackKey<'_>,
        payload: Arc<Payload<'static>>,
    ) -> Result<(), StoreError> {
        self.0.put(key, payload)
    }
}

/// What a future that never waits comes to.
fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => unreachable!("the store is in memory"),
    }
}

fn answers(c: &mut Criterion) {
    const COUNT: usize = 1_000;
    let base = pack(COUNT, 1);
    let mut changed = base.clone();
    // Every hundredth symbol has moved.
    for symbol in changed.symbols.iter_mut().step_by(100) {
        symbol.qualified_name = format!("{}.moved", symbol.qualified_name).into();
    }
    let server = Exchange::new(Encoder::new());
    let waiting = Exchange::with_store(Encoder::new(), Ready::default());
    let mut text = String::new();
    server.answer(Request::Full, &base, &mut text).unwrap();
    now(waiting.answer_async(Request::Full, &base, &mut String::new())).unwrap();
    let consumer = Replica::from_answer(&text).unwrap();

    for (name, current, outcome) in [
        ("answer unchanged", &base, Outcome::Unchanged),
        ("answer delta", &changed, Outcome::Delta),
    ] {
        let answered = |answer: Answer, text: String| {
            assert_eq!(answer.outcome, outcome);
            text
        };
        Work::new(c, name, COUNT)
            .by("store", || {
                let mut text = String::new();
                let answer = server.answer(consumer.request(), black_box(current), &mut text);
                answered(answer.unwrap(), text)
            })
            .by("async store", || {
                let mut text = String::new();
                let answer =
                    waiting.answer_async(consumer.request(), black_box(current), &mut text);
                answered(now(answer).unwrap(), text)
            })
            .by("no store", || gcf::graph::to_string(black_box(current)).unwrap());
    }
}

criterion_group!(benches, answers);
criterion_main!(benches);
