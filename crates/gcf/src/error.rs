//! What can go wrong, and where.

use wire_core::lines::LineError;
use wire_core::{Position, error_kinds};

error_kinds! {
    /// The kinds of [`Error`].
    ///
    /// The codes are stable. Those that the fixtures of the GCF specification name have its names.
    ErrorKind {
        // the header line
        MissingHeader = "missing_header", "the input does not begin with a `GCF` header line";
        NothingToRecover = "nothing_to_recover", "an answer mentions the header of a text, and nothing after it belongs to one";
        UnsupportedVersion = "unsupported_version", "the header names another version of the format, as `GCF2`";
        UnknownProfile = "unknown_profile", "the header's `profile` is not the one that is read";
        MissingProfile = "missing_profile", "the header's `profile` is not its first field";
        MissingTool = "missing_tool", "the header has no `tool`, or an empty one";
        MalformedHeaderField = "malformed_header_field", "a header field is not `key=value`";
        DuplicateHeaderField = "duplicate_header_field", "a header field appears twice";
        InvalidHeaderValue = "invalid_header_value", "a header field's value has the wrong type";
        UnexpectedDelta = "unexpected_delta", "the payload is a delta, or says that nothing has changed, and is no payload by itself";
        // lines
        InvalidNodeLine = "invalid_node_line", "a symbol line does not have its five fields";
        InvalidSymbolId = "invalid_symbol_id", "`@` is not followed by a decimal id";
        DuplicateSymbolId = "duplicate_symbol_id", "an id is declared twice";
        InvalidName = "invalid_name", "a name or word is empty, or holds white space or a control character";
        InvalidScore = "invalid_score", "a score is not a finite decimal number";
        InvalidEdgeSyntax = "invalid_edge_syntax", "an edge line is not `@target<@source type [status]`";
        UnknownEdgeReference = "unknown_edge_reference", "an edge refers to an id that no line before it declares";
        UnresolvedReference = "unresolved_reference", "a line refers to a symbol of an earlier payload that was not read";
        UnknownGroup = "unknown_group", "a `##` line names no group of the format";
        UnrecognizedLine = "unrecognized_line", "a line is none of the format's lines";
        // counts and the end
        InvalidCount = "invalid_count", "a count is not a decimal number or `?`";
        CountMismatch = "count_mismatch", "a declared count is not the number of items";
        MissingFinalNewline = "missing_final_newline", "the last line has no line ending, and it is required or no count shows that the payload is whole";
        // the input as a whole
        InvalidUtf8 = "invalid_utf8", "the input is not UTF-8";
        LineTooLong = "line_too_long", "a line is longer than `Limits::line_bytes`";
        TooManyItems = "too_many_items", "there are more symbols, or edges, than `Limits::items`";
        // sessions
        SessionIdConflict = "session_id_conflict", "a line declares an id that the session has bound to another symbol";
        // deltas
        UnexpectedPayload = "unexpected_payload", "the text is a whole payload, and no delta";
        MissingRoot = "missing_root", "a delta's header has no `base_root` or no `new_root`, or the answer that nothing has changed no `pack_root`";
        MalformedDelta = "malformed_delta", "a delta has an unknown section, or a line that its section does not have";
        BaseRootMismatch = "base_root_mismatch", "a delta, or the answer that nothing has changed, is about another payload than this one";
        UnknownRoot = "unknown_root", "a root is of no algorithm that can be computed";
        ContradictoryDelta = "contradictory_delta", "a delta removes what is not there, or adds what is";
        AmbiguousSymbolName = "ambiguous_symbol_name", "an edge's end is a name that two symbols have";
        RootMismatch = "root_mismatch", "the root of what came out is not the one that was declared";
        // exchange
        UnexpectedAnswer = "unexpected_answer", "the answer needs a base that the consumer does not hold";
        // encoding
        ReservedKind = "reserved_kind", "a kind outside the vocabulary is equal to one of its abbreviations";
        EdgeIndexOutOfRange = "edge_index_out_of_range", "an edge's index points at no symbol";
        NotStreamable = "not_streamable", "the dialect has no trailer, and so no streaming; or a row has no cell for a value, or stands in a group";
        OutOfOrder = "out_of_order", "a streamed symbol comes behind a farther one, or behind an edge";
        // the generic profile
        OutOfRange = "out_of_range", "a number is beyond the integers of 64 bits with a sign and the finite doubles";
        UnterminatedQuote = "unterminated_quote", "a quoted text does not end";
        InvalidEscape = "invalid_escape", "a quoted text has an unknown escape, or a control character";
        InvalidSurrogate = "invalid_surrogate", "an escape is half a pair of surrogates";
        TrailingCharacters = "trailing_characters", "something stands behind the end of a quoted text";
        InvalidMissing = "invalid_missing", "`~` stands outside of the rows of a table";
        InvalidAttachmentMarker = "invalid_attachment_marker", "`^` stands outside of the rows of a table, or where nothing can be attached";
        DuplicateKey = "duplicate_key", "an object has a key twice";
        InvalidKey = "invalid_key", "the key of a keyed map's row is no text";
        DuplicateFieldName = "duplicate_field_name", "a list of fields has a name twice";
        InvalidFieldList = "invalid_field_list", "a list of fields has something else than names, or no end";
        InvalidConstValue = "invalid_const_value", "a list of fields has a constant that is no scalar";
        NoBareColumn = "no_bare_column", "every field of a table is a constant";
        InvalidGroupHeader = "invalid_group_header", "the rows of a table are not grouped as its header says";
        DuplicateGroup = "duplicate_group", "the rows of a table have a group twice";
        RowWidthMismatch = "row_width_mismatch", "a row has not a cell for each field";
        InlineWidthMismatch = "inline_width_mismatch", "a positional body has not a value for each field of its schema";
        InvalidItemId = "invalid_item_id", "the id of an item or row is not its index, or missing";
        OrphanAttachment = "orphan_attachment", "a named attachment belongs to no cell";
        OrphanInlineAttachment = "orphan_inline_attachment", "a positional body belongs to no cell";
        MissingAttachment = "missing_attachment", "a cell is the mark of an attachment that does not follow";
        DuplicateAttachment = "duplicate_attachment", "a cell has two attachments";
        TabIndentation = "tab_indentation", "a line is indented with a tab";
        InvalidIndent = "invalid_indent", "a line is indented by an odd number of spaces, or further than it may be";
        NotGroupable = "not_groupable", "a value is no array of objects of scalars that have the fields of the groups and of the key";
        NotKeyed = "not_keyed", "rows are no objects of scalars with the same fields, or have no key";
        SchemaChange = "schema_change", "two sets have other fields or another key, so that no delta can say what changes";
        TooLarge = "too_large", "the rows repeat names and constants to many times the size of the text";
        JsonSyntax = "json_syntax", "the input of a conversion from JSON is not JSON";
        TooDeep = "too_deep", "arrays and objects stand in each other more than 127 levels deep";
        InvalidValue = "invalid_value", "a value is none that JSON has, or not what the type asks for";
        // input and output
        Io = "io", "the reader or writer failed";
    }
    /// Why a payload could not be encoded or decoded.
    ///
    /// Displays as one line that says where, what was found and what was expected:
    ///
    /// ```
    /// let error = gcf::graph::from_str("GCF tool=t symbols=1\n@0 fn a 0.5\n").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "line 2, column 1: a symbol line has 4 fields, expected 5: `@id kind qualified_name score provenance`",
    /// );
    /// assert_eq!(error.code(), "invalid_node_line");
    /// ```
    Error(Io)
}

impl Error {
    /// What happened, without the place.
    pub(crate) fn message(&self) -> String {
        self.0.message().to_owned()
    }

    /// The error at this place, unless it has one.
    #[cold]
    #[cfg(feature = "generic")]
    pub(crate) fn or_at(self, position: impl FnOnce() -> Position) -> Self {
        match self.position() {
            Some(_) => self,
            None => Error::at(self.kind(), position(), self.message()),
        }
    }

    /// An error at `offset` of `text`.
    #[cold]
    pub(crate) fn decode(kind: ErrorKind, text: &[u8], offset: usize, message: String) -> Self {
        Error::at(kind, Position::in_text(text, offset), message)
    }
}

impl From<LineError> for Error {
    #[cold]
    fn from(error: LineError) -> Self {
        match error {
            LineError::Io(error) => error.into(),
            LineError::TooLong(position, message) => {
                Error::at(ErrorKind::LineTooLong, position, message)
            }
            LineError::InvalidUtf8(position, message) => {
                Error::at(ErrorKind::InvalidUtf8, position, message)
            }
        }
    }
}

#[cfg(feature = "generic")]
impl serde::ser::Error for Error {
    fn custom<T: std::fmt::Display>(message: T) -> Self {
        Error::encode(ErrorKind::InvalidValue, message.to_string())
    }
}

#[cfg(feature = "generic")]
impl serde::de::Error for Error {
    fn custom<T: std::fmt::Display>(message: T) -> Self {
        Error::encode(ErrorKind::InvalidValue, message.to_string())
    }
}
