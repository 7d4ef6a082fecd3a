//! The errors of the format, with their positions.

use std::fmt;

use serde::de::{Expected, Unexpected};
use wire_core::json;
use wire_core::{Position, error_kinds};

error_kinds! {
    /// The kinds of [`Error`]. The codes are stable.
    ErrorKind {
        // the header line
        NotGcx = "not_gcx", "the input does not begin with a `GCX1` header line";
        UnsupportedVersion = "unsupported_version", "the header has another version of the format, such as `GCX2`";
        MalformedHeader = "malformed_header", "a header field is not `key=value` after one space";
        MissingTool = "missing_tool", "a header has no `tool`, or an empty one";
        MissingFields = "missing_fields", "a header has no `fields`, or an empty list of them";
        DuplicateKey = "duplicate_key", "a key of a header, or of an object of JSON text, appears twice";
        DuplicateField = "duplicate_field", "a field of a section, or a key of an object in a cell, appears twice";
        InvalidRowCount = "invalid_row_count", "`rows` is not a decimal number";
        // rows
        TooManyCells = "too_many_cells", "a row has more cells than the section has fields";
        RowCountMismatch = "row_count_mismatch", "the declared number of rows differs from the number of rows";
        MissingFinalNewline = "missing_final_newline", "the last line has no line ending, although the reader requires one, or although no count shows that the text is complete";
        // values
        InvalidCell = "invalid_cell", "a cell does not match its type, or a required cell is empty";
        InvalidRow = "invalid_row", "a row does not match its type";
        InvalidShape = "invalid_shape", "a response, or the sections of its text, do not fit the tool's layout";
        InvalidTypes = "invalid_types", "`typed` in the header does not state a shape and a type for each field";
        EdgeIndexOutOfRange = "edge_index_out_of_range", "an edge's source or target is not the index of a symbol";
        // the input as a whole
        InvalidUtf8 = "invalid_utf8", "the input is not UTF-8";
        LineTooLong = "line_too_long", "a line is longer than `Limits::line_bytes`";
        TooManyItems = "too_many_items", "there are more fields, metadata, symbols or edges than `Limits::items`";
        // encoding
        ReservedKey = "reserved_key", "a key of metadata is empty, or `tool`, `fields` or `rows`, which are not metadata, or `typed` or `extras`, which the encoder writes";
        InvalidField = "invalid_field", "a field's name is empty, contains a comma, at which other readers would split it, or is longer than 256 bytes";
        WrongCellCount = "wrong_cell_count", "a row has too few or too many cells for the section's fields";
        NoSection = "no_section", "a row or comment comes before the first header";
        NotARow = "not_a_row", "some rows are objects and others are single values";
        InvalidKey = "invalid_key", "a key of a map is not a string, an integer, a truth value or a variant without content";
        JsonSyntax = "json_syntax", "the input of a conversion from JSON is not JSON";
        InvalidValue = "invalid_value", "a value can't be serialized, or would be an empty cell, which is read as a missing value";
        InvalidName = "invalid_name", "a text of a payload contains a carriage return, which a cell can't contain";
        InexactNumber = "inexact_number", "a decimal of JSON text is not exactly a double, and the encoder was asked not to round";
        OutOfRange = "out_of_range", "an integer is beyond the range of the requested type, or a number of JSON text is beyond the range of doubles";
        NonFiniteNumber = "non_finite_number", "a number is NaN or infinite";
        TooDeep = "too_deep", "arrays and objects are nested more than 127 levels deep";
        // input and output
        Io = "io", "the reader or writer failed";
    }
    /// Why rows could not be encoded or decoded.
    ///
    /// It is displayed as one line with the position, what was found and what was expected:
    ///
    /// ```
    /// let mut reader = gcx::SliceReader::new("GCX1 tool=t fields=id\na\tb\n");
    /// let header = reader.next_section()?;
    /// let error = reader.next_row().unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "line 2, column 3: a row has 2 cells, expected at most 1"
    /// );
    /// assert_eq!(error.code(), "too_many_cells");
    /// # Ok::<(), gcx::Error>(())
    /// ```
    Error(Io, InvalidUtf8, LineTooLong)
}

impl Error {
    /// The error of a JSON text.
    #[cold]
    pub(crate) fn of_json(json: &str, error: &json::Error) -> Self {
        let kind = match error.kind() {
            json::ErrorKind::TooDeep => ErrorKind::TooDeep,
            json::ErrorKind::DuplicateKey => ErrorKind::DuplicateKey,
            json::ErrorKind::OutOfRange => ErrorKind::OutOfRange,
            json::ErrorKind::Inexact => ErrorKind::InexactNumber,
            _ => ErrorKind::JsonSyntax,
        };
        let position = Position::in_text(json.as_bytes(), error.offset());
        Error::at(kind, position, error.message())
    }
}

/// The error that the implementations of serde's traits return: an error, or one that gets its
/// position later.
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

    /// The same error in this column of its row, unless it has a column already.
    #[cold]
    pub(crate) fn in_column(mut self, at: usize) -> Self {
        if let Problem::Open { column, .. } = &mut self {
            column.get_or_insert(at);
        }
        self
    }

    /// The same error at the position of its column, or of its row when it has no column.
    #[cold]
    pub(crate) fn placed(self, place: impl FnOnce(Option<usize>) -> Position) -> Self {
        let Problem::Open { kind, column, message } = self else { return self };
        // The error of a value is about the row when no cell is concerned.
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

    /// The message: what was found and what was expected.
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

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        Problem::Placed(error)
    }
}

/// A type reports that a cell or row does not match.
impl serde::de::Error for Problem {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Problem::new(ErrorKind::InvalidCell, message.to_string())
    }

    /// In the words of JSON's reader, which reads the JSON in cells.
    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let error: json::Error = serde::de::Error::invalid_type(found, expected);
        Problem::new(ErrorKind::InvalidCell, error.message())
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        serde::de::Error::invalid_type(found, expected)
    }

    fn missing_field(field: &'static str) -> Self {
        let error: json::Error = serde::de::Error::missing_field(field);
        Problem::new(ErrorKind::InvalidCell, error.message())
    }
}

/// A value reports that it can't be serialized.
impl serde::ser::Error for Problem {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Problem::new(ErrorKind::InvalidValue, message.to_string())
    }
}
