//! The errors of the format, with their positions.

use wire_core::{Position, error_kinds};

error_kinds! {
    /// The kinds of [`Error`].
    ///
    /// The codes are stable. Where the fixtures of the GCF specification name an error, the code is
    /// that name.
    ErrorKind {
        // the header line
        MissingHeader = "missing_header", "the input does not begin with a `GCF` header line";
        NothingToRecover = "nothing_to_recover", "an answer mentions a header, but no line after it belongs to the format";
        UnsupportedVersion = "unsupported_version", "the header has another version of the format, such as `GCF2`";
        UnknownProfile = "unknown_profile", "the header's `profile` is not that of the decoder: `graph` or `generic`";
        MissingProfile = "missing_profile", "`profile` is not the first field of the header, or is missing where the generic profile requires it";
        MissingTool = "missing_tool", "the header has no `tool`, or an empty one";
        MalformedHeaderField = "malformed_header_field", "a header field is not `key=value`";
        DuplicateHeaderField = "duplicate_header_field", "a header field appears twice";
        InvalidHeaderValue = "invalid_header_value", "a header field's value has the wrong type";
        UnexpectedDelta = "unexpected_delta", "the text is a delta or an `unchanged` answer, where a whole payload or value was expected";
        // lines
        InvalidNodeLine = "invalid_node_line", "a symbol line does not have its five fields";
        InvalidSymbolId = "invalid_symbol_id", "`@` is not followed by a decimal id";
        DuplicateSymbolId = "duplicate_symbol_id", "an id is declared twice";
        InvalidName = "invalid_name", "a name or value is empty, or contains white space or a control character";
        InvalidScore = "invalid_score", "a score is not a finite decimal number";
        InvalidEdgeSyntax = "invalid_edge_syntax", "an edge line is not `@target<@source type [status]`";
        UnknownEdgeReference = "unknown_edge_reference", "an edge refers to an id that no line before it declares";
        UnresolvedReference = "unresolved_reference", "a line refers to a symbol of an earlier text of the session, which this reader has not read";
        UnknownGroup = "unknown_group", "a `##` line is not a group of the format";
        UnrecognizedLine = "unrecognized_line", "a line is not one of the format's lines";
        // counts and the end
        InvalidCount = "invalid_count", "a count is not a decimal number or `?`";
        CountMismatch = "count_mismatch", "a declared count differs from the number of items";
        MissingFinalNewline = "missing_final_newline", "the last line has no line ending, although the reader requires one, or although no count shows that the text is complete";
        // the input as a whole
        InvalidUtf8 = "invalid_utf8", "the input is not UTF-8";
        LineTooLong = "line_too_long", "a line is longer than `Limits::line_bytes`";
        TooManyItems = "too_many_items", "there are more symbols, or edges, than `Limits::items`";
        // sessions
        SessionIdConflict = "session_id_conflict", "a line declares an id for a symbol, but the session has given this id to another one";
        // deltas
        UnexpectedPayload = "unexpected_payload", "the text is a whole payload, where a delta was expected";
        MissingRoot = "missing_root", "a delta's header lacks `base_root` or `new_root`, or an `unchanged` answer lacks `pack_root`";
        MalformedDelta = "malformed_delta", "a delta has an unknown section, or a line that is not allowed in its section";
        BaseRootMismatch = "base_root_mismatch", "a delta or an `unchanged` answer is about another payload";
        UnknownRoot = "unknown_root", "a root is not a hash that this library can compute: 64 hexadecimal digits";
        ContradictoryDelta = "contradictory_delta", "a delta removes an item that the base lacks, or adds one that it has";
        AmbiguousSymbolName = "ambiguous_symbol_name", "the source or target of an edge is a name that two symbols share";
        RootMismatch = "root_mismatch", "the computed root differs from the declared root";
        // exchange
        UnexpectedAnswer = "unexpected_answer", "the answer refers to an earlier payload, and the consumer does not have it";
        // encoding
        ReservedKind = "reserved_kind", "a kind is one of the abbreviations that the text uses for other kinds, such as `fn` for `function`";
        EdgeIndexOutOfRange = "edge_index_out_of_range", "an edge's index is not that of a symbol";
        NotStreamable = "not_streamable", "a text can't be streamed: its dialect has no trailer; or a row has a nested value or a new field, or is in a group";
        OutOfOrder = "out_of_order", "a streamed symbol comes after one with a larger distance, or after an edge";
        // the generic profile
        OutOfRange = "out_of_range", "a number is beyond signed 64-bit integers and finite doubles";
        InexactNumber = "inexact_number", "a decimal is not exactly a double, and the encoder was asked not to round";
        UnterminatedQuote = "unterminated_quote", "a quoted text has no closing quote";
        InvalidEscape = "invalid_escape", "a quoted text has an unknown escape, or a control character";
        InvalidSurrogate = "invalid_surrogate", "an escape is half of a surrogate pair";
        TrailingCharacters = "trailing_characters", "characters follow the closing quote of a text";
        InvalidMissing = "invalid_missing", "`~`, the mark of an absent field, appears outside the rows of a table";
        InvalidAttachmentMarker = "invalid_attachment_marker", "`^`, the mark of a value that follows its row, appears outside the rows of a table, or where no value can follow";
        DuplicateKey = "duplicate_key", "an object has a duplicate key";
        InvalidKey = "invalid_key", "a row of a keyed map (an object of objects, written as a table) does not begin with a string";
        DuplicateFieldName = "duplicate_field_name", "a list of fields has a name twice, or a field `a` and a path `a>b`";
        InvalidFieldList = "invalid_field_list", "a list of fields contains something other than names, or is not closed";
        InvalidConstValue = "invalid_const_value", "a constant in a list of fields, or the value of a group, is not a scalar";
        NoBareColumn = "no_bare_column", "every field of a table is a constant, so its rows would be empty";
        InvalidGroupHeader = "invalid_group_header", "the rows of a table are not grouped as its header declares";
        DuplicateGroup = "duplicate_group", "the rows of a table have a duplicate group";
        RowWidthMismatch = "row_width_mismatch", "a row has too few or too many cells";
        InlineWidthMismatch = "inline_width_mismatch", "the line of values after a row has too few or too many values for the keys that `^{…}` declares";
        InvalidItemId = "invalid_item_id", "the id of an item or row is missing, or is not its index";
        OrphanAttachment = "orphan_attachment", "an attachment `.field` follows a row that has no `^` in that field";
        OrphanInlineAttachment = "orphan_inline_attachment", "a line of values follows a row that has no cell `^` or `^{…}` for it";
        MissingAttachment = "missing_attachment", "a cell is `^`, but its value does not follow the row";
        DuplicateAttachment = "duplicate_attachment", "a row has two attachments for one field";
        TabIndentation = "tab_indentation", "a line is indented with a tab";
        InvalidIndent = "invalid_indent", "a line is indented by an odd number of spaces, or further than it may be";
        NotGroupable = "not_groupable", "a value can't be written in groups: it is not an array of objects of scalars, or an object lacks the key or the field of the groups";
        NotKeyed = "not_keyed", "rows are not a set with a key: a row lacks the key, has other fields, or has a value that is not a scalar";
        SchemaChange = "schema_change", "two sets have different fields or keys, so a delta can't describe the change";
        TooLarge = "too_large", "the rows repeat names and constants so often that the value is many times larger than the text";
        JsonSyntax = "json_syntax", "the input of a conversion from JSON is not JSON";
        TooDeep = "too_deep", "arrays and objects are nested more than 127 levels deep";
        InvalidValue = "invalid_value", "a value does not exist in JSON, or does not fit the type that is read";
        // input and output
        Io = "io", "the reader or writer failed";
    }
    /// Why a payload could not be encoded or decoded.
    ///
    /// It displays as one line that states the position, what was found and what was expected:
    ///
    /// ```
    /// let error =
    ///     gcf::graph::from_str("GCF tool=t symbols=1\n@0 fn a 0.5\n").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "line 2, column 1: a symbol line has 4 fields, expected 5: `@id kind \
    ///      qualified_name score provenance`",
    /// );
    /// assert_eq!(error.code(), "invalid_node_line");
    /// ```
    Error(Io, InvalidUtf8, LineTooLong)
}

impl Error {
    /// The message, without the position.
    pub(crate) fn message(&self) -> String {
        self.0.message().to_owned()
    }

    /// The error at this position, unless it has one already.
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
    pub(crate) fn decode(
        kind: ErrorKind,
        text: &[u8],
        offset: usize,
        message: impl Into<String>,
    ) -> Self {
        Error::at(kind, Position::in_text(text, offset), message)
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
