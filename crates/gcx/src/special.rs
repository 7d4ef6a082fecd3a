//! Finds bytes that a row can't contain unescaped, eight at a time.
//!
//! Special bytes are the backslash and everything below 0x0e: tabs, line endings, and some control
//! characters that are harmless. These need not be distinguished, since special bytes are only
//! examined again.

use crate::grammar::ESCAPE;

const ONES: u64 = 0x0101_0101_0101_0101;
const LOW: u64 = 0x7f * ONES;
const HIGH: u64 = 0x80 * ONES;

/// The high bit of each special byte of a word.
#[inline]
pub(crate) fn special(word: u64) -> u64 {
    let low = word & LOW;
    // The sums don't carry into other bytes, so each byte is tested independently.
    let not_control = low + (0x80 - 0x0e) * ONES;
    let not_escape = ((low ^ (u64::from(ESCAPE) * ONES)) + LOW) | word;
    !((not_control | word) & not_escape) & HIGH
}

/// Returns `true` if any byte is special.
#[inline]
#[allow(clippy::needless_bitwise_bool)] // lazy operators would be branches
pub(crate) fn has_special(bytes: &[u8]) -> bool {
    // There is no early exit, so that the compiler tests 16 bytes at a time. The last block
    // overlaps the one before, so that no remainder is tested byte by byte.
    const WIDTH: usize = 16;
    let any = |bytes: &[u8; WIDTH]| {
        bytes.iter().fold(false, |any, byte| any | (*byte < 0x0e) | (*byte == ESCAPE))
    };
    if let Some(last) = bytes.last_chunk::<WIDTH>() {
        let (chunks, _) = bytes.as_chunks::<WIDTH>();
        return chunks.iter().fold(any(last), |found, chunk| found | any(chunk));
    }
    match (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (Some(first), Some(last)) => {
            special(u64::from_le_bytes(*first)) | special(u64::from_le_bytes(*last)) != 0
        }
        _ => bytes.iter().any(|byte| *byte < 0x0e || *byte == ESCAPE),
    }
}

/// The number of special bytes.
pub(crate) fn count_special(bytes: &[u8]) -> usize {
    // The product has the sum of the eight bytes in its highest.
    let count =
        |word: &[u8; 8]| ((special(u64::from_le_bytes(*word)) >> 7).wrapping_mul(ONES)) >> 56;
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [b'x'; 8];
    last[..rest.len()].copy_from_slice(rest);
    let found: u64 = words.iter().chain([&last]).map(count).sum();
    usize::try_from(found).expect("because there are no more than bytes")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_special_is_that_of_the_twin(bytes in any::<Vec<u8>>(), word in any::<[u8; 8]>()) {
            let is_special = |byte: u8| byte < 0x0e || byte == ESCAPE;
            let twin = word.map(|byte| if is_special(byte) { 0x80 } else { 0 });
            prop_assert_eq!(special(u64::from_le_bytes(word)).to_le_bytes(), twin);
            let twin = bytes.iter().filter(|byte| is_special(**byte)).count();
            prop_assert_eq!(count_special(&bytes), twin);
            prop_assert_eq!(has_special(&bytes), twin > 0);
        }

        #[test]
        fn every_place_is_looked_at(length in 0usize..70, at in 0usize..70, byte: u8) {
            let mut bytes = vec![b'x'; length];
            if let Some(place) = bytes.get_mut(at) {
                *place = byte;
            }
            prop_assert_eq!(has_special(&bytes), count_special(&bytes) > 0);
        }
    }
}
