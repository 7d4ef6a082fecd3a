//! JSON lines: a value on each line, as an array.

use super::checked::Checked;
use super::json::Part;
use super::pieces::{Cut, Pieces};
use wire_core::__private::json::Error;

/// The number of values, in the memory that one value needs. The error has the line that it is in.
pub(super) fn check(text: &str) -> Result<Checked, (Part<'_>, Error)> {
    let (mut items, mut are_objects) = (0, true);
    for line in lines(text) {
        let checked = line.check().map_err(|error| (line, error))?;
        items += 1;
        are_objects &= matches!(checked, Checked::Object { .. });
    }
    Ok(Checked::Array { items, are_objects })
}

/// The lines that are not blank, without their line endings.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Part<'_>> {
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
