//! Reading the layout off a slice, piece by piece.

use wire_core::Limits;

use crate::layout::{Varint, varint};
use crate::{Error, ErrorKind};

/// A position in an input, or in the part of it that is in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Offset in the input of `bytes`.
    base: u64,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8], base: u64) -> Self {
        Cursor { bytes, at: 0, base }
    }

    /// A cursor at an offset of the whole input.
    pub(crate) fn at(bytes: &'a [u8], at: usize) -> Self {
        Cursor { bytes, at, base: 0 }
    }

    /// The number of bytes read so far.
    pub(crate) fn taken(&self) -> usize {
        self.at
    }

    /// The offset in the input.
    pub(crate) fn offset(&self) -> u64 {
        self.base + self.at as u64
    }

    /// Bytes that are left.
    pub(crate) fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// The next bytes, at most `count`, without consuming them.
    pub(crate) fn peek(&self, count: usize) -> &'a [u8] {
        let rest = &self.bytes[self.at..];
        &rest[..count.min(rest.len())]
    }

    #[inline]
    pub(crate) fn byte(&mut self, what: &str) -> Result<u8, Error> {
        let [byte] = *self.array::<1>(what)?;
        Ok(byte)
    }

    #[inline]
    pub(crate) fn array<const N: usize>(&mut self, what: &str) -> Result<&'a [u8; N], Error> {
        match self.bytes[self.at..].first_chunk::<N>() {
            Some(array) => {
                self.at += N;
                Ok(array)
            }
            None => Err(self.cut(N, what)),
        }
    }

    #[inline]
    pub(crate) fn varint(&mut self, what: &str) -> Result<u64, Error> {
        // Nearly all varints have one or two bytes: lengths, and indices below 16,384.
        match self.bytes[self.at..] {
            [byte @ ..0x80, ..] => {
                self.at += 1;
                Ok(u64::from(byte))
            }
            [low @ 0x80..=0xff, high @ 1..0x80, ..] => {
                self.at += 2;
                Ok(u64::from(low & 0x7f) | u64::from(high) << 7)
            }
            _ => self.long_varint(what),
        }
    }

    /// Three bytes are the indices of large payloads. They are handled here, so that the test for
    /// them does not slow down the others.
    #[inline(never)]
    fn long_varint(&mut self, what: &str) -> Result<u64, Error> {
        match self.bytes[self.at..] {
            [low @ 0x80..=0xff, middle @ 0x80..=0xff, high @ 1..0x80, ..] => {
                self.at += 3;
                let low = u64::from(low & 0x7f) | u64::from(middle & 0x7f) << 7;
                Ok(low | u64::from(high) << 14)
            }
            _ => self.any_varint(what),
        }
    }

    #[cold]
    fn any_varint(&mut self, what: &str) -> Result<u64, Error> {
        match varint(&self.bytes[self.at..]) {
            Varint::Value(value, length) => {
                self.at += length;
                Ok(value)
            }
            Varint::Cut => Err(self.cut(self.left() + 1, what)),
            Varint::Invalid => Err(Error::decode(
                ErrorKind::InvalidVarint,
                self.offset(),
                format!(
                    "the varint of {what} is overlong or beyond 64 bits, expected its shortest form"
                ),
            )),
        }
    }

    /// The bytes of a string, not checked to be UTF-8.
    #[inline(always)]
    #[allow(clippy::inline_always)]
    pub(crate) fn string(&mut self, what: &str, limits: Limits) -> Result<&'a [u8], Error> {
        let start = self.offset();
        let length = self.varint(what)?;
        let length = match usize::try_from(length) {
            Ok(length) if length <= limits.line_bytes => length,
            _ => return Err(too_long(start, what, length, limits)),
        };
        match self.bytes[self.at..].get(..length) {
            Some(bytes) => {
                self.at += length;
                Ok(bytes)
            }
            None => Err(self.cut(length, what)),
        }
    }

    #[cold]
    fn cut(&self, needed: usize, what: &str) -> Error {
        Error::decode(
            ErrorKind::UnexpectedEnd,
            self.base + self.bytes.len() as u64,
            format!(
                "the input ends inside {what}, which begins at offset {}, expected at least {} more bytes",
                self.offset(),
                needed - self.left().min(needed),
            ),
        )
    }
}

#[cold]
fn too_long(offset: u64, what: &str, length: u64, limits: Limits) -> Error {
    let message = format!("{what} has {length} bytes, expected at most {}", limits.line_bytes);
    Error::decode(ErrorKind::StringTooLong, offset, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_varints_are_those_of_the_twin() {
        for first in 0..=255 {
            for second in 0..=255 {
                for third in [0, 1, 0x7f, 0x80, 0xff] {
                    let bytes = [first, second, third, 0x7f];
                    let mut cursor = Cursor::new(&bytes, 0);
                    let found = cursor.varint("a number");
                    match varint(&bytes) {
                        Varint::Value(value, length) => {
                            assert_eq!(
                                (found.unwrap(), cursor.taken()),
                                (value, length),
                                "{bytes:?}"
                            );
                        }
                        _ => assert!(found.is_err(), "{bytes:?}"),
                    }
                }
            }
        }
    }
}
