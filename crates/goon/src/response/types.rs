//! The types of a response.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::members::{Row, id, null_as_default, place, rows};

/// The answer of a query: nodes with edges, or the rows of an aggregation. [`GraphResponse::new`]
/// makes one; its fields are set by name or by the methods `with_…`.
///
/// ```
/// let response = goon::GraphResponse::from_json_str(
///     r#"{"query_type": "search",
///         "nodes": [{"type": "User", "id": "7", "username": "alice"}]}"#,
/// )?;
/// assert_eq!(response.nodes[0].id, 7);
/// assert_eq!(
///     goon::to_string(&response)?,
///     "@header\nquery_type:search\ngoon_version:1.0.0\nnodes:1\nedges:0\n@nodes\n\
///      User(1):\n7 username=alice\n@edges\n"
/// );
/// # Ok::<(), goon::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self", expecting = "an object")]
#[non_exhaustive]
pub struct GraphResponse {
    /// The version of the JSON form that its producer states. The text does not contain it.
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
    /// The columns by which an aggregation groups, in the order of the text.
    #[serde(default, deserialize_with = "null_as_default")]
    pub group_columns: Vec<GroupColumn>,
    /// The rows of an aggregation: cells by the names of their columns.
    #[serde(default, deserialize_with = "rows")]
    pub rows: Vec<Row>,
    /// The position of the response in a longer one.
    #[serde(default)]
    pub pagination: Option<Pagination>,
}

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
    /// The nodes next to a node.
    Neighbors,
}

impl QueryType {
    /// Every kind.
    pub const ALL: &'static [QueryType] = &[
        QueryType::Traversal,
        QueryType::Aggregation,
        QueryType::PathFinding,
        QueryType::Search,
        QueryType::Neighbors,
    ];

    /// The name in the format.
    pub const fn name(self) -> &'static str {
        match self {
            QueryType::Traversal => "traversal",
            QueryType::Aggregation => "aggregation",
            QueryType::PathFinding => "path_finding",
            QueryType::Search => "search",
            QueryType::Neighbors => "neighbors",
        }
    }

    /// The kind with this name.
    pub fn from_name(word: &str) -> Option<Self> {
        QueryType::ALL.iter().copied().find(|kind| kind.name() == word)
    }
}

/// An entity. Its JSON form is one object with `type`, `id` and its properties.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The type of the entity, as `MergeRequest`.
    pub entity_type: String,
    /// The id, unique in its type.
    pub id: i64,
    /// The properties of the entity, by their names.
    pub properties: BTreeMap<String, Value>,
}

/// A relationship, or a step of a path. [`Edge::new`] makes one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self", expecting = "an object")]
#[non_exhaustive]
pub struct Edge {
    /// The type of the entity that it begins at.
    pub from: String,
    /// Its id.
    #[serde(deserialize_with = "id")]
    pub from_id: i64,
    /// The type of the target.
    pub to: String,
    /// Its id.
    #[serde(deserialize_with = "id")]
    pub to_id: i64,
    /// The type of the relationship, as `AUTHORED`.
    #[serde(rename = "type")]
    pub edge_type: String,
    /// The number of hops at which it was found, in traversals of variable length; like the next
    /// two members, at most `i64::MAX`.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "place")]
    pub depth: Option<u64>,
    /// The path to which the step belongs.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "place")]
    pub path_id: Option<u64>,
    /// Its step in the path.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "place")]
    pub step: Option<u64>,
}

/// A metric of an aggregation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self", expecting = "an object")]
pub struct Column {
    /// The name of its cells.
    pub name: String,
    /// The function that it computes, such as `count` or `max`.
    pub function: String,
    /// The alias of the nodes from which it is computed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Their property.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub property: Option<String>,
}

/// A column by which an aggregation groups.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self", expecting = "an object")]
pub struct GroupColumn {
    /// The name of its cells.
    pub name: String,
    /// `true` if its cells are nodes.
    pub kind: GroupKind,
    /// The alias of the nodes in the query. The text does not contain it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// The type of the nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entity: Option<String>,
    /// The property, if its name differs from that of the column.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub property: Option<String>,
}

/// The content of a group column's cells.
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
    pub const ALL: &'static [GroupKind] = &[GroupKind::Node, GroupKind::Property];

    /// The name in the format.
    pub const fn name(self) -> &'static str {
        match self {
            GroupKind::Node => "node",
            GroupKind::Property => "property",
        }
    }

    /// The kind with this name.
    pub fn from_name(word: &str) -> Option<Self> {
        GroupKind::ALL.iter().copied().find(|kind| kind.name() == word)
    }
}

/// The position of a response in a longer one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self", expecting = "an object")]
pub struct Pagination {
    /// `true` if more follows.
    pub has_more: bool,
    /// The number of rows of the whole response; version 1.0.0 only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_rows: Option<u64>,
    /// `true` if the server stopped before the end; from version 4 on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub truncated: Option<bool>,
    /// The cursor of the next page; from version 4 on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

impl GraphResponse {
    /// A response without nodes, edges, columns and rows; all members are public.
    #[inline]
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
}

impl Node {
    /// A node without properties.
    pub fn new(entity_type: impl Into<String>, id: i64) -> Self {
        Node { entity_type: entity_type.into(), id, properties: BTreeMap::new() }
    }

    /// Adds a property; replaces the value when the key exists.
    #[must_use]
    pub fn with(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.properties.insert(key.into(), value.into());
        self
    }
}

impl Edge {
    /// An edge between two nodes, each given by its type and its id. `depth`, and `path_id` with
    /// `step`, are members to set.
    #[inline]
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
