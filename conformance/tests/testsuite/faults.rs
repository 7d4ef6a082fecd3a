//! Readers and writers that fail, stall and dawdle, at every entry point of every codec: nothing
//! half-read or half-written is reported as done.

use std::io::{self, Read, Write};

use gcf::graph::{Dialect, Encoder, StreamHead};
use serde::Serialize;
use serde::ser::{SerializeMap, SerializeSeq, Serializer};
use serde_json::{Value, json};
use wire_conformance::faults::{Dribble, Last, Slow};
use wire_core::{Edge, Payload, Symbol};

fn payload() -> Payload<'static> {
    Payload {
        tool: "t".into(),
        symbols: vec![
            Symbol::new("function", "größe").with_signature("fn a()"),
            Symbol::new("type", "b"),
        ],
        edges: vec![Edge::new(0, 1, "calls")],
        ..Payload::default()
    }
}

fn rows() -> [Value; 2] {
    [json!({"id": 1, "name": "größe"}), json!({"id": 2, "name": "b\tc"})]
}

fn response() -> goon::GraphResponse {
    let mut response = goon::GraphResponse::new(goon::QueryType::Search);
    response.nodes.push(goon::Node::new("User", 1).with("name", "größe"));
    response
}

fn said(error: impl std::error::Error) -> String {
    error.to_string()
}

type Writes = fn(&mut dyn Write) -> Result<(), String>;

const WRITERS: &[(&str, Writes)] = &[
    ("gcb::to_writer", |out| gcb::to_writer(out, &payload()).map_err(said)),
    ("gcf::graph::to_writer", |out| gcf::graph::to_writer(out, &payload()).map_err(said)),
    ("gcf::graph::StreamWriter", |out| {
        let head = StreamHead { tool: "t", token_budget: 0, tokens_used: 0, pack_root: None };
        let mut stream = Encoder::new().dialect(Dialect::V1_4).writer(out, &head).map_err(said)?;
        for symbol in &payload().symbols {
            stream.symbol(symbol).map_err(said)?;
        }
        for edge in &payload().edges {
            stream.edge(edge).map_err(said)?;
        }
        stream.finish().map(drop).map_err(said)
    }),
    ("gcf::to_writer", |out| gcf::to_writer(out, &rows()).map_err(said)),
    ("gcf::Writer", |out| {
        let mut writer = gcf::Writer::new(out).map_err(said)?;
        writer.begin(&gcf::TableHead::rows(["id", "name"]).with_name("rows")).map_err(said)?;
        for row in rows() {
            writer.row(&row).map_err(said)?;
        }
        writer.finish().map(drop).map_err(said)
    }),
    ("gcx::to_writer", |out| gcx::to_writer(out, "t", rows()).map_err(said)),
    ("gcx::Writer", |out| {
        let mut writer = gcx::Writer::new(out);
        let header = gcx::Header::new("t", ["id", "name"]);
        writer.begin(&header).map_err(said)?;
        writer.row(["1", "größe"]).map_err(said)?;
        writer.comment("that is all").map_err(said)?;
        writer.finish().map(drop).map_err(said)
    }),
    ("goon::to_writer", |out| goon::to_writer(out, &response()).map_err(said)),
];

#[test]
fn writers_without_room_are_errors_at_every_byte() {
    for (name, write) in WRITERS {
        let mut whole = Vec::new();
        write(&mut whole).unwrap_or_else(|error| panic!("{name}: {error}"));
        for room in 0..whole.len() {
            for mut out in [Slow::with_room(room), Slow::that_takes_nothing(room)] {
                assert!(write(&mut out).is_err(), "{name}: {room} of {} bytes", whole.len());
                assert_eq!(out.written, whole[..room], "{name}");
            }
        }
        let mut out = Slow::with_room(whole.len());
        assert_eq!(write(&mut out), Ok(()), "{name}");
        assert_eq!(out.written, whole, "{name}");
    }
}

/// What is read.
type MakeBytes = fn() -> Vec<u8>;
type Reads = fn(&mut dyn Read) -> Result<String, String>;

fn shown<T: std::fmt::Debug>(read: T) -> String {
    format!("{read:?}")
}

const WRITES: &str = "because it can be written";

/// Each with what it reads.
const READERS: &[(&str, MakeBytes, Reads)] = &[
    (
        "gcb::from_reader",
        || gcb::to_vec(&payload()).expect(WRITES),
        |input| gcb::from_reader(input).map(shown).map_err(said),
    ),
    (
        "gcb::Reader",
        || gcb::to_vec(&payload()).expect(WRITES),
        |input| {
            let mut reader = gcb::Reader::new(input).map_err(said)?;
            let mut read = reader.tool().to_owned();
            while let Some(symbol) = reader.next_symbol().map_err(said)? {
                read += &shown(symbol);
            }
            while let Some(edge) = reader.next_edge().map_err(said)? {
                read += &shown(edge);
            }
            Ok(read)
        },
    ),
    (
        "gcf::graph::from_reader",
        || gcf::graph::to_vec(&payload()).expect(WRITES),
        |input| gcf::graph::from_reader(input).map(shown).map_err(said),
    ),
    (
        "gcf::from_reader",
        || gcf::to_vec(&rows()).expect(WRITES),
        |input| gcf::from_reader::<_, Value>(input).map(shown).map_err(said),
    ),
    (
        "gcf::Reader",
        || gcf::to_vec(&rows()).expect(WRITES),
        |input| {
            let mut reader = gcf::Reader::new(input).map_err(said)?;
            let mut read = String::new();
            while let Some(table) = reader.next_table().map_err(said)? {
                read += &shown(table);
                while let Some(row) = reader.next_row::<Value>().map_err(said)? {
                    read += &shown(row);
                }
            }
            Ok(read)
        },
    ),
    (
        "gcx::from_reader",
        || gcx::to_vec("t", rows()).expect(WRITES),
        |input| gcx::from_reader::<_, Vec<Value>>(input).map(shown).map_err(said),
    ),
    (
        "gcx::Reader",
        || gcx::to_vec("t", rows()).expect(WRITES),
        |input| {
            let mut reader = gcx::Reader::new(input);
            let mut read = String::new();
            while let Some(header) = reader.next_section().map_err(said)? {
                read += &shown(header);
                while let Some(row) = reader.next_row().map_err(said)? {
                    read += &shown(row);
                }
            }
            Ok(read)
        },
    ),
    (
        "goon::from_reader",
        || goon::to_vec(&response()).expect(WRITES),
        |input| goon::from_reader(input).map(shown).map_err(said),
    ),
];

#[test]
fn readers_that_die_or_stall_are_errors_at_every_byte() {
    for (name, bytes, read) in READERS {
        let bytes = bytes();
        let whole = read(&mut &bytes[..]).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(read(&mut Dribble::new(&bytes, Last::End)), Ok(whole), "{name}");
        for end in 0..bytes.len() {
            for last in [Last::Dies, Last::Stalls] {
                let outcome = read(&mut Dribble::new(&bytes[..end], last));
                let expected = match last {
                    Last::Dies => "the line went dead".to_owned(),
                    _ => io::Error::from(io::ErrorKind::WouldBlock).to_string(),
                };
                assert_eq!(outcome, Err(expected), "{name}: {end} of {} bytes", bytes.len());
            }
        }
    }
}

/// Says that it has more items than there is memory, and has two.
struct Liar;

impl Serialize for Liar {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut rows = serializer.serialize_seq(Some(usize::MAX))?;
        for _ in 0..2 {
            rows.serialize_element(&LyingRow)?;
        }
        rows.end()
    }
}

struct LyingRow;

impl Serialize for LyingRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut row = serializer.serialize_map(Some(usize::MAX))?;
        row.serialize_entry("a", &1)?;
        row.end()
    }
}

#[test]
fn lengths_that_a_serializer_states_are_not_believed() {
    let rows = [json!({"a": 1}), json!({"a": 1})];
    assert_eq!(gcf::to_string(&Liar).unwrap(), gcf::to_string(&rows).unwrap());
    assert_eq!(
        gcx::to_string("t", [LyingRow, LyingRow]).unwrap(),
        gcx::to_string("t", &rows).unwrap()
    );
}
