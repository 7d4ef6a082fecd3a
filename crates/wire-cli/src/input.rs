//! Reading an input, and telling its format.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use wire_core::Codec;
use wire_registry::Registry;

use crate::failure::{Failure, called};

/// An input that has been read.
pub(crate) struct Input {
    /// How messages call it.
    pub(crate) name: String,
    path: PathBuf,
    pub(crate) bytes: Vec<u8>,
}

impl Input {
    /// Reads a file, or standard input for `-`.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let name = called(path, "standard input");
        let bytes = if path.as_os_str() == "-" {
            let mut bytes = Vec::new();
            io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
        } else {
            fs::read(path)
        };
        match bytes {
            Ok(bytes) => {
                // A mark of the byte order says nothing of UTF-8, and no format begins with one.
                let bytes = match bytes.strip_prefix(b"\xef\xbb\xbf") {
                    Some(rest) => rest.to_vec(),
                    None => bytes,
                };
                Ok(Input { name, path: path.to_owned(), bytes })
            }
            Err(source) => Err(Failure::Input { file: name, source }),
        }
    }

    /// The extension of its name.
    pub(crate) fn extension(&self) -> Option<&str> {
        self.path.extension()?.to_str()
    }

    /// The codec that was named, or that the first bytes, or else the extension, tell.
    pub(crate) fn codec<'r>(
        &self,
        named: Option<&str>,
        registry: &'r Registry,
    ) -> Result<&'r dyn Codec, Failure> {
        if let Some(name) = named {
            return registry
                .get(name)
                .map_err(|error| Failure::Usage { message: error.to_string() });
        }
        registry
            .detect(&self.bytes)
            .or_else(|| registry.by_extension(self.path.extension()?.to_str()?))
            .ok_or_else(|| Failure::UnknownInput {
                file: self.name.clone(),
                empty: self.bytes.is_empty(),
            })
    }
}
