//! Writing an output, whole or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use crate::failure::{Failure, shown};

/// How messages call standard output.
pub(crate) const STDOUT: &str = "standard output";

/// Writes to standard output.
pub(crate) fn to_stdout(bytes: &[u8]) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    stdout
        .write_all(bytes)
        .and_then(|()| stdout.flush())
        .map_err(|source| Failure::output(STDOUT, source))
}

/// Writes a file: into a temporary one beside it, which takes its name once it is complete. What is
/// there and is no regular file (a pipe, `/dev/null`) is written to as it is.
pub(crate) fn to_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    // Not a file to replace, whatever it leads to.
    if ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|name| path == Path::new(name)) {
        return to_stdout(bytes);
    }
    write(path, bytes).map_err(|source| Failure::output(shown(path, STDOUT), source))
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if fs::symlink_metadata(path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
        return replace(path, bytes, None);
    }
    // Through a symbolic link, not over it; one that leads nowhere is an error.
    let path = fs::canonicalize(path)?;
    let metadata = fs::metadata(&path)?;
    if metadata.is_file() && !path.starts_with("/proc") && !path.starts_with("/dev") {
        return replace(&path, bytes, Some(metadata.permissions()));
    }
    let mut file = fs::OpenOptions::new().append(true).open(&path)?;
    file.write_all(bytes)?;
    file.flush()
}

fn replace(path: &Path, bytes: &[u8], existing: Option<fs::Permissions>) -> io::Result<()> {
    if existing.as_ref().is_some_and(fs::Permissions::readonly) {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only"));
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    // Said in the system's words, and not with the name of a temporary file.
    fs::metadata(folder)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".wirefmt-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666)); // less the umask
    }
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.flush()?;
    if let Some(permissions) = existing {
        file.as_file().set_permissions(permissions)?;
    }
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}
