//! The options of decoding.

use wire_core::Limits;

/// Options of decoding, and the decoder.
///
/// ```
/// let text = "GCF tool=t symbols=1\n## targets\n@0 fn pkg.Auth 0.78 lsp_resolved";
/// let decoder = gcf::graph::Decoder::new();
/// assert_eq!(decoder.from_str(text)?.symbols.len(), 1);
/// let error = decoder.require_final_newline(true).from_str(text).unwrap_err();
/// assert_eq!(error.code(), "missing_final_newline");
/// # Ok::<(), gcf::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Decoder {
    pub(in crate::graph) limits: Limits,
    pub(super) final_newline: FinalNewline,
}

/// What the end of the input must be (ruling A2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum FinalNewline {
    /// A missing line ending is fine when a count shows that the payload is whole.
    #[default]
    UnlessCounted,
    Required,
}

impl Decoder {
    /// A strict decoder of every dialect, with the default limits, that takes a missing final
    /// newline where a declared count shows that the payload is whole.
    pub const fn new() -> Self {
        Decoder { limits: Limits::DEFAULT, final_newline: FinalNewline::UnlessCounted }
    }

    /// Sets the limits (default [`Limits::DEFAULT`]).
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Whether input whose last line has no line ending is refused (default `false`: taken when a
    /// declared count shows that the payload is whole). With it no cut of a counted payload goes
    /// unnoticed.
    #[must_use]
    pub const fn require_final_newline(mut self, required: bool) -> Self {
        self.final_newline =
            if required { FinalNewline::Required } else { FinalNewline::UnlessCounted };
        self
    }
}
