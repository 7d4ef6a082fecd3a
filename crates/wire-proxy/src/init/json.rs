//! The servers of a JSON file, with comments and commas at the end.

use std::collections::HashSet;
use std::ops::Range;

use jsonc_parser::ast::{Array, Object, ObjectProp, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, ParseResult, parse_to_ast};

use crate::agents::Config;
use crate::init::edit::{Change, Direction, Edit, NOT_UNDERSTOOD, Outcome, Reason, with_comments};
use crate::init::entry::Entry;
use crate::init::remote;
use crate::init::server::{List, Place, Server, Written, comma_after, spliced};

/// The file with the change.
pub(crate) fn changed(text: &str, shape: &Config, change: &Change<'_>) -> Result<Outcome, String> {
    let parsed = parsed(text)?;
    let root = parsed.value.as_ref().and_then(Value::as_object);
    let places: Vec<&Object<'_>> = root.map(|root| places(root, shape)).unwrap_or_default();
    if places.is_empty() {
        let path = shape.servers.last().map(|path| path.join(".")).unwrap_or_default();
        return Err(format!("it has no servers; expected an object {path:?}"));
    }
    let mut outcome = Outcome::default();
    let mut edits = Vec::new();
    for property in places.iter().flat_map(|place| &place.properties) {
        let name = property.name.as_str().to_owned();
        if change.is_about(&name) {
            let mut own = server_edits(text, property, shape, change);
            if matches!(change.direction, Direction::Remove) {
                own = own.and_then(|edits| with_comments(text, edits, &["//", "/*"]));
            }
            edits.extend(outcome.add(name, own));
        } else {
            outcome.same.push(name);
        }
    }
    outcome.text = spliced(text, edits);
    Ok(outcome)
}

/// A file's value.
///
/// # Errors
///
/// It is not JSON, or a name appears twice: of two, clients read the last, and we the first.
pub(crate) fn parsed(text: &str) -> Result<ParseResult<'_>, String> {
    fn twice<'a>(value: &'a Value<'_>) -> Option<&'a str> {
        match value {
            Value::Array(list) => list.elements.iter().find_map(twice),
            Value::Object(object) => {
                let mut names = HashSet::new();
                let own = object.properties.iter().map(|member| member.name.as_str());
                let inside = || object.properties.iter().find_map(|member| twice(&member.value));
                own.into_iter().find(|name| !names.insert(*name)).or_else(inside)
            }
            _ => None,
        }
    }
    let parsed = parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default());
    let parsed = parsed.map_err(|error| error.to_string())?;
    match parsed.value.as_ref().and_then(twice) {
        Some(name) => Err(format!("the name {name:?} appears twice in one object")),
        None => Ok(parsed),
    }
}

/// The edits that take items out of an object or a list, with the commas that came with them. What
/// stands between others stays.
pub(crate) fn without(text: &str, items: &[Range<usize>], removed: &[usize]) -> Vec<Edit> {
    let is_blank = |start: usize, end: usize| text[start..end].trim().is_empty();
    let mut cuts: Vec<Range<usize>> = Vec::new();
    for &at in removed {
        let item = &items[at];
        let comma = comma_after(text, item.end);
        if let (Some(end), Some(next)) = (comma, items.get(at + 1)) {
            cuts.push(item.start..if is_blank(end, next.start) { next.start } else { end });
            continue;
        }
        let left = (0..at).rev().find(|left| !removed.contains(left));
        match left.and_then(|left| comma_after(text, items[left].end)) {
            Some(before) if comma.is_none() && is_blank(before, item.start) => {
                cuts.push(before - 1..item.end);
            }
            Some(before) if comma.is_none() => {
                cuts.extend([before - 1..before, item.clone()]);
            }
            _ => cuts.push(item.start..comma.unwrap_or(item.end)),
        }
    }
    cuts.into_iter().map(|cut| (cut, String::new())).collect()
}

/// The servers of the file; none if it can't be read.
pub(crate) fn entries(text: &str, shape: &Config) -> Vec<Entry> {
    let Ok(parsed) = parsed(text) else { return Vec::new() };
    let root = parsed.value.as_ref().and_then(Value::as_object);
    let places = root.map(|root| places(root, shape)).unwrap_or_default();
    let entry = |property: &ObjectProp<'_>| {
        let server = property.value.as_object()?;
        let texts = |names: &[&str]| -> Vec<(String, String)> {
            let own = names.iter().find_map(|name| server.get_object(name));
            let pair = |own: &ObjectProp<'_>| {
                Some((own.name.as_str().to_owned(), written(&own.value).text?))
            };
            own.into_iter().flat_map(|own| &own.properties).filter_map(pair).collect()
        };
        Some(Entry {
            name: property.name.as_str().to_owned(),
            words: server_of(property, shape)
                .ok()
                .and_then(|server| server.words())
                .unwrap_or_else(|| remote::remote(server).map(|own| own.url).into_iter().collect()),
            command: server_of(property, shape).ok().and_then(|server| server.command()),
            environment: texts(&["env", "environment"]),
            remote: remote::behind_the_proxy(text, server, shape)
                .or_else(|| remote::remote(server)),
            is_off: server.get_boolean("disabled").is_some_and(|is_off| is_off.value)
                || server.get_boolean("enabled").is_some_and(|is_on| !is_on.value),
        })
    };
    places.iter().flat_map(|place| &place.properties).filter_map(entry).collect()
}

/// The objects with servers.
fn places<'a, 'b>(root: &'b Object<'a>, shape: &Config) -> Vec<&'b Object<'a>> {
    let found =
        |path: &[String]| path.iter().try_fold(root, |object, name| object.get_object(name));
    let first = shape.servers.iter().find_map(|path| found(path));
    let of_folder = shape.servers_of_folder().and_then(|path| found(&path));
    first.into_iter().chain(of_folder).collect()
}

fn server_edits(
    text: &str,
    property: &ObjectProp<'_>,
    shape: &Config,
    change: &Change<'_>,
) -> Result<Vec<Edit>, Reason> {
    if let Some(server) = property.value.as_object() {
        let edits = match change.direction {
            Direction::Insert { program, options, .. } => remote::is_remote(server)
                .then(|| remote::inserted(text, server, shape, program, options)),
            Direction::Remove if remote::is_remote(server) => Some(Ok(Vec::new())),
            Direction::Remove => remote::removed(text, server, shape),
        };
        if let Some(edits) = edits {
            return edits;
        }
    }
    server_of(property, shape)?.edits(text, change.direction)
}

fn server_of(property: &ObjectProp<'_>, shape: &Config) -> Result<Server, Reason> {
    let server = property.value.as_object().ok_or(NOT_UNDERSTOOD)?;
    let command = server.get("command").ok_or(NOT_UNDERSTOOD)?;
    let list = |value: &Value<'_>| value.as_array().map(list).ok_or(Reason::from(NOT_UNDERSTOOD));
    Ok(if shape.is_command_a_list {
        Server::Together(list(&command.value)?)
    } else {
        let command = written(&command.value);
        let arguments = server.get("args").map(|arguments| list(&arguments.value)).transpose()?;
        let place = Place { at: command.range.end, before: ", \"args\": ".to_owned() };
        Server::Apart { command, arguments, place: Some(place) }
    })
}

fn list(list: &Array<'_>) -> List {
    List { elements: list.elements.iter().map(written).collect(), range: range(list) }
}

pub(crate) fn written(value: &Value<'_>) -> Written {
    let text = match value {
        Value::StringLit(text) => Some(text.value.to_string()),
        _ => None,
    };
    Written { text, range: range(value) }
}

pub(crate) fn range(ranged: &impl Ranged) -> Range<usize> {
    let range = ranged.range();
    range.start..range.end
}
