//! The limits that hold unless others are set.

use wire_core::Limits;

/// The limits of decoders that don't set others: lines of 64 MiB, since a property may be the whole
/// of a file, and as many nodes, edges and rows as the family's formats have items.
pub const LIMITS: Limits = Limits::DEFAULT.with_line_bytes(64 << 20);
