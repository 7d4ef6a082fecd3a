//! The documents below a folder, and the known facts about their origin.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Error;

/// The description of a collection, in the file `sources.json` of its folder.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Sources {
    /// The day on which it was collected: `2026-11-24`.
    pub(crate) date: String,
    /// The programs that were asked, with their versions.
    pub(crate) tools: Vec<String>,
    documents: Vec<Source>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Source {
    kind: String,
    name: String,
    #[serde(rename = "source")]
    command: String,
}

/// A JSON document.
#[derive(Debug)]
pub(crate) struct Document {
    /// The folder that it is in.
    pub(crate) kind: String,
    pub(crate) name: String,
    /// The command that printed it, or what else is known of it.
    pub(crate) source: Option<String>,
    pub(crate) value: Value,
}

/// The documents of a folder, in the order of their paths, and the folder's description of them, if
/// there is one.
pub(crate) fn documents(folder: &Path) -> Result<(Vec<Document>, Option<Sources>), Error> {
    let sources: Option<Sources> = match folder.join("sources.json") {
        file if file.is_file() => Some(read(&file)?),
        _ => None,
    };
    let known: HashMap<(&str, &str), &str> = sources
        .iter()
        .flat_map(|sources| &sources.documents)
        .map(|it| ((&*it.kind, &*it.name), &*it.command))
        .collect();
    let mut documents = Vec::new();
    let here = folder.file_name().map(|name| name.to_string_lossy().into_owned());
    let below = folders(folder)?;
    for (kind, folder) in
        std::iter::once((here.unwrap_or_default(), folder.to_owned())).chain(below)
    {
        for (name, file) in files(&folder)? {
            let source = known.get(&(&*kind, &*name)).map(|&source| source.to_owned());
            documents.push(Document { kind: kind.clone(), name, source, value: read(&file)? });
        }
    }
    if documents.is_empty() {
        return Err(Error::NoDocuments { folder: folder.to_owned() });
    }
    Ok((documents, sources))
}

fn read<T: for<'de> Deserialize<'de>>(file: &Path) -> Result<T, Error> {
    let name = file.display().to_string();
    let bytes = fs::read(file).map_err(|source| Error::Input { file: name.clone(), source })?;
    serde_json::from_slice(&bytes).map_err(|error| {
        Error::decode(name, bytes.clone(), wire_registry::json::error(&bytes, &error))
    })
}

/// The folders in a folder, by name.
fn folders(folder: &Path) -> Result<Vec<(String, PathBuf)>, Error> {
    Ok(entries(folder)?.into_iter().filter(|(_, path)| path.is_dir()).collect())
}

/// The JSON files in a folder, by name.
fn files(folder: &Path) -> Result<Vec<(String, PathBuf)>, Error> {
    let is_document = |(name, path): &(String, PathBuf)| path.is_file() && name != "sources.json";
    let stem =
        |(name, path): (String, PathBuf)| Some((name.strip_suffix(".json")?.to_owned(), path));
    Ok(entries(folder)?.into_iter().filter(is_document).filter_map(stem).collect())
}

fn entries(folder: &Path) -> Result<Vec<(String, PathBuf)>, Error> {
    let failed = |source| Error::Input { file: folder.display().to_string(), source };
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        entries.push((entry.file_name().to_string_lossy().into_owned(), entry.path()));
    }
    entries.sort();
    Ok(entries)
}
