//! The sizes up to which frames and texts are read; larger ones pass unchanged (ruling M7: limits
//! are sizes, never times).

/// The most members of an object, or elements of an array, in the parts of a frame that are read.
pub(crate) const MAX_ITEMS: usize = 10_000;
/// The maximum length of the name of a tool or client, or of an id, in bytes.
pub(crate) const MAX_NAME_BYTES: usize = 1024;

/// Sizes above which frames and texts pass unchanged. Names and ids of more than 1 KiB always pass
/// unchanged; so do arrays and objects of more than 10,000 members, where the proxy reads each
/// member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of a frame. Default: 64 MiB.
    pub frame_bytes: usize,
    /// Bytes of all texts of one result. Default: 4 MiB, which take up to two seconds.
    pub text_bytes: usize,
    /// The number of requests without an answer that are remembered. The answers of older ones pass
    /// unchanged. Default: 16,384.
    pub requests: usize,
    /// The number of listed tools that are remembered. Default: 16,384.
    pub tools: usize,
}

impl Limits {
    /// The default limits.
    pub const DEFAULT: Limits =
        Limits { frame_bytes: 64 << 20, text_bytes: 4 << 20, requests: 16_384, tools: 16_384 };

    /// Sets the bytes of a frame.
    #[must_use]
    pub const fn with_frame_bytes(mut self, bytes: usize) -> Self {
        self.frame_bytes = bytes;
        self
    }

    /// Sets the bytes of all texts of one result.
    #[must_use]
    pub const fn with_text_bytes(mut self, bytes: usize) -> Self {
        self.text_bytes = bytes;
        self
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits::DEFAULT
    }
}
