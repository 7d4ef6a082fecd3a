//! Bounds that keep hostile input from costing more than it should.

/// What a decoder accepts before it gives up with an error. Nothing is ever cut off in silence.
/// Encoders don't apply limits, and the JSON form has those of `serde_json`.
///
/// The defaults are far above what real payloads hold; services that read from strangers lower
/// them. The specification of GCF asks every implementation for lines of at least 65,536 bytes and
/// containers of at least 10,000 items (section 12).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes in one line of text, without its line ending, and in one string of a binary format.
    /// Default 1 MiB: the longest signatures seen in practice stay under 64 KiB, and a streaming
    /// reader has to hold one line or string in memory.
    pub line_bytes: usize,
    /// Symbols in a payload, and, counted apart, edges. Default 2^24: so many symbols take
    /// 2.4 GB in memory and so many edges 0.9 GB, and 32-bit indices reach them.
    pub items: usize,
}

impl Limits {
    /// The defaults, for use in constants.
    pub const DEFAULT: Limits = Limits { line_bytes: 1 << 20, items: 1 << 24 };

    /// Sets the longest line or string, in bytes (default 1 MiB).
    #[must_use]
    pub const fn with_line_bytes(mut self, bytes: usize) -> Self {
        self.line_bytes = bytes;
        self
    }

    /// Sets the largest number of symbols, and of edges (default 2^24).
    #[must_use]
    pub const fn with_items(mut self, items: usize) -> Self {
        self.items = items;
        self
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits::DEFAULT
    }
}
