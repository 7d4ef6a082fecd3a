//! How likely an answer is, by llama.cpp's server.
//!
//! Its completions don't return the probabilities of a given text. So each token of the answer is made
//! the one that follows, by a bias; the probability that comes back is that without the bias.

use std::time::Duration;

use serde_json::{Value, json};

use super::http::Client;
use super::openai::keyed;
use super::reply::{Problem, messages};
use crate::failure::Failure;
use crate::log::Token;
use crate::prompt::Sent;

/// Larger than the difference of any two logits.
const BIAS: u32 = 1000;
/// Stands for the logarithm of 0, below that of any other probability of single precision.
const NEVER: f64 = -104.0;

/// A server of llama.cpp.
pub(super) struct Llama(Client);

impl Llama {
    /// The server at the address of its chat completions.
    pub(super) fn new(base: &str, timeout: Duration) -> Result<Self, Failure> {
        let base = base.trim_end_matches('/');
        keyed(base.strip_suffix("/v1").unwrap_or(base), timeout).map(Llama)
    }

    pub(super) fn likelihood(&self, prompt: &Sent, answer: &str) -> Result<Vec<Token>, Problem> {
        // As the completion would begin: a message's answer without a space, a text's with one.
        let (before, answer) = if prompt.is_plain() {
            (prompt.text.to_string(), format!(" {answer}"))
        } else {
            let template = json!({ "messages": messages(prompt) });
            let reply = self.post("/apply-template", &template)?;
            let Some(text) = reply["prompt"].as_str() else { return Err(missing("a prompt")) };
            (text.to_owned(), answer.to_owned())
        };
        let mut ids: Vec<u64> = self.tokens(&before, true)?.into_iter().map(|(id, _)| id).collect();
        let mut tokens = Vec::new();
        for (id, text) in self.tokens(&answer, false)? {
            let reply = self.post(
                "/completion",
                &json!({
                    "prompt": ids, "n_predict": 1, "n_probs": 1, "logit_bias": [[id, BIAS]],
                    "cache_prompt": true,
                }),
            )?;
            let said = &reply["completion_probabilities"][0];
            let (Some(log), Some(likeliest)) =
                (said["logprob"].as_f64(), said["top_logprobs"][0]["id"].as_u64())
            else {
                return Err(missing("probabilities"));
            };
            if said["id"] != id || log > 0.0 {
                return Err(missing("the probability of the token that was asked for"));
            }
            tokens.push(Token { text, log: log.max(NEVER), likeliest: likeliest == id });
            ids.push(id);
        }
        if tokens.is_empty() { Err(missing("tokens")) } else { Ok(tokens) }
    }

    /// The ids and texts of the tokens of a text.
    fn tokens(&self, text: &str, is_prompt: bool) -> Result<Vec<(u64, String)>, Problem> {
        let request = json!({
            "content": text, "add_special": is_prompt, "parse_special": is_prompt,
            "with_pieces": true,
        });
        let reply = self.post("/tokenize", &request)?;
        let token = |token: &Value| {
            // A part of a character is its bytes.
            Some((token["id"].as_u64()?, token["piece"].as_str().unwrap_or("\u{fffd}").to_owned()))
        };
        let tokens = reply["tokens"].as_array().map(|tokens| tokens.iter().map(token).collect());
        tokens.flatten().ok_or_else(|| missing("tokens"))
    }

    fn post(&self, path: &str, body: &Value) -> Result<Value, Problem> {
        self.0.post(path, body).map_err(|problem| match problem {
            Problem::Hopeless(message) => Problem::Hopeless(format!(
                "{path}: {message} (--measure likelihood needs llama.cpp's server)"
            )),
            problem => problem,
        })
    }
}

fn missing(what: &str) -> Problem {
    Problem::Passing { message: format!("the reply has not {what}, expected it"), after: None }
}
