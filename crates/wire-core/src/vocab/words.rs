//! Names by a perfect hash, which is computed at compile time.
//!
//! A `match` of strings branches on the length and then on each name. The names of a payload come
//! in an unpredictable order, so half of these branches are mispredicted, and each misprediction is
//! as slow as reading a symbol's name. The hash finds a name with a single branch at the end.

/// The names of a vocabulary and their ids.
pub(super) struct Words {
    entries: &'static [(&'static str, u8)],
    /// The names of up to 16 bytes as numbers, the first byte lowest; 0 for longer names.
    keys: [u128; MOST],
    by_word: Slots,
    by_key: Slots,
}

/// The most names that a vocabulary may have; as an index it means "not found".
const MOST: usize = 64;

impl Words {
    /// Finds a slot for each name. Compilation fails when that is impossible.
    pub(super) const fn new(entries: &'static [(&'static str, u8)]) -> Self {
        assert!(entries.len() < MOST);
        let mut keys = [0; MOST];
        let (mut word_prints, mut key_prints) = ([None; MOST], [None; MOST]);
        let mut index = 0;
        while index < entries.len() {
            let word = entries[index].0.as_bytes();
            keys[index] = key(word);
            word_prints[index] = Some(print(word));
            if keys[index] != 0 {
                key_prints[index] = Some(print_of_key(keys[index]));
            }
            index += 1;
        }
        Words { entries, keys, by_word: Slots::new(&word_prints), by_key: Slots::new(&key_prints) }
    }

    /// The id of `word`.
    #[inline]
    pub(super) fn id(&self, word: &str) -> Option<u8> {
        let (found, id) = self.entries.get(self.by_word.index(print(word.as_bytes())))?;
        (*found == word).then_some(*id)
    }

    /// The id of the name of 1 to 16 bytes that `key` is, the first byte lowest.
    #[inline(always)]
    #[allow(clippy::inline_always)]
    pub(super) fn id_of_key(&self, key: u128) -> Option<u8> {
        let index = self.by_key.index(print_of_key(key));
        let (_, id) = self.entries.get(index)?;
        (self.keys[index] == key).then_some(*id)
    }
}

/// Slots by the hash of a print.
struct Slots {
    seed: u64,
    indices: [u8; Slots::COUNT],
}

impl Slots {
    const BITS: u32 = 8;
    const COUNT: usize = 1 << Slots::BITS;

    /// Finds a seed for which no two prints have the same hash.
    const fn new(prints: &[Option<u64>; MOST]) -> Self {
        let mut seed = 0x9e37_79b9_7f4a_7c15u64;
        loop {
            #[allow(clippy::cast_possible_truncation)] // 64
            let mut indices = [MOST as u8; Slots::COUNT];
            let mut index = 0;
            while index < MOST {
                if let Some(print) = prints[index] {
                    let slot = Slots::slot(print, seed);
                    if indices[slot] as usize != MOST {
                        break;
                    }
                    #[allow(clippy::cast_possible_truncation)] // below 64
                    let place = index as u8;
                    indices[slot] = place;
                }
                index += 1;
            }
            if index == MOST {
                return Slots { seed, indices };
            }
            seed = seed.wrapping_mul(0xd129_0d3b_d0d6_4fd3) | 1;
        }
    }

    #[inline]
    const fn slot(print: u64, seed: u64) -> usize {
        (print.wrapping_mul(seed) >> (u64::BITS - Slots::BITS)) as usize
    }

    /// The index of the only name that can have this print; `MOST` when there is no such name.
    #[inline]
    fn index(&self, print: u64) -> usize {
        usize::from(self.indices[Slots::slot(print, self.seed)])
    }
}

/// The print of a name: its length, its first byte, its middle byte and its last byte.
#[inline]
const fn print(word: &[u8]) -> u64 {
    if word.is_empty() {
        return 0;
    }
    #[allow(clippy::cast_possible_truncation)] // a hash
    let length = word.len() as u8;
    u32::from_le_bytes([length, word[0], word[word.len() / 2], word[word.len() - 1]]) as u64
}

/// The print of a key; half of the time of `print` when a key is available.
#[inline]
const fn print_of_key(key: u128) -> u64 {
    #[allow(clippy::cast_possible_truncation)] // its halves
    let (low, high) = (key as u64, (key >> 64) as u64);
    low ^ high.rotate_left(27)
}

/// A name of up to 16 bytes as a number.
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
