//! The section of edges, and the chains of paths.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;

use super::check_name;
use crate::grammar::{ARROW, DEPTH, PATH, STEP};
use crate::response::{Edge, GraphResponse, QueryType};
use crate::{Error, ErrorKind};

/// What is seen of an edge, and the last part of its place.
fn seen(edge: &Edge) -> impl Ord + '_ {
    let Edge { from, from_id, to, to_id, edge_type, depth, path_id: _, step: _ } = edge;
    (edge_type, from, *from_id, to, *to_id, *depth)
}

/// The edges in their total order, without duplicates (ruling N4). What is absent comes before what is there.
fn sorted(response: &GraphResponse) -> Result<Vec<&Edge>, Error> {
    check(response)?;
    let mut edges: Vec<&Edge> = response.edges.iter().collect();
    let place = |edge: &Edge| (edge.path_id, edge.step);
    edges.sort_by(|a, b| place(a).cmp(&place(b)).then_with(|| seen(a).cmp(&seen(b))));
    if response.query_type == QueryType::PathFinding {
        edges.dedup();
    } else {
        // The path and step that are not written tell no edges apart that are the same to a reader.
        let mut known = HashSet::new();
        edges.retain(|edge| {
            known.insert((
                &edge.edge_type,
                &edge.from,
                edge.from_id,
                &edge.to,
                edge.to_id,
                edge.depth,
            ))
        });
    }
    Ok(edges)
}

fn check(response: &GraphResponse) -> Result<(), Error> {
    let known: HashSet<(&str, i64)> =
        response.nodes.iter().map(|node| (&*node.entity_type, node.id)).collect();
    for edge in &response.edges {
        check_name("the type of an edge", &edge.edge_type)?;
        for (entity_type, id) in [(&edge.from, edge.from_id), (&edge.to, edge.to_id)] {
            check_name("the type of an edge's end", entity_type)?;
            // The nodes of aggregations are in their rows.
            let checked = response.query_type != QueryType::Aggregation;
            if checked && !known.contains(&(entity_type, id)) {
                let message = format!(
                    "an edge of the type {} has the end {entity_type}:{id}, expected a node of the response",
                    edge.edge_type
                );
                return Err(Error::encode(ErrorKind::DanglingEdge, message));
            }
        }
    }
    Ok(())
}

/// The lines of the edges, and how many there are.
pub(super) fn section(response: &GraphResponse) -> Result<(String, usize), Error> {
    let edges = sorted(response)?;
    let mut groups: BTreeMap<&str, Vec<&Edge>> = BTreeMap::new();
    for edge in &edges {
        groups.entry(&edge.edge_type).or_default().push(edge);
    }
    let mut text = String::new();
    for (edge_type, edges) in groups {
        let _ = writeln!(text, "{edge_type}({}):", edges.len());
        for Edge { from, from_id, to, to_id, depth, .. } in edges {
            let _ = write!(text, "{from}:{from_id} {ARROW} {to}:{to_id}");
            if let Some(depth) = depth {
                let _ = write!(text, " {DEPTH}{depth}");
            }
            text.push('\n');
        }
    }
    Ok((text, edges.len()))
}

/// The chains of the paths, and how many steps they have.
pub(super) fn paths(response: &GraphResponse) -> Result<(String, usize), Error> {
    let edges = sorted(response)?;
    let mut text = String::new();
    let mut before: Option<&Edge> = None;
    for edge in &edges {
        let Edge { from, from_id, to, to_id, edge_type, depth, path_id, step } = edge;
        let broken = |problem: &str| {
            let message = format!(
                "the step {from}:{from_id} {STEP}{edge_type}{ARROW} {to}:{to_id} {problem}"
            );
            Error::encode(ErrorKind::BrokenPath, message)
        };
        let (Some(path), Some(_)) = (path_id, step) else {
            return Err(broken("has no `path_id` or no `step`, expected both"));
        };
        if depth.is_some() {
            let message =
                "a step of a path has a depth, for which a chain has no place, expected none";
            return Err(Error::encode(ErrorKind::NotRepresentable, message));
        }
        match before.filter(|before| before.path_id == *path_id) {
            Some(before) if before.step == *step => {
                return Err(broken(
                    "has the number of another step of its path, expected one of its own",
                ));
            }
            Some(before) if (&before.to, before.to_id) != (from, *from_id) => {
                let problem = format!(
                    "does not begin at {}:{}, where the step before it ends",
                    before.to, before.to_id
                );
                return Err(broken(&problem));
            }
            Some(_) => {}
            None => {
                if before.is_some() {
                    text.push('\n');
                }
                let _ = write!(text, "{PATH}{path}: {from}:{from_id}");
            }
        }
        let _ = write!(text, " {STEP}{edge_type}{ARROW} {to}:{to_id}");
        before = Some(edge);
    }
    if before.is_some() {
        text.push('\n');
    }
    Ok((text, edges.len()))
}
