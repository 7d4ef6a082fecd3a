//! Writing an output, whole or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use crate::failure::{Failure, called};

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
/// there and is no regular file (a pipe, `/dev/null`), and what is open already (`/dev/stdout`,
/// `/dev/fd/3`), is appended to as it is.
pub(crate) fn to_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    write(path, bytes).map_err(|source| Failure::output(called(path, STDOUT), source))
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A link is followed, and one that leads nowhere is an error.
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() && !is_descriptor(path) => {
            // Whoever may not write the file may not replace it.
            fs::OpenOptions::new().write(true).open(path)?;
            replace(&fs::canonicalize(path)?, bytes, Some(metadata.permissions()))
        }
        Ok(_) => {
            let mut file = fs::OpenOptions::new().append(true).open(path)?;
            file.write_all(bytes)?;
            file.flush()
        }
        Err(_) if fs::symlink_metadata(path).is_err() => replace(path, bytes, None),
        Err(error) => Err(error),
    }
}

/// Whether the path names what a process has open, whatever that is.
fn is_descriptor(path: &Path) -> bool {
    ["/dev/stdout", "/dev/stderr"].iter().any(|name| path == Path::new(name))
        || path.starts_with("/dev/fd")
        || path.starts_with("/proc")
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
        // A new file is what the umask leaves; one that takes another's place is its owner's until then.
        builder.permissions(fs::Permissions::from_mode(if existing.is_some() {
            0o600
        } else {
            0o666
        }));
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
