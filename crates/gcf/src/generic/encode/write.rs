//! Which form each container has, and its lines (section 7).

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};

use serde::Serialize;

use super::cells::{DefaultCells, NOWHERE, default_cells_of};
use super::keys::KeyId;
use super::record::tape_within;
use super::shape::TreeId;
use super::table::{Field, Form, Table};
use super::tape::{Node, Tape};
use super::writer::{Sink, Site, Writer};
use super::{Encoder, Spec};
use crate::Error;
use crate::generic::scalar::push_text;
use crate::lines::GROUP_PREFIX;

/// Appends the text after the header line.
pub(super) fn body(tape: &Tape, options: Encoder, out: &mut String) {
    body_in_pieces(tape, options, out, usize::MAX, &mut |_| ControlFlow::Continue(()));
}

/// Appends the text after the header line, and passes it on in pieces of this many bytes, until the
/// sink stops it.
pub(super) fn body_in_pieces(
    tape: &Tape,
    options: Encoder,
    out: &mut String,
    piece: usize,
    sink: Sink<'_>,
) {
    let mut writer = Writer { tape, options, out, sink, piece, is_stopped: false };
    if tape.is_scalar(0) {
        writer.out.push('=');
        writer.scalar(0);
        writer.end_line();
    } else {
        writer.container(0, Site::Root, false);
    }
}

/// Appends a value as the item of this index of an array that is in so many arrays and objects, for
/// streams, which can't know the form of their array in advance (section 7.6). After an error
/// nothing is appended.
pub(in crate::generic) fn push_item<T: Serialize + ?Sized>(
    value: &T,
    index: usize,
    depth: usize,
    out: &mut String,
) -> Result<(), Error> {
    let tape = tape_within(value, depth)?;
    let (options, piece) = (Encoder::new(), usize::MAX);
    let sink: Sink<'_> = &mut |_| ControlFlow::Continue(());
    let mut writer = Writer { tape: &tape, options, out, sink, piece, is_stopped: false };
    writer.item(0, Site::Item(index, 0));
    Ok(())
}

impl Writer<'_, '_> {
    /// Writes an array or object. With `is_shared` its fields need not be declared again.
    fn container(&mut self, at: usize, site: Site, is_shared: bool) {
        if let Node::Object { .. } = self.tape.node(at) {
            self.object(at, site);
        } else {
            self.array(at, site, is_shared);
        }
    }

    fn object(&mut self, at: usize, site: Site) {
        let tape = self.tape;
        let Node::Object { shape, .. } = tape.node(at) else { return };
        let keys = tape.shapes.keys(shape);
        if keys.len() > 1 && self.table(at, site, Some(keys), false) {
            return;
        }
        match site {
            Site::Root => {}
            Site::Member(key, indent) => {
                self.indent(indent);
                self.out.push_str(GROUP_PREFIX);
                self.key(key);
                self.end_line();
            }
            Site::Item(..) | Site::Attachment(..) => {
                self.head(site);
                self.out.push_str("{}");
                self.end_line();
            }
        }
        for (&key, value) in keys.iter().zip(tape.children(at)) {
            if self.is_stopped {
                return;
            }
            if tape.is_scalar(value) {
                self.indent(site.members());
                self.key(key);
                self.out.push('=');
                self.scalar(value);
                self.end_line();
            } else {
                self.container(value, Site::Member(key, site.members()), false);
            }
        }
    }

    /// Writes an array of objects as rows, or an object of objects with these keys (section 7.2a).
    /// Says whether it can be. With `is_shared` the fields need not be declared again.
    fn table(&mut self, at: usize, site: Site, keys: Option<&[KeyId]>, is_shared: bool) -> bool {
        let tape = self.tape;
        let is_factored = self.options.spec == Spec::V3_6
            && keys.is_none()
            && matches!(site, Site::Root | Site::Member(..));
        let head = |writer: &mut Self, count: usize| {
            writer.head(site);
            writer.out.push('[');
            writer.number(count);
            writer.out.push_str(if keys.is_some() { ":]" } else { "]" });
        };
        if !is_factored && let Some((tree, count)) = self.rows_alike(at) {
            head(self, count);
            if !is_shared {
                self.out.push('{');
                if keys.is_some() {
                    self.label(tape.shapes.keys_of_tree(tree).iter().copied());
                    self.out.push(',');
                }
                self.out.push_str(tape.shapes.columns(tree));
                self.out.push('}');
            }
            self.end_line();
            self.rows_of_one_tree(at, keys, site.rows());
            return true;
        }
        let is_object = |row: usize| matches!(tape.node(row), Node::Object { .. });
        if keys.is_some() && !tape.children(at).all(is_object) {
            return false;
        }
        let rows: Vec<usize> = tape.children(at).collect();
        let Some(mut table) = Table::of(tape, &rows, self.options) else { return false };
        if is_factored {
            table.factor(tape, &rows);
        }
        head(self, rows.len());
        if !is_shared {
            self.fields(keys.is_some(), &table);
        }
        self.end_line();
        self.rows(&table, &rows, keys, site.rows());
        true
    }

    /// The name of the column of the keys, which is none of the fields.
    pub(super) fn label(&mut self, fields: impl Iterator<Item = KeyId>) {
        let names: Vec<&str> = fields.map(|field| self.tape.shapes.names.text(field)).collect();
        let mut label = "key".to_owned();
        while names.contains(&&*label) {
            label.insert(0, '_');
        }
        self.out.push_str(&label);
    }

    /// The tree of all items of an array or all members of a map, and how many there are, if they
    /// have the same one and all of it is columns. Then a table has just its leaves as columns, and
    /// the text of each row is its cells. Surveyed like others, such tables take 6 % more
    /// instructions, and orders and issues, which have small ones in them, 13 % and 23 %.
    fn rows_alike(&self, at: usize) -> Option<(TreeId, usize)> {
        if self.options.flatten { self.tape.rows_alike(at) } else { None }
    }

    fn array(&mut self, at: usize, site: Site, is_shared: bool) {
        let tape = self.tape;
        if let Node::Array { scalars: true, .. } = tape.node(at)
            && let Some(first) = tape.children(at).next()
        {
            // Each is one word.
            return self.scalars(first..tape.after(at), site);
        }
        if self.table(at, site, None, is_shared) {
            return;
        }
        self.head(site);
        self.out.push('[');
        self.number(tape.children(at).count());
        self.out.push(']');
        self.end_line();
        for (index, item) in tape.children(at).enumerate() {
            if self.is_stopped {
                return;
            }
            self.item(item, Site::Item(index, site.rows()));
        }
    }

    /// A value as an item (section 7.6).
    fn item(&mut self, at: usize, site: Site) {
        if !self.tape.is_scalar(at) {
            return self.container(at, site, false);
        }
        self.head(site);
        self.out.push('=');
        self.scalar(at);
        self.end_line();
    }

    /// An array of scalars, on one line (section 7.5).
    fn scalars(&mut self, items: Range<usize>, site: Site) {
        if let Site::Member(key, indent) = site {
            // Its name is before the count, without a mark.
            self.indent(indent);
            self.key(key);
        } else {
            self.head(site);
        }
        self.out.push('[');
        self.number(items.len());
        self.out.push_str("]: ");
        for (index, item) in items.enumerate() {
            if self.is_stopped {
                return;
            }
            if index > 0 {
                self.out.push(',');
            }
            self.scalar(item);
            self.hand_on();
        }
        self.end_line();
    }

    /// The rows of a table, each followed by its attachments (sections 7.4 and 7.2a.3).
    fn rows(&mut self, table: &Table, rows: &[usize], keys: Option<&[KeyId]>, indent: usize) {
        let tape = self.tape;
        let places = |wanted: fn(&Field) -> bool| -> Vec<usize> {
            let fields = table.fields.iter().enumerate();
            fields.filter(|(_, field)| wanted(field)).map(|(place, _)| place).collect()
        };
        let columns = places(|field| field.is_column && !matches!(field.form, Form::Constant(_)));
        // Those without a cell come last.
        let attachable = [
            places(|field| field.has_attachments && field.is_column),
            places(|field| !field.is_column),
        ]
        .concat();
        let mut attached: Vec<usize> = Vec::new();
        let mut values = vec![NOWHERE; table.fields.len()];
        let mut defaults: Vec<Option<Box<[DefaultCells]>>> = Vec::new();
        let mut by_tree = BTreeMap::new();
        let mut last = None;
        for (index, &row) in rows.iter().enumerate() {
            if self.is_stopped {
                return;
            }
            let Node::Object { shape, tree, .. } = tape.node(row) else { continue };
            let defaults = tree.and_then(|tree| {
                let at = match last {
                    Some((known, at)) if known == tree => at,
                    _ => *by_tree.entry(tree).or_insert_with(|| {
                        defaults.push(default_cells_of(tape, table, &columns, row));
                        defaults.len() - 1
                    }),
                };
                last = Some((tree, at));
                defaults[at].as_deref()
            });
            attached.clear();
            if defaults.is_none() {
                values.fill(NOWHERE);
                for (&place, value) in table.places(shape).iter().zip(tape.children(row)) {
                    values[place as usize] = value;
                }
                attached.extend(attachable.iter().filter(|&&place| {
                    let value = values[place];
                    value != NOWHERE && table.fields[place].attaches(tape.node(value))
                }));
            }
            self.indent(indent);
            if !attached.is_empty() {
                self.out.push('@');
                self.number(index);
                self.out.push(' ');
            }
            let start = self.out.len();
            if let Some(keys) = keys {
                push_text(self.out, tape.shapes.names.text(keys[index]));
                self.out.push('|');
            }
            match defaults {
                Some(defaults) => self.cells(row, defaults),
                None => {
                    for &place in &columns {
                        self.cell(&table.fields[place], values[place], index);
                    }
                }
            }
            // Every cell is followed by a delimiter.
            debug_assert!(self.out.len() > start);
            self.out.pop();
            self.end_line();
            for &place in &attached {
                let field = &table.fields[place];
                self.attachment(field.key, &field.form, values[place], index, indent);
            }
        }
    }

    /// The attachment of a row for one of its fields (sections 7.4.4 and 7.4.5).
    fn attachment(&mut self, key: KeyId, form: &Form, value: usize, index: usize, indent: usize) {
        let tape = self.tape;
        let site = Site::Attachment(key, indent);
        match (form, tape.node(value)) {
            (Form::Inline, Node::Object { .. }) => {
                self.indent(indent);
                for member in tape.children(value) {
                    self.scalar(member);
                    self.out.push('|');
                }
                self.out.pop();
                self.end_line();
            }
            (_, Node::Null | Node::Scalar) => {
                self.head(site);
                self.out.push('=');
                self.scalar(value);
                self.end_line();
            }
            (Form::Shared, _) => self.container(value, site, index > 0),
            _ => self.container(value, site, false),
        }
    }
}
