//! Where the output of each input goes; and writing it, whole or not at all.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use wire_core::Codec;
use wire_registry::{Registry, UnknownFormat};

use crate::args::DestinationOptions;
use crate::diagnostic::Remark;
use crate::failure::{Failure, STDOUT, called, shown};
use crate::input::{Work, Works};
use crate::signals::Writing;

impl DestinationOptions {
    /// The file of `--output`; `None` if that is standard output, or not given.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| path.as_os_str() != "-")
    }
}

/// The destination of each of several inputs.
pub(crate) struct Destinations<'o> {
    options: &'o DestinationOptions,
}

impl<'o> Destinations<'o> {
    /// Computes the destinations. In a folder, each input has a file under its relative path, with
    /// this extension. `extension` is `None` if it is not known yet.
    pub(crate) fn new(
        options: &'o DestinationOptions,
        works: &Works,
        extension: Option<&str>,
    ) -> Result<Self, Failure> {
        let usage = |message: String| Err(Failure::usage(message));
        let Some(folder) = &options.output_dir else {
            if options.skip_existing {
                return usage(
                    "--skip-existing needs --output-dir, the folder to look in".to_owned(),
                );
            }
            if !works.is_single {
                let count = works.files.len();
                return usage(format!(
                    "{count} files, or those of a folder or pattern, can't be written to one file, expected --output-dir"
                ));
            }
            return Ok(Destinations { options });
        };
        let destinations = Destinations { options };
        let mut taken: HashMap<PathBuf, &Work> = HashMap::with_capacity(works.files.len());
        for work in &works.files {
            // Without the output's extension, inputs that differ only in theirs collide.
            let path = place(folder, work, extension.unwrap_or_default());
            // The output may keep the input's extension.
            let own = work.relative.extension().and_then(|own| own.to_str());
            let same = extension
                .or(own)
                .is_some_and(|extension| is_same(&place(folder, work, extension), &work.path));
            // What was written before, into the folder of its source, is there.
            if same && options.skip_existing {
                continue;
            }
            if same {
                return usage(format!(
                    "{} would be written over itself, expected another --output-dir",
                    shown(&called(&work.path, "-"))
                ));
            }
            if let Some(other) = taken.insert(path.clone(), work) {
                if options.skip_existing && path.exists() {
                    continue;
                }
                return usage(format!(
                    "{} and {} would both become {}, expected one of them, or a run for each",
                    shown(&called(&other.path, "-")),
                    shown(&called(&work.path, "-")),
                    shown(&path.display().to_string())
                ));
            }
        }
        Ok(destinations)
    }

    /// The file that the output of an input goes to; `None` for standard output.
    pub(crate) fn of(&self, work: &Work, extension: &str) -> Option<PathBuf> {
        match &self.options.output_dir {
            Some(folder) => Some(place(folder, work, extension)),
            None => self.options.file().map(Path::to_owned),
        }
    }

    /// Returns `true` if the output of an input is there already, with one of these extensions, and
    /// is to be left as it is.
    pub(crate) fn is_done(&self, work: &Work, extensions: &[&str]) -> bool {
        self.options.skip_existing
            && extensions
                .iter()
                .any(|extension| self.of(work, extension).is_some_and(|path| path.exists()))
    }

    /// Writes a file, and the folders that it is in; or standard output.
    pub(crate) fn write(&self, destination: Option<&Path>, bytes: &[u8]) -> Result<(), Failure> {
        self.write_with(destination, |writer| writer.write_all(bytes))
    }

    /// The same with what `write` writes.
    pub(crate) fn write_with<E: Into<Stopped>>(
        &self,
        destination: Option<&Path>,
        write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
    ) -> Result<(), Failure> {
        if let (Some(path), Some(_)) = (destination, &self.options.output_dir)
            && let Some(parent) = path.parent()
        {
            fs::create_dir_all(parent)
                .map_err(|source| Failure::output(parent.display().to_string(), &source))?;
        }
        self::write(destination, write)
    }
}

/// The destination of an input in a folder.
fn place(folder: &Path, work: &Work, extension: &str) -> PathBuf {
    folder.join(&work.relative).with_extension(extension)
}

/// Returns `true` if two paths are one file that is there.
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    one == other
        || matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(one), Ok(other)) if one == other)
}

/// The warning if the extension of the output is that of another format.
pub(crate) fn extension_remark(
    destination: Option<&Path>,
    registry: &Registry,
    format: &str,
) -> Option<Remark> {
    let destination = destination?;
    let codec = registry.by_extension(destination.extension()?.to_str()?)?;
    let other = codec.info().name();
    (!format.starts_with(other)).then(|| {
        let file = shown(&destination.display().to_string());
        let message =
            format!("{file} is written as {format}, and its extension is that of {other}");
        Remark::warning("extension", message)
    })
}

/// The codec of `--to`, or of the output's extension.
pub(crate) fn target<'r>(
    to: Option<&str>,
    destination: Option<&Path>,
    registry: &'r Registry,
) -> Result<Option<&'r dyn Codec>, Failure> {
    if let Some(name) = to {
        let usage = |error: UnknownFormat| Failure::usage(error.to_string());
        return registry.get(&name.to_ascii_lowercase()).map(Some).map_err(usage);
    }
    Ok(destination.and_then(|path| registry.by_extension(path.extension()?.to_str()?)))
}

/// Writes to standard output.
pub(crate) fn to_stdout(bytes: &[u8]) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    stdout
        .write_all(bytes)
        .and_then(|()| stdout.flush())
        .map_err(|source| Failure::output(STDOUT, &source))
}

/// Why an output is not written.
pub(crate) enum Stopped {
    /// The output can't be written.
    Output(io::Error),
    /// The source of the data failed.
    Failed(Failure),
}

impl From<io::Error> for Stopped {
    fn from(error: io::Error) -> Self {
        Stopped::Output(error)
    }
}

impl From<Failure> for Stopped {
    fn from(failure: Failure) -> Self {
        Stopped::Failed(failure)
    }
}

impl Stopped {
    fn failure(self, name: impl Into<String>) -> Failure {
        match self {
            Stopped::Output(source) => Failure::output(name, &source),
            Stopped::Failed(failure) => failure,
        }
    }

    /// The same without the name of a temporary file.
    fn without_name(self) -> Self {
        match self {
            Stopped::Output(error) => Stopped::Output(without_name(error)),
            failed @ Stopped::Failed(_) => failed,
        }
    }
}

/// Writes what `write` writes to a file (whole or not at all), or to standard output, where what
/// was written before a failure has been written.
pub(crate) fn write<E: Into<Stopped>>(
    destination: Option<&Path>,
    write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), Failure> {
    let write = |writer: &mut dyn Write| write(writer).map_err(Into::into);
    match destination {
        Some(path) => {
            write_file(path, write).map_err(|stopped| stopped.failure(called(path, STDOUT)))
        }
        None => {
            let mut stdout = io::BufWriter::new(io::stdout().lock());
            write(&mut stdout)
                .and_then(|()| Ok(stdout.flush()?))
                .map_err(|stopped| stopped.failure(STDOUT))
        }
    }
}

/// Writes a file: first into a temporary file in the same folder, which is renamed once it is
/// complete. An existing path that is not a regular file (a pipe, `/dev/null`), and what is open
/// already (`/dev/stdout`, `/dev/fd/3`), is appended to as it is.
fn write_file(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), Stopped>,
) -> Result<(), Stopped> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() && !is_descriptor(path) => {
            // Whoever may not write the file may not replace it.
            fs::OpenOptions::new().write(true).open(path)?;
            replace(&fs::canonicalize(path)?, write, Some(metadata.permissions()))
        }
        Ok(_) => {
            let file = fs::OpenOptions::new().append(true).open(path)?;
            let mut file = io::BufWriter::new(file);
            write(&mut file)?;
            Ok(file.flush()?)
        }
        Err(_) => replace(&followed(path)?, write, None),
    }
}

/// The target of a link to a file that does not exist yet; any other path unchanged.
fn followed(path: &Path) -> io::Result<PathBuf> {
    // As many as systems follow.
    const MOST: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST {
        if fs::symlink_metadata(&path).is_err() {
            return Ok(path);
        }
        // A user who may not read the link may not write to its target.
        let target = fs::read_link(&path)?;
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    // A circle, which the system has a name for.
    fs::metadata(&path).map(|_| path)
}

/// Returns `true` if the path names what a process has open, whatever that is.
fn is_descriptor(path: &Path) -> bool {
    ["/dev/stdout", "/dev/stderr"].iter().any(|name| path == Path::new(name))
        || path.starts_with("/dev/fd")
        || path.starts_with("/proc")
}

fn replace(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), Stopped>,
    existing: Option<fs::Permissions>,
) -> Result<(), Stopped> {
    if existing.as_ref().is_some_and(fs::Permissions::readonly) {
        let error = io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only");
        return Err(error.into());
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    // The error is that of the system, without the name of a temporary file.
    fs::metadata(folder)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".wirefmt-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // A new file has the permissions of the umask; a file that replaces another is private to
        // its owner until then.
        builder.permissions(fs::Permissions::from_mode(if existing.is_some() {
            0o600
        } else {
            0o666
        }));
    }
    let file = builder.tempfile_in(folder).map_err(without_name)?;
    let _writing = Writing::new(file.path().to_owned());
    let mut buffered = io::BufWriter::new(file);
    write(&mut buffered).map_err(Stopped::without_name)?;
    let file = buffered.into_inner().map_err(|error| without_name(error.into_error()))?;
    if let Some(permissions) = existing {
        file.as_file().set_permissions(permissions)?;
    }
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// The system's error, without the name of a temporary file around it.
fn without_name(error: io::Error) -> io::Error {
    let inner = error.get_ref().and_then(std::error::Error::source);
    let code = inner.and_then(|inner| inner.downcast_ref::<io::Error>());
    match code.and_then(io::Error::raw_os_error) {
        Some(code) => io::Error::from_raw_os_error(code),
        None => error,
    }
}
