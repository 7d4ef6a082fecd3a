//! Lines that were read separately, and their positions in the whole text.

use wire_core::Position;

use crate::Error;
use crate::generic::decode::begins_section;
use crate::generic::grammar::is_summary;

/// A line that was read, without its line ending.
#[derive(Clone, Debug)]
pub(super) struct Ahead {
    pub(super) text: String,
    pub(super) number: u64,
    pub(super) offset: u64,
}

/// The lines of a row, with line endings, and where they come from.
#[derive(Debug, Default)]
pub(super) struct Block {
    pub(super) text: String,
    lines: Vec<Place>,
}

/// Where a line of a [`Block`] begins: in it, and in the whole text.
#[derive(Clone, Copy, Debug)]
struct Place {
    start: u64,
    number: u64,
    offset: u64,
}

impl Block {
    pub(super) fn push(&mut self, line: &Ahead) {
        let start = self.text.len() as u64;
        self.lines.push(Place { start, number: line.number, offset: line.offset });
        self.text.push_str(&line.text);
        // A carriage return before the line ending belongs to the text only if another follows it.
        self.text.push_str(if line.text.ends_with('\r') { "\r\n" } else { "\n" });
    }

    /// An error in these lines, with its position in the whole text.
    #[cold]
    pub(super) fn moved(&self, error: Error) -> Error {
        let Some(found) = error.position() else { return error };
        let at = usize::try_from(found.line).unwrap_or(usize::MAX).min(self.lines.len());
        match at.checked_sub(1).and_then(|at| self.lines.get(at)) {
            Some(line) => Error::at(error.kind(), line.of(found), error.message()),
            None => error,
        }
    }
}

impl Place {
    /// The position in the whole text of a position in these lines.
    fn of(&self, found: Position) -> Position {
        let offset = self.offset + (found.offset - self.start);
        Position { offset, line: self.number, column: found.column }
    }
}

impl Ahead {
    /// Returns `true` if it can begin a row or an item.
    pub(super) fn is_of_table(&self) -> bool {
        !begins_section(&self.text) && !is_summary(&self.text)
    }

    pub(super) fn indent(&self) -> usize {
        self.text.len() - self.text.trim_start_matches(' ').len()
    }

    pub(super) fn position(&self) -> Position {
        self.position_of(self.indent())
    }

    /// The position of a byte of the line.
    pub(super) fn position_of(&self, at: usize) -> Position {
        Position::in_line(self.text.as_bytes(), self.number, self.offset, at)
    }
}

/// An error in a line that was read separately, with its position in the whole text.
#[cold]
pub(super) fn moved(error: &Error, line: &Ahead) -> Error {
    let place = Place { start: 0, number: line.number, offset: line.offset };
    let position = error.position().map_or_else(|| line.position(), |found| place.of(found));
    Error::at(error.kind(), position, error.message())
}
