//! The change of the servers in a file.

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

/// A range of a file, and its replacement.
pub(crate) type Edit = (Range<usize>, String);

/// An option of the proxy, such as `--policy`, and its value.
pub(crate) type Opt<'a> = (&'static str, &'a str);

#[derive(Clone, Copy, Debug)]
pub(crate) enum Direction<'a> {
    /// The proxy is put before the command of each server.
    Insert {
        /// The proxy, as it is written.
        program: &'a str,
        /// Its options, each with its value.
        options: &'a [Opt<'a>],
        /// The options that it gets where it is there already.
        changed: &'a [Opt<'a>],
    },
    /// The proxy and its own options are removed.
    Remove,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Change<'a> {
    pub(crate) direction: Direction<'a>,
    /// The servers; empty for all of them.
    pub(crate) only: &'a [String],
}

impl Change<'_> {
    pub(crate) fn is_about(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == name)
    }
}

/// The result for a file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) text: String,
    pub(crate) changed: Vec<String>,
    /// Servers that are not changed, with the reason.
    pub(crate) left: Vec<(String, Cow<'static, str>)>,
    /// Servers of which a change would lose something, with the reason.
    pub(crate) lost: Vec<(String, Cow<'static, str>)>,
    /// Servers that need no change, or are not among the named ones.
    pub(crate) same: Vec<String>,
}

impl Outcome {
    /// Notes what becomes of a server, and returns its edits.
    pub(crate) fn add(&mut self, name: String, edits: Result<Vec<Edit>, Reason>) -> Vec<Edit> {
        match edits {
            Err(Reason::Stays(reason)) => self.left.push((name, reason)),
            Err(Reason::Lost(reason)) => self.lost.push((name, reason)),
            Ok(edits) if edits.is_empty() => self.same.push(name),
            Ok(edits) => {
                self.changed.push(name);
                return edits;
            }
        }
        Vec::new()
    }

    /// Returns `true` if there is a server of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        let left = self.left.iter().chain(&self.lost).map(|(left, _)| left);
        self.changed.iter().chain(&self.same).chain(left).any(|server| server == name)
    }
}

/// Why a server is not changed.
#[derive(Clone, Debug)]
pub(crate) enum Reason {
    /// It stays as it is.
    Stays(Cow<'static, str>),
    /// A change would lose something, so nothing is written.
    Lost(Cow<'static, str>),
}

impl Reason {
    pub(crate) fn stays(why: impl Into<Cow<'static, str>>) -> Self {
        Reason::Stays(why.into())
    }

    pub(crate) fn lost(why: impl Into<Cow<'static, str>>) -> Self {
        Reason::Lost(why.into())
    }
}

impl From<&'static str> for Reason {
    fn from(why: &'static str) -> Self {
        Reason::stays(why)
    }
}

pub(crate) const BEHIND_A_URL: &str = "it has a URL with headers or a token: put the command `wire-proxy` with the URL in its place by hand, and --header-env for headers";
pub(crate) const NOT_UNDERSTOOD: &str = "its command is not written as expected";

/// The edits of an undo, unless a comment would go with what they replace.
///
/// # Errors
///
/// There is such a comment; `begins` is how one begins in this syntax.
pub(crate) fn with_comments(
    text: &str,
    edits: Vec<Edit>,
    begins: &[&str],
) -> Result<Vec<Edit>, Reason> {
    let is_lost = |(range, new): &Edit| {
        has_comment(&text[range.clone()], begins) && !has_comment(new, begins)
    };
    if edits.iter().any(is_lost) {
        return Err(Reason::lost(
            "a comment stands inside of what `init` wrote; take it out, or remove the proxy by hand",
        ));
    }
    Ok(edits)
}

/// Returns `true` if a piece of a file has a comment outside of its strings.
pub(crate) fn has_comment(text: &str, begins: &[&str]) -> bool {
    let (mut quote, mut is_escaped) = (None, false);
    for (at, c) in text.char_indices() {
        match quote {
            Some(_) if is_escaped => is_escaped = false,
            Some('"') if c == '\\' => is_escaped = true,
            Some(mark) if c == mark => quote = None,
            None if c == '"' || c == '\'' => quote = Some(c),
            None if begins.iter().any(|begin| text[at..].starts_with(begin)) => return true,
            Some(_) | None => {}
        }
    }
    false
}

/// Returns `true` if a command is the proxy.
pub(crate) fn is_proxy(command: &str) -> bool {
    let name = command.rsplit(['/', '\\']).next().unwrap_or(command);
    Path::new(name).file_stem().is_some_and(|stem| stem == "wire-proxy")
}
