//! What can go wrong, and where.

use std::fmt;

use wire_core::lines::LineError;
use wire_core::{Position, error_kinds};

error_kinds! {
    /// The kinds of [`Error`]. The codes are stable.
    ErrorKind {
        // the header line
        NotGcx = "not_gcx", "the input does not begin with a `GCX1` header line";
        UnsupportedVersion = "unsupported_version", "the header is of another version, as `GCX2`: ask for JSON";
        MalformedHeader = "malformed_header", "a header field is not `key=value` behind one space";
        MissingTool = "missing_tool", "a header has no `tool`, or an empty one";
        MissingFields = "missing_fields", "a header has no `fields`, or none in it";
        DuplicateKey = "duplicate_key", "a key of a header, or of an object of JSON text, appears twice";
        DuplicateField = "duplicate_field", "a field of a section, or a key of an object in a cell, appears twice";
        InvalidRowCount = "invalid_row_count", "`rows` is not a decimal number";
        // rows
        TooManyCells = "too_many_cells", "a row has more cells than the section has fields";
        RowCountMismatch = "row_count_mismatch", "the declared number of rows is not the number of rows";
        MissingFinalNewline = "missing_final_newline", "the last line has no line ending, and it is required or no count shows that the payload is whole";
        // values
        InvalidCell = "invalid_cell", "a cell is not what it is read as, or a required one is empty";
        InvalidRow = "invalid_row", "a row is not what it is read as";
        InvalidShape = "invalid_shape", "a response or its sections are not of the shape that the tool has";
        InvalidTypes = "invalid_types", "the metadata `typed` is not a shape and a type for each field";
        EdgeIndexOutOfRange = "edge_index_out_of_range", "an edge's source or target is no index of a symbol";
        // the input as a whole
        InvalidUtf8 = "invalid_utf8", "the input is not UTF-8";
        LineTooLong = "line_too_long", "a line is longer than `Limits::line_bytes`";
        TooManyItems = "too_many_items", "there are more fields, metadata, symbols or edges than `Limits::items`";
        // encoding
        ReservedKey = "reserved_key", "a key of metadata is empty, or `tool`, `fields` or `rows`, which are none, or `typed` or `extras`, which the encoder writes";
        InvalidField = "invalid_field", "a field's name is empty, holds a comma, which other readers take for two, or in rows from types is longer than 256 bytes";
        WrongCellCount = "wrong_cell_count", "a row has not as many cells as the section has fields";
        NoSection = "no_section", "a row or comment stands before the first header";
        NotARow = "not_a_row", "some rows have fields and others are values";
        InvalidKey = "invalid_key", "a key of a map is no string, integer, truth value or variant";
        JsonSyntax = "json_syntax", "the input of a conversion from JSON is not JSON";
        InvalidValue = "invalid_value", "a value refuses to be written, or would be an empty cell that reads as none";
        InvalidName = "invalid_name", "a text of a payload holds a carriage return, which a cell can't";
        OutOfRange = "out_of_range", "an integer that the value or type that is asked for can't hold, or a number of JSON text that no double is as large as";
        NonFiniteNumber = "non_finite_number", "a number is NaN or infinite";
        TooDeep = "too_deep", "arrays and objects stand in each other more than 127 levels deep";
        // input and output
        Io = "io", "the reader or writer failed";
    }
    /// Why rows could not be encoded or decoded.
    ///
    /// Displays as one line that says where, what was found and what was expected:
    ///
    /// ```
    /// let mut reader = gcx::SliceReader::new("GCX1 tool=t fields=id\na\tb\n");
    /// let header = reader.next_section()?;
    /// let error = reader.next_row().unwrap_err();
    /// assert_eq!(error.to_string(), "line 2, column 3: a row has 2 cells, expected at most 1");
    /// assert_eq!(error.code(), "too_many_cells");
    /// # Ok::<(), gcx::Error>(())
    /// ```
    Error(Io)
}

/// What serde's traits hand outwards: an error, or one that has yet to get its place.
#[derive(Debug)]
pub(crate) enum Problem {
    Placed(Error),
    Open { kind: ErrorKind, column: Option<usize>, message: String },
}

impl Problem {
    #[cold]
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Problem::Open { kind, column: None, message: message.into() }
    }

    /// The same in this column of its row, unless it is in another one already.
    #[cold]
    pub(crate) fn in_column(mut self, at: usize) -> Self {
        if let Problem::Open { column, .. } = &mut self {
            column.get_or_insert(at);
        }
        self
    }

    /// The same at the place of its column, or without one at that of its row.
    #[cold]
    pub(crate) fn placed(self, place: impl FnOnce(Option<usize>) -> Position) -> Self {
        let Problem::Open { kind, column, message } = self else { return self };
        // What a value says of itself is about the row when no cell is to blame.
        let kind = match (kind, column) {
            (ErrorKind::InvalidCell, None) => ErrorKind::InvalidRow,
            _ => kind,
        };
        Problem::Placed(Error::at(kind, place(column), message))
    }

    /// The error.
    #[cold]
    pub(crate) fn into_error(self) -> Error {
        match self {
            Problem::Placed(error) => error,
            Problem::Open { kind, message, .. } => Error::encode(kind, message),
        }
    }

    /// The kind of error.
    pub(crate) fn kind(&self) -> ErrorKind {
        match self {
            Problem::Placed(error) => error.kind(),
            Problem::Open { kind, .. } => *kind,
        }
    }

    /// What was found and what was expected.
    pub(crate) fn message(&self) -> String {
        match self {
            Problem::Placed(error) => error.to_string(),
            Problem::Open { message, .. } => message.clone(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

impl std::error::Error for Problem {}

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

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        Problem::Placed(error)
    }
}

/// What a type says when a cell or row is not what it wants.
impl serde::de::Error for Problem {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Problem::new(ErrorKind::InvalidCell, message.to_string())
    }
}

/// What a value says when it can't be written.
impl serde::ser::Error for Problem {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Problem::new(ErrorKind::InvalidValue, message.to_string())
    }
}
