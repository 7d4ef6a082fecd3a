//! The lines of rows.

use std::collections::HashMap;

use serde_json::Value;
use wire_core::text::shown;

use super::edges::End;
use super::lines::Line;
use super::pairs::{Pair, Pairs, Token, insert};
use crate::grammar::LENGTH_SUFFIX;
use crate::response::Row;
use crate::value::is_length;
use crate::{Error, ErrorKind};

/// A row: its cells, and the cells that name nodes, with the columns and the offsets of their keys.
pub(super) struct Cells<'a> {
    pub(super) cells: Row,
    pub(super) nodes: Vec<(&'a str, usize, &'a str, i64)>,
}

pub(super) fn read_row<'a>(
    line: Line<'a>,
    columns: &HashMap<&str, bool>,
) -> Result<Cells<'a>, Error> {
    let mut row = Cells { cells: Row::new(), nodes: Vec::new() };
    if line.text.is_empty() {
        return Ok(row);
    }
    let mut pairs = Pairs { line, rest: Some(line.text()), kind: ErrorKind::InvalidRowLine };
    let mut last: Option<(&str, Value)> = None;
    while let Some(Pair { key, key_at, value, at }) =
        pairs.next(|key| columns.get(key).copied().unwrap_or_default())?
    {
        let is_node = match columns.get(key) {
            Some(is_node) => *is_node,
            None if follows_its_text(key, last.as_ref()) => false,
            None => {
                let message =
                    format!("the cell {} has no column, expected the name of a column", shown(key));
                return Err(line.error(ErrorKind::UnnamedColumn, key_at, message));
            }
        };
        let value = match value {
            Token::Bare(text) if is_node && text != "null" => {
                let end = End::read(text).ok_or_else(|| {
                    let message =
                        format!("the cell is {}, expected `Type:id` or `null`", shown(text));
                    line.error(ErrorKind::InvalidValue, at, message)
                })?;
                row.nodes.push((key, key_at, end.entity_type, end.id));
                Value::Null
            }
            token => token.read(line, at)?,
        };
        if !columns.contains_key(key) && !last.is_some_and(|(_, text)| is_length(&value, &text)) {
            let message = format!(
                "the cell {} has no column and is not the length of a text that was cut, expected the name of a column",
                shown(key)
            );
            return Err(line.error(ErrorKind::UnnamedColumn, key_at, message));
        }
        insert(line, &mut row.cells, (key, key_at), value.clone())?;
        last = Some((key, value));
    }
    Ok(row)
}

/// Returns `true` if a key can state the length of the text before it.
fn follows_its_text(key: &str, last: Option<&(&str, Value)>) -> bool {
    last.is_some_and(|(before, _)| key.strip_suffix(LENGTH_SUFFIX) == Some(before))
}
