//! The columns of a table in its header and its rows (sections 7.4.1 and 7.4.2).

use super::keys::KeyId;
use super::table::{Field, Form, Table};
use super::tape::{DELIMITER, Node, Tape};
use super::writer::Writer;
use crate::generic::scalar::{push_quoted, push_text};

pub(super) const NOWHERE: usize = usize::MAX;

/// Appends the token of a constant, which ends at a comma or brace (specification 3.6).
pub(super) fn push_constant(out: &mut String, token: &str) {
    if token.contains('}') && !token.starts_with('"') {
        push_quoted(out, token);
    } else {
        out.push_str(token);
    }
}

impl Writer<'_, '_> {
    /// The rows of a table whose columns are the leaves of one tree.
    pub(super) fn rows_of_one_tree(&mut self, at: usize, keys: Option<&[KeyId]>, indent: usize) {
        let tape = self.tape;
        for (index, row) in tape.children(at).enumerate() {
            if self.is_stopped {
                return;
            }
            self.indent(indent);
            if let Some(keys) = keys {
                push_text(self.out, tape.shapes.names.text(keys[index]));
                self.out.push('|');
            }
            let cells = tape.cells(row, tape.after(row));
            self.out.push_str(&cells[..cells.len() - DELIMITER.len_utf8()]);
            self.end_line();
        }
    }

    /// The list of columns in braces (sections 7.4.1 and 7.2a.2).
    pub(super) fn fields(&mut self, has_keys: bool, table: &Table) {
        let shapes = &self.tape.shapes;
        let mut between = '{';
        let mut comma = |out: &mut String| out.push(std::mem::replace(&mut between, ','));
        if has_keys {
            comma(self.out);
            self.label(table.fields.iter().map(|field| field.key));
        }
        for field in table.fields.iter().filter(|field| field.is_column) {
            match field.form {
                Form::Flat(tree, _) => {
                    let mut path = shapes.names.text(field.key).to_owned();
                    shapes.paths(tree, &mut path, &mut |path| {
                        comma(self.out);
                        crate::generic::grammar::push_key(self.out, path);
                    });
                }
                _ => {
                    comma(self.out);
                    shapes.names.push(self.out, field.key);
                    if let Form::Constant(node) = field.form {
                        self.out.push('=');
                        push_constant(self.out, self.tape.scalar(node));
                    }
                }
            }
        }
        self.out.push('}');
    }

    /// All cells of a row that has them in order, each followed by a delimiter.
    pub(super) fn cells(&mut self, row: usize, defaults: &[DefaultCells]) {
        let tape = self.tape;
        let (mut from, end) = (row, tape.after(row));
        for default in defaults {
            let to = default.before.map_or(end, |offset| row + offset);
            self.out.push_str(tape.cells(from, to));
            for _ in 0..default.count {
                self.out.push_str(default.cell);
            }
            from = to;
        }
        self.out.push_str(tape.cells(from, end));
    }

    /// The cells of a field in a row, each followed by a delimiter.
    pub(super) fn cell(&mut self, field: &Field, value: usize, index: usize) {
        let tape = self.tape;
        let node = (value != NOWHERE).then(|| tape.node(value));
        match (&field.form, node) {
            (Form::Constant(_), _) => {}
            (Form::Flat(_, leaves), None) => {
                self.out.extend(std::iter::repeat_n(MISSING_CELL, *leaves));
            }
            (Form::Flat(_, leaves), Some(Node::Null)) => {
                self.out.extend(std::iter::repeat_n(NULL_CELL, *leaves));
            }
            // The leaves of a tree are the scalars in it, in order.
            (Form::Flat(..), Some(_)) => self.out.push_str(tape.cells(value, tape.after(value))),
            (_, None) => self.out.push_str(MISSING_CELL),
            (Form::Inline, Some(Node::Object { shape, .. })) if index == 0 => {
                let mut between = "^{";
                for &key in tape.shapes.keys(shape) {
                    self.out.push_str(std::mem::replace(&mut between, ","));
                    self.key(key);
                }
                self.out.push_str("}|");
            }
            (_, Some(Node::Null | Node::Scalar)) => {
                self.out.push_str(tape.cells(value, value + 1));
            }
            (_, Some(_)) => self.out.push_str("^|"),
        }
    }
}

/// The cells of missing values and of null, each followed by the delimiter.
const MISSING_CELL: &str = "~|";
const NULL_CELL: &str = "-|";

/// Cells for missing or null values that appear in a row between its own. Such rows are written in
/// one piece each: value by value, orders and logs take an eighth more instructions.
#[derive(Debug)]
pub(super) struct DefaultCells {
    /// The node that they precede, counted from the row; `None` for the end of the row.
    before: Option<usize>,
    cell: &'static str,
    count: usize,
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
