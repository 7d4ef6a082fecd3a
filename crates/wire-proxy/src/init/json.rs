//! Changes of a JSON file: ranges of it, so that comments, order and white space stay.

use std::ops::Range;

use jsonc_parser::ast::{Array, Object, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use crate::init::client::Shape;
use crate::init::edit::{BEHIND_A_URL, Change, Direction, NOT_UNDERSTOOD, Outcome, is_proxy};

/// The file with the change.
pub(crate) fn changed(text: &str, shape: &Shape, change: &Change<'_>) -> Result<Outcome, String> {
    let parsed = parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default());
    let parsed = parsed.map_err(|error| error.to_string())?;
    let root = parsed.value.as_ref().and_then(Value::as_object);
    let servers = root.and_then(|root| shape.servers.iter().find_map(|path| found(root, path)));
    let servers = servers.ok_or_else(|| {
        let path = shape.servers.last().map(|path| path.join(".")).unwrap_or_default();
        format!("it has no servers; expected an object {path:?}")
    })?;
    let mut outcome = Outcome::default();
    let mut edits = Vec::new();
    for property in &servers.properties {
        let name = property.name.as_str().to_owned();
        if !change.is_about(&name) {
            outcome.same.push(name);
            continue;
        }
        match property.value.as_object().map(|server| edit(text, server, shape, change)) {
            None => outcome.left.push((name, NOT_UNDERSTOOD)),
            Some(Err(reason)) => outcome.left.push((name, reason)),
            Some(Ok(more)) if more.is_empty() => outcome.same.push(name),
            Some(Ok(more)) => {
                edits.extend(more);
                outcome.changed.push(name);
            }
        }
    }
    outcome.text = spliced(text, edits);
    Ok(outcome)
}

/// The object at a path.
fn found<'a, 'b>(root: &'b Object<'a>, path: &[&str]) -> Option<&'b Object<'a>> {
    path.iter().try_fold(root, |object, name| object.get_object(name))
}

type Edit = (Range<usize>, String);

fn edit(
    text: &str,
    server: &Object<'_>,
    shape: &Shape,
    change: &Change<'_>,
) -> Result<Vec<Edit>, &'static str> {
    let Some(command) = server.get("command") else {
        let is_remote =
            ["url", "serverUrl", "httpUrl"].iter().any(|name| server.get(name).is_some());
        return Err(if is_remote { BEHIND_A_URL } else { NOT_UNDERSTOOD });
    };
    if shape.is_command_a_list {
        let list = command.value.as_array().ok_or(NOT_UNDERSTOOD)?;
        return edit_list(text, list, change.direction);
    }
    let Value::StringLit(program) = &command.value else { return Err(NOT_UNDERSTOOD) };
    let arguments = match server.get("args") {
        None => None,
        Some(arguments) => Some(arguments.value.as_array().ok_or(NOT_UNDERSTOOD)?),
    };
    let program_range = range(&program.range());
    let written = &text[program_range.clone()];
    match change.direction {
        Direction::Insert { .. } if is_proxy(&program.value) => Ok(Vec::new()),
        Direction::Insert { program, options } => {
            let more = format!("{}\"--\", {written}", listed(options));
            let arguments = match arguments {
                Some(arguments) => put_first(arguments, &more),
                None => (program_range.end..program_range.end, format!(", \"args\": [{more}]")),
            };
            // At one place the command comes first.
            Ok(vec![(program_range, quoted(program)), arguments])
        }
        Direction::Remove if !is_proxy(&program.value) => Ok(Vec::new()),
        Direction::Remove => {
            let arguments = arguments.ok_or(NOT_UNDERSTOOD)?;
            let at = separator(arguments).ok_or(NOT_UNDERSTOOD)?;
            let own = arguments.elements.get(at + 1).ok_or(NOT_UNDERSTOOD)?;
            let own = text[range(&own.range())].to_owned();
            Ok(vec![(program_range, own), take_first(arguments, at + 2)])
        }
    }
}

/// The same where the command and its arguments are one list.
fn edit_list(
    text: &str,
    list: &Array<'_>,
    direction: Direction<'_>,
) -> Result<Vec<Edit>, &'static str> {
    let Some(Value::StringLit(first)) = list.elements.first() else { return Err(NOT_UNDERSTOOD) };
    match (direction, is_proxy(&first.value)) {
        (Direction::Insert { program, options }, false) => {
            let more = format!("{}, {}\"--\"", quoted(program), listed(options));
            Ok(vec![put_first(list, &more)])
        }
        (Direction::Remove, true) => {
            let at = separator(list).filter(|at| at + 1 < list.elements.len());
            let at = at.ok_or(NOT_UNDERSTOOD)?;
            debug_assert!(text.len() >= list.range().end, "because it is a part of the text");
            Ok(vec![take_first(list, at + 1)])
        }
        _ => Ok(Vec::new()),
    }
}

/// Where `--` is among the elements.
fn separator(list: &Array<'_>) -> Option<usize> {
    let is_separator =
        |value: &Value<'_>| matches!(value, Value::StringLit(text) if text.value == "--");
    list.elements.iter().position(is_separator)
}

/// Puts elements before the others.
fn put_first(list: &Array<'_>, elements: &str) -> Edit {
    match list.elements.first() {
        Some(first) => (first.range().start..first.range().start, format!("{elements}, ")),
        None => (list.range().start + 1..list.range().start + 1, elements.to_owned()),
    }
}

/// Takes out so many elements.
fn take_first(list: &Array<'_>, count: usize) -> Edit {
    let start = list.elements.first().map_or(list.range().start + 1, |first| first.range().start);
    let end = match list.elements.get(count) {
        Some(next) => next.range().start,
        None => list.elements.last().map_or(start, |last| last.range().end),
    };
    (start..end, String::new())
}

/// Elements, each with the comma after it.
fn listed(elements: &[&str]) -> String {
    elements.iter().flat_map(|element| [quoted(element), ", ".to_owned()]).collect()
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("because a text is JSON")
}

fn range(range: &jsonc_parser::common::Range) -> Range<usize> {
    range.start..range.end
}

/// The text with these edits; those at one place in their order.
fn spliced(text: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (range, written) in edits {
        out.push_str(&text[at..range.start]);
        out.push_str(&written);
        at = range.end;
    }
    out + &text[at..]
}
