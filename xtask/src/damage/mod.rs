//! How much damage to a text goes unnoticed (ruling A3), measured on every text of the corpus.
//!
//! Of each text every beginning, every text with one byte left out, and some with one bit flipped
//! are read. What comes out is an error, a report, the same, or another payload in silence; the
//! last is counted.

pub(crate) mod truncation;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::thread;

use gcf::graph::{Decoder, Delta, SessionReader};
use serde_json::Value;
use wire_conformance::{Corpus, fixtures_dir};
use wire_core::Codec;
use wire_fuzz_bodies::Random;
use wire_registry::json::Json;
use wire_registry::xml::Xml;

/// The most places of a text at which it is damaged. All but a few are shorter.
const MOST_PLACES: usize = 1_000;
/// Bits that are flipped of each text.
const FLIPS: usize = 64;

/// What came of reading a text: none if it was refused, else whether something was reported, and
/// what it says.
type Read = Option<(bool, String)>;

/// A way of reading.
struct Mode {
    name: &'static str,
    read: fn(&[u8]) -> Read,
}

fn whole<T: std::fmt::Debug, E>(read: Result<T, E>) -> Read {
    read.ok().map(|read| (false, format!("{read:?}")))
}

fn text(input: &[u8]) -> Option<&str> {
    std::str::from_utf8(input).ok()
}

const GRAPH: &[Mode] = &[
    Mode { name: "default", read: |input| whole(gcf::graph::from_slice(input)) },
    Mode {
        name: "`require_final_newline`",
        read: |input| whole(Decoder::new().require_final_newline(true).from_slice(input)),
    },
    Mode {
        name: "lenient",
        read: |input| {
            let (payload, report) = Decoder::new().from_slice_lenient(input).ok()?;
            Some((!report.is_clean(), format!("{payload:?}")))
        },
    },
    Mode {
        name: "recover",
        read: |input| {
            let (payload, recovery) = Decoder::new().recover_slice(input).ok()?;
            Some((!recovery.is_clean(), format!("{payload:?}")))
        },
    },
];
const SESSION: &[Mode] = &[
    Mode { name: "default", read: |input| whole(SessionReader::new().from_slice(input)) },
    Mode {
        name: "`require_symbol_count`",
        read: |input| whole(SessionReader::new().require_symbol_count(true).from_slice(input)),
    },
];
const DELTA: &[Mode] = &[Mode { name: "read", read: |input| whole(Delta::from_slice(input)) }];
const GENERIC: &[Mode] = &[
    Mode { name: "default", read: |input| whole(gcf::generic::from_slice::<Value>(input)) },
    Mode {
        name: "`require_final_newline`",
        read: |input| {
            let decoder = gcf::generic::Decoder::new().require_final_newline(true);
            whole(decoder.from_slice::<Value>(input))
        },
    },
    Mode {
        name: "recover",
        read: |input| {
            let decoder = gcf::generic::Decoder::new();
            let (value, recovery) = decoder.recover_slice::<Value>(input).ok()?;
            Some((!recovery.is_clean(), format!("{value:?}")))
        },
    },
];
const KEYED: &[Mode] = &[Mode {
    name: "read",
    read: |input| whole(gcf::generic::keyed::Message::from_str(text(input)?)),
}];
const GCB: &[Mode] = &[Mode { name: "default", read: |input| whole(gcb::from_slice(input)) }];
const GCX: &[Mode] = &[
    Mode { name: "default", read: |input| whole(gcx::decode_response(text(input)?)) },
    Mode {
        name: "`require_final_newline`",
        read: |input| {
            whole(gcx::Decoder::new().require_final_newline(true).decode_response(text(input)?))
        },
    },
];
const GCX_ROWS: &[Mode] = &[Mode {
    name: "rows",
    read: |input| {
        let mut reader = gcx::SliceReader::from_slice(input).ok()?;
        let mut read = String::new();
        while let Some(header) = reader.next_section().ok()? {
            let _ = write!(read, "{header:?}");
            while let Some(row) = reader.next_row().ok()? {
                let _ = write!(read, "{row:?}");
            }
        }
        Some((false, read))
    },
}];
const GOON: &[Mode] = &[Mode { name: "default", read: |input| whole(goon::from_slice(input)) }];
const JSON: &[Mode] =
    &[Mode { name: "default", read: |input| whole(Json::compact().decode(input)) }];
const XML: &[Mode] = &[Mode { name: "default", read: |input| whole(Xml.decode(input)) }];

/// The form of a text of the corpus, and how it is read.
fn forms(input: &[u8]) -> Vec<(&'static str, &'static [Mode])> {
    if input.starts_with(b"GCB1") {
        return vec![("GCB1", GCB)];
    }
    let text = text(input).unwrap_or_default();
    let line = text.lines().next().unwrap_or_default();
    let has = |field: &str| line.split(' ').any(|found| found.starts_with(field));
    match line {
        _ if line.starts_with("GCF profile=generic") => {
            let is_keyed = has("key=") || has("delta=") || has("unchanged=");
            vec![if is_keyed { ("GCF, keyed sets", KEYED) } else { ("GCF, generic", GENERIC) }]
        }
        _ if has("delta=true") => vec![("GCF, deltas", DELTA)],
        _ if has("session=true") => vec![("GCF, sessions", SESSION)],
        _ if has("profile=graph") => vec![("GCF `v3`", GRAPH)],
        _ if has("edges=") || text.contains("## edges [") => vec![("GCF `v1.4`", GRAPH)],
        _ if line.starts_with("GCF ") => vec![("GCF `v1`", GRAPH)],
        _ if line.starts_with("GCX1") => vec![("GCX1, rows", GCX_ROWS), ("GCX1, responses", GCX)],
        "@header" => vec![("GOON", GOON)],
        _ if text.starts_with('{') => vec![("JSON", JSON)],
        _ if text.starts_with('<') => vec![("XML", XML)],
        _ => Vec::new(),
    }
}

/// Of the damaged texts of a form how many were tried, and how many passed for another payload.
#[derive(Default, Clone, Copy)]
struct Counts {
    texts: u64,
    cuts: (u64, u64),
    left_out: (u64, u64),
    flipped: (u64, u64),
}

impl Counts {
    fn add(&mut self, other: Counts) {
        self.texts += other.texts;
        for (mine, theirs) in [
            (&mut self.cuts, other.cuts),
            (&mut self.left_out, other.left_out),
            (&mut self.flipped, other.flipped),
        ] {
            mine.0 += theirs.0;
            mine.1 += theirs.1;
        }
    }
}

fn damaged(input: &[u8], mode: &Mode) -> Counts {
    let Some((false, meant)) = (mode.read)(input) else { return Counts::default() };
    let silent = |damaged: &[u8]| {
        u64::from((mode.read)(damaged).is_some_and(|(reported, read)| !reported && read != meant))
    };
    let mut counts = Counts { texts: 1, ..Counts::default() };
    // A long text is read so often that it would take hours.
    for at in (0..input.len()).step_by(input.len() / MOST_PLACES + 1) {
        counts.cuts.0 += 1;
        counts.cuts.1 += silent(&input[..at]);
        counts.left_out.0 += 1;
        counts.left_out.1 += silent(&[&input[..at], &input[at + 1..]].concat());
    }
    let mut random = Random::new(input.len() as u64);
    let mut flipped = input.to_vec();
    for _ in 0..if input.is_empty() { 0 } else { FLIPS } {
        let (at, bit) = (random.below(input.len()), random.below(8));
        flipped[at] ^= 1 << bit;
        counts.flipped.0 += 1;
        counts.flipped.1 += silent(&flipped);
        flipped[at] ^= 1 << bit;
    }
    counts
}

type Table = BTreeMap<(&'static str, usize, &'static str), Counts>;

fn table_of(inputs: &[&[u8]]) -> Table {
    let mut table = Table::new();
    for input in inputs {
        for (form, modes) in forms(input) {
            for (place, mode) in modes.iter().enumerate() {
                table.entry((form, place, mode.name)).or_default().add(damaged(input, mode));
            }
        }
    }
    table
}

/// A row a form and way of reading.
pub(crate) fn table() -> Result<String, String> {
    let corpus = Corpus::load(&fixtures_dir()).map_err(|error| error.to_string())?;
    let mut inputs: Vec<&[u8]> =
        corpus.cases().iter().filter_map(|case| case.operation.text()).collect();
    inputs.sort_unstable();
    inputs.dedup();
    let halves: [Vec<&[u8]>; 2] =
        [0, 1].map(|half| inputs.iter().skip(half).step_by(2).copied().collect());
    let mut table = Table::new();
    thread::scope(|scope| {
        let tables = halves.each_ref().map(|half| scope.spawn(|| table_of(half)));
        for (key, counts) in
            tables.into_iter().flat_map(|table| table.join().expect("because nothing panics"))
        {
            table.entry(key).or_default().add(counts);
        }
    });
    let mut written = String::from(
        "| form | mode | texts | cut off | a byte left out | a bit flipped |\n|---|---|---|---|---|---|\n",
    );
    for ((form, _, mode), counts) in table {
        let cell = |(tried, silent): (u64, u64)| format!("{silent} of {tried}");
        let _ = writeln!(
            written,
            "| {form} | {mode} | {} | {} | {} | {} |",
            counts.texts,
            cell(counts.cuts),
            cell(counts.left_out),
            cell(counts.flipped)
        );
    }
    Ok(written)
}
