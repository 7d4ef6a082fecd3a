//! The servers of a TOML file.

use std::ops::Range;

use toml_edit::{Array, Document, Item, TableLike, Value};

use crate::agents::Config;
use crate::init::edit::{
    BEHIND_A_URL, Change, Direction, Edit, NOT_UNDERSTOOD, Opt, Outcome, is_proxy,
};
use crate::init::entry::{Entry, WithUrl};
use crate::init::server::{List, Place, Server, Written, elements, quoted, spliced};
use crate::options::remote::is_url;

/// The file with the change.
pub(crate) fn changed(text: &str, shape: &Config, change: &Change<'_>) -> Result<Outcome, String> {
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
pub(crate) fn entries(text: &str, shape: &Config) -> Vec<Entry> {
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
            remote: one("url").map(str::to_owned).or_else(|| url_behind(server)).map(|url| {
                WithUrl { url, headers: texts("http_headers").into_iter().chain(token).collect() }
            }),
            is_off: server.get("enabled").and_then(Item::as_bool) == Some(false),
        }
    };
    servers.iter().map(entry).collect()
}

fn server_edits(text: &str, server: &Item, change: &Change<'_>) -> Result<Vec<Edit>, &'static str> {
    match (change.direction, server.as_table_like()) {
        (Direction::Insert { program, options, .. }, Some(table)) if table.contains_key("url") => {
            before_a_url(text, server, program, options).ok_or(BEHIND_A_URL).map(|edit| vec![edit])
        }
        (Direction::Remove, Some(table)) if url_behind(server).is_some() => {
            alone(text, table).ok_or(NOT_UNDERSTOOD).map(|edit| vec![edit])
        }
        _ => server_of(text, server)?.edits(text, change.direction),
    }
}

/// The edit that puts the proxy before a URL. `None` if it has headers, whose values would be
/// arguments or variables.
fn before_a_url(text: &str, server: &Item, program: &str, options: &[Opt<'_>]) -> Option<Edit> {
    let table = server.as_table_like()?;
    let headers = ["bearer_token_env_var", "http_headers", "env_http_headers"];
    if headers.iter().any(|name| table.contains_key(name)) {
        return None;
    }
    let key = table.key("url")?.span()?;
    let url = table.get("url")?.as_value().and_then(written)?;
    let between = if server.is_inline_table() {
        ", ".to_owned()
    } else {
        let start = text[..key.start].rfind('\n').map_or(0, |at| at + 1);
        let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
        format!("{end}{}", &text[start..key.start])
    };
    let command = format!(
        "command = {}{between}args = [ {}{} ]",
        quoted(program),
        elements(options),
        &text[url.range.clone()]
    );
    Some((key.start..url.range.end, command))
}

/// The URL that the proxy stands before.
fn url_behind(server: &Item) -> Option<String> {
    let command = server.get("command")?.as_str()?;
    let arguments = server.get("args")?.as_array()?;
    let words: Vec<&str> = arguments.iter().map(Value::as_str).collect::<Option<_>>()?;
    let url = words.last().filter(|url| is_url(url))?;
    (is_proxy(command) && !words.contains(&"--")).then(|| (*url).to_owned())
}

/// The edit that makes the URL an entry of its own again.
fn alone(text: &str, table: &dyn TableLike) -> Option<Edit> {
    let start = table.key("command")?.span()?.start;
    let command = table.get("command")?.span()?.end;
    let arguments = table.get("args")?.as_array()?;
    let own = &text[arguments.iter().last()?.span()?];
    let end = arguments.span()?.end;
    // Nothing stands between them.
    let between = text.get(command..table.key("args")?.span()?.start)?.trim();
    (between.is_empty() || between == "," || between.ends_with('.'))
        .then(|| (start..end, format!("url = {own}")))
}

fn server_of(text: &str, server: &Item) -> Result<Server, &'static str> {
    let is_inline = server.is_inline_table();
    let server: &dyn TableLike = server.as_table_like().ok_or(NOT_UNDERSTOOD)?;
    let command = server.get("command").ok_or(NOT_UNDERSTOOD)?;
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
