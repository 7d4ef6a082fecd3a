//! A value in the order of its text: scalars as they will be written, and arrays and objects before
//! their contents.
//!
//! The tape is a list of 32-bit words. The first word of each node has its kind and the offset
//! where its text begins; that is also where the text of the previous node ends:
//!
//! | | words |
//! |---|---|
//! | a scalar | its beginning |
//! | an array | its beginning, its extent |
//! | an object | its beginning, its extent, its shape, its tree |
//!
//! A beginning is an offset in a page of the text. An extent is the number of words up to the next
//! node. Values that are too large for a word are stored separately, so there is no limit.

use std::collections::BTreeMap;

use wire_core::number::Digits;

use super::keys::{KeyId, NONE};
use super::shape::{NestedRun, ShapeId, Shapes, TreeId};

/// Follows each cell of a row except the last (section 7.4.2).
pub(super) const DELIMITER: char = '|';
pub(super) const NULL: &str = "-";

/// The bits of an offset in a page. Pages are small in the tests of this crate, so that values have
/// many of them.
const PAGE_BITS: u32 = if cfg!(test) { 5 } else { 30 };
const PAGE: usize = 1 << PAGE_BITS;
/// The bits of a beginning that are the kind.
const KIND: u32 = 3 << 30;
/// The flags of an extent, and the bits of its length.
const FLAG_BITS: u32 = 4;
const LENGTH: u32 = u32::MAX >> FLAG_BITS;
/// Lengths from here on are stored separately.
const LONG: usize = if cfg!(test) { 24 } else { LENGTH as usize };

/// The kind of a node, in its first word.
mod kind {
    pub(super) const NULL: u32 = 0;
    pub(super) const SCALAR: u32 = 1 << 30;
    pub(super) const ARRAY: u32 = 2 << 30;
    pub(super) const OBJECT: u32 = 3 << 30;
}

/// Facts about an array or object besides its content.
pub(super) mod flag {
    /// Every item or member is a scalar.
    pub(in super::super) const SCALARS: u32 = 1 << 31;
    /// It has at least one item or member, all are objects with the same tree, and no member of
    /// these is an object whose every leaf is `null`. So, as rows of a table, their texts are their
    /// cells.
    pub(in super::super) const ALIKE: u32 = 1 << 30;
    /// It has a tree whose every leaf is `null`, or only such members: as columns, the object would
    /// decode to `null` itself (section 7.4.6.2).
    pub(in super::super) const ALL_NULL: u32 = 1 << 29;
    /// A member is an object with a tree whose every leaf is `null`.
    pub(in super::super) const HAS_ALL_NULL: u32 = 1 << 28;
}

#[derive(Debug)]
pub(super) struct Tape {
    words: Vec<u32>,
    /// The first node that begins in each page of the text but the first.
    pages: Vec<usize>,
    /// The index of the node after each array or object with a long extent.
    long: BTreeMap<usize, usize>,
    /// The texts of all scalars, each followed by the delimiter of cells, so that consecutive cells
    /// are one piece.
    text: String,
    pub(super) shapes: Shapes,
    /// For each object that is being recorded, the members that are objects with a tree.
    pub(super) nested: Vec<NestedRun>,
    /// For each object of many keys that is being recorded, the keys beyond the first.
    pub(super) listed: Vec<KeyId>,
    digits: Digits,
}

/// A scalar, or the beginning of an array or object whose content follows.
#[derive(Clone, Copy, Debug)]
pub(super) enum Node {
    Null,
    Scalar,
    Array {
        /// `true` if every item is a scalar.
        scalars: bool,
    },
    Object {
        shape: ShapeId,
        /// None where it can't be flattened (section 7.4.6.1).
        tree: Option<TreeId>,
        scalars: bool,
        all_null: bool,
        has_all_null: bool,
    },
}

impl Node {
    pub(super) fn is_scalar(self) -> bool {
        matches!(self, Node::Null | Node::Scalar)
    }
}

/// Recording.
impl Tape {
    pub(super) fn new() -> Self {
        Tape {
            words: Vec::new(),
            pages: Vec::new(),
            long: BTreeMap::new(),
            text: String::new(),
            shapes: Shapes::new(),
            nested: Vec::new(),
            listed: Vec::new(),
            digits: Digits::new(),
        }
    }

    #[inline]
    fn beginning(&mut self, kind: u32) -> u32 {
        let start = self.text.len();
        if start >> PAGE_BITS != self.pages.len() {
            self.turn_pages(start >> PAGE_BITS);
        }
        #[allow(clippy::cast_possible_truncation)] // because a page is smaller
        let offset = (start & (PAGE - 1)) as u32;
        kind | offset
    }

    #[cold]
    fn turn_pages(&mut self, page: usize) {
        self.pages.resize(page, self.words.len());
    }

    /// Adds a scalar, whose text `write` appends.
    #[inline]
    pub(super) fn push_scalar(&mut self, write: impl FnOnce(&mut String, &mut Digits)) {
        let word = self.beginning(kind::SCALAR);
        self.words.push(word);
        write(&mut self.text, &mut self.digits);
        self.text.push(DELIMITER);
    }

    #[inline]
    pub(super) fn push_null(&mut self) {
        let word = self.beginning(kind::NULL);
        self.words.push(word);
        self.text.push_str(NULL);
        self.text.push(DELIMITER);
    }

    /// Goes into an array, and says where it is.
    #[inline]
    pub(super) fn begin_array(&mut self) -> usize {
        let word = self.beginning(kind::ARRAY);
        self.words.extend_from_slice(&[word, 0]);
        self.words.len() - 2
    }

    /// Goes into an object, and says where it is.
    #[inline]
    pub(super) fn begin_object(&mut self) -> usize {
        let word = self.beginning(kind::OBJECT);
        self.words.extend_from_slice(&[word, 0, NONE, NONE]);
        self.words.len() - 4
    }

    #[inline]
    pub(super) fn end_array(&mut self, at: usize, flags: u32) {
        self.words[at + 1] = self.extent(at, flags);
    }

    #[inline]
    pub(super) fn end_object(
        &mut self,
        at: usize,
        flags: u32,
        shape: ShapeId,
        tree: Option<TreeId>,
    ) {
        let extent = self.extent(at, flags);
        if let Some(words) = self.words[at + 1..].first_chunk_mut() {
            *words = [extent, shape, tree.unwrap_or(NONE)];
        }
    }

    #[inline]
    fn extent(&mut self, at: usize, flags: u32) -> u32 {
        let length = self.words.len() - at;
        match u32::try_from(length) {
            Ok(short) if length < LONG => flags | short,
            _ => {
                self.long.insert(at, at + length);
                flags | LENGTH
            }
        }
    }

    pub(super) fn end(&mut self) {
        // Which tells where the last text ends.
        let word = self.beginning(kind::NULL);
        self.words.push(word);
        self.nested = Vec::new();
        self.listed = Vec::new();
        self.shapes.seal();
    }
}

/// Reading.
impl Tape {
    #[inline]
    pub(super) fn node(&self, at: usize) -> Node {
        match self.words[at] & KIND {
            kind::NULL => Node::Null,
            kind::SCALAR => Node::Scalar,
            kind::ARRAY => Node::Array { scalars: self.words[at + 1] & flag::SCALARS != 0 },
            _ => {
                let [extent, shape, tree] = self.object(at);
                Node::Object {
                    shape,
                    tree: (tree != NONE).then_some(tree),
                    scalars: extent & flag::SCALARS != 0,
                    all_null: extent & flag::ALL_NULL != 0,
                    has_all_null: extent & flag::HAS_ALL_NULL != 0,
                }
            }
        }
    }

    #[inline]
    fn object(&self, at: usize) -> [u32; 3] {
        *self.words[at + 1..].first_chunk().expect("because an object has as many")
    }

    #[inline]
    pub(super) fn is_scalar(&self, at: usize) -> bool {
        self.words[at] < kind::ARRAY
    }

    #[inline]
    pub(super) fn after(&self, at: usize) -> usize {
        if self.is_scalar(at) {
            return at + 1;
        }
        match self.words[at + 1] & LENGTH {
            LENGTH => self.long[&at],
            length => at + length as usize,
        }
    }

    /// The first node of the content of an array or object.
    #[inline]
    fn first(&self, at: usize) -> usize {
        match self.words[at] & KIND {
            kind::NULL | kind::SCALAR => at + 1,
            kind::ARRAY => at + 2,
            _ => at + 4,
        }
    }

    /// The nodes of the items or members of an array or object.
    #[inline]
    pub(super) fn children(&self, at: usize) -> impl Iterator<Item = usize> {
        let end = self.after(at);
        let mut next = self.first(at);
        std::iter::from_fn(move || {
            (next < end).then(|| {
                let child = next;
                next = self.after(child);
                child
            })
        })
    }

    /// The tree of all items of an array or of all members of an object, and how many there are, if
    /// they are [`flag::ALIKE`].
    pub(super) fn rows_alike(&self, at: usize) -> Option<(TreeId, usize)> {
        let tree = self.tree_of_rows(at)?;
        let (first, after) = (self.first(at), self.after(at));
        // Objects with the same tree have the same number of words.
        Some((tree, (after - first) / (self.after(first) - first)))
    }

    /// The tree of all items or members, if they are [`flag::ALIKE`].
    #[inline]
    pub(super) fn tree_of_rows(&self, at: usize) -> Option<TreeId> {
        let is_alike = !self.is_scalar(at) && self.words[at + 1] & flag::ALIKE != 0;
        is_alike.then(|| self.object(self.first(at))[2])
    }

    /// Where the text of a node begins, or that of the value ends.
    #[inline]
    pub(super) fn start(&self, at: usize) -> usize {
        let offset = (self.words[at] & !KIND) as usize;
        if self.pages.is_empty() { offset } else { self.page(at) << PAGE_BITS | offset }
    }

    #[cold]
    fn page(&self, at: usize) -> usize {
        self.pages.partition_point(|&first| first <= at)
    }

    #[inline]
    pub(super) fn scalar(&self, at: usize) -> &str {
        &self.text[self.start(at)..self.start(at + 1) - DELIMITER.len_utf8()]
    }

    /// The cells from one node to before another, each followed by a delimiter.
    #[inline]
    pub(super) fn cells(&self, from: usize, to: usize) -> &str {
        &self.text[self.start(from)..self.start(to)]
    }

    /// The bytes of all scalars, which are most of the output.
    pub(super) fn size(&self) -> usize {
        self.text.len()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    #[test]
    fn values_of_many_pages_come_back() {
        let row = json!({"a": "x".repeat(40), "b": [1, 2, {"c": null}], "d": {"e": true, "f": ""}});
        for count in 0..20 {
            let value =
                json!({"rows": vec![row.clone(); count], "text": "y".repeat(count), "last": 1});
            let text = crate::to_string(&value).unwrap();
            assert_eq!(crate::from_str::<Value>(&text).unwrap(), value, "{text}");
        }
    }
}
