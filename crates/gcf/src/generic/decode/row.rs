//! One row of a table: its cells, the objects whose members are columns, and what is attached to it
//! (sections 7.4.4 to 7.4.6).

use std::borrow::Cow;
use std::rc::Rc;

use super::array::token;
use super::columns::{Columns, NodeId, ROW, Source, repeated};
use super::reader::{Form, Member, Reader};
use crate::Error;
use crate::ErrorKind;
use crate::generic::distinct::Distinct;
use crate::generic::problem::Problem;
use crate::generic::scalar::{Mark, mark, trimmed};

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
    pub(super) columns: Rc<Columns<'de>>,
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
    pub(super) fn new(columns: Rc<Columns<'de>>) -> Self {
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
        // Members stand behind the objects that they are of.
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

    /// What there is of a member, as far as that is told by a look.
    #[inline]
    pub(super) fn cell(&self, member: NodeId) -> Cell<'de> {
        match self.columns.node(member).of {
            Source::Constant(token) => Cell::Token(token),
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

    /// A value of a row that has no cell.
    pub(super) fn extra(&self, node: NodeId, at: usize) -> Option<&Member<'de>> {
        self.extras.get(at).filter(|_| node == ROW)
    }

    /// The value of a member; none if it is not there.
    pub(super) fn value(self: &Rc<Self>, parent: NodeId, node: NodeId) -> Option<Form<'de>> {
        match self.columns.node(node).of {
            Source::Constant(token) => Some(Form::Scalar(token)),
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

/// What there is of a member of a row.
pub(super) enum Cell<'de> {
    Missing,
    /// A scalar.
    Token(&'de str),
    /// Anything: see [`Row::value`].
    Other,
}

/// The cells of a line, without the white space around them.
pub(super) fn cut<'de>(text: &'de str, cells: &mut Vec<&'de str>) -> Result<(), Problem> {
    let mut rest = text;
    loop {
        // Only these begin a cell that may hold the delimiter.
        let (cell, behind) = match rest.as_bytes().first() {
            Some(b'"' | b'^' | b' ' | b'\t') => token(rest, b'|')?,
            _ => match delimiter(rest.as_bytes()) {
                Some(end) => (trimmed(&rest[..end]), Some(&rest[end + 1..])),
                None => (trimmed(rest), None),
            },
        };
        cells.push(cell);
        match behind {
            Some(behind) => rest = behind,
            None => return Ok(()),
        }
    }
}

/// Where the first `|` is. Cells are short: to set up a search for more takes longer than they do.
#[inline]
fn delimiter(bytes: &[u8]) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let (words, rest) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word) ^ (u64::from(b'|') * ONES);
        // The high bit of each byte that is zero; borrows only reach bytes behind the first such one.
        let found = word.wrapping_sub(ONES) & !word & (0x80 * ONES);
        if found != 0 {
            return Some(8 * index + (found.trailing_zeros() / 8) as usize);
        }
    }
    rest.iter().position(|byte| *byte == b'|').map(|at| 8 * words.len() + at)
}

/// The values of an inline schema that are being read.
#[derive(Debug)]
pub(super) struct Positional<'de> {
    names: Rc<[Cow<'de, str>]>,
    line: usize,
    cells: Vec<&'de str>,
    next: usize,
}

impl<'de> Positional<'de> {
    pub(super) fn new(
        reader: &mut Reader<'de>,
        names: Rc<[Cow<'de, str>]>,
        line: usize,
    ) -> Result<Self, Error> {
        let mut cells = Vec::new();
        cut(reader.lines.of(line), &mut cells).map_err(|problem| reader.problem(problem))?;
        if cells.len() != names.len() {
            let message =
                format!("a positional body has {} values, expected {}", cells.len(), names.len());
            return Err(reader.error(line, ErrorKind::InlineWidthMismatch, message));
        }
        reader.repeat(line, names.iter().map(|name| repeated(name)).sum())?;
        Ok(Positional { names, line, cells, next: 0 })
    }

    pub(super) fn next(&mut self, reader: &mut Reader<'de>) -> Option<Member<'de>> {
        let Some(cell) = self.cells.get(self.next) else {
            reader.counted = Some(self.line);
            return None;
        };
        self.next += 1;
        Some((self.names[self.next - 1].clone(), Form::Scalar(cell)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn cells_are_those_of_the_twin(text in "[a|\"^{} \t\\\\é]{0,24}") {
            let (mut cells, mut twin) = (Vec::new(), Vec::new());
            let is_right = cut(&text, &mut cells).is_ok();
            let mut rest = Some(&*text);
            while let Some(text) = rest {
                match token(text, b'|') {
                    Ok((cell, behind)) => {
                        twin.push(cell);
                        rest = behind;
                    }
                    Err(_) => {
                        prop_assert!(!is_right);
                        return Ok(());
                    }
                }
            }
            prop_assert!(is_right);
            prop_assert_eq!(cells, twin);
        }
    }
}
