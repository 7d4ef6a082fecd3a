//! A value in the order of its text: scalars as they will be written, arrays and objects before what they hold.

use std::ops::Range;

use wire_core::number::Digits;

use super::shape::{ShapeId, Shapes, TreeId};

/// What stands behind each cell of a row but the last (section 7.4.2).
pub(super) const DELIMITER: char = '|';
pub(super) const NULL: &str = "-";

/// A value.
#[derive(Debug)]
pub(super) struct Tape {
    pub(super) nodes: Vec<Node>,
    /// The texts of all scalars, each with the delimiter of cells behind it, so that cells that follow each other are one piece.
    pub(super) text: String,
    pub(super) shapes: Shapes,
    /// Of each object that is being recorded the places and trees of its members that are objects with a tree.
    pub(super) nested: Vec<(u32, TreeId)>,
    /// The digits of a double.
    pub(super) digits: Digits,
}

/// A scalar, or the beginning of an array or object whose content follows up to the node `after`.
#[derive(Clone, Copy, Debug)]
pub(super) enum Node {
    Null {
        start: usize,
    },
    Scalar {
        start: usize,
        end: usize,
    },
    Array {
        after: usize,
        /// Whether every item is a scalar.
        scalars: bool,
    },
    Object {
        shape: ShapeId,
        /// None where it can't be flattened (section 7.4.6.1).
        tree: Option<TreeId>,
        /// Whether every member is a scalar.
        scalars: bool,
        /// Whether it has a tree of which every leaf is `null`, or only members that are that: as columns, the object would be
        /// `null` itself (section 7.4.6.2).
        all_null: bool,
        /// Whether a member is an object with a tree whose every leaf is `null`.
        hollow: bool,
        after: usize,
        /// Where its text begins and ends.
        start: usize,
        end: usize,
    },
}

impl Node {
    pub(super) fn is_scalar(self) -> bool {
        matches!(self, Node::Null { .. } | Node::Scalar { .. })
    }
}

impl Tape {
    pub(super) fn new() -> Self {
        Tape {
            nodes: Vec::new(),
            text: String::new(),
            shapes: Shapes::new(),
            nested: Vec::new(),
            digits: Digits::new(),
        }
    }

    pub(super) fn node(&self, at: usize) -> Node {
        self.nodes[at]
    }

    /// The node behind this one and what it holds.
    pub(super) fn after(&self, at: usize) -> usize {
        match self.nodes[at] {
            Node::Null { .. } | Node::Scalar { .. } => at + 1,
            Node::Array { after, .. } | Node::Object { after, .. } => after,
        }
    }

    /// The nodes of what an array or object holds.
    pub(super) fn children(&self, at: usize) -> impl Iterator<Item = usize> {
        let end = self.after(at);
        let mut next = at + 1;
        std::iter::from_fn(move || {
            (next < end).then(|| {
                let child = next;
                next = self.after(child);
                child
            })
        })
    }

    /// The text of a scalar.
    pub(super) fn scalar(&self, at: usize) -> &str {
        match self.nodes[at] {
            Node::Scalar { start, end } => &self.text[start..end],
            _ => NULL,
        }
    }

    /// The cells that begin with one scalar or object of scalars and end before another, each with a delimiter behind it.
    pub(super) fn cells(&self, text: Range<usize>) -> &str {
        &self.text[text]
    }

    /// Forgets of the items of all arrays, and of the members of the value itself, that they can be flattened.
    #[cfg(test)]
    pub(super) fn forget_trees_of_rows(&mut self) {
        let is_table = |&at: &usize| at == 0 || matches!(self.nodes[at], Node::Array { .. });
        let tables: Vec<usize> = (0..self.nodes.len()).filter(is_table).collect();
        for table in tables {
            for row in self.children(table).collect::<Vec<_>>() {
                if let Node::Object { tree, .. } = &mut self.nodes[row] {
                    *tree = None;
                }
            }
        }
    }

    /// The bytes of all scalars, which is most of what is written.
    pub(super) fn size(&self) -> usize {
        self.text.len()
    }

    /// Where the text of what is no array begins.
    pub(super) fn start(&self, at: usize) -> usize {
        match self.nodes[at] {
            Node::Null { start } | Node::Scalar { start, .. } | Node::Object { start, .. } => start,
            Node::Array { .. } => self.text.len(),
        }
    }
}
