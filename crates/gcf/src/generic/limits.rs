//! How much of a text is read, and how deep.

use wire_core::Limits;

/// The limits of decoders and readers that don't set others: lines of 64 MiB, since a text may be
/// the whole of a file, and as many lines as the family's formats have items.
pub const LIMITS: Limits = Limits::DEFAULT.with_line_bytes(64 << 20);
