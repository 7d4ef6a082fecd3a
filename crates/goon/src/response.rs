//! The response of a graph query, and its JSON form (ruling N1).

use std::collections::BTreeMap;
use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error as _, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value, json};
use wire_core::Position;
use wire_core::text::shown;
use wire_core::value::{Unambiguous, integer_out_of_range};

use crate::value::check_depth;
use crate::{Error, ErrorKind};

/// What a query answers: nodes, and edges or rows of an aggregation.
///
/// ```
/// let response = goon::GraphResponse::from_json(
///     r#"{"query_type": "search", "nodes": [{"type": "User", "id": "7", "username": "alice"}]}"#,
/// )?;
/// assert_eq!(response.nodes[0].id, 7);
/// assert_eq!(goon::to_string(&response)?, "@header\nquery_type:search\ngoon_version:1.0.0\nnodes:1\nedges:0\n@nodes\nUser(1):\n7 username=alice\n@edges\n");
/// # Ok::<(), goon::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct GraphResponse {
    /// The version of the JSON form that its producer states. Text has no place for it.
    #[serde(default)]
    pub format_version: Option<String>,
    /// The kind of query.
    pub query_type: QueryType,
    /// The entities.
    #[serde(default, deserialize_with = "null_as_default")]
    pub nodes: Vec<Node>,
    /// The relationships; of a path search its steps.
    #[serde(default, deserialize_with = "null_as_default")]
    pub edges: Vec<Edge>,
    /// The metrics of an aggregation, in the order of the text.
    #[serde(default, deserialize_with = "null_as_default")]
    pub columns: Vec<Column>,
    /// What an aggregation groups by, in the order of the text.
    #[serde(default, deserialize_with = "null_as_default")]
    pub group_columns: Vec<GroupColumn>,
    /// The rows of an aggregation: cells by the names of their columns.
    #[serde(default, deserialize_with = "rows")]
    pub rows: Vec<Row>,
    /// Where the response is in a longer one.
    #[serde(default)]
    pub pagination: Option<Pagination>,
}

/// The cells of a row, by the names of their columns. That of a node column is `{type, id, properties}`, as
/// [`Node::to_cell`] makes it, or `null` (ruling N12).
pub type Row = BTreeMap<String, Value>;

/// The kind of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum QueryType {
    /// Along edges from nodes that match.
    Traversal,
    /// Counts, sums and other metrics.
    Aggregation,
    /// Paths between nodes.
    PathFinding,
    /// Nodes that match.
    Search,
    /// What is next to a node.
    Neighbors,
}

impl QueryType {
    /// Every kind.
    pub const ALL: [QueryType; 5] = [
        QueryType::Traversal,
        QueryType::Aggregation,
        QueryType::PathFinding,
        QueryType::Search,
        QueryType::Neighbors,
    ];

    /// The word of the format.
    pub const fn as_str(self) -> &'static str {
        match self {
            QueryType::Traversal => "traversal",
            QueryType::Aggregation => "aggregation",
            QueryType::PathFinding => "path_finding",
            QueryType::Search => "search",
            QueryType::Neighbors => "neighbors",
        }
    }

    /// The kind of this word.
    pub fn from_name(word: &str) -> Option<Self> {
        QueryType::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

/// An entity. Its JSON is one object of `type`, `id` and its properties.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The type of the entity, as `MergeRequest`.
    pub entity_type: String,
    /// The id, unique in its type.
    pub id: i64,
    /// Whatever else is known of it, by the names.
    pub properties: BTreeMap<String, Value>,
}

/// A relationship, or a step of a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct Edge {
    /// The type of the entity that it begins at.
    pub from: String,
    /// Its id.
    #[serde(deserialize_with = "id")]
    pub from_id: i64,
    /// The type of the entity that it ends at.
    pub to: String,
    /// Its id.
    #[serde(deserialize_with = "id")]
    pub to_id: i64,
    /// The type of the relationship, as `AUTHORED`.
    #[serde(rename = "type")]
    pub edge_type: String,
    /// How many hops away it was found, in traversals of variable length; at most `i64::MAX`, as the two that follow.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "place")]
    pub depth: Option<u64>,
    /// The path that it is a step of.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "place")]
    pub path_id: Option<u64>,
    /// Which step of the path it is.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "place")]
    pub step: Option<u64>,
}

/// A metric of an aggregation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct Column {
    /// The name of its cells.
    pub name: String,
    /// What it computes, as `count` or `max`.
    pub function: String,
    /// The alias of the nodes that it is computed of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Their property.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub property: Option<String>,
}

/// What an aggregation groups by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct GroupColumn {
    /// The name of its cells.
    pub name: String,
    /// Whether its cells are nodes.
    pub kind: GroupKind,
    /// The alias of the nodes in the query. Text has no place for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// The type of the nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entity: Option<String>,
    /// The property, where the name is another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub property: Option<String>,
}

/// What the cells of a group column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GroupKind {
    /// Nodes.
    Node,
    /// Values of a property.
    Property,
}

impl GroupKind {
    /// Every kind.
    pub const ALL: [GroupKind; 2] = [GroupKind::Node, GroupKind::Property];

    /// The word of the format.
    pub const fn as_str(self) -> &'static str {
        match self {
            GroupKind::Node => "node",
            GroupKind::Property => "property",
        }
    }

    /// The kind of this word.
    pub fn from_name(word: &str) -> Option<Self> {
        GroupKind::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

/// In JSON each kind is its word.
macro_rules! words {
    ($($name:ident),*) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let word = String::deserialize(deserializer)?;
                $name::from_name(&word).ok_or_else(|| {
                    let words = $name::ALL.map($name::as_str).join(", ");
                    D::Error::custom(format!("the word is {}, expected one of {words}", shown(&word)))
                })
            }
        }
    )*};
}

words! { QueryType, GroupKind }

/// An object, and no array of its members, which serde would take, too.
struct ObjectVisitor<T>(std::marker::PhantomData<T>);

macro_rules! objects {
    ($($name:ident),*) => {$(
        impl<'de> Visitor<'de> for ObjectVisitor<$name> {
            type Value = $name;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<$name, A::Error> {
                $name::deserialize(MapAccessDeserializer::new(map))
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_map(ObjectVisitor::<$name>(std::marker::PhantomData))
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

/// Where a response is in a longer one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct Pagination {
    /// Whether more follows.
    pub has_more: bool,
    /// How many rows there are in all; version 1.0.0 only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_rows: Option<u64>,
    /// Whether the server gave up before the end; from version 4 on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub truncated: Option<bool>,
    /// What to ask for more with; from version 4 on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

impl GraphResponse {
    /// A response without nodes, edges, columns and rows.
    pub fn new(query_type: QueryType) -> Self {
        GraphResponse {
            format_version: None,
            query_type,
            nodes: Vec::new(),
            edges: Vec::new(),
            columns: Vec::new(),
            group_columns: Vec::new(),
            rows: Vec::new(),
            pagination: None,
        }
    }

    /// The response of its JSON form. Ids may be strings; what the form does not have is an error.
    ///
    /// # Errors
    ///
    /// `json_syntax`, `unknown_member`, `duplicate_member`, `missing_member`, `invalid_member` and `out_of_range` (an integer
    /// literal that 64 bits can't hold), with their places.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        let response = serde_json::from_str(text);
        // `serde_json` takes an integer of more digits for a double, and so for another number (ruling A6).
        let is_json = response.as_ref().err().is_none_or(serde_json::Error::is_data);
        if let Some((at, digits)) = integer_out_of_range(text).filter(|_| is_json) {
            let message = format!("the integer is {}, expected one of 64 bits", shown(digits));
            let position = Position::in_text(text.as_bytes(), at);
            return Err(Error::at(ErrorKind::OutOfRange, position, message));
        }
        response.map_err(|error| {
            let place = |line: usize| {
                let start = text
                    .split_inclusive('\n')
                    .take(line.saturating_sub(1))
                    .map(str::len)
                    .sum::<usize>();
                Position::in_text(text.as_bytes(), start + error.column().saturating_sub(1))
            };
            json_error(&error, Some(place(error.line())))
        })
    }

    /// The response of a JSON value: see [`GraphResponse::from_json`].
    ///
    /// # Errors
    ///
    /// As there, without places.
    pub fn from_value(value: &Value) -> Result<Self, Error> {
        check_depth(value)?;
        <GraphResponse as Deserialize>::deserialize(value).map_err(|error| json_error(&error, None))
    }

    /// The JSON form.
    pub fn to_value(&self) -> Value {
        serde_json::to_value(self).expect("because a response is made of what JSON has")
    }
}

/// What serde says, by the kind of mistake.
#[cold]
fn json_error(error: &serde_json::Error, position: Option<Position>) -> Error {
    use serde_json::error::Category;
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let message = text.strip_suffix(&place).unwrap_or(&text);
    let kind = match error.classify() {
        Category::Syntax if message.starts_with("number out of range") => ErrorKind::OutOfRange,
        Category::Syntax | Category::Eof | Category::Io => ErrorKind::JsonSyntax,
        Category::Data if message.starts_with("unknown field") => ErrorKind::UnknownMember,
        Category::Data if message.starts_with("duplicate field") => ErrorKind::DuplicateMember,
        Category::Data if message.starts_with("missing field") => ErrorKind::MissingMember,
        Category::Data => ErrorKind::InvalidMember,
    };
    // serde repeats names as they are.
    let visible =
        |c: char| if c.is_control() { c.escape_debug().to_string() } else { c.to_string() };
    let message: String = message.chars().take(300).map(visible).collect();
    match position {
        Some(position) => Error::at(kind, position, message),
        None => Error::encode(kind, message),
    }
}

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
                _ => properties.insert(key.clone(), map.next_value::<Unambiguous>()?.0).is_some(),
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

fn duplicate<E: serde::de::Error>(key: &str) -> E {
    E::custom(format!("duplicate field {}", shown(key)))
}

impl Node {
    /// A node without properties.
    pub fn new(entity_type: impl Into<String>, id: i64) -> Self {
        Node { entity_type: entity_type.into(), id, properties: BTreeMap::new() }
    }

    /// Adds a property, in the place of what the key had.
    #[must_use]
    pub fn with(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.properties.insert(key.into(), value.into());
        self
    }

    /// The node of a cell of a node column: `{type, id, properties}` (ruling N12).
    ///
    /// ```
    /// let cell = serde_json::json!({"type": "User", "id": "8", "properties": {"username": "x"}});
    /// let node = goon::Node::from_cell(&cell)?;
    /// assert_eq!(node, goon::Node::new("User", 8).with("username", "x"));
    /// # Ok::<(), goon::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `unknown_member` for any other member, `invalid_cell` for any other value.
    pub fn from_cell(cell: &Value) -> Result<Self, Error> {
        let cell = NodeCell::read(cell)?;
        let properties = cell.properties.into_iter().flatten();
        let properties = properties.map(|(key, value)| (key.clone(), value.clone()));
        let (entity_type, id) = cell.name();
        Ok(Node { properties: properties.collect(), ..Node::new(entity_type, id) })
    }

    /// The cell of the node, with all three members.
    pub fn to_cell(&self) -> Value {
        let properties: Map<String, Value> =
            self.properties.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
        json!({"type": self.entity_type, "id": self.id, "properties": properties})
    }
}

/// The cell of a node column (ruling N12), borrowed.
pub(crate) struct NodeCell<'v> {
    entity_type: &'v str,
    id: i64,
    properties: Option<&'v Map<String, Value>>,
}

impl<'v> NodeCell<'v> {
    /// The cell that a value is.
    pub(crate) fn read(value: &'v Value) -> Result<Self, Error> {
        let wrong = |kind, problem: &str| {
            let expected = "expected an object of `type`, `id` and perhaps `properties`, or null";
            Error::encode(kind, format!("{problem}, {expected}"))
        };
        let invalid = |problem: &str| wrong(ErrorKind::InvalidCell, problem);
        let cell = value.as_object().ok_or_else(|| invalid("the cell is no object"))?;
        let known = |key: &str| matches!(key, "type" | "id" | "properties");
        if let Some(unknown) = cell.keys().find(|key| !known(key)) {
            let problem = format!("the cell has the member {}", shown(unknown));
            return Err(wrong(ErrorKind::UnknownMember, &problem));
        }
        let entity_type = cell.get("type").and_then(Value::as_str);
        let entity_type = entity_type.ok_or_else(|| invalid("the cell has no string `type`"))?;
        let node_id = cell.get("id").ok_or_else(|| invalid("the cell has no `id`"))?;
        let id = id(node_id).map_err(|error| invalid(&error.to_string()))?;
        let properties = match cell.get("properties") {
            None | Some(Value::Null) => None,
            Some(Value::Object(properties)) => Some(properties),
            Some(_) => return Err(invalid("the `properties` of the cell are no object")),
        };
        Ok(NodeCell { entity_type, id, properties })
    }

    /// The type and id of the node.
    pub(crate) fn name(&self) -> (&'v str, i64) {
        (self.entity_type, self.id)
    }

    /// The properties in the order of their keys, which a map of `serde_json` has by its default features only.
    pub(crate) fn properties(&self) -> Vec<(&'v str, &'v Value)> {
        let members = self.properties.into_iter().flatten();
        let mut members: Vec<_> = members.map(|(key, value)| (&**key, value)).collect();
        members.sort_unstable_by_key(|(key, _)| *key);
        members
    }
}

impl Edge {
    /// An edge between two nodes, each the type and the id of one.
    pub fn new(
        from: (impl Into<String>, i64),
        edge_type: impl Into<String>,
        to: (impl Into<String>, i64),
    ) -> Self {
        Edge {
            from: from.0.into(),
            from_id: from.1,
            to: to.0.into(),
            to_id: to.1,
            edge_type: edge_type.into(),
            depth: None,
            path_id: None,
            step: None,
        }
    }
}

/// An id: an integer, or a string of its digits.
struct Id(i64);

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        id(deserializer).map(Id)
    }
}

fn id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    struct IdVisitor;

    impl Visitor<'_> for IdVisitor {
        type Value = i64;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an id: an integer of 64 bits, or a string of its digits")
        }

        fn visit_i64<E>(self, value: i64) -> Result<i64, E> {
            Ok(value)
        }

        fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<i64, E> {
            i64::try_from(value)
                .map_err(|_| E::custom(format!("the id {value} is beyond 64 bits with a sign")))
        }

        fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<i64, E> {
            let id: Option<i64> = text.parse().ok().filter(|id: &i64| id.to_string() == text);
            id.ok_or_else(|| {
                E::custom(format!("the id is {}, expected digits of 64 bits", shown(text)))
            })
        }
    }

    deserializer.deserialize_any(IdVisitor)
}

/// The largest depth, number of a path or of a step.
pub(crate) const LARGEST: u64 = i64::MAX as u64;

fn place<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    let place: Option<u64> = Option::deserialize(deserializer)?;
    if place.is_some_and(|place| place > LARGEST) {
        return Err(D::Error::custom(format!("a depth, path or step is larger than {LARGEST}")));
    }
    Ok(place)
}

fn null_as_default<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

/// Rows, none of which has a cell twice.
fn rows<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Row>, D::Error> {
    struct Cells(Row);

    impl<'de> Deserialize<'de> for Cells {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_map(CellsVisitor).map(Cells)
        }
    }

    struct CellsVisitor;

    impl<'de> Visitor<'de> for CellsVisitor {
        type Value = Row;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object of cells")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Row, A::Error> {
            let mut row = Row::new();
            while let Some(key) = map.next_key::<String>()? {
                let Unambiguous(value) = map.next_value()?;
                if row.insert(key.clone(), value).is_some() {
                    return Err(duplicate(&key));
                }
            }
            Ok(row)
        }
    }

    let rows: Vec<Cells> = null_as_default(deserializer)?;
    Ok(rows.into_iter().map(|Cells(row)| row).collect())
}
