//! Words by a hash without collisions, which is found when this is compiled.
//!
//! A `match` of strings branches by length and then word by word; the words of a payload come in no
//! order that a processor could foresee, so half of those branches are guessed wrong, and each wrong
//! guess takes as long as reading a symbol's name. Here a word is found without a branch but the last.

/// The words of a vocabulary and the id that each names.
pub(super) struct Words {
    entries: &'static [(&'static str, u8)],
    /// The words of up to 16 bytes as numbers, the first byte lowest; 0 for longer ones.
    keys: [u128; MOST],
    seed: u32,
    /// Indices into `entries`, by hash.
    slots: [u8; SLOTS],
    key_seed: u64,
    /// The same by the hash of keys, which takes half of the time where there is one.
    key_slots: [u8; SLOTS],
}

const BITS: u32 = 8;
const SLOTS: usize = 1 << BITS;
/// The most words of a vocabulary, which is also the index of none.
const MOST: usize = 64;
#[allow(clippy::cast_possible_truncation)] // 64
const NO_WORD: u8 = MOST as u8;

impl Words {
    /// Finds a seed for which no two words have the same hash. Does not compile where there is none.
    pub(super) const fn new(words: &'static [(&'static str, u8)]) -> Self {
        assert!(words.len() < MOST);
        let mut keys = [0; MOST];
        let mut index = 0;
        while index < words.len() {
            keys[index] = key(words[index].0.as_bytes());
            index += 1;
        }
        let (key_seed, key_slots) = Words::of_keys(&keys, words.len());
        let mut seed = 0x9e37_79b1u32;
        loop {
            let mut slots = [NO_WORD; SLOTS];
            let mut index = 0;
            while index < words.len() {
                let slot = slot(words[index].0.as_bytes(), seed);
                if slots[slot] != NO_WORD {
                    break;
                }
                #[allow(clippy::cast_possible_truncation)] // below `MOST`
                let place = index as u8;
                slots[slot] = place;
                index += 1;
            }
            if index == words.len() {
                return Words { entries: words, keys, seed, slots, key_seed, key_slots };
            }
            seed = seed.wrapping_add(2);
        }
    }

    /// A seed for which no two of so many keys have the same hash, and their places.
    const fn of_keys(keys: &[u128; MOST], count: usize) -> (u64, [u8; SLOTS]) {
        let mut seed = 0x9e37_79b9_7f4a_7c15u64;
        loop {
            let mut slots = [NO_WORD; SLOTS];
            let mut index = 0;
            while index < count {
                if keys[index] != 0 {
                    let slot = key_slot(keys[index], seed);
                    if slots[slot] != NO_WORD {
                        break;
                    }
                    #[allow(clippy::cast_possible_truncation)] // below `MOST`
                    let place = index as u8;
                    slots[slot] = place;
                }
                index += 1;
            }
            if index == count {
                return (seed, slots);
            }
            seed = seed.wrapping_mul(0xd129_0d3b_d0d6_4fd3).wrapping_add(2) | 1;
        }
    }

    /// The id that `word` names.
    #[inline]
    pub(super) fn id(&self, word: &str) -> Option<u8> {
        let index = self.slots[slot(word.as_bytes(), self.seed)];
        let (found, id) = self.entries.get(usize::from(index))?;
        (*found == word).then_some(*id)
    }

    /// The id that the word of 1 to 16 bytes names that `key` is, the first byte lowest.
    #[inline]
    pub(super) fn id_of_key(&self, key: u128) -> Option<u8> {
        let index = usize::from(self.key_slots[key_slot(key, self.key_seed)]);
        let (_, id) = self.entries.get(index)?;
        (self.keys[index] == key).then_some(*id)
    }
}

/// A word of up to 16 bytes as a number.
const fn key(word: &[u8]) -> u128 {
    if word.len() > 16 {
        return 0;
    }
    let mut bytes = [0; 16];
    let mut at = 0;
    while at < word.len() {
        bytes[at] = word[at];
        at += 1;
    }
    u128::from_le_bytes(bytes)
}

/// The hash of a key.
#[inline]
const fn key_slot(key: u128, seed: u64) -> usize {
    #[allow(clippy::cast_possible_truncation)] // its halves
    let (low, high) = (key as u64, (key >> 64) as u64);
    ((low ^ high.rotate_left(27)).wrapping_mul(seed) >> (u64::BITS - BITS)) as usize
}

/// The hash of a word: of its length, its first byte, its last and the one in the middle.
#[inline]
const fn slot(word: &[u8], seed: u32) -> usize {
    if word.is_empty() {
        return 0;
    }
    #[allow(clippy::cast_possible_truncation)] // a hash
    let length = word.len() as u8;
    let key = [length, word[0], word[word.len() / 2], word[word.len() - 1]];
    (u32::from_le_bytes(key).wrapping_mul(seed) >> (u32::BITS - BITS)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_and_nothing_else() {
        static WORDS: Words =
            Words::new(&[("", 9), ("a", 1), ("ab", 2), ("calls", 3), ("seventeen letters", 4)]);
        for (word, id) in WORDS.entries {
            assert_eq!(WORDS.id(word), Some(*id));
            if (1..=16).contains(&word.len()) {
                assert_eq!(WORDS.id_of_key(key(word.as_bytes())), Some(*id));
            }
        }
        for other in ["b", "aa", "abb", "call", "callz", "Calls"] {
            assert_eq!(WORDS.id(other), None, "{other}");
            assert_eq!(WORDS.id_of_key(key(other.as_bytes())), None, "{other}");
        }
    }
}
