//! The header line, `GCF key=value …`, and the other lines of `key=value` fields.

use std::collections::BTreeSet;

use wire_core::PackRoot;
use wire_core::text::{is_token, read_by, shown};

use super::counts::Declared;
use super::line::Diagnosis;
use crate::ErrorKind;
use crate::graph::grammar::{TAG, decimal};

/// The header of a payload as it is in the text. Fields that the format does not define are skipped
/// (ruling A4).
#[derive(Default)]
pub(super) struct Header<'a> {
    pub(super) profile: Option<&'a str>,
    pub(super) tool: Option<&'a str>,
    pub(super) budget: Option<u64>,
    pub(super) tokens: Option<u64>,
    pub(super) symbols: Option<Declared>,
    pub(super) edges: Option<Declared>,
    pub(super) pack_root: Option<PackRoot<'a>>,
    pub(super) session: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Field<'a> {
    pub(crate) key: &'a str,
    pub(crate) value: &'a str,
    /// Offset of the key in the line.
    pub(crate) at: usize,
}

impl<'a> Field<'a> {
    pub(crate) fn value_at(&self) -> usize {
        self.at + self.key.len() + 1
    }

    pub(crate) fn check_unique(&self, seen: &mut BTreeSet<&'a str>) -> Result<(), Diagnosis> {
        if seen.insert(self.key) {
            return Ok(());
        }
        let message = format!("the field {} appears twice, expected once", shown(self.key));
        Err(Diagnosis::new(ErrorKind::DuplicateHeaderField, self.at, message))
    }

    /// The value of `profile`, which is field number `place` of its line, from 1.
    pub(crate) fn profile(&self, place: usize) -> Result<&'a str, Diagnosis> {
        if place > 1 {
            let message = "`profile` comes after another field, expected it first";
            return Err(Diagnosis::new(ErrorKind::MissingProfile, self.at, message));
        }
        if self.value != "graph" {
            let message = format!("the profile is {}, expected `graph`", shown(self.value));
            return Err(Diagnosis::new(ErrorKind::UnknownProfile, self.value_at(), message));
        }
        Ok(self.value)
    }

    pub(crate) fn tool(&self) -> Result<&'a str, Diagnosis> {
        if self.value.is_empty() {
            let message = "the tool is empty, expected a name";
            return Err(Diagnosis::new(ErrorKind::MissingTool, self.value_at(), message));
        }
        Ok(self.value)
    }

    pub(crate) fn root(&self) -> Result<PackRoot<'a>, Diagnosis> {
        PackRoot::new(self.value).map_err(|_| invalid_value(*self, "a token"))
    }

    pub(crate) fn boolean(&self) -> Result<bool, Diagnosis> {
        match self.value {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(invalid_value(*self, "`true` or `false`")),
        }
    }
}

/// The fields after byte `at` of `line`, each after one space.
pub(crate) fn fields(
    line: &str,
    mut at: usize,
) -> impl Iterator<Item = Result<Field<'_>, Diagnosis>> {
    std::iter::from_fn(move || {
        if at >= line.len() {
            return None;
        }
        let start = at + 1; // behind the space
        let rest = &line[start..];
        let mut text = &rest[..rest.find(' ').unwrap_or(rest.len())];
        if text.is_empty() {
            // A run of spaces is one thing that is wrong.
            text = match rest.find(|c| c != ' ') {
                Some(end) => &rest[..end - 1],
                None => rest,
            };
        }
        at = start + text.len();
        Some(match text.split_once('=') {
            Some((key, value)) if is_token(key) && (value.is_empty() || is_token(value)) => {
                Ok(Field { key, value, at: start })
            }
            _ => Err(Diagnosis::new(
                ErrorKind::MalformedHeaderField,
                start,
                format!("a field is {}, expected `key=value` after a single space", shown(text)),
            )),
        })
    })
}

/// The headers of both profiles, for messages.
const ANY_HEADER: &str = "a header line: `GCF tool=…` or `GCF profile=graph …` of a graph, `GCF profile=generic` of any value";

/// The offset of the first field of a header line, after `GCF`.
pub(crate) fn header_start(line: &str) -> Result<usize, Diagnosis> {
    let rest = line.strip_prefix(TAG);
    if rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' ')) {
        return Ok(TAG.len());
    }
    if rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
        let found = shown(line.split(' ').next().unwrap_or(line));
        let message = format!("the header begins with {found}, expected `GCF`");
        return Err(Diagnosis::new(ErrorKind::UnsupportedVersion, 0, message));
    }
    let found = match line {
        "" => "an empty line or is empty".to_owned(),
        _ => shown(line) + read_by(line),
    };
    let message = format!("the input begins with {found}, expected {ANY_HEADER}");
    Err(Diagnosis::new(ErrorKind::MissingHeader, 0, message))
}

impl<'a> Header<'a> {
    /// Processes one field of a line. `seen` contains the keys of the line so far.
    pub(super) fn accept(
        &mut self,
        field: Field<'a>,
        seen: &mut BTreeSet<&'a str>,
    ) -> Result<(), Diagnosis> {
        field.check_unique(seen)?;
        let at = field.at;
        match field.key {
            "profile" => self.profile = Some(field.profile(seen.len())?),
            "tool" => self.tool = Some(field.tool()?),
            "budget" => self.budget = Some(number(field)?),
            "tokens" => self.tokens = Some(number(field)?),
            "symbols" => self.symbols = Some(declared(field)?),
            "edges" => self.edges = Some(declared(field)?),
            "pack_root" => self.pack_root = Some(field.root()?),
            "session" => self.session = field.boolean()?,
            "delta" if field.boolean()? => {
                let message = "the payload is a delta (`delta=true`), expected a whole payload";
                return Err(Diagnosis::new(ErrorKind::UnexpectedDelta, at, message));
            }
            "unchanged" if field.boolean()? => {
                let message = "the text only states that nothing has changed (`unchanged=true`), expected a whole payload";
                return Err(Diagnosis::new(ErrorKind::UnexpectedDelta, at, message));
            }
            _ => {}
        }
        Ok(())
    }

    /// Checks what is missing, after all fields of the line.
    pub(super) fn finish(&self, line: &str) -> Result<(), Diagnosis> {
        // `tool` is required before specification 3.1; `profile` identifies later versions (ruling
        // G4).
        if self.tool.is_none() && self.profile.is_none() {
            let message = "the header has no `tool=…`, expected `GCF tool=… symbols=…` of a graph, or `GCF profile=generic` of any value";
            return Err(Diagnosis::new(ErrorKind::MissingTool, line.len(), message));
        }
        Ok(())
    }
}

/// The counts of the trailer of a streamed payload. Those of its groups are for readers, and are not
/// checked.
#[derive(Default)]
pub(crate) struct Summary {
    pub(super) symbols: Option<Declared>,
    pub(super) edges: Option<Declared>,
}

impl Summary {
    /// Scans a trailer whose fields begin at byte `at`.
    pub(super) fn scan(line: &str, at: usize) -> Result<Self, Diagnosis> {
        let mut summary = Summary::default();
        let mut seen = BTreeSet::new();
        for field in fields(line, at) {
            let field = field?;
            field.check_unique(&mut seen)?;
            match field.key {
                "symbols" => summary.symbols = Some(declared(field)?),
                "edges" => summary.edges = Some(declared(field)?),
                _ => {}
            }
        }
        Ok(summary)
    }
}

/// A count, at its position in the line.
fn declared(field: Field<'_>) -> Result<Declared, Diagnosis> {
    number(field).map(|count| Declared { count, at: field.at })
}

pub(crate) fn number(field: Field<'_>) -> Result<u64, Diagnosis> {
    decimal(field.value).ok_or_else(|| invalid_value(field, "a decimal number below 2^64"))
}

#[cold]
pub(crate) fn invalid_value(field: Field<'_>, expected: &str) -> Diagnosis {
    let message = format!("`{}` is {}, expected {expected}", field.key, shown(field.value));
    Diagnosis::new(ErrorKind::InvalidHeaderValue, field.value_at(), message)
}
