//! The errors of the XML codec.

use wire_core::ErrorDetail;
use wire_core::{CodecError, Position, error_kinds};

error_kinds! {
    /// The kinds of error of the XML codec. The codes are stable.
    XmlErrorKind {
        Syntax = "xml_syntax", "the input is not well-formed XML of UTF-8, or declares a document type";
        UnexpectedEnd = "xml_unexpected_end", "the input ends inside the document";
        UnexpectedElement = "xml_unexpected_element", "an element or text is out of order, duplicate, or not allowed here";
        MissingAttribute = "xml_missing_attribute", "an element lacks an attribute that it needs";
        InvalidValue = "xml_invalid_value", "an attribute or a count is not a number in its range, or a symbol is in the group of another distance";
        CountMismatch = "xml_count_mismatch", "the counts of the summary differ from the symbols or edges of the document";
        UnknownSymbolName = "unknown_symbol_name", "an edge names a symbol that does not exist";
        AmbiguousSymbolName = "ambiguous_symbol_name", "an edge names one of several symbols of the same name";
        NotRepresentable = "xml_not_representable", "the payload contains what XML can't represent: NaN, an infinity, a control character, an edge to a shared name or to no symbol";
    }
}

/// An error of the codec.
pub(super) fn error(kind: XmlErrorKind, position: Option<Position>, message: String) -> CodecError {
    CodecError::new(kind.code(), position, ErrorDetail::new(kind, position, message))
}
