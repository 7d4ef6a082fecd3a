//! Loading the corpus, and its manifest of counts.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::case::{Case, CaseFile};

/// The corpus of this repository.
pub fn fixtures_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures")
}

/// Why a corpus can't be used.
#[derive(Debug)]
pub struct CorpusError(String);

impl CorpusError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        CorpusError(message.into())
    }
}

impl fmt::Display for CorpusError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CorpusError {}

/// Every case of a corpus, checked against its manifest.
#[derive(Debug)]
pub struct Corpus {
    root: PathBuf,
    cases: Vec<Case>,
}

/// Number of cases by file, and which payload files there are.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Manifest {
    cases: BTreeMap<String, usize>,
    payloads: BTreeMap<String, String>,
}

const BLESS: &str =
    "run `cargo xtask conformance --bless` and look at the diff of fixtures/manifest.json";

impl Corpus {
    /// Loads the corpus below `root` and holds it against its manifest.
    ///
    /// # Errors
    ///
    /// When the folder is missing or empty, a file can't be parsed, two cases share a name, or the
    /// counts are not those of the manifest.
    pub fn load(root: &Path) -> Result<Self, CorpusError> {
        let (corpus, found) = Self::read(root)?;
        let path = root.join("manifest.json");
        let text = fs::read(&path)
            .map_err(|error| CorpusError(format!("{}: {error}; {BLESS}", path.display())))?;
        let pinned: Manifest = serde_json::from_slice(&text)
            .map_err(|error| CorpusError(format!("{}: {error}", path.display())))?;
        if pinned != found {
            let files = pinned.cases.keys().chain(found.cases.keys());
            let changed: std::collections::BTreeSet<_> =
                files.filter(|file| pinned.cases.get(*file) != found.cases.get(*file)).collect();
            return Err(CorpusError(format!(
                "the corpus is not what its manifest says (files with other counts: {changed:?}; payloads {}); {BLESS}",
                if pinned.payloads == found.payloads { "unchanged" } else { "changed" }
            )));
        }
        Ok(corpus)
    }

    /// Loads a corpus from elsewhere, which may have no manifest.
    ///
    /// # Errors
    ///
    /// As [`Corpus::load`], but for a manifest that is not there.
    pub fn load_foreign(root: &Path) -> Result<Self, CorpusError> {
        if root.join("manifest.json").exists() { Self::load(root) } else { Ok(Self::read(root)?.0) }
    }

    /// Writes the manifest of the corpus below `root`, and returns the number of cases.
    ///
    /// # Errors
    ///
    /// When the corpus can't be read or the manifest not be written.
    pub fn bless(root: &Path) -> Result<usize, CorpusError> {
        let (corpus, manifest) = Self::read(root)?;
        let path = root.join("manifest.json");
        let mut text =
            serde_json::to_string_pretty(&manifest).expect("because a map of numbers is JSON");
        text.push('\n');
        fs::write(&path, text)
            .map_err(|error| CorpusError(format!("{}: {error}", path.display())))?;
        Ok(corpus.cases.len())
    }

    fn read(root: &Path) -> Result<(Self, Manifest), CorpusError> {
        if !root.is_dir() {
            return Err(CorpusError(format!("there is no corpus at {}", root.display())));
        }
        let mut cases = Vec::new();
        let mut manifest = Manifest::default();
        for path in json_files(root)? {
            let file = below(root, &path);
            let folder = file.split('/').next().unwrap_or_default();
            let read = || {
                fs::read(&path).map_err(|error| CorpusError(format!("{}: {error}", path.display())))
            };
            if folder == "payloads" {
                manifest.payloads.insert(file, format!("{:016x}", fnv(&read()?)));
                continue;
            }
            if !file.contains('/') || folder == "upstream" || file.ends_with("/rules.json") {
                continue;
            }
            let parsed: CaseFile = serde_json::from_slice(&read()?)
                .map_err(|error| CorpusError(format!("{file}: {error}")))?;
            if parsed.cases.is_empty() {
                return Err(CorpusError(format!("{file}: it has no case")));
            }
            if parsed.format != folder {
                return Err(CorpusError(format!(
                    "{file}: its format is {:?}, expected {folder:?}",
                    parsed.format
                )));
            }
            manifest.cases.insert(file.clone(), parsed.cases.len());
            cases.extend(parsed.resolve(&file, root).map_err(CorpusError)?);
        }
        let mut ids: Vec<&str> = cases.iter().map(|case| &*case.id).collect();
        ids.sort_unstable();
        let mut pairs = ids.windows(2);
        if let Some(twice) = pairs.find_map(|pair| match pair {
            [one, next] if one == next => Some(*one),
            _ => None,
        }) {
            return Err(CorpusError(format!("{twice}: two cases have this name")));
        }
        if cases.is_empty() {
            return Err(CorpusError(format!("the corpus at {} has no case", root.display())));
        }
        Ok((Corpus { root: root.to_owned(), cases }, manifest))
    }

    /// The folder of the corpus.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The cases of one format, in the order of their files.
    pub fn cases_of<'c>(&'c self, format: &'c str) -> impl Iterator<Item = &'c Case> {
        self.cases.iter().filter(move |case| case.format == format)
    }

    /// Every case.
    pub fn cases(&self) -> &[Case] {
        &self.cases
    }
}

/// Every `.json` file below `root`, in a fixed order.
pub(crate) fn json_files(root: &Path) -> Result<Vec<PathBuf>, CorpusError> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder)
            .map_err(|error| CorpusError(format!("{}: {error}", folder.display())))?;
        for entry in entries {
            let path = entry
                .map_err(|error| CorpusError(format!("{}: {error}", folder.display())))?
                .path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "json") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// The path below `root`, with slashes.
pub(crate) fn below(root: &Path, path: &Path) -> String {
    let path = path.strip_prefix(root).unwrap_or(path);
    path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// FNV-1a: enough to notice a change.
pub fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A corpus in a folder of its own, removed at the end.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Self {
            let root = std::env::temp_dir()
                .join(format!("wire-conformance-{name}-{}", std::process::id()));
            fs::create_dir_all(root.join("gcf")).unwrap();
            Scratch(root)
        }

        fn write(&self, cases: &str) {
            let text = format!(r#"{{"format":"gcf","cases":[{cases}]}}"#);
            fs::write(self.0.join("gcf/a.json"), text).unwrap();
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    const CASE: &str =
        r#"{"name":"a","rules":["r"],"operation":"reject","text":"x","error":{"code":"c"}}"#;

    #[test]
    fn a_missing_or_empty_or_unparsable_corpus_fails() {
        let scratch = Scratch::new("empty");
        assert!(Corpus::load(&scratch.0.join("nowhere")).is_err());
        assert!(Corpus::bless(&scratch.0).is_err(), "no case");
        scratch.write("");
        assert!(Corpus::bless(&scratch.0).is_err(), "a file without cases");
        scratch.write("oops");
        assert!(Corpus::bless(&scratch.0).is_err(), "not JSON");
        scratch.write(&format!("{CASE},{CASE}"));
        assert!(Corpus::bless(&scratch.0).is_err(), "a name twice");
    }

    #[test]
    fn counts_are_pinned() {
        let scratch = Scratch::new("pinned");
        scratch.write(CASE);
        assert!(Corpus::load(&scratch.0).is_err(), "no manifest");
        assert_eq!(Corpus::bless(&scratch.0).unwrap(), 1);
        assert_eq!(Corpus::load(&scratch.0).unwrap().cases().len(), 1);
        scratch.write(&format!("{CASE},{}", CASE.replace(r#""a""#, r#""b""#)));
        assert!(Corpus::load(&scratch.0).unwrap_err().to_string().contains("gcf/a.json"));
        fs::remove_file(scratch.0.join("gcf/a.json")).unwrap();
        assert!(Corpus::load(&scratch.0).is_err(), "a file is gone");
    }
}
