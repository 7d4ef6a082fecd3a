//! Fast paths for plain symbol and edge lines.
//!
//! Nearly every line of real payloads is plain: printable ASCII, with a score such as `0.78`. The
//! general code reads such a line three times: to find its end, to find its fields, and to check
//! every byte of a name. Here one pass over eight bytes at a time finds the end of a field and
//! checks it, and the end of the last field is the end of the line. This takes half of the
//! instructions.
//!
//! For lines that are not plain the result is `None`, and the scanners of `symbol` and `edge` read
//! them. A test checks that both agree.

// A line that is returned through memory takes half as long again.
#![allow(clippy::inline_always)]

use wire_core::{EdgeStatus, EdgeType, Kind, Provenance};

use super::edge::EdgeLine;
use super::symbol::SymbolLine;
use crate::graph::grammar::{EDGE_ARROW, ID_SIGIL};

/// The symbol line at the start of `rest`, and its length in bytes with the line ending.
#[inline(always)]
pub(crate) fn symbol_line(rest: &str) -> Option<(SymbolLine<'_>, usize)> {
    let bytes = rest.as_bytes();
    let (id, id_end) = decimal(bytes, sigil(bytes)?)?;
    let kind_start = space(bytes, id_end)?;
    let (kind_end, kind) = match word(bytes, kind_start) {
        Some((key, length)) => (kind_start + length, Kind::from_abbreviation_key(key)),
        None => (token_end(bytes, kind_start), None),
    };
    let name_end = name_end(bytes, space(bytes, kind_end)?);
    let hundredths = score(bytes, name_end)?;
    let provenance_start = name_end + 6;
    let (provenance_end, provenance) = match word(bytes, provenance_start) {
        Some((key, length)) => (provenance_start + length, Provenance::from_key(key)),
        None => (token_end(bytes, provenance_start), None),
    };
    let end = line_end(bytes, provenance_end)?;
    let qualified_name = token(rest, kind_end + 1, name_end)?;
    let line = SymbolLine {
        id,
        kind: match kind {
            Some(kind) => kind,
            None => Kind::from_abbreviation(token(rest, kind_start, kind_end)?),
        },
        qualified_name,
        // Both operands are exact, so the quotient is the double nearest to the decimal.
        score: f64::from(hundredths) / 100.0,
        provenance: match provenance {
            Some(provenance) => provenance,
            None => Provenance::from(token(rest, provenance_start, provenance_end)?),
        },
    };
    Some((line, end))
}

/// The edge line at the start of `rest`, and its length in bytes with the line ending.
#[inline(always)]
pub(crate) fn edge_line(rest: &str) -> Option<(EdgeLine<'_>, usize)> {
    let bytes = rest.as_bytes();
    let (target, target_end) = decimal(bytes, sigil(bytes)?)?;
    let Some([EDGE_ARROW, ID_SIGIL]) = bytes.get(target_end..target_end + 2) else { return None };
    let source_at = target_end + 2;
    let (source, source_end) = decimal(bytes, source_at)?;
    let type_start = space(bytes, source_end)?;
    let (type_end, edge_type) = match word(bytes, type_start) {
        Some((key, length)) => (type_start + length, EdgeType::from_key(key)),
        None => (token_end(bytes, type_start), None),
    };
    let (status, status_end) = match bytes.get(type_end) {
        Some(b' ') => {
            let status_end = token_end(bytes, type_end + 1);
            (EdgeStatus::from(token(rest, type_end + 1, status_end)?), status_end)
        }
        _ => (EdgeStatus::Unchanged, type_end),
    };
    let end = line_end(bytes, status_end)?;
    let edge_type = match edge_type {
        Some(edge_type) => edge_type,
        None => EdgeType::from(token(rest, type_start, type_end)?),
    };
    Some((EdgeLine { target, source, edge_type, status, source_at }, end))
}

#[inline(always)]
fn sigil(bytes: &[u8]) -> Option<usize> {
    (bytes.first() == Some(&ID_SIGIL)).then_some(1)
}

/// The decimal number of one to seven digits at `at`, and its end.
#[inline(always)]
fn decimal(bytes: &[u8], at: usize) -> Option<(u32, usize)> {
    let Some(chunk) = bytes.get(at..)?.first_chunk::<8>() else { return short_decimal(bytes, at) };
    let digits = u64::from_le_bytes(*chunk) ^ (0x30 * ONES);
    // The high bit of each byte that is not a digit. A carry affects only bytes after the first
    // such byte.
    let ends = (digits.wrapping_add(0x76 * ONES) | digits) & HIGH;
    let count = ends.trailing_zeros() / 8;
    if count == 0 || count == 8 {
        return None;
    }
    // The first digit is the lowest byte; leading zeros extend the digits to eight. They are
    // combined in pairs, then fours, then all eight.
    let ones = digits << (64 - 8 * count);
    let pairs = (ones * 10 + (ones >> 8)) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs * 100 + (pairs >> 16)) & 0x0000_ffff_0000_ffff;
    let value = (fours * 10_000 + (fours >> 32)) & 0xffff_ffff;
    #[allow(clippy::cast_possible_truncation)] // seven digits
    Some((value as u32, at + count as usize))
}

/// The twin of `decimal`, for the last bytes of the input.
#[cold]
fn short_decimal(bytes: &[u8], at: usize) -> Option<(u32, usize)> {
    let mut value = 0u32;
    let mut end = at;
    while let Some(digit @ b'0'..=b'9') = bytes.get(end) {
        if end - at == 7 {
            return None;
        }
        value = value * 10 + u32::from(digit - b'0');
        end += 1;
    }
    (end > at).then_some((value, end))
}

/// The hundredths of a score of the form ` 0.78 ` at `at`.
#[inline(always)]
fn score(bytes: &[u8], at: usize) -> Option<u32> {
    const FORM: u64 = u64::from_le_bytes(*b" 0.00 \0\0");
    const FORM_BYTES: u64 = 0x0000_ffff_ffff_ffff;
    const DIGITS: u64 = 0x0000_00ff_ff00_ff00;
    let word = u64::from_le_bytes(*bytes.get(at..)?.first_chunk::<8>()?);
    let digits = (word ^ FORM) & FORM_BYTES;
    // The high bit of each byte that should be a digit and is not. Only such a byte causes a carry.
    let wrong = ((digits & DIGITS).wrapping_add((0x76 * ONES) & DIGITS) | digits) & HIGH & DIGITS;
    if (digits & !DIGITS) | wrong != 0 {
        return None;
    }
    #[allow(clippy::cast_possible_truncation)] // a digit
    let digit = |place: u32| (digits >> (8 * place)) as u32 & 0xff;
    Some(digit(1) * 100 + digit(3) * 10 + digit(4))
}

#[inline(always)]
fn space(bytes: &[u8], at: usize) -> Option<usize> {
    (bytes.get(at) == Some(&b' ')).then_some(at + 1)
}

#[inline(always)]
fn line_end(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes.get(at..)? {
        [b'\n', ..] => Some(at + 1),
        [b'\r', b'\n', ..] => Some(at + 2),
        _ => None,
    }
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x80 * ONES;

/// The high bit of each byte of a word that is below 0x21, equal to 0x7f, or at least 0x80. Borrows
/// and carries affect only bytes after the first such byte, and only that one is used.
macro_rules! ends {
    ($word:expr, $ones:expr) => {{
        let word = $word;
        let below = word.wrapping_sub(0x21 * $ones) & !word;
        let above = word.wrapping_add($ones) | word;
        (below | above) & (0x80 * $ones)
    }};
}

/// The token between two offsets; `None` when it is empty.
#[inline]
fn token(rest: &str, start: usize, end: usize) -> Option<&str> {
    rest.get(start..end).filter(|token| !token.is_empty())
}

/// The token of 1 to 15 bytes at `at` as a number, the first byte lowest, and its length; `None`
/// for other tokens.
#[inline(always)]
fn word(bytes: &[u8], at: usize) -> Option<(u128, usize)> {
    const ONES: u128 = 0x0101_0101_0101_0101_0101_0101_0101_0101;
    let word = u128::from_le_bytes(*bytes.get(at..)?.first_chunk::<16>()?);
    let ends = ends!(word, ONES);
    let length = ends.trailing_zeros() / 8;
    if length == 0 || length == 16 {
        return None;
    }
    Some((word & !(u128::MAX << (8 * length)), length as usize))
}

/// The end of a long run of `!` to `~` that begins at `at`.
#[inline(always)]
fn name_end(bytes: &[u8], at: usize) -> usize {
    let (chunks, _) = bytes.get(at..).unwrap_or_default().as_chunks::<16>();
    let mut end = at;
    for chunk in chunks {
        // Without an early exit this is five instructions.
        if !chunk.iter().fold(true, |all, byte| all & matches!(byte, 0x21..=0x7e)) {
            break;
        }
        end += 16;
    }
    token_end(bytes, end)
}

/// The end of the run of `!` to `~` that begins at `at`.
#[inline]
fn token_end(bytes: &[u8], at: usize) -> usize {
    let (chunks, tail) = bytes.get(at..).unwrap_or_default().as_chunks::<8>();
    let mut end = at;
    for chunk in chunks {
        let ends = ends!(u64::from_le_bytes(*chunk), ONES);
        if ends != 0 {
            return end + (ends.trailing_zeros() / 8) as usize;
        }
        end += 8;
    }
    end + tail.iter().position(|byte| !matches!(byte, 0x21..=0x7e)).unwrap_or(tail.len())
}
