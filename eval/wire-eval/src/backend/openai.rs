//! `OpenAI`'s chat completions, which many servers speak.

use std::time::Duration;

use serde_json::json;

use super::http::Client;
use super::llama::Llama;
use super::reply::{Backend, Problem, Reply, messages};
use crate::failure::Failure;
use crate::log::Token;
use crate::prompt::Sent;

const ADDRESS: &str = "https://api.openai.com/v1";

/// A client that sends the key.
pub(super) fn keyed(base: &str, timeout: Duration) -> Result<Client, Failure> {
    Client::new(base, timeout)?.with_key("OPENAI_API_KEY", "authorization", "Bearer ")
}

/// A model of an API for chat completions.
pub(super) struct OpenAi {
    client: Client,
    model: String,
    /// The name of the member for the limit of an answer, and the limit.
    max_tokens: (&'static str, u32),
    temperature: Option<f64>,
    stop: Vec<String>,
    /// The same server's probabilities.
    llama: Llama,
}

impl OpenAi {
    pub(super) fn new(
        base: Option<&str>,
        model: String,
        timeout: Duration,
        max_tokens: u32,
        (temperature, stop): (Option<f64>, Vec<String>),
    ) -> Result<Self, Failure> {
        let client = keyed(base.unwrap_or(ADDRESS), timeout)?;
        if base.is_none() && !client.has_key() {
            return Err(Failure::Usage(
                "the environment has no OPENAI_API_KEY, expected the API key in this variable, or --base-url".to_owned(),
            ));
        }
        // Other servers keep the older name.
        let is_own = base.is_none_or(|base| base.starts_with(ADDRESS));
        let limit = if is_own { "max_completion_tokens" } else { "max_tokens" };
        let llama = Llama::new(base.unwrap_or(ADDRESS), timeout)?;
        Ok(OpenAi { client, model, max_tokens: (limit, max_tokens), temperature, stop, llama })
    }
}

impl Backend for OpenAi {
    fn ask(&self, prompt: &Sent, _: u32) -> Result<Reply, Problem> {
        let is_plain = prompt.is_plain();
        let mut body = json!({ "model": self.model });
        if is_plain {
            body["prompt"] = (*prompt.text).into();
        } else {
            body["messages"] = messages(prompt).into();
        }
        if !self.stop.is_empty() {
            body["stop"] = self.stop.clone().into();
        }
        body[self.max_tokens.0] = self.max_tokens.1.into();
        if let Some(temperature) = self.temperature {
            body["temperature"] = temperature.into();
        }
        let path = if is_plain { "/completions" } else { "/chat/completions" };
        let reply = self.client.post(path, &body)?;
        let choice = &reply["choices"][0];
        let ended = choice["finish_reason"].is_string();
        let said = if is_plain { &choice["text"] } else { &choice["message"]["content"] };
        let text = match said.as_str() {
            Some(text) => text,
            // It ended without text, for example because of a refusal.
            None if ended => "",
            None => {
                let said = reply["error"]["message"].as_str();
                let message = said.unwrap_or("the reply has no text in choices[0]");
                return Err(Problem::Passing { message: message.to_owned(), after: None });
            }
        };
        Ok(Reply {
            text: text.to_owned(),
            model: reply["model"].as_str().map(str::to_owned),
            input_tokens: reply["usage"]["prompt_tokens"].as_u64(),
            output_tokens: reply["usage"]["completion_tokens"].as_u64(),
            is_cut: choice["finish_reason"] == "length",
        })
    }

    fn likelihood(&self, prompt: &Sent, answer: &str) -> Result<Vec<Token>, Problem> {
        self.llama.likelihood(prompt, answer)
    }
}
