//! What reads input that may be hostile, and how much memory each may take for it.

use gcf::graph::{Decoder, SessionReader};
use serde_json::Value;
use wire_core::Codec;
use wire_registry::json::Json;
use wire_registry::xml::Xml;

use super::shapes::Format;

/// A way of reading an input.
pub(crate) struct EntryPoint {
    pub(crate) name: &'static str,
    pub(crate) reads: &'static [Format],
    /// Reads, and says whether the input was taken.
    pub(crate) open: fn(&[u8]) -> bool,
    /// The most bytes that may be in use at once for a byte of input, besides [`CONSTANT`] or what
    /// the rows of a table may repeat of its head, so that below that the work grows faster than the
    /// input: 0 where nothing is repeated.
    pub(crate) bound: (u64, u64),
    /// What the bound consists of.
    pub(crate) reason: &'static str,
}

/// Buffers, and what an empty input takes.
pub(crate) const CONSTANT: u64 = 32 << 10;
/// What rows of the generic profile may repeat of names and constants here. By default it is 64
/// MiB, which takes a while to reach.
const REPEATED: usize = 1 << 20;

fn values() -> gcf::Decoder {
    gcf::Decoder::new().repeated_bytes(Some(REPEATED))
}

fn stream_gcx(input: &[u8]) -> bool {
    let mut reader = gcx::Reader::new(input);
    while let Ok(Some(_)) = reader.next_section() {
        while let Ok(Some(_)) = reader.next_row() {}
    }
    true
}

/// Every entry point.
pub(crate) const ENTRY_POINTS: &[EntryPoint] = &[
    EntryPoint {
        name: "`gcb::from_slice`",
        reads: &[Format::Gcb],
        open: |input| gcb::from_slice(input).is_ok(),
        bound: (14, 0),
        reason: "an edge of 4 bytes becomes one of 56, a symbol of 25 one of 144",
    },
    EntryPoint {
        name: "`gcb::View`",
        reads: &[Format::Gcb],
        open: |input| gcb::View::new(input).is_ok_and(|view| view.symbols().count() > 0),
        bound: (0, 0),
        reason: "nothing is allocated",
    },
    EntryPoint {
        name: "`gcb::Reader`",
        reads: &[Format::Gcb],
        open: |input| {
            let Ok(mut reader) = gcb::Reader::new(input) else { return false };
            while let Ok(Some(_)) = reader.next_symbol() {}
            while let Ok(Some(_)) = reader.next_edge() {}
            true
        },
        bound: (3, 0),
        reason: "one string at a time",
    },
    EntryPoint {
        name: "`gcf::graph::from_slice`",
        reads: &[Format::Gcf],
        open: |input| gcf::graph::from_slice(input).is_ok(),
        bound: (20, 0),
        reason: "a symbol of 12 bytes becomes one of 144, an edge of 8 one of 56; header fields of 4 are remembered",
    },
    EntryPoint {
        name: "`gcf::graph::Decoder::decode_lenient`",
        reads: &[Format::Gcf],
        open: |input| Decoder::new().decode_lenient(input).is_ok(),
        bound: (20, 0),
        reason: "the same, or 24 bytes for each line of 2 that is left out",
    },
    EntryPoint {
        name: "`gcf::graph::Decoder::recover`",
        reads: &[Format::Gcf],
        open: |input| Decoder::new().recover(input).is_ok(),
        bound: (24, 0),
        reason: "the same, and the repaired text with the positions of its lines",
    },
    EntryPoint {
        name: "`gcf::graph::SessionReader`",
        reads: &[Format::Session],
        open: |input| SessionReader::new().decode(input).is_ok(),
        bound: (20, 0),
        reason: "a symbol of 12 bytes becomes one of 144, and one of 80 that is kept for later texts",
    },
    EntryPoint {
        name: "`gcf::graph::Decoder::decode_delta`",
        reads: &[Format::Delta],
        open: |input| Decoder::new().decode_delta(input).is_ok(),
        bound: (16, 0),
        reason: "a line of 4 bytes becomes a name and a kind of 48",
    },
    EntryPoint {
        name: "`gcf::from_slice::<Value>`",
        reads: &[Format::Generic],
        open: |input| values().from_slice::<Value>(input).is_ok(),
        bound: (304, 2 * REPEATED as u64),
        reason: "a map of `serde_json` with one member has 520 bytes, and a row of one cell 2; the constant is the names that rows may repeat",
    },
    EntryPoint {
        name: "`gcf::from_slice::<IgnoredAny>`",
        reads: &[Format::Generic],
        open: |input| values().from_slice::<serde::de::IgnoredAny>(input).is_ok(),
        bound: (128, 2 * REPEATED as u64),
        reason: "a line and its nodes, and the names of columns, each with an index to find it",
    },
    EntryPoint {
        name: "`gcf::Decoder::recover::<Value>`",
        reads: &[Format::Generic],
        open: |input| values().recover::<Value>(input).is_ok(),
        bound: (304, 2 * REPEATED as u64),
        reason: "as the value",
    },
    EntryPoint {
        name: "`gcf::Reader`",
        reads: &[Format::Generic],
        open: |input| {
            let Ok(mut reader) = values().reader(input) else { return false };
            while let Ok(Some(_)) = reader.next_table() {
                while let Ok(Some(_)) = reader.next_row::<Value>() {}
            }
            true
        },
        bound: (160, 0),
        reason: "one row at a time with its attachments, three times: its lines, their text and its value; the names of columns",
    },
    EntryPoint {
        name: "`gcf::keyed::Message::from_str`",
        reads: &[Format::Keyed],
        open: |input| {
            std::str::from_utf8(input).is_ok_and(|text| text.parse::<gcf::keyed::Message>().is_ok())
        },
        bound: (64, 0),
        reason: "a separate token for each cell",
    },
    EntryPoint {
        name: "`gcx::Reader`, rows",
        reads: &[Format::GcxRows],
        open: stream_gcx,
        bound: (3, 0),
        reason: "one row at a time: its line, and twice while that grows",
    },
    EntryPoint {
        name: "`gcx::Reader`, headers",
        reads: &[Format::GcxHeaders],
        open: stream_gcx,
        bound: (16, 0),
        reason: "the names of fields, and metadata",
    },
    EntryPoint {
        name: "`gcx::SliceReader`",
        reads: &[Format::GcxRows, Format::GcxHeaders],
        open: |input| {
            let Ok(mut reader) = gcx::SliceReader::from_slice(input) else { return false };
            while let Ok(Some(_)) = reader.next_section() {
                while let Ok(Some(_)) = reader.next_row() {}
            }
            true
        },
        bound: (16, 0),
        reason: "the names of fields",
    },
    EntryPoint {
        name: "`gcx::decode_response`",
        reads: &[Format::GcxRows, Format::GcxHeaders],
        open: |input| {
            std::str::from_utf8(input).is_ok_and(|text| gcx::decode_response(text).is_ok())
        },
        bound: (304, 0),
        reason: "a map of `serde_json` with one member has 480 bytes, and a row of one cell 2",
    },
    EntryPoint {
        name: "`goon::from_slice`",
        reads: &[Format::Goon],
        open: |input| goon::from_slice(input).is_ok(),
        bound: (400, 40 << 20),
        reason: "a map for each node and row, of 6 bytes; the constant is the nodes that cells may repeat",
    },
    EntryPoint {
        name: "JSON",
        reads: &[Format::Json],
        open: |input| Json::compact().decode(input).is_ok(),
        bound: (24, 0),
        reason: "a symbol of 60 bytes",
    },
    EntryPoint {
        name: "XML",
        reads: &[Format::Xml],
        open: |input| Xml.decode(input).is_ok(),
        bound: (24, 0),
        reason: "a symbol of 70 bytes",
    },
];
