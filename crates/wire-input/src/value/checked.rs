//! The content of a value, which is read and not kept.

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
