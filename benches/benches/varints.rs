//! Reading varints: the short path of GCB1 beside `integer-encoding` (docs/decisions.md,
//! decision 1).

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use integer_encoding::VarInt;
use wire_benches::work::Work;

/// Lengths and indices as payloads have them: of one byte, and a quarter of two.
fn varints(count: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    for index in 0..count as u64 {
        let value = if index % 4 == 0 { 128 + index % 16_000 } else { index % 128 };
        bytes.extend(value.encode_var_vec());
    }
    bytes
}

/// As `crates/gcb/src/decode/cursor.rs` reads them.
fn short(mut bytes: &[u8]) -> u64 {
    let mut sum = 0;
    loop {
        match *bytes {
            [] => return sum,
            [byte @ ..0x80, ref rest @ ..] => {
                sum += u64::from(byte);
                bytes = rest;
            }
            [low @ 0x80..=0xff, high @ 1..0x80, ref rest @ ..] => {
                sum += u64::from(low & 0x7f) | u64::from(high) << 7;
                bytes = rest;
            }
            _ => panic!("a varint is longer than two bytes"),
        }
    }
}

/// By the crate, with the check that overlong forms need.
fn checked(mut bytes: &[u8]) -> u64 {
    let mut sum = 0;
    while !bytes.is_empty() {
        let (value, length) = u64::decode_var(bytes).expect("because it was written so");
        assert_eq!(value.required_space(), length);
        sum += value;
        bytes = &bytes[length..];
    }
    sum
}

fn read(c: &mut Criterion) {
    for count in [1_000, 100_000] {
        let bytes = varints(count);
        assert_eq!(short(&bytes), checked(&bytes));
        Work::new(c, "varints read", count)
            .by("gcb", || short(black_box(&bytes)))
            .by("integer-encoding", || checked(black_box(&bytes)));
    }
}

criterion_group!(benches, read);
criterion_main!(benches);
