//! Symbols.

use std::borrow::Cow;

use wire_core::number::widen_f32;
use wire_core::{Components, Kind, Provenance, Symbol};

use super::cursor::Cursor;
use super::header::text;
use super::options::{Decoder, UnknownIds, unknown_id};
use crate::Error;
use crate::layout::{COMPONENTS, FIXED, varint_length};

/// A symbol at its position in the input. Fields are decoded on request.
#[derive(Clone, Copy, Debug)]
pub struct SymbolRef<'a> {
    qualified_name: &'a [u8],
    fixed: &'a [u8; FIXED],
    signature: &'a [u8],
    components: &'a [u8; COMPONENTS],
    /// Offset of the symbol in the input.
    at: u64,
    unknown_ids: UnknownIds,
}

const VALIDATED: &str = "because the view has validated the symbol";

impl<'a> SymbolRef<'a> {
    #[inline(always)]
    #[allow(clippy::inline_always)] // returning a symbol through memory is half as fast
    pub(crate) fn scan(cursor: &mut Cursor<'a>, decoder: &Decoder) -> Result<Self, Error> {
        let at = cursor.offset();
        let qualified_name = cursor.string("the qualified name of a symbol", decoder.limits)?;
        let fixed = cursor.array("the kind, score, provenance and distance of a symbol")?;
        let signature = cursor.string("the signature of a symbol", decoder.limits)?;
        let components = cursor.array("the components of a symbol")?;
        Ok(SymbolRef {
            qualified_name,
            fixed,
            signature,
            components,
            at,
            unknown_ids: decoder.unknown_ids,
        })
    }

    /// Checks the symbol without building it.
    #[inline(always)]
    #[allow(clippy::inline_always)]
    pub(crate) fn check(&self) -> Result<(), Error> {
        // Checking for ASCII needs a fifth of the time of checking for UTF-8.
        if is_ascii(self.qualified_name) && is_ascii(self.signature) && self.has_known_words() {
            return Ok(());
        }
        self.to_symbol().map(drop)
    }

    #[inline]
    fn has_known_words(&self) -> bool {
        let [kind, _, _, _, _, provenance, _] = *self.fixed;
        Kind::from_gcb_id(kind).is_some() && Provenance::from_gcb_id(provenance).is_some()
    }

    /// Builds the symbol.
    #[inline(always)]
    #[allow(clippy::inline_always)]
    pub(crate) fn to_symbol(self) -> Result<Symbol<'a>, Error> {
        let qualified_name =
            text(self.qualified_name, || self.at, "the qualified name of a symbol")?;
        if !self.has_known_words() && self.unknown_ids == UnknownIds::Refuse {
            return Err(self.unknown_word());
        }
        let signature_at = || self.fixed_at() + FIXED as u64;
        let signature = text(self.signature, signature_at, "the signature of a symbol")?;
        Ok(Symbol::from_fields(
            self.kind(),
            Cow::Borrowed(qualified_name),
            self.score(),
            self.provenance(),
            u32::from(self.distance()),
            Cow::Borrowed(signature),
            self.components(),
        ))
    }

    #[cold]
    fn unknown_word(&self) -> Error {
        let [kind, _, _, _, _, provenance, _] = *self.fixed;
        match Kind::from_gcb_id(kind) {
            None => unknown_id("kind of a symbol", kind, self.fixed_at()),
            Some(_) => unknown_id("provenance of a symbol", provenance, self.fixed_at() + 5),
        }
    }

    /// The offset of the fixed-size block after the qualified name.
    #[cold]
    fn fixed_at(&self) -> u64 {
        let length = self.qualified_name.len();
        self.at + (varint_length(length as u64) + length) as u64
    }

    /// The qualified name.
    pub fn qualified_name(&self) -> &'a str {
        std::str::from_utf8(self.qualified_name).expect(VALIDATED)
    }

    /// The kind.
    #[inline]
    pub fn kind(&self) -> Kind<'static> {
        let id = self.fixed[0];
        Kind::from_gcb_id(id).unwrap_or_else(|| Kind::from(UnknownIds::word(id)))
    }

    /// The score: the 32-bit float as its shortest decimal.
    #[inline]
    pub fn score(&self) -> f64 {
        let [_, s0, s1, s2, s3, _, _] = *self.fixed;
        widen_f32(f32::from_le_bytes([s0, s1, s2, s3]))
    }

    /// The provenance.
    #[inline]
    pub fn provenance(&self) -> Provenance<'static> {
        let id = self.fixed[5];
        Provenance::from_gcb_id(id).unwrap_or_else(|| Provenance::from(UnknownIds::word(id)))
    }

    /// Hops from the query's targets; the targets have 0.
    #[inline]
    pub fn distance(&self) -> u8 {
        self.fixed[6]
    }

    /// The signature; empty when there is no signature.
    pub fn signature(&self) -> &'a str {
        std::str::from_utf8(self.signature).expect(VALIDATED)
    }

    /// The components of the score.
    #[inline]
    pub fn components(&self) -> Components {
        let (singles, _) = self.components.as_chunks::<4>();
        let mut components = [0.0; 4];
        for (component, single) in components.iter_mut().zip(singles) {
            *component = f32::from_le_bytes(*single);
        }
        let [blast_radius, confidence, recency, distance] = widen_f32s(components);
        Components { blast_radius, confidence, recency, distance }
    }
}

/// Returns `true` if all bytes are ASCII. The standard library checks blocks of 32 bytes and then
/// single bytes, which suits longer texts than names.
#[inline]
fn is_ascii(bytes: &[u8]) -> bool {
    const HIGH: u128 = 0x80 * (u128::MAX / 0xff);
    let Some(last) = bytes.last_chunk::<16>() else { return bytes.is_ascii() };
    let (chunks, _) = bytes.as_chunks::<16>();
    let last = u128::from_le_bytes(*last);
    let any = chunks.iter().fold(last, |any, chunk| any | u128::from_le_bytes(*chunk));
    any & HIGH == 0
}

/// [`widen_f32`] for several floats at once, without a branch for each, so that a processor
/// converts them together.
#[inline]
#[allow(clippy::cast_possible_truncation, clippy::needless_bitwise_bool)] // reading back is the test itself, and a branch is slower
fn widen_f32s<const N: usize>(singles: [f32; N]) -> [f64; N] {
    // Adding it to a smaller number rounds that number to an integer, and subtracting it again
    // leaves the integer. A cast would be a call for each number. This rounds halves to even, which
    // has no effect here: a single below 8 that is halfway between two decimals reads back from
    // neither of them.
    const ROUND: f64 = 4_503_599_627_370_496.0;
    let mut wide = [0.0; N];
    let mut are_short = true;
    for (wide, single) in wide.iter_mut().zip(singles) {
        let exact = f64::from(single);
        let scaled = (exact.abs() * 1e6 + ROUND) - ROUND;
        *wide = (scaled / 1e6).copysign(exact);
        are_short &= (exact.abs() < 8.0) & (*wide as f32 == single);
    }
    if are_short { wide } else { singles.map(widen_f32) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_place_is_looked_at() {
        for length in 0..70 {
            assert!(is_ascii("x".repeat(length).as_bytes()));
            for at in 0..length {
                let mut bytes = vec![0x7f; length];
                bytes[at] = 0x80;
                assert!(!is_ascii(&bytes), "{at} of {length}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        #[test]
        #[allow(clippy::cast_precision_loss)] // any single does
        fn singles_are_widened_together_as_one_by_one(singles in proptest::array::uniform4(prop_oneof![
            1 => any::<u32>().prop_map(f32::from_bits),
            6 => -8.0..8.0f32,
            6 => (0u32..8_000_000).prop_map(|n| n as f32 / 1e6),
            4 => (0u32..16_000_000).prop_map(|n| n as f32 / 2e6),
            1 => Just(-0.0f32),
            1 => Just(8.0f32),
        ])) {
            let bits = |doubles: [f64; 4]| doubles.map(f64::to_bits);
            prop_assert_eq!(bits(widen_f32s(singles)), bits(singles.map(widen_f32)));
            for single in singles {
                prop_assert_eq!(widen_f32s([single])[0].to_bits(), widen_f32(single).to_bits());
            }
        }
    }
}
