//! Groups of nodes and of edges, which state how many members they have.

use wire_core::Limits;

use super::header::Stated;
use super::lines::Line;
use crate::grammar::{ARROW, count, is_name};
use crate::{Error, ErrorKind};

/// A group of nodes or edges that is being read.
pub(super) struct Group<'a> {
    pub(super) name: &'a str,
    stated: Stated<'a>,
    pub(super) found: usize,
}

impl<'a> Group<'a> {
    /// The group that a line such as `User(3):` begins; `None` for other lines.
    pub(super) fn begin(line: Line<'a>) -> Option<Self> {
        let (name, digits) = line.text().strip_suffix("):")?.split_once('(')?;
        let stated = Stated::new(count(digits)?, line, name.len() + 1);
        is_name(name).then_some(Group { name, stated, found: 0 })
    }

    /// Checks that the group has as many members as it states.
    pub(super) fn end(group: Option<Self>, what: &str) -> Result<(), Error> {
        group.map_or(Ok(()), |group| group.stated.check(group.found, what))
    }
}

/// Returns `true` if a line begins the next section. Names may begin with `@`, too.
pub(super) fn is_marker(line: Line<'_>) -> bool {
    line.text.starts_with('@') && Group::begin(line).is_none() && !line.text.contains(ARROW)
}

/// Checks that the limit allows another item.
pub(super) fn check_items(
    line: Line<'_>,
    found: usize,
    limits: Limits,
    what: &str,
) -> Result<(), Error> {
    if found < limits.items {
        return Ok(());
    }
    let message =
        format!("there are more than {} {what}, expected at most that many", limits.items);
    Err(line.error(ErrorKind::TooManyItems, 0, message))
}
