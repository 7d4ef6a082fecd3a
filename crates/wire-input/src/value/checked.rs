//! The content of a value, which is read and not kept.

use serde_json::Value;

/// The kind of a value, and the number of its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checked {
    /// A text, number, truth value or null.
    Scalar,
    /// An array.
    Array {
        /// How many items it has.
        items: usize,
        /// `true` if each is an object.
        are_objects: bool,
    },
    /// An object.
    Object {
        /// How many members it has.
        members: usize,
    },
}

impl Checked {
    /// The kind of a value that is kept.
    pub(super) fn of(value: &Value) -> Self {
        match value {
            Value::Object(members) => Checked::Object { members: members.len() },
            Value::Array(items) => Checked::Array {
                items: items.len(),
                are_objects: items.iter().all(Value::is_object),
            },
            _ => Checked::Scalar,
        }
    }

    /// The number of items or members, and their name.
    pub fn counts(self) -> (usize, &'static str) {
        match self {
            Checked::Scalar => (1, "scalar"),
            Checked::Array { items, .. } => (items, "item"),
            Checked::Object { members } => (members, "member"),
        }
    }

    /// Returns `true` if it is an array of objects, or of nothing.
    pub fn is_rows(self) -> bool {
        matches!(self, Checked::Array { are_objects: true, .. })
    }
}
