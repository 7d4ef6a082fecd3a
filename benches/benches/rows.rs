//! GCX1 and its peers on the same rows, in one run. Throughput is in rows.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use wire_benches::rows::{Hit, hits};

const FIELDS: [&str; 6] = ["id", "kind", "name", "path", "line", "sig"];

/// The cells of a row.
fn cells(hit: &Hit, line: &str) -> [String; 6] {
    [&hit.id, &hit.kind, &hit.name, &hit.path, line, &hit.sig].map(str::to_owned)
}

fn write(c: &mut Criterion) {
    let mut group = c.benchmark_group("rows write");
    for count in [1_000, 100_000] {
        let hits = hits(count, 1);
        let rows: Vec<[String; 6]> = hits.iter().map(|hit| cells(hit, &hit.line.to_string())).collect();
        group.throughput(Throughput::Elements(count as u64));
        if count > 1_000 {
            group.sample_size(20);
        }
        group.bench_function(BenchmarkId::new("gcx", count), |b| {
            b.iter(|| {
                let mut writer = gcx::Writer::new(Vec::new());
                let header = gcx::Header::new("search_symbols", FIELDS).with_rows(count as u64);
                writer.begin(&header).unwrap();
                for row in black_box(&rows) {
                    writer.row(row).unwrap();
                }
                writer.finish().unwrap()
            });
        });
        group.bench_function(BenchmarkId::new("csv", count), |b| {
            b.iter(|| {
                let mut writer = csv::WriterBuilder::new().delimiter(b'\t').from_writer(Vec::new());
                writer.write_record(FIELDS).unwrap();
                for row in black_box(&rows) {
                    writer.write_record(row).unwrap();
                }
                writer.into_inner().unwrap()
            });
        });
        group.bench_function(BenchmarkId::new("gcx of structs", count), |b| {
            b.iter(|| gcx::to_string("search_symbols", black_box(&hits)).unwrap());
        });
        group.bench_function(BenchmarkId::new("serde_json", count), |b| {
            b.iter(|| serde_json::to_string(black_box(&hits)).unwrap());
        });
        group.bench_function(BenchmarkId::new("rmp-serde", count), |b| {
            b.iter(|| rmp_serde::to_vec_named(black_box(&hits)).unwrap());
        });
    }
}

fn read(c: &mut Criterion) {
    let mut group = c.benchmark_group("rows read");
    for count in [1_000, 100_000] {
        let hits = hits(count, 1);
        let text = gcx::to_string("search_symbols", &hits).unwrap();
        let mut writer = csv::WriterBuilder::new().delimiter(b'\t').from_writer(Vec::new());
        for hit in &hits {
            writer.serialize(hit).unwrap();
        }
        let table = writer.into_inner().unwrap();
        let json = serde_json::to_string(&hits).unwrap();
        group.throughput(Throughput::Elements(count as u64));
        if count > 1_000 {
            group.sample_size(20);
        }
        group.bench_function(BenchmarkId::new("gcx", count), |b| {
            b.iter(|| {
                let mut reader = gcx::Reader::new(black_box(&text));
                reader.next_section().unwrap();
                let mut bytes = 0;
                while let Some(row) = reader.next_row().unwrap() {
                    bytes += row.cells().map(str::len).sum::<usize>();
                }
                bytes
            });
        });
        group.bench_function(BenchmarkId::new("csv", count), |b| {
            b.iter(|| {
                let mut reader = csv::ReaderBuilder::new().delimiter(b'\t').from_reader(black_box(&table[..]));
                let mut record = csv::StringRecord::new();
                let mut bytes = 0;
                while reader.read_record(&mut record).unwrap() {
                    bytes += record.iter().map(str::len).sum::<usize>();
                }
                bytes
            });
        });
        group.bench_function(BenchmarkId::new("gcx to structs", count), |b| {
            b.iter(|| gcx::from_str::<Vec<Hit>>(black_box(&text)).unwrap());
        });
        group.bench_function(BenchmarkId::new("serde_json", count), |b| {
            b.iter(|| serde_json::from_str::<Vec<Hit>>(black_box(&json)).unwrap());
        });
    }
}

criterion_group!(benches, write, read);
criterion_main!(benches);
