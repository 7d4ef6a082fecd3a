//! The section of edges, and the chains of paths.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use super::name::check_name;
use crate::grammar::{ARROW, DEPTH, PATH, STEP};
use crate::response::{Edge, GraphResponse, QueryType};
use crate::value::push_integer;
use crate::{Error, ErrorKind};

/// An edge's position in the total order (ruling N4): by its path and step, then by its visible
/// parts. Names are compared by their ranks among the names of all edges. An absent part comes
/// before a present one.
type Place = (Option<u64>, Option<u64>, usize, usize, i64, usize, i64, Option<u64>);

/// The edges with their sort keys, not yet sorted.
fn placed(response: &GraphResponse) -> Result<Vec<(Place, &Edge)>, Error> {
    let mut names = Names::default();
    let indices: Vec<[usize; 3]> = response
        .edges
        .iter()
        .map(|edge| [&edge.edge_type, &edge.from, &edge.to].map(|name| names.index(name)))
        .collect();
    check(response, &mut names, &indices)?;
    let ranks = names.ranks();
    let place = |(edge, indices): (&'_ Edge, &[usize; 3])| {
        let [edge_type, from, to] = indices.map(|index| ranks[index]);
        (edge.path_id, edge.step, edge_type, from, edge.from_id, to, edge.to_id, edge.depth)
    };
    Ok(response
        .edges
        .iter()
        .zip(&indices)
        .map(|(edge, names)| (place((edge, names)), edge))
        .collect())
}

/// The names of types: a few, each on many edges.
#[derive(Default)]
struct Names<'e> {
    list: Vec<&'e str>,
    /// The positions of the names, once there are too many for a linear search.
    places: HashMap<&'e str, usize>,
}

impl<'e> Names<'e> {
    const FEW: usize = 16;

    fn index(&mut self, name: &'e str) -> usize {
        let few = &self.list[..self.list.len().min(Self::FEW)];
        if let Some(index) = few.iter().position(|known| *known == name) {
            return index;
        }
        if self.list.len() < Self::FEW {
            self.list.push(name);
            return self.list.len() - 1;
        }
        *self.places.entry(name).or_insert_with(|| {
            self.list.push(name);
            self.list.len() - 1
        })
    }

    /// The rank of each name in sorted order.
    fn ranks(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.list.len()).collect();
        order.sort_unstable_by_key(|&index| self.list[index]);
        let mut ranks = vec![0; order.len()];
        for (rank, index) in order.into_iter().enumerate() {
            ranks[index] = rank;
        }
        ranks
    }
}

/// Checks that every name can be read back, and that every source and target is a node. `indices`
/// are the indices of each edge's names: of its type, its source and its target.
fn check<'e>(
    response: &'e GraphResponse,
    names: &mut Names<'e>,
    indices: &[[usize; 3]],
) -> Result<(), Error> {
    for name in &names.list {
        check_name("the type of an edge, or of its source or target,", name)?;
    }
    // The nodes of aggregations are in their rows.
    if response.query_type == QueryType::Aggregation {
        return Ok(());
    }
    let mut known: Vec<Vec<i64>> = vec![Vec::new(); names.list.len()];
    for nodes in response.nodes.chunk_by(|a, b| a.entity_type == b.entity_type) {
        // Node types that no edge uses have indices after those that edges use.
        let index = names.index(&nodes[0].entity_type);
        if let Some(ids) = known.get_mut(index) {
            ids.extend(nodes.iter().map(|node| node.id));
        }
    }
    for ids in &mut known {
        ids.sort_unstable();
    }
    for (edge, &[_, from, to]) in response.edges.iter().zip(indices) {
        for (name, entity_type, id) in
            [(from, &edge.from, edge.from_id), (to, &edge.to, edge.to_id)]
        {
            if !holds(&known[name], id) {
                let message = format!(
                    "an edge of the type {} has the source or target {entity_type}:{id}, expected a node of the response",
                    edge.edge_type
                );
                return Err(Error::encode(ErrorKind::DanglingEdge, message));
            }
        }
    }
    Ok(())
}

/// Returns `true` if the id is in this sorted list.
fn holds(ids: &[i64], id: i64) -> bool {
    // Ids often count up.
    let guess = ids.first().and_then(|first| usize::try_from(id.checked_sub(*first)?).ok());
    guess.is_some_and(|guess| ids.get(guess) == Some(&id)) || ids.binary_search(&id).is_ok()
}

/// Appends the lines of the edges, and returns how many there are.
pub(super) fn section(text: &mut String, response: &GraphResponse) -> Result<usize, Error> {
    let mut edges = placed(response)?;
    let edge_type = |place: &Place| place.2;
    let seen = |place: &Place| (place.2, place.3, place.4, place.5, place.6, place.7);
    if edges.iter().all(|(place, _)| place.0.is_none() && place.1.is_none()) {
        edges.sort_unstable_by_key(|(place, _)| seen(place));
        edges.dedup_by(|(a, _), (b, _)| a == b);
    } else {
        // By type first, since edges are grouped by type.
        edges.sort_unstable_by(|(a, _), (b, _)| {
            edge_type(a).cmp(&edge_type(b)).then_with(|| a.cmp(b))
        });
        // Two edges that differ only in a path and step that are not written are the same edge to a
        // reader.
        let mut known = HashSet::new();
        edges.retain(|(place, _)| known.insert(seen(place)));
    }
    for edges in edges.chunk_by(|(a, _), (b, _)| edge_type(a) == edge_type(b)) {
        let _ = writeln!(text, "{}({}):", edges[0].1.edge_type, edges.len());
        for (_, Edge { from, from_id, to, to_id, depth, .. }) in edges {
            text.extend([from, ":"]);
            push_integer(text, *from_id);
            text.extend([" ", ARROW, " ", to, ":"]);
            push_integer(text, *to_id);
            if let Some(depth) = depth {
                text.extend([" ", DEPTH]);
                push_integer(text, *depth);
            }
            text.push('\n');
        }
    }
    Ok(edges.len())
}

/// Appends the chains of the paths, and returns their total number of steps.
pub(super) fn paths(text: &mut String, response: &GraphResponse) -> Result<usize, Error> {
    let mut edges = placed(response)?;
    edges.sort_unstable_by_key(|(place, _)| *place);
    edges.dedup_by(|(a, _), (b, _)| a == b);
    let mut before: Option<&Edge> = None;
    for (_, edge) in &edges {
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
                "a step of a path has a depth, which a chain can't contain, expected no depth";
            return Err(Error::encode(ErrorKind::NotRepresentable, message));
        }
        match before.filter(|before| before.path_id == *path_id) {
            Some(before) if before.step == *step => {
                return Err(broken(
                    "has the number of another step of its path, expected a different number",
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
    Ok(edges.len())
}
