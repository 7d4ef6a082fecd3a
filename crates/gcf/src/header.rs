//! The header line of a text of either profile, `GCF key=value …`, and other lines of fields.

use std::collections::BTreeSet;

use wire_core::PackRoot;
use wire_core::text::{is_token, read_by, shown};

use crate::ErrorKind;
use crate::lines::Diagnosis;

/// The first token of every text.
pub(crate) const TAG: &str = "GCF";

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
        let start = at + 1; // after the space
        let rest = &line[start..];
        let mut text = &rest[..rest.find(' ').unwrap_or(rest.len())];
        if text.is_empty() {
            // A run of spaces is one error.
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

pub(crate) fn number(field: Field<'_>) -> Result<u64, Diagnosis> {
    decimal(field.value).ok_or_else(|| invalid_value(field, "a decimal number below 2^64"))
}

#[cold]
pub(crate) fn invalid_value(field: Field<'_>, expected: &str) -> Diagnosis {
    let message = format!("`{}` is {}, expected {expected}", field.key, shown(field.value));
    Diagnosis::new(ErrorKind::InvalidHeaderValue, field.value_at(), message)
}

/// The value of a text of decimal digits; `None` for other texts and for values beyond `u64`.
pub(crate) fn decimal(text: &str) -> Option<u64> {
    if text.is_empty() {
        return None;
    }
    text.bytes().try_fold(0u64, |value, byte| match byte {
        b'0'..=b'9' => value.checked_mul(10)?.checked_add(u64::from(byte - b'0')),
        _ => None,
    })
}

/// 100·(1 − delta/full), to a whole number, half to even.
pub(crate) fn savings(delta: u64, full: u64) -> i64 {
    if full == 0 {
        return 0;
    }
    let full = i128::from(full);
    let hundredfold = 100 * (full - i128::from(delta));
    let (quotient, rest) = (hundredfold.div_euclid(full), hundredfold.rem_euclid(full));
    let up = 2 * rest > full || (2 * rest == full && quotient % 2 != 0);
    i64::try_from(quotient + i128::from(up)).unwrap_or(i64::MIN)
}
