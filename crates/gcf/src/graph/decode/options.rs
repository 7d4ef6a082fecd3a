//! The options of decoding.

use wire_core::Limits;

/// Decodes payloads, with options.
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

/// What the end of the input must look like (ruling A2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum FinalNewline {
    /// The final line ending may be missing when a count shows that the payload is complete.
    #[default]
    UnlessCounted,
    Required,
}

impl Decoder {
    /// A strict decoder of every dialect, with the default limits. It accepts a missing final
    /// newline when a declared count shows that the payload is complete.
    pub const fn new() -> Self {
        Decoder { limits: Limits::DEFAULT, final_newline: FinalNewline::UnlessCounted }
    }

    /// Sets the limits (default [`Limits::DEFAULT`]).
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets whether input is an error when its last line has no line ending (default `false`: it is
    /// accepted when a declared count shows that the payload is complete). With `true`, every
    /// truncation of a payload with counts is detected.
    #[must_use]
    pub const fn require_final_newline(mut self, required: bool) -> Self {
        self.final_newline =
            if required { FinalNewline::Required } else { FinalNewline::UnlessCounted };
        self
    }
}
