//! Laws of every section and every text.

use std::collections::BTreeMap;

use gcx::{Decoder, Encoder, Header, Reader, SliceReader};
use proptest::collection::{btree_map, hash_set, vec};
use proptest::prelude::*;
use wire_conformance::faults::{Dribble, Last};

/// A section: tool, fields, metadata, rows, whether they are declared.
#[derive(Clone, Debug)]
struct Section {
    tool: String,
    fields: Vec<String>,
    meta: BTreeMap<String, String>,
    rows: Vec<Vec<String>>,
    declared: bool,
}

/// Texts with what is escaped, and with what begins other lines.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("\\".to_owned()),
        Just("\t".to_owned()),
        Just("\n".to_owned()),
        Just(" ".to_owned()),
        Just("=".to_owned()),
        Just(",".to_owned()),
        Just("#".to_owned()),
        Just("GCX1 ".to_owned()),
        Just("\\t".to_owned()),
        "[a-z]{0,4}",
        any::<String>(),
    ];
    vec(piece, 0..5).prop_map(|pieces| pieces.concat().replace('\r', ""))
}

fn name() -> impl Strategy<Value = String> {
    text().prop_filter("a name is not empty, and no key of the header's", |name| {
        !name.is_empty() && !["tool", "fields", "rows"].contains(&&**name)
    })
}

fn section() -> impl Strategy<Value = Section> {
    (name(), hash_set(name(), 1..5), btree_map(name(), text(), 0..4), any::<bool>()).prop_flat_map(
        |(tool, fields, meta, declared)| {
            let fields: Vec<String> = fields.into_iter().collect();
            let rows = vec(vec(text(), fields.len()), 0..5);
            // A blank line is a row only where rows are declared.
            let declared = declared || fields.len() == 1;
            (Just(tool), Just(fields), Just(meta), rows, Just(declared)).prop_map(
                |(tool, fields, meta, rows, declared)| Section {
                    tool,
                    fields,
                    meta,
                    rows,
                    declared,
                },
            )
        },
    )
}

fn header(section: &Section) -> Header<'static> {
    let mut header = Header::new(section.tool.clone(), section.fields.clone());
    for (key, value) in &section.meta {
        header = header.with_meta(key.clone(), value.clone());
    }
    if section.declared { header.with_rows(section.rows.len() as u64) } else { header }
}

fn write(sections: &[Section]) -> String {
    let mut writer = Encoder::new().escape_commas(true).writer(Vec::new());
    for section in sections {
        writer.begin(&header(section)).expect("because it can be written");
        for row in &section.rows {
            writer.row(row).expect("because it has a cell for each field");
        }
    }
    let out = writer.finish().expect("because all rows are there");
    String::from_utf8(out).expect("because it is made of strings")
}

/// Headers and rows of a text.
type Read = Vec<(Header<'static>, Vec<Vec<String>>)>;

fn read(text: &str) -> Result<Read, gcx::Error> {
    let mut reader = SliceReader::new(text);
    let mut sections = Vec::new();
    while let Some(header) = reader.next_section()? {
        let mut rows = Vec::new();
        while let Some(row) = reader.next_row()? {
            rows.push(row.cells().map(str::to_owned).collect());
        }
        sections.push((header.into_owned(), rows));
    }
    Ok(sections)
}

fn read_stream(text: &str) -> Result<Read, gcx::Error> {
    // A buffer of one byte, so that every line is put together.
    let mut reader = Reader::new(Dribble::new(text.as_bytes(), Last::End));
    let mut sections = Vec::new();
    while let Some(header) = reader.next_section()? {
        let mut rows = Vec::new();
        while let Some(row) = reader.next_row()? {
            rows.push(row.cells().map(str::to_owned).collect());
        }
        sections.push((header, rows));
    }
    Ok(sections)
}

fn shown<T: std::fmt::Debug>(outcome: &Result<T, gcx::Error>) -> String {
    match outcome {
        Ok(value) => format!("{value:?}"),
        Err(error) => format!("{} at {:?}", error.code(), error.position()),
    }
}

proptest! {
    #[test]
    fn sections_come_back(sections in vec(section(), 1..4)) {
        let text = write(&sections);
        let expected: Read =
            sections.iter().map(|section| (header(section), section.rows.clone())).collect();
        prop_assert_eq!(read(&text).unwrap(), expected, "{}", text);
        // A text with CRLF reads as the same.
        prop_assert_eq!(read(&text.replace('\n', "\r\n")).unwrap(), read(&text).unwrap());
    }

    #[test]
    fn slice_and_stream_agree(sections in vec(section(), 1..3), edit in any::<prop::sample::Index>(), with in text()) {
        let mut text = write(&sections);
        prop_assert_eq!(read(&text).unwrap(), read_stream(&text).unwrap());
        // On texts that are nearly right, too.
        let at = (0..=edit.index(text.len())).rfind(|&at| text.is_char_boundary(at)).unwrap();
        text.insert_str(at, &with);
        prop_assert_eq!(shown(&read(&text)), shown(&read_stream(&text)), "{:?}", text);
    }

    #[test]
    fn cuts_of_declared_rows_are_errors(section in section(), cut in any::<prop::sample::Index>()) {
        let section = Section { declared: true, ..section };
        let text = write(std::slice::from_ref(&section));
        let end = (0..=cut.index(text.len())).rfind(|&end| text.is_char_boundary(end)).unwrap();
        let mut reader = Decoder::new().require_final_newline(true).slice_reader(&text[..end]);
        let outcome = (|| {
            while reader.next_section()?.is_some() {}
            Ok::<(), gcx::Error>(())
        })();
        prop_assert!(outcome.is_err(), "{:?}", &text[..end]);
    }

    #[test]
    fn anything_is_rows_or_an_error(text in any::<String>()) {
        prop_assert_eq!(shown(&read(&text)), shown(&read_stream(&text)));
        let rows = format!("GCX1 tool=t fields=a,b\n{text}\n");
        prop_assert_eq!(shown(&read(&rows)), shown(&read_stream(&rows)));
    }
}
