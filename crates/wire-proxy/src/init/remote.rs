//! A server with a URL in a JSON file: its entry becomes one of a command, and that one again. What
//! may be secret goes to the entry's variables, where clients fill in their own, and where the list
//! of processes does not show it: values of headers, and a URL with a query.

use std::ops::Range;

use hyper::header::HeaderName;
use jsonc_parser::ast::{Object, ObjectProp};
use reqwest::Url;

use crate::agents::Config;
use crate::init::edit::{Edit, NOT_UNDERSTOOD, Opt, Reason, is_proxy};
use crate::init::entry::WithUrl;
use crate::init::json::{range, without, written};
use crate::init::server::{elements, quoted};
use crate::options::listen::Upstream;
use crate::options::remote::is_url;
use crate::upstream::is_own;

/// The beginning of the names of variables with values of headers.
const HEADER: &str = "WIRE_PROXY_HEADER_";
/// The variable with a URL that has a query.
pub(crate) const URL: &str = "WIRE_PROXY_URL";
/// The variable with the type of the entry, where it is not what the client itself writes.
const TYPE: &str = "WIRE_PROXY_TYPE";
/// The types of streamable HTTP: Cline's and Roo's have names of their own.
const TYPES: [&str; 3] = ["http", "streamableHttp", "streamable-http"];
/// The members that hold a client's own login.
const LOGINS: [&str; 5] = ["auth", "oauth", "oauthClientId", "oauthPublicClient", "oauth_resource"];

const OTHER_NAME: &str =
    "its URL is not in `url`; put `wire-proxy` and the URL in its place by hand";
const OTHER_TYPE: &str =
    "its `type` is not that of streamable HTTP; put `wire-proxy` and the URL in its place by hand";
const HAS_BOTH: &str = "it has a URL and variables";
const EMPTY: &str = "its `headers` are empty; take them out, and `init` can change it";
pub(crate) const HAND_WRITTEN: &str = "it has headers or a client that `init` did not write, which would be lost; remove the proxy from it by hand, or name the other servers by --server";
pub(crate) const BETWEEN: &str =
    "what stands between its command and its arguments would be lost; remove the proxy by hand";

/// Why a server with this member has to stay as it is: a command may not have it, or loses what it
/// is for.
pub(crate) fn unknown_member(name: &str, url: &str) -> Reason {
    let url = url.split('?').next().unwrap_or_default();
    let instead = if LOGINS.contains(&name) {
        format!(
            "; `wire-proxy login {url} --client-id ID` logs in with a client that is registered, and then `wire-proxy` and the URL can be put in its place by hand"
        )
    } else {
        String::new()
    };
    Reason::stays(format!("its member `{name}` is not one of a command{instead}"))
}

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

/// The names of the members of an entry: the types with a URL and with a command, and the variables.
fn names(shape: &Config) -> ([&str; 2], &'static str) {
    if shape.is_command_a_list {
        (["remote", "local"], "environment")
    } else {
        ([shape.http_type.as_deref().unwrap_or("http"), "stdio"], "env")
    }
}

/// The edits that put the proxy before a URL.
pub(crate) fn inserted(
    text: &str,
    server: &Object<'_>,
    shape: &Config,
    program: &str,
    options: &[Opt<'_>],
) -> Result<Vec<Edit>, Reason> {
    let ([http, stdio], environment) = names(shape);
    let url = server.get("url").ok_or(OTHER_NAME)?;
    let address = written(&url.value).text.filter(|url| is_url(url)).ok_or(NOT_UNDERSTOOD)?;
    if server.get(environment).is_some() {
        return Err(HAS_BOTH.into());
    }
    // A client fills in its variables, before which it may be no URL.
    if let (Ok(_), Err(why)) = (address.parse::<Url>(), Upstream::try_from(address.clone())) {
        return Err(Reason::stays(why));
    }
    let own = &text[range(&url.value)];
    let mut edits = Vec::new();
    let mut variables = Vec::new();
    let mut options = elements(options);
    for member in &server.properties {
        // What is spelled in another way could not be restored.
        let name = member.name.as_str();
        let is_plain = text[range(&member.name)] == quoted(name);
        match name {
            "url" if is_plain => {}
            "type" => {
                let kind = written(&member.value).text.ok_or(OTHER_TYPE)?;
                let is_http = kind == http || !shape.is_command_a_list && TYPES.contains(&&*kind);
                if !is_http || text[range(&member.value)] != quoted(&kind) {
                    return Err(OTHER_TYPE.into());
                }
                edits.push((range(&member.value), quoted(stdio)));
                if kind != http {
                    variables.push((TYPE, quoted(&kind)));
                }
            }
            "headers" if is_plain => {
                edits.push((range(&member.name), quoted(environment)));
                let headers = member.value.as_object().ok_or(NOT_UNDERSTOOD)?;
                for (at, header) in headers.properties.iter().enumerate() {
                    let name = header.name.as_str();
                    if HeaderName::try_from(name).is_ok_and(|name| is_own(&name)) {
                        return Err(Reason::stays(format!(
                            "the header {name} is wire-proxy's own; take it out, and `init` can change it"
                        )));
                    }
                    let is_plain = text[range(&header.name)] == quoted(name);
                    if !is_plain || written(&header.value).text.is_none() || name.contains('=') {
                        return Err(NOT_UNDERSTOOD.into());
                    }
                    let variable = format!("{HEADER}{}", at + 1);
                    edits.push((range(&header.name), quoted(&variable)));
                    options +=
                        &format!("\"--header-env\", {}, ", quoted(&format!("{name}={variable}")));
                }
            }
            "url" | "headers" => return Err(NOT_UNDERSTOOD.into()),
            name if shape.harmless.iter().any(|own| own == name) => {}
            name => return Err(unknown_member(name, &address)),
        }
    }
    let mut url_word = own.to_owned();
    if address.contains('?') {
        variables.push((URL, own.to_owned()));
        url_word = format!("\"--url-env\", {}", quoted(URL));
    }
    let variable = |(name, value): &(&str, String)| format!("{}: {value}", quoted(name));
    let variables: Vec<String> = variables.iter().map(variable).collect();
    let mut more = String::new();
    if let Some(headers) = server.get_object("headers").filter(|_| !variables.is_empty()) {
        let at = range(headers.properties.first().ok_or(EMPTY)?).start;
        edits.push((at..at, variables.join(", ") + ", "));
    } else if !variables.is_empty() {
        more = format!(", {}: {{ {} }}", quoted(environment), variables.join(", "));
    }
    edits.push((range(&url.name), quoted("command")));
    let program = quoted(program);
    let command = if shape.is_command_a_list {
        format!("[ {program}, {options}{url_word} ]{more}")
    } else {
        format!("{program}, \"args\": [ {options}{url_word} ]{more}")
    };
    edits.push((range(&url.value), command));
    Ok(edits)
}

/// An entry that has the proxy before a URL.
struct Proxied<'a> {
    words: Vec<String>,
    /// The URL as it is written, and its text.
    url: (String, String),
    /// The command and its arguments, from the first value to the last.
    range: Range<usize>,
    variables: Option<&'a ObjectProp<'a>>,
}

impl<'a> Proxied<'a> {
    /// `None` if it is another entry.
    fn of(text: &str, server: &'a Object<'a>, shape: &Config) -> Option<Self> {
        let list = |name| server.get(name).and_then(|list| list.value.as_array());
        let command = server.get("command")?;
        let (list, first) = if shape.is_command_a_list {
            (list("command")?, None)
        } else {
            (list("args")?, Some(written(&command.value).text?))
        };
        let more = list.elements.iter().map(|word| written(word).text);
        let more = more.collect::<Option<Vec<_>>>()?;
        let words: Vec<String> = first.into_iter().chain(more).collect();
        if !is_proxy(words.first()?) || words.iter().any(|word| word == "--") {
            return None;
        }
        let variables = server.get(names(shape).1);
        let final_word = list.elements.last()?;
        let url = match &*words {
            [.., option, name] if option == "--url-env" => {
                let value = &variables?.value.as_object()?.get(name)?.value;
                (text[range(value)].to_owned(), written(value).text?)
            }
            [.., url] if is_url(url) => (text[range(final_word)].to_owned(), url.clone()),
            _ => return None,
        };
        let range = range(&command.value).start..range(list).end;
        Some(Proxied { words, url, range, variables })
    }

    /// The header that a variable has the value of.
    fn header(&self, variable: &str) -> Option<&str> {
        let pairs = self.words.windows(2).filter(|pair| pair[0] == "--header-env");
        pairs
            .filter_map(|pair| pair[1].split_once('='))
            .find(|pair| pair.1 == variable)
            .map(|pair| pair.0)
    }
}

/// What an entry with the proxy before a URL says; `None` if it is another one.
pub(crate) fn behind_the_proxy(text: &str, server: &Object<'_>, shape: &Config) -> Option<WithUrl> {
    let proxied = Proxied::of(text, server, shape)?;
    let variables = proxied.variables.and_then(|own| own.value.as_object());
    let mut headers = Vec::new();
    for pair in proxied.words.windows(2).filter(|pair| pair[0] == "--header-env") {
        let (name, variable) = pair[1].split_once('=')?;
        let value = variables?.get_string(variable)?;
        headers.push((name.to_owned(), value.value.to_string()));
    }
    Some(WithUrl { url: proxied.url.1, headers })
}

/// Returns `true` if arguments of the proxy have a header or a client of a login, which `init` does
/// not write.
pub(crate) fn has_own_header<'w>(words: impl IntoIterator<Item = &'w str>) -> bool {
    let mut is_variable = false;
    words.into_iter().any(|word| {
        let own = if std::mem::take(&mut is_variable) {
            !word.split_once('=').is_some_and(|(_, name)| name.starts_with(HEADER))
        } else {
            word.starts_with("--client-") || word.starts_with("--header") && word != "--header-env"
        };
        is_variable = word == "--header-env";
        own
    })
}

/// The edits that make an entry with the proxy before a URL one with a URL again; `None` if it is
/// another one.
pub(crate) fn removed(
    text: &str,
    server: &Object<'_>,
    shape: &Config,
) -> Option<Result<Vec<Edit>, Reason>> {
    let proxied = Proxied::of(text, server, shape)?;
    Some(alone(text, server, shape, &proxied))
}

fn alone(
    text: &str,
    server: &Object<'_>,
    shape: &Config,
    proxied: &Proxied<'_>,
) -> Result<Vec<Edit>, Reason> {
    let ([http, stdio], environment) = names(shape);
    if has_own_header(proxied.words.iter().map(String::as_str)) {
        return Err(Reason::lost(HAND_WRITTEN));
    }
    let command = server.get("command").ok_or(NOT_UNDERSTOOD)?;
    if let Some(arguments) = server.get("args") {
        let between = text.get(range(&command.value).end..range(&arguments.name).start);
        if between.is_none_or(|between| between.trim() != ",") {
            return Err(Reason::lost(BETWEEN));
        }
    }
    let mut edits = vec![(range(&command.name), quoted("url"))];
    let mut end = proxied.range.end;
    if let Some(own) = proxied.variables {
        let variables = own.value.as_object().ok_or(NOT_UNDERSTOOD)?;
        let items: Vec<Range<usize>> = variables.properties.iter().map(range).collect();
        let is_ours = |name: &str| name == URL || name == TYPE;
        if variables.properties.iter().all(|variable| is_ours(variable.name.as_str()))
            && !items.is_empty()
        {
            // It was put there, and holds nothing else.
            let between = text.get(end..range(&own.name).start);
            if between.is_some_and(|between| between.trim() == ",") {
                end = range(own).end;
            } else {
                let members: Vec<Range<usize>> = server.properties.iter().map(range).collect();
                let at = members.iter().position(|member| *member == range(own));
                edits.extend(without(text, &members, &[at.unwrap_or_default()]));
            }
        } else {
            edits.push((range(&own.name), quoted("headers")));
            let mut ours = Vec::new();
            for (at, variable) in variables.properties.iter().enumerate() {
                match variable.name.as_str() {
                    name if is_ours(name) => ours.push(at),
                    name => {
                        let header = proxied.header(name);
                        let header = header.ok_or_else(|| {
                            Reason::lost(format!(
                                "its variable {name} in `{environment}` would be lost; remove the proxy by hand"
                            ))
                        })?;
                        edits.push((range(&variable.name), quoted(header)));
                    }
                }
            }
            edits.extend(without(text, &items, &ours));
        }
    }
    if let Some(own) = server.get("type") {
        let variables = proxied.variables.and_then(|own| own.value.as_object());
        let kind = variables.and_then(|variables| variables.get(TYPE));
        let kind = kind.map_or_else(|| quoted(http), |own| text[range(&own.value)].to_owned());
        let is_stdio = written(&own.value).text.as_deref() == Some(stdio);
        edits.extend(is_stdio.then(|| (range(&own.value), kind)));
    }
    edits.push((proxied.range.start..end, proxied.url.0.clone()));
    Ok(edits)
}
