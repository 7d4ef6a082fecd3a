//! What can go wrong, and where.

use std::fmt;
use std::io;

use wire_core::error::Detail;
use wire_core::{CodecError, Position, error_kinds};

error_kinds! {
    /// The kinds of [`Error`]. The codes are stable.
    ErrorKind {
        // the header line
        NotGcx = "not_gcx", "the input does not begin with a `GCX1` header line";
        UnsupportedVersion = "unsupported_version", "the header is of another version, as `GCX2`: ask for JSON";
        MalformedHeader = "malformed_header", "a header field is not `key=value` behind one space";
        MissingTool = "missing_tool", "a header has no `tool`, or an empty one";
        MissingFields = "missing_fields", "a header has no `fields`, or none in it";
        DuplicateKey = "duplicate_key", "a key of a header appears twice";
        DuplicateField = "duplicate_field", "a field of a section appears twice";
        InvalidRowCount = "invalid_row_count", "`rows` is not a decimal number";
        // rows
        TooManyCells = "too_many_cells", "a row has more cells than the section has fields";
        RowCountMismatch = "row_count_mismatch", "the declared number of rows is not the number of rows";
        MissingFinalNewline = "missing_final_newline", "the last line has no line ending, and it is required or no count shows that the payload is whole";
        // the shapes of a workspace
        InvalidShape = "invalid_shape", "a section is not of the shape that its tool has";
        // the input as a whole
        InvalidUtf8 = "invalid_utf8", "the input is not UTF-8";
        LineTooLong = "line_too_long", "a line is longer than `Limits::line_bytes`";
        TooManyItems = "too_many_items", "there are more fields or metadata than `Limits::items`";
        // encoding
        ReservedKey = "reserved_key", "a key of metadata is empty, or `tool`, `fields` or `rows`, which are none";
        InvalidField = "invalid_field", "a field's name is empty, or holds a comma, which other readers take for two";
        WrongCellCount = "wrong_cell_count", "a row has not as many cells as the section has fields";
        NoSection = "no_section", "a row or comment stands before the first header";
        // input and output
        Io = "io", "the reader or writer failed";
    }
}

/// Why rows could not be encoded or decoded.
///
/// Displays as one line that says where, what was found and what was expected:
///
/// ```
/// let mut reader = gcx::Reader::new("GCX1 tool=t fields=id\na\tb\n");
/// let header = reader.next_section()?;
/// let error = reader.next_row().unwrap_err();
/// assert_eq!(error.to_string(), "line 2, column 3: a row has 2 cells, expected at most 1");
/// assert_eq!(error.code(), "too_many_cells");
/// # Ok::<(), gcx::Error>(())
/// ```
#[derive(thiserror::Error)]
#[error(transparent)]
pub struct Error(Box<Detail<ErrorKind>>);

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl Error {
    /// The kind of error.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind()
    }

    /// The stable name of the kind: `self.kind().code()`.
    pub fn code(&self) -> &'static str {
        self.0.kind().code()
    }

    /// Where in the input the error is; `None` for errors of encoding and of readers.
    pub fn position(&self) -> Option<Position> {
        self.0.position()
    }

    /// An error about rows that can't be encoded.
    #[cold]
    pub(crate) fn encode(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error(Box::new(Detail::new(kind, None, message)))
    }

    /// An error at this place.
    #[cold]
    pub(crate) fn at(kind: ErrorKind, position: Position, message: impl Into<String>) -> Self {
        Error(Box::new(Detail::new(kind, Some(position), message)))
    }
}

impl From<io::Error> for Error {
    fn from(source: io::Error) -> Self {
        Error(Box::new(Detail::io(ErrorKind::Io, source)))
    }
}

impl From<Error> for CodecError {
    fn from(error: Error) -> Self {
        CodecError::new(error.code(), error.position(), error)
    }
}
