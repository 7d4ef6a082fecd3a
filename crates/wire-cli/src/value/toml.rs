//! TOML as JSON values. Dates are texts.

use std::cell::Cell;
use std::ops::Range;

use ::toml::Spanned;
use ::toml::de::{DeString, DeTable, DeValue};
use serde_json::{Number, Value};
use wire_core::{CodecError, Position};

use super::integers::Integers;

/// The value of a document.
pub(super) fn read(text: &str) -> Result<Value, CodecError> {
    Reader { text, strings: None }.document()
}

/// The same with strings for the integers that do not fit 64 bits with a sign, as they are written
/// without their underscores, and their number.
pub(super) fn read_with_strings(text: &str) -> Result<(Value, usize), CodecError> {
    let strings = Cell::new(0);
    let value = Reader { text, strings: Some(&strings) }.document()?;
    Ok((value, strings.get()))
}

struct Reader<'t> {
    text: &'t str,
    /// The number of integers that became strings; `None` if they are errors.
    strings: Option<&'t Cell<usize>>,
}

impl Reader<'_> {
    fn document(&self) -> Result<Value, CodecError> {
        let table = DeTable::parse(self.text).map_err(|error| {
            let position = error.span().map(|span| self.place(&span));
            let literal = error.span().and_then(|span| self.text.get(span)).unwrap_or_default();
            if is_number(literal) {
                return Integers::Signed.too_large(literal, position);
            }
            CodecError::new("toml_syntax", position, error.message().to_owned())
        })?;
        self.table(table.into_inner())
    }

    fn table(&self, table: DeTable<'_>) -> Result<Value, CodecError> {
        let member = |(key, value): (Spanned<_>, _)| {
            Ok((DeString::into_owned(key.into_inner()), self.value(value)?))
        };
        Ok(Value::Object(table.into_iter().map(member).collect::<Result<_, CodecError>>()?))
    }

    fn value(&self, value: Spanned<DeValue<'_>>) -> Result<Value, CodecError> {
        let span = value.span();
        let literal = || self.text.get(span.clone()).unwrap_or_default();
        let too_large =
            |literal: &str| Integers::Signed.too_large(literal, Some(self.place(&span)));
        Ok(match value.into_inner() {
            DeValue::String(text) => text.into_owned().into(),
            DeValue::Integer(integer) => {
                match (i64::from_str_radix(integer.as_str(), integer.radix()), self.strings) {
                    (Ok(integer), _) => integer.into(),
                    (Err(_), None) => return Err(too_large(literal())),
                    (Err(_), Some(strings)) => {
                        strings.set(strings.get() + 1);
                        literal().replace('_', "").trim_start_matches('+').into()
                    }
                }
            }
            DeValue::Float(double) => {
                let number = double.as_str().parse().ok().and_then(Number::from_f64);
                number.map(Value::Number).ok_or_else(|| too_large(literal()))?
            }
            DeValue::Boolean(value) => value.into(),
            DeValue::Datetime(date) => date.to_string().into(),
            DeValue::Array(items) => {
                items.into_iter().map(|item| self.value(item)).collect::<Result<_, _>>()?
            }
            DeValue::Table(members) => self.table(members)?,
        })
    }

    fn place(&self, span: &Range<usize>) -> Position {
        Position::in_text(self.text.as_bytes(), span.start)
    }
}

/// Whether a literal is a decimal number, so that only its size can be wrong.
fn is_number(literal: &str) -> bool {
    let digits = literal.replace('_', "");
    let unsigned = digits.strip_prefix(['+', '-']).unwrap_or(&digits);
    unsigned.starts_with(|c: char| c.is_ascii_digit())
        && !(unsigned.len() > 1 && unsigned.starts_with('0'))
        && serde_json::from_str::<&serde_json::value::RawValue>(&digits.replace('+', "")).is_ok()
}
