//! The default limits.

use wire_core::Limits;

/// The default limits of readers and decoders: lines of 64 MiB, since a cell may contain the source
/// of a file, and as many fields, metadata, symbols and edges as [`Limits`] has items by default.
pub const LIMITS: Limits = Limits::DEFAULT.with_line_bytes(64 << 20);
