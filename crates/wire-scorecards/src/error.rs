//! Why nothing can be measured.

use std::io;
use std::path::PathBuf;

use wire_core::CodecError;
use wire_core::text::escaped;

/// Why nothing can be measured.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no folder of payloads.
    #[error("{} has no payloads, expected the folder `fixtures` of the repository", escaped(&folder.to_string_lossy()))]
    NoFixtures {
        /// The searched path.
        folder: PathBuf,
    },
    /// There are no documents in a folder.
    #[error("{} has no JSON files, expected some, or folders with some: `cargo xtask real-data` collects them", escaped(&folder.to_string_lossy()))]
    NoDocuments {
        /// The searched path.
        folder: PathBuf,
    },
    /// A file can't be read.
    #[error("{} can't be read: {source}", escaped(file))]
    Input {
        /// The file.
        file: String,
        /// The error of the system.
        source: io::Error,
    },
    /// A payload or a response is not valid.
    #[error("{}: {source}", escaped(file))]
    Decode {
        /// The file, or what the text is called.
        file: String,
        /// The bytes that were read.
        input: Vec<u8>,
        /// The error with its position.
        source: CodecError,
    },
    /// A format can't represent a payload or a response.
    #[error("{} can't be written as {format}: {source}", escaped(file))]
    Encode {
        /// The file, or what the payload is called.
        file: String,
        /// The name of the format.
        format: &'static str,
        /// Why it can't.
        source: CodecError,
    },
}

impl Error {
    /// The input can't be decoded.
    pub(crate) fn decode(
        file: impl Into<String>,
        input: impl Into<Vec<u8>>,
        source: impl Into<CodecError>,
    ) -> Self {
        Error::Decode { file: file.into(), input: input.into(), source: source.into() }
    }

    /// Something can't be written in a format.
    pub(crate) fn encode(
        file: impl Into<String>,
        format: &'static str,
        source: impl Into<CodecError>,
    ) -> Self {
        Error::Encode { file: file.into(), format, source: source.into() }
    }
}
