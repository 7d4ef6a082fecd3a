//! The section of nodes: their order, and the order of their properties.

use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use serde_json::Value;
use wire_core::text::{is_same, shown};

use super::check_name;
use crate::grammar::{ELLIPSIS, LAST_CLASS, LENGTH_SUFFIX, class, is_name, is_own};
use crate::response::{GraphResponse, GroupKind, Node, QueryType};
use crate::value::{self, Strings, push_integer};
use crate::{Error, ErrorKind};

/// Appends the lines of the section, and returns how many nodes there are.
pub(super) fn section(
    text: &mut String,
    response: &GraphResponse,
    strings: &Strings,
) -> Result<usize, Error> {
    if response.query_type == QueryType::Aggregation {
        let mut nodes: Vec<Cow<'_, Node>> = response.nodes.iter().map(Cow::Borrowed).collect();
        check_unique(&nodes)?;
        lift(response, &mut nodes)?;
        let mut groups: Vec<(&str, Vec<&Node>)> = Vec::new();
        let mut places: HashMap<&str, usize> = HashMap::new();
        for node in &nodes {
            let place = *places.entry(&node.entity_type).or_insert_with(|| {
                groups.push((&node.entity_type, Vec::new()));
                groups.len() - 1
            });
            groups[place].1.push(node);
        }
        for (_, members) in &groups {
            group(text, members, strings)?;
        }
        Ok(nodes.len())
    } else {
        let mut sorted: Vec<&Node> = response.nodes.iter().collect();
        sorted.sort_by(|a, b| (&a.entity_type, a.id).cmp(&(&b.entity_type, b.id)));
        for pair in sorted.windows(2) {
            if pair[0].id == pair[1].id && pair[0].entity_type == pair[1].entity_type {
                return Err(twice(pair[0]));
            }
        }
        for members in sorted.chunk_by(|a, b| a.entity_type == b.entity_type) {
            group(text, members, strings)?;
        }
        Ok(sorted.len())
    }
}

/// Appends the nodes of a type, of which there is at least one.
fn group(text: &mut String, members: &[&Node], strings: &Strings) -> Result<(), Error> {
    let entity_type = &members[0].entity_type;
    check_name("the type of a node", entity_type)?;
    let _ = writeln!(text, "{entity_type}({}):", members.len());
    let mut known = Vec::new();
    for node in members {
        push_integer(text, node.id);
        push_properties(text, &node.properties, strings, &mut known).map_err(|error| {
            let message = format!("the node {entity_type}:{}: {error}", node.id);
            Error::encode(error.kind(), message)
        })?;
        text.push('\n');
    }
    Ok(())
}

fn check_unique(nodes: &[Cow<'_, Node>]) -> Result<(), Error> {
    let mut seen = std::collections::HashSet::new();
    match nodes.iter().find(|node| !seen.insert((&node.entity_type, node.id))) {
        None => Ok(()),
        Some(node) => Err(twice(node)),
    }
}

fn twice(node: &Node) -> Error {
    let message =
        format!("the node {}:{} is there twice, expected once", node.entity_type, node.id);
    Error::encode(ErrorKind::DuplicateNode, message)
}

/// Adds the nodes that cells of rows hold, row by row, each once.
fn lift(response: &GraphResponse, nodes: &mut Vec<Cow<'_, Node>>) -> Result<(), Error> {
    // What the response has of them itself stands with the others, as where it was read from such a text.
    let mut own: HashMap<(String, i64), Cow<'_, Node>> =
        nodes.iter().map(|node| ((node.entity_type.clone(), node.id), node.clone())).collect();
    let mut lifted: Vec<Cow<'_, Node>> = Vec::new();
    let mut known: HashMap<(String, i64), usize> = HashMap::new();
    for (index, row) in response.rows.iter().enumerate() {
        for column in response.group_columns.iter().filter(|column| column.kind == GroupKind::Node)
        {
            let Some(cell) = row.get(&column.name).filter(|cell| !cell.is_null()) else { continue };
            let wrong = |kind, problem: &str| {
                let message = format!("row {index}, column {}: {problem}", shown(&column.name));
                Error::encode(kind, message)
            };
            value::check_depth(cell)?;
            let node = Node::from_cell(cell).ok_or_else(|| {
                wrong(
                    ErrorKind::InvalidCell,
                    "the cell is no node, expected an object with `type` and `id`, or null",
                )
            })?;
            let name = (node.entity_type.clone(), node.id);
            let before = known.get(&name).map(|&place| &lifted[place]).or_else(|| own.get(&name));
            if before.is_some_and(|before| **before != node) {
                let problem = format!(
                    "the node {}:{} has other properties than before",
                    node.entity_type, node.id
                );
                return Err(wrong(ErrorKind::ConflictingNode, &problem));
            }
            if let Entry::Vacant(entry) = known.entry(name) {
                own.remove(entry.key());
                entry.insert(lifted.len());
                lifted.push(Cow::Owned(node));
            }
        }
    }
    nodes.retain(|node| own.contains_key(&(node.entity_type.clone(), node.id)));
    nodes.append(&mut lifted);
    Ok(())
}

/// A property, with what is known of its key from the node before, which mostly has the same.
#[derive(Clone, Copy)]
struct Property<'n> {
    name: &'n str,
    value: &'n Value,
    class: u8,
    can_be_written: bool,
    says_length: bool,
}

impl<'n> Property<'n> {
    fn new(name: &'n str, value: &'n Value) -> Self {
        Property {
            name,
            value,
            class: class(name),
            can_be_written: is_name(name) && !is_own(name),
            says_length: name.ends_with(LENGTH_SUFFIX),
        }
    }
}

/// Appends ` key=value` for each property that is written, by class and key (ruling N2). `known` are
/// those of the node before.
fn push_properties<'n>(
    text: &mut String,
    properties: &'n BTreeMap<String, Value>,
    strings: &Strings,
    known: &mut Vec<Property<'n>>,
) -> Result<(), Error> {
    known.truncate(properties.len());
    for (index, (name, value)) in properties.iter().enumerate() {
        match known.get_mut(index) {
            Some(known) if is_same(known.name, name) => known.value = value,
            Some(known) => *known = Property::new(name, value),
            None => known.push(Property::new(name, value)),
        }
    }
    // Only where a key ends like one that says a length can there be any.
    let has_lengths = known.iter().any(|property| property.says_length);
    let is_length = |key: &str| has_lengths && says_length(key, properties, strings);
    // The map has its keys in order, so that each class is a part of it.
    for class in 0..=LAST_CLASS {
        for property in known.iter().filter(|property| property.class == class) {
            let Property { name, value, .. } = *property;
            if is_left_out(value) || is_length(name) {
                continue;
            }
            if !property.can_be_written {
                return Err(not_a_key(name));
            }
            let mut length = Length::Free;
            if has_lengths {
                let length_key = format!("{name}{LENGTH_SUFFIX}");
                let found = properties.get(&length_key).filter(|length| !is_left_out(length));
                length = match found {
                    None => Length::Free,
                    Some(found) if is_length(&length_key) => Length::Known(found),
                    Some(_) => Length::Taken,
                };
            }
            push_property(text, name, value, length, strings)?;
        }
    }
    Ok(())
}

#[cold]
fn not_a_key(key: &str) -> Error {
    if let Err(error) = check_name("a key", key) {
        return error;
    }
    let message =
        format!("a property has the key {}, expected another than the node's own", shown(key));
    Error::encode(ErrorKind::InvalidName, message)
}

/// Whether a property is not written: what it says is nothing.
fn is_left_out(value: &Value) -> bool {
    value.is_null() || value.as_str() == Some("")
}

/// What there is of the key that says how long a text was.
pub(super) enum Length<'v> {
    /// Nothing.
    Free,
    /// That the text was cut before.
    Known(&'v Value),
    /// Something else.
    Taken,
}

/// Appends ` key=value`, and the breadcrumb of a text that was cut, now or before. The key is a name.
pub(super) fn push_property(
    text: &mut String,
    key: &str,
    value: &Value,
    length: Length<'_>,
    strings: &Strings,
) -> Result<(), Error> {
    text.push(' ');
    text.push_str(key);
    text.push('=');
    let cut = value::push(text, key, value, strings)?;
    match (cut, length) {
        (None, Length::Known(length)) => {
            let _ = write!(text, " {key}{LENGTH_SUFFIX}={length}");
        }
        (None, _) => {}
        (Some(length), Length::Free) => {
            let _ = write!(text, " {key}{LENGTH_SUFFIX}={length}");
        }
        (Some(_), Length::Known(_) | Length::Taken) => {
            let message = format!(
                "the text of {} has to be cut, and there is a {key}{LENGTH_SUFFIX} of its own",
                shown(key)
            );
            return Err(Error::encode(ErrorKind::KeyCollision, message));
        }
    }
    Ok(())
}

/// Whether this key's value says that another's text was cut before: that has just the length of what is left of a text, and
/// ends as such a text does.
fn says_length(key: &str, all: &BTreeMap<String, Value>, strings: &Strings) -> bool {
    let Some(base) = key.strip_suffix(LENGTH_SUFFIX) else { return false };
    let (Some(Value::Number(length)), Some(Value::String(text))) = (all.get(key), all.get(base))
    else {
        return false;
    };
    let left = text.chars().count();
    let limits = [strings.limit(base), Strings::DEFAULT.limit(base)];
    !length.is_f64() && text.ends_with(ELLIPSIS) && limits.contains(&Some(left))
}
