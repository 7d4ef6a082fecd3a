//! Objects with their members on their own lines (section 7.2), and the root (section 7.1).

use std::borrow::Cow;

use super::form::{Body, Form, Member};
use super::head::{Count, Head, head};
use super::reader::Reader;
use crate::generic::distinct::Distinct;
use crate::generic::key::read_key;
use crate::generic::problem::Problem;
use crate::graph::grammar::GROUP_PREFIX;
use crate::{Error, ErrorKind};

/// The value of the whole text.
pub(super) fn root<'de>(reader: &mut Reader<'de>) -> Result<Form<'de>, Error> {
    let end = reader.lines.len();
    let body = |at: usize| Body { head: 0, at, end, indent: 0, whole: true };
    if end == 0 || reader.lines.line(0).indent > 0 {
        return Ok(Form::Object(body(0)));
    }
    let first = reader.lines.of(0);
    let anonymous = first.strip_prefix(GROUP_PREFIX).filter(|rest| rest.starts_with('['));
    let Some(text) = anonymous.or_else(|| first.starts_with('=').then_some(first)) else {
        return Ok(Form::Object(body(0)));
    };
    reader.at = 1;
    match head(text).map_err(|problem| reader.problem(problem))? {
        Some(head) => reader.form(head, body(1), 1),
        None => Err(reader.unrecognized(0, "a value")),
    }
}

/// An object whose members are being read.
#[derive(Debug)]
pub(super) struct Object<'de> {
    body: Body,
    keys: Distinct<Cow<'de, str>>,
    /// The line and the count of the array or map before the next line.
    counted: Option<(usize, Count)>,
}

impl<'de> Object<'de> {
    pub(super) fn new(reader: &mut Reader<'de>, body: Body) -> Self {
        reader.at = body.at;
        Object { body, keys: Distinct::new(), counted: None }
    }

    pub(super) fn next(&mut self, reader: &mut Reader<'de>) -> Result<Option<Member<'de>>, Error> {
        if !reader.has_line(&self.body)? {
            return Ok(None);
        }
        let line = reader.at;
        let Some((key, form)) = self.member(reader, line)? else {
            // A line after the last row of a table looks like one row more, or like one more body
            // of that row.
            return Err(match self.counted {
                Some((head, Count::Exact(_))) if follows_attachments(reader, head, line) => {
                    let message = "a line of values follows a row without a cell `^` for it, expected the end of the table";
                    reader.error(line, ErrorKind::OrphanInlineAttachment, message)
                }
                Some((head, Count::Exact(declared))) => reader
                    .check_count(head, Count::Exact(declared), declared + 1, "rows or items")
                    .err()
                    .unwrap_or_else(|| reader.unrecognized(line, "a member")),
                _ => reader.unrecognized(line, "`key=value`, `key[N]: values` or `## key`"),
            });
        };
        if self.keys.insert(key.clone()).is_err() {
            let key = wire_core::text::shown(&key);
            let message = format!("an object has the key {key} twice, expected once");
            return Err(reader.error(line, ErrorKind::DuplicateKey, message));
        }
        reader.at = line + 1;
        self.counted = match &form {
            Form::Rows(body, count, _)
            | Form::KeyedMap(body, count, _)
            | Form::Items(body, count) => Some((body.head, *count)),
            _ => None,
        };
        Ok(Some((key, form)))
    }

    /// The member that a line is or begins; `None` if the line is not a member.
    fn member(&self, reader: &Reader<'de>, line: usize) -> Result<Option<Member<'de>>, Error> {
        let place = |problem| reader.problem(problem);
        let text = reader.lines.of(line);
        let inner = Body {
            head: line,
            at: line + 1,
            end: reader.lines.after(line),
            indent: self.body.indent + 1,
            whole: true,
        };
        let section = text.strip_prefix(GROUP_PREFIX);
        let Some((key, length)) = read_key(section.unwrap_or(text)).map_err(place)? else {
            return Ok(None);
        };
        let rest = &section.unwrap_or(text)[length..];
        if section.is_some() {
            if rest.is_empty() {
                return Ok(Some((key, Form::Object(inner))));
            }
            let Some(rest) = rest.strip_prefix(' ').filter(|rest| rest.starts_with('[')) else {
                return Ok(None);
            };
            // Rows and items are indented like the line that begins them.
            let body = Body { end: self.body.end, indent: self.body.indent, whole: false, ..inner };
            let Some(head) = head(rest).map_err(place)? else { return Ok(None) };
            return Ok(Some((key, reader.form(head, body, reader.depth + 1)?)));
        }
        let form = on_one_line(rest, line).map_err(place)?;
        Ok(form.map(|form| (key, form)))
    }
}

/// The value behind the key of a member that is one line; `None` if there is none.
fn on_one_line(rest: &str, line: usize) -> Result<Option<Form<'_>>, Problem> {
    if let Some(value) = rest.strip_prefix('=') {
        return Ok(Some(Form::Scalar(value)));
    }
    Ok(match head(rest)? {
        Some(Head::Inline(count, list)) => Some(Form::Inline(line, count, list)),
        _ => None,
    })
}

/// Whether a line is a member that is one line.
pub(in crate::generic) fn is_member_on_one_line(line: &str) -> bool {
    let Ok(Some((_, length))) = read_key(line) else { return false };
    on_one_line(&line[length..], 0).is_ok_and(|form| form.is_some())
}

/// Whether a line of cells follows a row that has the mark of an attachment, in the table of this
/// head.
fn follows_attachments(reader: &Reader<'_>, head: usize, line: usize) -> bool {
    let text = |at: usize| reader.lines.of(at);
    let is_body = !text(line).starts_with('@') && text(line).contains('|');
    let last_row = || (head + 1..line).rev().find(|&at| text(at).starts_with('@'));
    is_body && last_row().is_some_and(|row| text(row).contains('^'))
}
