//! The layout of GCB1, for both directions (ruling B1).
//!
//! ```text
//! payload = magic version header symbols edges
//! magic   = "GCB1"
//! version = 0x01
//! header  = tool:string tokens_used:varint token_budget:varint num_symbols:varint num_edges:varint
//! symbol  = qualified_name:string kind:u8 score:f32 provenance:u8 distance:u8 signature:string
//!           blast_radius:f32 confidence:f32 recency:f32 distance_component:f32
//! edge    = source:varint target:varint edge_type:u8 status:u8
//! string  = length:varint UTF-8
//! varint  = unsigned LEB128, in its shortest form, at most 64 bits
//! f32     = IEEE 754 single, little-endian
//! ```
//!
//! The tables of the enum bytes are the vocabularies of `wire_core`. There is no padding.

/// The first bytes of every payload.
pub(crate) const MAGIC: &[u8] = b"GCB1";
/// The version that this crate reads and writes.
pub(crate) const VERSION: u8 = 1;
/// The bytes of a symbol without text: two empty strings, three enum bytes, five singles.
pub(crate) const SMALLEST_SYMBOL: usize = 25;
/// The bytes of an edge between the first 128 symbols.
pub(crate) const SMALLEST_EDGE: usize = 4;

/// A score byte block: kind, score, provenance, distance.
pub(crate) const FIXED: usize = 7;
/// A components block: four singles.
pub(crate) const COMPONENTS: usize = 16;

/// Appends `value` as a varint.
#[inline]
pub(crate) fn push_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        #[allow(clippy::cast_possible_truncation)] // the low seven bits
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    #[allow(clippy::cast_possible_truncation)] // below 0x80
    out.push(value as u8);
}

/// The number of bytes of `value` as a varint.
pub(crate) fn varint_length(value: u64) -> u64 {
    u64::from((64 - value.leading_zeros()).div_ceil(7).max(1))
}

/// What the bytes at the start of a slice are, read as a varint.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Varint {
    /// This value, in this many bytes.
    Value(u64, usize),
    /// The slice ends inside it.
    Cut,
    /// It is longer than it has to be, or beyond 64 bits.
    Invalid,
}

/// Reads a varint from the start of `bytes`.
pub(crate) fn varint(bytes: &[u8]) -> Varint {
    let mut value = 0u64;
    for (index, &byte) in bytes.iter().take(10).enumerate() {
        let bits = u64::from(byte & 0x7f);
        // The tenth byte holds the 64th bit and nothing else.
        if index == 9 && byte > 1 {
            return Varint::Invalid;
        }
        value |= bits << (7 * index);
        if byte < 0x80 {
            let overlong = byte == 0 && index > 0;
            return if overlong { Varint::Invalid } else { Varint::Value(value, index + 1) };
        }
    }
    if bytes.len() < 10 { Varint::Cut } else { Varint::Invalid }
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
            assert_eq!(varint_length(value), out.len() as u64);
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
