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
const KEY: &str = "ANTHROPIC_API_KEY";

impl Anthropic {
    pub(super) fn new(
        base: Option<&str>,
        model: String,
        timeout: Duration,
        max_tokens: u32,
        temperature: Option<f64>,
    ) -> Result<Self, Failure> {
        // Its paths have the version, which people add to the address, too.
        let address = base.map(|base| base.trim_end_matches('/').trim_end_matches("/v1"));
        let client = Client::new(address.unwrap_or(ADDRESS), timeout)?
            .with_header("anthropic-version", "2023-06-01")
            .with_key(KEY, "x-api-key", "")?;
        if base.is_none() && !client.has_key() {
            return Err(Failure::Usage(format!(
                "the environment has no {KEY}, expected the API key in this variable"
            )));
        }
        Ok(Anthropic { client, model, max_tokens, temperature })
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
