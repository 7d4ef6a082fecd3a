//! Bounds on the memory and time that hostile input can use.

/// The maximum depth of nested arrays and objects of a JSON value, for format crates. It is that of
/// `serde_json`, so that everything that is written can be read. It can't be set.
pub const MAX_NESTING: usize = 127;

/// The limits that a decoder applies; input beyond them is an error, and is never truncated
/// silently. Encoders don't apply limits, and the JSON form has those of `serde_json`.
///
/// The defaults are far above real payloads. Services that read untrusted input can lower them. The
/// specification of GCF requires at least 65,536 bytes a line and 10,000 items a container (section
/// 12).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of one line of text, without its line ending, and of one string of a binary format
    /// (default 1 MiB). The longest signatures seen in practice are below 64 KiB, and a streaming
    /// reader keeps one line or string in memory.
    pub line_bytes: usize,
    /// Symbols of a payload and, counted separately, its edges (default 2^24). 2^24 symbols use 2.4
    /// GB of memory and 2^24 edges 0.9 GB, and both can be indexed with 32 bits.
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
