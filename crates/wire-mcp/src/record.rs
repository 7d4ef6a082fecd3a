//! The counts of a call (ruling M8), without contents and what arguments say.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Format;
use crate::reads::Reads;

/// Tokens of the part of a result that one reader sees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Tokens {
    /// As the server sent it.
    pub came: usize,
    /// With JSON minified.
    pub minified: usize,
    /// As the client received it.
    pub went: usize,
}

impl Tokens {
    /// The sum of two counts, at most the largest number.
    #[must_use]
    pub fn plus(self, other: Tokens) -> Tokens {
        Tokens {
            came: self.came.saturating_add(other.came),
            minified: self.minified.saturating_add(other.minified),
            went: self.went.saturating_add(other.went),
        }
    }
}

/// Why nothing of a result was rewritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Left {
    /// The policy for the tool or the client is `off`.
    Policy,
    /// An option says that a model has to quote the results of the tool (ruling M5.6).
    Named,
    /// The tool [reads a file](crate::Reads::File), by its name (M5.2).
    File,
    /// The tool [reads something](crate::Reads::Something), by its name, and a text in the result has
    /// several lines or over 256 bytes (M5.3).
    LongText,
    /// The result is a text in a wrapper: half of it or more is one text of several lines or over
    /// 256 bytes, or it is `{"content": "<text>"}` (M5.4).
    Quoted,
    /// An argument of the call names a data file (M5.5).
    DataFile,
    /// The tool or the result is bound to a user interface (ruling M11).
    Interface,
    /// A program made the call (ruling M17).
    Program,
    /// The call asked for JSON (ruling M6).
    Asked,
    /// The result is an error, or not complete.
    Error,
    /// It has no text.
    NoText,
    /// Its texts have no JSON in them.
    NoJson,
    /// Its texts have JSON in them, but are no data: pages or programs that a model may have to copy
    /// (ruling M12).
    Copied,
    /// The client sees an `outputSchema`, and the result has no `structuredContent` (ruling M16).
    Schema,
    /// The client would not show fewer tokens.
    NoFewer,
    /// It is not a result with content.
    Unknown,
    /// Its texts have more bytes than [`Limits::text_bytes`](crate::Limits::text_bytes).
    TooLarge,
    /// The client cuts it, or would cut another part of what would be sent.
    Cut,
    /// The options say that nothing is changed.
    DryRun,
}

impl Left {
    /// The reason as people are told it of this tool, with the words of its name that decided, or
    /// with [what else did](CallRecord::decided).
    pub fn of(self, tool: &str, decided: Option<&str>) -> String {
        let reads = Reads::of(tool);
        match (self, decided) {
            (Left::File, _) => format!("`{tool}` {reads}"),
            (Left::LongText, text) => {
                let text = text.unwrap_or("a text");
                format!("`{tool}` {reads}, and {text} in it has several lines or over 256 bytes")
            }
            (Left::DataFile, Some(argument)) => argument.to_owned(),
            (Left::Quoted, Some(text)) => format!("{text}, which a model may have to quote"),
            _ => self.to_string(),
        }
    }

    /// Returns `true` if the words of this name are the reason, or no words are.
    pub fn is_by_words_of(self, tool: &str) -> bool {
        match self {
            Left::File => matches!(Reads::of(tool), Reads::File { .. }),
            Left::LongText => matches!(Reads::of(tool), Reads::Something { .. }),
            _ => true,
        }
    }

    /// Returns `true` if `--not-verbatim` for the tool would change that.
    pub fn is_by_name(self) -> bool {
        matches!(self, Left::Named | Left::File | Left::LongText | Left::DataFile)
    }
}

/// As people are told.
impl fmt::Display for Left {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Left::Policy => "the policy for it is `off`",
            Left::Named => "an option says that a model may have to quote it",
            Left::File => "its tool reads a file, by the words of its name",
            Left::LongText => {
                "its tool reads something, by a word of its name, and a text in it has several lines or over 256 bytes"
            }
            Left::DataFile => "an argument of the call names a data file",
            Left::Quoted => {
                "it is one long text in a wrapper, or one in `content`, which a model may have to quote"
            }
            Left::Interface => "it is shown in a user interface, which reads it",
            Left::Program => "a program made the call",
            Left::Asked => "the call asked for JSON",
            Left::Error => "it is an error, or not complete",
            Left::NoText => "it has no text",
            Left::NoJson => "its text has no JSON in it",
            Left::Copied => {
                "its text is a page or a program with JSON in it, which a model may have to copy"
            }
            Left::Schema => "the client sees an `outputSchema`, and may parse the text",
            Left::NoFewer => "no form of it uses fewer tokens",
            Left::Unknown => "it is not a result with content",
            Left::TooLarge => "it is too large",
            Left::Cut => "the client cuts it, or would cut another part",
            Left::DryRun => "nothing is changed in a dry run",
        })
    }
}

/// A result of `tools/call`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct CallRecord {
    /// The tool.
    pub tool: String,
    /// The client, if it said its name.
    pub client: Option<String>,
    /// The forms of rewritten texts, each once; empty if no text was rewritten.
    pub formats: Vec<Format>,
    /// The tokens for readers of `content`: its texts.
    pub content: Tokens,
    /// The tokens for readers of `structuredContent`, if the result has it: itself, or the texts if
    /// it was dropped.
    pub structured: Option<Tokens>,
    /// The tokens of what the client shows the model, if that is known (ruling M10).
    pub view: Option<Tokens>,
    /// `true` if a text went out that another text wrapped as JSON (ruling M19).
    pub unwrapped: bool,
    /// `true` if a text that is rewritten was a Python `repr` (ruling M18).
    pub repr: bool,
    /// `true` if several blocks were merged into one (ruling M4).
    pub merged: bool,
    /// `true` if `structuredContent` was dropped (ruling M3).
    pub dropped: bool,
    /// `true` if the texts say what `structuredContent` says.
    pub repeats: bool,
    /// Why nothing was rewritten, if nothing was.
    pub left: Option<Left>,
    /// The argument or the text for which it was left, in words without what they say:
    /// ``its argument `path` names a `.json` file``, `a text of 12 kB`.
    pub decided: Option<String>,
}

impl CallRecord {
    /// The reason why it was left, as people are told it; `None` if it was not.
    pub fn why(&self) -> Option<String> {
        Some(self.left?.of(&self.tool, self.decided.as_deref()))
    }

    /// The tokens for clients that show the model both fields.
    pub fn both(&self) -> Tokens {
        match self.structured {
            None => self.content,
            Some(structured) if self.dropped => {
                Tokens { went: self.content.went, ..self.content.plus(structured) }
            }
            Some(structured) => self.content.plus(structured),
        }
    }
}
