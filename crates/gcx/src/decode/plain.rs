//! A fast path for plain rows.
//!
//! A plain row needs no processing: it has no escape, no carriage return, and no more cells than
//! there are fields. The general code reads a row three times: to find the line's end, to find
//! escapes, and to find the end of each cell. Here one pass over eight bytes at a time finds all
//! special bytes. For rows that are not plain the result is `None`, and `row::split` reads them. A
//! test checks that both agree.

use std::borrow::Cow;

use crate::special::special;

/// The cells of the plain row at the start of `rest`, and the length of the row with its line
/// ending. When the result is `None`, the content of `cells` is undefined.
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
