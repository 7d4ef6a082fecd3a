//! The errors of the format, with their positions.

use wire_core::error_kinds;

error_kinds! {
    /// The kinds of [`Error`]. The codes are stable.
    ErrorKind {
        // the JSON form
        JsonSyntax = "json_syntax", "the input is not JSON";
        UnknownMember = "unknown_member", "an object has an unknown member";
        DuplicateMember = "duplicate_member", "an object has a duplicate member";
        MissingMember = "missing_member", "an object lacks a member";
        InvalidMember = "invalid_member", "a member has the wrong type or value";
        InexactNumber = "inexact_number", "a decimal of JSON text is not exactly a double, and the encoder was asked not to round";
        OutOfRange = "out_of_range", "an integer is beyond 64 bits, or a number beyond the range of doubles";
        // encoding
        NotRepresentable = "not_representable", "part of a response does not exist in the version of GOON that is written, or a response is not a payload";
        InvalidName = "invalid_name", "a name is empty, or could not be read back";
        DuplicateNode = "duplicate_node", "two nodes have the same type and id";
        ConflictingNode = "conflicting_node", "a node appears again in the rows, with other properties";
        KeyCollision = "key_collision", "a long text of a node is cut, which adds its length as `NAME_len`, and the node has a property of that name";
        BrokenPath = "broken_path", "the steps of a path do not join end to end";
        InvalidCell = "invalid_cell", "a cell of a node column is not a node";
        UnnamedColumn = "unnamed_column", "a cell of a row has no column";
        DuplicateColumn = "duplicate_column", "two columns have the same name";
        DanglingEdge = "dangling_edge", "the source or target of an edge is not a node of the response";
        TooDeep = "too_deep", "arrays and objects are nested more than 127 levels deep";
        NonFiniteNumber = "non_finite_number", "a score is NaN or infinite";
        EdgeIndexOutOfRange = "edge_index_out_of_range", "an edge's source or target is not the index of a symbol";
        // the text as a whole
        NotGoon = "not_goon", "the input does not begin with the line `@header`";
        InvalidUtf8 = "invalid_utf8", "the input is not UTF-8";
        LineTooLong = "line_too_long", "a line is longer than `Limits::line_bytes`";
        TooManyItems = "too_many_items", "there are more nodes, edges or rows than `Limits::items`, or the nodes that cells name would use many times the size of the text";
        MissingFinalNewline = "missing_final_newline", "the last line has no line ending";
        // header and sections
        UnsupportedVersion = "unsupported_version", "the version is unknown";
        InvalidHeader = "invalid_header", "a header field is unknown, out of order, duplicate, missing, or malformed";
        InvalidSection = "invalid_section", "a section is missing, duplicate, or out of order";
        CountMismatch = "count_mismatch", "a count differs from the number of items";
        // lines
        InvalidNodeLine = "invalid_node_line", "a line among the nodes is neither `Type(count):` nor a node";
        InvalidEdgeLine = "invalid_edge_line", "a line among the edges is neither `TYPE(count):` nor an edge";
        InvalidPathLine = "invalid_path_line", "a line among the paths is not a path";
        InvalidRowLine = "invalid_row_line", "a line among the rows is not a row";
        InvalidValue = "invalid_value", "a value is neither a bare nor a quoted token, or is not allowed here";
        DuplicateKey = "duplicate_key", "a key of a node or row appears twice";
        DuplicateEdge = "duplicate_edge", "an edge appears twice";
        DanglingCell = "dangling_cell", "a cell names a node that does not exist";
        // input and output
        Io = "io", "the reader or writer failed";
    }
    /// Why a response could not be encoded or decoded.
    ///
    /// It is displayed as one line with the position, what was found and what was expected:
    ///
    /// ```
    /// let error = goon::from_str("@header\nquery_type:walk\n").unwrap_err();
    /// assert_eq!(error.code(), "invalid_header");
    /// assert!(
    ///     error
    ///         .to_string()
    ///         .starts_with("line 2, column 1: the query type is \"walk\", expected ")
    /// );
    /// ```
    Error(Io, InvalidUtf8)
}
