//! Symbols.

use std::borrow::Cow;

use wire_core::number::widen_f32;
use wire_core::{Components, Kind, Provenance, Symbol};

use super::{Cursor, Decoder, UnknownIds, text, unknown_id};
use crate::Error;
use crate::layout::{COMPONENTS, FIXED, varint_length};

/// A symbol where it stands in the input. Fields are decoded when they are asked for.
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
    #[inline]
    pub(crate) fn scan(cursor: &mut Cursor<'a>, decoder: &Decoder) -> Result<Self, Error> {
        let at = cursor.offset();
        let qualified_name = cursor.string("the qualified name of a symbol", decoder.limits)?;
        let fixed = cursor.fixed()?;
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

    /// The parts that can be wrong.
    #[inline]
    pub(crate) fn check(
        &self,
    ) -> Result<(&'a str, Kind<'static>, Provenance<'static>, &'a str), Error> {
        let [kind, _, _, _, _, provenance, _] = *self.fixed;
        Ok((
            text(self.qualified_name, || self.at, "the qualified name of a symbol")?,
            match Kind::from_gcb_id(kind) {
                Some(kind) => kind,
                None if self.unknown_ids == UnknownIds::AsWords => {
                    Kind::from(UnknownIds::word(kind))
                }
                None => return Err(unknown_id("kind of a symbol", kind, self.fixed_at())),
            },
            match Provenance::from_gcb_id(provenance) {
                Some(provenance) => provenance,
                None if self.unknown_ids == UnknownIds::AsWords => {
                    Provenance::from(UnknownIds::word(provenance))
                }
                None => {
                    return Err(unknown_id(
                        "provenance of a symbol",
                        provenance,
                        self.fixed_at() + 5,
                    ));
                }
            },
            text(self.signature, || self.fixed_at() + FIXED as u64, "the signature of a symbol")?,
        ))
    }

    /// Builds the symbol.
    #[inline]
    pub(crate) fn to_symbol(self) -> Result<Symbol<'a>, Error> {
        let (qualified_name, kind, provenance, signature) = self.check()?;
        Ok(Symbol {
            qualified_name: Cow::Borrowed(qualified_name),
            kind,
            score: self.score(),
            provenance,
            distance: u32::from(self.distance()),
            signature: Cow::Borrowed(signature),
            components: self.components(),
        })
    }

    /// Offset of the block behind the qualified name.
    #[cold]
    fn fixed_at(&self) -> u64 {
        let length = self.qualified_name.len() as u64;
        self.at + varint_length(length) + length
    }

    /// The qualified name.
    pub fn qualified_name(&self) -> &'a str {
        std::str::from_utf8(self.qualified_name).expect(VALIDATED)
    }

    /// The kind.
    pub fn kind(&self) -> Kind<'static> {
        let id = self.fixed[0];
        Kind::from_gcb_id(id).unwrap_or_else(|| Kind::from(UnknownIds::word(id)))
    }

    /// The score, as the shortest decimal that names the single.
    #[inline]
    pub fn score(&self) -> f64 {
        let [_, s0, s1, s2, s3, _, _] = *self.fixed;
        widen_f32(f32::from_le_bytes([s0, s1, s2, s3]))
    }

    /// The provenance.
    pub fn provenance(&self) -> Provenance<'static> {
        let id = self.fixed[5];
        Provenance::from_gcb_id(id).unwrap_or_else(|| Provenance::from(UnknownIds::word(id)))
    }

    /// The distance from the query's targets.
    #[inline]
    pub fn distance(&self) -> u8 {
        self.fixed[6]
    }

    /// The signature; empty when there is none.
    pub fn signature(&self) -> &'a str {
        std::str::from_utf8(self.signature).expect(VALIDATED)
    }

    /// The components of the score.
    #[inline]
    pub fn components(&self) -> Components {
        let single = |index: usize| {
            let mut bytes = [0; 4];
            bytes.copy_from_slice(&self.components[4 * index..4 * index + 4]);
            widen_f32(f32::from_le_bytes(bytes))
        };
        Components {
            blast_radius: single(0),
            confidence: single(1),
            recency: single(2),
            distance: single(3),
        }
    }
}
