//! The short fields of a line, each written as a block of a fixed size.
//!
//! A line has a name and a few fields of 1 to 17 bytes. Appending each field would check the
//! capacity and copy by length, and processors can't predict these lengths. Instead the capacity is
//! reserved once. Then each field is copied as a block of a fixed size, of which only its length
//! counts, and the rest is cut off at the end.

use wire_core::NameBlock;

/// The capacity for the longest run of short fields: an edge line, whose last block may end in
/// zeros.
const ROOM: usize = 96;

pub(super) struct Short<'o> {
    room: &'o mut [u8; ROOM],
    end: usize,
}

impl Short<'_> {
    #[inline(always)]
    #[allow(clippy::inline_always)] // so that what is written stays in registers
    pub(super) fn append(out: &mut Vec<u8>, write: impl FnOnce(&mut Short<'_>)) {
        let start = out.len();
        out.extend_from_slice(&[0; ROOM]);
        let room = out.last_chunk_mut().expect("because it has just been made");
        let mut short = Short { room, end: 0 };
        write(&mut short);
        let end = start + short.end;
        out.truncate(end);
    }

    #[inline(always)]
    #[allow(clippy::inline_always)]
    pub(super) fn bytes<const N: usize>(&mut self, bytes: [u8; N]) {
        self.part(&bytes, N);
    }

    #[inline(always)]
    #[allow(clippy::inline_always)]
    pub(super) fn word(&mut self, block: &NameBlock) {
        self.part(block.bytes(), block.length());
    }

    #[inline(always)]
    #[allow(clippy::inline_always)]
    pub(super) fn decimal(&mut self, number: u32) {
        match short_decimal(number) {
            Some((digits, length)) => self.part(&digits, length),
            None => {
                let mut buffer = itoa::Buffer::new();
                let digits = buffer.format(number).as_bytes();
                self.room[self.end..self.end + digits.len()].copy_from_slice(digits);
                self.end += digits.len();
            }
        }
    }

    /// Writes all of the bytes, and counts `length` of them.
    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn part<const N: usize>(&mut self, bytes: &[u8; N], length: usize) {
        self.room[self.end..self.end + N].copy_from_slice(bytes);
        self.end += length;
    }
}

/// The digits of a number below 100,000,000 and how many there are, as the lowest bytes of a word,
/// the first digit lowest; `None` for others.
///
/// Eight digits need four multiplications and no branch; a loop has one for each digit.
#[inline]
fn short_decimal(n: u32) -> Option<([u8; 8], usize)> {
    if n >= 100_000_000 {
        return None;
    }
    // Two halves of four digits, then four of two, then eight of one; the first digit stays lowest.
    let halves = u64::from(n / 10_000) | u64::from(n % 10_000) << 32;
    let hundreds = ((halves * 5_243) >> 19) & 0x0000_007f_0000_007f;
    let pairs = hundreds | (halves - hundreds * 100) << 16;
    let tens = ((pairs * 103) >> 10) & 0x000f_000f_000f_000f;
    let digits = tens | (pairs - tens * 10) << 8;
    // The last digit is there even when it is a zero.
    let zeros = (digits | 1 << 56).trailing_zeros() / 8;
    let text = (digits | 0x3030_3030_3030_3030) >> (8 * zeros);
    Some((text.to_le_bytes(), 8 - zeros as usize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_decimals_are_those_of_the_standard_library() {
        for n in (0..200_000).chain((0..100_000_000).step_by(9_973)).chain(99_999_900..100_000_000)
        {
            let (word, length) = short_decimal(n).unwrap();
            assert_eq!(&word[..length], n.to_string().as_bytes());
        }
    }
}
