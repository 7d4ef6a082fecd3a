//! The files of a tree, read again when they change, and those of a revision of git.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::{self, BufRead, Write};
use std::mem;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::SystemTime;

use anyhow::{Context, Result, anyhow, ensure};
use ignore::{DirEntry, WalkBuilder, WalkState};
use sha2::{Digest, Sha256};

use crate::extract::{self, Facts};
use crate::lang::{self, Language};
use crate::link::{File, Graph, link};

/// Larger files are data.
const LARGEST: u64 = 1 << 20;

/// Why a file is not in the graph, or only in part.
type Skipped = &'static str;

const LARGE: Skipped = "larger than 1 MiB, not read";
const NOT_UTF8: Skipped = "not UTF-8, not read";
const GENERATED: Skipped = "generated or minified, not read";
const DEEP: Skipped = "nested deeper than 1,000 levels or not of their language, not read";
const IGNORE_FILE: Skipped =
    "folders whose ignore file is not a plain file of up to 1 MiB, not read";
const LINK: Skipped = "links, not followed";
const UNREADABLE: Skipped = "can't be read";
const ERRORS: Skipped = "with syntax errors, read in part";

/// The facts of a content, or why it has none.
type Reading = Result<Arc<Facts>, Skipped>;

/// A file of the tree, or what was left out of it.
#[derive(Clone, Debug)]
struct Known {
    /// Its time and size; `None` if it is looked at again.
    stamp: Option<(SystemTime, u64)>,
    reading: Reading,
}

type Files = BTreeMap<String, Known>;

/// The facts of the files of a tree, and of every content that was read before.
#[derive(Debug, Default)]
pub(crate) struct Index {
    root: PathBuf,
    files: Files,
    /// By the family of the language and the SHA-256.
    contents: Mutex<HashMap<(&'static str, [u8; 32]), Reading>>,
}

impl Index {
    pub(crate) fn new(root: PathBuf) -> Self {
        Index { root, ..Index::default() }
    }

    /// Reads what has changed; `true` if anything has. Ignored files are not read, links are not followed.
    /// The first scan says on standard error how far it is.
    pub(crate) fn scan(&mut self) -> bool {
        let files = Arc::new(Mutex::new(Files::new()));
        let mut walk = WalkBuilder::new(&self.root);
        // The file of `.git` may be anywhere.
        walk.require_git(false).git_exclude(false);
        if !self.root.ancestors().all(has_plain_ignores) {
            walk.standard_filters(false).hidden(true);
        }
        let (root, left_out) = (self.root.clone(), Arc::clone(&files));
        walk.filter_entry(move |entry| {
            let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            let is_read = !is_folder || has_plain_ignores(entry.path());
            if let (false, Some(path)) = (is_read, name(&root, entry.path())) {
                let known = Known { stamp: None, reading: Err(IGNORE_FILE) };
                locked(&left_out).insert(path, known);
            }
            is_read
        });
        walk.build_parallel().run(|| {
            Box::new(|entry| {
                let unreadable = Known { stamp: None, reading: Err(UNREADABLE) };
                let found = match entry {
                    Ok(entry) => self.look_at(&entry),
                    Err(error) => Some((error.to_string(), unreadable)),
                };
                if let Some((path, known)) = found {
                    let mut files = locked(&files);
                    files.insert(path, known);
                    if self.files.is_empty() && files.len().is_multiple_of(5000) {
                        let _ = writeln!(io::stderr(), "wire-graph: {} files", files.len());
                    }
                }
                WalkState::Continue
            })
        });
        let files = mem::take(&mut *locked(&files));
        let is_same = files.len() == self.files.len()
            && files.iter().zip(&self.files).all(|(a, b)| a.0 == b.0 && a.1.reading == b.1.reading);
        self.files = files;
        // Contents of no file are forgotten, if there are many.
        let mut contents = locked(&self.contents);
        if contents.len() > 4 * self.files.len() + 1000 {
            let is_held = |facts: &Arc<Facts>| Arc::strong_count(facts) > 1;
            contents.retain(|_, reading| reading.as_ref().is_ok_and(is_held));
        }
        !is_same
    }

    /// A file of the walk, which is read if it has changed.
    fn look_at(&self, entry: &DirEntry) -> Option<(String, Known)> {
        let path = name(&self.root, entry.path())?;
        let (language, kind) = (lang::of(&path)?, entry.file_type()?);
        if kind.is_symlink() {
            return Some((path, Known { stamp: None, reading: Err(LINK) }));
        }
        let found = entry.metadata().ok().filter(|_| kind.is_file())?;
        let stamp = found.modified().ok().map(|modified| (modified, found.len()));
        let known = self.files.get(&path).filter(|known| known.stamp.is_some());
        if let Some(known) = known.filter(|known| known.stamp == stamp) {
            return Some((path, known.clone()));
        }
        let known = if found.len() > LARGEST {
            Known { stamp, reading: Err(LARGE) }
        } else {
            match fs::read(entry.path()) {
                Ok(bytes) => Known { stamp, reading: self.read(language, bytes) },
                Err(_) => Known { stamp: None, reading: Err(UNREADABLE) },
            }
        };
        Some((path, known))
    }

    /// The facts of a content, as they were found before or are now.
    fn read(&self, language: &'static Language, bytes: Vec<u8>) -> Reading {
        let key = (language.family, Sha256::digest(&bytes).into());
        if let Some(known) = locked(&self.contents).get(&key) {
            return known.clone();
        }
        let reading = match String::from_utf8(bytes) {
            Err(_) => Err(NOT_UTF8),
            Ok(source) if is_generated(&source) => Err(GENERATED),
            Ok(source) => extract::facts(language, &source).map(Arc::new).ok_or(DEEP),
        };
        locked(&self.contents).entry(key).or_insert(reading).clone()
    }

    /// The graph of the files as they were read last.
    pub(crate) fn graph(&self) -> Graph {
        let files = self.files.iter().filter_map(|(path, known)| {
            Some(File { path, language: lang::of(path)?, facts: known.reading.clone().ok()? })
        });
        link(&files.collect::<Vec<_>>())
    }

    /// What was left out, a line each reason, with up to three names.
    pub(crate) fn report(&self) -> Vec<String> {
        let mut skipped: BTreeMap<Skipped, Vec<&str>> = BTreeMap::new();
        for (path, known) in &self.files {
            let why = match &known.reading {
                Ok(facts) => facts.has_errors.then_some(ERRORS),
                Err(why) => Some(*why),
            };
            if let Some(why) = why {
                skipped.entry(why).or_default().push(path);
            }
        }
        let line = |(why, paths): (&Skipped, &Vec<&str>)| {
            let more = if paths.len() > 3 { ", …" } else { "" };
            let some = paths[..paths.len().min(3)].join(", ");
            printable(&format!("{} {why}: {some}{more}", paths.len()))
        };
        skipped.iter().map(line).collect()
    }

    /// The graph of a revision. Contents that were read before are not read again.
    ///
    /// # Errors
    ///
    /// What `git` says, or that it can't be run.
    pub(crate) fn revision(&self, revision: &str) -> Result<Graph> {
        let fields = "--format=%(objectmode) %(objectname) %(objectsize) %(path)";
        // A revision that begins with `-` is no option.
        let list = ["ls-tree", "-r", "-z", fields, "--end-of-options", revision];
        let listed = self.git(&list, Stdio::null());
        let listed =
            listed.map_err(|why| anyhow!("{revision:?} is not a revision of git here: {why}"))?;
        let listed = String::from_utf8_lossy(&listed);
        let files = listed.split('\0').filter_map(|line| {
            let parts: Vec<&str> = line.splitn(4, ' ').collect();
            let [mode, id, size, path] = parts[..] else { return None };
            let is_small = size.trim().parse::<u64>().ok()? <= LARGEST;
            let is_read = mode.starts_with("100") && is_small && self.is_seen(path);
            lang::of(path).filter(|_| is_read).map(|language| (id, path, language))
        });
        let files: Vec<_> = files.collect();
        let ids = files.iter().map(|(id, ..)| *id).collect::<Vec<_>>().join("\n") + "\n";
        let (input, mut writer) = io::pipe()?;
        thread::spawn(move || writer.write_all(ids.as_bytes()));
        let contents = self.git(&["cat-file", "--batch"], input.into())?;
        let mut contents = &contents[..];
        let mut kept = Vec::new();
        for (_, path, language) in files {
            let mut head = String::new();
            contents.read_line(&mut head)?;
            let size = head.trim_end().rsplit(' ').next().and_then(|size| size.parse().ok());
            let object = size.and_then(|size| contents.split_at_checked(size));
            let (bytes, rest) = object.with_context(|| format!("git cat-file: {head}"))?;
            contents = rest.strip_prefix(b"\n").unwrap_or(rest);
            let reading = self.read(language, bytes.to_owned());
            kept.extend(reading.ok().map(|facts| File { path, language, facts }));
        }
        Ok(link(&kept))
    }

    /// Whether the walk reads such a file: one that is there and is not known is hidden or ignored.
    fn is_seen(&self, path: &str) -> bool {
        let is_known = self.files.get(path).is_some_and(|known| known.reading != Err(LINK));
        let is_hidden = path.split('/').any(|part| part.starts_with('.'));
        let is_there = || self.root.join(path).symlink_metadata().is_ok();
        !is_hidden && (is_known || !is_there())
    }

    /// What a command of git prints, which only reads here: a stranger's configuration may say that an
    /// object has to be fetched, by a command of its own.
    fn git(&self, arguments: &[&str], input: Stdio) -> Result<Vec<u8>> {
        let mut git = Command::new("git");
        git.arg("-C").arg(&self.root).args(arguments).stdin(input);
        git.env("GIT_NO_LAZY_FETCH", "1").env("GIT_ALLOW_PROTOCOL", "none");
        git.env_remove("GIT_DIR").env_remove("GIT_WORK_TREE").env_remove("GIT_INDEX_FILE");
        let output = git.output().map_err(|error| anyhow!("git can't be run: {error}"))?;
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr).trim());
        Ok(output.stdout)
    }
}

pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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

/// A path from the root, with `/`; `None` if it is not UTF-8, or not inside.
pub(crate) fn name(root: &Path, path: &Path) -> Option<String> {
    let parts = path.strip_prefix(root).ok()?.iter().map(|part| part.to_str());
    parts.collect::<Option<Vec<&str>>>().map(|parts| parts.join("/"))
}

/// Says so itself, or has a line that nobody wrote by hand.
fn is_generated(source: &str) -> bool {
    let says_so = |line: &str| line.contains("@generated") || line.contains("DO NOT EDIT");
    source.lines().take(5).any(says_so) || source.lines().any(|line| line.len() > 5000)
}
