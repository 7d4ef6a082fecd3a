//! The section of nodes: their order, and the order of their properties.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::ops::Range;

use serde_json::Value;
use wire_core::text::{is_same, shown};

use super::name::check_name;
use super::options::Options;
use crate::grammar::{ELLIPSIS, LAST_CLASS, LENGTH_SUFFIX, class, is_name, is_own};
use crate::response::{GraphResponse, GroupKind, NodeCell, QueryType};
use crate::value::{self, Strings, push_integer};
use crate::{Error, ErrorKind};

/// The content of the section.
#[derive(Clone, Copy, Debug)]
pub(super) struct Written {
    /// The number of nodes.
    pub(super) nodes: usize,
    /// The number of cells that were dropped because another node with their type and id came
    /// first.
    pub(super) conflicting: usize,
}

/// Appends the lines of the section.
pub(super) fn section(
    text: &mut String,
    response: &GraphResponse,
    options: &Options,
) -> Result<Written, Error> {
    let mut lines = Lines::default();
    let mut known = Vec::new();
    for node in &response.nodes {
        let properties = node.properties.iter().map(|(key, value)| (&**key, value));
        let push = |text: &mut String, known: &mut Vec<_>| {
            push_properties(text, properties, &options.strings, known)
        };
        let name = (&*node.entity_type, node.id);
        let line = lines.print(name, |text| push(text, &mut known))?;
        lines.all.push(line);
    }
    if response.query_type == QueryType::Aggregation {
        return lift(text, response, options, lines);
    }
    lines.all.sort_by_key(|line| line.node);
    for pair in lines.all.windows(2) {
        if pair[0].node == pair[1].node {
            return Err(twice(pair[0].node));
        }
    }
    lines.write(text, lines.all.iter());
    Ok(Written { nodes: lines.all.len(), conflicting: 0 })
}

/// The type and id of a node, which name it.
type Name<'r> = (&'r str, i64);

/// The printed nodes of a response.
#[derive(Default)]
struct Lines<'r> {
    printed: String,
    all: Vec<Line<'r>>,
}

/// A printed node.
struct Line<'r> {
    node: Name<'r>,
    /// The range of its id and properties in [`Lines::printed`].
    printed: Range<usize>,
    /// `true` if a cell refers to it.
    lifted: bool,
}

impl<'r> Lines<'r> {
    /// Prints a node.
    fn print(
        &mut self,
        node: Name<'r>,
        properties: impl FnOnce(&mut String) -> Result<(), Error>,
    ) -> Result<Line<'r>, Error> {
        let (entity_type, id) = node;
        check_name("the type of a node", entity_type)?;
        let start = self.printed.len();
        push_integer(&mut self.printed, id);
        properties(&mut self.printed).map_err(|error| {
            Error::encode(error.kind(), format!("the node {entity_type}:{id}: {error}"))
        })?;
        Ok(Line { node, printed: start..self.printed.len(), lifted: false })
    }

    /// Appends the lines in this order, with a group line before each run of one type (ruling N13).
    fn write<'l>(&self, text: &mut String, order: impl Iterator<Item = &'l Line<'r>>)
    where
        'r: 'l,
    {
        let order: Vec<&Line<'_>> = order.collect();
        for run in order.chunk_by(|a, b| is_same(a.node.0, b.node.0)) {
            let _ = writeln!(text, "{}({}):", run[0].node.0, run.len());
            for line in run {
                text.extend([&self.printed[line.printed.clone()], "\n"]);
            }
        }
    }
}

#[cold]
fn twice((entity_type, id): Name<'_>) -> Error {
    let message = format!("the node {entity_type}:{id} appears twice, expected once");
    Error::encode(ErrorKind::DuplicateNode, message)
}

/// Appends the nodes of an aggregation without duplicates: first the nodes that no cell names, then
/// the nodes of the cells, row by row (rulings N12 and N13). `lines` are the nodes of the response
/// itself.
fn lift<'r>(
    text: &mut String,
    response: &'r GraphResponse,
    options: &Options,
    mut lines: Lines<'r>,
) -> Result<Written, Error> {
    let mut places: HashMap<Name<'r>, usize> = HashMap::with_capacity(lines.all.len());
    for (place, line) in lines.all.iter().enumerate() {
        if places.insert(line.node, place).is_some() {
            return Err(twice(line.node));
        }
    }
    let mut lifted: Vec<usize> = Vec::new();
    let mut conflicting = 0;
    let mut known = Vec::new();
    for (index, row) in response.rows.iter().enumerate() {
        for column in response.group_columns.iter().filter(|column| column.kind == GroupKind::Node)
        {
            let Some(cell) = row.get(&column.name).filter(|cell| !cell.is_null()) else { continue };
            let in_cell = |error: Error| {
                let message = format!("row {index}, column {}: {error}", shown(&column.name));
                Error::encode(error.kind(), message)
            };
            let cell = NodeCell::read(cell).map_err(in_cell)?;
            let properties = cell.properties();
            let push = |text: &mut String, known: &mut Vec<_>| {
                push_properties(text, properties.iter().copied(), &options.strings, known)
            };
            let line = lines.print(cell.name(), |text| push(text, &mut known)).map_err(in_cell)?;
            let place = *places.entry(line.node).or_insert(lines.all.len());
            let Some(first) = lines.all.get_mut(place) else {
                lines.all.push(Line { lifted: true, ..line });
                lifted.push(place);
                continue;
            };
            if lines.printed[first.printed.clone()] != lines.printed[line.printed.clone()] {
                if !options.drop_unrepresentable {
                    let (entity_type, id) = line.node;
                    let message = format!(
                        "the node {entity_type}:{id} has other properties than before, expected the same"
                    );
                    return Err(in_cell(Error::encode(ErrorKind::ConflictingNode, message)));
                }
                conflicting += 1;
            }
            lines.printed.truncate(line.printed.start);
            if !first.lifted {
                first.lifted = true;
                lifted.push(place);
            }
        }
    }
    let own = lines.all.iter().filter(|line| !line.lifted);
    lines.write(text, own.chain(lifted.iter().map(|&place| &lines.all[place])));
    Ok(Written { nodes: lines.all.len(), conflicting })
}

/// A property, with what is known about its key from the node before, which usually has the same
/// keys.
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

/// Appends ` key=value` for each property that is written, sorted by class and key (ruling N2). The
/// properties come sorted by key; `known` are those of the node before.
fn push_properties<'n>(
    text: &mut String,
    properties: impl ExactSizeIterator<Item = (&'n str, &'n Value)>,
    strings: &Strings,
    known: &mut Vec<Property<'n>>,
) -> Result<(), Error> {
    known.truncate(properties.len());
    for (index, (name, value)) in properties.enumerate() {
        match known.get_mut(index) {
            Some(known) if is_same(known.name, name) => known.value = value,
            Some(known) => *known = Property::new(name, value),
            None => known.push(Property::new(name, value)),
        }
    }
    // A property can only be a length when a key has the suffix of a length.
    let has_lengths = known.iter().any(|property| property.says_length);
    let is_length = |key: &str| has_lengths && says_length(key, known, strings);
    // Each class is in the order of the keys, too.
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
                let found = find(known, &length_key).filter(|length| !is_left_out(length));
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

/// The value of this key.
fn find<'n>(properties: &[Property<'n>], key: &str) -> Option<&'n Value> {
    let place = properties.binary_search_by_key(&key, |property| property.name).ok()?;
    Some(properties[place].value)
}

#[cold]
fn not_a_key(key: &str) -> Error {
    if let Err(error) = check_name("a key", key) {
        return error;
    }
    let message = format!(
        "a property has the key {}, expected another key than those of the node itself",
        shown(key)
    );
    Error::encode(ErrorKind::InvalidName, message)
}

/// Returns `true` if a property is left out because its value is empty.
fn is_left_out(value: &Value) -> bool {
    value.is_null() || value.as_str() == Some("")
}

/// The use of the key `KEY_len`, which states the length of the text of `KEY`.
enum Length<'v> {
    /// Not used.
    Free,
    /// The length of the text, which was cut earlier.
    Known(&'v Value),
    /// Another property.
    Taken,
}

/// Appends ` key=value` and, for a text that was cut now or earlier, its length. The key is a valid
/// name.
fn push_property(
    text: &mut String,
    key: &str,
    value: &Value,
    length: Length<'_>,
    strings: &Strings,
) -> Result<(), Error> {
    text.push(' ');
    text.push_str(key);
    text.push('=');
    // The length of the JSON text of an array or object is not written (ruling N14).
    let cut = value::push(text, key, value, strings)?.filter(|_| value.is_string());
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
                "the text of {} is too long and is cut, expected no property {key}{LENGTH_SUFFIX}, which states its length",
                shown(key)
            );
            return Err(Error::encode(ErrorKind::KeyCollision, message));
        }
    }
    Ok(())
}

/// Returns `true` if this property states the length of a text that was cut earlier. Such a text
/// ends in the ellipsis, and has exactly the maximum length.
fn says_length(key: &str, all: &[Property<'_>], strings: &Strings) -> bool {
    let Some(base) = key.strip_suffix(LENGTH_SUFFIX) else { return false };
    let (Some(Value::Number(length)), Some(Value::String(text))) =
        (find(all, key), find(all, base))
    else {
        return false;
    };
    let left = text.chars().count();
    let limits = [strings.limit(base), Strings::DEFAULT.limit(base)];
    !length.is_f64() && text.ends_with(ELLIPSIS) && limits.contains(&Some(left))
}
