//! What the benches share: one piece of work, done by several codecs one after the other.

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, Throughput};

/// A piece of work on so many items.
pub struct Work<'c> {
    group: BenchmarkGroup<'c, WallTime>,
    items: usize,
}

impl<'c> Work<'c> {
    /// Throughput is in items, so that the time of one element is the time of one item.
    pub fn new(criterion: &'c mut Criterion, name: &str, items: usize) -> Self {
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Elements(items as u64));
        group.sample_size(if items > 1_000 { 10 } else { 40 });
        Work { group, items }
    }

    /// The work as this codec does it. Dropping what comes out is part of it.
    pub fn by<O>(&mut self, codec: &str, mut work: impl FnMut() -> O) -> &mut Self {
        self.group.bench_function(BenchmarkId::new(codec, self.items), |b| b.iter(&mut work));
        self
    }
}
