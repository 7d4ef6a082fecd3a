//! The short fields of a line, each written as a block of a fixed size.
//!
//! A line has a name and a few fields of 1 to 17 bytes. Appending each field would check the
//! capacity and copy by length, and processors can't predict these lengths. Instead the capacity is
//! reserved once. Then each field is copied as a block of a fixed size, of which only its length
//! counts, and the rest is cut off at the end.

use wire_core::__private::Block;
use wire_core::__private::number::short_decimal;

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
    pub(super) fn word(&mut self, block: &Block) {
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
