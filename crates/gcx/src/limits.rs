//! The limits that hold unless others are set.

use wire_core::Limits;

/// The limits of readers and decoders that don't set others: lines of 64 MiB, since a cell may hold
/// the source of a file, and as many fields and metadata, and symbols and edges of a payload, as
/// the family's formats have items.
pub const LIMITS: Limits = Limits::DEFAULT.with_line_bytes(64 << 20);
