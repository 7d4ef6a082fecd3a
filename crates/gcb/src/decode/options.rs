//! The options of decoding.

use wire_core::Limits;

use crate::{Error, ErrorKind};

/// Decodes payloads, with options.
///
/// ```
/// let mut bytes = gcb::to_vec(&wire_core::Payload {
///     symbols: vec![wire_core::Symbol::new("function", "a")],
///     ..Default::default()
/// })?;
/// bytes[12] = 99; // the kind
/// let decoder = gcb::Decoder::new();
/// assert_eq!(decoder.from_slice(&bytes).unwrap_err().code(), "unknown_id");
/// let payload = decoder.unknown_ids_as_words(true).from_slice(&bytes)?;
/// assert_eq!(payload.symbols[0].kind.as_str(), "unknown_99");
/// # Ok::<(), gcb::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Decoder {
    pub(crate) limits: Limits,
    pub(crate) unknown_ids: UnknownIds,
}

/// The treatment of an enum byte that is not in its table (ruling B3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum UnknownIds {
    /// It is an error.
    #[default]
    Refuse,
    /// The value is the name `unknown_N`.
    AsWords,
}

impl UnknownIds {
    /// The name of an unknown id.
    #[cold]
    pub(crate) fn word(id: u8) -> String {
        format!("unknown_{id}")
    }
}

impl Decoder {
    /// A strict decoder with the default limits.
    pub const fn new() -> Self {
        Decoder { limits: Limits::DEFAULT, unknown_ids: UnknownIds::Refuse }
    }

    /// Sets the limits (default [`Limits::DEFAULT`]).
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets whether an enum byte that is not in its table is read as the name `unknown_N` (default
    /// `false`: an error). It is for readers that are older than their input.
    #[must_use]
    pub const fn unknown_ids_as_words(mut self, as_words: bool) -> Self {
        self.unknown_ids = if as_words { UnknownIds::AsWords } else { UnknownIds::Refuse };
        self
    }
}

#[cold]
pub(crate) fn unknown_id(what: &str, id: u8, offset: u64) -> Error {
    let message = format!("the {what} is {id}, expected an id of the format's table");
    Error::decode(ErrorKind::UnknownId, offset, message)
}
