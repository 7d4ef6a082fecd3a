//! TOML as JSON values. Dates are texts.

use serde_json::{Number, Value};
use wire_core::{CodecError, Position};

use super::integers::Integers;

/// The value of a document.
pub(super) fn read(text: &str) -> Result<Value, CodecError> {
    let table: ::toml::Value = ::toml::from_str(text).map_err(|error| {
        let position = error.span().map(|span| Position::in_text(text.as_bytes(), span.start));
        let literal = error.span().and_then(|span| text.get(span)).unwrap_or_default();
        if is_number(literal) {
            return Integers::Signed.too_large(literal, position);
        }
        CodecError::new("toml_syntax", position, error.message().to_owned())
    })?;
    value(table)
}

fn value(value: ::toml::Value) -> Result<Value, CodecError> {
    Ok(match value {
        ::toml::Value::String(text) => text.into(),
        ::toml::Value::Integer(integer) => integer.into(),
        ::toml::Value::Float(double) => Number::from_f64(double)
            .map(Value::Number)
            .ok_or_else(|| Integers::Any.too_large(&double.to_string(), None))?,
        ::toml::Value::Boolean(value) => value.into(),
        ::toml::Value::Datetime(date) => date.to_string().into(),
        ::toml::Value::Array(items) => {
            items.into_iter().map(self::value).collect::<Result<_, _>>()?
        }
        ::toml::Value::Table(members) => {
            let member = |(key, value)| Ok((key, self::value(value)?));
            Value::Object(members.into_iter().map(member).collect::<Result<_, CodecError>>()?)
        }
    })
}

/// Whether a literal is a decimal number, so that only its size can be wrong.
fn is_number(literal: &str) -> bool {
    let digits = literal.replace('_', "");
    let unsigned = digits.strip_prefix(['+', '-']).unwrap_or(&digits);
    unsigned.starts_with(|c: char| c.is_ascii_digit())
        && !(unsigned.len() > 1 && unsigned.starts_with('0'))
        && serde_json::from_str::<&serde_json::value::RawValue>(&digits.replace('+', "")).is_ok()
}
