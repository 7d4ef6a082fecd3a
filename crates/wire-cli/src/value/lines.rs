//! JSON values on lines of their own, or one after the other, as an array.

use super::checked::Checked;
use super::json::Part;
use super::pieces::{Cut, Pieces};
use wire_core::__private::json::Error;

use crate::source::Source;

/// The number of values, in the memory that one value needs. The error has the value that it is in.
pub(super) fn check(source: Source, text: &str) -> Result<Checked, (Part<'_>, Error)> {
    let (mut items, mut are_objects) = (0, true);
    for part in parts(source, text) {
        let checked = part.check().map_err(|error| (part, error))?;
        items += 1;
        are_objects &= matches!(checked, Checked::Object { .. });
    }
    Ok(Checked::Array { items, are_objects })
}

/// The texts of the values of JSON lines, or of values one after the other.
pub(super) fn parts(source: Source, text: &str) -> Box<dyn Iterator<Item = Part<'_>> + '_> {
    match source {
        Source::JsonValues => Box::new(values(text)),
        _ => Box::new(lines(text)),
    }
}

/// The lines that are not blank, without their line endings.
fn lines(text: &str) -> impl Iterator<Item = Part<'_>> {
    const BLANK: [char; 4] = [' ', '\t', '\n', '\r'];
    let mut next = 0;
    text.split_inclusive('\n')
        .map(move |line| {
            let offset = next;
            next += line.len();
            Part { text: line.trim_end_matches(BLANK), offset, is_item: true }
        })
        .filter(|line| !line.text.is_empty())
}

/// The values one after the other. If one of them is wrong, all of the rest are its text.
fn values(text: &str) -> impl Iterator<Item = Part<'_>> {
    let mut next = 0;
    std::iter::from_fn(move || {
        let rest = Part { text: &text[next..], offset: next, is_item: true };
        let mut reader = rest.reader();
        reader.peek()?;
        let length = match reader.skip() {
            Ok(_) => reader.offset(),
            Err(_) => rest.text.len(),
        };
        next += length;
        Some(Part { text: &rest.text[..length], ..rest })
    })
}

/// The values of a JSON array, one on each line; `None` for other JSON.
pub(crate) fn of_json(json: &[u8]) -> Option<Vec<u8>> {
    let mut pieces = Pieces::new(json, "", Cut::Array);
    let mut lines = Vec::with_capacity(json.len());
    while let Some(piece) = pieces.next().ok()? {
        lines.extend_from_slice(piece.bytes.trim_ascii());
        lines.push(b'\n');
    }
    Some(lines)
}
