//! A folder that the processes of one machine share and that outlives them: a file for each text.
//! Texts are checked when they are read, so a file that is torn or of somebody else does no harm.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, SystemTime};

use gcf::graph::StoreError;

use crate::engine::{Answer, Engine};

/// What the names of our files begin with; all others are left alone.
const PREFIX: &str = "wire-";

#[derive(Clone, Debug)]
pub(crate) struct Folder(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    path: PathBuf,
    /// The bytes of all files, as far as sweeping keeps it.
    most: u64,
    /// The age from which a file is gone.
    age: Duration,
    /// The bytes of the longest text.
    longest: u64,
    /// The bytes that were written since the last sweep.
    written: AtomicU64,
}

impl Folder {
    /// Makes the folder if it is missing, for this user alone, and sweeps it.
    pub(crate) fn open(path: &Path, most: u64, age: Duration, longest: u64) -> io::Result<Self> {
        let mut builder = fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.recursive(true).create(path)?;
        let path = path.to_owned();
        let shared = Shared { path, most, age, longest, written: AtomicU64::new(0) };
        shared.sweep()?;
        Ok(Folder(Arc::new(shared)))
    }

    /// Does work on the file of a key, where it keeps no other request waiting.
    fn with<T: Send + 'static>(
        &self,
        key: &str,
        work: impl FnOnce(&Folder, &Path) -> io::Result<T> + Send + 'static,
    ) -> Answer<'static, T> {
        let (folder, file) = (self.clone(), self.0.path.join(key.replace(':', "-")));
        let task = tokio::task::spawn_blocking(move || work(&folder, &file));
        Box::pin(async { task.await.map_err(StoreError::new)?.map_err(StoreError::new) })
    }
}

impl Engine for Folder {
    fn get<'a>(&'a self, key: &'a str) -> Answer<'a, Option<Vec<u8>>> {
        self.with(key, |folder, path| folder.0.read(path))
    }

    fn put<'a>(&'a self, key: &'a str, text: Vec<u8>) -> Answer<'a, ()> {
        self.with(key, move |Folder(shared), path| {
            if shared.write(path, &text)? {
                let shared = Arc::clone(shared);
                // It may take longer than who writes would wait.
                tokio::task::spawn_blocking(move || {
                    if let Err(error) = shared.sweep() {
                        tracing::debug!(%error, "the folder of the store can't be swept");
                    }
                });
            }
            Ok(())
        })
    }

    fn remove<'a>(&'a self, key: &'a str) -> Answer<'a, ()> {
        self.with(key, |_, path| removed(fs::remove_file(path)))
    }
}

impl Shared {
    fn read(&self, path: &Path) -> io::Result<Option<Vec<u8>>> {
        let file = match File::open(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            file => file?,
        };
        if self.is_old(file.metadata()?.modified()?) {
            return removed(fs::remove_file(path)).map(|()| None);
        }
        let mut text = Vec::new();
        file.take(self.longest).read_to_end(&mut text)?;
        Ok(Some(text))
    }

    /// Writes a file whole or not at all; `true` if the folder should be swept.
    fn write(&self, path: &Path, text: &[u8]) -> io::Result<bool> {
        let mut part = tempfile::Builder::new().prefix(PREFIX).tempfile_in(&self.path)?;
        part.write_all(text)?;
        part.persist(path)?;
        let bytes = text.len() as u64;
        let written = self.written.fetch_add(bytes, Relaxed) + bytes;
        let is_due = written > self.most / 16;
        if is_due {
            self.written.store(0, Relaxed);
        }
        Ok(is_due)
    }

    fn is_old(&self, written: SystemTime) -> bool {
        written.elapsed().is_ok_and(|age| age > self.age)
    }

    /// Removes files that are too old, and then the oldest until the rest fits.
    fn sweep(&self) -> io::Result<()> {
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            // Another process may remove a file at the same time.
            let (Ok(metadata), true) = (
                entry.metadata(),
                entry.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes()),
            ) else {
                continue;
            };
            if metadata.is_file() {
                files.push((metadata.modified()?, metadata.len(), entry.path()));
            }
        }
        files.sort_unstable_by(|a, b| b.cmp(a));
        let mut bytes = 0;
        for (written, length, path) in files {
            bytes += length;
            if bytes > self.most || self.is_old(written) {
                removed(fs::remove_file(path))?;
            }
        }
        Ok(())
    }
}

/// A file that is already gone is removed.
fn removed(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        result => result,
    }
}
