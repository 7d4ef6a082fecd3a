//! The errors that the specification's suites name.

use crate::failure::ExpectedError;

/// The errors of the specification (16.5, 2.3.2 and 10.5), which have their names here, and what
/// its suites call others: the words of a message, or the name of a file (ruling G18).
const ERRORS: &[(&str, &str)] = &[
    // 16.5, header
    ("missing_header", "missing_header"),
    ("missing_profile", "missing_profile"),
    ("unknown_profile", "unknown_profile"),
    ("malformed_header_field", "malformed_header_field"),
    ("duplicate_header_field", "duplicate_header_field"),
    // 16.5, scalars
    ("unterminated_quote", "unterminated_quote"),
    ("invalid_escape", "invalid_escape"),
    ("trailing_characters", "trailing_characters"),
    ("invalid_missing", "invalid_missing"),
    ("invalid_attachment_marker", "invalid_attachment_marker"),
    ("invalid_surrogate", "invalid_surrogate"),
    ("invalid_utf8", "invalid_utf8"),
    // 16.5, structure
    ("duplicate_key", "duplicate_key"),
    ("duplicate_field_name", "duplicate_field_name"),
    ("row_width_mismatch", "row_width_mismatch"),
    ("count_mismatch", "count_mismatch"),
    ("invalid_count", "invalid_count"),
    ("tab_indentation", "tab_indentation"),
    ("invalid_indent", "invalid_indent"),
    ("invalid_item_id", "invalid_item_id"),
    ("orphan_attachment", "orphan_attachment"),
    ("orphan_inline_attachment", "orphan_inline_attachment"),
    ("missing_attachment", "missing_attachment"),
    ("duplicate_attachment", "duplicate_attachment"),
    ("inline_width_mismatch", "inline_width_mismatch"),
    // 16.5, graphs
    ("invalid_node_line", "invalid_node_line"),
    ("invalid_symbol_id", "invalid_symbol_id"),
    ("invalid_score", "invalid_score"),
    ("invalid_edge_syntax", "invalid_edge_syntax"),
    ("unknown_edge_reference", "unknown_edge_reference"),
    ("malformed_delta", "malformed_delta"),
    // elsewhere
    ("out_of_range", "out_of_range"),
    ("root_mismatch", "root_mismatch"),
    // the words of a message
    ("zero count", "invalid_count"),
    ("already exists", "contradictory_delta"),
    ("at least two fields", "invalid_count"),
    ("duplicate member key", "duplicate_key"),
    // the files of the first suite
    ("invalid_header", "missing_header"),
    ("empty_input", "missing_header"),
    ("missing_tool_field", "missing_tool"),
    ("invalid_symbol_line", "invalid_node_line"),
    ("too_few_symbol_fields", "invalid_node_line"),
    ("invalid_edge_missing_separator", "invalid_edge_syntax"),
    ("edge_unknown_target", "unknown_edge_reference"),
    ("edge_unknown_source", "unknown_edge_reference"),
];

/// The error that a suite names. A name that is not known is an error, so that no case passes by
/// any error at all.
pub(crate) fn expected_error(name: &str) -> Result<ExpectedError, String> {
    let found = ERRORS.iter().find(|(theirs, _)| *theirs == name);
    let (_, code) = found.ok_or_else(|| format!("the specification has no error {name:?}"))?;
    Ok(ExpectedError { code: (*code).to_owned(), line: None, column: None, offset: None })
}
