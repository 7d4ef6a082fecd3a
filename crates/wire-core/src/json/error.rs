//! The first error of a JSON text.

use std::fmt;

use serde::de::{Expected, Unexpected};

use crate::text::shown;

/// The kinds of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text is not JSON.
    Syntax,
    /// The text ends inside a value.
    UnexpectedEnd,
    /// Arrays and objects are nested deeper than the limit.
    TooDeep,
    /// An object has a key twice.
    DuplicateKey,
    /// A number that the target can't represent.
    OutOfRange,
    /// A number whose nearest double is another number (ruling A7).
    Inexact,
    /// A member that the type that is read does not have.
    UnknownField,
    /// A member that the type that is read needs.
    MissingField,
    /// A value of another kind than the type that is read.
    Data,
}

impl ErrorKind {
    /// A stable name. [`UnexpectedEnd`](ErrorKind::UnexpectedEnd) has that of
    /// [`Syntax`](ErrorKind::Syntax); a format may have codes of its own for both.
    pub fn code(self) -> &'static str {
        match self {
            ErrorKind::Syntax | ErrorKind::UnexpectedEnd => "json_syntax",
            ErrorKind::TooDeep => "too_deep",
            ErrorKind::DuplicateKey => "duplicate_key",
            ErrorKind::OutOfRange => "out_of_range",
            ErrorKind::Inexact => "inexact_number",
            ErrorKind::UnknownField => "unknown_member",
            ErrorKind::MissingField => "missing_member",
            ErrorKind::Data => "invalid_value",
        }
    }
}

/// The problem and its position.
#[derive(Clone, PartialEq, Eq)]
pub struct Error(Box<Inner>);

#[derive(Clone, PartialEq, Eq)]
struct Inner {
    kind: ErrorKind,
    /// `None` until the reader adds it: serde's errors have no position.
    offset: Option<usize>,
    message: String,
    /// Of a number of another type, what was expected.
    expected: Option<String>,
}

impl Error {
    /// An error at an offset, for readers that have further rules.
    #[cold]
    pub fn new(kind: ErrorKind, offset: usize, message: impl Into<String>) -> Self {
        Error(Box::new(Inner {
            kind,
            offset: Some(offset),
            message: message.into(),
            expected: None,
        }))
    }

    /// The error of a type's `Deserialize`, without a position yet.
    #[cold]
    fn of_type(kind: ErrorKind, message: String) -> Self {
        Error(Box::new(Inner { kind, offset: None, message, expected: None }))
    }

    /// The kind.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The offset in bytes of the first wrong byte, or of the key, number or value; 0 if a type's
    /// own error was not read from a text.
    pub fn offset(&self) -> usize {
        self.0.offset.unwrap_or(0)
    }

    /// The message: what was found and what was expected, without the position.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Adds the offset of the value to an error that has none.
    pub(super) fn at(mut self, offset: usize) -> Self {
        self.0.offset.get_or_insert(offset);
        self
    }

    /// The same error of a number of another type, with the number as it is written.
    pub(super) fn of_number(mut self, literal: &str) -> Self {
        if let Some(expected) = self.0.expected.take() {
            let literal = shown(literal).replace('"', "");
            self.0.message = format!("found the number {literal}, expected {expected}");
        }
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} at {:?}: {}", self.0.kind, self.0.offset, self.0.message)
    }
}

impl std::error::Error for Error {}

impl serde::de::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Error::of_type(ErrorKind::Data, message.to_string())
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let error =
            Error::of_type(ErrorKind::Data, format!("found {}, expected {expected}", named(found)));
        let is_number =
            matches!(found, Unexpected::Unsigned(_) | Unexpected::Signed(_) | Unexpected::Float(_));
        let expected = is_number.then(|| expected.to_string());
        Error(Box::new(Inner { expected, ..*error.0 }))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Error::invalid_type(found, expected)
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> Self {
        Error::of_type(ErrorKind::Data, format!("found {length} values, expected {expected}"))
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        let found = shown(variant);
        Error::of_type(ErrorKind::Data, format!("found {found}, expected {}", listed(expected)))
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        let expected = if expected.is_empty() { "none".into() } else { listed(expected) };
        let found = shown(field);
        Error::of_type(
            ErrorKind::UnknownField,
            format!("found the member {found}, expected {expected}"),
        )
    }

    fn missing_field(field: &'static str) -> Self {
        Error::of_type(ErrorKind::MissingField, format!("the member `{field}` is missing"))
    }

    fn duplicate_field(field: &'static str) -> Self {
        let message = format!("the key \"{field}\" appears twice, expected once");
        Error::of_type(ErrorKind::DuplicateKey, message)
    }
}

/// The name in JSON of a value of serde.
fn named(found: Unexpected<'_>) -> String {
    match found {
        Unexpected::Unit | Unexpected::Option => "`null`".to_owned(),
        Unexpected::Bool(truth) => format!("`{truth}`"),
        Unexpected::Unsigned(number) => format!("the number {number}"),
        Unexpected::Signed(number) => format!("the number {number}"),
        Unexpected::Float(number) => format!("the number {number}"),
        Unexpected::Str(text) => shown(text),
        Unexpected::Seq => "an array".to_owned(),
        Unexpected::Map => "an object".to_owned(),
        other => other.to_string(),
    }
}

/// `` `a`, `b` or `c` ``.
fn listed(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}
