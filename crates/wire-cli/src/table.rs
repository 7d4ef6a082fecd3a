//! Tables for people.

use std::io;

use comfy_table::{CellAlignment, ContentArrangement, Table};

use crate::failure::shown;

/// A line beneath the header, and no others.
const PRESET: &str = "     ──            ";

/// A table as wide as its cells, with these in its header.
pub(crate) fn plain(fields: Vec<String>) -> Table {
    let mut table = Table::new();
    table.load_preset(PRESET).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(fields);
    table
}

/// A table that wraps its cells where it is looked at in a terminal, and nowhere else.
pub(crate) fn new<'f>(fields: impl Iterator<Item = &'f str>) -> Table {
    let mut table = plain(fields.map(shown).collect());
    if let Some((width, _)) = terminal_size::terminal_size_of(io::stdout()) {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width.0);
    }
    table
}

/// Puts the cells of these columns to the right, as numbers are.
pub(crate) fn align_right(table: &mut Table, columns: std::ops::Range<usize>) {
    for index in columns {
        if let Some(column) = table.column_mut(index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
}

/// Its lines, without trailing white space.
pub(crate) fn text(table: &Table) -> String {
    table.to_string().lines().flat_map(|line| [line.trim_end(), "\n"]).collect()
}
