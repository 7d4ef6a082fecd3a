//! The form of a value in a text, and the position of its content.

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use super::columns::{Columns, NodeId};
use super::head::Count;
use super::row::Row;

/// A key of an object, and its value.
pub(super) type Member<'de> = (Cow<'de, str>, Form<'de>);

/// The lines of the content of a container.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body {
    /// The line that says what the container is.
    pub(super) head: usize,
    /// The first line of the content.
    pub(super) at: usize,
    /// The line after the last one that may belong to it.
    pub(super) end: usize,
    /// The indentation of the lines.
    pub(super) indent: usize,
    /// Whether all lines up to the end belong to it; else members of the object around it may
    /// follow.
    pub(super) whole: bool,
}

/// A value as the text has it.
#[derive(Clone, Debug)]
pub(super) enum Form<'de> {
    /// A path whose columns are all `-`, in the row of this line.
    Null(usize),
    /// A token, maybe with white space around it.
    Scalar(&'de str),
    /// Members on their own lines.
    Object(Body),
    /// A column that is the same in every row of a table whose header is gone.
    Constant(Rc<Row<'de>>, NodeId),
    /// A row, or an object in it whose members are columns.
    Row(Rc<Row<'de>>, NodeId),
    /// The values of an inline schema, in this line.
    Positional(Arc<[Cow<'de, str>]>, usize),
    /// Objects by their keys, a row each.
    KeyedMap(Body, Count, Arc<Columns<'de>>),
    /// Scalars in the line of this index.
    Inline(usize, Count, &'de str),
    /// Objects, a row each.
    Rows(Body, Count, Arc<Columns<'de>>),
    /// Anything, an item each.
    Items(Body, Count),
}
