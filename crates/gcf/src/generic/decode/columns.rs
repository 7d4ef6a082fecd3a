//! What the columns of a table are in its rows (sections 2a.3, 7.4.1 and 7.4.6).

use std::borrow::Cow;

use wire_core::MAX_NESTING;

use super::fields::{Field, fields, group_of, nothing_behind, plain, twice};
use crate::ErrorKind;
use crate::generic::distinct::Distinct;
use crate::generic::key::{PATH, is_path};
use crate::generic::problem::Problem;

/// A member of the rows, or of an object in them.
pub(super) type NodeId = usize;
/// The row.
pub(super) const ROW: NodeId = 0;

#[derive(Debug)]
pub(super) struct Node<'de> {
    pub(super) name: Cow<'de, str>,
    pub(super) of: Source<'de>,
}

/// The source of a member's value.
#[derive(Debug)]
pub(super) enum Source<'de> {
    /// The members of an object whose leaves are columns, in their order.
    Path(Vec<NodeId>),
    /// A cell.
    Cell(usize),
    /// The scalar in the header (specification 3.6).
    Constant(Cow<'de, str>),
    /// The scalar in the line before the group (specification 3.6).
    Group,
}

/// The message for a keyed map without values (section 7.2a.4).
pub(super) const ONE_FIELD: &str =
    "a keyed map has one field, expected the key and at least one more";

/// The columns of a table.
#[derive(Debug)]
pub(super) struct Columns<'de> {
    /// Objects are before their members.
    nodes: Vec<Node<'de>>,
    /// The object and the name of each node after the first.
    names: Distinct<(NodeId, Cow<'de, str>)>,
    /// The node of each cell.
    cells: Vec<NodeId>,
    pub(super) has_paths: bool,
    pub(super) has_constants: bool,
    /// The bytes that each row repeats: of names and constants.
    pub(super) repeated: usize,
    pub(super) group: Option<Group<'de>>,
}

/// How the rows of a table are grouped (specification 3.6).
#[derive(Clone, Debug)]
pub(super) struct Group<'de> {
    pub(super) name: Cow<'de, str>,
    /// The node of the column that no two rows have alike.
    pub(super) key: NodeId,
}

impl<'de> Columns<'de> {
    fn new() -> Self {
        let row = Node { name: Cow::Borrowed(""), of: Source::Path(Vec::new()) };
        Columns {
            nodes: vec![row],
            names: Distinct::new(),
            cells: Vec::new(),
            has_paths: false,
            has_constants: false,
            repeated: 0,
            group: None,
        }
    }

    /// The columns of an array's rows. `depth` is that of the rows.
    pub(super) fn of_array(list: &'de str, depth: usize) -> Result<Self, Problem> {
        let (fields, rest) = fields(list)?;
        let group = group_of(rest)?;
        let mut columns = Columns::new();
        let mut key = None;
        for field in fields {
            let is_group = group.as_ref().is_some_and(|name| field.name == *name);
            let node = match field.constant {
                _ if is_group => {
                    if field.is_key || field.constant.is_some() {
                        let message = "the field of the groups is the key or a constant, expected another field";
                        return Err(Problem::new(ErrorKind::InvalidGroupHeader, field.at, message));
                    }
                    columns.add(ROW, &field, field.name.clone(), Source::Group)?
                }
                Some(token) => {
                    columns.has_constants = true;
                    columns.add(
                        ROW,
                        &field,
                        field.name.clone(),
                        Source::Constant(Cow::Borrowed(token)),
                    )?
                }
                None => columns.add_cell(&field, group.is_none(), depth)?,
            };
            if field.is_key {
                if group.is_none() {
                    let message = "a field is marked with `@`, expected a name: only rows in groups and deltas have such keys";
                    return Err(Problem::new(ErrorKind::InvalidFieldList, field.at, message));
                }
                if key.replace(node).is_some() {
                    let message = "two fields are marked with `@`, expected one";
                    return Err(Problem::new(ErrorKind::InvalidGroupHeader, field.at, message));
                }
            }
        }
        if columns.cells.is_empty() {
            let message = "every field of the table is a constant, expected at least one that has a cell in each row";
            return Err(Problem::new(ErrorKind::NoBareColumn, list, message));
        }
        columns.group = match (group, key) {
            (None, _) => None,
            (Some(name), Some(key)) if columns.find(&name).is_some() => Some(Group { name, key }),
            (Some(_), _) => {
                let message = "the fields of rows in groups lack the one that is marked with `@`, or that of the groups, expected both";
                return Err(Problem::new(ErrorKind::InvalidGroupHeader, list, message));
            }
        };
        Ok(columns)
    }

    /// The columns of a keyed map's rows, without the one of the keys (section 7.2a.2).
    pub(super) fn of_keyed_map(list: &'de str, depth: usize) -> Result<Self, Problem> {
        let (fields, rest) = fields(list)?;
        nothing_behind(rest)?;
        let mut columns = Columns::new();
        let (label, values) = fields.split_first().expect("because a list has a field");
        plain(label)?;
        for field in values {
            plain(field)?;
            if field.name == label.name {
                return Err(twice(field));
            }
            columns.add_cell(field, true, depth)?;
        }
        if columns.cells.is_empty() {
            return Err(Problem::new(ErrorKind::InvalidCount, list, ONE_FIELD));
        }
        Ok(columns)
    }

    /// The columns of the rows of a set with a key, and the index of the key among them (section
    /// 10a.1).
    pub(super) fn of_keyed_set(list: &'de str) -> Result<(Self, usize), Problem> {
        let (fields, rest) = fields(list)?;
        nothing_behind(rest)?;
        let mut columns = Columns::new();
        let mut key = None;
        for (place, field) in fields.into_iter().enumerate() {
            if field.is_key && key.replace(place).is_some() {
                let message = "two fields are marked with `@`, expected one";
                return Err(Problem::new(ErrorKind::InvalidFieldList, field.at, message));
            }
            if field.constant.is_some() {
                let message = "a field is a constant, expected a name alone";
                return Err(Problem::new(ErrorKind::InvalidFieldList, field.at, message));
            }
            columns.add_cell(&field, false, 0)?;
        }
        let Some(key) = key else {
            let message = "no field is marked with `@`, expected this mark before the key";
            return Err(Problem::new(ErrorKind::InvalidFieldList, list, message));
        };
        Ok((columns, key))
    }

    /// The same, which borrows nothing from the header.
    pub(super) fn owned(&self) -> Columns<'static> {
        let owned = |text: &Cow<'de, str>| Cow::Owned(text.clone().into_owned());
        let mut names = Distinct::new();
        let nodes = self.nodes.iter().map(|node| {
            let of = match &node.of {
                Source::Path(members) => Source::Path(members.clone()),
                Source::Cell(cell) => Source::Cell(*cell),
                Source::Constant(token) => Source::Constant(owned(token)),
                Source::Group => Source::Group,
            };
            Node { name: owned(&node.name), of }
        });
        for (parent, name) in self.names.items() {
            let _ = names.insert((*parent, owned(name)));
        }
        Columns {
            nodes: nodes.collect(),
            names,
            cells: self.cells.clone(),
            group: self
                .group
                .as_ref()
                .map(|Group { name, key }| Group { name: owned(name), key: *key }),
            ..*self
        }
    }

    /// The names of the rows' members, in their order.
    pub(super) fn member_names(&self) -> impl Iterator<Item = &Cow<'de, str>> {
        self.members(ROW).iter().map(|&node| &self.nodes[node].name)
    }

    fn add(
        &mut self,
        parent: NodeId,
        field: &Field<'de>,
        name: Cow<'de, str>,
        of: Source<'de>,
    ) -> Result<NodeId, Problem> {
        self.names.insert((parent, name.clone())).map_err(|_| twice(field))?;
        let node = self.nodes.len();
        self.repeated += repeated(&name);
        if let Source::Path(_) = of {
            self.repeated += OBJECT;
        }
        if let Source::Constant(token) = &of {
            self.repeated += repeated_value(token);
        }
        self.nodes.push(Node { name, of });
        match &mut self.nodes[parent].of {
            Source::Path(members) => members.push(node),
            _ => return Err(twice(field)),
        }
        Ok(node)
    }

    /// Adds a field that has a cell: a member of the row, or of an object if its name is a path.
    fn add_cell(
        &mut self,
        field: &Field<'de>,
        paths: bool,
        depth: usize,
    ) -> Result<NodeId, Problem> {
        let cell = self.cells.len();
        let mut parent = ROW;
        let mut name = field.name.clone();
        if paths && is_path(&name) {
            self.has_paths = true;
            let inner = name.matches(PATH).count();
            if depth + inner > MAX_NESTING {
                let message = format!(
                    "a path leads deeper than {MAX_NESTING} levels, expected at most that many"
                );
                return Err(Problem::new(ErrorKind::TooDeep, field.at, message));
            }
            for _ in 0..inner {
                let (first, rest) = split_path(name);
                parent = match self.names.find(&(parent, first.clone())) {
                    // Nodes are in the order of their names, after the row.
                    Some(known) => known + 1,
                    None => self.add(parent, field, first, Source::Path(Vec::new()))?,
                };
                name = rest;
            }
        }
        let node = self.add(parent, field, name, Source::Cell(cell))?;
        self.cells.push(node);
        Ok(node)
    }

    /// The number of cells in a row.
    pub(super) fn width(&self) -> usize {
        self.cells.len()
    }

    #[inline]
    pub(super) fn node(&self, node: NodeId) -> &Node<'de> {
        &self.nodes[node]
    }

    pub(super) fn nodes(&self) -> &[Node<'de>] {
        &self.nodes
    }

    /// The members of the row or of an object in it.
    #[inline]
    pub(super) fn members(&self, node: NodeId) -> &[NodeId] {
        match &self.nodes[node].of {
            Source::Path(members) => members,
            _ => &[],
        }
    }

    /// The member of the rows with this name.
    pub(super) fn find(&self, name: &Cow<'de, str>) -> Option<&Source<'de>> {
        let at = self.names.find(&(ROW, name.clone()))?;
        Some(&self.nodes[at + 1].of)
    }

    /// Whether later tables may leave this list of fields out.
    pub(super) fn can_be_shared(&self) -> bool {
        !self.has_constants && self.group.is_none()
    }

    /// Whether the cell is a member of the row itself, and not of an object in it.
    pub(super) fn is_direct(&self, cell: usize) -> bool {
        // Members of objects have another parent in the list of names.
        let node = self.cells[cell];
        self.names.find(&(ROW, self.nodes[node].name.clone())) == Some(node - 1)
    }
}

/// The bytes of memory that are counted for an object without a cell.
const OBJECT: usize = 512;

/// The bytes that are counted for repeating a name whose value has a cell.
pub(super) fn repeated(name: &str) -> usize {
    const EACH: usize = 16;
    name.len() + EACH
}

/// The bytes that are counted for repeating a value without a cell.
pub(super) fn repeated_value(token: &str) -> usize {
    const MEMBER: usize = 128;
    token.len() + MEMBER
}

/// Splits off the first key of a path.
fn split_path(path: Cow<'_, str>) -> (Cow<'_, str>, Cow<'_, str>) {
    match path {
        Cow::Borrowed(path) => {
            let (first, rest) = path.split_once(PATH).expect("because paths are counted before");
            (Cow::Borrowed(first), Cow::Borrowed(rest))
        }
        Cow::Owned(path) => {
            let (first, rest) = path.split_once(PATH).expect("because paths are counted before");
            (Cow::Owned(first.to_owned()), Cow::Owned(rest.to_owned()))
        }
    }
}
