//! The servers of a TOML file.

use std::ops::Range;

use toml_edit::{Array, Document, Item, TableLike, Value};

use crate::init::client::Shape;
use crate::init::edit::{BEHIND_A_URL, Change, Edit, NOT_UNDERSTOOD, Outcome};
use crate::init::found::{Entry, WithUrl};
use crate::init::server::{List, Place, Server, Written, spliced};

/// The file with the change.
pub(crate) fn changed(text: &str, shape: &Shape, change: &Change<'_>) -> Result<Outcome, String> {
    let document = Document::parse(text).map_err(|error| error.to_string())?;
    let path = shape.servers.first().and_then(|path| path.first()).map_or("", String::as_str);
    let servers = document.as_table().get(path).and_then(Item::as_table_like);
    let servers =
        servers.ok_or_else(|| format!("it has no servers; expected tables [{path}.NAME]"))?;
    let mut outcome = Outcome::default();
    let mut edits = Vec::new();
    for (name, server) in servers.iter() {
        if change.is_about(name) {
            edits.extend(outcome.add(name.to_owned(), server_edits(text, server, change)));
        } else {
            outcome.same.push(name.to_owned());
        }
    }
    outcome.text = spliced(text, edits);
    Ok(outcome)
}

/// The servers of the file; none if it can't be read.
pub(crate) fn entries(text: &str, shape: &Shape) -> Vec<Entry> {
    let Ok(document) = Document::parse(text) else { return Vec::new() };
    let path = shape.servers.first().and_then(|path| path.first()).map_or("", String::as_str);
    let Some(servers) = document.as_table().get(path).and_then(Item::as_table_like) else {
        return Vec::new();
    };
    let entry = |(name, server): (&str, &Item)| {
        let texts = |name: &str| -> Vec<(String, String)> {
            let own = server.get(name).and_then(Item::as_table_like);
            let pair = |(name, value): (&str, &Item)| Some((name.into(), value.as_str()?.into()));
            own.into_iter().flat_map(|own| own.iter()).filter_map(pair).collect()
        };
        let one = |name: &str| server.get(name).and_then(Item::as_str);
        let token = one("bearer_token_env_var").and_then(|name| std::env::var(name).ok());
        let token = token.map(|token| ("Authorization".to_owned(), format!("Bearer {token}")));
        Entry {
            name: name.to_owned(),
            command: server_of(text, server).ok().and_then(|server| server.command()),
            environment: texts("env"),
            remote: one("url").map(|url| WithUrl {
                url: url.to_owned(),
                headers: texts("http_headers").into_iter().chain(token).collect(),
            }),
            is_off: server.get("enabled").and_then(Item::as_bool) == Some(false),
        }
    };
    servers.iter().map(entry).collect()
}

fn server_edits(text: &str, server: &Item, change: &Change<'_>) -> Result<Vec<Edit>, &'static str> {
    server_of(text, server)?.edits(text, change.direction)
}

fn server_of(text: &str, server: &Item) -> Result<Server, &'static str> {
    let is_inline = server.is_inline_table();
    let server: &dyn TableLike = server.as_table_like().ok_or(NOT_UNDERSTOOD)?;
    let Some(command) = server.get("command") else {
        return Err(if server.contains_key("url") { BEHIND_A_URL } else { NOT_UNDERSTOOD });
    };
    let command = command.as_value().and_then(written).ok_or(NOT_UNDERSTOOD)?;
    let arguments = match server.get("args") {
        None => None,
        Some(arguments) => Some(arguments.as_array().and_then(list).ok_or(NOT_UNDERSTOOD)?),
    };
    let place = if is_inline {
        Some(Place { at: command.range.end, before: ", args = ".to_owned() })
    } else {
        line_after(text, &command.range)
    };
    Ok(Server::Apart { command, arguments, place })
}

/// The line after that of a command, for its arguments. `None` if its name is written in quotes.
fn line_after(text: &str, command: &Range<usize>) -> Option<Place> {
    let start = text[..command.start].rfind('\n').map_or(0, |at| at + 1);
    let key = text[start..command.start].trim_end().strip_suffix('=')?.trim_end();
    let before = key.strip_suffix("command")?;
    let rest = &text[command.end..];
    let line = rest.split('\n').next().unwrap_or(rest);
    // The file has one kind of line endings; the last line may have no ending.
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let at = command.end + line.trim_end_matches('\r').len();
    Some(Place { at, before: format!("{end}{before}args = ") })
}

fn list(list: &Array) -> Option<List> {
    let elements = list.iter().map(written).collect::<Option<_>>()?;
    Some(List { elements, range: list.span()? })
}

fn written(value: &Value) -> Option<Written> {
    Some(Written { text: value.as_str().map(str::to_owned), range: value.span()? })
}
