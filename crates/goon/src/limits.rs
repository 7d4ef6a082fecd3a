//! The default limits.

use wire_core::Limits;

/// The default limits of decoders: lines of 64 MiB, since a property may contain a whole file, and
/// as many nodes, edges and rows as [`Limits`] has items by default.
pub const LIMITS: Limits = Limits::DEFAULT.with_line_bytes(64 << 20);
