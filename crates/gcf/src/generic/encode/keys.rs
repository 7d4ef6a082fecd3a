//! The keys of objects: the text of each is stored once, one after the other.

use std::hash::BuildHasher;
use std::ops::Range;

use hashbrown::{DefaultHashBuilder, HashTable};
use wire_core::text::is_same;

use crate::generic::grammar::{PATH, is_bare_key};
use crate::generic::scalar::push_quoted;

pub(super) type KeyId = u32;

/// A number that is not an id.
pub(super) const NONE: u32 = u32::MAX;

pub(super) fn next_id(count: usize) -> u32 {
    let id = u32::try_from(count).ok().filter(|id| *id != NONE);
    id.expect("because so many keys are more than memory holds")
}

#[derive(Debug)]
pub(super) struct Keys {
    text: String,
    /// Where the text of each key ends, after a leading zero.
    ends: Vec<usize>,
    /// `true` if each is written without quotes.
    bare: Vec<bool>,
    by_text: HashTable<KeyId>,
    hasher: DefaultHashBuilder,
}

/// Length, first and last 8 bytes of a key; the whole key if it has at most 16 bytes.
/// Keys that are compared by their texts take a tenth more time in tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Ends {
    length: usize,
    first: u64,
    last: u64,
}

impl Ends {
    #[inline]
    pub(super) fn of(key: &str) -> Self {
        fn both<const N: usize>(bytes: &[u8]) -> Option<([u8; N], [u8; N])> {
            bytes.first_chunk().copied().zip(bytes.last_chunk().copied())
        }
        let bytes = key.as_bytes();
        let (first, last) = if let Some((first, last)) = both::<8>(bytes) {
            (u64::from_le_bytes(first), u64::from_le_bytes(last))
        } else if let Some((first, last)) = both::<4>(bytes) {
            (u32::from_le_bytes(first).into(), u32::from_le_bytes(last).into())
        } else if let Some((first, last)) = both::<2>(bytes) {
            (u16::from_le_bytes(first).into(), u16::from_le_bytes(last).into())
        } else {
            (bytes.first().copied().unwrap_or_default().into(), 0)
        };
        Ends { length: bytes.len(), first, last }
    }

    /// Returns `true` if there are no bytes between them.
    #[inline]
    pub(super) fn are_all(self) -> bool {
        self.length <= 16
    }
}

#[inline]
fn place(ends: &[usize], key: KeyId) -> Range<usize> {
    ends[key as usize]..ends[key as usize + 1]
}

impl Keys {
    pub(super) fn new() -> Self {
        Keys {
            text: String::new(),
            ends: vec![0],
            bare: Vec::new(),
            by_text: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
        }
    }

    pub(super) fn intern(&mut self, key: &str) -> KeyId {
        let Keys { text, ends, bare, by_text, hasher } = self;
        let hash = hasher.hash_one(key);
        if let Some(&known) = by_text.find(hash, |&known| is_same(&text[place(ends, known)], key)) {
            return known;
        }
        let new = next_id(bare.len());
        text.push_str(key);
        ends.push(text.len());
        bare.push(is_bare_key(key));
        by_text.insert_unique(hash, new, |&known| hasher.hash_one(&text[place(ends, known)]));
        new
    }

    /// Says that no more keys come.
    pub(super) fn seal(&mut self) {
        self.by_text = HashTable::new();
    }

    #[inline]
    pub(super) fn text(&self, key: KeyId) -> &str {
        &self.text[place(&self.ends, key)]
    }

    /// Appends a key as a text has it, in quotes if necessary.
    pub(super) fn push(&self, out: &mut String, key: KeyId) {
        if self.bare[key as usize] {
            out.push_str(self.text(key));
        } else {
            push_quoted(out, self.text(key));
        }
    }
}

/// Returns `true` if a key can be a segment of a path (section 7.4.6.1).
pub(super) fn is_in_paths(key: &str) -> bool {
    !key.is_empty() && !key.contains(PATH)
}
