//! The files of a tree, read again when they change, and those of a revision of git.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::mem;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::SystemTime;

use ignore::{DirEntry, WalkBuilder};
use sha2::{Digest, Sha256};

use crate::extract::{self, Facts};
use crate::lang::{self, Language};
use crate::link::{File, Graph, link};

/// Larger files are data.
const LARGEST: u64 = 1 << 20;

/// Why a file is not in the graph, or only in part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Skipped {
    Large,
    NotUtf8,
    Generated,
    Deep,
    IgnoreFile,
    Link,
    Unreadable,
    Errors,
}

impl Skipped {
    fn text(self) -> &'static str {
        match self {
            Skipped::Large => "larger than 1 MiB, not read",
            Skipped::NotUtf8 => "not UTF-8, not read",
            Skipped::Generated => "generated or minified, not read",
            Skipped::Deep => "nested deeper than 1,000 levels or not of their language, not read",
            Skipped::IgnoreFile => {
                "folders whose ignore file is not a plain file of up to 1 MiB, not read"
            }
            Skipped::Link => "links, not followed",
            Skipped::Unreadable => "can't be read",
            Skipped::Errors => "with syntax errors, read in part",
        }
    }
}

/// The facts of a content, or why it has none.
type Reading = Result<Arc<Facts>, Skipped>;
type Hash = [u8; 32];

#[derive(Clone, Debug)]
struct Known {
    modified: Option<SystemTime>,
    size: u64,
    read: (Hash, Reading),
}

/// The facts of the files of a tree, and of every content that was read before.
#[derive(Debug)]
pub(crate) struct Index {
    root: PathBuf,
    files: BTreeMap<String, Known>,
    contents: HashMap<(&'static str, Hash), Reading>,
    links: Vec<String>,
    /// Folders that were not read for their ignore file.
    folders: Vec<String>,
}

impl Index {
    pub(crate) fn new(root: PathBuf) -> Self {
        Index {
            root,
            files: BTreeMap::new(),
            contents: HashMap::new(),
            links: Vec::new(),
            folders: Vec::new(),
        }
    }

    /// Reads what has changed; `true` if anything has. Ignored files are not read, links are not followed.
    pub(crate) fn scan(&mut self, progress: impl Fn(usize) + Sync) -> bool {
        let mut files = BTreeMap::new();
        let mut links = Vec::new();
        let mut changed = Vec::new();
        let folders = Arc::new(Mutex::new(Vec::new()));
        for entry in walk(&self.root, &folders) {
            let Ok(entry) = entry else { continue };
            let Some(path) = entry.path().strip_prefix(&self.root).ok().and_then(name) else {
                continue;
            };
            let (Some(language), Some(kind)) = (lang::of(&path), entry.file_type()) else {
                continue;
            };
            if kind.is_symlink() {
                links.push(path);
                continue;
            }
            let Some(now) = entry.metadata().ok().filter(|_| kind.is_file()) else { continue };
            let (modified, size) = (now.modified().ok(), now.len());
            match self.files.get(&path) {
                Some(known)
                    if known.modified == modified
                        && known.size == size
                        && known.read.1.as_ref().err() != Some(&Skipped::Unreadable) =>
                {
                    files.insert(path, known.clone());
                }
                _ => changed.push((path, language, modified, size)),
            }
        }
        // Each thread reads some, and reports how far it is.
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        let done = AtomicUsize::new(0);
        let read = |some: &[(String, &'static Language, Option<SystemTime>, u64)]| -> Vec<Known> {
            let read = some.iter().map(|(path, language, modified, size)| {
                let read = self.read_file(language, path, *size);
                progress(done.fetch_add(1, Ordering::Relaxed) + 1);
                Known { modified: *modified, size: *size, read }
            });
            read.collect()
        };
        let read: Vec<Known> = thread::scope(|scope| {
            let chunks = changed.chunks(changed.len().div_ceil(threads).max(1));
            let threads: Vec<_> = chunks.map(|some| scope.spawn(|| read(some))).collect();
            let joined = threads.into_iter().map(thread::ScopedJoinHandle::join);
            joined.flat_map(|read| read.expect("reading does not panic")).collect()
        });
        for ((path, language, ..), known) in changed.into_iter().zip(read) {
            self.contents.insert((language.family, known.read.0), known.read.1.clone());
            files.insert(path, known);
        }
        let is_same = files.len() == self.files.len()
            && files.iter().zip(&self.files).all(|(a, b)| a.0 == b.0 && a.1.read.0 == b.1.read.0);
        (self.files, self.links) = (files, links);
        self.folders = mem::take(&mut folders.lock().unwrap_or_else(PoisonError::into_inner));
        self.forget();
        !is_same
    }

    fn read_file(&self, language: &'static Language, path: &str, size: u64) -> (Hash, Reading) {
        if size > LARGEST {
            return ([0; 32], Err(Skipped::Large));
        }
        match fs::read(self.root.join(path)) {
            Ok(bytes) => self.read(language, bytes),
            Err(_) => ([0; 32], Err(Skipped::Unreadable)),
        }
    }

    /// The facts of a content, if it was not read before.
    fn read(&self, language: &'static Language, bytes: Vec<u8>) -> (Hash, Reading) {
        let hash: Hash = Sha256::digest(&bytes).into();
        if let Some(known) = self.contents.get(&(language.family, hash)) {
            return (hash, known.clone());
        }
        let read = String::from_utf8(bytes).map_err(|_| Skipped::NotUtf8).and_then(|source| {
            if is_generated(&source) {
                return Err(Skipped::Generated);
            }
            extract::facts(language, &source).map(Arc::new).ok_or(Skipped::Deep)
        });
        (hash, read)
    }

    /// The graph of the files as they were read last.
    pub(crate) fn graph(&self) -> Graph {
        let files: Vec<_> = self
            .files
            .iter()
            .filter_map(|(path, known)| {
                let (language, facts) = (lang::of(path)?, known.read.1.as_ref().ok()?);
                Some(File { path, language, facts })
            })
            .collect();
        link(&files)
    }

    /// What was left out, a line each reason, with up to three names.
    pub(crate) fn report(&self) -> Vec<String> {
        let mut skipped: BTreeMap<Skipped, Vec<&str>> = BTreeMap::new();
        for (path, known) in &self.files {
            match &known.read.1 {
                Err(why) => skipped.entry(*why).or_default().push(path),
                Ok(facts) if facts.has_errors => {
                    skipped.entry(Skipped::Errors).or_default().push(path);
                }
                Ok(_) => {}
            }
        }
        for (why, paths) in [(Skipped::Link, &self.links), (Skipped::IgnoreFile, &self.folders)] {
            if !paths.is_empty() {
                skipped.insert(why, paths.iter().map(String::as_str).collect());
            }
        }
        let line = |(why, paths): (&Skipped, &Vec<&str>)| {
            let more = if paths.len() > 3 { ", …" } else { "" };
            let some = &paths[..paths.len().min(3)];
            printable(&format!("{} {}: {}{more}", paths.len(), why.text(), some.join(", ")))
        };
        skipped.iter().map(line).collect()
    }

    /// The graph of a revision.
    ///
    /// # Errors
    ///
    /// As [`Index::files`].
    pub(crate) fn revision(&mut self, revision: &str) -> Result<Graph, String> {
        self.files(revision).map(|files| linked(&files))
    }

    /// The files of a revision, in order. Contents that were read before are not read again.
    ///
    /// # Errors
    ///
    /// What `git` says, or that it can't be run.
    pub(crate) fn files(&mut self, revision: &str) -> Result<Vec<OwnedFile>, String> {
        let fields = "--format=%(objectmode) %(objectname) %(objectsize) %(path)";
        let tree = format!("{revision}^{{tree}}");
        // A revision that begins with `-` is no option.
        let tree =
            git(&self.root, &["rev-parse", "--verify", "--quiet", "--end-of-options", &tree])
                .map_err(|_| format!("{revision:?} is not a revision of git here"))?;
        let listed = git(&self.root, &["ls-tree", "-r", "-z", fields, tree.trim()])?;
        let files: Vec<(&str, &str, &'static Language)> = listed
            .split('\0')
            .filter_map(|line| {
                let mut parts = line.splitn(4, ' ');
                let (mode, id) = (parts.next()?, parts.next()?);
                let (size, path) = (parts.next()?, parts.next()?);
                let is_small = size.trim().parse::<u64>().ok()? <= LARGEST;
                let is_read = mode.starts_with("100") && is_small && self.is_seen(path);
                lang::of(path).filter(|_| is_read).map(|language| (id, path, language))
            })
            .collect();
        let ids: Vec<&str> = files.iter().map(|(id, ..)| *id).collect();
        let contents = self.objects(&ids).map_err(|error| format!("git cat-file: {error}"))?;
        let mut held = Vec::new();
        for ((_, path, language), bytes) in files.into_iter().zip(contents) {
            let (hash, read) = self.read(language, bytes);
            self.contents.insert((language.family, hash), read.clone());
            if let Ok(facts) = read {
                held.push((path.to_owned(), language, facts));
            }
        }
        held.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(held)
    }

    /// Whether the walk reads such a file: one that is there and was not read is hidden or ignored.
    fn is_seen(&self, path: &str) -> bool {
        let is_hidden = path.split('/').any(|part| part.starts_with('.'));
        let is_there = || self.root.join(path).symlink_metadata().is_ok();
        !is_hidden && (self.files.contains_key(path) || self.files.is_empty() || !is_there())
    }

    /// Forgets contents of no file, if there are many.
    fn forget(&mut self) {
        if self.contents.len() > 4 * self.files.len() + 1000 {
            let held: HashSet<Hash> = self.files.values().map(|known| known.read.0).collect();
            self.contents.retain(|(_, hash), _| held.contains(hash));
        }
    }

    /// The contents of objects of git.
    fn objects(&self, ids: &[&str]) -> io::Result<Vec<Vec<u8>>> {
        let mut git = git_command(&self.root, &["cat-file", "--batch"]);
        let mut child = git.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let mut input = child.stdin.take().expect("it is piped");
        let mut output = BufReader::new(child.stdout.take().expect("it is piped"));
        let lines = ids.join("\n") + "\n";
        let writer = thread::spawn(move || input.write_all(lines.as_bytes()));
        let mut read = || -> io::Result<Vec<Vec<u8>>> {
            let mut contents = Vec::new();
            for _ in ids {
                let mut head = String::new();
                output.read_line(&mut head)?;
                let size = head.trim_end().rsplit(' ').next().and_then(|size| size.parse().ok());
                let size: usize = size.ok_or_else(|| io::Error::other(head.clone()))?;
                let mut bytes = vec![0; size + 1];
                output.read_exact(&mut bytes)?;
                bytes.pop();
                contents.push(bytes);
            }
            Ok(contents)
        };
        let contents = read();
        if contents.is_err() {
            child.kill()?;
        }
        child.wait()?;
        let written = writer.join().expect("writing does not panic");
        contents.and_then(|contents| written.map(|()| contents))
    }
}

/// The entries of a tree that are not ignored.
fn walk(
    root: &Path,
    left_out: &Arc<Mutex<Vec<String>>>,
) -> impl Iterator<Item = Result<DirEntry, ignore::Error>> {
    let mut walk = WalkBuilder::new(root);
    // The file of `.git` may be anywhere.
    walk.require_git(false).git_exclude(false);
    if !root.ancestors().all(has_plain_ignores) {
        walk.standard_filters(false).hidden(true);
    }
    let left_out = Arc::clone(left_out);
    walk.filter_entry(move |entry| {
        let is_read =
            !entry.file_type().is_some_and(|kind| kind.is_dir()) || has_plain_ignores(entry.path());
        if !is_read {
            let mut left_out = left_out.lock().unwrap_or_else(PoisonError::into_inner);
            left_out.push(entry.path().to_string_lossy().into_owned());
        }
        is_read
    });
    walk.build()
}

/// Whether a folder's ignore files can be read: a pipe blocks for ever, a device never ends.
fn has_plain_ignores(folder: &Path) -> bool {
    [".gitignore", ".ignore"].iter().all(|name| {
        let found = fs::symlink_metadata(folder.join(name));
        found.map_or(true, |found| found.is_file() && found.len() <= LARGEST)
    })
}

/// A text for a terminal.
pub(crate) fn printable(text: &str) -> String {
    text.replace(char::is_control, "?")
}

/// A file and its facts.
pub(crate) type OwnedFile = (String, &'static Language, Arc<Facts>);

/// The graph of files.
pub(crate) fn linked(files: &[OwnedFile]) -> Graph {
    let files: Vec<_> =
        files.iter().map(|(path, language, facts)| File { path, language, facts }).collect();
    link(&files)
}

/// What a command of git prints.
///
/// # Errors
///
/// What it prints as its error, or that it can't be run.
pub(crate) fn git(root: &Path, arguments: &[&str]) -> Result<String, String> {
    let output = git_command(root, arguments).output();
    let output = output.map_err(|error| format!("git can't be run: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(String::from_utf8_lossy(&output.stderr).trim().to_owned())
}

/// A command of git that only reads here. A stranger's configuration may say that an object has to be
/// fetched, by a command of its own.
fn git_command(root: &Path, arguments: &[&str]) -> Command {
    let mut git = Command::new("git");
    git.arg("-C").arg(root).args(arguments).stdin(Stdio::null());
    git.env("GIT_NO_LAZY_FETCH", "1").env("GIT_ALLOW_PROTOCOL", "none");
    git.env_remove("GIT_DIR").env_remove("GIT_WORK_TREE").env_remove("GIT_INDEX_FILE");
    git
}

/// A path from the root, with `/`; `None` if it is not UTF-8.
fn name(path: &Path) -> Option<String> {
    let parts: Option<Vec<&str>> = path.iter().map(|part| part.to_str()).collect();
    parts.map(|parts| parts.join("/"))
}

/// Says so itself, or has a line that nobody wrote by hand.
fn is_generated(source: &str) -> bool {
    let head = source
        .lines()
        .take(5)
        .any(|line| line.contains("@generated") || line.contains("DO NOT EDIT"));
    head || source.lines().any(|line| line.len() > 5000)
}
