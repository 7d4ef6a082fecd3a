//! The list of fields in the header of a table, as it is written (sections 2a.3, 7.4.1 and
//! 7.4.5.1).

use std::borrow::Cow;
use std::sync::Arc;

use wire_core::text::shown;

use crate::ErrorKind;
use crate::generic::distinct::Distinct;
use crate::generic::key::read_key;
use crate::generic::problem::Problem;
use crate::generic::scalar::{Mark, mark, quoted_length, read_scalar, trimmed};

/// One field of a list.
#[derive(Debug)]
pub(super) struct Field<'de> {
    pub(super) name: Cow<'de, str>,
    /// Its position, for errors.
    pub(super) at: &'de str,
    /// Whether a `@` marks it as the column that no two rows have alike.
    pub(super) is_key: bool,
    pub(super) constant: Option<&'de str>,
}

/// The fields of the list that `text` begins with, and the text after it.
pub(super) fn fields(text: &str) -> Result<(Vec<Field<'_>>, &str), Problem> {
    let mut found = Vec::new();
    let mut rest = text;
    loop {
        // The first character of `rest` opens the list or separates two fields.
        rest = rest[1..].trim_start_matches(' ');
        let at = rest;
        let is_key = rest.starts_with('@');
        rest = &rest[usize::from(is_key)..];
        let Some((name, length)) = read_key(rest)? else {
            let message =
                format!("a list of fields has {}, expected a name or a quoted name", shown(rest));
            return Err(Problem::new(ErrorKind::InvalidFieldList, rest, message));
        };
        rest = &rest[length..];
        let mut constant = None;
        if let Some(value) = rest.strip_prefix('=') {
            let length = constant_length(value)?;
            constant = Some(constant_of(&value[..length])?);
            rest = &value[length..];
        }
        rest = rest.trim_start_matches(' ');
        found.push(Field { name, at, is_key, constant });
        match rest.as_bytes().first() {
            Some(b',') => {}
            Some(b'}') => return Ok((found, &rest[1..])),
            _ => {
                let message = format!("a list of fields has {}, expected `,` or `}}`", shown(rest));
                return Err(Problem::new(ErrorKind::InvalidFieldList, rest, message));
            }
        }
    }
}

/// How far a constant reaches.
fn constant_length(value: &str) -> Result<usize, Problem> {
    let blank = value.len() - value.trim_start_matches(' ').len();
    let quoted =
        if value[blank..].starts_with('"') { blank + quoted_length(&value[blank..])? } else { 0 };
    let rest = value.as_bytes()[quoted..].iter();
    Ok(quoted + rest.take_while(|byte| !matches!(byte, b',' | b'}')).count())
}

/// The token of a constant.
fn constant_of(value: &str) -> Result<&str, Problem> {
    let token = trimmed(value);
    if token.is_empty() || mark(token) != Mark::Scalar {
        let found = shown(token);
        let message =
            format!("a constant is {found}, expected a scalar; write an empty string as \"\"");
        return Err(Problem::new(ErrorKind::InvalidConstValue, value, message));
    }
    // No row may be there to read it.
    read_scalar(token)?;
    Ok(token)
}

/// The names of an inline schema (section 7.4.5.1). They are the keys of objects, and never paths.
pub(super) fn names<'de>(list: &'de str) -> Result<Arc<[Cow<'de, str>]>, Problem> {
    let malformed = |problem: Problem| match problem.kind {
        ErrorKind::InvalidFieldList => {
            Problem { kind: ErrorKind::InvalidAttachmentMarker, ..problem }
        }
        _ => problem,
    };
    let (fields, rest) = fields(list).map_err(malformed)?;
    if !rest.is_empty() {
        let message = format!("a schema is followed by {}, expected nothing after it", shown(rest));
        return Err(Problem::new(ErrorKind::InvalidAttachmentMarker, rest, message));
    }
    let mut seen = Distinct::new();
    let plain = |field: Field<'de>| {
        plain(&field).map_err(malformed)?;
        seen.insert(field.name.clone()).map_err(|_| twice(&field))?;
        Ok(field.name)
    };
    fields.into_iter().map(plain).collect()
}

/// Refuses a field that is more than a name.
pub(super) fn plain(field: &Field<'_>) -> Result<(), Problem> {
    if !field.is_key && field.constant.is_none() {
        return Ok(());
    }
    let message = format!("a field is {}, expected only a name", shown(field.at));
    Err(Problem::new(ErrorKind::InvalidFieldList, field.at, message))
}

#[cold]
pub(super) fn twice(field: &Field<'_>) -> Problem {
    let message = format!(
        "a list of fields has {} twice, or as a field and as the beginning of a path, expected once",
        shown(&field.name)
    );
    Problem::new(ErrorKind::DuplicateFieldName, field.at, message)
}

/// The column by which the rows are grouped, which the header names after the list of fields.
pub(super) fn group_of(rest: &str) -> Result<Option<Cow<'_, str>>, Problem> {
    let Some(name) = rest.trim_start_matches(' ').strip_prefix("group=") else {
        nothing_behind(rest)?;
        return Ok(None);
    };
    match read_key(name)? {
        Some((key, length)) if length == name.len() => Ok(Some(key)),
        _ => {
            let message = format!("the field of the groups is {}, expected a name", shown(name));
            Err(Problem::new(ErrorKind::InvalidGroupHeader, name, message))
        }
    }
}

/// Rejects text after a list of fields.
pub(super) fn nothing_behind(rest: &str) -> Result<(), Problem> {
    if rest.is_empty() {
        return Ok(());
    }
    let message =
        format!("a list of fields is followed by {}, expected the end of the line", shown(rest));
    Err(Problem::new(ErrorKind::MalformedHeaderField, rest, message))
}
