//! Reading the case files of the GCF specification, in their own schema.
//!
//! The folder names the operation. Cases are not copied into this repository; where their folder is
//! at hand they run through the same subject. Those that do not apply are listed by name, with the
//! reason, in `fixtures/upstream/`.

mod errors;
mod generic;
mod graph;
mod payload;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::case::Case;
use crate::corpus::{CorpusError, below, json_files};
use crate::options::Options;

/// Which cases of a foreign corpus do not apply.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exceptions {
    /// The number of case files that the corpus has.
    pub files: usize,
    /// Folders with an operation that the crates don't have, and why.
    pub folders: BTreeMap<String, String>,
    /// Single cases, and why.
    pub cases: BTreeMap<String, String>,
}

/// The input of a case as it is in its file.
#[derive(Deserialize)]
struct RawFile<'t> {
    #[serde(borrow, default)]
    input: Option<&'t RawValue>,
}

/// A foreign corpus, ready to run.
#[derive(Debug)]
pub struct Upstream {
    /// The cases that apply.
    pub cases: Vec<Case>,
    /// The cases that are excepted by name but can be run: they must fail, or the exception is
    /// stale.
    pub excepted: Vec<(Case, String)>,
    /// Files that are not run, and why.
    pub skipped: Vec<(String, String)>,
}

/// Loads the corpus below `root`.
///
/// # Errors
///
/// When a file can't be read or is not of the schema, when there are more or fewer files than the
/// exceptions say, or when an exception names what is not there.
pub fn load(root: &Path, exceptions: &Exceptions) -> Result<Upstream, CorpusError> {
    let mut upstream = Upstream { cases: Vec::new(), excepted: Vec::new(), skipped: Vec::new() };
    let files = json_files(root)?;
    if files.len() != exceptions.files {
        let message = format!(
            "{} has {} case files, expected {}",
            root.display(),
            files.len(),
            exceptions.files
        );
        return Err(CorpusError::new(message));
    }
    let mut unused_folders: Vec<&String> = exceptions.folders.keys().collect();
    let mut unused_cases: Vec<&String> = exceptions.cases.keys().collect();
    for path in files {
        let file = below(root, &path);
        let name = file.strip_suffix(".json").unwrap_or(&file).to_owned();
        let folder = name.split('/').next().unwrap_or_default().to_owned();
        if let Some(why) = exceptions.folders.get(&folder) {
            unused_folders.retain(|known| **known != folder);
            upstream.skipped.push((name, why.clone()));
            continue;
        }
        let number = name.split('_').next().unwrap_or_default();
        let excepted = exceptions.cases.get_key_value(number);
        if let Some((key, _)) = excepted {
            unused_cases.retain(|known| *known != key);
        }
        let text = fs::read(&path)
            .map_err(|error| CorpusError::new(format!("{}: {error}", path.display())))?;
        let value: Value = serde_json::from_slice(&text)
            .map_err(|error| CorpusError::new(format!("{name}: {error}")))?;
        let raw: RawFile<'_> = serde_json::from_slice(&text)
            .map_err(|error| CorpusError::new(format!("{name}: {error}")))?;
        let raw_input = raw.input.map(RawValue::get);
        match (translate(&name, &folder, &value, raw_input), excepted) {
            (Ok(case), None) => upstream.cases.push(case),
            (Ok(case), Some((_, why))) => upstream.excepted.push((case, why.clone())),
            (Err(_), Some((_, why))) => upstream.skipped.push((name, why.clone())),
            (Err(problem), None) => return Err(CorpusError::new(format!("{name}: {problem}"))),
        }
    }
    if !unused_folders.is_empty() || !unused_cases.is_empty() {
        return Err(CorpusError::new(format!(
            "stale exceptions: {unused_folders:?} {unused_cases:?}"
        )));
    }
    Ok(upstream)
}

/// The case of a file; `folder` is the operation where the file names none.
fn translate(
    name: &str,
    folder: &str,
    value: &Value,
    raw_input: Option<&str>,
) -> Result<Case, String> {
    // Later suites name the operation, earlier ones have a folder for each.
    let named = value["operation"].as_str();
    let generic = match named {
        Some(named) => generic::operation(named, value, raw_input)?,
        None => None,
    };
    let (operation, options) = match generic {
        Some(operation) => (operation, Options::default()),
        None => graph::operation(named.unwrap_or(folder), name, value)?,
    };
    operation.check()?;
    Ok(Case {
        id: name.to_owned(),
        format: "gcf".to_owned(),
        rules: vec!["upstream".to_owned()],
        options,
        operation,
    })
}
