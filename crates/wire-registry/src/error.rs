//! What can go wrong in a registry.

use wire_core::CodecError;

use crate::smallest::NothingHolds;

/// A codec's name or alias is taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the format name {name:?} is already registered, expected a name of its own")]
pub struct DuplicateName {
    /// The name.
    pub name: &'static str,
}

/// No codec has the name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no format {name:?}, expected one of: {}", known.join(", "))]
pub struct UnknownFormat {
    /// The name.
    pub name: String,
    /// The names that there are, without aliases, in the order of registration.
    pub known: Vec<&'static str>,
}

/// Why [`Registry::encode`](crate::Registry::encode) or
/// [`Registry::decode`](crate::Registry::decode) failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RegistryError {
    /// No codec has the name.
    #[error(transparent)]
    UnknownFormat(#[from] UnknownFormat),
    /// The codec failed.
    #[error(transparent)]
    Codec(#[from] CodecError),
    /// No format holds the payload.
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
