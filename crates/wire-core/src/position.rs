//! The position of an error in the input.

use std::fmt;

/// A position in the input of a decoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// Bytes before the position, from 0.
    pub offset: u64,
    /// The line, from 1; 0 in binary input, which has no lines. A line ends after its LF.
    pub line: u64,
    /// The column, from 1, in Unicode scalar values; 0 in binary input.
    pub column: u64,
}

impl Position {
    /// The position of the byte at `offset` in `text`. An offset past the end means the end.
    ///
    /// Decoders carry offsets and call this only when an error is made. The text need not be valid
    /// UTF-8: bytes that continue a character don't count as columns.
    ///
    /// ```
    /// use wire_core::Position;
    ///
    /// assert_eq!(
    ///     Position::in_text("größe\nx".as_bytes(), 8).to_string(),
    ///     "line 2, column 1"
    /// );
    /// ```
    pub fn in_text(text: &[u8], offset: usize) -> Position {
        let before = &text[..offset.min(text.len())];
        let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |lf| lf + 1);
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let column = before[line_start..].iter().filter(|&&byte| byte & 0xc0 != 0x80).count() + 1;
        Position { offset: before.len() as u64, line: line as u64, column: column as u64 }
    }

    /// The position of the byte at offset `at` of one line. `text` is the line, `line` its number
    /// from 1, and `start` its offset in the input. It is for readers that know which line they are
    /// in: its time depends on the length of the line only.
    pub fn in_line(text: &[u8], line: u64, start: u64, at: usize) -> Position {
        let column = Position::in_text(&text[..at.min(text.len())], at).column;
        Position { offset: start + at as u64, line, column }
    }

    /// The position of the byte at `offset` in binary input.
    pub fn in_binary(offset: u64) -> Position {
        Position { offset, line: 0, column: 0 }
    }
}

/// `line 3, column 7` in text, `offset 42` in binary input.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 {
            write!(f, "offset {}", self.offset)
        } else {
            write!(f, "line {}, column {}", self.line, self.column)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str, offset: usize) -> (u64, u64) {
        let position = Position::in_text(text.as_bytes(), offset);
        (position.line, position.column)
    }

    #[test]
    fn lines_and_columns_at_the_edges() {
        assert_eq!(at("", 0), (1, 1));
        assert_eq!(at("a\nb", 1), (1, 2)); // the LF belongs to its line
        assert_eq!(at("a\nb", 2), (2, 1));
        assert_eq!(at("a\nb", 99), (2, 2)); // the end of the input
        assert_eq!(at("a\r\nb", 3), (2, 1));
        assert_eq!(at("a\tb", 2), (1, 3)); // a tab is one column
        assert_eq!(at("größe", 5), (1, 5)); // ö counts once
        assert_eq!(at("\n\n", 2), (3, 1));
        assert_eq!(Position::in_text(b"\xff\xfe", 2).column, 3);
        assert_eq!(Position::in_text(b"a\nb", 99).offset, 3);
        // The position is the same when the line is known.
        let text = "ab\ngröße x\r\n";
        let line = Position::in_line("größe x".as_bytes(), 2, 3, 8);
        assert_eq!(line, Position::in_text(text.as_bytes(), 11));
        assert_eq!((line.line, line.column), (2, 7));
        assert_eq!(Position::in_binary(42).to_string(), "offset 42");
    }
}
