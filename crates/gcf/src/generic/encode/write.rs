//! Which form each container has, and its lines (section 7).

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};

use super::cells::NOWHERE;
use super::config::{Config, Spec};
use super::default_cells::{DefaultCells, default_cells_of};
use super::keys::KeyId;
use super::shape::TreeId;
use super::site::Site;
use super::table::{Field, Form, Table};
use super::tape::{Node, Tape};
use super::writer::{Sink, Writer};
use crate::generic::scalar::push_text;
use crate::graph::grammar::GROUP_PREFIX;

/// Appends the text after the header line.
pub(super) fn body(tape: &Tape, config: Config, out: &mut String) {
    write(whole(tape, config, out, &mut |_| ControlFlow::Continue(())));
}

/// Appends the text after the header line, and passes it on in pieces of this many bytes, until the
/// sink stops it.
pub(super) fn body_in_pieces(
    tape: &Tape,
    config: Config,
    out: &mut String,
    piece: usize,
    sink: Sink<'_>,
) {
    write(Writer { tape, config, out, sink, piece, is_stopped: false });
}

/// Writes in one piece, which is never passed on.
fn whole<'t, 'o>(
    tape: &'t Tape,
    config: Config,
    out: &'o mut String,
    sink: Sink<'o>,
) -> Writer<'t, 'o> {
    Writer { tape, config, out, sink, piece: usize::MAX, is_stopped: false }
}

fn write(mut writer: Writer<'_, '_>) {
    let tape = writer.tape;
    if tape.is_scalar(0) {
        writer.out.push('=');
        writer.scalar(0);
        writer.end_line();
    } else {
        writer.container(0, Site::Root, None);
    }
}

/// Appends a value as an item of an array at the root, or of one of its members (section 7.6).
pub(super) fn item(tape: &Tape, config: Config, index: usize, out: &mut String) {
    whole(tape, config, out, &mut |_| ControlFlow::Continue(())).item(0, Site::Item(index, 0));
}

impl Writer<'_, '_> {
    /// Writes an array or object. `shared` are the fields that need not be declared again.
    fn container(&mut self, at: usize, site: Site, shared: Option<&[KeyId]>) {
        if let Node::Object { .. } = self.tape.node(at) {
            self.object(at, site);
        } else {
            self.array(at, site, shared);
        }
    }

    fn object(&mut self, at: usize, site: Site) {
        let tape = self.tape;
        let Node::Object { shape, .. } = tape.node(at) else { return };
        let keys = tape.shapes.keys(shape);
        if keys.len() > 1 && self.keyed_map(at, keys, site) {
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
                self.container(value, Site::Member(key, site.members()), None);
            }
        }
    }

    /// Writes an object of objects as rows, and says whether it can be (section 7.2a).
    fn keyed_map(&mut self, at: usize, keys: &[KeyId], site: Site) -> bool {
        let tape = self.tape;
        let label = |fields: &mut dyn Iterator<Item = KeyId>| {
            let names: Vec<&str> = fields.map(|field| tape.shapes.names.text(field)).collect();
            let mut label = "key".to_owned();
            while names.contains(&&*label) {
                label.insert(0, '_');
            }
            label
        };
        let head = |writer: &mut Self| {
            writer.head(site);
            writer.out.push('[');
            writer.number(keys.len());
            writer.out.push_str(":]");
        };
        if let Some((tree, _)) = self.rows_alike(at) {
            head(self);
            self.out.push('{');
            self.out.push_str(&label(&mut tape.shapes.keys_of_tree(tree).iter().copied()));
            self.out.push(',');
            self.out.push_str(tape.shapes.columns(tree));
            self.out.push('}');
            self.end_line();
            self.rows_of_one_tree(at, Some(keys), site.rows());
            return true;
        }
        let is_object = |member: usize| matches!(tape.node(member), Node::Object { .. });
        if !tape.children(at).all(is_object) {
            return false;
        }
        let rows: Vec<usize> = tape.children(at).collect();
        let Some(table) = Table::of(tape, &rows, self.config) else { return false };
        head(self);
        self.fields(Some(&label(&mut table.fields.iter().map(|field| field.key))), &table);
        self.end_line();
        self.rows(&table, &rows, Some(keys), site.rows());
        true
    }

    /// The tree of all items of an array or all members of a map, and how many there are, if they
    /// have the same one and all of it is columns. Then a table has just its leaves as columns, and
    /// the text of each row is its cells.
    fn rows_alike(&self, at: usize) -> Option<(TreeId, usize)> {
        if self.config.flatten { self.tape.rows_alike(at) } else { None }
    }

    fn array(&mut self, at: usize, site: Site, shared: Option<&[KeyId]>) {
        let tape = self.tape;
        let factors =
            self.config.spec == Spec::V3_6 && matches!(site, Site::Root | Site::Member(..));
        if !factors && let Some((tree, count)) = self.rows_alike(at) {
            self.head(site);
            self.out.push('[');
            self.number(count);
            self.out.push(']');
            if shared.is_none() {
                self.out.push('{');
                self.out.push_str(tape.shapes.columns(tree));
                self.out.push('}');
            }
            self.end_line();
            return self.rows_of_one_tree(at, None, site.rows());
        }
        if let Node::Array { scalars: true, .. } = tape.node(at)
            && let Some(first) = tape.children(at).next()
        {
            // Each is one word.
            return self.scalars(first..tape.after(at), site);
        }
        let items: Vec<usize> = tape.children(at).collect();
        self.head(site);
        self.out.push('[');
        self.number(items.len());
        self.out.push(']');
        if let Some(mut table) = Table::of(tape, &items, self.config) {
            if factors {
                table.factor(tape, &items);
            }
            if shared.is_none() {
                self.fields(None, &table);
            }
            self.end_line();
            return self.rows(&table, &items, None, site.rows());
        }
        self.end_line();
        for (index, item) in items.into_iter().enumerate() {
            if self.is_stopped {
                return;
            }
            self.item(item, Site::Item(index, site.rows()));
        }
    }

    /// A value as an item (section 7.6).
    fn item(&mut self, at: usize, site: Site) {
        if !self.tape.is_scalar(at) {
            return self.container(at, site, None);
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
            (Form::Shared(fields), _) if index > 0 => self.container(value, site, Some(fields)),
            _ => self.container(value, site, None),
        }
    }
}

#[cfg(test)]
mod tests;
