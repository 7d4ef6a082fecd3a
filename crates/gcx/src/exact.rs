//! JSON values whose integers keep all of their digits (ruling A6).

use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt;
use std::str::FromStr;

use indexmap::IndexMap;
use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer,
    MapAccess, SeqAccess, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use serde::ser::{Serialize, SerializeStruct, Serializer};
use serde_json::{Number, Value};
use wire_core::text::shown;
use wire_core::value::numbers;

use crate::ErrorKind;
use crate::error::Problem;
use crate::json::{self, NUMBER, RAW_VALUE};

/// The members of an object, in their order.
pub(crate) type Object = IndexMap<String, Json>;

/// A JSON value.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Json {
    #[default]
    Null,
    Bool(bool),
    Number(Number),
    /// The digits of an integer that 64 bits can't hold, perhaps behind a minus.
    Digits(String),
    String(String),
    Array(Vec<Json>),
    Object(Object),
}

impl Json {
    /// The member of this name, of an object that has one.
    pub(crate) fn get(&self, name: &str) -> Option<&Json> {
        self.as_object()?.get(name)
    }

    pub(crate) fn as_object(&self) -> Option<&Object> {
        if let Json::Object(object) = self { Some(object) } else { None }
    }

    pub(crate) fn as_str(&self) -> Option<&str> {
        if let Json::String(text) = self { Some(text) } else { None }
    }

    pub(crate) fn is_null(&self) -> bool {
        *self == Json::Null
    }

    /// The value; `beyond` makes one of the digits that 64 bits can't hold.
    fn into_value_with<E>(
        self,
        beyond: &mut impl FnMut(String) -> Result<Value, E>,
    ) -> Result<Value, E> {
        Ok(match self {
            Json::Null => Value::Null,
            Json::Bool(truth) => truth.into(),
            Json::Number(number) => number.into(),
            Json::Digits(digits) => beyond(digits)?,
            Json::String(text) => text.into(),
            Json::Array(items) => {
                let items = items.into_iter().map(|item| item.into_value_with(beyond));
                items.collect::<Result<Vec<_>, _>>()?.into()
            }
            Json::Object(members) => {
                let member =
                    |(name, value): (String, Json)| Ok((name, value.into_value_with(beyond)?));
                Value::Object(members.into_iter().map(member).collect::<Result<_, E>>()?)
            }
        })
    }
}

impl From<Value> for Json {
    fn from(value: Value) -> Self {
        match value {
            Value::Null => Json::Null,
            Value::Bool(truth) => Json::Bool(truth),
            Value::Number(number) => Json::Number(number),
            Value::String(text) => Json::String(text),
            Value::Array(items) => Json::Array(items.into_iter().map(Json::from).collect()),
            Value::Object(members) => Json::Object(
                members.into_iter().map(|(name, value)| (name, value.into())).collect(),
            ),
        }
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Json::String(text.to_owned())
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Json::Null => serializer.serialize_unit(),
            Json::Bool(truth) => serializer.serialize_bool(*truth),
            Json::Number(number) => number.serialize(serializer),
            Json::Digits(digits) => {
                let mut raw = serializer.serialize_struct(RAW_VALUE, 1)?;
                raw.serialize_field(RAW_VALUE, digits)?;
                raw.end()
            }
            Json::String(text) => serializer.serialize_str(text),
            Json::Array(items) => serializer.collect_seq(items),
            Json::Object(members) => serializer.collect_map(members),
        }
    }
}

/// The JSON of a text. Of objects with a key twice all but one value would be lost, so that they are an error.
impl FromStr for Json {
    type Err = serde_json::Error;

    fn from_str(text: &str) -> serde_json::Result<Self> {
        let literals = RefCell::new(numbers(text).map(|(_, literal)| literal));
        let next = || literals.borrow_mut().next();
        let readable = readable(text);
        let mut deserializer = serde_json::Deserializer::from_str(&readable);
        let value = Values { next: &next }.deserialize(&mut deserializer)?;
        deserializer.end()?;
        Ok(value)
    }
}

/// The text as `serde_json` reads it, which refuses integers that no double is as large as: a number that is one stands for each, with
/// spaces behind it, so that errors have their places.
fn readable(text: &str) -> Cow<'_, str> {
    // The largest double has more.
    const LONGEST: usize = 300;
    let mut readable = String::new();
    let mut end = 0;
    for (at, literal) in numbers(text).filter(|(_, literal)| literal.len() > LONGEST) {
        if json::digits(literal).is_some() {
            readable.push_str(&text[end..at]);
            end = at + literal.len();
            readable.push_str("1e0");
            readable.extend(std::iter::repeat_n(' ', literal.len() - 3));
        }
    }
    if end == 0 {
        return text.into();
    }
    readable.push_str(&text[end..]);
    readable.into()
}

/// Reads a value, whose numbers are the next literals of the text.
struct Values<'l, 't> {
    next: &'l dyn Fn() -> Option<&'t str>,
}

impl Values<'_, '_> {
    fn another(&self) -> Self {
        Values { next: self.next }
    }

    fn number(&self, number: Number) -> Json {
        match (self.next)() {
            Some(literal) if number.is_f64() && json::digits(literal).is_some() => {
                Json::Digits(literal.to_owned())
            }
            _ => Json::Number(number),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Values<'_, '_> {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Values<'_, '_> {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(self.number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(self.number(value.into()))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Json, E> {
        let number = Number::from_f64(value);
        number
            .map(|number| self.number(number))
            .ok_or_else(|| E::custom(format_args!("the number is {value}, expected a finite one")))
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Json, E> {
        Ok(Json::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Json, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = seq.next_element_seed(self.another())? {
            values.push(value);
        }
        Ok(Json::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let mut members = Object::default();
        while let Some(key) = map.next_key::<String>()? {
            if key == NUMBER && members.is_empty() && wire_core::value::keeps_digits() {
                // The literal, by a build in which `serde_json` keeps all digits.
                let read: String = map.next_value()?;
                // What was read may stand for a longer one.
                let literal = (self.next)().map_or(read, str::to_owned);
                return of_literal(literal).map_err(A::Error::custom);
            }
            if members.contains_key(&key) {
                let message = format!("the key {} appears twice, expected once", shown(&key));
                return Err(A::Error::custom(message));
            }
            let value = map.next_value_seed(self.another())?;
            members.insert(key, value);
        }
        Ok(Json::Object(members))
    }
}

/// The number of a literal.
fn of_literal(literal: String) -> serde_json::Result<Json> {
    if json::digits(&literal).is_some() && json::integer(&literal).is_none() {
        return Ok(Json::Digits(literal));
    }
    literal.parse().map(Json::Number)
}

#[cold]
fn out_of_range(digits: &str) -> Problem {
    let message = format!("the integer is {}, expected one of 64 bits", shown(digits));
    Problem::new(ErrorKind::OutOfRange, message)
}

/// Digits beyond 64 bits are what the type asks for; without a type they are the double that is written so, if there is one.
impl<'de> Deserializer<'de> for Json {
    type Error = Problem;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        match self {
            Json::Null => visitor.visit_unit(),
            Json::Bool(truth) => visitor.visit_bool(truth),
            Json::Number(number) => json::without_place(number.deserialize_any(visitor)),
            Json::Digits(digits) => {
                let number = json::number(&digits).ok_or_else(|| out_of_range(&digits))?;
                json::without_place(number.deserialize_any(visitor))
            }
            Json::String(text) => visitor.visit_string(text),
            Json::Array(items) => {
                let mut items = SeqDeserializer::new(items.into_iter());
                let value = visitor.visit_seq(&mut items)?;
                items.end()?;
                Ok(value)
            }
            Json::Object(members) => {
                let members = members.into_iter().map(|(name, value)| (Key(name), value));
                let mut members = MapDeserializer::new(members);
                let value = visitor.visit_map(&mut members)?;
                members.end()?;
                Ok(value)
            }
        }
    }

    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        let Json::Digits(digits) = &self else { return self.deserialize_any(visitor) };
        visitor.visit_i128(digits.parse().map_err(|_| out_of_range(digits))?)
    }

    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        let Json::Digits(digits) = &self else { return self.deserialize_any(visitor) };
        visitor.visit_u128(digits.parse().map_err(|_| out_of_range(digits))?)
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        let Json::Digits(digits) = &self else { return self.deserialize_any(visitor) };
        let number = digits.parse().ok().filter(|number: &f32| number.is_finite());
        visitor.visit_f32(number.ok_or_else(|| out_of_range(digits))?)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        let Json::Digits(digits) = &self else { return self.deserialize_any(visitor) };
        visitor.visit_f64(json::double(digits).ok_or_else(|| out_of_range(digits))?)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        if self.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Problem> {
        if name == RAW_VALUE {
            let text = Exact(self).to_string();
            let member = std::iter::once((RAW_VALUE, text));
            return visitor.visit_map(MapDeserializer::<_, Problem>::new(member));
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Problem> {
        let (name, content) = match self {
            Json::String(name) => (name, None),
            Json::Object(members) if members.len() == 1 => {
                let (name, content) = members.into_iter().next().expect("because there is one");
                (name, Some(content))
            }
            _ => {
                return Err(Problem::custom(
                    "a variant is none, expected its name or an object with it",
                ));
            }
        };
        visitor.visit_enum(Variant { name, content })
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct
        identifier
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        visitor.visit_unit()
    }
}

impl IntoDeserializer<'_, Problem> for Json {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// The name of a member, which is what is asked for.
struct Key(String);

macro_rules! parsed_keys {
    ($($method:ident $visit:ident $type:ty),*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
            match self.0.parse::<$type>() {
                Ok(key) => visitor.$visit(key),
                Err(_) => visitor.visit_string(self.0),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for Key {
    type Error = Problem;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        visitor.visit_string(self.0)
    }

    parsed_keys! {
        deserialize_bool visit_bool bool,
        deserialize_i8 visit_i8 i8, deserialize_i16 visit_i16 i16, deserialize_i32 visit_i32 i32,
        deserialize_i64 visit_i64 i64, deserialize_i128 visit_i128 i128,
        deserialize_u8 visit_u8 u8, deserialize_u16 visit_u16 u16, deserialize_u32 visit_u32 u32,
        deserialize_u64 visit_u64 u64, deserialize_u128 visit_u128 u128
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Problem> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Problem> {
        visitor.visit_enum(Variant { name: self.0, content: None })
    }

    forward_to_deserialize_any! {
        f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

impl IntoDeserializer<'_, Problem> for Key {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// A variant, and what it holds.
struct Variant {
    name: String,
    content: Option<Json>,
}

impl<'de> EnumAccess<'de> for Variant {
    type Error = Problem;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(
        mut self,
        seed: S,
    ) -> Result<(S::Value, Self), Problem> {
        let name = std::mem::take(&mut self.name);
        Ok((seed.deserialize(IntoDeserializer::<Problem>::into_deserializer(name))?, self))
    }
}

impl<'de> VariantAccess<'de> for Variant {
    type Error = Problem;

    fn unit_variant(self) -> Result<(), Problem> {
        self.content.map_or(Ok(()), Deserialize::deserialize)
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Problem> {
        seed.deserialize(self.content.unwrap_or_default())
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Problem> {
        self.content.unwrap_or_default().deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Problem> {
        self.content.unwrap_or_default().deserialize_any(visitor)
    }
}

/// A JSON value whose integers keep all of their digits, as GCX1 does (ruling A6): a [`Value`] holds those of 64 bits.
///
/// It is read from JSON text by [`str::parse`], where a key twice is an error, and from GCX1 by
/// [`decode_exact`](crate::decode_exact); it is written as JSON by [`Display`](fmt::Display), indented by `{:#}`, and as GCX1 by
/// [`encode_response`](crate::encode_response), as anything that serde serializes; `serde_json::to_value` has no place for the digits, and
/// [`into_value`](Exact::into_value) says so. The order of members is kept, and does not count when values are compared.
///
/// ```
/// let value: gcx::json::Exact = r#"{"id": 18446744073709551616}"#.parse()?;
/// let text = gcx::encode_typed("t", &value)?;
/// assert_eq!(text, "GCX1 tool=t fields=id typed=object:integer\n18446744073709551616\n");
/// assert_eq!(gcx::decode_exact(&text)?.to_string(), r#"{"id":18446744073709551616}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exact(pub(crate) Json);

impl Exact {
    /// Whether it is an array of objects, or of nothing.
    pub fn is_rows(&self) -> bool {
        let Json::Array(items) = &self.0 else { return false };
        items.iter().all(|item| item.as_object().is_some())
    }

    /// The value as `serde_json` has it.
    ///
    /// # Errors
    ///
    /// The digits of the first integer that 64 bits can't hold, and that no double is written as (ruling X6).
    pub fn into_value(self) -> Result<Value, String> {
        self.into_value_with(|digits| Ok(json::number(&digits).ok_or(digits)?.into()))
    }

    /// The value as `serde_json` has it, in which `beyond` makes something of the digits of each integer that 64 bits can't hold.
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
    /// Those of `beyond`.
    pub fn into_value_with<E>(
        self,
        mut beyond: impl FnMut(String) -> Result<Value, E>,
    ) -> Result<Value, E> {
        self.0.into_value_with(&mut beyond)
    }
}

impl From<Value> for Exact {
    fn from(value: Value) -> Self {
        Exact(value.into())
    }
}

impl FromStr for Exact {
    type Err = serde_json::Error;

    fn from_str(text: &str) -> serde_json::Result<Self> {
        text.parse().map(Exact)
    }
}

impl Serialize for Exact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = if f.alternate() {
            serde_json::to_string_pretty(&self.0)
        } else {
            serde_json::to_string(&self.0)
        };
        f.write_str(&text.map_err(|_| fmt::Error)?)
    }
}
