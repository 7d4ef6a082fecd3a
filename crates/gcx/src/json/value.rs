//! JSON values whose integers keep all of their digits (ruling A6).

use indexmap::IndexMap;
use serde::ser::{Serialize, SerializeStruct, Serializer};
use serde_json::{Number, Value};

use super::terms::RAW_VALUE;

/// The members of an object, in their order.
pub(crate) type Object = IndexMap<String, Json>;

/// A JSON value.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Json {
    #[default]
    Null,
    Bool(bool),
    Number(Number),
    /// The literal of an integer beyond 64 bits, or of a decimal that is not a double.
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

    /// The value; `beyond` converts the digits of integers beyond 64 bits.
    pub(super) fn into_value_with<E>(
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
