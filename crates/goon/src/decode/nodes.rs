//! The section of nodes.

use std::collections::{BTreeMap, HashSet};

use wire_core::Limits;
use wire_core::text::shown;

use super::group::{Group, check_items, is_marker};
use super::index::Index;
use super::lines::Lines;
use super::pairs::{Pair, Pairs, insert};
use crate::grammar::{cut, id, is_own};
use crate::response::{Node, QueryType};
use crate::{Error, ErrorKind};

/// Reads the nodes, and returns them with the approximate size of each in bytes and an index of
/// them.
pub(super) fn read_nodes<'a>(
    lines: &mut Lines<'a>,
    limits: Limits,
    query_type: QueryType,
) -> Result<(Vec<Node>, Vec<usize>, Index<'a>), Error> {
    let mut nodes: Vec<Node> = Vec::new();
    let mut sizes = Vec::new();
    let mut index = Index::default();
    let mut groups = HashSet::new();
    let mut group: Option<Group<'_>> = None;
    while let Some(line) = lines.peek()?.filter(|line| !is_marker(*line)) {
        lines.next()?;
        if let Some(next) = Group::begin(line) {
            // The nodes of an aggregation are in the order of its rows, so a type can have several
            // groups (ruling N13).
            if query_type != QueryType::Aggregation && !groups.insert(next.name) {
                return Err(line.malformed(ErrorKind::InvalidNodeLine, "each type once"));
            }
            Group::end(group.replace(next), "nodes")?;
            continue;
        }
        let malformed = || {
            line.malformed(
                ErrorKind::InvalidNodeLine,
                "`Type(count):`, or the id of a node and its properties after such a line",
            )
        };
        let group = group.as_mut().ok_or_else(malformed)?;
        let (digits, rest) = cut(line.text(), b' ')
            .map_or((line.text(), None), |(digits, rest)| (digits, Some(rest)));
        let id = id(digits).ok_or_else(malformed)?;
        check_items(line, nodes.len(), limits, "nodes")?;
        if !index.of_type_mut(group.name).insert(id, nodes.len()) {
            let message = format!("the node {}:{id} appears twice, expected once", group.name);
            return Err(line.error(ErrorKind::DuplicateNode, 0, message));
        }
        group.found += 1;
        let mut properties = BTreeMap::new();
        if let Some(rest) = rest {
            let mut pairs = Pairs { line, rest: Some(rest), kind: ErrorKind::InvalidNodeLine };
            while let Some(Pair { key, key_at, value, at }) = pairs.next(|_| false)? {
                if is_own(key) {
                    let message = format!(
                        "a property has the key {}, expected another key than those of the node itself",
                        shown(key)
                    );
                    return Err(line.error(ErrorKind::DuplicateKey, key_at, message));
                }
                let value = value.read(line, at)?;
                if value.is_null() {
                    let message =
                        "a property is `null`, expected another value or no such property";
                    return Err(line.error(ErrorKind::InvalidValue, at, message));
                }
                insert(line, &mut properties, (key, key_at), value)?;
            }
        }
        let count = properties.len();
        nodes.push(Node { entity_type: group.name.to_owned(), id, properties });
        sizes.push(line.text.len() + 64 * count);
    }
    Group::end(group, "nodes")?;
    Ok((nodes, sizes, index))
}
