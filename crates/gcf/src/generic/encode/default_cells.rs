//! The cells for missing and null values between the cells that a row has itself.

use super::table::{Form, Table};
use super::tape::{Node, Tape};

/// The cells of what is not there, and of null, with the delimiter behind them.
pub(super) const MISSING_CELL: &str = "~|";
pub(super) const NULL_CELL: &str = "-|";

/// Cells for missing or null values that appear in a row between its own.
#[derive(Debug)]
pub(super) struct DefaultCells {
    /// The node before which they stand, counted from the row; none for its end.
    pub(super) before: Option<usize>,
    pub(super) cell: &'static str,
    pub(super) count: usize,
}

/// What stands between the cells of rows with the tree of `row`: such rows have nothing but scalars, so that the texts of all
/// of them are their cells already, if the columns have the same order. None if they do not, or if any value has no cell
/// or stands behind its row. `columns` are the places of the fields that are columns.
pub(super) fn default_cells_of(
    tape: &Tape,
    table: &Table,
    columns: &[usize],
    row: usize,
) -> Option<Box<[DefaultCells]>> {
    let Node::Object { shape, .. } = tape.node(row) else { return None };
    let mut columns = columns.iter().copied();
    let mut defaults = Vec::new();
    let mut default = |before, cell, count| {
        if count > 0 {
            defaults.push(DefaultCells { before, cell, count });
        }
    };
    let width = |place: usize| match table.fields[place].form {
        Form::Flat(_, leaves) => leaves,
        _ => 1,
    };
    let mut nulls = 0;
    for (&place, value) in table.places(shape).iter().zip(tape.children(row)) {
        let before = Some(value - row);
        default(before, NULL_CELL, nulls);
        let mut missing = 0;
        loop {
            match columns.next()? {
                column if column == place as usize => break,
                column => missing += width(column),
            }
        }
        default(before, MISSING_CELL, missing);
        let field = &table.fields[place as usize];
        nulls = match (&field.form, tape.node(value)) {
            (Form::Flat(_, leaves), Node::Null) => leaves - 1,
            (Form::Flat(..), Node::Object { .. }) => 0,
            _ if field.attaches(tape.node(value)) => return None,
            _ => 0,
        };
    }
    default(None, NULL_CELL, nulls);
    default(None, MISSING_CELL, columns.map(width).sum());
    Some(defaults.into())
}
