//! The servers of a TOML file.

use std::ops::Range;

use toml_edit::{Array, Document, InlineTable, Item, Key, TableLike, Value};

use crate::agents::Config;
use crate::init::edit::{
    BEHIND_A_URL, Change, Direction, Edit, NOT_UNDERSTOOD, Opt, Outcome, Reason, is_proxy,
    with_comments,
};
use crate::init::entry::{Entry, WithUrl};
use crate::init::remote::{BETWEEN, HAND_WRITTEN, URL, has_own_header, unknown_member};
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
            let mut own = server_edits(text, server, shape, change);
            if matches!(change.direction, Direction::Remove) {
                own = own.and_then(|edits| with_comments(text, edits, &["#"]));
            }
            edits.extend(outcome.add(name.to_owned(), own));
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
            words: server_of(text, server)
                .ok()
                .and_then(|server| server.words())
                .unwrap_or_else(|| one("url").map(str::to_owned).into_iter().collect()),
            command: server_of(text, server).ok().and_then(|server| server.command()),
            environment: texts("env"),
            remote: one("url")
                .or_else(|| url_behind(server).and_then(|(_, url)| url.as_str()))
                .map(|url| WithUrl {
                    url: url.to_owned(),
                    headers: texts("http_headers").into_iter().chain(token).collect(),
                }),
            is_off: server.get("enabled").and_then(Item::as_bool) == Some(false),
        }
    };
    servers.iter().map(entry).collect()
}

fn server_edits(
    text: &str,
    server: &Item,
    shape: &Config,
    change: &Change<'_>,
) -> Result<Vec<Edit>, Reason> {
    // A member of such a server would be one of the table around it.
    if server.as_inline_table().is_some_and(InlineTable::is_dotted) {
        return Err(NOT_UNDERSTOOD.into());
    }
    match (change.direction, server.as_table_like()) {
        (Direction::Insert { program, options, .. }, Some(table)) if table.contains_key("url") => {
            before_a_url(text, server, table, shape, program, options)
        }
        (Direction::Remove, Some(table)) if url_behind(server).is_some() => alone(text, table),
        _ => server_of(text, server)?.edits(text, change.direction),
    }
}

/// The edits that put the proxy before a URL. One with headers is left: their values would be
/// arguments or variables.
fn before_a_url(
    text: &str,
    server: &Item,
    table: &dyn TableLike,
    shape: &Config,
    program: &str,
    options: &[Opt<'_>],
) -> Result<Vec<Edit>, Reason> {
    let headers = ["bearer_token_env_var", "http_headers", "env_http_headers"];
    if headers.iter().any(|name| table.contains_key(name)) {
        return Err(BEHIND_A_URL.into());
    }
    let url = table.get("url").and_then(Item::as_value).and_then(written).ok_or(NOT_UNDERSTOOD)?;
    let address = url.text.ok_or(NOT_UNDERSTOOD)?;
    let is_known = |name: &str| name == "url" || shape.harmless.iter().any(|own| own == name);
    if let Some((name, _)) = table.iter().find(|(name, _)| !is_known(name)) {
        return Err(unknown_member(name, &address));
    }
    let key = table.key("url").and_then(Key::span).filter(|key| &text[key.clone()] == "url");
    let key = key.ok_or(NOT_UNDERSTOOD)?;
    let between = if server.is_inline_table() {
        ", ".to_owned()
    } else {
        let start = text[..key.start].rfind('\n').map_or(0, |at| at + 1);
        let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
        format!("{end}{}", &text[start..key.start])
    };
    let own = &text[url.range.clone()];
    let (word, variables) = if address.contains('?') {
        let word = format!("\"--url-env\", {}", quoted(URL));
        (word, format!("{between}env = {{ {URL} = {own} }}"))
    } else {
        (own.to_owned(), String::new())
    };
    let (program, options) = (quoted(program), elements(options));
    let command = format!("{program}{between}args = [ {options}{word} ]{variables}");
    Ok(vec![(key, "command".to_owned()), (url.range, command)])
}

/// The words of the proxy before a URL, and the value that the URL is.
fn url_behind(server: &Item) -> Option<(Vec<&str>, &Value)> {
    let command = server.get("command")?.as_str()?;
    let arguments = server.get("args")?.as_array()?;
    let words: Vec<&str> = arguments.iter().map(Value::as_str).collect::<Option<_>>()?;
    let url = match words.as_slice() {
        [.., "--url-env", name] => server.get("env")?.get(name)?.as_value()?,
        [.., url] if is_url(url) => arguments.iter().last()?,
        _ => return None,
    };
    (is_proxy(command) && !words.contains(&"--")).then_some((words, url))
}

/// The edits that make the URL an entry of its own again.
fn alone(text: &str, table: &dyn TableLike) -> Result<Vec<Edit>, Reason> {
    let spans = || {
        let key = table.key("command")?.span().filter(|key| &text[key.clone()] == "command")?;
        let (command, arguments) = (table.get("command")?, table.get("args")?);
        Some((key, command.span()?, table.key("args")?.span()?, arguments.span()?, arguments))
    };
    let (key, command, arguments_key, arguments, list) = spans().ok_or(NOT_UNDERSTOOD)?;
    let words = list.as_array().into_iter().flatten().filter_map(Value::as_str);
    if has_own_header(words) {
        return Err(Reason::lost(HAND_WRITTEN));
    }
    // Nothing of the user's stands between them: a comma, or the tables that a dotted key begins with.
    let is_bare = |range: Range<usize>| {
        text.get(range).is_some_and(|between| {
            let between = between.trim();
            let is_key = between.ends_with('.') && !between.contains(['=', '#', '\n']);
            between.is_empty() || between == "," || is_key
        })
    };
    if !is_bare(command.end..arguments_key.start) {
        return Err(Reason::lost(BETWEEN));
    }
    let server = table.get("env").map(|own| (own, own.as_table_like()));
    let mut end = arguments.end;
    let mut url = list.as_array().and_then(|list| list.iter().last()).and_then(Value::span);
    if let Some((own, Some(variables))) = server {
        let value = variables.get(URL).and_then(Item::as_value).and_then(Value::span);
        let env_key = table.key("env").and_then(Key::span).ok_or(NOT_UNDERSTOOD)?;
        if value.is_none() || variables.len() != 1 || !is_bare(arguments.end..env_key.start) {
            return Err(Reason::lost(BETWEEN));
        }
        (url, end) = (value, own.span().ok_or(NOT_UNDERSTOOD)?.end);
    }
    let url = text[url.ok_or(NOT_UNDERSTOOD)?].to_owned();
    Ok(vec![(key, "url".to_owned()), (command.start..end, url)])
}

fn server_of(text: &str, server: &Item) -> Result<Server, Reason> {
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
