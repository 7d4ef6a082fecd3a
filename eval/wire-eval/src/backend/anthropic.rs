//! Anthropic's Messages.

use std::time::Duration;

use serde_json::json;

use super::http::Client;
use super::reply::{Backend, Problem, Reply, messages};
use crate::failure::Failure;
use crate::prompt::Sent;

/// A model of Anthropic's API.
pub(crate) struct Anthropic {
    client: Client,
    model: String,
    max_tokens: u32,
    temperature: Option<f64>,
}

const ADDRESS: &str = "https://api.anthropic.com";
/// The environment variable of its key.
pub(crate) const KEY: &str = "ANTHROPIC_API_KEY";

impl Anthropic {
    pub(crate) fn new(
        base: Option<&str>,
        model: String,
        timeout: Duration,
    ) -> Result<Self, Failure> {
        // Its paths have the version, which people add to the address, too.
        let address = base.map(|base| base.trim_end_matches('/').trim_end_matches("/v1"));
        let client = Client::new(address.unwrap_or(ADDRESS), timeout)?
            .with_header("anthropic-version", "2023-06-01")
            .with_key(KEY, "x-api-key", "")?;
        Ok(Anthropic { client, model, max_tokens: 1024, temperature: None })
    }

    /// Sets how long answers are at most, and the temperature.
    pub(super) fn with_answers(mut self, max_tokens: u32, temperature: Option<f64>) -> Self {
        (self.max_tokens, self.temperature) = (max_tokens, temperature);
        self
    }

    /// An error where its own address is asked without a key.
    pub(super) fn checked(self, base: Option<&str>) -> Result<Self, Failure> {
        if base.is_none() && !self.has_key() {
            return Err(Failure::Usage(format!(
                "the environment has no {KEY}, expected the API key in this variable"
            )));
        }
        Ok(self)
    }

    pub(crate) fn has_key(&self) -> bool {
        self.client.has_key()
    }
}

fn malformed(what: &str) -> Problem {
    Problem::Passing { message: format!("the reply has no {what}"), after: None }
}

impl Backend for Anthropic {
    fn ask(&self, prompt: &Sent, _: u32) -> Result<Reply, Problem> {
        let mut body = json!({
            "model": self.model,
            "max_tokens": self.max_tokens,
            "messages": messages(prompt),
        });
        if let Some(temperature) = self.temperature {
            body["temperature"] = temperature.into();
        }
        let reply = self.client.post("/v1/messages", &body)?;
        let parts = reply["content"].as_array().ok_or_else(|| malformed("content"))?;
        let texts = parts.iter().filter(|part| part["type"] == "text");
        Ok(Reply {
            text: texts.filter_map(|part| part["text"].as_str()).collect(),
            model: reply["model"].as_str().map(str::to_owned),
            input_tokens: reply["usage"]["input_tokens"].as_u64(),
            output_tokens: reply["usage"]["output_tokens"].as_u64(),
            is_cut: reply["stop_reason"] == "max_tokens",
        })
    }
}
