//! The destinations of outputs: standard output, a file, or a folder with a file for each input.

use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use wire_core::Codec;
use wire_registry::{Registry, UnknownFormat};

use crate::args::DestinationOptions;
use crate::converted::Remark;
use crate::failure::{Failure, called, shown};
use crate::inputs::{Work, Works};
use crate::output::{self, Stopped};

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
            // Of an unknown extension any two would be too many.
            let path = place(folder, work, extension.unwrap_or_default());
            // What becomes of it may have the extension that it has.
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

    /// Whether the output of an input is there already, with one of these extensions, and is to be
    /// left as it is.
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
        output::write(destination, write)
    }
}

/// The destination of an input in a folder.
fn place(folder: &Path, work: &Work, extension: &str) -> PathBuf {
    folder.join(&work.relative).with_extension(extension)
}

/// Whether two paths are one file that is there.
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
