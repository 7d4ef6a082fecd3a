//! Replacing a file: whole or not at all, with a backup.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The ending of the backup's name.
const BACKUP: &str = ".before-wire-proxy";

/// Replaces the text of a file, which keeps its permissions, and returns the path of the backup: the
/// file as it was when it last had no proxy in it.
///
/// # Errors
///
/// The file has changed since it was read: clients write their own configuration while they run.
pub(crate) fn replace(path: &Path, read: &str, text: &str) -> io::Result<PathBuf> {
    // The target of a link is replaced, and the link stays.
    let path = fs::canonicalize(path)?;
    let permissions = fs::metadata(&path)?.permissions();
    let backup = backup(&path, read, &permissions)?;
    let file = complete(&path, text.as_bytes(), permissions)?;
    if fs::read(&path)? != read.as_bytes() {
        return Err(io::Error::other(
            "another program changed it at the same time, so it was not written; end the client, and run the command again",
        ));
    }
    file.persist(&path)?;
    Ok(backup)
}

/// The backup beside a file. A file with the proxy in it is no backup, unless there is none.
fn backup(path: &Path, read: &str, permissions: &fs::Permissions) -> io::Result<PathBuf> {
    let mut name = path.file_name().map(OsString::from).unwrap_or_default();
    name.push(BACKUP);
    let backup = path.with_file_name(name);
    if !read.contains("wire-proxy") || !backup.try_exists()? {
        complete(&backup, read.as_bytes(), permissions.clone())?.persist(&backup)?;
    }
    Ok(backup)
}

/// A complete file in the folder of another one, which it can replace.
fn complete(
    path: &Path,
    bytes: &[u8],
    permissions: fs::Permissions,
) -> io::Result<tempfile::NamedTempFile> {
    let folder = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().set_permissions(permissions)?;
    file.as_file().sync_all()?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_was_changed_meanwhile_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        fs::write(&path, "changed").unwrap();
        let error = replace(&path, "read", "new").unwrap_err();
        assert!(error.to_string().contains("another program changed it"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "changed");
        replace(&path, "changed", "new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    }
}
