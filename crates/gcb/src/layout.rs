//! The layout of GCB1, for both directions (ruling B1).
//!
//! ```text
//! payload = magic version header symbols edges
//! magic   = "GCB1"
//! version = 0x01
//! header  = tool:string tokens_used:varint token_budget:varint
//!           num_symbols:varint num_edges:varint
//! symbol  = qualified_name:string kind:u8 score:f32 provenance:u8 distance:u8
//!           signature:string
//!           blast_radius:f32 confidence:f32 recency:f32 distance_component:f32
//! edge    = source:varint target:varint edge_type:u8 status:u8
//! string  = length:varint UTF-8
//! varint  = unsigned LEB128, in its shortest form, at most 64 bits
//! f32     = IEEE 754 single, little-endian
//! ```
//!
//! The tables of the enum bytes are the vocabularies of `wire_core`. There is no padding.
//!
//! ```text
//! 47 43 42 31              magic "GCB1"
//! 01                       version 1
//! 01 74                    tool, length-prefixed: "t"
//! b7 0e  88 27             tokens_used 1847, token_budget 5000 (varints)
//! 01  01                   one symbol, one edge (varints)
//! 01 61                    symbol 0: qualified_name "a"
//! 01                                 kind 1, function
//! 14 ae 47 3f                        score 0.78 as a little-endian single
//! 03                                 provenance 3, lsp_resolved
//! 00                                 distance 0
//! 00                                 signature, length-prefixed: empty
//! cd cc cc 3e 00 00 80 3e            blast_radius 0.4, confidence 0.25
//! 8f c2 75 3d 9a 99 19 3e            recency 0.06, distance 0.15
//! 00 00 01 00              edge 0: source 0, target 0, edge type 1 (calls),
//!                          status 0 (unchanged)
//! ```

use integer_encoding::VarInt;

/// The first bytes of every payload.
pub(crate) const MAGIC: &[u8] = b"GCB1";
/// The version that this crate reads and writes.
pub(crate) const VERSION: u8 = 1;
/// The size of a symbol without text in bytes: two empty strings, three enum bytes, five singles.
pub(crate) const SMALLEST_SYMBOL: usize = 25;
/// The bytes of an edge between the first 128 symbols.
pub(crate) const SMALLEST_EDGE: usize = 4;

/// The bytes of the largest varint, of 64 bits.
const LONGEST_VARINT: usize = 10;

/// A score byte block: kind, score, provenance, distance.
pub(crate) const FIXED: usize = 7;
/// A components block: four singles.
pub(crate) const COMPONENTS: usize = 16;

/// Appends `value` as a varint.
#[inline]
pub(crate) fn push_varint(out: &mut Vec<u8>, value: u64) {
    // Nearly all lengths and indices have one byte.
    if let Ok(byte @ ..0x80) = u8::try_from(value) {
        out.push(byte);
    } else {
        let mut bytes = [0; LONGEST_VARINT];
        let length = value.encode_var(&mut bytes);
        out.extend_from_slice(&bytes[..length]);
    }
}

/// The number of bytes of `value` as a varint.
pub(crate) fn varint_length(value: u64) -> usize {
    value.required_space()
}

/// The result of reading a varint at the start of a slice.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Varint {
    /// This value, in this many bytes.
    Value(u64, usize),
    /// The slice ends inside the varint.
    Cut,
    /// It is longer than necessary, or beyond 64 bits.
    Invalid,
}

/// Reads a varint from the start of `bytes`.
pub(crate) fn varint(bytes: &[u8]) -> Varint {
    let first = &bytes[..bytes.len().min(LONGEST_VARINT)];
    let Some(length) = first.iter().position(|byte| *byte < 0x80).map(|last| last + 1) else {
        return if first.len() < LONGEST_VARINT { Varint::Cut } else { Varint::Invalid };
    };
    // `integer-encoding` accepts overlong forms, and drops the bits beyond 64. Only a varint in its
    // shortest form re-encodes to the same bytes.
    let Some((value, _)) = u64::decode_var(&first[..length]) else { return Varint::Invalid };
    let mut again = [0; LONGEST_VARINT];
    let shortest = value.encode_var(&mut again);
    if again[..shortest] == first[..length] {
        Varint::Value(value, length)
    } else {
        Varint::Invalid
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn varints_at_the_edges() {
        for value in
            [0, 1, 127, 128, 300, 16_383, 16_384, u64::from(u32::MAX), u64::MAX - 1, u64::MAX]
        {
            let mut out = Vec::new();
            push_varint(&mut out, value);
            assert_eq!(varint(&out), Varint::Value(value, out.len()));
            assert_eq!(varint_length(value), out.len());
            for cut in 0..out.len() {
                assert_eq!(varint(&out[..cut]), Varint::Cut, "{value} cut at {cut}");
            }
            // The same value in one byte more.
            if out.len() < 10 {
                *out.last_mut().unwrap() |= 0x80;
                out.push(0);
                assert_eq!(varint(&out), Varint::Invalid, "{value} overlong");
            }
        }
        assert_eq!(varint(&[0xff; 10]), Varint::Invalid);
        assert_eq!(
            varint(&[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02]),
            Varint::Invalid
        );
    }
}
