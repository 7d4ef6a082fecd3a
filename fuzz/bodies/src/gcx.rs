//! GCX1.

use serde_json::{Map, Value};
use wire_core::Codec;

use crate::pieces::Pieces;

/// The readers of slices and of streams agree, and what they read can be written and comes back.
pub fn gcx_rows(input: &[u8]) {
    let slice = sections(|sections| {
        let mut reader = gcx::SliceReader::from_slice(input)?;
        while let Some(header) = reader.next_section()? {
            sections.push((header.into_owned(), Vec::new()));
            while let Some(row) = reader.next_row()? {
                sections.last_mut().expect("because it has begun").1.push(row.into_owned());
            }
        }
        Ok(())
    });
    let stream = sections(|sections| {
        let mut reader = gcx::Reader::new(Pieces { bytes: input, most: 7 });
        while let Some(header) = reader.next_section()? {
            sections.push((header, Vec::new()));
            while let Some(row) = reader.next_row()? {
                sections.last_mut().expect("because it has begun").1.push(row);
            }
        }
        Ok(())
    });
    let sections = match (slice, stream) {
        (Ok(slice), Ok(stream)) => {
            assert_eq!(slice, stream);
            slice
        }
        // What is not UTF-8 is so at once, or when a stream comes to it.
        (Err(slice), Err(stream)) => {
            let late = slice.kind() == gcx::ErrorKind::InvalidUtf8;
            let shown = |error: &gcx::Error| (error.to_string(), error.position());
            return assert!(late || shown(&slice) == shown(&stream), "{slice:?} {stream:?}");
        }
        (slice, stream) => panic!("{slice:?} {stream:?}"),
    };
    let mut writer = gcx::Encoder::new().escape_commas(true).writer(Vec::new());
    for (header, rows) in &sections {
        // A cell may hold a CR that was not written by us; a writer leaves it out.
        if writer.begin(header).is_err() {
            return;
        }
        for row in rows {
            writer.row(row.cells()).expect("because it was read");
        }
    }
    let text = writer.finish().expect("because it was read");
    let mut reader = gcx::SliceReader::from_slice(&text).expect("because it is made of strings");
    for (header, rows) in sections {
        let again =
            reader.next_section().expect("because it was written").expect("because it was written");
        assert_eq!(again.fields().len(), header.fields().len());
        // A row of one empty cell is a blank line, and only counted rows are.
        let counted = header.rows().is_some() || header.fields().len() > 1;
        let mut found = 0;
        while reader.next_row().expect("because it was written").is_some() {
            found += 1;
        }
        assert!(!counted || found == rows.len());
    }
}

/// Rows as values of serde's are the same from a slice and a reader, and what is read is written
/// again.
pub fn gcx_records(input: &[u8]) {
    let slice = gcx::from_slice::<Vec<Map<String, Value>>>(input);
    let reader = gcx::from_reader::<_, Vec<Map<String, Value>>>(input);
    let rows = match (slice, reader) {
        (Ok(slice), Ok(reader)) => {
            assert_eq!(slice, reader);
            slice
        }
        (Err(slice), Err(reader)) => {
            let late = slice.kind() == gcx::ErrorKind::InvalidUtf8;
            return assert!(late || slice.position() == reader.position(), "{slice} {reader}");
        }
        (slice, reader) => panic!("{slice:?} {reader:?}"),
    };
    // Names may have what only an option writes.
    let writer = gcx::Encoder::new().escape_commas(true);
    let Ok(text) = writer.to_string("t", &rows) else { return };
    // The plain form writes an object and a map whose only member is the text of one alike.
    if text.contains(" fields=value rows=") && text.contains("\n{") {
        return;
    }
    let back: Vec<Map<String, Value>> = gcx::from_str(&text).expect("because it was written");
    let again = writer.to_string("t", &back).expect("because it was read");
    // A carriage return is not written (ruling X5): a name without it sorts elsewhere, a cell may
    // be of another type.
    let has_returns = || rows.iter().cloned().collect::<Value>().to_string().contains("\\r");
    assert!(again == text || has_returns(), "{again:?} {text:?}");
}

type Section = (gcx::Header<'static>, Vec<gcx::Row<'static>>);

fn sections(
    read: impl FnOnce(&mut Vec<Section>) -> Result<(), gcx::Error>,
) -> Result<Vec<Section>, gcx::Error> {
    let mut sections = Vec::new();
    read(&mut sections).map(|()| sections)
}

/// What decodes as a response is written again in the typed form, and by its layout, and comes
/// back; what decodes as a payload, too.
pub fn gcx_decode(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    if let Ok(value) = gcx::decode_response(text) {
        match gcx::encode_response("t", &value) {
            Ok(typed) => {
                let back = gcx::decode_response(&typed).expect("because it was encoded");
                assert_eq!(back, value, "{typed}");
            }
            Err(error) => assert_eq!(error.kind(), gcx::ErrorKind::TooDeep),
        }
        let header = gcx::SliceReader::new(text).next_section().expect("because it decodes");
        let header = header.expect("because it decodes");
        if header.meta("typed").is_none()
            && let Some((tool, _)) = gcx::layout::Layout::of_section(header.tool())
            && tool != "get_repo_outline"
            && !text.contains('\r')
            && !text.contains("\\r")
        {
            let encoded = gcx::Encoder::new().encode_layout_with_report(tool, &value);
            let encoded = encoded.expect("because it decodes");
            assert!(encoded.left_out.is_empty(), "{:?}", encoded.left_out);
            let back = gcx::decode_response(&encoded.text).expect("because it was encoded");
            assert_eq!(back, value, "{}", encoded.text);
        }
    }
    let codec = gcx::Gcx::default();
    if let Ok(payload) = codec.decode(input)
        && !text.contains('\r')
    {
        let mut encoded = Vec::new();
        codec.encode(&payload, &mut encoded).expect("because it decodes");
        let back = codec.decode(&encoded).expect("because it was encoded");
        assert_eq!(back, payload);
    }
}
