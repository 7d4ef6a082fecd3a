//! The rows of an aggregation.

use std::fmt::Write as _;

use serde_json::Value;
use wire_core::text::shown;

use super::nodes::{breadcrumb_of, push_property};
use crate::response::{GraphResponse, GroupKind, Node, Row};
use crate::value::Strings;
use crate::{Error, ErrorKind};

pub(super) fn section(response: &GraphResponse, strings: &Strings) -> Result<String, Error> {
    let groups =
        response.group_columns.iter().map(|column| (&*column.name, column.kind == GroupKind::Node));
    let metrics = response.columns.iter().map(|column| (&*column.name, false));
    let columns: Vec<(&str, bool)> = groups.chain(metrics).collect();
    let mut text = String::new();
    for (index, row) in response.rows.iter().enumerate() {
        let mut line = String::new();
        push_cells(&mut line, row, &columns, strings)
            .map_err(|error| Error::encode(error.kind(), format!("row {index}: {error}")))?;
        text.push_str(line.strip_prefix(' ').unwrap_or(&line));
        text.push('\n');
    }
    Ok(text)
}

fn push_cells(
    line: &mut String,
    row: &Row,
    columns: &[(&str, bool)],
    strings: &Strings,
) -> Result<(), Error> {
    let is_column = |name: &str| columns.iter().any(|(column, _)| *column == name);
    let unnamed = row.keys().find(|key| {
        !is_column(key) && breadcrumb_of(key, row, strings).is_none_or(|base| !is_column(base))
    });
    if let Some(unnamed) = unnamed {
        let message = format!("the cell {} is of no column, expected one", shown(unnamed));
        return Err(Error::encode(ErrorKind::UnnamedColumn, message));
    }
    for &(name, is_node) in columns {
        match row.get(name) {
            None => {}
            Some(cell) if is_node && !cell.is_null() => {
                let Some(Node { entity_type, id, .. }) = Node::from_cell(cell) else {
                    unreachable!("the nodes of cells have been lifted");
                };
                let _ = write!(line, " {name}={entity_type}:{id}");
            }
            // What is written behind its text already.
            Some(Value::Number(_)) if breadcrumb_of(name, row, strings).is_some_and(is_column) => {}
            Some(cell) => push_property(line, name, cell, row, strings)?,
        }
    }
    Ok(())
}
