//! Nodes as cells of rows (ruling N12).

use serde_json::{Map, Value, json};
use wire_core::text::shown;

use super::members::id;
use super::types::Node;
use crate::{Error, ErrorKind};

impl Node {
    /// Reads the node in a cell of a node column: `{type, id, properties}` (ruling N12).
    ///
    /// ```
    /// let cell = serde_json::json!(
    ///     {"type": "User", "id": "8", "properties": {"username": "x"}}
    /// );
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
        let cell = value.as_object().ok_or_else(|| invalid("the cell is not an object"))?;
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
            Some(_) => return Err(invalid("the `properties` of the cell are not an object")),
        };
        Ok(NodeCell { entity_type, id, properties })
    }

    /// The type and id of the node.
    pub(crate) fn name(&self) -> (&'v str, i64) {
        (self.entity_type, self.id)
    }

    /// The properties sorted by key. A map of `serde_json` is sorted only with its default
    /// features.
    pub(crate) fn properties(&self) -> Vec<(&'v str, &'v Value)> {
        let members = self.properties.into_iter().flatten();
        let mut members: Vec<_> = members.map(|(key, value)| (&**key, value)).collect();
        members.sort_unstable_by_key(|(key, _)| *key);
        members
    }
}
