//! Keys and their values, in the lines of nodes and of rows.

use std::collections::BTreeMap;

use serde_json::Value;
use wire_core::text::shown;

use super::lines::Line;
use crate::grammar::{PLAIN_NAME, cut, is_name, run_of};
use crate::value::{read_bare, read_quoted};
use crate::{Error, ErrorKind};

/// A key and its token, and the offsets in the line at which they begin.
pub(super) struct Pair<'a> {
    pub(super) key: &'a str,
    pub(super) key_at: usize,
    pub(super) value: Token<'a>,
    pub(super) at: usize,
}

/// The token after a key.
pub(super) enum Token<'a> {
    Bare(&'a str),
    /// The text, without quotes and escapes.
    Quoted(String),
}

impl Token<'_> {
    /// Its value. It begins at this byte of the line.
    pub(super) fn read(self, line: Line<'_>, at: usize) -> Result<Value, Error> {
        match self {
            Token::Quoted(text) => Ok(Value::String(text)),
            Token::Bare(text) => read_bare(text).ok_or_else(|| {
                let message =
                    format!("the value is {}, expected a bare or a quoted token", shown(text));
                line.error(ErrorKind::InvalidValue, at, message)
            }),
        }
    }
}

/// The pairs of a line, with one space between them.
pub(super) struct Pairs<'a> {
    pub(super) line: Line<'a>,
    pub(super) rest: Option<&'a str>,
    pub(super) kind: ErrorKind,
}

impl<'a> Pairs<'a> {
    /// The next pair. In the cell of a node, a quote does not begin a text.
    pub(super) fn next(
        &mut self,
        is_node: impl Fn(&str) -> bool,
    ) -> Result<Option<Pair<'a>>, Error> {
        let Some(rest) = self.rest else { return Ok(None) };
        let malformed =
            || self.line.malformed(self.kind, "`key=value` pairs with one space between them");
        // A plain name is one by its bytes.
        let plain = run_of(PLAIN_NAME, rest.as_bytes());
        let (key, value) = match rest.as_bytes().get(plain) {
            Some(b'=') if plain > 0 => (&rest[..plain], &rest[plain + 1..]),
            _ => cut(rest, b'=').filter(|(key, _)| is_name(key)).ok_or_else(malformed)?,
        };
        let (key_at, at) = (self.line.at(rest), self.line.at(value));
        if !value.starts_with('"') || is_node(key) {
            let (token, rest) =
                cut(value, b' ').map_or((value, None), |(token, rest)| (token, Some(rest)));
            self.rest = rest;
            return Ok(Some(Pair { key, key_at, value: Token::Bare(token), at }));
        }
        let wrong = |problem: &str| {
            let message = format!(
                "a quoted value has {problem}, expected the escapes \\\\, \\\", \\n, \\r, \\t and a quote at its end"
            );
            self.line.error(ErrorKind::InvalidValue, at, message)
        };
        let (text, length) = read_quoted(value).map_err(|problem| wrong(&problem))?;
        self.rest = match &value[length..] {
            "" => None,
            rest => Some(rest.strip_prefix(' ').ok_or_else(|| wrong("more after its quote"))?),
        };
        Ok(Some(Pair { key, key_at, value: Token::Quoted(text), at }))
    }
}

/// Adds a value under a key that is new.
pub(super) fn insert(
    line: Line<'_>,
    into: &mut BTreeMap<String, Value>,
    (key, at): (&str, usize),
    value: Value,
) -> Result<(), Error> {
    if into.insert(key.to_owned(), value).is_some() {
        let message = format!("the key {} appears twice, expected once", shown(key));
        return Err(line.error(ErrorKind::DuplicateKey, at, message));
    }
    Ok(())
}
