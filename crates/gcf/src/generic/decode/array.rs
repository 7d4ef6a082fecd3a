//! Arrays of scalars on one line (section 7.5), and arrays with an item for each value (section 7.6).

use super::head::{Count, head, id};
use super::reader::{Body, Form, Reader};
use crate::generic::problem::Problem;
use crate::generic::scalar::{blank, quoted_length, trimmed};
use crate::{Error, ErrorKind};

use wire_core::text::shown;

/// The token at the start of a list and what stands behind the delimiter after it, if there is one.
pub(super) fn token(list: &str, delimiter: u8) -> Result<(&str, Option<&str>), Problem> {
    let list = list.trim_start_matches(blank);
    let end = if list.starts_with('"') {
        let length = quoted_length(list)?;
        let rest = list[length..].trim_start_matches(blank);
        if !rest.is_empty() && rest.as_bytes()[0] != delimiter {
            let message = format!(
                "behind a quoted text stands {}, expected `{}` or the end of the line",
                shown(rest),
                char::from(delimiter)
            );
            return Err(Problem::new(ErrorKind::TrailingCharacters, rest, message));
        }
        list.len() - rest.len()
    } else if delimiter == b'|' && list.starts_with("^{") {
        cell_length(list)?
    } else {
        memchr::memchr(delimiter, list.as_bytes()).unwrap_or(list.len())
    };
    let behind = (end < list.len()).then(|| &list[end + 1..]);
    Ok((trimmed(&list[..end]), behind))
}

/// How far a cell reaches that has quotes inside: up to a `|` outside of them.
fn cell_length(cell: &str) -> Result<usize, Problem> {
    let mut at = 0;
    while let Some(found) = cell[at..].bytes().position(|byte| matches!(byte, b'|' | b'"')) {
        at += found;
        if cell.as_bytes()[at] == b'|' {
            return Ok(at);
        }
        at += quoted_length(&cell[at..])?;
    }
    Ok(cell.len())
}

/// An array of scalars whose values are being read.
#[derive(Debug)]
pub(super) struct Inline<'de> {
    line: usize,
    count: Count,
    rest: Option<&'de str>,
    found: u64,
}

impl<'de> Inline<'de> {
    pub(super) fn new(line: usize, count: Count, list: &'de str) -> Self {
        Inline { line, count, rest: Some(list).filter(|list| !trimmed(list).is_empty()), found: 0 }
    }

    pub(super) fn next(&mut self, reader: &mut Reader<'de>) -> Result<Option<Form<'de>>, Error> {
        let Some(rest) = self.rest else {
            reader.check_count(self.line, self.count, self.found, "values")?;
            if self.count != Count::Deferred {
                reader.counted = Some(self.line);
            }
            return Ok(None);
        };
        let (token, rest) = token(rest, b',').map_err(|problem| reader.problem(problem))?;
        self.rest = rest;
        self.found += 1;
        Ok(Some(Form::Scalar(token)))
    }
}

/// An array of items that are being read.
#[derive(Debug)]
pub(super) struct Items {
    body: Body,
    count: Count,
    found: u64,
    /// The line of the last item, if it is all of it.
    last: Option<usize>,
}

/// Whether a line begins an item, as rows of scalars never do: `@0 =…`, `@0 {}` or `@0 [`.
pub(super) fn begins_item(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("@0 ") else { return false };
    // A row has such an id if one of its cells is a mark, and then it has that cell, or more than one.
    rest.starts_with(['=', '{', '[']) && cell_length(rest).is_ok_and(|length| length == rest.len())
}

impl Items {
    pub(super) fn new(reader: &mut Reader<'_>, body: Body, count: Count) -> Self {
        reader.at = body.at;
        Items { body, count, found: 0, last: Some(body.head) }
    }

    pub(super) fn next<'de>(
        &mut self,
        reader: &mut Reader<'de>,
    ) -> Result<Option<Form<'de>>, Error> {
        let line = reader.at;
        let begins = |reader: &Reader<'de>| reader.lines.of(line).starts_with('@');
        let follows = match self.count {
            Count::Exact(declared) => self.found < declared,
            Count::Deferred => true,
        };
        if !follows || !reader.has_line(&self.body)? || !begins(reader) {
            reader.check_count(self.body.head, self.count, self.found, "items")?;
            reader.check_end(&self.body, self.count, self.found, "items")?;
            if self.count != Count::Deferred {
                reader.counted = self.last.or(reader.counted);
            }
            return Ok(None);
        }
        let text = reader.lines.of(line);
        let (digits, rest) = text[1..].split_once(' ').unwrap_or((&text[1..], ""));
        if id(digits) != Some(self.found) {
            let message =
                format!("an item is {}, expected its index: `@{} …`", shown(text), self.found);
            return Err(reader.error(line, ErrorKind::InvalidItemId, message));
        }
        let body = Body {
            head: line,
            at: line + 1,
            end: reader.lines.after(line),
            indent: self.body.indent + 1,
            whole: true,
        };
        let Some(head) = head(rest).map_err(|problem| reader.problem(problem))? else {
            return Err(
                reader.unrecognized(line, "`=value`, `{}`, `[N]: values` or `[N]` behind the id")
            );
        };
        let form = reader.form(head, body, reader.depth + 1)?;
        self.last = matches!(form, Form::Scalar(_)).then_some(line);
        self.found += 1;
        reader.at = line + 1;
        Ok(Some(form))
    }
}
