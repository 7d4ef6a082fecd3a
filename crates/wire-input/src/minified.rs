//! A value as its JSON text: a fraction of the memory of a tree, and all digits of its numbers.

use std::convert::Infallible;

use gcx::json::Exact;
use serde_json::Value;
use wire_core::json::{Doubles, equal};
use wire_core::{CodecError, Position};

use crate::source::{JSON, Source};
use crate::value::{self, Checked, Integers, JsonText, Tree, to_json};
use crate::warning::Warning;

/// A value as JSON text without white space.
#[derive(Clone, Debug)]
pub struct Minified {
    text: String,
    is_rows: bool,
}

impl Minified {
    /// The value of an input; integers of TOML have 64 bits.
    ///
    /// # Errors
    ///
    /// What is wrong with the input.
    pub fn read(source: Source, bytes: &[u8]) -> Result<(Self, Vec<Warning>), CodecError> {
        let (text, warnings) = match source {
            Source::Json | Source::JsonLines | Source::JsonValues | Source::Generic => {
                let mut text = to_json(source, bytes, JSON)?;
                text.truncate(text.trim_end().len());
                (text, Vec::new())
            }
            source => {
                let Tree { json, warnings, .. } = value::read(source, bytes, Integers::Any, false)?;
                (json, warnings)
            }
        };
        Ok((Minified::of(text), warnings))
    }

    /// A text that is minified JSON without duplicate keys, nested within the limit of depth; the
    /// caller has checked that.
    pub fn of(text: String) -> Self {
        let is_rows = value::checked(&text).is_some_and(Checked::is_rows);
        Minified { text, is_rows }
    }

    /// The text, without a line ending.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns `true` if it is an array of objects, or of nothing.
    pub fn is_rows(&self) -> bool {
        self.is_rows
    }

    /// The value in one of the forms of JSON.
    ///
    /// # Errors
    ///
    /// If the text is no JSON.
    pub fn in_form(&self, form: &str) -> Result<String, CodecError> {
        if form == JSON {
            Ok(format!("{}\n", self.text))
        } else {
            to_json(Source::Json, self.text.as_bytes(), form)
        }
    }

    /// The value for people: numbers that a [`Value`] does not have are texts.
    ///
    /// # Panics
    ///
    /// If the text is no JSON, has a key twice in an object, or is nested too deep.
    pub fn for_people(&self) -> Value {
        let value: Exact = self.text.parse().expect("because the text is that of a value");
        let Ok(value) = value.into_value_with(|digits| Ok::<_, Infallible>(digits.into()));
        value
    }

    /// The value in the generic profile of GCF, in which a table of rows without common members is
    /// as large as their number squared, and what became of its decimals. A text that is much
    /// larger than the JSON is not finished.
    ///
    /// # Errors
    ///
    /// `too_large` for such a text, and what the profile can't represent.
    pub fn generic(&self) -> Result<(String, Doubles), CodecError> {
        let json = JsonText::new(&self.text).signed();
        let prepared = gcf::Encoder::new().prepare(&json).map_err(|error| {
            placed(&json.error(self.text.as_bytes()).unwrap_or_else(|| error.into()), None)
        })?;
        let text = prepared.to_string_unless_large(self.text.len()).ok_or_else(|| {
            let message = "its text has more than 16 times the bytes of minified JSON".to_owned();
            CodecError::new("too_large", None, message)
        })?;
        Ok((text, json.doubles()))
    }

    /// Returns `true` if another JSON text has the same value: members in whatever order, and
    /// numbers as decimals.
    pub fn is_same(&self, other: &str) -> bool {
        equal(&self.text, other)
    }
}

/// The same error at another position.
pub fn placed(error: &CodecError, position: Option<Position>) -> CodecError {
    CodecError::new(error.code(), position, error.message())
}
