//! `cargo xtask book`: the documentation, scorecards and pictures as a site, and whether what its
//! pages point at is there.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;

use crate::site;
use crate::tools::{Outcome, root, run_in};

#[derive(Args)]
pub(crate) struct Options {
    /// Only check links, and leave the book unbuilt.
    #[arg(long)]
    links: bool,
    /// Fail where mdbook can't be had, in place of leaving the book unbuilt.
    #[arg(long, conflicts_with = "links")]
    strict: bool,
    /// Only walk the links of a site that is built already.
    #[arg(long, value_name = "FOLDER", conflicts_with = "links")]
    walk: Option<PathBuf>,
}

impl Options {
    /// Without the book.
    pub(crate) fn links() -> Self {
        Options { links: true, strict: false, walk: None }
    }
}

/// The version of mdbook that the theme in `xtask/site` is for.
const MDBOOK: &str = "0.5.4";
/// Pages outside of `docs/` whose links are checked, too.
const OTHERS: [&str; 4] = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "fixtures/README.md"];

pub(crate) fn run(options: &Options) -> Outcome {
    if let Some(folder) = &options.walk {
        return site::walk(folder);
    }
    let root = root();
    let mut pages = pages(&root.join("docs"))?;
    let summary = read(&root.join("docs/SUMMARY.md"))?;
    let listed: BTreeSet<PathBuf> =
        links(&summary).iter().map(|link| root.join("docs").join(link)).collect();
    let mut problems = Vec::new();
    for page in &pages {
        if !listed.contains(page) && !page.ends_with("SUMMARY.md") {
            problems.push(format!("{}: not in docs/SUMMARY.md", page.display()));
        }
    }
    pages.extend(OTHERS.iter().map(|page| root.join(page)));
    let crates = fs::read_dir(root.join("crates")).map_err(|error| format!("crates: {error}"))?;
    pages.extend(crates.flatten().map(|folder| folder.path().join("README.md")));
    let mut count = 0;
    for page in &pages {
        for link in links(&read(page)?) {
            count += 1;
            let problem = broken(&root, page, &link).or_else(|| off_site(&root, page, &link));
            if let Some(problem) = problem {
                problems.push(format!("{}: {link}: {problem}", page.display()));
            }
        }
    }
    if !problems.is_empty() {
        return Err(format!("{} links are broken:\n{}", problems.len(), problems.join("\n")));
    }
    println!("{} pages, {count} links", pages.len());
    if options.links {
        return Ok(());
    }
    let Some(tool) = mdbook(&root) else {
        let missing = "mdbook can't be installed here";
        if options.strict {
            return Err(missing.to_owned());
        }
        println!("skipped: {missing}");
        return Ok(());
    };
    run_in(&root, &tool.to_string_lossy(), &["build"], &[])?;
    site::walk(&root.join("target/book"))
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn pages(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut pages = Vec::new();
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            pages.extend(self::pages(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(path);
        }
    }
    pages.sort();
    Ok(pages)
}

/// What a page points at, outside of its code.
fn links(page: &str) -> Vec<String> {
    let mut links = Vec::new();
    let mut is_code = false;
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        }
        if is_code {
            continue;
        }
        // Parts between single backticks are code, too.
        let text: String = line
            .split('`')
            .enumerate()
            .map(|(at, part)| if at % 2 == 0 { part } else { "x" })
            .collect();
        for part in text.split("](").skip(1) {
            if let Some((link, _)) = part.split_once(')') {
                links.push(link.to_owned());
            }
        }
    }
    links
}

/// What is wrong with a link, if it is to a place of this repository.
fn broken(root: &Path, page: &Path, link: &str) -> Option<String> {
    const OURS: &str = "https://github.com/wire-formats/wire/";
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = if let Some(rest) = path.strip_prefix(OURS) {
        let mut parts = rest.splitn(3, '/');
        match (parts.next(), parts.next(), parts.next()) {
            (Some("blob" | "tree"), Some("main"), Some(rest)) => root.join(rest),
            _ => return None,
        }
    } else if path.contains("://") {
        return None;
    } else if path.is_empty() {
        page.to_owned()
    } else {
        page.parent().unwrap_or(root).join(path)
    };
    if !target.exists() {
        return Some("nothing is there".to_owned());
    }
    if anchor.is_empty() || target.extension().is_none_or(|extension| extension != "md") {
        return None;
    }
    let text = fs::read_to_string(&target).ok()?;
    (!anchors(&text).contains(anchor)).then(|| "there is no such heading".to_owned())
}

/// Why a link that works in the repository does not on the site, which has the pages of `docs/`
/// alone, and calls a folder's README its index.
fn off_site(root: &Path, page: &Path, link: &str) -> Option<String> {
    let docs = root.join("docs");
    let path = link.split('#').next().unwrap_or_default();
    if !page.starts_with(&docs) || page.ends_with("SUMMARY.md") || path.contains("://") {
        return None;
    }
    if Path::new(path).ends_with("README.md") {
        return Some("the site has no page of this name, expected the folder alone".to_owned());
    }
    // As many folders up as the page is below `docs/`.
    let depth = page.strip_prefix(&docs).map_or(0, |page| page.components().count() - 1);
    (path.matches("../").count() > depth)
        .then(|| "it leads out of the site, expected the address on GitHub".to_owned())
}

/// The anchors of a page: of headings that are alike the second has `-1` after it.
fn anchors(page: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    let mut is_code = false;
    for line in page.lines() {
        if line.starts_with("```") {
            is_code = !is_code;
        }
        if is_code || !line.starts_with('#') {
            continue;
        }
        let anchor = anchor_of(line);
        let again = (1..).map(|count| format!("{anchor}-{count}"));
        let free =
            std::iter::once(anchor.clone()).chain(again).find(|name| !anchors.contains(name));
        anchors.extend(free);
    }
    anchors
}

/// The anchor of a heading, as the book and the forge make it.
fn anchor_of(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = text.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// `mdbook` of the pinned version, from the machine or installed beside the build.
fn mdbook(root: &Path) -> Option<PathBuf> {
    let tools = root.join("target/tools");
    let works = |tool: &Path| {
        let output = Command::new(tool).arg("--version").stderr(Stdio::null()).output();
        output.is_ok_and(|output| is_pinned(&String::from_utf8_lossy(&output.stdout)))
    };
    let candidates = [PathBuf::from("mdbook"), tools.join("bin/mdbook")];
    if let Some(tool) = candidates.iter().find(|tool| works(tool)) {
        return Some(tool.clone());
    }
    let folder = tools.to_string_lossy().into_owned();
    // Unoptimized, because it runs for a second.
    let arguments = [
        "install",
        "mdbook",
        "--version",
        MDBOOK,
        "--locked",
        "--quiet",
        "--debug",
        "--no-default-features",
        "--features",
        "search",
        "--root",
        &folder,
    ];
    run_in(root, "cargo", &arguments, &[]).ok()?;
    candidates.into_iter().find(|tool| works(tool))
}

/// Whether `mdbook --version` says the version that is pinned.
fn is_pinned(printed: &str) -> bool {
    printed
        .split_whitespace()
        .last()
        .is_some_and(|version| version.trim_start_matches('v') == MDBOOK)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_of_the_site_stay_on_it() {
        let root = Path::new("/r");
        let bad = |page: &str, link: &str| off_site(root, &root.join(page), link).is_some();
        assert!(bad("docs/cli.md", "scorecards/README.md") && bad("docs/cli.md", "../README.md#a"));
        assert!(bad("docs/formats/gcf.md", "../../fixtures/gcf"));
        for link in ["../cli.md", "scorecards/", "https://github.com/a/b/README.md", "#x"] {
            assert!(!bad("docs/formats/gcf.md", link), "{link}");
        }
        assert!(
            !bad("docs/SUMMARY.md", "scorecards/README.md") && !bad("README.md", "docs/README.md")
        );
    }

    #[test]
    fn only_the_pinned_version_builds_the_site() {
        assert!(is_pinned("mdbook v0.5.4\n") && is_pinned("mdbook 0.5.4"));
        assert!(!is_pinned("mdbook v0.5.3\n") && !is_pinned(""));
    }
}
