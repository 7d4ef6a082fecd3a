//! Warnings and errors on standard error, for people or for machines.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use annotate_snippets::{Level, Renderer};
use clap::ValueEnum;
use serde_json::json;
use wire_core::__private::text::{escaped, is_hidden};

use crate::converted::{Remark, RemarkLevel};
use crate::failure::{Failure, Place, shown};
use crate::snippet;

/// How messages are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MessageFormat {
    /// For people.
    Human,
    /// One JSON object a line.
    Json,
}

pub(crate) struct Diagnostics {
    format: MessageFormat,
    quiet: bool,
}

impl Diagnostics {
    pub(crate) fn new(format: MessageFormat, quiet: bool) -> Self {
        Diagnostics { format, quiet }
    }

    /// Whether nothing but errors is said.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Whether messages are for machines.
    pub(crate) fn is_for_machines(&self) -> bool {
        self.format == MessageFormat::Json
    }

    /// Says a remark about a file.
    pub(crate) fn say(&self, file: &str, remark: &Remark) {
        if self.quiet {
            return;
        }
        let (level, name) = match remark.level {
            RemarkLevel::Warning => (Level::WARNING, "warning"),
            RemarkLevel::Note => (Level::NOTE, "note"),
        };
        let Remark { code, message, details, .. } = remark;
        match self.format {
            MessageFormat::Json => {
                let mut object =
                    json!({ "level": name, "code": code, "file": file, "message": message });
                if let Some((name, value)) = details {
                    object[*name] = value.clone();
                }
                say(&in_ascii(&object.to_string()));
            }
            MessageFormat::Human => {
                let title = level.primary_title(format!("{}: {}", shown(file), escaped(message)));
                say(&Renderer::styled().render(&[annotate_snippets::Group::with_title(title)]));
            }
        }
    }

    /// Says something that may be wrong.
    pub(crate) fn warning(&self, code: &'static str, file: &str, message: &str) {
        self.say(file, &Remark::warning(code, message.to_owned()));
    }

    /// Prints a note about what was done.
    pub(crate) fn note(&self, code: &'static str, file: &str, message: &str) {
        self.say(file, &Remark::note(code, message.to_owned()));
    }

    /// Says why a command, or its work on one file, failed.
    pub(crate) fn failure(&self, failure: &Failure) {
        say(&self.text(failure));
    }

    /// A failure of the work on one of several files, as it will be said, without the input that it
    /// is about. Options that don't fit a file are then its own fault.
    pub(crate) fn rendered(&self, failure: Failure, path: &Path) -> Failure {
        let failure = failure.within(path).unwrap_or(failure);
        let text = self.text(&failure);
        Failure::rendered(text, failure.code().to_owned(), failure.exit_code())
    }

    /// The message of a failure.
    fn text(&self, failure: &Failure) -> String {
        if let Some(text) = failure.as_rendered() {
            return text.to_owned();
        }
        // Contents of an input must not move the cursor; in JSON they are unchanged, with escapes.
        let message = &match self.format {
            MessageFormat::Json => failure.message().to_owned(),
            MessageFormat::Human => escaped(failure.message()),
        };
        let (code, place) = (failure.code(), failure.place());
        match self.format {
            MessageFormat::Json => {
                let mut object = json!({ "level": "error", "code": code, "file": failure.file(), "message": message });
                if let Some(Place { position, .. }) = place {
                    object["offset"] = position.offset.into();
                    if position.line > 0 {
                        object["line"] = position.line.into();
                        object["column"] = position.column.into();
                    }
                }
                in_ascii(&object.to_string())
            }
            MessageFormat::Human => {
                let title = Level::ERROR.primary_title(message).id(code);
                match place {
                    // Input that is no longer in memory can't be shown.
                    Some(Place { part, position, .. })
                        if part.is_empty() && position.offset > 0 =>
                    {
                        let file = shown(failure.file().unwrap_or_default());
                        let title = Level::ERROR
                            .primary_title(format!("{file}, {position}: {message}"))
                            .id(code);
                        Renderer::styled().render(&[annotate_snippets::Group::with_title(title)])
                    }
                    Some(place) => {
                        let file = failure.file().unwrap_or_default();
                        let part = snippet::around(place, snippet::Syntax::of(code));
                        let title = match &part.place_in_words {
                            Some(place) => Level::ERROR
                                .primary_title(format!("{}, {place}: {message}", shown(file)))
                                .id(code),
                            None => title,
                        };
                        let group = title.element(part.snippet(shown(file)));
                        Renderer::styled().render(&[group])
                    }
                    None => match failure.file() {
                        Some(file) if !message.contains(&shown(file)) => {
                            let title =
                                Level::ERROR.primary_title(format!("{}: {message}", shown(file)));
                            Renderer::styled()
                                .render(&[annotate_snippets::Group::with_title(title.id(code))])
                        }
                        _ => Renderer::styled()
                            .render(&[annotate_snippets::Group::with_title(title)]),
                    },
                }
            }
        }
    }
}

/// JSON in which control characters and hidden ones are escapes, so that a terminal shows them.
fn in_ascii(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if c.is_control() || is_hidden(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// Writes a line to standard error. If that fails there is nobody to tell.
fn say(text: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}
