//! One row of a table: its cells, the objects whose members are columns, and its attachments
//! (sections 7.4.4 to 7.4.6).

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use super::cells::cut;
use super::columns::{Columns, NodeId, ROW, Source};
use super::form::{Form, Member};
use crate::generic::distinct::Distinct;
use crate::generic::problem::Problem;
use crate::generic::scalar::{Mark, mark};

/// Whether an object in a row, whose members are columns, is there (section 7.4.6.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Every cell is `~`.
    Absent,
    /// Every cell is `-`.
    Null,
    Present,
}

/// A row whose cells are cut and whose attachments are found.
#[derive(Debug)]
pub(super) struct Row<'de> {
    pub(super) columns: Arc<Columns<'de>>,
    pub(super) line: usize,
    /// The key of the row, in a keyed map.
    pub(super) key: Cow<'de, str>,
    pub(super) cells: Vec<&'de str>,
    /// Whether a cell begins with a `^`.
    pub(super) may_have_marks: bool,
    /// The state of each node, if there are objects in the rows.
    states: Vec<State>,
    /// The token of the group.
    pub(super) group: &'de str,
    /// The values of the cells that are marks, in their order.
    pub(super) attached: Vec<(usize, Form<'de>)>,
    /// The values that have no cell because their name has a `>` (section 7.4.6.1.4).
    pub(super) extras: Vec<Member<'de>>,
    pub(super) extra_names: Distinct<Cow<'de, str>>,
}

impl<'de> Row<'de> {
    pub(super) fn new(columns: Arc<Columns<'de>>) -> Self {
        Row {
            columns,
            line: 0,
            key: Cow::Borrowed(""),
            cells: Vec::new(),
            may_have_marks: false,
            states: Vec::new(),
            group: "",
            attached: Vec::new(),
            extras: Vec::new(),
            extra_names: Distinct::new(),
        }
    }

    /// Cuts the cells of a row.
    pub(super) fn cut(&mut self, line: usize, text: &'de str) -> Result<(), Problem> {
        self.line = line;
        self.cells.clear();
        self.attached.clear();
        if !self.extras.is_empty() {
            self.extras.clear();
            self.extra_names = Distinct::new();
        }
        cut(text, &mut self.cells)?;
        self.may_have_marks = self.cells.iter().any(|cell| cell.starts_with('^'));
        Ok(())
    }

    /// Works out which objects in the row are there.
    pub(super) fn settle(&mut self) {
        if !self.columns.has_paths {
            return;
        }
        let nodes = self.columns.nodes();
        self.states.clear();
        self.states.resize(nodes.len(), State::Present);
        // Members are after their objects.
        for (at, node) in nodes.iter().enumerate().skip(1).rev() {
            self.states[at] = match &node.of {
                Source::Cell(cell) => match self.cells[*cell] {
                    "~" => State::Absent,
                    "-" => State::Null,
                    _ => State::Present,
                },
                Source::Path(members) => {
                    let mut states = members.iter().map(|&member| self.states[member]);
                    let first = states.next().unwrap_or(State::Present);
                    if states.all(|state| state == first) { first } else { State::Present }
                }
                Source::Constant(_) | Source::Group => State::Present,
            };
        }
    }

    /// The kind of a member's value, without reading it.
    #[inline]
    pub(super) fn cell(&self, member: NodeId) -> Cell<'de> {
        match self.columns.node(member).of {
            Source::Constant(Cow::Borrowed(token)) => Cell::Token(token),
            Source::Constant(Cow::Owned(_)) => Cell::Other,
            Source::Group => Cell::Token(self.group),
            Source::Cell(cell) => match self.cells[cell] {
                "~" => Cell::Missing,
                token if token.starts_with('^') => Cell::Other,
                token => Cell::Token(token),
            },
            Source::Path(_) => match self.states[member] {
                State::Absent => Cell::Missing,
                State::Null | State::Present => Cell::Other,
            },
        }
    }

    /// The token of a member that is a constant.
    pub(super) fn constant(&self, member: NodeId) -> &str {
        match &self.columns.node(member).of {
            Source::Constant(token) => token,
            _ => "-",
        }
    }

    /// A value of a row that has no cell.
    pub(super) fn extra(&self, node: NodeId, at: usize) -> Option<&Member<'de>> {
        self.extras.get(at).filter(|_| node == ROW)
    }

    /// The value of a member; `None` if it is missing.
    pub(super) fn value(self: &Rc<Self>, parent: NodeId, node: NodeId) -> Option<Form<'de>> {
        match self.columns.node(node).of {
            Source::Constant(Cow::Borrowed(token)) => Some(Form::Scalar(token)),
            Source::Constant(Cow::Owned(_)) => Some(Form::Constant(Rc::clone(self), node)),
            Source::Group => Some(Form::Scalar(self.group)),
            Source::Cell(cell) => match mark(self.cells[cell]) {
                Mark::Scalar => Some(Form::Scalar(self.cells[cell])),
                Mark::Missing => None,
                Mark::Attachment | Mark::Schema(_) => {
                    let at = self.attached.binary_search_by_key(&cell, |(cell, _)| *cell);
                    Some(
                        self.attached[at.expect("because every mark has its attachment")].1.clone(),
                    )
                }
            },
            Source::Path(_) => match self.states[node] {
                State::Absent => None,
                // Further in, an object of nulls is one.
                State::Null if parent == ROW => Some(Form::Null(self.line)),
                State::Null | State::Present => Some(Form::Row(Rc::clone(self), node)),
            },
        }
    }
}

/// The value of a member of a row, in one of its forms.
pub(super) enum Cell<'de> {
    Missing,
    /// A scalar.
    Token(&'de str),
    /// Anything: see [`Row::value`].
    Other,
}
