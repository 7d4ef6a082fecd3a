//! The grammar for both directions: the elements of the document, and the characters of XML.

use std::ops::RangeInclusive;

/// The groups of symbols in their order, and the distances in each.
pub(super) const GROUPS: [(&str, RangeInclusive<u32>); 3] =
    [("target_symbols", 0..=0), ("related_symbols", 1..=1), ("extended_context", 2..=u32::MAX)];
/// The element after the groups.
pub(super) const EDGES: &str = "edges";
pub(super) const SUMMARY: &str = "relationship_summary";

/// Returns `true` if the character is allowed in XML 1.0 (production 2 of its specification).
pub(super) fn is_xml_char(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}
