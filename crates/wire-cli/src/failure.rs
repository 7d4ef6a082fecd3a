//! What can go wrong, and with which exit code.

use std::io;
use std::path::Path;

use gcf::graph::WhyNoDelta;
use wire_core::{CodecError, FitError};
use wire_registry::NothingHolds;

use crate::output::STDOUT;
use crate::signals;

/// Why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A payload can't be decoded. Holds the input, to show the place.
    Decode { file: String, input: Vec<u8>, error: CodecError },
    /// A payload can't be encoded.
    Encode { file: String, format: String, error: CodecError },
    /// No format holds what an input holds.
    NothingHolds { file: String, error: NothingHolds },
    /// Nothing of a payload fits a budget.
    Budget { file: String, error: FitError },
    /// No delta can say what has changed.
    NoDelta { why: WhyNoDelta },
    /// A file would have to be mended. What and where has been said.
    Repairs { file: String, repairs: usize },
    /// Nothing says what an input is.
    UnknownInput { file: String, empty: bool, has_fence: bool },
    /// The target format would lose something, and that is denied.
    Loss { format: String, losses: Vec<String> },
    /// Options that don't go together.
    Usage { message: String },
    /// An input can't be read.
    Input { file: String, source: io::Error },
    /// An output can't be written.
    Output { file: String, source: io::Error },
    /// A directory, or a pattern, has no file to work on.
    NoFiles { place: String, what: String },
    /// A file can't be written again without losing something.
    CannotFormat { file: String, why: String },
    /// Files are not as they should be; each has been named.
    Unformatted { files: usize },
    /// Written files are not what would be written now.
    Stale { folder: String, files: Vec<String> },
    /// Someone ended the work on several files.
    Interrupted { finished: usize, files: usize },
    /// What is wrong with one of several files.
    OfFile { file: String, code: String, message: String },
    /// A failure as it is said, without the input that it is about.
    Rendered { text: String, code: String, exit_code: u8 },
    /// Some of several files failed; each has been reported.
    Several { failed: usize, files: usize, exit_code: u8 },
}

impl Failure {
    pub(crate) fn output(file: impl Into<String>, source: io::Error) -> Self {
        Failure::Output { file: file.into(), source }
    }

    /// Whether whoever read standard output has had enough, which is no failure of ours.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        matches!(self, Failure::Output { file, source }
            if file == STDOUT && source.kind() == io::ErrorKind::BrokenPipe)
    }

    /// 1 the data is wrong, 2 usage, 3 input or output.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Failure::Decode { .. }
            | Failure::Encode { .. }
            | Failure::Budget { .. }
            | Failure::NoDelta { .. }
            | Failure::Repairs { .. }
            | Failure::UnknownInput { .. }
            | Failure::CannotFormat { .. }
            | Failure::OfFile { .. }
            | Failure::Stale { .. }
            | Failure::Unformatted { .. }
            | Failure::NothingHolds { .. }
            | Failure::Loss { .. } => 1,
            Failure::Usage { .. } => 2,
            Failure::Input { .. } | Failure::NoFiles { .. } | Failure::Output { .. } => 3,
            Failure::Interrupted { .. } => signals::exit_code(),
            Failure::Rendered { exit_code, .. } | Failure::Several { exit_code, .. } => *exit_code,
        }
    }

    /// The stable name of the failure.
    pub(crate) fn code(&self) -> &str {
        match self {
            Failure::Decode { error, .. } | Failure::Encode { error, .. } => error.code(),
            Failure::Budget { error, .. } => error.code(),
            Failure::NoDelta { why } => why.code(),
            Failure::Repairs { .. } => "repairs",
            Failure::UnknownInput { .. } => "unknown_input_format",
            Failure::Loss { .. } => "loss_denied",
            Failure::Usage { .. } => "usage",
            Failure::Input { .. } => "input",
            Failure::Output { .. } => "output",
            Failure::NoFiles { .. } => "no_files",
            Failure::CannotFormat { .. } => "cannot_format",
            Failure::Unformatted { .. } => "unformatted",
            Failure::NothingHolds { .. } => "nothing_holds",
            Failure::Stale { .. } => "stale",
            Failure::Interrupted { .. } => "interrupted",
            Failure::OfFile { code, .. } | Failure::Rendered { code, .. } => code,
            Failure::Several { .. } => "several",
        }
    }

    /// The file that it is about.
    pub(crate) fn file(&self) -> Option<&str> {
        match self {
            Failure::Decode { file, .. }
            | Failure::Encode { file, .. }
            | Failure::Budget { file, .. }
            | Failure::Repairs { file, .. }
            | Failure::UnknownInput { file, .. }
            | Failure::OfFile { file, .. }
            | Failure::CannotFormat { file, .. }
            | Failure::NothingHolds { file, .. }
            | Failure::Stale { folder: file, .. }
            | Failure::NoFiles { place: file, .. }
            | Failure::Input { file, .. }
            | Failure::Output { file, .. } => Some(file),
            Failure::Loss { .. }
            | Failure::NoDelta { .. }
            | Failure::Unformatted { .. }
            | Failure::Interrupted { .. }
            | Failure::Rendered { .. }
            | Failure::Usage { .. }
            | Failure::Several { .. } => None,
        }
    }

    /// What to say, without the place of a decoding error.
    pub(crate) fn message(&self) -> String {
        match self {
            Failure::Decode { error, .. } => {
                let text = error.to_string();
                let place =
                    error.position().map(|position| format!("{position}: ")).unwrap_or_default();
                text.strip_prefix(&place).unwrap_or(&text).to_owned()
            }
            Failure::Encode { file, format, error } => {
                format!("{} can't be written as {format}: {error}", shown(file))
            }
            Failure::Budget { file, error } => {
                format!("{} can't be made to fit: {error}", shown(file))
            }
            Failure::NoDelta { why } => {
                format!(
                    "a delta can't say what has changed: {}; send the payload in full",
                    why.summary()
                )
            }
            Failure::Repairs { file, repairs } => {
                let noun = if *repairs == 1 { "repair" } else { "repairs" };
                format!("{} needs {repairs} {noun}", shown(file))
            }
            Failure::UnknownInput { file, has_fence: true, .. } => {
                format!(
                    "{} is Markdown with a block of code, and no format that is read, expected --recover, which finds GCF in a model's answer",
                    shown(file)
                )
            }
            Failure::UnknownInput { file, empty: true, .. } => {
                format!("{} is empty, expected a payload", shown(file))
            }
            Failure::UnknownInput { file, .. } => {
                format!(
                    "neither the first bytes nor the extension of {} say which format it is, expected --from, as --from yaml, csv, tsv, toml or jsonl",
                    shown(file)
                )
            }
            Failure::Loss { format, losses } => {
                format!("{format} would lose something: {}", losses.join(", "))
            }
            Failure::Usage { message } | Failure::OfFile { message, .. } => message.clone(),
            Failure::Input { file, source } => format!("{} can't be read: {source}", shown(file)),
            Failure::Output { file, source } => {
                format!("{} can't be written: {source}", shown(file))
            }
            Failure::NoFiles { place, what } => format!("{} has no {what}", shown(place)),
            Failure::CannotFormat { file, why } => {
                format!("{} is left as it is: {why}", shown(file))
            }
            Failure::Unformatted { files: 1 } => "1 file is not formatted".to_owned(),
            Failure::Unformatted { files } => format!("{files} files are not formatted"),
            Failure::NothingHolds { file, error } => format!("{}: {error}", shown(file)),
            Failure::Stale { folder, files } => {
                let files = files.join(", ");
                format!(
                    "in {} {files} differ from what is measured now; --write {0} writes them",
                    shown(folder)
                )
            }
            Failure::Interrupted { finished, files } => {
                format!("interrupted, with {finished} of {files} files done; none is half written")
            }
            Failure::Rendered { text, .. } => text.clone(),
            Failure::Several { failed, files, .. } => {
                format!("{failed} of {files} files failed")
            }
        }
    }
}

/// What a path is called; `-` by what it stands for.
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
