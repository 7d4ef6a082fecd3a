//! A value as a tree that borrows from its text.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

use crate::text::shown;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::ser::{Error as _, Serialize, Serializer};

use super::error::Error;
use super::number::{Number, is_number};
use super::reader::{Duplicates, Reader, Token};
use super::write::LITERALS;

/// A JSON value. Strings without escapes and numbers borrow from the text.
#[derive(Clone, Debug, Default)]
pub enum Json<'a> {
    /// `null`.
    #[default]
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// The literal of a number, by the grammar of JSON ([`is_number`](super::is_number)).
    Number(Cow<'a, str>),
    /// The text of a string, without its escapes.
    String(Cow<'a, str>),
    /// The items of an array.
    Array(Vec<Json<'a>>),
    /// The members in the order of the text. No key is there twice unless the reader passes those.
    Object(Vec<Member<'a>>),
}

/// A member of an object.
pub type Member<'a> = (Cow<'a, str>, Json<'a>);

impl<'a> Json<'a> {
    /// The value of a text.
    ///
    /// # Errors
    ///
    /// The first error of the text.
    pub fn parse(text: &'a str) -> Result<Self, Error> {
        Json::read_whole(Reader::new(text))
    }

    /// The value of the text of a reader, which decides what else is an error.
    ///
    /// # Errors
    ///
    /// As [`Json::parse`].
    pub fn read_whole(mut reader: Reader<'a>) -> Result<Self, Error> {
        let value = Json::read(&mut reader)?;
        reader.end()?;
        Ok(value)
    }

    /// The next value. It recurses as deep as the reader allows.
    ///
    /// # Errors
    ///
    /// The first error of the value.
    pub fn read(reader: &mut Reader<'a>) -> Result<Self, Error> {
        Ok(match reader.value()? {
            Token::Null => Json::Null,
            Token::Bool(truth) => Json::Bool(truth),
            Token::Number(number) => Json::Number(Cow::Borrowed(number.literal())),
            Token::String(string) => Json::String(string.decode()),
            Token::Array => {
                let mut items = Vec::new();
                while reader.item()? {
                    items.push(Json::read(reader)?);
                }
                Json::Array(items)
            }
            Token::Object => {
                let mut members = Vec::new();
                while let Some(key) = reader.key()? {
                    members.push((key.decode(), Json::read(reader)?));
                }
                Json::Object(members)
            }
        })
    }

    /// The member of this name, of an object that has one. It looks at one member after another.
    pub fn get(&self, name: &str) -> Option<&Json<'a>> {
        self.as_object()?.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// The members of an object.
    pub fn as_object(&self) -> Option<&[Member<'a>]> {
        if let Json::Object(members) = self { Some(members) } else { None }
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        if let Json::String(text) = self { Some(text) } else { None }
    }

    /// Returns `true` if it is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Json::Null)
    }

    /// The same with copies of its texts.
    pub fn into_owned(self) -> Json<'static> {
        let own = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        match self {
            Json::Null => Json::Null,
            Json::Bool(truth) => Json::Bool(truth),
            Json::Number(literal) => Json::Number(own(literal)),
            Json::String(text) => Json::String(own(text)),
            Json::Array(items) => Json::Array(items.into_iter().map(Json::into_owned).collect()),
            Json::Object(members) => {
                let own = |(key, value): Member<'_>| (own(key), value.into_owned());
                Json::Object(members.into_iter().map(own).collect())
            }
        }
    }
}

/// Equal values: numbers as decimals, so that `1`, `1.0` and `1e0` are equal and no digit is lost;
/// members in any order.
impl PartialEq for Json<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Json::Null, Json::Null) => true,
            (Json::Bool(a), Json::Bool(b)) => a == b,
            (Json::Number(a), Json::Number(b)) => {
                a == b || Number::new(a).is_some_and(|a| Some(a) == Number::new(b))
            }
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
    let mut by_name: HashMap<&str, &Json<'_>> =
        b.iter().map(|(key, value)| (&**key, value)).collect();
    // Each is taken once: a name that is there twice has no other for the second.
    a.iter().all(|(key, value)| by_name.remove(&**key).is_some_and(|other| other == value))
}

/// Returns `true` if two texts are equal values, as `==` of [`Json`] says; `false` if one is no
/// JSON, is nested deeper than [`MAX_NESTING`](crate::MAX_NESTING), or has half a surrogate pair.
/// Objects with a key twice are equal only in the same order. Only objects whose members have
/// another order are in memory, one at a time.
pub fn equal(one: &str, other: &str) -> bool {
    let reader = |text| Reader::new(text).duplicates(Duplicates::Passed);
    let (mut one, mut other) = (reader(one), reader(other));
    are_equal(&mut one, &mut other).is_ok_and(|equal| equal)
        && one.end().is_ok()
        && other.end().is_ok()
}

fn are_equal(one: &mut Reader<'_>, other: &mut Reader<'_>) -> Result<bool, Error> {
    let (before, before_other) = (one.clone(), other.clone());
    Ok(match (one.value()?, other.value()?) {
        (Token::Null, Token::Null) => true,
        (Token::Bool(one), Token::Bool(other)) => one == other,
        (Token::Number(one), Token::Number(other)) => one == other,
        (Token::String(one), Token::String(other)) => {
            one.raw() == other.raw() || one.decode() == other.decode()
        }
        (Token::Array, Token::Array) => loop {
            match (one.item()?, other.item()?) {
                (true, true) if are_equal(one, other)? => {}
                (is_more, is_more_of_other) => break !is_more && !is_more_of_other,
            }
        },
        (Token::Object, Token::Object) => loop {
            match (one.key()?, other.key()?) {
                (None, None) => break true,
                (Some(key), Some(other_key)) if key.decode() == other_key.decode() => {
                    if !are_equal(one, other)? {
                        break false;
                    }
                }
                (Some(_), Some(_)) => {
                    (*one, *other) = (before, before_other);
                    break Json::read(one)? == Json::read(other)?;
                }
                _ => break false,
            }
        },
        _ => false,
    })
}

/// As serde's types: an integer of 64 bits, or the nearest double.
impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Json::Null => serializer.serialize_unit(),
            Json::Bool(truth) => serializer.serialize_bool(*truth),
            Json::Number(literal) => {
                let number = Number::new(literal).ok_or_else(|| {
                    S::Error::custom(format_args!("found {}, expected a number", shown(literal)))
                })?;
                match (number.as_u64(), number.as_i64(), number.as_f64()) {
                    (Some(integer), ..) => serializer.serialize_u64(integer),
                    (_, Some(integer), _) => serializer.serialize_i64(integer),
                    (.., Some(double)) => serializer.serialize_f64(double),
                    _ => Err(S::Error::custom(format_args!(
                        "the number is {}, expected one in the range of doubles",
                        shown(literal)
                    ))),
                }
            }
            Json::String(text) => serializer.serialize_str(text),
            Json::Array(items) => serializer.collect_seq(items),
            Json::Object(members) => {
                serializer.collect_map(members.iter().map(|(key, value)| (&**key, value)))
            }
        }
    }
}

/// The value of what any deserializer reads. Numbers are as they were written if the deserializer
/// knows [`LITERALS`].
impl<'de> Deserialize<'de> for Json<'static> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(LITERALS, Values)
    }
}

struct Values;

macro_rules! integers {
    ($($method:ident $type:ident),*) => {$(
        fn $method<E>(self, value: $type) -> Result<Json<'static>, E> {
            Ok(Json::Number(value.to_string().into()))
        }
    )*};
}

impl<'de> Visitor<'de> for Values {
    type Value = Json<'static>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<Json<'static>, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_bytes<E: serde::de::Error>(self, literal: &[u8]) -> Result<Json<'static>, E> {
        match std::str::from_utf8(literal) {
            Ok(number) if is_number(literal) => Ok(Json::Number(number.to_owned().into())),
            _ => Err(E::invalid_type(Unexpected::Bytes(literal), &self)),
        }
    }

    fn visit_unit<E>(self) -> Result<Json<'static>, E> {
        Ok(Json::Null)
    }

    fn visit_none<E>(self) -> Result<Json<'static>, E> {
        Ok(Json::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json<'static>, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json<'static>, E> {
        Ok(Json::Bool(value))
    }

    integers! { visit_i64 i64, visit_u64 u64, visit_i128 i128, visit_u128 u128 }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Json<'static>, E> {
        if !value.is_finite() {
            return Err(E::custom(format_args!("the number is {value}, expected a finite number")));
        }
        Ok(Json::Number(zmij::Buffer::new().format_finite(value).to_owned().into()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Json<'static>, E> {
        Ok(Json::String(value.to_owned().into()))
    }

    fn visit_string<E>(self, value: String) -> Result<Json<'static>, E> {
        Ok(Json::String(value.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Json<'static>, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Json::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json<'static>, A::Error> {
        let mut members: Vec<Member<'static>> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        while let Some(key) = map.next_key::<String>()? {
            if !seen.insert(key.clone()) {
                let message = format!("the key {} appears twice, expected once", shown(&key));
                return Err(serde::de::Error::custom(message));
            }
            members.push((key.into(), map.next_value()?));
        }
        Ok(Json::Object(members))
    }
}
