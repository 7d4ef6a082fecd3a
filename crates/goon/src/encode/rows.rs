//! The rows of an aggregation.

use std::collections::HashSet;
use std::fmt::Write as _;

use wire_core::text::shown;

use super::name::check_name;
use crate::grammar::LENGTH_SUFFIX;
use crate::response::{GraphResponse, GroupKind, NodeCell, Row};
use crate::value::{self, Strings, is_length};
use crate::{Error, ErrorKind};

/// Appends the lines of the rows. Returns the number of cells that were cut.
pub(super) fn section(
    text: &mut String,
    response: &GraphResponse,
    strings: &Strings,
) -> Result<usize, Error> {
    let groups =
        response.group_columns.iter().map(|column| (&*column.name, column.kind == GroupKind::Node));
    let metrics = response.columns.iter().map(|column| (&*column.name, false));
    let columns: Vec<(&str, bool)> = groups.chain(metrics).collect();
    let names: HashSet<&str> = columns.iter().map(|(name, _)| *name).collect();
    let mut cut = 0;
    for (index, row) in response.rows.iter().enumerate() {
        let mut line = String::new();
        cut += push_cells(&mut line, row, &columns, &names, strings)
            .map_err(|error| Error::encode(error.kind(), format!("row {index}: {error}")))?;
        text.push_str(line.strip_prefix(' ').unwrap_or(&line));
        text.push('\n');
    }
    Ok(cut)
}

/// Appends the cells of a row. Returns the number of cells that were cut, whose length is not
/// written (ruling N16).
fn push_cells(
    line: &mut String,
    row: &Row,
    columns: &[(&str, bool)],
    names: &HashSet<&str>,
    strings: &Strings,
) -> Result<usize, Error> {
    // The length of a text that another writer cut has no column of its own.
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
    let mut cut = 0;
    for &(name, is_node) in columns {
        match row.get(name) {
            None => {}
            Some(cell) if is_node && !cell.is_null() => {
                let (entity_type, id) = NodeCell::read(cell)?.name();
                let _ = write!(line, " {name}={entity_type}:{id}");
            }
            Some(cell) => {
                check_name("a key", name)?;
                line.extend([" ", name, "="]);
                cut += usize::from(value::push(line, name, cell, strings)?.is_some());
                let length_key = format!("{name}{LENGTH_SUFFIX}");
                if !names.contains(&*length_key)
                    && let Some(length) = row.get(&length_key)
                {
                    let _ = write!(line, " {length_key}={length}");
                }
            }
        }
    }
    Ok(cut)
}
