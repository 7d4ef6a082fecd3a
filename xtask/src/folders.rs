//! Folders, with errors that name them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::tools::Outcome;

/// Makes a folder in which nothing is.
pub fn emptied(folder: &Path) -> Outcome {
    let gone = if folder.exists() { fs::remove_dir_all(folder) } else { Ok(()) };
    gone.and_then(|()| fs::create_dir_all(folder))
        .map_err(|error| format!("{}: {error}", folder.display()))
}

/// What is in a folder, in the order of the names.
pub fn listed(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

/// Removes a folder, since the disk is small.
pub fn remove(folder: &Path) -> Outcome {
    fs::remove_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))
}
