//! The keys of objects: each list of keys once, however many objects have it.

use std::cell::OnceCell;
use std::collections::HashMap;

use wire_core::text::{is_same, shown};

use crate::generic::key::{PATH, push_key};
use crate::{Error, ErrorKind};

/// An interned key.
pub(super) type KeyId = u32;
/// An interned list of keys, in the order in which an object has them.
pub(super) type ShapeId = u32;
/// An interned tree of keys, all of whose leaves are scalars: the objects that can be flattened alike.
pub(super) type TreeId = u32;

/// The shape of an object without members.
pub(super) const EMPTY: ShapeId = 0;
const NONE: u32 = u32::MAX;

#[derive(Debug)]
pub(super) struct Key {
    pub(super) text: Box<str>,
    /// As it stands in a text, in quotes if need be.
    pub(super) written: Box<str>,
    /// Whether it can be a segment of a path (section 7.4.6.1).
    pub(super) in_paths: bool,
}

/// A list of keys: those of another shape, and one more.
#[derive(Debug)]
struct Shape {
    parent: ShapeId,
    key: KeyId,
    /// The key as the field of a struct, whose name stands in one place of the program.
    field: Option<&'static str>,
    /// The shape that came of this one the last time, because objects of one kind follow each other.
    next: ShapeId,
    /// The shape of one key that the object had the last time that is the value of this one's last key. All
    /// objects begin without keys, so that this is known by the place of each.
    first: ShapeId,
    /// The whole list, once an object has ended here.
    keys: Option<Box<[KeyId]>>,
    /// The tree that an object of this shape had the last time.
    tree: TreeId,
}

/// The places of nested objects among the members, and their trees.
type Nested = Box<[(u32, TreeId)]>;

/// The keys of a tree, and which of them are objects again.
#[derive(Debug)]
struct Tree {
    shape: ShapeId,
    nested: Nested,
    /// The names of its leaves as the header of a table lists them, once one has.
    columns: OnceCell<Box<str>>,
}

/// All lists of keys of a value.
#[derive(Debug)]
pub(super) struct Shapes {
    keys: Vec<Key>,
    by_text: HashMap<Box<str>, KeyId>,
    lists: Vec<Shape>,
    steps: HashMap<(ShapeId, KeyId), ShapeId>,
    trees: Vec<Tree>,
    by_nested: HashMap<(ShapeId, Nested), TreeId>,
}

/// The index of something new.
fn next_id(count: usize) -> u32 {
    u32::try_from(count).expect("because so many keys are more than memory holds")
}

impl Shapes {
    pub(super) fn new() -> Self {
        let empty = Shape {
            parent: NONE,
            key: NONE,
            field: None,
            next: NONE,
            first: NONE,
            keys: Some(Box::default()),
            tree: NONE,
        };
        Shapes {
            keys: Vec::new(),
            by_text: HashMap::new(),
            lists: vec![empty],
            steps: HashMap::new(),
            trees: Vec::new(),
            by_nested: HashMap::new(),
        }
    }

    pub(super) fn key(&self, key: KeyId) -> &Key {
        &self.keys[key as usize]
    }

    /// The keys of a shape that an object has ended with.
    pub(super) fn keys(&self, shape: ShapeId) -> &[KeyId] {
        self.lists[shape as usize].keys.as_deref().expect("because an object has ended here")
    }

    /// The shape with one key more, of an object that is the value of the last key of `within`.
    #[inline]
    pub(super) fn step(&mut self, shape: ShapeId, within: ShapeId, key: &str) -> ShapeId {
        let next = self.foreseen(shape, within);
        if let Some(known) = self.lists.get(next as usize)
            && is_same(&self.keys[known.key as usize].text, key)
        {
            return next;
        }
        self.other_step(shape, within, key)
    }

    /// The same for the field of a struct: where the text is the one that it was the last time, nothing is compared.
    #[inline]
    pub(super) fn step_to_field(
        &mut self,
        shape: ShapeId,
        within: ShapeId,
        key: &'static str,
    ) -> ShapeId {
        let next = self.foreseen(shape, within);
        if let Some(Shape { field: Some(field), .. }) = self.lists.get(next as usize)
            && std::ptr::eq(*field, key)
        {
            return next;
        }
        self.step_to_other_field(shape, within, key)
    }

    #[inline(never)]
    fn step_to_other_field(
        &mut self,
        shape: ShapeId,
        within: ShapeId,
        key: &'static str,
    ) -> ShapeId {
        let next = self.step(shape, within, key);
        self.lists[next as usize].field = Some(key);
        next
    }

    /// What came the last time.
    #[inline]
    fn foreseen(&self, shape: ShapeId, within: ShapeId) -> ShapeId {
        if shape == EMPTY {
            self.lists[within as usize].first
        } else {
            self.lists[shape as usize].next
        }
    }

    #[inline(never)]
    fn other_step(&mut self, shape: ShapeId, within: ShapeId, key: &str) -> ShapeId {
        let key = self.intern(key);
        let new = next_id(self.lists.len());
        let next = *self.steps.entry((shape, key)).or_insert(new);
        if next == new {
            self.lists.push(Shape {
                parent: shape,
                key,
                field: None,
                next: NONE,
                first: NONE,
                keys: None,
                tree: NONE,
            });
        }
        if shape == EMPTY {
            self.lists[within as usize].first = next;
        } else {
            self.lists[shape as usize].next = next;
        }
        next
    }

    fn intern(&mut self, text: &str) -> KeyId {
        if let Some(&key) = self.by_text.get(text) {
            return key;
        }
        let mut written = String::new();
        push_key(&mut written, text);
        let key = next_id(self.keys.len());
        let in_paths = !text.is_empty() && !text.contains(PATH);
        self.keys.push(Key { text: text.into(), written: written.into(), in_paths });
        self.by_text.insert(text.into(), key);
        key
    }

    /// Notes that an object has ended with these keys. If it is `flat`, it has members, of which those at the places of `nested`
    /// are objects with trees and the others scalars; then this is its tree, but where a key can't be part of a path.
    ///
    /// # Errors
    ///
    /// `duplicate_key` where two are the same (section 2a.2).
    #[inline]
    pub(super) fn end(
        &mut self,
        shape: ShapeId,
        flat: bool,
        nested: &[(u32, TreeId)],
    ) -> Result<Option<TreeId>, Error> {
        let last = self.lists[shape as usize].tree;
        if flat && self.trees.get(last as usize).is_some_and(|tree| *tree.nested == *nested) {
            return Ok(Some(last));
        }
        self.other_end(shape, flat, nested)
    }

    #[inline(never)]
    fn other_end(
        &mut self,
        shape: ShapeId,
        flat: bool,
        nested: &[(u32, TreeId)],
    ) -> Result<Option<TreeId>, Error> {
        self.list(shape)?;
        Ok(if flat { self.tree(shape, nested) } else { None })
    }

    /// Makes the list of the keys of a shape.
    fn list(&mut self, shape: ShapeId) -> Result<(), Error> {
        if self.lists[shape as usize].keys.is_some() {
            return Ok(());
        }
        let mut keys = Vec::new();
        let mut at = shape;
        while at != EMPTY {
            keys.push(self.lists[at as usize].key);
            at = self.lists[at as usize].parent;
        }
        keys.reverse();
        let mut sorted = keys.clone();
        sorted.sort_unstable();
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            let key = shown(&self.key(pair[0]).text);
            let message = format!("an object has the key {key} twice, expected once");
            return Err(Error::encode(ErrorKind::DuplicateKey, message));
        }
        self.lists[shape as usize].keys = Some(keys.into());
        Ok(())
    }

    /// The tree of an object that has ended and is flat.
    fn tree(&mut self, shape: ShapeId, nested: &[(u32, TreeId)]) -> Option<TreeId> {
        if !self.keys(shape).iter().all(|&key| self.key(key).in_paths) {
            return None;
        }
        let new = next_id(self.trees.len());
        let tree = *self.by_nested.entry((shape, nested.into())).or_insert(new);
        if tree == new {
            self.trees.push(Tree { shape, nested: nested.into(), columns: OnceCell::new() });
        }
        self.lists[shape as usize].tree = tree;
        Some(tree)
    }

    /// The keys of an object with this tree.
    pub(super) fn keys_of_tree(&self, tree: TreeId) -> &[KeyId] {
        self.keys(self.trees[tree as usize].shape)
    }

    /// The paths of all leaves of a tree, with a comma between any two.
    pub(super) fn columns(&self, tree: TreeId) -> &str {
        self.trees[tree as usize].columns.get_or_init(|| {
            let mut columns = String::new();
            self.paths(tree, &mut String::new(), &mut |path| {
                if !columns.is_empty() {
                    columns.push(',');
                }
                push_key(&mut columns, path);
            });
            columns.into()
        })
    }

    /// Calls `leaf` with the path of each leaf of a tree behind `prefix`, in their order.
    pub(super) fn paths(&self, tree: TreeId, prefix: &mut String, leaf: &mut impl FnMut(&str)) {
        let Tree { shape, nested, .. } = &self.trees[tree as usize];
        let mut nested = nested.iter().peekable();
        let length = prefix.len();
        for (place, &key) in (0u32..).zip(self.keys(*shape)) {
            if length > 0 {
                prefix.push(PATH);
            }
            prefix.push_str(&self.key(key).text);
            match nested.next_if(|(at, _)| *at == place) {
                Some(&(_, inner)) => self.paths(inner, prefix, leaf),
                None => leaf(prefix),
            }
            prefix.truncate(length);
        }
    }

    /// The number of leaves of a tree.
    pub(super) fn leaves(&self, tree: TreeId) -> usize {
        let Tree { shape, nested, .. } = &self.trees[tree as usize];
        let inner: usize = nested.iter().map(|&(_, inner)| self.leaves(inner)).sum();
        self.keys(*shape).len() - nested.len() + inner
    }
}
