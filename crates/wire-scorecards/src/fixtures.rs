//! The payloads of the repository.

use std::fs;
use std::path::PathBuf;

use crate::Error;

/// The folder `fixtures`.
#[derive(Clone, Debug)]
pub(crate) struct Fixtures {
    pub(crate) folder: PathBuf,
}

impl Fixtures {
    /// A folder below it.
    pub(crate) fn below(&self, path: &str) -> Result<PathBuf, Error> {
        let folder = self.folder.join(path);
        if folder.is_dir() {
            return Ok(folder);
        }
        Err(Error::NoFixtures { folder: self.folder.clone() })
    }

    /// A file below it: how messages call it, and its text without the last line ending.
    pub(crate) fn read(&self, path: &str) -> Result<(String, String), Error> {
        let path = self.folder.join(path);
        let file = path.display().to_string();
        match fs::read_to_string(&path) {
            Ok(text) => Ok((file, text.trim_end().to_owned())),
            Err(_) if !self.folder.is_dir() => {
                Err(Error::NoFixtures { folder: self.folder.clone() })
            }
            Err(source) => Err(Error::Input { file, source }),
        }
    }
}
