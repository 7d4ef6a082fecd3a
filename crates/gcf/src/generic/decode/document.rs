//! A decoded text: a tree of nodes in one vector, which everything that is decoded reads.

use std::borrow::Cow;
use std::hash::BuildHasher;
use std::ops::Range;

use hashbrown::{DefaultHashBuilder, HashTable};
use wire_core::text::is_same;

use crate::generic::scalar::short_integer;

/// The index of a node. Node 0 is the whole value.
pub(super) type Id = u32;
pub(super) type KeyId = u32;
pub(super) const NONE: Id = u32::MAX;

const KIND_BITS: u32 = 3;
const KIND: u32 = (1 << KIND_BITS) - 1;
/// The text is in the side buffer, because the source has it with escapes, or no longer has it.
const SIDE: u32 = 1 << KIND_BITS;
const KEY_SHIFT: u32 = KIND_BITS + 1;
/// The key of nodes that are not members.
pub(super) const NO_KEY: KeyId = u32::MAX >> KEY_SHIFT;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(super) enum Kind {
    Null,
    False,
    True,
    /// An integer of 64 bits with a sign.
    Integer,
    /// Any other number, as it is written.
    Decimal,
    Text,
    Array,
    Object,
}

const KINDS: [Kind; 8] = [
    Kind::Null,
    Kind::False,
    Kind::True,
    Kind::Integer,
    Kind::Decimal,
    Kind::Text,
    Kind::Array,
    Kind::Object,
];

/// A value. Siblings are linked, because the value of a cell `^` follows after its row.
///
/// | kind | `a` | `b` |
/// |---|---|---|
/// | numbers and texts | offset of the text in the source | its length, or its index in the side buffer |
/// | arrays and objects | offset of their line | the first child |
/// | others | offset of the token, or of its line | – |
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The kind, whether the text is in the side buffer, and the key.
    tag: u32,
    /// The next item or member of the same container.
    pub(super) next: Id,
    a: u32,
    pub(super) b: u32,
}

impl Node {
    fn empty(key: KeyId) -> Self {
        Node { tag: key << KEY_SHIFT, next: NONE, a: 0, b: NONE }
    }

    #[inline]
    pub(super) fn kind(self) -> Kind {
        KINDS[(self.tag & KIND) as usize]
    }

    #[inline]
    pub(super) fn key(self) -> KeyId {
        self.tag >> KEY_SHIFT
    }
}

/// A decoded text, or a row of one.
#[derive(Debug)]
pub(super) struct Document<'t> {
    pub(super) source: &'t str,
    /// Texts that are not slices of the source.
    side: String,
    /// Where the texts of nodes begin in `side`, and their lengths.
    texts: Vec<(u32, u32)>,
    nodes: Vec<Node>,
    keys: Vec<Known>,
    by_text: HashTable<KeyId>,
    hasher: DefaultHashBuilder,
    /// How many bytes of the source are read, to estimate how many nodes there will be.
    pub(super) read: usize,
    /// The first decimal that is no finite double. Only JSON text can have it.
    pub(super) infinite: Option<Node>,
}

/// A key, which all members of this name share.
#[derive(Clone, Copy, Debug)]
struct Known {
    at: u32,
    len: u32,
    is_in_side: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Filling {
    pub(super) node: Id,
    last: Id,
    pub(super) count: u32,
}

/// How much of a document is kept from row to row.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Kept {
    side: usize,
    texts: usize,
    keys: usize,
}

impl<'t> Document<'t> {
    pub(super) fn new(source: &'t str) -> Self {
        Document {
            source,
            side: String::new(),
            texts: Vec::new(),
            nodes: vec![Node::empty(NO_KEY)],
            keys: Vec::new(),
            by_text: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
            read: 0,
            infinite: None,
        }
    }

    #[inline]
    pub(super) fn node(&self, id: Id) -> Node {
        self.nodes[id as usize]
    }

    /// Makes a node an array or object without content.
    #[inline]
    pub(super) fn open(&mut self, id: Id, kind: Kind, offset: usize) -> Filling {
        self.set(id, kind, offset, NONE);
        Filling { node: id, last: NONE, count: 0 }
    }

    /// Adds a child, which is null until it is set.
    #[inline]
    pub(super) fn add(&mut self, to: &mut Filling, key: KeyId) -> Id {
        if self.nodes.len() == self.nodes.capacity() {
            self.grow();
        }
        #[expect(
            clippy::cast_possible_truncation,
            reason = "there is room for the nodes of each line"
        )]
        let id = self.nodes.len() as Id;
        self.nodes.push(Node::empty(key));
        let before = if to.last == NONE {
            &mut self.nodes[to.node as usize].b
        } else {
            &mut self.nodes[to.last as usize].next
        };
        *before = id;
        to.last = id;
        to.count += 1;
        id
    }

    /// Returns `true` if so many more nodes can have an index.
    pub(super) fn has_room(&self, nodes: usize) -> bool {
        self.nodes.len() + nodes < NONE as usize
    }

    /// Makes room for as many nodes as the source will have, in proportion to what is read of it:
    /// a vector that doubles would take up to three times the memory of its nodes.
    #[cold]
    fn grow(&mut self) {
        const FEW: usize = 1 << 12;
        let (length, size) = (self.nodes.len(), self.source.len());
        let most = if length < FEW {
            length + (size / 4).clamp(16, FEW)
        } else {
            // Two bytes that are not read yet are at most three more nodes: a row `|`.
            let most = length + size.saturating_sub(self.read).saturating_mul(3) / 2;
            let estimate = length as u64 * size as u64 / self.read.max(1) as u64;
            usize::try_from(estimate).map_or(most, |estimate| estimate.clamp(length, most))
        };
        self.nodes.reserve_exact(most + most / 32 + 16 - length);
    }

    #[inline]
    pub(super) fn set(&mut self, id: Id, kind: Kind, offset: usize, b: u32) {
        let node = &mut self.nodes[id as usize];
        let tag = node.tag & !(KIND | SIDE) | kind as u32;
        *node = Node { tag, a: short(offset), b, ..*node };
    }

    /// Makes a node a text or number that is a slice of the source.
    #[inline]
    pub(super) fn set_slice(&mut self, id: Id, kind: Kind, slice: &'t str) {
        let offset = self.offset_of(slice);
        self.set(id, kind, offset, short(slice.len()));
    }

    /// Makes a node a text or number that is not a slice of the source.
    pub(super) fn set_copy(&mut self, id: Id, kind: Kind, offset: usize, text: &str) {
        let index = short(self.texts.len());
        self.texts.push((short(self.side.len()), short(text.len())));
        self.side.push_str(text);
        self.set(id, kind, offset, index);
        self.nodes[id as usize].tag |= SIDE;
    }

    /// Makes a node the scalar of another one.
    pub(super) fn set_like(&mut self, id: Id, other: Node) {
        let node = &mut self.nodes[id as usize];
        let tag = node.tag & !(KIND | SIDE) | other.tag & (KIND | SIDE);
        *node = Node { tag, a: other.a, b: other.b, ..*node };
    }

    #[inline]
    pub(super) fn offset_of(&self, slice: &str) -> usize {
        slice.as_ptr().addr() - self.source.as_ptr().addr()
    }

    /// The text of a node that is a text or number.
    #[inline]
    pub(super) fn text(&self, node: Node) -> &str {
        self.borrowed(node).unwrap_or_else(|| {
            let (at, len) = self.texts[node.b as usize];
            &self.side[range(at, len)]
        })
    }

    pub(super) fn text_if_any(&self, node: Node) -> &str {
        match node.kind() {
            Kind::Integer | Kind::Decimal | Kind::Text => self.text(node),
            _ => "",
        }
    }

    /// The text of a node that is a text or number, if it is a slice of the source.
    #[inline]
    pub(super) fn borrowed(&self, node: Node) -> Option<&'t str> {
        (node.tag & SIDE == 0).then(|| &self.source[range(node.a, node.b)])
    }

    /// Where the value is in the source, with its quotes.
    pub(super) fn offset(&self, node: Node) -> usize {
        let at = node.a as usize;
        let is_quoted = node.kind() == Kind::Text
            && node.tag & SIDE == 0
            && self.source.as_bytes()[..at].last() == Some(&b'"');
        at - usize::from(is_quoted)
    }

    #[inline]
    pub(super) fn integer(&self, node: Node) -> i64 {
        let text = self.text(node);
        short_integer(text.as_bytes())
            .unwrap_or_else(|| text.parse().expect("because it was checked"))
    }

    /// The double that is nearest to a decimal; it may be infinite.
    #[inline]
    pub(super) fn double(&self, node: Node) -> f64 {
        self.text(node).parse().expect("because it was checked")
    }

    #[inline]
    pub(super) fn siblings(&self, first: Id) -> impl Iterator<Item = Node> {
        let mut next = first;
        std::iter::from_fn(move || {
            let node = *self.nodes.get(next as usize)?;
            next = node.next;
            Some(node)
        })
    }

    pub(super) fn replace(&mut self, id: Id, node: Node) -> Node {
        std::mem::replace(&mut self.nodes[id as usize], node)
    }

    pub(super) fn keys(&self) -> usize {
        self.keys.len()
    }

    #[inline]
    pub(super) fn key(&self, key: KeyId) -> &str {
        text_of(self.source, &self.side, self.keys[key as usize])
    }

    /// The text of a key, borrowed from the source if it can be.
    #[inline]
    pub(super) fn key_text(&self, key: KeyId) -> Cow<'t, str> {
        let Known { at, len, is_in_side } = self.keys[key as usize];
        if is_in_side {
            self.key(key).to_owned().into()
        } else {
            self.source[range(at, len)].into()
        }
    }

    pub(super) fn find_key(&self, key: &str) -> Option<KeyId> {
        let hash = self.hasher.hash_one(key);
        self.by_text.find(hash, |&id| is_same(self.key(id), key)).copied()
    }

    /// The index of a key; `None` if there are too many.
    pub(super) fn intern(&mut self, key: &str) -> Option<KeyId> {
        let Document { source, side, keys, by_text, hasher, .. } = self;
        let hash = hasher.hash_one(key);
        let known =
            by_text.find(hash, |&id| is_same(text_of(source, side, keys[id as usize]), key));
        if let Some(&known) = known {
            return Some(known);
        }
        let id = u32::try_from(keys.len()).ok().filter(|&id| id < NO_KEY)?;
        let is_in_side = !source.as_bytes().as_ptr_range().contains(&key.as_ptr());
        let at = if is_in_side {
            side.push_str(key);
            side.len() - key.len()
        } else {
            key.as_ptr().addr() - source.as_ptr().addr()
        };
        keys.push(Known { at: short(at), len: short(key.len()), is_in_side });
        by_text.insert_unique(hash, id, |&id| {
            hasher.hash_one(text_of(source, side, keys[id as usize]))
        });
        Some(id)
    }

    pub(super) fn kept(&self) -> Kept {
        Kept { side: self.side.len(), texts: self.texts.len(), keys: self.keys.len() }
    }

    /// The same document for the next row of a stream.
    pub(super) fn with_source(self, source: &str) -> Document<'_> {
        Document { source, ..self }
    }

    /// The document without its source, and without its values and what is not kept.
    pub(super) fn without_source(mut self, kept: Kept) -> Document<'static> {
        for id in kept.keys..self.keys.len() {
            let id = short(id);
            let hash = self.hasher.hash_one(self.key(id));
            if let Ok(entry) = self.by_text.find_entry(hash, |&other| other == id) {
                entry.remove();
            }
        }
        self.keys.truncate(kept.keys);
        self.texts.truncate(kept.texts);
        self.side.truncate(kept.side);
        self.nodes.clear();
        self.nodes.push(Node::empty(NO_KEY));
        let Document { side, texts, nodes, keys, by_text, hasher, .. } = self;
        Document { source: "", side, texts, nodes, keys, by_text, hasher, read: 0, infinite: None }
    }

    /// The same with the keys that are not kept yet.
    pub(super) fn with_keys(mut self, kept: Kept) -> Document<'static> {
        let mut copies = String::new();
        for key in kept.keys..self.keys.len() {
            let copy = self.key(short(key)).to_owned();
            self.keys[key] = Known {
                at: short(kept.side + copies.len()),
                len: short(copy.len()),
                is_in_side: true,
            };
            copies.push_str(&copy);
        }
        self.side.truncate(kept.side);
        self.side.push_str(&copies);
        let kept = Kept { side: self.side.len(), keys: self.keys.len(), ..kept };
        self.without_source(kept)
    }
}

#[inline]
fn text_of<'a>(source: &'a str, side: &'a str, key: Known) -> &'a str {
    let text = if key.is_in_side { side } else { source };
    &text[range(key.at, key.len)]
}

#[inline]
fn range(at: u32, len: u32) -> Range<usize> {
    at as usize..at as usize + len as usize
}

/// An offset or length in a text, which has less than 4 GiB.
#[inline]
#[expect(
    clippy::cast_possible_truncation,
    reason = "longer texts are refused before they are read"
)]
fn short(number: usize) -> u32 {
    number as u32
}
