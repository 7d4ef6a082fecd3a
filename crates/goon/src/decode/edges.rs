//! The section of edges, and that of paths.

use std::collections::HashSet;

use wire_core::Limits;

use super::group::{Group, check_items, is_marker};
use super::index::Ordered;
use super::lines::{Line, Lines};
use crate::grammar::{ARROW, DEPTH, PATH, STEP, count, cut, id, is_name};
use crate::response::{Edge, LARGEST};
use crate::{Error, ErrorKind};

/// One end of an edge.
pub(super) struct End<'a> {
    pub(super) entity_type: &'a str,
    pub(super) id: i64,
}

impl<'a> End<'a> {
    /// `Type:id`.
    pub(super) fn read(text: &'a str) -> Option<Self> {
        let (entity_type, digits) = cut(text, b':')?;
        is_name(entity_type).then_some(End { entity_type, id: id(digits)? })
    }
}

fn edge(from: &End<'_>, edge_type: &str, to: &End<'_>) -> Edge {
    Edge::new((from.entity_type, from.id), edge_type, (to.entity_type, to.id))
}

fn check_end(
    line: Line<'_>,
    end: &End<'_>,
    is_known: &impl Fn(&End<'_>) -> bool,
) -> Result<(), Error> {
    if is_known(end) {
        return Ok(());
    }
    let message = format!(
        "the source or target {}:{} is not among the nodes, expected a node of the text",
        end.entity_type, end.id
    );
    Err(line.error(ErrorKind::DanglingEdge, 0, message))
}

pub(super) fn read_edges(
    lines: &mut Lines<'_>,
    limits: Limits,
    is_known: &impl Fn(&End<'_>) -> bool,
) -> Result<Vec<Edge>, Error> {
    let mut edges: Vec<Edge> = Vec::new();
    let mut seen = Ordered::default();
    let mut groups = HashSet::new();
    let mut group: Option<Group<'_>> = None;
    while let Some(line) = lines.peek()?.filter(|line| !is_marker(*line)) {
        lines.next()?;
        if let Some(next) = Group::begin(line) {
            if !groups.insert(next.name) {
                return Err(line.malformed(ErrorKind::InvalidEdgeLine, "each type once"));
            }
            seen = Ordered::default();
            Group::end(group.replace(next), "edges")?;
            continue;
        }
        let malformed = || {
            line.malformed(
                ErrorKind::InvalidEdgeLine,
                "`TYPE(count):`, or `Type:id --> Type:id` after such a line",
            )
        };
        let group = group.as_mut().ok_or_else(malformed)?;
        let (from, rest) = cut(line.text(), b' ').ok_or_else(malformed)?;
        let rest = rest.strip_prefix(ARROW).and_then(|rest| rest.strip_prefix(' '));
        let rest = rest.ok_or_else(malformed)?;
        let (to, depth) = match cut(rest, b' ') {
            None => (rest, None),
            Some((to, depth)) => {
                let depth = depth.strip_prefix(DEPTH).and_then(place);
                (to, Some(depth.ok_or_else(malformed)?))
            }
        };
        let (Some(from), Some(to)) = (End::read(from), End::read(to)) else {
            return Err(malformed());
        };
        check_end(line, &from, is_known)?;
        check_end(line, &to, is_known)?;
        check_items(line, edges.len(), limits, "edges")?;
        if !seen.insert((from.entity_type, from.id, to.entity_type, to.id, depth), ()) {
            let message = "the edge appears twice, expected once";
            return Err(line.error(ErrorKind::DuplicateEdge, 0, message));
        }
        group.found += 1;
        edges.push(Edge { depth, ..edge(&from, group.name, &to) });
    }
    Group::end(group, "edges")?;
    Ok(edges)
}

pub(super) fn read_paths(
    lines: &mut Lines<'_>,
    limits: Limits,
    is_known: &impl Fn(&End<'_>) -> bool,
) -> Result<Vec<Edge>, Error> {
    let mut edges: Vec<Edge> = Vec::new();
    let mut seen = HashSet::new();
    while let Some(line) = lines.peek()?.filter(|line| !line.text.starts_with('@')) {
        lines.next()?;
        let malformed = || {
            line.malformed(
                ErrorKind::InvalidPathLine,
                "`path=K: Type:id --TYPE--> Type:id …`, each K once",
            )
        };
        let (digits, chain) = line
            .text()
            .strip_prefix(PATH)
            .and_then(|rest| rest.split_once(": "))
            .ok_or_else(malformed)?;
        let path_id =
            place(digits).filter(|path_id| seen.insert(*path_id)).ok_or_else(malformed)?;
        let mut parts = chain.split(' ');
        let mut from = parts.next().and_then(End::read).ok_or_else(malformed)?;
        check_end(line, &from, is_known)?;
        let mut step = 0;
        while let Some(name) = parts.next() {
            let name = name.strip_prefix(STEP).and_then(|rest| rest.strip_suffix(ARROW));
            let name = name.filter(|name| is_name(name)).ok_or_else(malformed)?;
            let to = parts.next().and_then(End::read).ok_or_else(malformed)?;
            check_end(line, &to, is_known)?;
            check_items(line, edges.len(), limits, "edges")?;
            edges.push(Edge { path_id: Some(path_id), step: Some(step), ..edge(&from, name, &to) });
            from = to;
            step += 1;
        }
        if step == 0 {
            return Err(malformed());
        }
    }
    Ok(edges)
}

/// A depth, or the number of a path.
fn place(text: &str) -> Option<u64> {
    count(text).filter(|place| *place <= LARGEST)
}
