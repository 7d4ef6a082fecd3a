//! Replacing a file: whole or not at all, with a backup.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What the name of a backup ends with.
const BACKUP: &str = ".before-wire-proxy";

/// Replaces the text of a file, which keeps its permissions, and returns where the one that was is.
pub(crate) fn replace(path: &Path, text: &str) -> io::Result<PathBuf> {
    // What a link leads to is replaced, and the link stays.
    let path = fs::canonicalize(path)?;
    let mut name = path.file_name().map(OsString::from).unwrap_or_default();
    name.push(BACKUP);
    let backup = path.with_file_name(name);
    let permissions = fs::metadata(&path)?.permissions();
    whole(&backup, &fs::read(&path)?, permissions.clone())?;
    whole(&path, text.as_bytes(), permissions)?;
    Ok(backup)
}

/// Writes into a file beside it that takes its name once it is complete.
fn whole(path: &Path, bytes: &[u8], permissions: fs::Permissions) -> io::Result<()> {
    let folder = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().set_permissions(permissions)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}
