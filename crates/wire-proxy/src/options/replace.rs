//! Replacing a file: whole or not at all, with a copy beside it.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Replaces the text of a file, which keeps its permissions, and returns the path of the backup: the
/// file as it was when it last had no proxy in it.
///
/// # Errors
///
/// The file is read-only, or has changed since it was read: clients write their own configuration
/// while they run.
pub(crate) fn replace(path: &Path, read: &str, text: &str) -> io::Result<PathBuf> {
    let path = writable(path)?;
    let backup = beside(&path, ".before-wire-proxy");
    // A file with the proxy in it is no backup, unless there is none.
    if !read.contains("wire-proxy") || !backup.try_exists()? {
        copy(&path, &backup, read)?;
    }
    exchange(&path, read, Some(text))?;
    Ok(backup)
}

/// Takes the proxy out of a file, or removes the file, and returns the path of a copy with it. The
/// backup of [`replace`] goes if it is equal to the new text.
///
/// # Errors
///
/// As of [`replace`].
pub(crate) fn undo(path: &Path, read: &str, text: Option<&str>) -> io::Result<PathBuf> {
    let path = writable(path)?;
    let with = beside(&path, ".with-wire-proxy");
    copy(&path, &with, read)?;
    exchange(&path, read, text)?;
    // The backup has become the same as the file.
    let before = beside(&path, ".before-wire-proxy");
    if text.is_some_and(|text| fs::read(&before).is_ok_and(|copy| copy == text.as_bytes())) {
        fs::remove_file(before)?;
    }
    Ok(with)
}

/// The byte order mark that may begin a file, and the text.
pub(crate) fn split_mark(whole: &str) -> (&str, &str) {
    const MARK: char = '\u{feff}';
    whole.split_at(if whole.starts_with(MARK) { MARK.len_utf8() } else { 0 })
}

/// Replaces the text of a file without a copy of it.
///
/// # Errors
///
/// As of [`replace`].
pub(crate) fn rewrite(path: &Path, read: &str, text: &str) -> io::Result<()> {
    exchange(&writable(path)?, read, Some(text))
}

/// The file that is written: the target of a link is, and the link stays.
fn writable(path: &Path) -> io::Result<PathBuf> {
    let path = fs::canonicalize(path)?;
    if fs::metadata(&path)?.permissions().readonly() {
        return Err(io::Error::other("it is read-only, and stays as it is"));
    }
    Ok(path)
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().map(OsString::from).unwrap_or_default();
    name.push(ending);
    path.with_file_name(name)
}

fn copy(path: &Path, to: &Path, read: &str) -> io::Result<()> {
    complete(to, read.as_bytes(), fs::metadata(path)?.permissions())?.persist(to)?;
    Ok(())
}

fn exchange(path: &Path, read: &str, text: Option<&str>) -> io::Result<()> {
    let permissions = fs::metadata(path)?.permissions();
    let file = text.map(|text| complete(path, text.as_bytes(), permissions)).transpose()?;
    if fs::read(path)? != read.as_bytes() {
        return Err(io::Error::other(
            "another program changed it at the same time, so it was not written; end the client, and run the command again",
        ));
    }
    match file {
        Some(file) => file.persist(path).map(drop).map_err(io::Error::from),
        None => fs::remove_file(path),
    }
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
