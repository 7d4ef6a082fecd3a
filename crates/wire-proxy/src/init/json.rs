//! The servers of a JSON file, with comments and commas at the end.

use std::ops::Range;

use jsonc_parser::ast::{Array, Object, ObjectProp, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use crate::agents::Config;
use crate::init::edit::{Change, Direction, Edit, NOT_UNDERSTOOD, Outcome};
use crate::init::entry::Entry;
use crate::init::remote;
use crate::init::server::{List, Place, Server, Written, spliced};

/// The file with the change.
pub(crate) fn changed(text: &str, shape: &Config, change: &Change<'_>) -> Result<Outcome, String> {
    let parsed = parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default());
    let parsed = parsed.map_err(|error| error.to_string())?;
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
            edits.extend(outcome.add(name, server_edits(text, property, shape, change)));
        } else {
            outcome.same.push(name);
        }
    }
    outcome.text = spliced(text, edits);
    Ok(outcome)
}

/// The servers of the file; none if it can't be read.
pub(crate) fn entries(text: &str, shape: &Config) -> Vec<Entry> {
    let parsed = parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default());
    let Ok(parsed) = parsed else { return Vec::new() };
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
) -> Result<Vec<Edit>, &'static str> {
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

fn server_of(property: &ObjectProp<'_>, shape: &Config) -> Result<Server, &'static str> {
    let server = property.value.as_object().ok_or(NOT_UNDERSTOOD)?;
    let command = server.get("command").ok_or(NOT_UNDERSTOOD)?;
    let list = |value: &Value<'_>| value.as_array().map(list).ok_or(NOT_UNDERSTOOD);
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
