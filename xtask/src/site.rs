//! Walks a site that was built: whether every link in its pages leads somewhere, and whether it can
//! be searched and previewed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::tools::Outcome;

/// Where the site is published.
const ADDRESS: &str = "https://wire-formats.github.io/wire/";
/// What a page has for previews of links to it.
const CARD: [&str; 3] = ["og:title", "og:description", "og:image"];

/// Walks every page of a site.
pub(crate) fn walk(folder: &Path) -> Outcome {
    let mut files = BTreeSet::new();
    collect(folder, &mut files)?;
    let mut pages = BTreeMap::new();
    for file in &files {
        let is_page = file.extension().is_some_and(|extension| extension == "html");
        // The page for addresses that don't exist has links of the root, and the table of contents
        // stands inside of others.
        if is_page && file.file_name().is_none_or(|name| name != "404.html" && name != "toc.html") {
            let text =
                fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
            let page = Page::of(&text);
            pages.insert(file.clone(), page);
        }
    }
    let mut problems = Vec::new();
    let mut count = 0;
    for (file, page) in &pages {
        for link in &page.links {
            count += 1;
            if let Some(problem) = broken(folder, file, link, &files, &pages) {
                problems.push(format!("{}: {link}: {problem}", file.display()));
            }
        }
        for property in CARD {
            if !page.properties.contains(property) && !page.is_redirect {
                problems.push(format!("{}: it has no {property}", file.display()));
            }
        }
    }
    let is_index = |file: &PathBuf| {
        file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("searchindex"))
    };
    if !files.iter().any(is_index) {
        problems.push("the site has no index to search".to_owned());
    }
    if pages.is_empty() {
        problems.push(format!("{} has no pages", folder.display()));
    }
    if !problems.is_empty() {
        return Err(format!("{} problems of the site:\n{}", problems.len(), problems.join("\n")));
    }
    println!("{}: {} pages, {count} links", folder.display(), pages.len());
    Ok(())
}

fn collect(folder: &Path, files: &mut BTreeSet<PathBuf>) -> Outcome {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.insert(path);
        }
    }
    Ok(())
}

/// What there is to know of a page.
#[derive(Debug, Default, PartialEq)]
struct Page {
    links: BTreeSet<String>,
    /// What links can point at.
    ids: BTreeSet<String>,
    /// The properties of its head.
    properties: BTreeSet<String>,
    /// Whether it only leads to another page.
    is_redirect: bool,
}

impl Page {
    fn of(text: &str) -> Page {
        let mut page =
            Page { is_redirect: text.contains("http-equiv=\"refresh\""), ..Page::default() };
        for tag in text.split('<').skip(1) {
            let Some((tag, _)) = tag.split_once('>') else { continue };
            let name = tag.split(|c: char| c.is_whitespace()).next().unwrap_or_default();
            match name {
                "a" | "link" => page.links.extend(attribute(tag, "href")),
                "img" | "script" => page.links.extend(attribute(tag, "src")),
                "meta" => {
                    let property = attribute(tag, "property");
                    let content = attribute(tag, "content").filter(|content| !content.is_empty());
                    if property.as_deref() == Some("og:image") {
                        page.links.extend(content.clone());
                    }
                    page.properties.extend(property.filter(|_| content.is_some()));
                }
                _ => {}
            }
            page.ids.extend(attribute(tag, "id"));
        }
        page
    }
}

/// The value of an attribute in a tag.
fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    let (value, _) = rest.split_once('"')?;
    Some(value.replace("&amp;", "&").replace("&quot;", "\"").replace("&#39;", "'"))
}

/// What is wrong with a link of a page, if it leads to somewhere on the site.
fn broken(
    folder: &Path,
    page: &Path,
    link: &str,
    files: &BTreeSet<PathBuf>,
    pages: &BTreeMap<PathBuf, Page>,
) -> Option<&'static str> {
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let path = path.split('?').next().unwrap_or_default();
    let target = if let Some(path) = path.strip_prefix(ADDRESS) {
        folder.join(path)
    } else if path.contains(':') || path.starts_with("//") {
        return None;
    } else if path.is_empty() {
        page.to_owned()
    } else {
        page.parent().unwrap_or(folder).join(path)
    };
    let mut target = plain(&target);
    if files.iter().any(|file| file.starts_with(&target) && *file != target) {
        target = target.join("index.html");
    }
    if !files.contains(&target) {
        return Some("nothing is there");
    }
    let anchors = &pages.get(&target)?.ids;
    (!anchor.is_empty() && !anchors.contains(anchor))
        .then_some("there is no such place on the page")
}

/// A path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "<meta property=\"og:title\" content=\"t\"><meta property=\"og:description\" content=\"d\">\
        <meta property=\"og:image\" content=\"https://wire-formats.github.io/wire/card.png\">";

    fn site(pages: &[(&str, &str)]) -> Outcome {
        let folder =
            std::env::temp_dir().join(format!("wire-site-{}-{}", std::process::id(), pages.len()));
        for (name, text) in pages {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let outcome = walk(&folder);
        fs::remove_dir_all(folder).unwrap();
        outcome
    }

    #[test]
    fn links_are_walked() {
        let first = format!(
            "{HEAD}<h2 id=\"a\"><a href=\"sub/two.html#b\">x</a><a href=\"https://example.com/\">y</a><img src=\"card.png\">"
        );
        let second = format!(
            "{HEAD}<h2 id=\"b\"><a class=\"c\" href=\"../index.html#a\">x</a><a href=\"#b\">x</a><a href=\"..\">x</a>"
        );
        let card = ("card.png", "");
        let search = ("searchindex-1.js", "");
        assert_eq!(
            site(&[("index.html", &first), ("sub/two.html", &second), card, search]),
            Ok(())
        );

        let problem = site(&[("index.html", &first), card, search]).unwrap_err();
        assert!(
            problem.contains("1 problems") && problem.contains("sub/two.html#b: nothing is there"),
            "{problem}"
        );
        let other = second.replace("id=\"b\"", "id=\"c\"").replace(HEAD, "");
        let problem = site(&[("index.html", &first), ("sub/two.html", &other)]).unwrap_err();
        for expected in [
            "sub/two.html#b: there is no such place on the page",
            "#b: there is no such place on the page",
            "it has no og:title",
            "card.png: nothing is there",
            "the site has no index to search",
        ] {
            assert!(problem.contains(expected), "{expected}: {problem}");
        }
    }
}
