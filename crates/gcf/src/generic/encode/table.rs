//! The fields of the rows of a table: the union of their fields (section 7.4.3), and how each is
//! written.

use std::collections::{BTreeMap, BTreeSet};

use super::Encoder;
use super::keys::{KeyId, is_in_paths};
use super::shape::{ShapeId, Shapes, TreeId};
use super::tape::{Node, Tape};
use crate::generic::grammar::PATH;

/// Inline schemas are for objects of at least so many members (section 7.4.5.1).
const SMALLEST_SCHEMA: usize = 3;

/// How the values of a field are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Scalars in their cells, containers as attachments (section 7.4.4).
    Plain,
    /// Objects whose leaves are columns (section 7.4.6), so many.
    Flat(TreeId, usize),
    /// Objects of scalars whose keys the first row declares (section 7.4.5.1).
    Inline,
    /// Arrays of objects of scalars whose fields the first row declares (section 7.4.5.3).
    Shared,
    /// A scalar that every row has, as the node of one of them; the header contains it
    /// (specification 3.6).
    Constant(usize),
}

#[derive(Debug)]
pub(super) struct Field {
    pub(super) key: KeyId,
    pub(super) form: Form,
    /// `true` if it is a column. A field with a `>` in its name is not: its values are attached
    /// without a cell (section 7.4.6.1).
    pub(super) is_column: bool,
    /// `true` if any of its values is attached to its row.
    pub(super) has_attachments: bool,
}

impl Field {
    /// Returns `true` if a value of the field is attached to its row.
    pub(super) fn attaches(&self, value: Node) -> bool {
        !self.is_column || (!value.is_scalar() && !matches!(self.form, Form::Flat(..)))
    }
}

#[derive(Debug)]
pub(super) struct Table {
    pub(super) fields: Vec<Field>,
    places: Places,
}

impl Table {
    /// The table of these rows; `None` if they are not all objects, or if no field can be a column.
    pub(super) fn of(tape: &Tape, rows: &[usize], options: Encoder) -> Option<Self> {
        Table::union(tape, rows, options)
            .filter(|table| table.fields.iter().any(|field| field.is_column))
    }

    /// The fields of these rows; `None` if they are not all objects.
    pub(super) fn union(tape: &Tape, rows: &[usize], options: Encoder) -> Option<Self> {
        let (mut places, mut seen) = survey(tape, rows, true)?;
        if seen.iter().any(FieldStats::is_unsure) {
            (places, seen) = survey(tape, rows, false)?;
        }
        let keys = &places.keys;
        let field = |(&key, seen): (&KeyId, FieldStats)| {
            let name = tape.shapes.names.text(key);
            let (is_column, containers) =
                (is_column(name), seen.objects.is_some() || seen.arrays.is_some());
            let form = seen.form(tape, name, options);
            let has_attachments = !is_column || (containers && !matches!(form, Form::Flat(..)));
            Field { key, form, is_column, has_attachments }
        };
        Some(Table { fields: keys.iter().zip(seen).map(field).collect(), places })
    }

    /// Moves the columns that are the same in every row into the header, but for the last one if it
    /// were all of them (specification 3.6).
    pub(super) fn factor(&mut self, tape: &Tape, rows: &[usize]) {
        if rows.len() < 2 {
            return;
        }
        // The value of each field in the first row, and how many rows from there on have the same.
        let mut seen = vec![(0, 0); self.fields.len()];
        for (index, &row) in rows.iter().enumerate() {
            let Node::Object { shape, .. } = tape.node(row) else { continue };
            for (&place, value) in self.places(shape).iter().zip(tape.children(row)) {
                let (first, count) = &mut seen[place as usize];
                if tape.is_scalar(value) && *count == index {
                    *first = if index == 0 { value } else { *first };
                    *count += usize::from(tape.scalar(*first) == tape.scalar(value));
                }
            }
        }
        for (field, (first, count)) in self.fields.iter_mut().zip(seen) {
            if count == rows.len() && field.form == Form::Plain {
                field.form = Form::Constant(first);
            }
        }
        let mut columns = self.fields.iter_mut().filter(|field| field.is_column);
        if columns.all(|field| matches!(field.form, Form::Constant(_)))
            && let Some(last) = self.fields.iter_mut().rfind(|field| field.is_column)
        {
            last.form = Form::Plain;
        }
    }

    /// Which field each member of an object of this shape is.
    pub(super) fn places(&self, shape: ShapeId) -> &[u32] {
        self.places.known(shape)
    }
}

/// The union of the keys of rows, and what each key has; `None` if the rows are not all objects.
/// With `by_tree`, rows with the same tree as an earlier row are skipped: else orders and logs take
/// 7 % more instructions.
fn survey(tape: &Tape, rows: &[usize], by_tree: bool) -> Option<(Places, Vec<FieldStats>)> {
    let mut places = Places::default();
    let mut seen: Vec<FieldStats> = Vec::new();
    let (mut last, mut trees) = (None, BTreeSet::new());
    for (index, &row) in rows.iter().enumerate() {
        let Node::Object { shape, tree, has_all_null, .. } = tape.node(row) else { return None };
        let tree = tree.filter(|_| by_tree && !has_all_null);
        if tree.is_some() {
            if tree == last {
                continue;
            }
            last = tree;
            if !trees.insert(tree) {
                continue;
            }
        }
        let places = places.of(&tape.shapes, shape);
        for (&field, value) in places.iter().zip(tape.children(row)) {
            let field = field as usize;
            if field >= seen.len() {
                seen.resize_with(field + 1, FieldStats::default);
            }
            seen[field].see(tape, value, index == 0);
            seen[field].others |= tree.is_some() && tape.is_scalar(value);
        }
    }
    Some((places, seen))
}

/// The union of the keys of shapes, and the indices of each shape's members in it.
#[derive(Debug, Default)]
struct Places {
    keys: Vec<KeyId>,
    by_key: BTreeMap<KeyId, u32>,
    by_shape: BTreeMap<ShapeId, usize>,
    lists: Vec<Box<[u32]>>,
    /// The shape that was asked for last, because rows of one kind follow each other.
    last: Option<(ShapeId, usize)>,
}

impl Places {
    fn of(&mut self, shapes: &Shapes, shape: ShapeId) -> &[u32] {
        if let Some((last, list)) = self.last
            && last == shape
        {
            return &self.lists[list];
        }
        let list = match self.by_shape.get(&shape) {
            Some(&list) => list,
            None => {
                let Places { keys, by_key, .. } = self;
                let place = |&key: &KeyId| {
                    *by_key.entry(key).or_insert_with(|| {
                        keys.push(key);
                        u32::try_from(keys.len() - 1).expect("because keys are counted by 32 bits")
                    })
                };
                let places = shapes.keys(shape).iter().map(place).collect();
                self.lists.push(places);
                self.by_shape.insert(shape, self.lists.len() - 1);
                self.lists.len() - 1
            }
        };
        self.last = Some((shape, list));
        &self.lists[list]
    }

    fn known(&self, shape: ShapeId) -> &[u32] {
        match self.last {
            Some((known, list)) if known == shape => &self.lists[list],
            _ => &self.lists[self.by_shape[&shape]],
        }
    }
}

/// The form of a field's values, apart from `null` and missing ones.
#[derive(Debug, Default)]
struct FieldStats {
    scalars: bool,
    objects: Option<Objects>,
    arrays: Option<Arrays>,
    /// `true` if there may be scalars, or nulls, that were not looked at.
    others: bool,
}

#[derive(Debug)]
struct Objects {
    in_first_row: bool,
    /// The tree of all of them; `None` if they differ or can't be flattened.
    tree: Option<TreeId>,
    /// The shape of all of them, if their members are scalars and there are enough.
    inline: Option<ShapeId>,
}

#[derive(Debug)]
struct Arrays {
    in_first_row: bool,
    /// The fields of all of them; `None` if they differ or have no such fields.
    fields: Option<Box<[KeyId]>>,
    /// The tree of all items of the first one, which has just these fields.
    tree: Option<TreeId>,
}

impl FieldStats {
    /// Returns `true` if values that were skipped could change the result.
    fn is_unsure(&self) -> bool {
        self.others && (self.objects.is_some() || self.arrays.is_some())
    }

    fn see(&mut self, tape: &Tape, value: usize, first_row: bool) {
        match tape.node(value) {
            Node::Null => {}
            Node::Scalar => self.scalars = true,
            Node::Object { shape, tree, scalars, all_null, .. } => {
                let tree = tree.filter(|_| !all_null);
                let long = || tape.shapes.keys(shape).len() >= SMALLEST_SCHEMA;
                let inline = (scalars && long()).then_some(shape);
                match &mut self.objects {
                    None => self.objects = Some(Objects { in_first_row: first_row, tree, inline }),
                    Some(objects) => {
                        objects.tree = objects.tree.filter(|_| objects.tree == tree);
                        objects.inline = objects.inline.filter(|_| objects.inline == inline);
                    }
                }
            }
            Node::Array { .. } => match &mut self.arrays {
                None => {
                    let fields = first_row.then(|| plain_fields(tape, value)).flatten();
                    let tree = fields.as_ref().and_then(|_| tape.tree_of_rows(value));
                    self.arrays = Some(Arrays { in_first_row: first_row, fields, tree });
                }
                Some(arrays) => {
                    let is_alike = arrays.tree.is_some() && arrays.tree == tape.tree_of_rows(value);
                    if !is_alike
                        && arrays.fields.is_some()
                        && arrays.fields != plain_fields(tape, value)
                    {
                        arrays.fields = None;
                    }
                }
            },
        }
    }

    fn form(self, tape: &Tape, name: &str, options: Encoder) -> Form {
        match self {
            FieldStats { scalars: false, objects: Some(objects), arrays: None, .. } => {
                let tree = objects.tree.filter(|_| is_in_paths(name) && options.flatten);
                match tree {
                    Some(tree) => Form::Flat(tree, tape.shapes.leaves(tree)),
                    None if objects.in_first_row && objects.inline.is_some() && is_column(name) => {
                        Form::Inline
                    }
                    None => Form::Plain,
                }
            }
            FieldStats {
                scalars: false,
                objects: None,
                arrays: Some(Arrays { in_first_row: true, fields: Some(_), .. }),
                ..
            } => Form::Shared,
            _ => Form::Plain,
        }
    }
}

/// The union of the fields of flat objects; `None` if there are other items, or names that can't be
/// columns.
fn plain_fields(tape: &Tape, array: usize) -> Option<Box<[KeyId]>> {
    let mut places = Places::default();
    for item in tape.children(array) {
        let Node::Object { shape, scalars: true, .. } = tape.node(item) else { return None };
        places.of(&tape.shapes, shape);
    }
    (!places.keys.is_empty()
        && places.keys.iter().all(|&key| is_column(tape.shapes.names.text(key))))
    .then(|| places.keys.into())
}

/// Returns `true` if a name can be that of a column: with a `>` it would be a path (section
/// 7.4.6.1).
fn is_column(name: &str) -> bool {
    !name.contains(PATH)
}
