//! A text of the format, made from an answer, and where its lines come from.

use wire_core::Position;

use super::repair::{Repair, RepairKind};
use crate::ErrorKind;

/// A payload's text, made from an answer, and where its lines come from.
#[derive(Debug)]
pub(super) struct MendedText {
    pub(super) text: String,
    /// Its lines.
    pub(super) lines: Vec<Origin>,
    /// Whether the answer has a header line; without one a bare `GCF` stands in its place.
    pub(super) has_header: bool,
    /// Whether the header counts no symbols, or a line that belongs to a payload follows it.
    pub(super) has_content: bool,
}

/// Where a line of the mended text comes from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin {
    /// Offset in the mended text.
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
    /// The line that holds this byte of the mended text.
    pub(super) fn line_at(&self, at: usize) -> &Origin {
        let behind = self.lines.partition_point(|line| line.start <= at);
        &self.lines[behind.saturating_sub(1)]
    }

    /// The offset in the answer of a place in the mended text; near it, where the line was mended.
    pub(super) fn offset_of(&self, position: Position) -> usize {
        let at = usize::try_from(position.offset).unwrap_or(usize::MAX);
        let line = self.line_at(at);
        line.offset + (at - line.start)
    }
}
