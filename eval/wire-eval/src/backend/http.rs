//! JSON over HTTP, and which failures pass.

use std::env;
use std::io::ErrorKind;
use std::net::IpAddr;
use std::time::{Duration, SystemTime};

use serde_json::Value;
use ureq::http::Uri;
use ureq::{Agent, Proxy};

use super::reply::Problem;
use crate::failure::Failure;

/// The largest reply that is read.
const MOST: u64 = 16 << 20;
/// The longest wait that a provider can ask for.
const LONGEST_WAIT: Duration = Duration::from_secs(3600);

/// A provider's address and key.
pub(super) struct Client {
    agent: Agent,
    base: String,
    /// `true` if requests leave this machine over plain HTTP.
    leaves_in_the_clear: bool,
    /// The header of the key, the text before the key, and the key.
    key: Option<(&'static str, &'static str, String)>,
    headers: Vec<(&'static str, &'static str)>,
}

impl Client {
    pub(super) fn new(base: &str, timeout: Duration) -> Result<Self, Failure> {
        let base = base.trim_end_matches('/').to_owned();
        if base.contains('@') {
            return Err(Failure::Usage(
                "--base-url has an @: names and keys in it would be logged".to_owned(),
            ));
        }
        let uri = base.parse::<Uri>().ok();
        let is_web = |uri: &Uri| matches!(uri.scheme_str(), Some("http" | "https"));
        let Some(uri) = uri.filter(|uri| is_web(uri) && uri.host().is_some()) else {
            return Err(Failure::Usage(format!(
                "--base-url is {base:?}, expected it to begin with https:// or http://, and to name a server"
            )));
        };
        if base.contains(['?', '#']) {
            return Err(Failure::Usage(format!(
                "--base-url is {base:?}, expected no query and no fragment: paths are added to it, and it is logged"
            )));
        }
        let is_local = is_loopback(uri.host().unwrap_or_default());
        let is_clear = uri.scheme_str() == Some("http");
        // What stays on this machine goes through no proxy, which would see the key.
        let proxy = if is_local { None } else { proxy()? };
        let config = Agent::config_builder()
            .timeout_global(Some(timeout))
            .http_status_as_error(false)
            // A redirection would carry the key to who knows whom.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .proxy(proxy)
            .user_agent(concat!("wire-eval/", env!("CARGO_PKG_VERSION")))
            .build();
        let leaves_in_the_clear = is_clear && !is_local;
        Ok(Client {
            agent: config.into(),
            base,
            leaves_in_the_clear,
            key: None,
            headers: Vec::new(),
        })
    }

    pub(super) fn with_header(mut self, name: &'static str, value: &'static str) -> Self {
        self.headers.push((name, value));
        self
    }

    /// Sends the key of an environment variable, if it is set.
    ///
    /// # Errors
    ///
    /// Usage: it would be sent without encryption to another machine.
    pub(super) fn with_key(
        mut self,
        variable: &'static str,
        header: &'static str,
        before: &'static str,
    ) -> Result<Self, Failure> {
        let key = env::var(variable).ok().map(|key| key.trim().to_owned());
        self.key = key.filter(|key| !key.is_empty()).map(|key| (header, before, key));
        if self.key.is_some() && self.leaves_in_the_clear {
            return Err(Failure::Usage(format!(
                "{variable} would travel in the clear to {}, expected https://",
                self.base
            )));
        }
        Ok(self)
    }

    pub(super) fn has_key(&self) -> bool {
        self.key.is_some()
    }

    /// The provider's reply to a request.
    pub(super) fn post(&self, path: &str, body: &Value) -> Result<Value, Problem> {
        let mut request = self
            .agent
            .post(format!("{}{path}", self.base))
            .header("content-type", "application/json");
        for (name, value) in &self.headers {
            request = request.header(*name, *value);
        }
        if let Some((name, before, key)) = &self.key {
            request = request.header(*name, format!("{before}{key}"));
        }
        let passing =
            |message: String| Problem::Passing { message: self.hidden(&message), after: None };
        let mut response =
            request.send(body.to_string()).map_err(|error| self.unreached(&error))?;
        let status = response.status().as_u16();
        let after = response.headers().get("retry-after").and_then(|value| value.to_str().ok());
        let after = after.and_then(|text| wait_of(text, SystemTime::now()));
        let text = response.body_mut().with_config().limit(MOST).read_to_string();
        let text = text.map_err(|error| passing(format!("the reply can't be read: {error}")))?;
        let json = serde_json::from_str::<Value>(&text);
        if status == 200 {
            let mut json =
                json.map_err(|error| passing(format!("the reply is not JSON: {error}")))?;
            self.hide(&mut json);
            return Ok(json);
        }
        let said = json.ok().and_then(|json| Some(json["error"]["message"].as_str()?.to_owned()));
        // Hidden before it is cut: half a key is too much of it.
        let said = self.hidden(&said.unwrap_or(text));
        let said: String = said.split_whitespace().collect::<Vec<_>>().join(" ");
        let message = format!("status {status}: {}", said.chars().take(200).collect::<String>());
        Err(match status {
            300..=399 => Problem::Hopeless(format!("{message} (redirections are not followed)")),
            408 | 409 | 429 | 500.. => match after {
                Some(after) if after > LONGEST_WAIT => Problem::Hopeless(format!(
                    "{message} (it asks for a wait of {} s, expected at most {} s)",
                    after.as_secs(),
                    LONGEST_WAIT.as_secs()
                )),
                after => Problem::Passing { message, after },
            },
            401 | 403 | 404 => Problem::Hopeless(message),
            _ => Problem::Refused(message),
        })
    }

    /// The reason for a missing reply: without a connection it has the address that was tried.
    fn unreached(&self, error: &ureq::Error) -> Problem {
        let message = match error {
            ureq::Error::Io(error) if error.kind() == ErrorKind::ConnectionRefused => {
                format!("{} can't be reached: the connection is refused", self.base)
            }
            ureq::Error::HostNotFound => {
                format!("{} can't be reached: the host is not found", self.base)
            }
            error => {
                return Problem::Passing { message: self.hidden(&error.to_string()), after: None };
            }
        };
        Problem::Unreachable(self.hidden(&message))
    }

    /// Removes keys from a message: providers quote them in their errors.
    fn hidden(&self, message: &str) -> String {
        match &self.key {
            Some((_, _, key)) => message.replace(key.as_str(), "…"),
            None => message.to_owned(),
        }
    }

    /// The same in every text of a reply.
    fn hide(&self, json: &mut Value) {
        match json {
            Value::String(text) => *text = self.hidden(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.hide(item)),
            Value::Object(members) => members.values_mut().for_each(|member| self.hide(member)),
            _ => {}
        }
    }
}

/// The proxy of the environment, if there is one.
///
/// # Errors
///
/// Usage: one that can't be used, and so would be passed by.
fn proxy() -> Result<Option<Proxy>, Failure> {
    // In the order in which they are looked for.
    const NAMES: [&str; 6] =
        ["ALL_PROXY", "all_proxy", "HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"];
    let set = NAMES.into_iter().find_map(|name| {
        let value = env::var(name).ok().filter(|value| !value.trim().is_empty())?;
        Some((name, value))
    });
    let Some((name, value)) = set else { return Ok(None) };
    let scheme = value.split_once("://").map_or("http", |(scheme, _)| scheme);
    if !matches!(scheme, "http" | "https") || Proxy::new(&value).is_err() {
        return Err(Failure::Usage(format!(
            "{name} names no proxy that can be used, expected an address that begins with http:// or https://"
        )));
    }
    Ok(Proxy::try_from_env())
}

/// Returns `true` if an address is of this machine.
pub(super) fn is_local(base: &str) -> bool {
    base.parse::<Uri>().is_ok_and(|uri| is_loopback(uri.host().unwrap_or_default()))
}

/// Returns `true` if a host is this machine.
fn is_loopback(host: &str) -> bool {
    let address = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    host.eq_ignore_ascii_case("localhost")
        || address.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// How long `Retry-After` asks to wait: seconds, or a date, before which nothing is to be asked.
fn wait_of(text: &str, now: SystemTime) -> Option<Duration> {
    if let Ok(seconds) = text.trim().parse::<f64>() {
        return (seconds >= 0.0)
            .then(|| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX));
    }
    let date = httpdate::parse_http_date(text.trim()).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_are_seconds_or_dates() {
        let now = httpdate::parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT").unwrap();
        for (text, seconds) in [
            ("0", 0.0),
            ("1.5", 1.5),
            (" 7200 ", 7200.0),
            ("Sun, 06 Nov 1994 08:49:40 GMT", 3.0),
            ("Sunday, 06-Nov-94 08:50:37 GMT", 60.0),
            ("Sun Nov  6 07:49:37 1994", 0.0),
        ] {
            assert_eq!(wait_of(text, now), Some(Duration::from_secs_f64(seconds)), "{text}");
        }
        for text in ["", "soon", "-1", "NaN", "Sun, 06 Nov 1994"] {
            assert_eq!(wait_of(text, now), None, "{text}");
        }
    }

    #[test]
    fn this_machine_is_known_by_every_name() {
        for host in ["localhost", "LOCALHOST", "127.0.0.1", "127.8.9.1", "[::1]", "::1"] {
            assert!(is_loopback(host), "{host}");
        }
        for host in ["127.0.0.1.example.com", "localhost.example.com", "10.0.0.1", "[::2]", ""] {
            assert!(!is_loopback(host), "{host}");
        }
    }
}
