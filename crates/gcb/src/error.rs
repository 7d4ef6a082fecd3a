//! The errors of the codec, and their offsets.

use wire_core::{Position, error_kinds};

error_kinds! {
    /// The kinds of [`Error`]. The codes are stable.
    ErrorKind {
        // decoding
        NotGcb = "not_gcb", "the input does not begin with the magic `GCB1`";
        UnsupportedVersion = "unsupported_version", "the version byte is not 1";
        UnexpectedEnd = "unexpected_end", "the input ends inside the payload";
        InvalidVarint = "invalid_varint", "a varint is not in its shortest form, or beyond 64 bits";
        InvalidUtf8 = "invalid_utf8", "a string is not UTF-8";
        CountExceedsInput = "count_exceeds_input", "a count of symbols or edges is more than the rest of the input can contain";
        UnknownId = "unknown_id", "an enum byte is not in its table";
        EdgeIndexOutOfRange = "edge_index_out_of_range", "an edge's index is not that of a symbol";
        TrailingBytes = "trailing_bytes", "bytes follow the payload";
        StringTooLong = "string_too_long", "a string is longer than `Limits::line_bytes`";
        TooManyItems = "too_many_items", "there are more symbols, or edges, than `Limits::items`";
        // encoding
        NoId = "no_id", "a kind, provenance, edge type or status is outside the format's tables";
        DistanceTooLarge = "distance_too_large", "a distance is over 255";
        OutOfRange = "out_of_range", "a finite number is beyond the range of singles";
        // input and output
        Io = "io", "the reader or writer failed";
    }
    /// Why a payload could not be encoded or decoded.
    ///
    /// It is displayed as one line with the position, what was found and what was expected:
    ///
    /// ```
    /// let error = gcb::from_slice(b"GCB2\x01").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "offset 0: the input begins with \"GCB2\", expected the magic \"GCB1\""
    /// );
    /// assert_eq!(error.code(), "not_gcb");
    /// ```
    Error(Io)
}

impl Error {
    /// Bytes of the input before the error; `None` for errors of encoding and of readers.
    pub fn offset(&self) -> Option<u64> {
        self.0.position().map(|position| position.offset)
    }

    /// An error at `offset` of the input.
    #[cold]
    pub(crate) fn decode(kind: ErrorKind, offset: u64, message: impl Into<String>) -> Self {
        Error::at(kind, Position::in_binary(offset), message)
    }
}
