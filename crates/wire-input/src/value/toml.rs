//! TOML as JSON values. Dates are texts.

use std::ops::Range;

use ::toml::Spanned;
use ::toml::de::{DeString, DeTable, DeValue};
use serde_json::Value;
use wire_core::json::{self, Fidelity};
use wire_core::{CodecError, Position};

use super::numbers::{Doubles, Integers, Read, fidelity_of};

/// The value of a document. With `as_strings`, the integers that do not fit 64 bits with a sign are
/// strings, as they are written without their underscores.
pub(super) fn read(text: &str, as_strings: bool) -> Result<Read, CodecError> {
    let mut reader = Reader { text, as_strings, strings: 0, doubles: Doubles::default() };
    let value = reader.document()?;
    Ok(Read {
        json: value.to_string(),
        strings: reader.strings,
        doubles: reader.doubles,
        notes: Vec::new(),
    })
}

struct Reader<'t> {
    text: &'t str,
    /// `true` if integers that can't be represented become strings, and how many did.
    as_strings: bool,
    strings: usize,
    doubles: Doubles,
}

impl Reader<'_> {
    fn document(&mut self) -> Result<Value, CodecError> {
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

    fn table(&mut self, table: DeTable<'_>) -> Result<Value, CodecError> {
        let member = |(key, value): (Spanned<_>, _)| {
            Ok((DeString::into_owned(key.into_inner()), self.value(value)?))
        };
        Ok(Value::Object(table.into_iter().map(member).collect::<Result<_, CodecError>>()?))
    }

    fn value(&mut self, value: Spanned<DeValue<'_>>) -> Result<Value, CodecError> {
        let span = value.span();
        let literal = self.text.get(span.clone()).unwrap_or_default();
        let too_large =
            |reader: &Self| Integers::Signed.too_large(literal, Some(reader.place(&span)));
        Ok(match value.into_inner() {
            DeValue::String(text) => text.into_owned().into(),
            DeValue::Integer(integer) => {
                match i64::from_str_radix(integer.as_str(), integer.radix()) {
                    Ok(integer) => integer.into(),
                    Err(_) if self.as_strings => {
                        self.strings += 1;
                        literal.replace('_', "").trim_start_matches('+').into()
                    }
                    Err(_) => return Err(too_large(self)),
                }
            }
            DeValue::Float(double) => {
                let text = double.as_str();
                let number = text.parse().ok().filter(|double: &f64| double.is_finite());
                let number = number.ok_or_else(|| too_large(self))?;
                match fidelity_of(text, number) {
                    Fidelity::OutOfRange => return Err(too_large(self)),
                    Fidelity::Rounded(_) => {
                        let first = self.doubles.is_empty().then(|| self.place(&span));
                        self.doubles.add(first);
                    }
                    Fidelity::Exact(_) => {}
                }
                number.into()
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

/// Returns `true` if a literal is a decimal number, so that only its size can be wrong.
fn is_number(literal: &str) -> bool {
    let digits = literal.replace('_', "");
    json::is_number(digits.strip_prefix('+').unwrap_or(&digits).as_bytes())
}
