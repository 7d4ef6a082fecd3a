//! Changes of a TOML file, whose comments, order and white space stay.

use toml_edit::{Array, DocumentMut, Item, TableLike, Value};

use crate::init::client::Shape;
use crate::init::edit::{BEHIND_A_URL, Change, Direction, NOT_UNDERSTOOD, Outcome, is_proxy};

/// The file with the change.
pub(crate) fn changed(text: &str, shape: &Shape, change: &Change<'_>) -> Result<Outcome, String> {
    let mut document: DocumentMut =
        text.parse().map_err(|error: toml_edit::TomlError| error.to_string())?;
    let path = shape.servers.first().and_then(|path| path.first()).copied().unwrap_or_default();
    let servers = document.get_mut(path).and_then(Item::as_table_like_mut);
    let servers =
        servers.ok_or_else(|| format!("it has no servers; expected tables [{path}.NAME]"))?;
    let mut outcome = Outcome::default();
    for (name, server) in servers.iter_mut() {
        let name = name.get().to_owned();
        if !change.is_about(&name) {
            outcome.same.push(name);
            continue;
        }
        match server.as_table_like_mut().map(|server| edit(server, change.direction)) {
            None => outcome.left.push((name, NOT_UNDERSTOOD)),
            Some(Err(reason)) => outcome.left.push((name, reason)),
            Some(Ok(false)) => outcome.same.push(name),
            Some(Ok(true)) => outcome.changed.push(name),
        }
    }
    // What was not changed stays byte for byte.
    outcome.text = if outcome.changed.is_empty() { text.to_owned() } else { document.to_string() };
    Ok(outcome)
}

/// Changes a server, and says whether it was changed.
fn edit(server: &mut dyn TableLike, direction: Direction<'_>) -> Result<bool, &'static str> {
    let Some(command) = server.get("command") else {
        return Err(if server.contains_key("url") { BEHIND_A_URL } else { NOT_UNDERSTOOD });
    };
    let command = command.as_str().ok_or(NOT_UNDERSTOOD)?.to_owned();
    let mut arguments = match server.get("args") {
        None => Array::new(),
        Some(arguments) => arguments.as_array().ok_or(NOT_UNDERSTOOD)?.clone(),
    };
    let written = match direction {
        Direction::Insert { .. } if is_proxy(&command) => return Ok(false),
        Direction::Insert { program, options } => {
            let before = arguments.get(0).map(|first| first.decor().clone());
            if let Some(first) = arguments.get_mut(0) {
                first.decor_mut().set_prefix(" ");
            }
            let more = options.iter().copied().chain(["--", &command]);
            for (at, text) in more.enumerate() {
                let mut value = Value::from(text);
                match before.as_ref().and_then(|before| before.prefix()) {
                    Some(prefix) if at == 0 => value.decor_mut().set_prefix(prefix.clone()),
                    _ if at == 0 => {}
                    _ => value.decor_mut().set_prefix(" "),
                }
                arguments.insert_formatted(at, value);
            }
            program.to_owned()
        }
        Direction::Remove if !is_proxy(&command) => return Ok(false),
        Direction::Remove => {
            let at = arguments.iter().position(|argument| argument.as_str() == Some("--"));
            let at = at.ok_or(NOT_UNDERSTOOD)?;
            let own =
                arguments.get(at + 1).and_then(Value::as_str).ok_or(NOT_UNDERSTOOD)?.to_owned();
            let prefix = arguments.get(0).and_then(|first| first.decor().prefix().cloned());
            for _ in 0..at + 2 {
                arguments.remove(0);
            }
            if let (Some(first), Some(prefix)) = (arguments.get_mut(0), prefix) {
                first.decor_mut().set_prefix(prefix);
            }
            own
        }
    };
    if let Some(Item::Value(value)) = server.get_mut("command") {
        let decor = value.decor().clone();
        *value = Value::from(written);
        *value.decor_mut() = decor;
    }
    match server.get_mut("args") {
        Some(item) => *item = Item::Value(Value::Array(arguments)),
        None => {
            server.insert("args", Item::Value(Value::Array(arguments)));
        }
    }
    Ok(true)
}
