//! The files that arguments name: files, standard input, directories, and patterns that the shell
//! has left as they are; and reading them.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use walkdir::WalkDir;
use wire_core::{CodecError, Directions, Position};
pub(crate) use wire_input::placed;
use wire_registry::Registry;

use crate::failure::{Failure, called};
use crate::packed::{is_packed, read_whole, unpacked, unpacked_name};
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
    /// `true` if it is a single file that was named itself: then its error is the only message.
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

/// Returns `true` if a name can be a pattern.
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

/// Returns `true` if a folder's entry is an input: a file, a link to one, or a dangling link, which
/// is then reported. Pipes are not: reading would wait until someone writes.
fn is_file(path: &Path) -> bool {
    std::fs::metadata(path).map_or(true, |metadata| metadata.is_file())
}

/// How messages call standard input.
const STDIN: &str = "standard input";
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Standard input. Who has forgotten the file would wait as long.
fn stdin() -> io::StdinLock<'static> {
    if io::stdin().is_terminal() {
        let _ = writeln!(
            anstream::stderr(),
            "reading standard input up to its end (Ctrl-D in a terminal)"
        );
    }
    io::stdin().lock()
}

/// A reader of a file, or of standard input for `-`, and the size of a file.
fn opened(path: &Path) -> io::Result<(Box<dyn BufRead>, Option<u64>)> {
    const BUFFER: usize = 64 << 10;
    if path.as_os_str() == "-" {
        return Ok((Box::new(stdin()), None));
    }
    let file = fs::File::open(path)?;
    let size = file.metadata().ok().filter(fs::Metadata::is_file).map(|found| found.len());
    Ok((Box::new(BufReader::with_capacity(BUFFER, file)), size))
}

/// An input whose beginning has been read.
pub(crate) struct Opened {
    /// The beginning, as if it was all.
    pub(crate) head: Input,
    rest: Box<dyn BufRead>,
    /// How many bytes there are, of a file.
    pub(crate) size: Option<u64>,
    /// `true` if it was compressed.
    is_packed: bool,
}

impl Opened {
    /// Opens a file, or standard input for `-`, and reads until there is `enough`, or nothing more.
    /// `enough` is given what has been read, and how much of it is not new.
    pub(crate) fn open(
        path: &Path,
        mut enough: impl FnMut(&[u8], usize) -> bool,
    ) -> Result<Self, Failure> {
        let unreadable = |error| Failure::input(called(path, STDIN), &error);
        let (mut rest, size) = opened(path).map_err(unreadable)?;
        let is_packed;
        (rest, is_packed) = unpacked(rest).map_err(unreadable)?;
        let mut head = Vec::new();
        loop {
            let known = head.len();
            let new = match rest.fill_buf() {
                Ok(new) => new,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(unreadable(error)),
            };
            head.extend_from_slice(new);
            let read = new.len();
            rest.consume(read);
            if read == 0 || enough(&head, known) {
                break;
            }
        }
        let size = size.filter(|_| !is_packed);
        Ok(Opened { head: Input::of(path, head), rest, size, is_packed })
    }

    /// The same with all of it in the head.
    pub(crate) fn whole(mut self) -> Result<Self, Failure> {
        let read = if self.is_packed {
            read_whole(self.rest, &mut self.head.bytes)
        } else {
            self.rest.read_to_end(&mut self.head.bytes).map(drop)
        };
        read.map_err(|error| Failure::input(self.head.name.clone(), &error))?;
        Ok(Opened { rest: Box::new(io::empty()), ..self })
    }

    /// All of it, piece by piece.
    pub(crate) fn into_reader(self) -> impl BufRead {
        io::Cursor::new(self.head.bytes).chain(self.rest)
    }
}

/// An input that has been read.
pub(crate) struct Input {
    /// How messages call it.
    pub(crate) name: String,
    path: PathBuf,
    pub(crate) bytes: Vec<u8>,
    /// The bytes of the file, if `bytes` were made from them: the user sees positions in these.
    original: Option<Vec<u8>>,
}

impl Input {
    /// Reads a file, or standard input for `-`.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        Input::of_raw(path, Input::raw(path)?)
    }

    /// The bytes of a file, or of standard input for `-`.
    pub(crate) fn raw(path: &Path) -> Result<Vec<u8>, Failure> {
        let read = if path.as_os_str() == "-" {
            let mut bytes = Vec::new();
            stdin().read_to_end(&mut bytes).map(|_| bytes)
        } else {
            fs::read(path)
        };
        read.map_err(|source| Failure::input(called(path, STDIN), &source))
    }

    /// An input of these bytes, unpacked if they are compressed.
    pub(crate) fn of_raw(path: &Path, raw: Vec<u8>) -> Result<Self, Failure> {
        if !is_packed(&raw) {
            return Ok(Input::of(path, raw));
        }
        let mut bytes = Vec::new();
        let read = unpacked(Box::new(io::Cursor::new(raw)))
            .and_then(|(reader, _)| read_whole(reader, &mut bytes));
        read.map_err(|source| Failure::input(called(path, STDIN), &source))?;
        Ok(Input::of(path, bytes))
    }

    fn of(path: &Path, mut bytes: Vec<u8>) -> Self {
        // A mark of the byte order says nothing of UTF-8, and no format begins with one.
        if bytes.starts_with(MARK) {
            bytes.drain(..MARK.len());
        }
        Input { name: called(path, STDIN), path: unpacked_name(path), bytes, original: None }
    }

    /// The same input with other content.
    pub(crate) fn with_bytes(&self, bytes: Vec<u8>) -> Self {
        let original = Some(self.original.as_ref().unwrap_or(&self.bytes).clone());
        Input { name: self.name.clone(), path: self.path.clone(), bytes, original }
    }

    /// The position of an offset, if the user can see it.
    pub(crate) fn position(&self, offset: usize) -> Option<Position> {
        match &self.original {
            None => Some(Position::in_text(&self.bytes, offset)),
            Some(original) => position_of_number(original, &self.bytes, offset),
        }
    }

    /// The position of the number at an offset of a text that was made from the input.
    pub(crate) fn position_in(&self, text: &str, offset: usize) -> Option<Position> {
        if text.as_bytes() == self.bytes {
            return self.position(offset);
        }
        let original = self.original.as_ref().unwrap_or(&self.bytes);
        position_of_number(original, text.as_bytes(), offset)
    }

    /// The same as a function.
    pub(crate) fn place_in(&self) -> impl Fn(&str, usize) -> Option<Position> + Sync {
        |text, offset| self.position_in(text, offset)
    }

    /// The failure of a decoder that rejects it.
    pub(crate) fn refused(&self, error: CodecError) -> Failure {
        let Some(original) = &self.original else {
            return Failure::decode(self.name.clone(), self.bytes.clone(), error);
        };
        let offset = error.position().and_then(|place| usize::try_from(place.offset).ok());
        let position = offset.and_then(|offset| self.position(offset));
        Failure::decode(self.name.clone(), original.clone(), placed(&error, position))
    }

    /// The failure to write a text that was made from it in a format.
    pub(crate) fn not_written(&self, text: &str, format: &str, error: &CodecError) -> Failure {
        let offset = error.position().and_then(|place| usize::try_from(place.offset).ok());
        match offset.and_then(|offset| self.position_in(text, offset)) {
            None => Failure::encode(self.name.clone(), format, placed(error, None)),
            position => {
                let original = self.original.as_ref().unwrap_or(&self.bytes);
                Failure::decode(self.name.clone(), original.clone(), placed(error, position))
            }
        }
    }

    /// The extension of its name.
    pub(crate) fn extension(&self) -> Option<&str> {
        self.path.extension()?.to_str()
    }
}

/// The position in a text of a number that is at this offset of another text with the same numbers:
/// its literal is in both, after as many equal ones.
fn position_of_number(original: &[u8], text: &[u8], offset: usize) -> Option<Position> {
    let is_part =
        |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E');
    let length = text[offset..].iter().take_while(|byte| is_part(byte)).count();
    let literal = std::str::from_utf8(&text[offset..offset + length]).ok()?;
    let (before, original) =
        (std::str::from_utf8(&text[..offset]).ok()?, std::str::from_utf8(original).ok()?);
    if literal.is_empty() {
        return None;
    }
    let (at, _) = original.match_indices(literal).nth(before.matches(literal).count())?;
    Some(Position::in_text(original.as_bytes(), at))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::source::registry;

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
