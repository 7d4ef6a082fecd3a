//! The change of one server, whose command and arguments are ranges of a file. The rest of the file
//! stays unchanged, byte for byte.

use std::ops::Range;

use crate::init::edit::{Direction, Edit, NOT_UNDERSTOOD, Opt, Reason, is_proxy};
use crate::options::remote::is_url;

#[derive(Clone, Debug)]
pub(crate) struct Written {
    /// Its text; `None` if it is another kind of value.
    pub(crate) text: Option<String>,
    pub(crate) range: Range<usize>,
}

/// A list as it is written, with its brackets.
#[derive(Clone, Debug)]
pub(crate) struct List {
    pub(crate) elements: Vec<Written>,
    pub(crate) range: Range<usize>,
}

/// The position where a list of arguments is added, and the text before it.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) at: usize,
    pub(crate) before: String,
}

#[derive(Clone, Debug)]
pub(crate) enum Server {
    /// Its command, and its arguments or where they would be.
    Apart { command: Written, arguments: Option<List>, place: Option<Place> },
    /// Both in one list.
    Together(List),
}

impl Server {
    /// The command that starts it, with its arguments.
    pub(crate) fn words(&self) -> Option<Vec<String>> {
        let (command, arguments) = match self {
            Server::Apart { command, arguments, .. } => (Some(command), arguments.as_ref()),
            Server::Together(list) => (None, Some(list)),
        };
        let more = arguments.into_iter().flat_map(|list| &list.elements);
        let words = command.into_iter().chain(more).map(|word| word.text.clone());
        words.collect()
    }

    /// The same without the proxy.
    pub(crate) fn command(&self) -> Option<Vec<String>> {
        let words = self.words()?;
        if !is_proxy(words.first()?) {
            return Some(words);
        }
        let end = words.iter().position(|word| word == "--")?;
        Some(words[end + 1..].to_vec()).filter(|words| !words.is_empty())
    }

    /// The edits of a file for a change; `None` if no change is needed.
    pub(crate) fn edits(&self, file: &str, direction: Direction<'_>) -> Result<Vec<Edit>, Reason> {
        let command = match self {
            Server::Apart { command, .. } => command,
            Server::Together(list) => list.elements.first().ok_or(NOT_UNDERSTOOD)?,
        };
        let is_there = is_proxy(command.text.as_deref().ok_or(NOT_UNDERSTOOD)?);
        match direction {
            Direction::Insert { program, options, .. } if !is_there => {
                self.inserted(file, command, program, options)
            }
            Direction::Insert { changed, .. } => self.changed(changed),
            Direction::Remove if is_there => self.removed(file, command),
            Direction::Remove => Ok(Vec::new()),
        }
    }

    /// The proxy with its options goes first.
    fn inserted(
        &self,
        file: &str,
        command: &Written,
        program: &str,
        options: &[Opt<'_>],
    ) -> Result<Vec<Edit>, Reason> {
        let options = elements(options);
        let (arguments, place) = match self {
            Server::Together(list) => {
                let more = format!("{}, {options}\"--\"", quoted(program));
                return Ok(vec![list.put_first(&more)]);
            }
            Server::Apart { arguments, place, .. } => (arguments, place),
        };
        let more = format!("{options}\"--\", {}", &file[command.range.clone()]);
        let arguments = match (arguments, place) {
            (Some(arguments), _) => arguments.put_first(&more),
            (None, Some(place)) => {
                (place.at..place.at, format!("{}{ADDED_START}{more}{ADDED_END}", place.before))
            }
            (None, None) => return Err(NOT_UNDERSTOOD.into()),
        };
        // If both have one position, the command is first.
        Ok(vec![(command.range.clone(), quoted(program)), arguments])
    }

    /// The options that the proxy has, with these values instead.
    fn changed(&self, options: &[Opt<'_>]) -> Result<Vec<Edit>, Reason> {
        if options.is_empty() {
            return Ok(Vec::new());
        }
        let (list, first) = match self {
            Server::Apart { arguments, .. } => (arguments.as_ref().ok_or(NOT_UNDERSTOOD)?, 0),
            Server::Together(list) => (list, 1),
        };
        let end = list.separator().or_else(|| list.end_with_url()).ok_or(NOT_UNDERSTOOD)?;
        let own = list.elements.get(first..end).ok_or(NOT_UNDERSTOOD)?;
        // A command such as `login` has no options of the proxy.
        let is_option = |text: &str| text.starts_with('-') || is_url(text);
        if !own.iter().take(1).all(|first| first.text.as_deref().is_some_and(is_option)) {
            return Err(NOT_UNDERSTOOD.into());
        }
        let mut edits = Vec::new();
        for (name, value) in options {
            let is_named = |element: &Written| element.text.as_deref() == Some(*name);
            let joined = format!("{name}=");
            let is_joined = |element: &Written| {
                element.text.as_ref().is_some_and(|text| text.starts_with(&joined))
            };
            let (old, new) = if let Some(at) = own.iter().position(is_named) {
                (own.get(at + 1).ok_or(NOT_UNDERSTOOD)?, (*value).to_owned())
            } else if let Some(at) = own.iter().position(is_joined) {
                (&own[at], joined + value)
            } else {
                let at = list.elements[first].range.start;
                edits.push((at..at, elements(&[(name, value)])));
                continue;
            };
            if old.text.as_deref() != Some(&*new) {
                edits.push((old.range.clone(), quoted(&new)));
            }
        }
        Ok(edits)
    }

    /// The proxy and its options go.
    fn removed(&self, file: &str, command: &Written) -> Result<Vec<Edit>, Reason> {
        let (list, place) = match self {
            Server::Together(list) => {
                let at = list.separator().filter(|at| at + 1 < list.elements.len());
                return Ok(vec![list.take_first(file, at.ok_or(NOT_UNDERSTOOD)? + 1)]);
            }
            Server::Apart { arguments, place, .. } => {
                (arguments.as_ref().ok_or(NOT_UNDERSTOOD)?, place)
            }
        };
        let at = list.separator().ok_or(NOT_UNDERSTOOD)?;
        let own = list.elements.get(at + 1).ok_or(NOT_UNDERSTOOD)?;
        let own = file[own.range.clone()].to_owned();
        let is_all = at + 2 == list.elements.len();
        let arguments = match place {
            Some(place) if is_all && list.is_added(file, place) => {
                (place.at..list.range.end, String::new())
            }
            _ => list.take_first(file, at + 2),
        };
        Ok(vec![(command.range.clone(), own), arguments])
    }
}

/// The beginning and the end of a list of arguments that the proxy added. They are recognized by
/// their spaces: people write lists without these, or have arguments of their own in them.
const ADDED_START: &str = "[ ";
const ADDED_END: &str = " ]";

impl List {
    /// The index of `--` among the elements.
    fn separator(&self) -> Option<usize> {
        self.elements.iter().position(|element| element.text.as_deref() == Some("--"))
    }

    /// The end of the proxy's arguments, if a URL is among them.
    fn end_with_url(&self) -> Option<usize> {
        let mut texts = self.elements.iter().filter_map(|element| element.text.as_deref());
        texts.any(is_url).then_some(self.elements.len())
    }

    /// Puts elements before the others.
    fn put_first(&self, elements: &str) -> Edit {
        match self.elements.first() {
            Some(first) => (first.range.start..first.range.start, format!("{elements}, ")),
            None => (self.range.start + 1..self.range.start + 1, elements.to_owned()),
        }
    }

    /// Removes the first `count` elements. If no other element is left, a comma after the last is
    /// removed, too, because `[,]` is not a list.
    fn take_first(&self, file: &str, count: usize) -> Edit {
        let start = self.elements.first().map_or(self.range.start + 1, |first| first.range.start);
        let end = match self.elements.get(count) {
            Some(next) => next.range.start,
            None => {
                let end = self.elements.last().map_or(start, |last| last.range.end);
                comma_after(file, end).unwrap_or(end)
            }
        };
        (start..end, String::new())
    }

    /// Returns `true` if it was added at this position.
    fn is_added(&self, file: &str, place: &Place) -> bool {
        let before = file.get(place.at..self.range.start);
        let list = &file[self.range.clone()];
        before == Some(&*place.before) && list.starts_with(ADDED_START) && list.ends_with(ADDED_END)
    }
}

/// The end of the comma that follows here, after white space and comments of JSON or TOML.
pub(crate) fn comma_after(file: &str, at: usize) -> Option<usize> {
    let mut rest = file[at..].trim_start();
    loop {
        let end = match rest.as_bytes() {
            [b',', ..] => return Some(file.len() - rest.len() + 1),
            [b'#', ..] | [b'/', b'/', ..] => rest.find('\n')?,
            [b'/', b'*', ..] => rest.find("*/")? + 2,
            _ => return None,
        };
        rest = rest[end..].trim_start();
    }
}

/// Options as elements of a list, each followed by a comma.
pub(crate) fn elements(options: &[Opt<'_>]) -> String {
    let mut text = String::new();
    for (name, value) in options {
        text += &format!("\"{name}\", {}, ", quoted(value));
    }
    text
}

/// A text as JSON and TOML have it.
pub(crate) fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("because a text is JSON")
}

/// The file with these edits; edits at one position are applied in their order.
pub(crate) fn spliced(file: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let mut out = String::with_capacity(file.len());
    let mut at = 0;
    for (range, written) in edits {
        out.push_str(&file[at..range.start]);
        out.push_str(&written);
        at = range.end;
    }
    out + &file[at..]
}
