//! The rows of an aggregation.

use std::collections::HashSet;
use std::fmt::Write as _;

use wire_core::text::shown;

use super::name::check_name;
use super::nodes::{Length, push_property};
use crate::grammar::LENGTH_SUFFIX;
use crate::response::{GraphResponse, GroupKind, NodeCell, Row};
use crate::value::{Strings, is_length};
use crate::{Error, ErrorKind};

/// Appends the lines of the rows.
pub(super) fn section(
    text: &mut String,
    response: &GraphResponse,
    strings: &Strings,
) -> Result<(), Error> {
    let groups =
        response.group_columns.iter().map(|column| (&*column.name, column.kind == GroupKind::Node));
    let metrics = response.columns.iter().map(|column| (&*column.name, false));
    let columns: Vec<(&str, bool)> = groups.chain(metrics).collect();
    let names: HashSet<&str> = columns.iter().map(|(name, _)| *name).collect();
    for (index, row) in response.rows.iter().enumerate() {
        let mut line = String::new();
        push_cells(&mut line, row, &columns, &names, strings)
            .map_err(|error| Error::encode(error.kind(), format!("row {index}: {error}")))?;
        text.push_str(line.strip_prefix(' ').unwrap_or(&line));
        text.push('\n');
    }
    Ok(())
}

fn push_cells(
    line: &mut String,
    row: &Row,
    columns: &[(&str, bool)],
    names: &HashSet<&str>,
    strings: &Strings,
) -> Result<(), Error> {
    // The length of a text that was cut earlier has no column of its own.
    let is_length = |key: &str| {
        let base = key.strip_suffix(LENGTH_SUFFIX).filter(|base| names.contains(base));
        base.and_then(|base| row.get(base)).is_some_and(|text| is_length(&row[key], text))
    };
    let unnamed = row.keys().find(|key| !names.contains(&***key) && !is_length(key));
    if let Some(unnamed) = unnamed {
        let message =
            format!("the cell {} has no column, expected the name of a column", shown(unnamed));
        return Err(Error::encode(ErrorKind::UnnamedColumn, message));
    }
    for &(name, is_node) in columns {
        match row.get(name) {
            None => {}
            Some(cell) if is_node && !cell.is_null() => {
                let (entity_type, id) = NodeCell::read(cell)?.name();
                let _ = write!(line, " {name}={entity_type}:{id}");
            }
            Some(cell) => {
                let length_key = format!("{name}{LENGTH_SUFFIX}");
                let length = match row.get(&length_key) {
                    _ if names.contains(&*length_key) => Length::Taken,
                    None => Length::Free,
                    Some(length) => Length::Known(length),
                };
                check_name("a key", name)?;
                push_property(line, name, cell, length, strings)?;
            }
        }
    }
    Ok(())
}
