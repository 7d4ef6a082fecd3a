//! Facts about a value once it is recorded, and of an object while its members are.

use super::shape::{EMPTY, MOST_STEPS, NestedRun, ShapeId, TreeId};
use super::tape::{Tape, flag};
use crate::Error;

/// The result of recording a value: one of the kinds, and the tree of an object that has one. It is
/// a number, so that it is returned in a register whether or not there is an error.
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
    pub(in super::super) const ALL_NULL: u8 = 32;
    /// An object with a member whose every leaf is `null`.
    pub(in super::super) const AROUND_ALL_NULL: u8 = 64;

    pub(in super::super) const fn only(kinds: u8, these: u8) -> bool {
        kinds & !these == 0
    }
}

impl Recorded {
    pub(super) const NULL: Recorded = Recorded(kind::NULL as u64);
    pub(super) const SCALAR: Recorded = Recorded(kind::SCALAR as u64);
    pub(super) const ARRAY: Recorded = Recorded(kind::ARRAY as u64);

    /// An object, by its tree if it has one.
    #[inline]
    fn object(tree: Option<TreeId>, all_null: bool, has_all_null: bool) -> Self {
        match tree {
            None => Recorded(kind::OBJECT.into()),
            Some(tree) => {
                let kind = if all_null { kind::ALL_NULL } else { kind::FLAT };
                let around = if has_all_null { kind::AROUND_ALL_NULL } else { 0 };
                Recorded(u64::from(tree) << 32 | u64::from(kind | around))
            }
        }
    }

    #[inline]
    pub(super) fn kind(self) -> u8 {
        self.0.to_le_bytes()[0]
    }

    #[inline]
    pub(super) fn tree(self) -> Option<TreeId> {
        let [.., a, b, c, d] = self.0.to_le_bytes();
        (self.kind() & (kind::FLAT | kind::ALL_NULL) != 0)
            .then(|| TreeId::from_le_bytes([a, b, c, d]))
    }
}

/// Facts about the members of an object so far.
#[derive(Clone, Copy)]
pub(super) struct Members {
    /// The keys so far, but for those that are listed.
    pub(super) shape: ShapeId,
    pub(super) count: u32,
    kinds: u8,
    /// Where its part of `Tape::nested` and that of `Tape::listed` begin.
    nested: usize,
    listed: usize,
}

impl Members {
    #[inline]
    pub(super) fn new(tape: &Tape) -> Self {
        Members {
            shape: EMPTY,
            count: 0,
            kinds: 0,
            nested: tape.nested.len(),
            listed: tape.listed.len(),
        }
    }

    /// Adds a key, of an object that is the value of the last key of `within`.
    #[inline]
    pub(super) fn key(&mut self, tape: &mut Tape, within: ShapeId, key: &str) {
        if self.count < MOST_STEPS {
            self.shape = tape.shapes.step(self.shape, within, key);
        } else {
            self.list(tape, key);
        }
        self.count += 1;
    }

    #[inline(never)]
    fn list(&mut self, tape: &mut Tape, key: &str) {
        let key = tape.shapes.listed_key(self.shape, self.count as usize, key);
        tape.listed.push(key);
    }

    #[inline]
    pub(super) fn add(&mut self, tape: &mut Tape, made: Recorded) {
        if let Some(tree) = made.tree() {
            self.add_nested(tape, tree);
        }
        self.kinds |= made.kind();
    }

    #[inline]
    fn add_nested(&self, tape: &mut Tape, tree: TreeId) {
        let to = self.count;
        let from = to.saturating_sub(1);
        match tape.nested[self.nested..].last_mut() {
            Some(run) if run.to == from && run.tree == tree => run.to = to,
            _ => tape.nested.push(NestedRun { from, to, tree }),
        }
    }

    #[inline]
    pub(super) fn end(&self, tape: &mut Tape, at: usize) -> Result<Recorded, Error> {
        let Members { mut shape, kinds, count, nested, listed } = *self;
        if tape.listed.len() > listed {
            shape = tape.shapes.end_of_list(shape, &tape.listed[listed..])?;
            tape.listed.truncate(listed);
        }
        let nested_runs = &tape.nested[nested..];
        let is_flat = shape != EMPTY && kinds & (kind::ARRAY | kind::OBJECT) == 0;
        let tree = tape.shapes.end(shape, is_flat, nested_runs)?;
        let is_null =
            |kinds| kind::only(kinds, kind::NULL | kind::ALL_NULL | kind::AROUND_ALL_NULL);
        let all_null = count > 0 && is_null(kinds);
        let has_all_null = kinds & kind::ALL_NULL != 0;
        let alike = kinds & kind::AROUND_ALL_NULL == 0
            && matches!(*nested_runs, [NestedRun { from: 0, to, .. }] if to == count);
        tape.nested.truncate(nested);
        let flag = |is: bool, flag: u32| if is { flag } else { 0 };
        let flags = flag(kind::only(kinds, kind::NULL | kind::SCALAR), flag::SCALARS)
            | flag(all_null, flag::ALL_NULL)
            | flag(has_all_null, flag::HAS_ALL_NULL)
            | flag(alike, flag::ALIKE);
        tape.end_object(at, flags, shape, tree);
        Ok(Recorded::object(tree, all_null, has_all_null))
    }
}
