//! Plain rows, straight from the text.
//!
//! A plain row is one with nothing to undo: no escape, no carriage return, no more cells than there
//! are fields. Finding the line's end, looking for escapes, and finding each cell's end reads such
//! a row three times. Here one pass over eight bytes at a time finds all that is special. What is
//! not plain gives `None`, and `row::split` decides. A test holds that whatever is read here is
//! read the same there.

use std::borrow::Cow;

use crate::special::special;

/// The cells of the plain row at the start of `rest`, and the bytes that it takes with its line
/// ending. Where there is none, `cells` holds anything.
pub(super) fn row<'a>(
    rest: &'a str,
    fields: usize,
    longest: usize,
    cells: &mut Vec<Cow<'a, str>>,
) -> Option<usize> {
    cells.clear();
    let bytes = rest.as_bytes();
    let mut start = 0;
    for (index, chunk) in bytes.as_chunks::<8>().0.iter().enumerate() {
        let mut found = special(u64::from_le_bytes(*chunk));
        while found != 0 {
            let end = 8 * index + (found.trailing_zeros() / 8) as usize;
            let byte = bytes[end];
            if cells.len() == fields || !matches!(byte, b'\t' | b'\n') {
                return None;
            }
            cells.push(Cow::Borrowed(rest.get(start..end)?));
            if byte == b'\n' {
                return (end <= longest).then_some(end + 1);
            }
            start = end + 1;
            found &= found - 1;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::decode::row::split;

    proptest! {
        #[test]
        fn what_is_read_here_is_read_the_same_there(
            pieces in proptest::collection::vec(prop_oneof![
                Just("\t".to_owned()),
                Just("\\".to_owned()),
                Just("\r".to_owned()),
                Just("\u{b}".to_owned()),
                "[ -~ß日]{0,12}",
            ], 0..12),
            behind in "[ -~\n]{0,20}",
            fields in 1usize..8,
        ) {
            let line = pieces.concat();
            let text = format!("{line}\n{behind}");
            let mut cells = Vec::new();
            if let Some(taken) = row(&text, fields, 1_000, &mut cells) {
                prop_assert_eq!(taken, line.len() + 1);
                let row = split(&line, fields).unwrap();
                prop_assert_eq!(&cells[..], row.present());
            } else {
                let is_plain = !line.contains(|c: char| c < '\u{e}' && c != '\t' || c == '\\')
                    && line.matches('\t').count() < fields;
                // The last seven bytes of a text are not looked at.
                prop_assert!(!is_plain || behind.len() < 7, "{:?}", text);
            }
        }
    }

    #[test]
    fn a_line_may_be_as_long_as_the_limit() {
        let mut cells = Vec::new();
        assert_eq!(row("abc\td\nefghij", 2, 5, &mut cells), Some(6));
        assert_eq!(row("abc\td\nefghij", 2, 4, &mut cells), None);
    }
}
