//! JSON values for comparing and writing: a number keeps its digits, and an object with a duplicate
//! name is rejected.

mod minify;
mod number;
mod parse;

use std::borrow::Cow;
use std::collections::HashMap;

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

pub(crate) use self::minify::{quoted, quoted_in_frame};
pub(crate) use self::number::{Number, canonical};

/// A JSON value. Texts without escapes, and numbers, borrow from what was parsed.
#[derive(Clone, Debug)]
pub(crate) enum Json<'a> {
    Null,
    Bool(bool),
    /// The digits as they were written.
    Number(Cow<'a, str>),
    String(Cow<'a, str>),
    Array(Vec<Json<'a>>),
    Object(Vec<Member<'a>>),
}

/// A member of an object.
pub(crate) type Member<'a> = (Cow<'a, str>, Json<'a>);

impl<'a> Json<'a> {
    /// Whether it is an array of objects, and of at least one.
    pub(crate) fn is_rows(&self) -> bool {
        let Json::Array(items) = self else { return false };
        !items.is_empty() && items.iter().all(|item| matches!(item, Json::Object(_)))
    }

    /// The value of the only member of an object, if it has this name.
    pub(crate) fn only_member(&self, name: &str) -> Option<&Json<'a>> {
        match self {
            Json::Object(members) => match members.as_slice() {
                [(key, value)] if key == name => Some(value),
                _ => None,
            },
            _ => None,
        }
    }

    /// The names of the members of an object, in their order.
    pub(crate) fn names(&self) -> Option<impl Iterator<Item = &str>> {
        let Json::Object(members) = self else { return None };
        Some(members.iter().map(|(key, _)| &**key))
    }

    /// Whether it is `{"content": "<text>"}`, as tools wrap texts that have to be quoted exactly,
    /// or a list with such an item (ruling M5).
    pub(crate) fn is_verbatim(&self) -> bool {
        let wraps =
            |value: &Json<'_>| matches!(value.only_member("content"), Some(Json::String(_)));
        match self {
            Json::Array(items) => items.iter().any(wraps),
            value => wraps(value),
        }
    }
}

/// Equal as JSON values: numbers by their exact decimal value, members in any order.
impl PartialEq for Json<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Json::Null, Json::Null) => true,
            (Json::Bool(a), Json::Bool(b)) => a == b,
            (Json::Number(a), Json::Number(b)) => a == b || Number::new(a) == Number::new(b),
            (Json::String(a), Json::String(b)) => a == b,
            (Json::Array(a), Json::Array(b)) => a == b,
            (Json::Object(a), Json::Object(b)) => same_members(a, b),
            _ => false,
        }
    }
}

fn same_members(a: &[Member<'_>], b: &[Member<'_>]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    if a.iter().zip(b).all(|((a, _), (b, _))| a == b) {
        return a.iter().zip(b).all(|((_, a), (_, b))| a == b);
    }
    let by_name: HashMap<&str, &Json<'_>> = b.iter().map(|(key, value)| (&**key, value)).collect();
    // No name is twice in either of them, so as many equal members are all members.
    a.iter().all(|(key, value)| by_name.get(&**key).is_some_and(|other| *other == value))
}

/// As serde's types: an integer of 64 bits, or the nearest double.
impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Json::Null => serializer.serialize_unit(),
            Json::Bool(value) => serializer.serialize_bool(*value),
            Json::Number(digits) => number::serialize(digits, serializer),
            Json::String(text) => serializer.serialize_str(text),
            Json::Array(items) => {
                let mut sequence = serializer.serialize_seq(Some(items.len()))?;
                items.iter().try_for_each(|item| sequence.serialize_element(item))?;
                sequence.end()
            }
            Json::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                members.iter().try_for_each(|(key, value)| map.serialize_entry(key, value))?;
                map.end()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Json<'_> {
        Json::parse(text).unwrap()
    }

    #[test]
    fn members_have_no_order_and_numbers_are_exact() {
        assert_eq!(parsed(r#"{"a":1,"b":[2]}"#), parsed(r#"{"b":[2.0],"a":1e0}"#));
        assert_ne!(parsed(r#"{"a":1}"#), parsed(r#"{"a":1,"b":1}"#));
        assert_ne!(parsed("12345678901234567890123"), parsed("12345678901234567890124"));
        assert_ne!(parsed("[1,2]"), parsed("[2,1]"));
        assert_ne!(parsed("\"1\""), parsed("1"));
        assert_eq!(parsed("\"\\u0061\""), parsed("\"a\""));
    }

    #[test]
    fn shapes() {
        assert!(parsed(r#"{"content":"x"}"#).is_verbatim());
        assert!(!parsed(r#"{"content":1}"#).is_verbatim());
        assert!(!parsed(r#"{"content":"x","more":1}"#).is_verbatim());
        assert!(parsed(r#"[1,{"content":"x"}]"#).is_verbatim() && !parsed("[[]]").is_verbatim());
        assert!(parsed("[{}]").is_rows() && !parsed("[]").is_rows() && !parsed("[1]").is_rows());
    }
}
