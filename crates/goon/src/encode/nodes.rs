//! The section of nodes: their order, and the order of their properties.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use serde_json::Value;
use wire_core::text::shown;

use super::check_name;
use crate::grammar::{ELLIPSIS, LENGTH_SUFFIX, class, is_own};
use crate::response::{GraphResponse, GroupKind, Node, QueryType};
use crate::value::{self, Strings};
use crate::{Error, ErrorKind};

/// The lines of the section, and how many nodes there are.
pub(super) struct Nodes {
    pub(super) text: String,
    pub(super) count: usize,
}

pub(super) fn section(response: &GraphResponse, strings: &Strings) -> Result<Nodes, Error> {
    let mut nodes: Vec<Cow<'_, Node>> = response.nodes.iter().map(Cow::Borrowed).collect();
    check_unique(&nodes)?;
    let mut groups: Vec<(&str, Vec<&Node>)> = Vec::new();
    if response.query_type == QueryType::Aggregation {
        lift(response, &mut nodes)?;
    } else {
        nodes.sort_by(|a, b| (&a.entity_type, a.id).cmp(&(&b.entity_type, b.id)));
    }
    let mut places: HashMap<&str, usize> = HashMap::new();
    for node in &nodes {
        let place = *places.entry(&node.entity_type).or_insert_with(|| {
            groups.push((&node.entity_type, Vec::new()));
            groups.len() - 1
        });
        groups[place].1.push(node);
    }
    let mut text = String::new();
    for (entity_type, members) in &groups {
        check_name("the type of a node", entity_type)?;
        let _ = writeln!(text, "{entity_type}({}):", members.len());
        for node in members {
            let _ = write!(text, "{}", node.id);
            push_properties(&mut text, &node.properties, strings).map_err(|error| {
                let message = format!("the node {entity_type}:{}: {error}", node.id);
                Error::encode(error.kind(), message)
            })?;
            text.push('\n');
        }
    }
    Ok(Nodes { text, count: nodes.len() })
}

fn check_unique(nodes: &[Cow<'_, Node>]) -> Result<(), Error> {
    let mut seen = std::collections::HashSet::new();
    for node in nodes {
        if !seen.insert((&node.entity_type, node.id)) {
            let message =
                format!("the node {}:{} is there twice, expected once", node.entity_type, node.id);
            return Err(Error::encode(ErrorKind::DuplicateNode, message));
        }
    }
    Ok(())
}

/// Adds the nodes that cells of rows hold, row by row, each once.
fn lift(response: &GraphResponse, nodes: &mut Vec<Cow<'_, Node>>) -> Result<(), Error> {
    let mut known: HashMap<(String, i64), usize> = nodes
        .iter()
        .enumerate()
        .map(|(index, node)| ((node.entity_type.clone(), node.id), index))
        .collect();
    for (index, row) in response.rows.iter().enumerate() {
        for column in response.group_columns.iter().filter(|column| column.kind == GroupKind::Node)
        {
            let Some(cell) = row.get(&column.name).filter(|cell| !cell.is_null()) else { continue };
            let wrong = |kind, problem: &str| {
                let message = format!("row {index}, column {}: {problem}", shown(&column.name));
                Error::encode(kind, message)
            };
            let node = Node::from_cell(cell).ok_or_else(|| {
                wrong(
                    ErrorKind::InvalidCell,
                    "the cell is no node, expected an object with `type` and `id`, or null",
                )
            })?;
            match known.get(&(node.entity_type.clone(), node.id)) {
                Some(&place) if *nodes[place] == node => {}
                Some(_) => {
                    let problem = format!(
                        "the node {}:{} has other properties than before",
                        node.entity_type, node.id
                    );
                    return Err(wrong(ErrorKind::ConflictingNode, &problem));
                }
                None => {
                    known.insert((node.entity_type.clone(), node.id), nodes.len());
                    nodes.push(Cow::Owned(node));
                }
            }
        }
    }
    Ok(())
}

/// Appends ` key=value` for each property that is written, by class and key (ruling N2).
fn push_properties(
    text: &mut String,
    properties: &BTreeMap<String, Value>,
    strings: &Strings,
) -> Result<(), Error> {
    let mut keys: Vec<&String> = properties
        .iter()
        .filter(|(key, value)| {
            !is_left_out(value) && breadcrumb_of(key, properties, strings).is_none()
        })
        .map(|(key, _)| key)
        .collect();
    keys.sort_by_key(|key| (class(key), *key));
    for key in keys {
        if is_own(key) {
            let message = format!(
                "a property has the key {}, expected another than the node's own",
                shown(key)
            );
            return Err(Error::encode(ErrorKind::InvalidName, message));
        }
        push_property(text, key, &properties[key], properties, strings)?;
    }
    Ok(())
}

/// Whether a property is not written: what it says is nothing.
fn is_left_out(value: &Value) -> bool {
    value.is_null() || value.as_str() == Some("")
}

/// Appends ` key=value`, and the breadcrumb of a text that was cut, now or before.
pub(super) fn push_property(
    text: &mut String,
    key: &str,
    value: &Value,
    all: &BTreeMap<String, Value>,
    strings: &Strings,
) -> Result<(), Error> {
    check_name("a key", key)?;
    let written = value::write(key, value, strings)?;
    let _ = write!(text, " {key}={}", written.token);
    let length_key = format!("{key}{LENGTH_SUFFIX}");
    let other = all.get(&length_key).filter(|other| !is_left_out(other));
    match (written.cut, other) {
        (None, _) if breadcrumb_of(&length_key, all, strings).is_some() => {
            let _ = write!(text, " {length_key}={}", all[&length_key]);
        }
        (None, _) => {}
        (Some(length), None) => {
            let _ = write!(text, " {length_key}={length}");
        }
        (Some(_), Some(_)) => {
            let message = format!(
                "the text of {} has to be cut, and there is a {} of its own",
                shown(key),
                shown(&length_key)
            );
            return Err(Error::encode(ErrorKind::KeyCollision, message));
        }
    }
    Ok(())
}

/// The key whose text was cut before, as this key's value says.
pub(super) fn breadcrumb_of<'k>(
    key: &'k str,
    all: &BTreeMap<String, Value>,
    strings: &Strings,
) -> Option<&'k str> {
    let base = key.strip_suffix(LENGTH_SUFFIX)?;
    let Value::Number(length) = all.get(key)? else { return None };
    let text = all.get(base)?.as_str()?;
    let limit = strings.limit(base)?;
    let was_cut = !length.is_f64() && text.ends_with(ELLIPSIS) && text.chars().count() == limit;
    was_cut.then_some(base)
}
