//! The JSON form, in both directions (ruling N1).

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Error as _, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use wire_core::Position;
use wire_core::de::AsMap;
use wire_core::json::{self, Reader};
use wire_core::text::shown;

use super::members::{Id, duplicate};
use super::types::{
    Column, Edge, GraphResponse, GroupColumn, GroupKind, Node, Pagination, QueryType,
};
use crate::strict_value::StrictValue;
use crate::value::check_depth;
use crate::{Error, ErrorKind};

impl GraphResponse {
    /// Reads a response from its JSON form. Ids may be strings. Unknown members are errors.
    ///
    /// # Errors
    ///
    /// `json_syntax`, `too_deep`, `unknown_member`, `duplicate_member`, `missing_member`,
    /// `invalid_member` and `out_of_range` (an integer literal beyond 64 bits, or a decimal beyond
    /// doubles), each with its position.
    pub fn from_json_str(text: &str) -> Result<Self, Error> {
        GraphResponse::read_json(text, false)
    }

    /// The same; `exact` refuses decimals that are not exactly a double.
    pub(crate) fn read_json(text: &str, exact: bool) -> Result<Self, Error> {
        Reader::new(text).in_doubles().exact(exact).into_value().map_err(|error| {
            Error::at(
                kind(&error),
                Position::in_text(text.as_bytes(), error.offset()),
                error.message(),
            )
        })
    }

    /// Reads a response from a JSON value: see [`GraphResponse::from_json_str`].
    ///
    /// # Errors
    ///
    /// As there, without positions.
    pub fn from_value(value: &Value) -> Result<Self, Error> {
        check_depth(value)?;
        let text = value.to_string();
        // Deeper values were refused, and a response has some levels around those of its nodes.
        let mut reader = Reader::new(&text).max_nesting(usize::MAX);
        <GraphResponse as Deserialize>::deserialize(reader.values())
            .map_err(|error| Error::encode(kind(&error), error.message()))
    }

    /// The JSON form.
    pub fn to_value(&self) -> Value {
        serde_json::to_value(self).expect("because a response is made of what JSON has")
    }
}

fn kind(error: &json::Error) -> ErrorKind {
    match error.kind() {
        json::ErrorKind::TooDeep => ErrorKind::TooDeep,
        json::ErrorKind::DuplicateKey => ErrorKind::DuplicateMember,
        json::ErrorKind::OutOfRange => ErrorKind::OutOfRange,
        json::ErrorKind::Inexact => ErrorKind::InexactNumber,
        json::ErrorKind::UnknownField => ErrorKind::UnknownMember,
        json::ErrorKind::MissingField => ErrorKind::MissingMember,
        json::ErrorKind::Data => ErrorKind::InvalidMember,
        _ => ErrorKind::JsonSyntax,
    }
}

/// In JSON each kind is its name.
macro_rules! words {
    ($($name:ident),*) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let word = String::deserialize(deserializer)?;
                $name::from_name(&word).ok_or_else(|| {
                    let words = $name::ALL.iter().map(|word| word.name()).collect::<Vec<_>>().join(", ");
                    D::Error::custom(format!("the value is {}, expected one of {words}", shown(&word)))
                })
            }
        }
    )*};
}

words! { QueryType, GroupKind }

macro_rules! objects {
    ($($name:ident),*) => {$(
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $name::deserialize(AsMap(deserializer))
            }
        }
    )*};
}

objects! { GraphResponse, Edge, Column, GroupColumn, Pagination }

macro_rules! written_as_declared {
    ($($name:ident),*) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $name::serialize(self, serializer)
            }
        }
    )*};
}

written_as_declared! { Edge, Column, GroupColumn, Pagination }

impl Serialize for GraphResponse {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if let Some(version) = &self.format_version {
            map.serialize_entry("format_version", version)?;
        }
        map.serialize_entry("query_type", &self.query_type)?;
        map.serialize_entry("nodes", &self.nodes)?;
        map.serialize_entry("edges", &self.edges)?;
        if !self.columns.is_empty() {
            map.serialize_entry("columns", &self.columns)?;
        }
        if !self.group_columns.is_empty() {
            map.serialize_entry("group_columns", &self.group_columns)?;
        }
        if self.query_type == QueryType::Aggregation || !self.rows.is_empty() {
            map.serialize_entry("rows", &self.rows)?;
        }
        if let Some(pagination) = &self.pagination {
            map.serialize_entry("pagination", pagination)?;
        }
        map.end()
    }
}

impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.properties.len() + 2))?;
        map.serialize_entry("type", &self.entity_type)?;
        map.serialize_entry("id", &self.id)?;
        for (key, value) in &self.properties {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with `type`, `id` and properties")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        let (mut entity_type, mut node_id, mut properties) = (None, None, BTreeMap::new());
        while let Some(key) = map.next_key::<String>()? {
            let twice = match &*key {
                "type" => entity_type.replace(map.next_value::<String>()?).is_some(),
                "id" => node_id.replace(map.next_value::<Id>()?).is_some(),
                _ => properties.insert(key.clone(), map.next_value::<StrictValue>()?.0).is_some(),
            };
            if twice {
                return Err(duplicate(&key));
            }
        }
        let entity_type = entity_type.ok_or_else(|| A::Error::missing_field("type"))?;
        let Id(id) = node_id.ok_or_else(|| A::Error::missing_field("id"))?;
        Ok(Node { entity_type, id, properties })
    }
}
