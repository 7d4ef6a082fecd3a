//! Reading an input.

use std::fs;
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use wire_core::CodecError;

use crate::failure::{Failure, called};

/// An input that has been read.
pub(crate) struct Input {
    /// How messages call it.
    pub(crate) name: String,
    path: PathBuf,
    has_mark: bool,
    pub(crate) bytes: Vec<u8>,
}

impl Input {
    /// Reads a file, or standard input for `-`.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let name = called(path, "standard input");
        let bytes = if path.as_os_str() == "-" {
            if io::stdin().is_terminal() {
                // Who has forgotten the file would wait as long.
                let _ = writeln!(
                    anstream::stderr(),
                    "reading standard input up to its end, as Ctrl-D in a terminal"
                );
            }
            let mut bytes = Vec::new();
            io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
        } else {
            fs::read(path)
        };
        match bytes {
            Ok(bytes) => {
                // A mark of the byte order says nothing of UTF-8, and no format begins with one.
                let (bytes, has_mark) = match bytes.strip_prefix(b"\xef\xbb\xbf") {
                    Some(rest) => (rest.to_vec(), true),
                    None => (bytes, false),
                };
                Ok(Input { name, path: path.to_owned(), has_mark, bytes })
            }
            Err(source) => Err(Failure::input(name, &source)),
        }
    }

    /// Whether a mark of the byte order stood in front, which is not among the bytes.
    pub(crate) fn had_byte_order_mark(&self) -> bool {
        self.has_mark
    }

    /// The failure of a decoder that does not take it.
    pub(crate) fn refused(&self, error: CodecError) -> Failure {
        Failure::decode(self.name.clone(), self.bytes.clone(), error)
    }

    /// The extension of its name.
    pub(crate) fn extension(&self) -> Option<&str> {
        self.path.extension()?.to_str()
    }
}
