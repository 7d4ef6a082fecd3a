//! The table of verbs in docs/architecture.md: what it names is there, and what it says is missing
//! is missing.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read, Write};

use goon::GraphResponse;
use serde::{Deserialize, Serialize};
use wire_core::{Limits, Payload};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Row {
    id: u8,
}

const PAGE: &str = include_str!("../../../docs/architecture.md");

/// The columns: a format or profile, and the file that exports its names.
const COLUMNS: &[(&str, &str)] = &[
    ("gcf::graph", include_str!("../../../crates/gcf/src/graph/mod.rs")),
    ("gcf", include_str!("../../../crates/gcf/src/generic/mod.rs")),
    ("gcx", include_str!("../../../crates/gcx/src/lib.rs")),
    ("goon", include_str!("../../../crates/goon/src/lib.rs")),
    ("gcb", include_str!("../../../crates/gcb/src/lib.rs")),
];

/// Uses every path, so that a renamed item does not compile, and gives them as text. Behind
/// `methods` are those of types.
macro_rules! paths {
    (items { $($($item:ident)::+,)+ } methods { $($method:path,)+ }) => {{
        $(#[allow(unused_imports)] use $($item)::+ as _;)+
        $(let _ = $method;)+
        [$(stringify!($($item)::+),)+ $(stringify!($method),)+]
            .into_iter()
            .map(|path| path.replace(' ', ""))
            .collect::<BTreeSet<String>>()
    }};
}

/// Every item that the table names.
fn known() -> BTreeSet<String> {
    paths! {
        items {
            gcf::graph::to_string, gcf::to_string, gcx::to_string, goon::to_string,
            gcf::graph::to_vec, gcf::to_vec, gcx::to_vec, goon::to_vec, gcb::to_vec,
            gcf::graph::to_writer, gcf::to_writer, gcx::to_writer, goon::to_writer, gcb::to_writer,
            gcf::graph::from_str, gcf::from_str, gcx::from_str, goon::from_str,
            gcf::graph::from_slice, gcf::from_slice, gcx::from_slice, goon::from_slice, gcb::from_slice,
            gcf::graph::from_reader, gcf::from_reader, gcx::from_reader, goon::from_reader, gcb::from_reader,
            gcf::json_to_gcf, gcx::json_to_gcx, goon::json_to_goon,
            gcf::gcf_to_json, gcx::gcx_to_json, goon::goon_to_json,
            gcf::graph::Encoder, gcf::Encoder, gcx::Encoder, goon::Encoder, gcb::Encoder,
            gcf::graph::Decoder, gcf::Decoder, gcx::Decoder, goon::Decoder, gcb::Decoder,
            gcf::Reader, gcx::Reader, gcb::Reader,
            gcf::graph::Writer, gcf::Writer, gcx::Writer,
            gcx::SliceReader, gcb::View,
            gcf::graph::EncodeReport, gcx::Encoded, goon::EncodeReport,
            gcf::Error, gcx::Error, goon::Error, gcb::Error,
        }
        methods {
            gcf::graph::Decoder::limits, gcf::Decoder::limits, gcx::Decoder::limits,
            goon::Decoder::limits, gcb::Decoder::limits,
            gcf::graph::Dialect::name, gcf::Spec::name, goon::Version::name,
        }
    }
}

/// The rows of the table: the verb, and a cell for each column.
fn table() -> Vec<(String, Vec<String>)> {
    let section = PAGE.split("\n## Verbs\n").nth(1).expect("because the page has the section");
    let section = section.split("\n## ").next().unwrap_or_default();
    let mut rows = section.lines().filter(|line| line.starts_with('|')).map(|line| {
        let cells: Vec<String> =
            line.trim_matches('|').split('|').map(|cell| cell.trim().replace('`', "")).collect();
        (cells[0].clone(), cells[1..].to_vec())
    });
    let (_, heads) = rows.next().expect("because the table has a head");
    assert!(
        heads.iter().map(String::as_str).eq(COLUMNS.iter().map(|(name, _)| *name)),
        "{heads:?}"
    );
    rows.skip(1).collect()
}

#[test]
fn every_path_of_the_table_is_an_item() {
    let named: BTreeSet<String> =
        table().into_iter().flat_map(|(_, cells)| cells).filter(|cell| cell != "–").collect();
    assert_eq!(named, known());
}

/// A reader that is no more than a reader.
struct Bytes<'a>(&'a [u8]);

impl Read for Bytes<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

/// A writer that is no more than a writer.
struct Written(Vec<u8>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn readers_and_writers_are_any_and_limits_are_of_one_type() {
    let payload = Payload { tool: "t".into(), ..Payload::default() };
    let response: GraphResponse =
        GraphResponse::from_json_str(r#"{"query_type":"search"}"#).unwrap();
    let value = [(1, "x".to_owned()), (2, "y".to_owned())];
    macro_rules! round_trip {
        ($module:path, $value:expr $(, $tool:literal)?) => {{
            use $module as format;
            let mut written = Written(Vec::new());
            format::to_writer(&mut written $(, $tool)?, $value).unwrap();
            format::from_reader(Bytes(&written.0)).unwrap()
        }};
    }
    assert_eq!(round_trip!(gcf::graph, &payload), payload);
    assert_eq!(round_trip!(gcb, &payload), payload);
    assert_eq!(round_trip!(goon, &response), response);
    let again: Vec<(u8, String)> = round_trip!(gcf, &value);
    assert_eq!(again, value);
    let again: Vec<Row> = round_trip!(gcx, &[Row { id: 7 }], "t");
    assert_eq!(again, [Row { id: 7 }]);

    let _: fn(gcf::graph::Decoder, Limits) -> gcf::graph::Decoder = gcf::graph::Decoder::limits;
    let _: fn(gcf::Decoder, Limits) -> gcf::Decoder = gcf::Decoder::limits;
    let _: fn(gcx::Decoder, Limits) -> gcx::Decoder = gcx::Decoder::limits;
    let _: fn(goon::Decoder, Limits) -> goon::Decoder = goon::Decoder::limits;
    let _: fn(gcb::Decoder, Limits) -> gcb::Decoder = gcb::Decoder::limits;
    let _: fn(gcf::graph::Dialect) -> &'static str = gcf::graph::Dialect::name;
    let _: fn(gcf::Spec) -> &'static str = gcf::Spec::name;
    let _: fn(goon::Version) -> &'static str = goon::Version::name;
}

#[test]
fn every_verb_is_in_the_table_in_its_order() {
    let verbs: Vec<String> = table().into_iter().map(|(verb, _)| verb).collect();
    assert_eq!(
        verbs,
        [
            "to_string",
            "to_vec",
            "to_writer",
            "from_str",
            "from_slice",
            "from_reader",
            "from JSON",
            "to JSON",
            "Encoder",
            "Decoder",
            "pull",
            "push",
            "view",
            "limits",
            "version",
            "report",
            "error",
        ]
    );
}

#[test]
fn a_path_is_of_its_column_and_named_by_its_verb() {
    for (verb, cells) in table() {
        // Other verbs have the name of the format or of the type.
        let is_name = !verb.contains(' ')
            && !["pull", "push", "view", "limits", "version", "report", "error"].contains(&&*verb);
        for ((column, _), cell) in COLUMNS.iter().zip(cells).filter(|(_, cell)| cell != "–") {
            // Both profiles of GCF have one error.
            let of =
                if verb == "error" { column.split("::").next().unwrap_or(column) } else { column };
            assert!(cell.starts_with(&format!("{of}::")), "{verb}: {cell} is not of {column}");
            assert!(!is_name || cell.ends_with(&format!("::{verb}")), "{cell} is not {verb}");
        }
    }
}

#[test]
fn what_is_missing_is_missing_and_has_a_reason() {
    let reasons: BTreeMap<(String, String), &str> = PAGE
        .lines()
        .filter_map(|line| line.strip_prefix("- No "))
        .filter_map(|line| line.split_once(": "))
        .filter_map(|(what, reason)| {
            let (verb, column) = what.split_once(" in ")?;
            Some(((verb.replace('`', ""), column.replace('`', "")), reason))
        })
        .collect();
    let mut missing = BTreeSet::new();
    for (verb, cells) in table() {
        for ((column, exports), _) in COLUMNS.iter().zip(cells).filter(|(_, cell)| cell == "–") {
            missing.insert((verb.clone(), (*column).to_owned()));
            // What the page says is not there would be exported under the name that it has
            // elsewhere.
            let name = match &*verb {
                "pull" => "Reader",
                "push" => "Writer",
                "view" => "View",
                "version" => "Version",
                "report" => "EncodeReport",
                "from JSON" => "from_json",
                "to JSON" => "to_json",
                name => name,
            };
            let mut words = exports
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"))
                .flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_'));
            assert!(!words.any(|word| word == name), "{column} has {name}, and the table says no");
        }
    }
    assert_eq!(reasons.into_keys().collect::<BTreeSet<_>>(), missing);
}
