//! A text of the format, made from an answer, and the origins of its lines.

use wire_core::Position;

use super::repair::{Repair, RepairKind};
use crate::ErrorKind;

/// The text of a payload, made from an answer, and the origins of its lines.
#[derive(Debug)]
pub(super) struct MendedText {
    pub(super) text: String,
    /// Its lines.
    pub(super) lines: Vec<Origin>,
    /// Whether the answer has a header line; otherwise a bare `GCF` replaces it.
    pub(super) has_header: bool,
    /// Whether the header counts no symbols, or is followed by a line of a payload.
    pub(super) has_content: bool,
}

/// The origin of a line of the repaired text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin {
    /// Offset in the repaired text.
    pub(super) start: usize,
    /// Number of the line in the answer.
    pub(super) number: u64,
    /// Offset in the answer.
    pub(super) offset: usize,
}

impl Origin {
    pub(super) fn repair(&self, kind: RepairKind, reason: Option<ErrorKind>) -> Repair {
        Repair { line: self.number, offset: self.offset as u64, kind, reason }
    }
}

impl MendedText {
    /// The line that contains this byte of the repaired text.
    pub(super) fn line_at(&self, at: usize) -> &Origin {
        let behind = self.lines.partition_point(|line| line.start <= at);
        &self.lines[behind.saturating_sub(1)]
    }

    /// The offset in the answer for a position in the repaired text; approximate where the line was
    /// repaired.
    pub(super) fn offset_of(&self, position: Position) -> usize {
        let at = usize::try_from(position.offset).unwrap_or(usize::MAX);
        let line = self.line_at(at);
        line.offset + (at - line.start)
    }
}
