//! The cells of a row, and the values of an array on one line (sections 7.4.2 and 7.5).

use wire_core::text::shown;

use crate::ErrorKind;
use crate::generic::problem::Problem;
use crate::generic::scalar::{blank, quoted_length, trimmed};

/// The token at the start of a list, and the text after its delimiter, if there is one.
pub(super) fn token(list: &str, delimiter: u8) -> Result<(&str, Option<&str>), Problem> {
    let list = list.trim_start_matches(blank);
    let end = if list.starts_with('"') {
        let length = quoted_length(list)?;
        let rest = list[length..].trim_start_matches(blank);
        if !rest.is_empty() && rest.as_bytes()[0] != delimiter {
            let (found, delimiter) = (shown(rest), char::from(delimiter));
            let message = format!(
                "a quoted string is followed by {found}, expected `{delimiter}` or the end of the line"
            );
            return Err(Problem::new(ErrorKind::TrailingCharacters, rest, message));
        }
        list.len() - rest.len()
    } else if delimiter == b'|' && list.starts_with("^{") {
        cell_length(list)?
    } else {
        memchr::memchr(delimiter, list.as_bytes()).unwrap_or(list.len())
    };
    let behind = (end < list.len()).then(|| &list[end + 1..]);
    Ok((trimmed(&list[..end]), behind))
}

/// How far a cell reaches that has quotes inside: up to a `|` outside of them.
pub(super) fn cell_length(cell: &str) -> Result<usize, Problem> {
    let mut at = 0;
    while let Some(found) = cell[at..].bytes().position(|byte| matches!(byte, b'|' | b'"')) {
        at += found;
        if cell.as_bytes()[at] == b'|' {
            return Ok(at);
        }
        at += quoted_length(&cell[at..])?;
    }
    Ok(cell.len())
}

/// The cells of a line, without the white space around them.
pub(super) fn cut<'de>(text: &'de str, cells: &mut Vec<&'de str>) -> Result<(), Problem> {
    let mut rest = text;
    loop {
        // Only these begin a cell that may contain the delimiter.
        let (cell, behind) = match rest.as_bytes().first() {
            Some(b'"' | b'^' | b' ' | b'\t') => token(rest, b'|')?,
            _ => match delimiter(rest.as_bytes()) {
                Some(end) => (trimmed(&rest[..end]), Some(&rest[end + 1..])),
                None => (trimmed(rest), None),
            },
        };
        cells.push(cell);
        match behind {
            Some(behind) => rest = behind,
            None => return Ok(()),
        }
    }
}

/// Where the first `|` is. Cells are short: setting up a vectorized search takes longer than
/// reading them.
#[inline]
fn delimiter(bytes: &[u8]) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let (words, rest) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word) ^ (u64::from(b'|') * ONES);
        // The high bit of each byte that is zero; borrows affect only bytes after the first zero
        // byte.
        let found = word.wrapping_sub(ONES) & !word & (0x80 * ONES);
        if found != 0 {
            return Some(8 * index + (found.trailing_zeros() / 8) as usize);
        }
    }
    rest.iter().position(|byte| *byte == b'|').map(|at| 8 * words.len() + at)
}
