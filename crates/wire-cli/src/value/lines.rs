//! JSON lines: a value on each line, as an array.

use serde_json::Value;
use wire_core::CodecError;

use super::checked::Checked;
use super::integers::{BLANK, Integers};
use super::json;
use super::pieces::{Cut, Pieces};

/// The values of the lines.
pub(super) fn read(text: &str, integers: Integers) -> Result<Value, CodecError> {
    let mut values = Vec::new();
    for (offset, line) in lines(text) {
        json::check_item(line, offset, text.as_bytes(), integers)?;
        values.push(json::read(line, offset, text.as_bytes(), integers)?);
    }
    Ok(values.into())
}

/// The number of values, in the memory that one value needs.
pub(super) fn check(text: &str, integers: Integers) -> Result<Checked, CodecError> {
    let (mut items, mut are_objects) = (0, true);
    for (offset, line) in lines(text) {
        let checked = json::check_item(line, offset, text.as_bytes(), integers)?;
        items += 1;
        are_objects &= matches!(checked, Checked::Object { .. });
    }
    Ok(Checked::Array { items, are_objects })
}

/// The text of the array of lines that were checked.
pub(super) fn as_array(text: &str) -> String {
    let mut array = String::with_capacity(text.len() + 2);
    for (_, line) in lines(text) {
        array.push(if array.is_empty() { '[' } else { ',' });
        array.push_str(line);
    }
    if array.is_empty() {
        array.push('[');
    }
    array.push(']');
    array
}

/// The lines that are not blank, without their line endings, and their offsets.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut next = 0;
    text.split_inclusive('\n')
        .map(move |line| {
            let offset = next;
            next += line.len();
            (offset, line.trim_end_matches(BLANK))
        })
        .filter(|(_, line)| !line.is_empty())
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
