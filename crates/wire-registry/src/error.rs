//! The errors of a registry.

use wire_core::ErrorDetail;
use wire_core::{CodecError, EdgeNameError, Position};

use crate::smallest::NothingHolds;

/// Another codec already has this name or alias.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the format name {name:?} is already registered, expected an unused name")]
pub struct DuplicateName {
    /// The name.
    pub name: &'static str,
}

/// No codec has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no format {name:?}, expected one of: {}", known.join(", "))]
pub struct UnknownFormat {
    /// The name.
    pub name: String,
    /// The names of the registered codecs, without aliases, in the order of registration.
    pub known: Vec<&'static str>,
}

/// Why [`Registry::encode`](crate::Registry::encode) or
/// [`Registry::decode`](crate::Registry::decode) failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RegistryError {
    /// No codec has this name.
    #[error(transparent)]
    UnknownFormat(#[from] UnknownFormat),
    /// The codec failed.
    #[error(transparent)]
    Codec(#[from] CodecError),
    /// No format can represent the payload.
    #[error(transparent)]
    NothingHolds(#[from] NothingHolds),
}

impl RegistryError {
    /// The stable code: `unknown_format`, `nothing_holds`, or the codec's.
    pub fn code(&self) -> &'static str {
        match self {
            RegistryError::UnknownFormat(_) => "unknown_format",
            RegistryError::Codec(error) => error.code(),
            RegistryError::NothingHolds(_) => "nothing_holds",
        }
    }
}

/// The error of a codec whose edges have names: a name that no symbol has, or more than one.
/// `name` is what the format calls it.
#[cold]
pub(crate) fn name_error(
    found: &EdgeNameError,
    position: Option<Position>,
    name: &str,
) -> CodecError {
    let message = format!("{found}, expected the {name} of exactly one symbol");
    CodecError::new(found.code(), position, ErrorDetail::new(found.code(), position, message))
}
