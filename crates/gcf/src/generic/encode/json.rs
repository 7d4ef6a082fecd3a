//! JSON text as text, without a tree in between.

use std::io::{Read, Write};

use wire_core::value::{JsonText, flaw};

use super::{Encoder, Prepared};
use crate::generic::scalar::out_of_range;
use crate::{Error, ErrorKind};

impl Encoder {
    /// Converts a JSON text. The output is that of [`Encoder::to_string`] for its value, with the
    /// members of objects in their order; this needs less time and memory.
    ///
    /// ```
    /// use gcf::generic::{Encoder, Spec};
    ///
    /// let json = r#"[{"id": 1, "unit": "kg"}, {"id": 2, "unit": "kg"}]"#;
    /// assert_eq!(Encoder::new().from_json(json)?, "GCF profile=generic\n## [2]{id,unit}\n1|kg\n2|kg\n");
    ///
    /// let error = Encoder::new().from_json("[1,\n 9223372036854775808]").unwrap_err();
    /// assert_eq!((error.code(), error.position().unwrap().to_string()), ("out_of_range", "line 2, column 2".into()));
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
    ///   and for a number that is too large for a double, such as `1e400`,
    /// * `too_deep` for arrays and objects nested more than 127 levels deep.
    pub fn from_json(&self, json: &str) -> Result<String, Error> {
        self.prepare_json(json).map(Prepared::into_string)
    }

    /// A JSON text, ready to be written.
    ///
    /// # Errors
    ///
    /// As [`Encoder::from_json`].
    pub fn prepare_json(&self, json: &str) -> Result<Prepared, Error> {
        let source = JsonText::new(json);
        let made = self.prepare(&source);
        if made.is_ok() && !source.has_large_doubles() {
            return made;
        }
        // An integer of more digits has been read as a double, and so as another number.
        refusal(json).map_or(made, Err)
    }

    /// JSON bytes as bytes.
    ///
    /// # Errors
    ///
    /// As [`Encoder::from_json`], and `invalid_utf8`.
    pub fn from_json_slice(&self, json: &[u8]) -> Result<Vec<u8>, Error> {
        self.from_json(Error::utf8(json)?).map(String::into_bytes)
    }

    /// Writes the JSON that `reader` gives as text, in pieces of some 64 KiB. The JSON is read
    /// whole, and nothing of it is kept but its values while the text is written.
    ///
    /// # Errors
    ///
    /// As [`Encoder::from_json_slice`], before anything is written, and `io` when the reader or the
    /// writer fails.
    pub fn from_json_reader<R: Read, W: Write>(
        &self,
        mut reader: R,
        writer: W,
    ) -> Result<(), Error> {
        let mut json = Vec::new();
        reader.read_to_end(&mut json)?;
        let prepared = self.prepare_json(Error::utf8(&json)?)?;
        drop(json);
        Ok(prepared.to_writer(writer)?)
    }
}

/// Why a JSON text is refused, if it is.
#[cold]
fn refusal(json: &str) -> Option<Error> {
    let refused = |literal: &str| {
        let is_held = if literal.contains(['.', 'e', 'E']) {
            literal.parse().is_ok_and(|double: f64| double.is_finite())
        } else {
            literal.parse::<i64>().is_ok()
        };
        (!is_held).then(|| out_of_range(literal))
    };
    flaw(json, refused).map(|found| {
        let kind = wire_core::kind_of_flaw!(ErrorKind, found.kind);
        Error::decode(kind, json.as_bytes(), found.at, found.into_message())
    })
}
