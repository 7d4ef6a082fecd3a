//! `cargo xtask conformance --goon-versions`: that no text of GOON changes under the version that it states
//! (ruling N10).
//!
//! The texts of the corpus are compared with the recorded digests of those of the last release.

use std::collections::BTreeMap;
use std::env;

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

use xtask::tools::{Outcome, shell};

const TEXTS: &str = "fixtures/goon/texts";
const RECORD: &str = "crates/goon/released.json";
const SKIP: &str = "SKIP_GOON_FORMAT_VERSION_CHECK";

/// Checks that what was released is what the texts are, or is of another version.
pub(crate) fn check() -> Outcome {
    if env::var_os(SKIP).is_some_and(|value| value == "1") {
        println!(
            "warning: {SKIP}=1: NOT checking that the texts of GOON change with their version only"
        );
        return Ok(());
    }
    let released = serde_json::from_str(&shell()?.read_file(RECORD)?)?;
    let changed = changed(&released, &texts()?);
    println!("{} texts of GOON compared with {RECORD}", released.len());
    ensure!(
        changed.is_empty(),
        "under the same version other bytes than in {RECORD}: {}; give them a version of their own (`Version` in \
         crates/goon/src/version.rs), write the texts anew, and for a release run `cargo xtask release --record`; \
         {SKIP}=1 passes over this",
        changed.join(", ")
    );
    Ok(())
}

/// Records the texts as those of a release.
pub(crate) fn record() -> Outcome {
    check()?;
    let record: BTreeMap<String, Released> =
        texts()?.iter().map(|(name, text)| (name.clone(), Released::of(text))).collect();
    Ok(shell()?.write_file(RECORD, serde_json::to_string_pretty(&record)? + "\n")?)
}

/// What was released of a text.
#[derive(Serialize, Deserialize)]
struct Released {
    version: String,
    digest: String,
}

impl Released {
    fn of(text: &str) -> Self {
        let version = text.lines().find_map(|line| line.strip_prefix("goon_version:"));
        Released {
            version: version.unwrap_or_default().to_owned(),
            digest: format!("{:016x}", wire_conformance::fnv(text.as_bytes())),
        }
    }
}

/// The files whose bytes are others, though their version is the same.
fn changed(released: &BTreeMap<String, Released>, texts: &BTreeMap<String, String>) -> Vec<String> {
    released
        .iter()
        .filter(|(name, released)| match texts.get(*name).map(|text| Released::of(text)) {
            Some(now) => now.version == released.version && now.digest != released.digest,
            // What is not there any more can't be compared.
            None => true,
        })
        .map(|(name, _)| name.clone())
        .collect()
}

fn texts() -> Result<BTreeMap<String, String>> {
    let (sh, mut texts) = (shell()?, BTreeMap::new());
    for path in sh.read_dir(TEXTS)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        texts.insert(name, sh.read_file(path)?);
    }
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_change_with_their_version_only() {
        let text = |version: &str, rest: &str| format!("@header\ngoon_version:{version}\n{rest}");
        let texts = |text: String| BTreeMap::from([("a.goon".to_owned(), text)]);
        let released = BTreeMap::from([("a.goon".to_owned(), Released::of(&text("1.0.0", "x")))]);
        assert_eq!(changed(&released, &texts(text("1.0.0", "x"))), Vec::<String>::new());
        assert_eq!(changed(&released, &texts(text("1.0.0", "y"))), ["a.goon"]);
        assert_eq!(changed(&released, &texts(text("1.1.0", "y"))), Vec::<String>::new());
        assert_eq!(changed(&released, &BTreeMap::new()), ["a.goon"]);
    }
}
