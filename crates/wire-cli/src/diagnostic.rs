//! Warnings and errors on standard error, for people or for machines.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use annotate_snippets::{Group, Level, Renderer, Title};
use clap::ValueEnum;
use gcf::graph::Repair;
use serde_json::{Value, json};
use wire_core::text::{escaped, is_hidden};

use crate::failure::{Failure, Place, plural, shown};
use crate::snippet;

/// A remark about reading an input.
pub(crate) struct Warning {
    pub(crate) remark: Remark,
    pub(crate) is_loss: bool,
}

impl Warning {
    /// A repair in a model's answer.
    pub(crate) fn of_repair(repair: &Repair) -> Self {
        let reason =
            repair.reason.map(|reason| format!(": {}", reason.summary())).unwrap_or_default();
        let message = format!("line {}: {}{reason}", repair.line, repair.kind.summary());
        let remark = Remark::warning(repair.kind.code(), message);
        Warning { remark, is_loss: repair.kind.is_loss() }
    }
}

impl From<wire_input::Warning> for Warning {
    fn from(warning: wire_input::Warning) -> Self {
        Warning { is_loss: warning.is_loss, remark: warning.into() }
    }
}

impl From<wire_input::Warning> for Remark {
    fn from(warning: wire_input::Warning) -> Self {
        let wire_input::Warning { code, message, is_loss, details } = warning;
        let level = if is_loss { RemarkLevel::Warning } else { RemarkLevel::Note };
        Remark { level, code, message, details }
    }
}

impl From<Warning> for Remark {
    fn from(warning: Warning) -> Self {
        warning.remark
    }
}

/// A message on standard error that is not a failure.
#[derive(Clone, Debug)]
pub(crate) struct Remark {
    pub(crate) level: RemarkLevel,
    pub(crate) code: &'static str,
    pub(crate) message: String,
    /// A further member of the JSON message.
    pub(crate) details: Option<(&'static str, Value)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RemarkLevel {
    /// Something may be wrong.
    Warning,
    /// What was done.
    Note,
}

impl Remark {
    /// A note that integers became strings because the target can't represent them
    /// (`--big-integers string`); `None` if there are no such integers.
    pub(crate) fn big_integers(count: usize) -> Option<Self> {
        let message = format!(
            "integers beyond 64 bits are strings of their digits ({})",
            plural(count, "integer")
        );
        (count > 0).then(|| Remark::note("big_integers", message))
    }

    pub(crate) fn warning(code: &'static str, message: String) -> Self {
        Remark { level: RemarkLevel::Warning, code, message, details: None }
    }

    pub(crate) fn note(code: &'static str, message: String) -> Self {
        Remark { level: RemarkLevel::Note, code, message, details: None }
    }

    pub(crate) fn loss(message: String) -> Self {
        Remark::warning("loss", message)
    }
}

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

    /// Returns `true` if nothing but errors is said.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Returns `true` if messages are for machines.
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
                say(&in_words(title));
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
                let file = shown(failure.file().unwrap_or_default());
                let titled = |text: &str| in_words(Level::ERROR.primary_title(text).id(code));
                let Some(place) = place else {
                    return match failure.file() {
                        Some(_) if !message.contains(&file) => {
                            titled(&format!("{file}: {message}"))
                        }
                        _ => titled(message),
                    };
                };
                // Input that is no longer in memory can't be shown.
                if place.part.is_empty() && place.position.offset > 0 {
                    return titled(&format!("{file}, {}: {message}", place.position));
                }
                let part = snippet::around(place, snippet::Syntax::of(code));
                let text = match &part.place_in_words {
                    Some(place) => format!("{file}, {place}: {message}"),
                    None => message.clone(),
                };
                let title = Level::ERROR.primary_title(&text).id(code);
                Renderer::styled().render(&[title.element(part.snippet(file))])
            }
        }
    }
}

/// A message that is a title alone.
fn in_words(title: Title<'_>) -> String {
    Renderer::styled().render(&[Group::with_title(title)])
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
