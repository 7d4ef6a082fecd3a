//! A server with a URL in a JSON file: its entry becomes one of a command, and that one again. The
//! values of headers go to the entry's variables, where clients fill in their own, and where the
//! list of processes does not show them.

use jsonc_parser::ast::{Object, ObjectProp};

use crate::agents::Config;
use crate::init::edit::{Edit, NOT_UNDERSTOOD, Opt, is_proxy};
use crate::init::entry::WithUrl;
use crate::init::json::{range, written};
use crate::init::server::{elements, quoted};
use crate::options::remote::is_url;

/// The beginning of the names of variables with values of headers.
const VARIABLE: &str = "WIRE_PROXY_HEADER_";
const OTHER_NAME: &str =
    "its URL is not in `url`; put `wire-proxy` and the URL in its place by hand";
const OTHER_TYPE: &str =
    "its `type` is not that of streamable HTTP; put `wire-proxy` and the URL in its place by hand";
const HAS_BOTH: &str = "it has a URL and variables";

/// Returns `true` if an entry has a URL.
pub(crate) fn is_remote(server: &Object<'_>) -> bool {
    server.get("command").is_none()
        && ["url", "serverUrl", "httpUrl"].iter().any(|name| server.get(name).is_some())
}

pub(crate) fn remote(server: &Object<'_>) -> Option<WithUrl> {
    let url = ["url", "serverUrl", "httpUrl"].iter().find_map(|name| server.get_string(name))?;
    let headers = server.get_object("headers").into_iter().flat_map(|own| &own.properties);
    let header =
        |own: &ObjectProp<'_>| Some((own.name.as_str().to_owned(), written(&own.value).text?));
    Some(WithUrl {
        url: url.value.to_string(),
        headers: headers.map(header).collect::<Option<_>>()?,
    })
}

/// The names of the members of an entry: with a URL, and with a command.
fn names(shape: &Config) -> ([&'static str; 2], &'static str) {
    if shape.is_command_a_list {
        (["remote", "local"], "environment")
    } else {
        (["http", "stdio"], "env")
    }
}

/// The edits that put the proxy before a URL.
pub(crate) fn inserted(
    text: &str,
    server: &Object<'_>,
    shape: &Config,
    program: &str,
    options: &[Opt<'_>],
) -> Result<Vec<Edit>, &'static str> {
    let ([http, stdio], environment) = names(shape);
    let url = server.get("url").ok_or(OTHER_NAME)?;
    if !written(&url.value).text.is_some_and(|url| is_url(&url)) {
        return Err(NOT_UNDERSTOOD);
    }
    if server.get(environment).is_some() {
        return Err(HAS_BOTH);
    }
    let mut edits = Vec::new();
    if let Some(kind) = server.get("type") {
        if written(&kind.value).text.as_deref() != Some(http) {
            return Err(OTHER_TYPE);
        }
        edits.push((range(&kind.value), quoted(stdio)));
    }
    let mut options = elements(options);
    if let Some(headers) = server.get("headers") {
        edits.push((range(&headers.name), quoted(environment)));
        let headers = headers.value.as_object().ok_or(NOT_UNDERSTOOD)?;
        for (at, header) in headers.properties.iter().enumerate() {
            let name = header.name.as_str();
            if written(&header.value).text.is_none() || name.contains('=') {
                return Err(NOT_UNDERSTOOD);
            }
            let variable = format!("{VARIABLE}{}", at + 1);
            edits.push((range(&header.name), quoted(&variable)));
            options += &format!("\"--header-env\", {}, ", quoted(&format!("{name}={variable}")));
        }
    }
    let program = quoted(program);
    let own = &text[range(&url.value)];
    let command = if shape.is_command_a_list {
        format!("\"command\": [ {program}, {options}{own} ]")
    } else {
        format!("\"command\": {program}, \"args\": [ {options}{own} ]")
    };
    edits.push((range(url), command));
    Ok(edits)
}

/// The words of an entry that has the proxy before a URL, and the text of the URL.
fn words<'a>(text: &'a str, server: &Object<'_>, shape: &Config) -> Option<(Vec<String>, &'a str)> {
    let list = |name| server.get_array(name).map(|list| &list.elements);
    let (elements, command) = if shape.is_command_a_list {
        (list("command")?, None)
    } else {
        (list("args")?, Some(server.get_string("command")?.value.to_string()))
    };
    let more = elements.iter().map(|word| written(word).text).collect::<Option<Vec<_>>>()?;
    let words: Vec<String> = command.into_iter().chain(more).collect();
    let is_ours = is_proxy(words.first()?) && words.last().is_some_and(|url| is_url(url));
    (is_ours && !words.iter().any(|word| word == "--"))
        .then_some((words, &text[range(elements.last()?)]))
}

/// What an entry with the proxy before a URL says; `None` if it is another one.
pub(crate) fn behind_the_proxy(text: &str, server: &Object<'_>, shape: &Config) -> Option<WithUrl> {
    let (words, _) = words(text, server, shape)?;
    let (_, environment) = names(shape);
    let variables = server.get_object(environment);
    let mut headers = Vec::new();
    for pair in words.windows(2).filter(|pair| pair[0] == "--header-env") {
        let (name, variable) = pair[1].split_once('=')?;
        let value = variables?.get_string(variable)?;
        headers.push((name.to_owned(), value.value.to_string()));
    }
    Some(WithUrl { url: words.last()?.clone(), headers })
}

/// The edits that make an entry with the proxy before a URL one with a URL again; `None` if it is
/// another one.
pub(crate) fn removed(
    text: &str,
    server: &Object<'_>,
    shape: &Config,
) -> Option<Result<Vec<Edit>, &'static str>> {
    let (words, url) = words(text, server, shape)?;
    Some(alone(server, shape, &words, url).ok_or(NOT_UNDERSTOOD))
}

fn alone(server: &Object<'_>, shape: &Config, words: &[String], url: &str) -> Option<Vec<Edit>> {
    let ([http, stdio], environment) = names(shape);
    let mut edits = Vec::new();
    if let Some(kind) = server.get("type") {
        let is_stdio = written(&kind.value).text.as_deref() == Some(stdio);
        edits.extend(is_stdio.then(|| (range(&kind.value), quoted(http))));
    }
    if let Some(own) = server.get(environment) {
        edits.push((range(&own.name), quoted("headers")));
        for variable in &own.value.as_object()?.properties {
            let header = words.iter().find_map(|word| {
                let (header, name) = word.split_once('=')?;
                (name == variable.name.as_str()).then_some(header)
            });
            edits.push((range(&variable.name), quoted(header?)));
        }
    }
    let command = range(server.get("command")?);
    let end = server.get("args").map_or(command.end, |arguments| range(arguments).end);
    if end < command.end {
        return None;
    }
    edits.push((command.start..end, format!("\"url\": {url}")));
    Some(edits)
}
