//! What is known of a value once it is recorded, and of an object while its members are.

use super::shape::{EMPTY, ShapeId, TreeId};
use super::tape::{Node, Tape};
use crate::Error;

/// What was recorded: one of the kinds, and the tree of an object that has one. A number, so that it comes back in a register
/// whether or not there is an error.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recorded(u64);

/// The kinds of values, of which a container has a set.
pub(super) mod kind {
    pub(in super::super) const NULL: u8 = 1;
    pub(in super::super) const SCALAR: u8 = 2;
    pub(in super::super) const ARRAY: u8 = 4;
    /// An object without a tree.
    pub(in super::super) const OBJECT: u8 = 8;
    /// An object with a tree.
    pub(in super::super) const FLAT: u8 = 16;
    /// An object with a tree of which every leaf is `null`.
    pub(in super::super) const HOLLOW: u8 = 32;

    /// Whether there is none but these.
    pub(in super::super) const fn only(kinds: u8, these: u8) -> bool {
        kinds & !these == 0
    }
}

impl Recorded {
    pub(super) const NULL: Recorded = Recorded(kind::NULL as u64);
    pub(super) const SCALAR: Recorded = Recorded(kind::SCALAR as u64);
    pub(super) const ARRAY: Recorded = Recorded(kind::ARRAY as u64);

    /// An object, by its tree if it has one.
    pub(super) fn object(tree: Option<TreeId>, all_null: bool) -> Self {
        match tree {
            None => Recorded(kind::OBJECT.into()),
            Some(tree) => {
                let kind = if all_null { kind::HOLLOW } else { kind::FLAT };
                Recorded(u64::from(tree) << 32 | u64::from(kind))
            }
        }
    }

    /// Which of the kinds it is.
    pub(super) fn kind(self) -> u8 {
        self.0.to_le_bytes()[0]
    }

    /// The tree of an object that has one.
    pub(super) fn tree(self) -> Option<TreeId> {
        let [.., a, b, c, d] = self.0.to_le_bytes();
        (self.kind() & (kind::FLAT | kind::HOLLOW) != 0)
            .then(|| TreeId::from_le_bytes([a, b, c, d]))
    }
}

/// What the members of an object have shown so far.
pub(super) struct Members {
    pub(super) shape: ShapeId,
    pub(super) count: u32,
    pub(super) kinds: u8,
    /// Where its text begins.
    pub(super) start: usize,
    /// Where its part of `Tape::nested` begins.
    pub(super) nested: usize,
}

impl Members {
    pub(super) fn new(shape: ShapeId, tape: &Tape) -> Self {
        Members { shape, count: 0, kinds: 0, start: tape.text.len(), nested: tape.nested.len() }
    }

    #[inline]
    pub(super) fn add(&mut self, tape: &mut Tape, made: Recorded) {
        if let Some(tree) = made.tree() {
            tape.nested.push((self.count, tree));
        }
        self.kinds |= made.kind();
        self.count += 1;
    }

    pub(super) fn end(&self, tape: &mut Tape, at: usize) -> Result<Recorded, Error> {
        let Members { shape, kinds, count, start, nested } = *self;
        let flat = shape != EMPTY && kinds & (kind::ARRAY | kind::OBJECT) == 0;
        let tree = tape.shapes.end(shape, flat, &tape.nested[nested..])?;
        tape.nested.truncate(nested);
        let scalars = kind::only(kinds, kind::NULL | kind::SCALAR);
        let all_null = count > 0 && kind::only(kinds, kind::NULL | kind::HOLLOW);
        let hollow = kinds & kind::HOLLOW != 0;
        let (after, end) = (tape.nodes.len(), tape.text.len());
        tape.nodes[at] = Node::Object { shape, tree, scalars, all_null, hollow, after, start, end };
        Ok(Recorded::object(tree, all_null))
    }
}
