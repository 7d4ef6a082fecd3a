//! What a recovery repairs in a text of either profile.

use wire_core::error_kinds;

use crate::ErrorKind;

error_kinds! {
    /// The repairs of `Decoder::recover` of both profiles, in the order in which those of a line are
    /// reported. Groups, ids, edges and scores are of graphs alone.
    RepairKind {
        MissingHeader = "missing_header", "the header line is missing, so the payload has no tool, no budget and no count of tokens";
        SurroundingText = "surrounding_text", "text before or after the payload was skipped";
        CodeFence = "code_fence", "a line of backticks or tildes was skipped";
        AnotherPayload = "another_payload", "a second payload begins here; it and everything after it were left out";
        EscapedNewlines = "escaped_newlines", "line endings were written as `\\n`";
        InvisibleCharacters = "invisible_characters", "zero-width characters were removed";
        WhiteSpace = "white_space", "white space other than single spaces was replaced";
        Quotes = "quotes", "typographic quotes were replaced by straight quotes";
        HtmlEntities = "html_entities", "HTML entities were replaced by their characters";
        Decoration = "decoration", "indentation, a bullet, a number, a quotation mark, or a pair of marks around the line (such as `**`) was removed";
        GroupLine = "group_line", "the line of a group was spelled differently";
        MissingEdgesGroup = "missing_edges_group", "an edge was outside the group of edges";
        MissingSymbolsGroup = "missing_symbols_group", "a symbol was in the group of edges";
        MissingId = "missing_id", "a symbol had no id, and got the next one";
        DuplicateId = "duplicate_id", "a symbol had the id of another one, and got the next free one";
        Score = "score", "a score did not have two decimals";
        HeaderField = "header_field", "a field of the header was left out, or is missing";
        WrongCount = "wrong_count", "a declared count is not a number, or differs from the number of items found";
        LeftOut = "left_out", "a line could not be read and was left out";
        MissingFinalNewline = "missing_final_newline", "the text may have been cut in this line";
    }
}

impl RepairKind {
    /// Returns `true` if something in the text, or in the original text, is missing from the
    /// payload.
    pub const fn is_loss(self) -> bool {
        matches!(
            self,
            RepairKind::MissingHeader
                | RepairKind::AnotherPayload
                | RepairKind::HeaderField
                | RepairKind::WrongCount
                | RepairKind::LeftOut
                | RepairKind::MissingFinalNewline
        )
    }
}

/// One thing that was repaired or left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repair {
    /// The number of the line in the answer, from 1.
    pub line: u64,
    /// Bytes before the line in the answer; where line endings were escaped, before the part of the
    /// line.
    pub offset: u64,
    /// The kind of repair.
    pub kind: RepairKind,
    /// Why a line was left out; `None` for other repairs.
    pub reason: Option<ErrorKind>,
}
