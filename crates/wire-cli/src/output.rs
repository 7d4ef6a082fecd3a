//! Writing an output, whole or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use crate::failure::Failure;

/// Writes to standard output.
pub(crate) fn to_stdout(bytes: &[u8]) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    stdout
        .write_all(bytes)
        .and_then(|()| stdout.flush())
        .map_err(|source| Failure::output("standard output", source))
}

/// Writes a file: into a temporary one beside it, which takes its name once it is complete. What is
/// there and is no regular file (a pipe, `/dev/null`) is written to as it is.
pub(crate) fn to_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let written = match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => fs::OpenOptions::new()
            .write(true)
            .open(path)
            .and_then(|mut file| file.write_all(bytes).and_then(|()| file.flush())),
        existing => replace(path, bytes, existing.ok().as_ref()),
    };
    written.map_err(|source| Failure::output(path.display().to_string(), source))
}

fn replace(path: &Path, bytes: &[u8], existing: Option<&fs::Metadata>) -> io::Result<()> {
    // Through a symbolic link, not over it.
    let path = if existing.is_some() { fs::canonicalize(path)? } else { path.to_owned() };
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
        let mode = existing.map_or(0o666, |metadata| metadata.permissions().mode());
        builder.permissions(fs::Permissions::from_mode(mode));
    }
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.flush()?;
    file.persist(&path).map_err(|error| error.error)?;
    Ok(())
}
