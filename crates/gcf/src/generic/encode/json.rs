//! JSON text as text, without a tree in between.

use wire_core::json::{self, Reader, Text};

use super::Encoder;
use crate::{Error, ErrorKind};

impl Encoder {
    /// Converts a JSON text. The output is that of [`Encoder::to_string`] for its value, with the
    /// members of objects in their order; this needs less time and memory.
    ///
    /// ```
    /// use gcf::{Encoder, Spec};
    ///
    /// let json = r#"[{"id": 1, "unit": "kg"}, {"id": 2, "unit": "kg"}]"#;
    /// assert_eq!(
    ///     Encoder::new().json_to_gcf(json)?,
    ///     "GCF profile=generic\n## [2]{id,unit}\n1|kg\n2|kg\n"
    /// );
    ///
    /// let error =
    ///     Encoder::new().json_to_gcf("[1,\n 9223372036854775808]").unwrap_err();
    /// assert_eq!(
    ///     (error.code(), error.position().unwrap().to_string()),
    ///     ("out_of_range", "line 2, column 2".into())
    /// );
    /// # Ok::<(), gcf::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The first of these, with its position in the JSON text:
    ///
    /// * `json_syntax` for text that is not JSON, including half a surrogate pair and text after
    ///   the value,
    /// * `duplicate_key` for a key that an object has twice, at the second,
    /// * `out_of_range` for an integer literal that does not fit 64 bits with a sign (ruling A6),
    ///   and for a decimal beyond doubles, such as `1e400` or `1e-400`,
    /// * `inexact_number` for a decimal that is not a double, if [`Encoder::exact`] is set,
    /// * `too_deep` for arrays and objects nested more than 127 levels deep.
    pub fn json_to_gcf(&self, json: &str) -> Result<String, Error> {
        let source = Text::of(Reader::new(json).exact(self.exact)).signed(true);
        self.to_string(&source).map_err(|error| in_text(json, &source, &error))
    }
}

/// The error of a JSON text, or of the value in it that the encoder refused.
#[cold]
fn in_text(json: &str, source: &Text<'_>, refused: &Error) -> Error {
    let Some(error) = source.error() else {
        return Error::decode(refused.kind(), json.as_bytes(), source.offset(), refused.message());
    };
    let kind = match error.kind() {
        json::ErrorKind::TooDeep => ErrorKind::TooDeep,
        json::ErrorKind::DuplicateKey => ErrorKind::DuplicateKey,
        json::ErrorKind::OutOfRange => ErrorKind::OutOfRange,
        json::ErrorKind::Inexact => ErrorKind::InexactNumber,
        _ => ErrorKind::JsonSyntax,
    };
    Error::decode(kind, json.as_bytes(), error.offset(), error.message().to_owned())
}
