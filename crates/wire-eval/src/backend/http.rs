//! JSON over HTTP, and which failures pass.

use std::env;
use std::time::Duration;

use serde_json::Value;
use ureq::Agent;

use super::Problem;
use crate::failure::Failure;

/// The largest reply that is read.
const MOST: u64 = 16 << 20;

/// A provider's address and key.
pub(super) struct Client {
    agent: Agent,
    base: String,
    /// The header that says the key, and what stands in front of it.
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
        if !base.starts_with("https://") && !base.starts_with("http://") {
            return Err(Failure::Usage(format!(
                "--base-url is {base:?}, expected it to begin with https:// or http://"
            )));
        }
        let config = Agent::config_builder()
            .timeout_global(Some(timeout))
            .http_status_as_error(false)
            // A redirection would carry the key to who knows whom.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .user_agent(concat!("wire-eval/", env!("CARGO_PKG_VERSION")))
            .build();
        Ok(Client { agent: config.into(), base, key: None, headers: Vec::new() })
    }

    pub(super) fn with_header(mut self, name: &'static str, value: &'static str) -> Self {
        self.headers.push((name, value));
        self
    }

    /// Sends the key that an environment variable holds, if there is one.
    ///
    /// # Errors
    ///
    /// Usage: it would travel in the clear to another machine.
    pub(super) fn with_key(
        mut self,
        variable: &'static str,
        header: &'static str,
        before: &'static str,
    ) -> Result<Self, Failure> {
        let key = env::var(variable).ok().map(|key| key.trim().to_owned());
        self.key = key.filter(|key| !key.is_empty()).map(|key| (header, before, key));
        let rest = self.base.strip_prefix("http://");
        let host = rest.map(|rest| rest.split(['/', '?', '#']).next().unwrap_or(rest));
        let is_local = host.is_none_or(|host| {
            ["localhost", "127.0.0.1", "[::1]"].iter().any(|local| {
                host.strip_prefix(local)
                    .is_some_and(|port| port.is_empty() || port.starts_with(':'))
            })
        });
        if self.key.is_some() && !is_local {
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

    /// What the provider replies to a request.
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
            request.send(body.to_string()).map_err(|error| passing(error.to_string()))?;
        let status = response.status().as_u16();
        let after = response
            .headers()
            .get("retry-after")
            .and_then(|value| value.to_str().ok()?.trim().parse().ok())
            .filter(|seconds: &f64| (0.0..=3600.0).contains(seconds))
            .map(Duration::from_secs_f64);
        let text = response.body_mut().with_config().limit(MOST).read_to_string();
        let text = text.map_err(|error| passing(format!("the reply can't be read: {error}")))?;
        let json = serde_json::from_str::<Value>(&text);
        if status == 200 {
            return json.map_err(|error| passing(format!("the reply is not JSON: {error}")));
        }
        let said = json.ok().and_then(|json| Some(json["error"]["message"].as_str()?.to_owned()));
        // Hidden before it is cut: half a key is too much of it.
        let said = self.hidden(&said.unwrap_or(text));
        let said: String = said.split_whitespace().collect::<Vec<_>>().join(" ");
        let message = format!("status {status}: {}", said.chars().take(200).collect::<String>());
        Err(match status {
            300..=399 => Problem::Hopeless(format!("{message} (redirections are not followed)")),
            408 | 409 | 429 | 500.. => Problem::Passing { message, after },
            401 | 403 | 404 => Problem::Hopeless(message),
            _ => Problem::Refused(message),
        })
    }

    /// Providers quote keys in what they say of them.
    fn hidden(&self, message: &str) -> String {
        match &self.key {
            Some((_, _, key)) => message.replace(key.as_str(), "…"),
            None => message.to_owned(),
        }
    }
}
