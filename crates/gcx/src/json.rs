//! The JSON in cells and responses.

use std::fmt;
use std::str::FromStr;

use serde::ser::{Serialize, SerializeStruct, Serializer};
use serde_json::{Number, Value};
use wire_core::json as literal;
use wire_core::json::{Fidelity, SERDE_JSON_RAW_VALUE};
pub(crate) use wire_core::json::{Json, Member};
use wire_core::number::Digits;

use crate::Error;

/// The members of an object, in their order.
pub(crate) type Object<'a> = Vec<Member<'a>>;

/// The member of this name. It looks at one member after another.
pub(crate) fn get<'v, 'a>(object: &'v [Member<'a>], name: &str) -> Option<&'v Json<'a>> {
    object.iter().find(|(key, _)| key == name).map(|(_, value)| value)
}

/// A JSON value with the literals of its numbers (rulings A6, A7). A [`Value`] is limited to 64 bits.
///
/// [`str::parse`] reads it from JSON text (a duplicate key is an error), and
/// [`decode_exact`](crate::decode_exact) from GCX1. [`Display`](fmt::Display) writes it as JSON,
/// indented with `{:#}`, and [`encode_layout`](crate::encode_layout) as GCX1, like anything
/// that serde serializes. `serde_json::to_value` can't represent the digits;
/// [`into_value`](Exact::into_value) reports that. The order of members is kept, but ignored when
/// values are compared; numbers are compared as decimals.
///
/// ```
/// let value: gcx::json::Exact = r#"{"id": 18446744073709551616}"#.parse()?;
/// let text = gcx::encode_response("t", &value)?;
/// assert_eq!(
///     text,
///     "GCX1 tool=t fields=id typed=object:integer\n18446744073709551616\n"
/// );
/// assert_eq!(
///     gcx::decode_exact(&text)?.to_string(),
///     r#"{"id":18446744073709551616}"#
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exact(pub(crate) Json<'static>);

impl Exact {
    /// Returns `true` if it is an array of objects, or of nothing.
    pub fn is_rows(&self) -> bool {
        let Json::Array(items) = &self.0 else { return false };
        items.iter().all(|item| item.as_object().is_some())
    }

    /// The value as a [`Value`] of `serde_json`.
    ///
    /// # Errors
    ///
    /// The digits of the first integer that is beyond 64 bits and not the text of a double (ruling
    /// X6), or of the first decimal beyond doubles. Other decimals are the nearest double.
    pub fn into_value(self) -> Result<Value, String> {
        self.into_value_with(|digits| {
            let double = double(&digits).filter(|_| !is_integer(&digits) || is_double(&digits));
            Ok(double.and_then(Number::from_f64).ok_or(digits)?.into())
        })
    }

    /// The value as a [`Value`] of `serde_json`; `beyond` converts the digits of each integer
    /// beyond 64 bits, and of each decimal that is not a double.
    ///
    /// ```
    /// let value: gcx::json::Exact = "[18446744073709551616]".parse()?;
    /// let texts = value.into_value_with(|digits| Ok::<_, ()>(digits.into()));
    /// assert_eq!(texts, Ok(serde_json::json!(["18446744073709551616"])));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of `beyond`.
    pub fn into_value_with<E>(
        self,
        mut beyond: impl FnMut(String) -> Result<Value, E>,
    ) -> Result<Value, E> {
        into_value(self.0, &mut beyond)
    }
}

fn into_value<E>(
    value: Json<'_>,
    beyond: &mut impl FnMut(String) -> Result<Value, E>,
) -> Result<Value, E> {
    Ok(match value {
        Json::Null => Value::Null,
        Json::Bool(truth) => truth.into(),
        Json::Number(literal) => match Kept::of(&literal) {
            Kept::Unsigned(integer) => integer.into(),
            Kept::Signed(integer) => integer.into(),
            Kept::Double(double) => double.into(),
            Kept::Literal => beyond(literal.into_owned())?,
        },
        Json::String(text) => text.into_owned().into(),
        Json::Array(items) => {
            let items = items.into_iter().map(|item| into_value(item, beyond));
            items.collect::<Result<Vec<_>, _>>()?.into()
        }
        Json::Object(members) => {
            let member =
                |(name, value): Member<'_>| Ok((name.into_owned(), into_value(value, beyond)?));
            Value::Object(members.into_iter().map(member).collect::<Result<_, E>>()?)
        }
    })
}

/// The type that has a number exactly.
enum Kept {
    Unsigned(u64),
    Signed(i64),
    Double(f64),
    Literal,
}

impl Kept {
    fn of(literal: &str) -> Self {
        let number = literal::Number::new(literal).expect("because it was read");
        match (number.as_u64(), number.as_i64()) {
            (Some(integer), _) => Kept::Unsigned(integer),
            (_, Some(integer)) => Kept::Signed(integer),
            _ if number.is_integer() => Kept::Literal,
            _ => match number.fidelity() {
                Fidelity::Exact(double) => Kept::Double(double),
                _ => Kept::Literal,
            },
        }
    }
}

impl From<Value> for Exact {
    fn from(value: Value) -> Self {
        let text = value.to_string();
        // A value may be nested deeper than a text.
        let reader = literal::Reader::new(&text).max_nesting(usize::MAX);
        Exact(Json::read_whole(reader).expect("because it was written").into_owned())
    }
}

impl FromStr for Exact {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let value = Json::parse(text).map_err(|error| Error::of_json(text, &error))?;
        Ok(Exact(value.into_owned()))
    }
}

impl Serialize for Exact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Exactly(&self.0).serialize(serializer)
    }
}

impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A value whose numbers are serialized as they are: as integers of 64 bits, doubles, or else as
/// JSON text.
pub(crate) struct Exactly<'v>(pub(crate) &'v Json<'v>);

impl Serialize for Exactly<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Json::Number(literal) => match Kept::of(literal) {
                Kept::Unsigned(integer) => serializer.serialize_u64(integer),
                Kept::Signed(integer) => serializer.serialize_i64(integer),
                Kept::Double(double) => serializer.serialize_f64(double),
                Kept::Literal => {
                    let mut raw = serializer.serialize_struct(SERDE_JSON_RAW_VALUE, 1)?;
                    raw.serialize_field(SERDE_JSON_RAW_VALUE, literal)?;
                    raw.end()
                }
            },
            Json::Array(items) => serializer.collect_seq(items.iter().map(Exactly)),
            Json::Object(members) => {
                serializer.collect_map(members.iter().map(|(name, value)| (name, Exactly(value))))
            }
            scalar => scalar.serialize(serializer),
        }
    }
}

/// The value of a JSON text whose decimals are in the range of doubles.
pub(crate) fn parse(text: &str) -> Result<Json<'_>, literal::Error> {
    Json::read_whole(literal::Reader::new(text).in_doubles())
}

/// Returns `true` if two values are the same [`Value`]: an integer has 64 bits and is no double,
/// and decimals are equal if their nearest doubles are.
pub(crate) fn is_same(one: &Json<'_>, other: &Json<'_>) -> bool {
    match (one, other) {
        (Json::Number(one), Json::Number(other)) => match (is_integer(one), is_integer(other)) {
            (true, true) => one == other && !matches!(Kept::of(one), Kept::Literal),
            (false, false) => double(one) == double(other),
            _ => false,
        },
        (Json::Array(one), Json::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(a, b)| is_same(a, b))
        }
        (Json::Object(one), Json::Object(other)) => {
            let same =
                |((a, one), (b, other)): (&Member<'_>, &Member<'_>)| a == b && is_same(one, other);
            one.len() == other.len() && sorted(one).into_iter().zip(sorted(other)).all(same)
        }
        _ => one == other,
    }
}

fn sorted<'v>(members: &'v [Member<'v>]) -> Vec<&'v Member<'v>> {
    let mut members: Vec<_> = members.iter().collect();
    members.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    members
}

/// Returns `true` if all numbers of a value are accepted.
pub(crate) fn all_numbers(value: &Json<'_>, accepts: fn(&str) -> bool) -> bool {
    match value {
        Json::Number(literal) => accepts(literal),
        Json::Array(items) => items.iter().all(|item| all_numbers(item, accepts)),
        Json::Object(members) => members.iter().all(|(_, value)| all_numbers(value, accepts)),
        _ => true,
    }
}

/// The text when it is an integer in canonical notation: digits without leading zeros, which a
/// minus sign may precede.
pub(crate) fn digits(text: &str) -> Option<&str> {
    is_integer(text).then_some(text)
}

/// Returns `true` if the text is a number that is written as an integer.
pub(crate) fn is_integer(text: &str) -> bool {
    literal::Number::new(text).is_some_and(literal::Number::is_integer)
}

/// Returns `true` if the text is a number by the grammar of JSON.
pub(crate) fn is_number(text: &str) -> bool {
    literal::is_number(text.as_bytes())
}

/// The double of a text that is a number by the grammar of JSON.
pub(crate) fn double(text: &str) -> Option<f64> {
    literal::Number::new(text)?.as_f64()
}

/// Returns `true` if a number of JSON is in the range of doubles: neither infinite, nor zero where
/// it is not.
pub(crate) fn is_in_range(literal: &str) -> bool {
    literal::Number::new(literal).is_some_and(|number| number.fidelity() != Fidelity::OutOfRange)
}

/// Returns `true` if the text is the one that is written for a double (ruling X6).
pub(crate) fn is_double(text: &str) -> bool {
    double(text).is_some_and(|double| Digits::new().shortest(double) == text)
}

/// Returns `true` if the text is the canonical one of a number: of an integer of 64 bits, or of a
/// double.
pub(crate) fn is_canonical(text: &str) -> bool {
    let Some(number) = literal::Number::new(text) else { return false };
    number.as_u64().is_some() || number.as_i64().is_some() || is_double(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `==` compares decimals, and `is_same` what `Value` has of them.
    #[test]
    fn values_are_equal_as_decimals_or_the_same_as_doubles() {
        for (one, other, are_equal, are_same) in [
            ("1", "1", true, true),
            ("1", "1.0", true, false),
            ("1.0", "10e-1", true, true),
            ("0.1", "0.10000000000000001", false, true),
            ("18446744073709551616", "18446744073709551616", true, false),
            (r#"{"a":1,"b":[0.5]}"#, r#"{"b":[5e-1],"a":1}"#, true, true),
            (r#"{"a":1}"#, r#"{"a":2}"#, false, false),
        ] {
            let (a, b) = (parse(one).unwrap(), parse(other).unwrap());
            assert_eq!((a == b, is_same(&a, &b)), (are_equal, are_same), "{one} {other}");
        }
    }
}
