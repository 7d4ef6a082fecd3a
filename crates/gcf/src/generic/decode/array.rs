//! Arrays of scalars on one line (section 7.5), and arrays with an item for each value (section
//! 7.6).

use super::cells::{cell_length, token};
use super::form::{Body, Form};
use super::head::{Count, head, indexed};
use super::reader::Reader;
use crate::Error;
use crate::generic::scalar::trimmed;

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
    // A row has such an id if one of its cells is a mark, and then it has that cell, or more than
    // one.
    rest.starts_with(['=', '{', '[']) && cell_length(rest).is_ok_and(|length| length == rest.len())
}

impl Items {
    pub(super) fn new(reader: &mut Reader<'_>, body: Body, count: Count) -> Self {
        reader.at = body.at;
        Items { body, count, found: 0, last: Some(body.head) }
    }

    /// The same after this many items, whose lines are no longer in memory.
    pub(super) fn behind(self, found: u64) -> Self {
        Items { found, ..self }
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
        let (digits, rest) = indexed(text).unwrap_or((&text[1..], ""));
        reader.check_index(line, digits, self.found, "an item")?;
        let body = Body {
            head: line,
            at: line + 1,
            end: reader.lines.after(line),
            indent: self.body.indent + 1,
            whole: true,
        };
        let Some(head) = head(rest).map_err(|problem| reader.problem(problem))? else {
            return Err(
                reader.unrecognized(line, "`=value`, `{}`, `[N]: values` or `[N]` after the id")
            );
        };
        let form = reader.form(head, body, reader.depth + 1)?;
        self.last = matches!(form, Form::Scalar(_)).then_some(line);
        self.found += 1;
        reader.at = line + 1;
        Ok(Some(form))
    }
}
