//! The cells for missing and null values between the cells that a row has itself. Such rows are
//! written in one piece each: value by value, orders and logs take an eighth more instructions.

use super::table::{Form, Table};
use super::tape::{Node, Tape};

/// The cells of missing values and of null, each followed by the delimiter.
pub(super) const MISSING_CELL: &str = "~|";
pub(super) const NULL_CELL: &str = "-|";

/// Cells for missing or null values that appear in a row between its own.
#[derive(Debug)]
pub(super) struct DefaultCells {
    /// The node that they precede, counted from the row; `None` for the end of the row.
    pub(super) before: Option<usize>,
    pub(super) cell: &'static str,
    pub(super) count: usize,
}

/// The default cells between the cells of rows with the tree of `row`. Such rows have only scalars,
/// so their texts are already their cells if the columns have the same order. `None` if the order
/// differs, or if a value has no cell or is attached to its row. `columns` are the indices of the
/// fields that are columns.
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
