//! The columns of a table in its header and its rows (sections 7.4.1 and 7.4.2).

use super::default_cells::{DefaultCells, MISSING_CELL, NULL_CELL};
use super::keys::KeyId;
use super::table::{Field, Form, Table};
use super::tape::{DELIMITER, Node};
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
