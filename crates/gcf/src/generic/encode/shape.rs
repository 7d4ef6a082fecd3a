//! The lists of keys that objects have: each once, however many objects have it.

use std::hash::BuildHasher;
use std::sync::OnceLock;

use hashbrown::{DefaultHashBuilder, HashTable};
use wire_core::text::{is_same, shown};

use super::keys::{Ends, KeyId, Keys, NONE, is_in_paths, next_id};
use crate::generic::grammar::{PATH, push_key};
use crate::{Error, ErrorKind};

/// An interned list of keys, in the order in which an object has them.
pub(super) type ShapeId = u32;
/// An interned tree of keys, all of whose leaves are scalars: the objects that can be flattened
/// alike.
pub(super) type TreeId = u32;

pub(super) const EMPTY: ShapeId = 0;

/// An object of more keys has them in a list, and not a shape for each, which takes more memory
/// than the text of most members: it is a map, whose keys come once.
pub(super) const MOST_STEPS: u32 = 64;

/// A node in the trie of key lists. An object of more than 64 keys has a node with its whole list.
#[derive(Debug)]
struct Shape {
    parent: ShapeId,
    key: KeyId,
    ends: Ends,
    /// The shape that followed this one the last time; objects of one kind are often adjacent.
    next: ShapeId,
    /// The list of many keys that began with this shape the last time.
    long: ShapeId,
    /// A prediction for the object that is the value of this shape's last key: the shape that this
    /// object had after its first key, the last time. All objects begin without keys, so only the
    /// parent can predict it.
    first: ShapeId,
    /// The whole list, once an object has ended here.
    keys: Option<Box<[KeyId]>>,
    /// The tree that an object of this shape had the last time.
    tree: TreeId,
}

impl Shape {
    /// A whole list, which is no step.
    fn list(keys: Box<[KeyId]>) -> Self {
        Shape { keys: Some(keys), ..Shape::new(NONE, NONE, Ends::default()) }
    }

    fn new(parent: ShapeId, key: KeyId, ends: Ends) -> Self {
        Shape { parent, key, ends, next: NONE, long: NONE, first: NONE, keys: None, tree: NONE }
    }
}

/// Members of an object that follow each other and are objects with the same tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct NestedRun {
    /// The index of the first, and the index after the last.
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) tree: TreeId,
}

/// The keys of a tree, and which of them are objects again.
#[derive(Debug)]
struct Tree {
    shape: ShapeId,
    nested: Box<[NestedRun]>,
    /// The names of its leaves as the header of a table lists them, once one has.
    columns: OnceLock<Box<str>>,
}

impl Tree {
    /// The properties that identify a tree.
    fn parts(&self) -> (ShapeId, &[NestedRun]) {
        (self.shape, &self.nested)
    }
}

#[derive(Debug)]
pub(super) struct Shapes {
    pub(super) names: Keys,
    lists: Vec<Shape>,
    /// The shapes of one key more than their parents, by both.
    steps: HashTable<ShapeId>,
    /// The lists of many keys.
    long: HashTable<ShapeId>,
    trees: Vec<Tree>,
    by_nested: HashTable<TreeId>,
    hasher: DefaultHashBuilder,
}

impl Shapes {
    pub(super) fn new() -> Self {
        let empty = Shape::list(Box::default());
        Shapes {
            names: Keys::new(),
            lists: vec![empty],
            steps: HashTable::new(),
            long: HashTable::new(),
            trees: Vec::new(),
            by_nested: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
        }
    }

    /// The keys of a shape that an object has ended with.
    pub(super) fn keys(&self, shape: ShapeId) -> &[KeyId] {
        self.lists[shape as usize].keys.as_deref().expect("because an object has ended here")
    }

    /// Says that no more objects come.
    pub(super) fn seal(&mut self) {
        self.names.seal();
        self.steps = HashTable::new();
        self.long = HashTable::new();
        self.by_nested = HashTable::new();
    }

    /// The shape with one key more, of an object that is the value of the last key of `within`.
    #[inline]
    pub(super) fn step(&mut self, shape: ShapeId, within: ShapeId, key: &str) -> ShapeId {
        let next = self.foreseen(shape, within);
        let ends = Ends::of(key);
        if let Some(known) = self.lists.get(next as usize)
            && known.ends == ends
            && (ends.are_all() || self.names.text(known.key) == key)
        {
            return next;
        }
        self.other_step(shape, within, key)
    }

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
        let ends = Ends::of(key);
        let key = self.names.intern(key);
        let Shapes { lists, steps, hasher, .. } = self;
        let step = |lists: &[Shape], id: ShapeId| {
            let Shape { parent, key, .. } = lists[id as usize];
            (parent, key)
        };
        let hash = hasher.hash_one((shape, key));
        let next = match steps.find(hash, |&known| step(lists, known) == (shape, key)) {
            Some(&known) => known,
            None => {
                let new = next_id(lists.len());
                lists.push(Shape::new(shape, key, ends));
                steps.insert_unique(hash, new, |&known| hasher.hash_one(step(lists, known)));
                new
            }
        };
        if shape == EMPTY {
            lists[within as usize].first = next;
        } else {
            lists[shape as usize].next = next;
        }
        next
    }

    /// The key at this index of an object that begins with a shape and has many more keys.
    pub(super) fn listed_key(&mut self, shape: ShapeId, place: usize, key: &str) -> KeyId {
        let last = self.lists.get(self.lists[shape as usize].long as usize);
        let foreseen = last.and_then(|last| last.keys.as_ref()?.get(place));
        match foreseen {
            Some(&known) if is_same(self.names.text(known), key) => known,
            _ => self.names.intern(key),
        }
    }

    /// The shape of an object that began with another one and then had all these keys.
    pub(super) fn end_of_list(&mut self, shape: ShapeId, more: &[KeyId]) -> Result<ShapeId, Error> {
        let last = self.lists[shape as usize].long;
        if let Some(Shape { keys: Some(keys), .. }) = self.lists.get(last as usize)
            && keys.get(MOST_STEPS as usize..) == Some(more)
        {
            return Ok(last);
        }
        let keys = self.list_of(shape, more);
        self.check_unique(&keys)?;
        let Shapes { lists, long, hasher, .. } = self;
        let hash = hasher.hash_one(&*keys);
        let found =
            match long.find(hash, |&known| lists[known as usize].keys.as_ref() == Some(&keys)) {
                Some(&known) => known,
                None => {
                    let new = next_id(lists.len());
                    lists.push(Shape::list(keys));
                    let hash_of = |&known: &ShapeId| {
                        hasher.hash_one(lists[known as usize].keys.as_deref().unwrap_or(&[]))
                    };
                    long.insert_unique(hash, new, hash_of);
                    new
                }
            };
        lists[shape as usize].long = found;
        Ok(found)
    }

    /// The keys on the way to a shape, followed by more.
    fn list_of(&self, shape: ShapeId, more: &[KeyId]) -> Box<[KeyId]> {
        let mut keys = Vec::with_capacity(MOST_STEPS as usize + more.len());
        let mut at = shape;
        while at != EMPTY {
            keys.push(self.lists[at as usize].key);
            at = self.lists[at as usize].parent;
        }
        keys.reverse();
        keys.extend_from_slice(more);
        keys.into()
    }

    /// Refuses keys of which two are the same (section 2a.2).
    fn check_unique(&self, keys: &[KeyId]) -> Result<(), Error> {
        // Keys that are new each have ids in order.
        if keys.is_sorted_by(|a, b| a < b) {
            return Ok(());
        }
        let mut sorted = keys.to_owned();
        sorted.sort_unstable();
        let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) else { return Ok(()) };
        let key = shown(self.names.text(pair[0]));
        let message = format!("an object has the key {key} twice, expected once");
        Err(Error::encode(ErrorKind::DuplicateKey, message))
    }

    /// Notes that an object has ended with these keys. If it is `flat`, it has members, of which
    /// `nested` are objects with trees and the others scalars; then this is its tree, but where a
    /// key can't be part of a path.
    #[inline]
    pub(super) fn end(
        &mut self,
        shape: ShapeId,
        flat: bool,
        nested: &[NestedRun],
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
        nested: &[NestedRun],
    ) -> Result<Option<TreeId>, Error> {
        if self.lists[shape as usize].keys.is_none() {
            let keys = self.list_of(shape, &[]);
            self.check_unique(&keys)?;
            self.lists[shape as usize].keys = Some(keys);
        }
        Ok(if flat { self.tree(shape, nested) } else { None })
    }

    /// The tree of an object that has ended and is flat.
    fn tree(&mut self, shape: ShapeId, nested: &[NestedRun]) -> Option<TreeId> {
        if !self.keys(shape).iter().all(|&key| is_in_paths(self.names.text(key))) {
            return None;
        }
        let Shapes { lists, trees, by_nested, hasher, .. } = self;
        let hash = hasher.hash_one((shape, nested));
        let tree =
            match by_nested.find(hash, |&known| trees[known as usize].parts() == (shape, nested)) {
                Some(&known) => known,
                None => {
                    let new = next_id(trees.len());
                    trees.push(Tree { shape, nested: nested.into(), columns: OnceLock::new() });
                    by_nested.insert_unique(hash, new, |&known| {
                        hasher.hash_one(trees[known as usize].parts())
                    });
                    new
                }
            };
        lists[shape as usize].tree = tree;
        Some(tree)
    }

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

    /// Calls `leaf` with the path of each leaf of a tree, after `prefix`, in their order.
    pub(super) fn paths(&self, tree: TreeId, prefix: &mut String, leaf: &mut impl FnMut(&str)) {
        let Tree { shape, nested, .. } = &self.trees[tree as usize];
        let mut nested = nested.iter().peekable();
        let length = prefix.len();
        for (place, &key) in (0u32..).zip(self.keys(*shape)) {
            if length > 0 {
                prefix.push(PATH);
            }
            prefix.push_str(self.names.text(key));
            nested.next_if(|run| run.to <= place);
            match nested.peek() {
                Some(run) if run.from <= place => self.paths(run.tree, prefix, leaf),
                _ => leaf(prefix),
            }
            prefix.truncate(length);
        }
    }

    pub(super) fn leaves(&self, tree: TreeId) -> usize {
        let Tree { shape, nested, .. } = &self.trees[tree as usize];
        let more = |run: &NestedRun| (run.to - run.from) as usize * (self.leaves(run.tree) - 1);
        self.keys(*shape).len() + nested.iter().map(more).sum::<usize>()
    }
}
