//! Whether what the pages of the repository point at is there: files, folders and headings.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use xtask::tools::{Outcome, git, read, root};

/// What stands for the repository in the pages of `docs/`.
const OURS: [&str; 2] = [
    "https://github.com/wire-formats/wire/blob/main/",
    "https://github.com/wire-formats/wire/tree/main/",
];

/// Checks the links of all pages, and that the book has each page of `docs/` but for its summary.
pub(crate) fn check() -> Outcome {
    let root = root();
    let listed = ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"];
    let pages = git(&listed).context("`git ls-files` failed")?;
    let pages = pages.lines().map(|page| root.join(page)).filter(|page| page.is_file());
    let pages: Vec<PathBuf> = pages.collect();
    let (mut count, mut problems, mut in_book) = (0, Vec::new(), BTreeSet::new());
    for page in &pages {
        for link in links(&read(page)?) {
            count += 1;
            if let Some(problem) = broken(&root, page, &link) {
                problems.push(format!("{}: {link}: {problem}", page.display()));
            }
            if page.ends_with("docs/SUMMARY.md") {
                in_book.insert(root.join("docs").join(link));
            }
        }
    }
    for page in pages.iter().filter(|page| page.starts_with(root.join("docs"))) {
        if !in_book.contains(page) && !page.ends_with("SUMMARY.md") {
            problems.push(format!("{}: it is not in docs/SUMMARY.md", page.display()));
        }
    }
    println!("{} pages, {count} links", pages.len());
    ensure!(problems.is_empty(), "{}", problems.join("\n"));
    Ok(())
}

/// What a page points at, outside of its code.
fn links(page: &str) -> Vec<String> {
    let mut links = Vec::new();
    for line in prose(page) {
        // Parts between single backticks are code, too.
        let text: Vec<&str> = line.split('`').step_by(2).collect();
        for part in text.join("x").split("](").skip(1) {
            links.extend(part.split_once(')').map(|(link, _)| link.to_owned()));
        }
    }
    links
}

/// The lines outside of fenced code.
fn prose(page: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    page.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// What is wrong with a link, if it is to a place of this repository.
fn broken(root: &Path, page: &Path, link: &str) -> Option<&'static str> {
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = match OURS.iter().find_map(|ours| path.strip_prefix(ours)) {
        Some(path) => root.join(path),
        None if path.contains("://") || path.starts_with("mailto:") => return None,
        None if path.is_empty() => page.to_owned(),
        None => page.parent()?.join(path),
    };
    if !target.exists() {
        return Some("nothing is there");
    }
    let docs = root.join("docs");
    let is_inside = || Some(target.canonicalize().ok()?.starts_with(docs.canonicalize().ok()?));
    if page.starts_with(&docs) && !path.contains("://") && !is_inside()? {
        return Some("it leads out of the book, expected the address on GitHub");
    }
    if anchor.is_empty() || target.extension().is_none_or(|extension| extension != "md") {
        return None;
    }
    (!anchors(&read(&target).ok()?).contains(anchor)).then_some("there is no such heading")
}

/// The anchors of a page's headings: of those that are alike the second has `-1` after it.
fn anchors(page: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    for line in prose(page).filter(|line| line.starts_with('#')) {
        let text = line.trim_start_matches('#').trim().to_lowercase();
        let kept = text.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        let anchor: String = kept.map(|c| if c == ' ' { '-' } else { c }).collect();
        let again = (1..).map(|count| format!("{anchor}-{count}"));
        anchors
            .extend([anchor.clone()].into_iter().chain(again).find(|name| !anchors.contains(name)));
    }
    anchors
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::follow::blocks;

    /// What a page shows of a line of code before it scrolls, in characters.
    const WIDTH: usize = 80;
    /// What the book quotes as it is written by a program.
    const QUOTED: [&str; 3] = ["text", "goon", "xml"];

    /// The documentation in a source file, as a page.
    fn documented(source: &str) -> String {
        let text = |line: &str| {
            let line = line.trim_start();
            let text = line.strip_prefix("/// ").or(line.strip_prefix("//! "));
            // Lines that are not shown begin like this.
            text.filter(|text| !text.starts_with("# ")).unwrap_or_default().to_owned()
        };
        source.lines().map(text).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn code_in_the_book_and_in_rustdoc_is_not_cut() {
        let listed = git(&["ls-files", "docs/*.md", "crates/*/src/*.rs"]).unwrap();
        let mut wide = Vec::new();
        for file in listed.lines() {
            let text = read(&root().join(file)).unwrap();
            let is_page = file.starts_with("docs/");
            let page = if is_page { text } else { documented(&text) };
            for (info, code) in blocks(&page) {
                let is_quoted = is_page && QUOTED.contains(&info.split(',').next().unwrap());
                let lines = code.lines().filter(|line| line.chars().count() > WIDTH && !is_quoted);
                wide.extend(lines.map(|line| format!("{file}: {line}")));
            }
        }
        assert_eq!(wide, [""; 0]);
    }
}
