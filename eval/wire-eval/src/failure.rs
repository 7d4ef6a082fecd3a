//! Failures and their exit codes.

use std::fmt;
use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;

/// Why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The content of a file is not valid.
    Data { file: String, message: String },
    /// The request can't be fulfilled.
    Usage(String),
    /// A file can't be read.
    Input { file: String, source: io::Error },
    /// A file can't be written.
    Output { file: String, source: io::Error },
    /// The provider refuses every call.
    Provider(String),
}

impl Failure {
    /// The exit code: 1 the data is wrong, 2 usage, 3 input, output or provider.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Failure::Data { .. } => 1,
            Failure::Usage(_) => 2,
            Failure::Input { .. } | Failure::Output { .. } | Failure::Provider(_) => 3,
        }
    }

    /// Returns `true` if whoever read our output has had enough.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        matches!(self, Failure::Output { source, .. } if source.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Data { file, message } => write!(f, "{file}: {message}"),
            Failure::Usage(message) | Failure::Provider(message) => f.write_str(message),
            Failure::Input { file, source } => write!(f, "{file} can't be read: {source}"),
            Failure::Output { file, source } => write!(f, "{file} can't be written: {source}"),
        }
    }
}

/// The text of a file, or of standard input for `-`.
pub(crate) fn read(path: &Path) -> Result<String, Failure> {
    let text = if path.as_os_str() == "-" {
        let mut text = String::new();
        io::stdin().lock().read_to_string(&mut text).map(|_| text)
    } else {
        fs::read_to_string(path)
    };
    text.map_err(|source| Failure::Input { file: path.display().to_string(), source })
}

/// Writes a file as a whole or not at all.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let failed = |source| Failure::Output { file: path.display().to_string(), source };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // What the umask leaves, as of any file.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder.unwrap_or(Path::new("."))).map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// Writes to standard output. What a provider or a program said in it can't move the cursor, or
/// hide.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let lines: Vec<String> = text.split('\n').map(wire_core::text::escaped).collect();
    out.write_all(lines.join("\n").as_bytes())
        .and_then(|()| out.flush())
        .map_err(|source| Failure::Output { file: "standard output".to_owned(), source })
}

/// Says something on standard error. Nobody may read it.
pub(crate) fn say(what: &str, text: &str) {
    let text = wire_core::text::escaped(text);
    writeln!(anstream::stderr(), "{what}: {text}").ok();
}
