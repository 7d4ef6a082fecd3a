//! GCX1 and its peers on the same rows, in one run. An item is a row.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use wire_benches::rows::{Hit, hits};
use wire_benches::work::Work;

const FIELDS: [&str; 6] = ["id", "kind", "name", "path", "line", "sig"];
const COUNTS: [usize; 2] = [1_000, 100_000];

/// The cells of a row.
fn cells(hit: &Hit, line: &str) -> [String; 6] {
    [&hit.id, &hit.kind, &hit.name, &hit.path, line, &hit.sig].map(str::to_owned)
}

fn write(c: &mut Criterion) {
    for count in COUNTS {
        let hits = hits(count, 1);
        let rows: Vec<[String; 6]> =
            hits.iter().map(|hit| cells(hit, &hit.line.to_string())).collect();
        let text = gcx::to_string("search_symbols", &hits).unwrap();
        Work::new(c, "rows write", count)
            .by("gcx", || {
                let mut writer = gcx::Writer::new(Vec::new());
                let header = gcx::Header::new("search_symbols", FIELDS).with_rows(count as u64);
                writer.begin(&header).unwrap();
                for row in black_box(&rows) {
                    writer.row(row).unwrap();
                }
                writer.finish().unwrap()
            })
            .by("csv", || {
                let mut writer = csv::WriterBuilder::new().delimiter(b'\t').from_writer(Vec::new());
                writer.write_record(FIELDS).unwrap();
                for row in black_box(&rows) {
                    writer.write_record(row).unwrap();
                }
                writer.into_inner().unwrap()
            })
            .by("gcx of structs", || gcx::to_string("search_symbols", black_box(&hits)).unwrap())
            .by("serde_json", || serde_json::to_string(black_box(&hits)).unwrap())
            .by("rmp-serde", || rmp_serde::to_vec_named(black_box(&hits)).unwrap())
            .by("memcpy of gcx", || black_box(&text).clone());
    }
}

fn read(c: &mut Criterion) {
    for count in COUNTS {
        let hits = hits(count, 1);
        let text = gcx::to_string("search_symbols", &hits).unwrap();
        let mut writer = csv::WriterBuilder::new().delimiter(b'\t').from_writer(Vec::new());
        for hit in &hits {
            writer.serialize(hit).unwrap();
        }
        let table = writer.into_inner().unwrap();
        let json = serde_json::to_string(&hits).unwrap();
        let packed = rmp_serde::to_vec_named(&hits).unwrap();
        Work::new(c, "rows read", count)
            .by("gcx", || {
                let mut reader = gcx::SliceReader::new(black_box(&text));
                reader.next_section().unwrap();
                let mut bytes = 0;
                let mut row = gcx::Row::default();
                while reader.read_row(&mut row).unwrap() {
                    bytes += row.cells().map(str::len).sum::<usize>();
                }
                bytes
            })
            .by("csv", || {
                let mut reader =
                    csv::ReaderBuilder::new().delimiter(b'\t').from_reader(black_box(&table[..]));
                let mut record = csv::StringRecord::new();
                let mut bytes = 0;
                while reader.read_record(&mut record).unwrap() {
                    bytes += record.iter().map(str::len).sum::<usize>();
                }
                bytes
            })
            .by("gcx to structs", || gcx::from_str::<Vec<Hit>>(black_box(&text)).unwrap())
            .by("serde_json", || serde_json::from_str::<Vec<Hit>>(black_box(&json)).unwrap())
            .by("rmp-serde", || rmp_serde::from_slice::<Vec<Hit>>(black_box(&packed)).unwrap());
    }
}

criterion_group!(benches, write, read);
criterion_main!(benches);
