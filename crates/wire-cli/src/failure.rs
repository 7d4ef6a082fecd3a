//! Failures and their exit codes.

use std::borrow::Cow;
use std::fmt;
use std::io;
use std::path::Path;

use gcf::graph::FullReason;
use wire_core::{CodecError, FitError, Position};
pub(crate) use wire_input::plural;
use wire_registry::NothingHolds;

use crate::signals;

/// How messages call standard output.
pub(crate) const STDOUT: &str = "standard output";

/// Why a command failed: what to say, and the exit code.
#[derive(Debug)]
pub(crate) struct Failure {
    /// The stable name.
    code: Cow<'static, str>,
    /// 1 the data is wrong, 2 usage, 3 input or output, 128 and more after a signal.
    exit_code: u8,
    /// The file that it is about.
    file: Option<String>,
    /// The message: what was found and what was expected, without the position.
    message: String,
    /// Where an input can't be decoded.
    place: Option<Box<Place>>,
    /// The result of writing.
    output: Option<io::ErrorKind>,
    /// `true` if the message is all that is to be said, as it is to be.
    is_rendered: bool,
}

/// The position where an input can't be decoded, and the part of it to show.
#[derive(Debug)]
pub(crate) struct Place {
    /// The input, or the part of it that is in memory; empty if no part is.
    pub(crate) part: Vec<u8>,
    /// The offset of the part in the input.
    pub(crate) start: u64,
    /// The position in the input.
    pub(crate) position: Position,
}

const DATA: u8 = 1;
const USAGE: u8 = 2;
const IO: u8 = 3;

impl Failure {
    fn new(code: impl Into<Cow<'static, str>>, exit_code: u8, message: impl Into<String>) -> Self {
        Failure {
            code: code.into(),
            exit_code,
            file: None,
            message: message.into(),
            place: None,
            output: None,
            is_rendered: false,
        }
    }

    fn of(self, file: impl Into<String>) -> Self {
        Failure { file: Some(file.into()), ..self }
    }

    /// The same, and what to try.
    pub(crate) fn with_hint(self, hint: &str) -> Self {
        Failure { message: format!("{}; {hint}", self.message), ..self }
    }

    /// Options that don't go together.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Failure::new("usage", USAGE, message)
    }

    /// The problem of a file.
    pub(crate) fn of_file(
        file: impl Into<String>,
        code: impl Into<Cow<'static, str>>,
        message: impl Into<String>,
    ) -> Self {
        Failure::new(code, DATA, message).of(file)
    }

    /// An input can't be decoded.
    pub(crate) fn decode(
        file: impl Into<String>,
        input: impl Into<Vec<u8>>,
        error: impl Into<CodecError>,
    ) -> Self {
        Failure::decode_part(file, input, 0, error)
    }

    /// An input can't be decoded, and only the part from this offset on is in memory.
    pub(crate) fn decode_part(
        file: impl Into<String>,
        part: impl Into<Vec<u8>>,
        start: u64,
        error: impl Into<CodecError>,
    ) -> Self {
        let error = error.into();
        let place =
            error.position().map(|position| Box::new(Place { part: part.into(), start, position }));
        Failure { place, ..Failure::of_file(file, error.code().to_owned(), error.message()) }
    }

    /// Something can't be encoded.
    pub(crate) fn encode(
        file: impl Into<String>,
        format: impl fmt::Display,
        error: impl Into<CodecError>,
    ) -> Self {
        let (file, error) = (file.into(), error.into());
        let message = format!("{} can't be written as {format}: {error}", shown(&file));
        Failure::of_file(file, error.code().to_owned(), message)
    }

    /// No format can represent the content of an input.
    pub(crate) fn nothing_holds(file: impl Into<String>, error: &NothingHolds) -> Self {
        let file = file.into();
        let message = format!("{}: {error}", shown(&file));
        Failure::of_file(file, "nothing_holds", message)
    }

    /// Nothing of a payload fits a budget.
    pub(crate) fn budget(file: impl Into<String>, error: &FitError) -> Self {
        let file = file.into();
        let message = format!("{} does not fit: {error}", shown(&file));
        Failure::of_file(file, error.code().to_owned(), message)
    }

    /// No delta can represent the changes.
    pub(crate) fn no_delta(why: FullReason) -> Self {
        let why_not = why.summary();
        let message =
            format!("a delta can't express the change: {why_not}; send the whole payload");
        Failure::new(why.code(), DATA, message)
    }

    /// A file needs repairs. Each was already reported with its position.
    pub(crate) fn repairs(file: impl Into<String>, repairs: usize) -> Self {
        let file = file.into();
        let message = format!("{} needs {}", shown(&file), plural(repairs, "repair"));
        Failure::of_file(file, "repairs", message)
    }

    /// Nothing says what an input is.
    pub(crate) fn unknown_input(file: impl Into<String>, bytes: &[u8]) -> Self {
        let file = file.into();
        let name = shown(&file);
        let message = if bytes.is_empty() {
            format!("{name} is empty, expected a payload")
        } else if bytes.windows(3).any(|bytes| bytes == b"```") {
            format!(
                "{name} is Markdown with a block of code, which is not an input format, expected --recover, which finds GCF in a model's answer"
            )
        } else {
            format!(
                "neither the first bytes nor the extension of {name} show its format, expected --from, such as --from yaml, csv, tsv, toml or jsonl"
            )
        };
        Failure::of_file(file, "unknown_input_format", message)
    }

    /// The target format would lose something, and that is denied.
    pub(crate) fn loss(format: impl fmt::Display, losses: &[String]) -> Self {
        let message = format!("{format} would lose something: {}", losses.join(", "));
        Failure::new("loss_denied", DATA, message)
    }

    /// An input can't be read.
    pub(crate) fn input(file: impl Into<String>, source: &io::Error) -> Self {
        let file = file.into();
        Failure::new("input", IO, format!("{} can't be read: {source}", shown(&file))).of(file)
    }

    /// An output can't be written.
    pub(crate) fn output(file: impl Into<String>, source: &io::Error) -> Self {
        let file = file.into();
        let message = format!("{} can't be written: {source}", shown(&file));
        let failure = Failure::new("output", IO, message).of(file);
        Failure { output: Some(source.kind()), ..failure }
    }

    /// A directory, or a pattern, has no file to work on.
    pub(crate) fn no_files(place: impl Into<String>, what: impl fmt::Display) -> Self {
        let place = place.into();
        Failure::new("no_files", IO, format!("{} has no {what}", shown(&place))).of(place)
    }

    /// Someone ended the work on several files.
    pub(crate) fn interrupted(finished: usize, files: usize) -> Self {
        let message =
            format!("interrupted, with {finished} of {files} files done; no file is half written");
        Failure::new("interrupted", signals::exit_code(), message)
    }

    /// Some of several files failed; each has been reported.
    pub(crate) fn several(failed: usize, files: usize, exit_code: u8) -> Self {
        Failure::new("several", exit_code, format!("{failed} of {files} files failed"))
    }

    /// A failure as it is said, without the input that it is about.
    pub(crate) fn rendered(
        text: String,
        code: impl Into<Cow<'static, str>>,
        exit_code: u8,
    ) -> Self {
        Failure { is_rendered: true, ..Failure::new(code, exit_code, text) }
    }

    /// One of several files failed by it: options that don't fit a file are the file's fault then.
    pub(crate) fn within(&self, path: &Path) -> Option<Self> {
        let is_about_options =
            matches!(self.code(), "usage" | "loss_denied") && self.file.is_none();
        is_about_options.then(|| {
            let file = called(path, "standard input");
            Failure::of_file(file, self.code.clone(), self.message.clone())
        })
    }

    /// Returns `true` if the reader of the output has closed its pipe, which is not an error. The
    /// pipe may be standard output, also as `-o /dev/stdout`, or a named one.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        self.output == Some(io::ErrorKind::BrokenPipe)
    }

    /// Returns `true` if an output can't be written.
    pub(crate) fn is_output(&self) -> bool {
        self.output.is_some()
    }

    /// The exit code of the program.
    pub(crate) fn exit_code(&self) -> u8 {
        self.exit_code
    }

    /// The stable name of the failure.
    pub(crate) fn code(&self) -> &str {
        &self.code
    }

    /// The file that it is about.
    pub(crate) fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// The message, without the position of a decoding error.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// Where an input can't be decoded.
    pub(crate) fn place(&self) -> Option<&Place> {
        self.place.as_deref()
    }

    /// A message that is printed unchanged.
    pub(crate) fn as_rendered(&self) -> Option<&str> {
        self.is_rendered.then_some(&self.message)
    }
}

/// The name of a path in messages; `-` by its meaning.
pub(crate) fn called(path: &Path, dash: &str) -> String {
    if path.as_os_str() == "-" { dash.to_owned() } else { path.display().to_string() }
}

/// A name for people: characters that would move the cursor or forge a line are escaped.
pub(crate) fn shown(name: &str) -> String {
    wire_core::text::escaped(name)
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn characters_that_hide_are_shown() {
        let name = "a\u{1b}[2J\u{202e}b\u{200b}c\u{2060}d\u{e0041}e\u{feff}f\u{ad}g";
        assert_eq!(shown(name), r"a\u{1b}[2J\u{202e}b\u{200b}c\u{2060}d\u{e0041}e\u{feff}f\u{ad}g");
        assert_eq!(shown("Größe e\u{301} 字 😀"), "Größe e\u{301} 字 😀");
    }
}
