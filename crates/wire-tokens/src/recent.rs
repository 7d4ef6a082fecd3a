//! The parts of a text that were encoded last.
//!
//! A vocabulary splits a text into parts, about a word each, and encodes each separately. Texts
//! repeat themselves: in JSON of records one part in five hundred is new. So the tokens of a part
//! are cached in a slot that is chosen by its bytes, until another part replaces them. On such a
//! text that saves a third of the time of counting. It is little overhead if every part is new, and
//! needs no memory besides the slots.

/// Slots of a long text, as a power of two.
const MOST_BITS: u32 = 14;

/// The parts that were encoded last, and the result of each.
pub(crate) struct Recent<'t, T> {
    slots: Vec<(&'t str, T)>,
    bits: u32,
}

impl<'t, T: Clone + Default> Recent<'t, T> {
    /// Slots for a text of this many bytes, without parts yet.
    pub(crate) fn new(bytes: usize) -> Self {
        // Four slots for each part of a text, or all.
        let bits = bytes.max(2).ilog2().min(MOST_BITS);
        Recent { slots: vec![("", T::default()); 1 << bits], bits }
    }

    /// The slot of a part, for which `find` is called if another one had it.
    pub(crate) fn slot(&mut self, part: &'t str, find: impl FnOnce(&'t [u8], &mut T)) -> usize {
        let index = slot_of(part.as_bytes(), self.bits);
        let (text, found) = &mut self.slots[index];
        if *text != part {
            *text = part;
            find(part.as_bytes(), found);
        }
        index
    }

    /// The result in a slot.
    pub(crate) fn found(&self, slot: usize) -> &T {
        &self.slots[slot].1
    }
}

/// A slot by the length of a part and its first and last eight bytes, which tell most parts apart.
fn slot_of(part: &[u8], bits: u32) -> usize {
    let word = |bytes: &[u8]| bytes.iter().fold(0, |word: u64, byte| word << 8 | u64::from(*byte));
    let first = word(&part[..part.len().min(8)]);
    let last = word(&part[part.len().saturating_sub(8)..]);
    let mixed =
        (first ^ last.rotate_left(29) ^ part.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    usize::try_from(mixed >> (u64::BITS - bits)).expect("because it has few bits")
}
