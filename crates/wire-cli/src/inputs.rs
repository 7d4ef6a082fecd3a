//! The files that arguments name: files, standard input, directories, and patterns that the shell
//! has left as they are.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;
use wire_core::Directions;
use wire_registry::Registry;

use crate::failure::{Failure, called};
use crate::packed::unpacked_name;
use crate::source::{Named, Source};

/// A file to work on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Work {
    /// Its path; `-` is standard input.
    pub(crate) path: PathBuf,
    /// Its path relative to the directory or pattern that named it; its name if it was named
    /// itself.
    pub(crate) relative: PathBuf,
}

/// The files to work on.
#[derive(Debug)]
pub(crate) struct Works {
    pub(crate) files: Vec<Work>,
    /// Whether it is a single file that was named itself: then its error is the only message.
    pub(crate) is_single: bool,
}

/// The files of the arguments, in their order and without duplicates; those of a directory or a
/// pattern are in the order of their names.
pub(crate) fn expand(
    arguments: &[PathBuf],
    from: Option<&str>,
    registry: &Registry,
) -> Result<Works, Failure> {
    expanded(arguments, &extensions(from, registry, Source::NAMED))
}

/// The same without those of a folder that are of formats of others, as YAML and CSV.
pub(crate) fn expand_payloads(
    arguments: &[PathBuf],
    from: Option<&str>,
    registry: &Registry,
) -> Result<Works, Failure> {
    expanded(arguments, &extensions(from, registry, &[]))
}

/// The same with models' answers, which are Markdown or plain text.
pub(crate) fn expand_answers(arguments: &[PathBuf], registry: &Registry) -> Result<Works, Failure> {
    let mut extensions = extensions(None, registry, &[]);
    extensions.extend(["md", "markdown", "txt"].map(str::to_owned));
    expanded(arguments, &extensions)
}

fn expanded(arguments: &[PathBuf], extensions: &[String]) -> Result<Works, Failure> {
    if arguments.iter().filter(|path| path.as_os_str() == "-").count() > 1 {
        let message = "`-` is given more than once, and standard input can be read once".to_owned();
        return Err(Failure::usage(message));
    }
    let mut files = Vec::new();
    let mut is_single = arguments.len() == 1;
    for argument in arguments {
        if argument.as_os_str() == "-" {
            files.push(Work { path: argument.clone(), relative: PathBuf::from("stdin") });
        } else if argument.is_dir() {
            is_single = false;
            directory(argument, extensions, &mut files)?;
        } else if !argument.exists() && is_pattern(argument) {
            is_single = false;
            pattern(argument, &mut files)?;
        } else {
            let name = argument.file_name().map_or_else(|| argument.clone(), PathBuf::from);
            let name = unpacked_name(&name);
            files.push(Work { path: argument.clone(), relative: name });
        }
    }
    let mut seen = BTreeSet::new();
    files.retain(|work| seen.insert(work.path.clone()));
    Ok(Works { files, is_single })
}

/// Whether a name can be a pattern.
fn is_pattern(path: &Path) -> bool {
    path.to_str().is_some_and(|path| path.contains(['*', '?', '[']))
}

/// The files below a directory that are of a known format by their extension, or of the one that is
/// named. Hidden ones are left out.
fn directory(root: &Path, extensions: &[String], files: &mut Vec<Work>) -> Result<(), Failure> {
    let before = files.len();
    let is_hidden = |entry: &walkdir::DirEntry| {
        entry.depth() > 0 && entry.file_name().to_string_lossy().starts_with('.')
    };
    let walk = WalkDir::new(root).sort_by_file_name().into_iter();
    for entry in walk.filter_entry(|entry| !is_hidden(entry)) {
        let entry = match entry {
            Ok(entry) => entry,
            // What can't be looked into is one of those that can't be read.
            Err(error) => {
                let path = error.path().unwrap_or(root).to_owned();
                let relative = path.strip_prefix(root).unwrap_or(&path).to_owned();
                files.push(Work { path, relative });
                continue;
            }
        };
        let path = entry.path();
        let unpacked = unpacked_name(path);
        let extension = unpacked.extension().and_then(|extension| extension.to_str());
        let is_known = extension.is_some_and(|extension| {
            extensions.iter().any(|known| known.eq_ignore_ascii_case(extension))
        });
        if is_known && is_file(path) {
            let relative = unpacked.strip_prefix(root).unwrap_or(&unpacked).to_owned();
            files.push(Work { path: path.to_owned(), relative });
        }
    }
    if files.len() == before {
        let list = extensions.iter().map(|extension| format!(".{extension}")).collect::<Vec<_>>();
        let what = format!("file that ends in {}", list.join(", "));
        return Err(Failure::no_files(called(root, "-"), what));
    }
    Ok(())
}

/// The extensions of a format, or of all that can be read, and of these others.
fn extensions(from: Option<&str>, registry: &Registry, others: &[Named]) -> Vec<String> {
    let codecs = registry.list().filter(|info| {
        info.directions() == Directions::Both
            && from.is_none_or(|name| {
                // Both forms of JSON have the extension of the first.
                let name = if name.eq_ignore_ascii_case("json-pretty") { "json" } else { name };
                std::iter::once(info.name())
                    .chain(info.aliases().iter().copied())
                    .any(|known| known.eq_ignore_ascii_case(name))
            })
    });
    let of_codecs = codecs.flat_map(|info| info.extensions().iter().copied());
    let of_values = others.iter().flat_map(|(name, aliases, ..)| {
        let names: Vec<&str> = std::iter::once(*name).chain(aliases.iter().copied()).collect();
        let is_wanted =
            from.is_none_or(|from| names.iter().any(|known| known.eq_ignore_ascii_case(from)));
        if is_wanted { names } else { Vec::new() }
    });
    of_codecs.chain(of_values).map(str::to_owned).collect()
}

/// The files that a pattern matches, as `packs/**/*.json`. Hidden files are matched only by name.
/// Files whose names are not UTF-8 are not matched. Links to folders are not followed.
fn pattern(pattern: &Path, files: &mut Vec<Work>) -> Result<(), Failure> {
    let text = pattern.to_str().expect("because a pattern is text");
    let matcher = glob::Pattern::new(text)
        .map_err(|error| Failure::usage(format!("{text} is not a valid pattern: {error}")))?;
    let options = glob::MatchOptions {
        require_literal_separator: true,
        require_literal_leading_dot: true,
        ..glob::MatchOptions::new()
    };
    // What is in front of the first part with a wildcard.
    let root: PathBuf =
        pattern.components().take_while(|part| !is_pattern(part.as_ref())).collect();
    let depth = pattern.components().count() - root.components().count();
    let depth = if text.contains("**") { usize::MAX } else { depth };
    let start = if root.as_os_str().is_empty() { Path::new(".") } else { &root };
    let before = files.len();
    for entry in WalkDir::new(start).max_depth(depth).sort_by_file_name() {
        let Ok(entry) = entry else { continue };
        let path = entry.path().strip_prefix("./").unwrap_or(entry.path());
        if matcher.matches_path_with(path, options) && is_file(path) {
            let relative = unpacked_name(path.strip_prefix(&root).unwrap_or(path));
            files.push(Work { path: path.to_owned(), relative });
        }
    }
    if files.len() == before {
        return Err(Failure::no_files(text.to_owned(), "file".to_owned()));
    }
    Ok(())
}

/// Whether a folder's entry is an input: a file, a link to one, or a dangling link, which is then
/// reported. Pipes are not: reading would wait until someone writes.
fn is_file(path: &Path) -> bool {
    std::fs::metadata(path).map_or(true, |metadata| metadata.is_file())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::formats::registry;

    fn names(works: &Works) -> Vec<String> {
        works.files.iter().map(|work| work.relative.display().to_string()).collect()
    }

    #[test]
    fn directories_patterns_and_files() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("in/.hidden")).unwrap();
        for name in
            ["b.json", "a.GCF", "notes.txt", "in/c.yaml", ".d.json", "in/.hidden/e.json", "page.md"]
        {
            fs::write(root.join(name), "").unwrap();
        }
        let registry = registry(gcf::graph::Encoder::new());
        let all = expand(&[root.to_owned()], None, &registry).unwrap();
        assert_eq!(
            (names(&all), all.is_single),
            (vec!["a.GCF".into(), "b.json".into(), "in/c.yaml".into()], false)
        );
        let named = |from| expand(&[root.to_owned()], Some(from), &registry);
        assert_eq!(names(&named("GCF").unwrap()), ["a.GCF"]);
        assert_eq!(names(&named("json-pretty").unwrap()), ["b.json"]);
        assert_eq!(names(&named("yml").unwrap()), ["in/c.yaml"]);
        assert_eq!(named("gcb").unwrap_err().code(), "no_files");
        let matched = expand(&[root.join("**/*.[jy]*")], None, &registry).unwrap();
        assert_eq!(names(&matched), ["b.json", "in/c.yaml"]);
        let missing = expand(&[root.join("*.gcb")], None, &registry);
        assert_eq!(missing.unwrap_err().code(), "no_files");
        // An existing file is not a pattern, and a file that is named is accepted with any
        // extension.
        fs::write(root.join("[x].txt"), "").unwrap();
        let one = expand(&[root.join("[x].txt")], None, &registry).unwrap();
        assert_eq!((names(&one), one.is_single), (vec!["[x].txt".into()], true));
        let twice = expand(&[root.join("b.json"), root.to_owned()], None, &registry).unwrap();
        assert_eq!(names(&twice), ["b.json", "a.GCF", "in/c.yaml"]);
    }
}
