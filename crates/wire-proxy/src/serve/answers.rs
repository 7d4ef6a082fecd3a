//! The answers to gateways: each is a function of the body of a request.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use wire_mcp::chat::{self, Chat};
use wire_mcp::{Call, CallRecord, Options, rewrite};

use crate::serve::refusal::{NO_JSON, NO_ROWS, Refusal};

/// What a path is for.
#[derive(Debug)]
pub(super) struct Route {
    pub(super) path: &'static str,
    /// Its name in logs and counters.
    pub(super) name: &'static str,
    pub(super) answer: fn(&Options, &str) -> Answer,
}

pub(super) const ROUTES: &[Route] = &[
    Route { path: "/v1/compress", name: "compress", answer: compress },
    Route { path: "/beta/litellm_basic_guardrail_api", name: "guardrail", answer: guardrail },
    Route { path: RESULT, name: "result", answer: |options, body| Ok(result(options, body)) },
];

/// The path to which a gateway sends a result of a tool, for which it takes any body.
pub(super) const RESULT: &str = "/v1/result";

/// The body of an answer, and the counts of what was rewritten.
type Answer = Result<(String, Chat), Refusal>;

/// What gateways with a plug for compressors send. Other members may be there, also twice.
#[derive(Deserialize)]
struct Compress<'a> {
    #[serde(borrow)]
    messages: Option<&'a RawValue>,
    #[serde(borrow)]
    input: Option<&'a RawValue>,
    #[serde(borrow)]
    config: Option<&'a RawValue>,
}

/// What LiteLLM sends to a guardrail.
#[derive(Deserialize)]
struct Guardrail<'a> {
    #[serde(borrow)]
    structured_messages: Option<&'a RawValue>,
    #[serde(borrow)]
    texts: Option<&'a RawValue>,
    #[serde(borrow)]
    input_type: Option<&'a RawValue>,
    model: Option<IgnoredAny>,
}

/// The members of a body; serde would take an array of them, too.
fn asked<'a, T: Deserialize<'a>>(body: &'a str) -> Result<T, Refusal> {
    let body = body.strip_prefix('\u{feff}').unwrap_or(body);
    let object = Some(body).filter(|body| body.trim_start().starts_with('{'));
    object.and_then(|body| serde_json::from_str(body).ok()).ok_or(NO_JSON)
}

fn compress(options: &Options, body: &str) -> Answer {
    let Compress { messages, input, config } = asked(body)?;
    let input = input.map(|rows| ("input", rows));
    let (name, rows) = messages.map(|rows| ("messages", rows)).or(input).ok_or(NO_ROWS)?;
    let chat = rewritten(options, rows.get(), config.map_or(0, |config| frozen(config.get())));
    let came = chat.tokens.came;
    // In a dry run the counts are of what would change.
    let went = chat.rows.as_ref().map_or(came, |_| chat.tokens.went);
    let applied = chat.rows.as_ref().map_or("", |_| "\"wire\"");
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
    let ratio = if came == 0 { 1.0 } else { went as f64 / came as f64 };
    let rows = chat.rows.as_deref().unwrap_or(rows.get());
    let body = format!(
        "{{\"{name}\":{rows},\"tokens_before\":{came},\"tokens_after\":{went},\"tokens_saved\":{},\"compression_ratio\":{ratio},\"transforms_applied\":[{applied}],\"ccr_hashes\":[]}}",
        came - went
    );
    Ok((body, chat))
}

/// The rows at the start that stay, as a caller's settings say; all, where a number can't be read.
fn frozen(config: &str) -> usize {
    let config: Value = serde_json::from_str(config).unwrap_or_default();
    match config.get("frozen_message_count") {
        None | Some(Value::Null) => 0,
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
        Some(count) => count.as_f64().map_or(usize::MAX, |count| count as usize),
    }
}

fn guardrail(options: &Options, body: &str) -> Answer {
    let Guardrail { structured_messages, texts, input_type, model } = asked(body)?;
    // With a model it is what that has answered.
    let is_result = model.is_none() && input_type.is_some_and(|kind| kind.get() == "\"response\"");
    let (name, chat) = match (structured_messages, texts.filter(|_| is_result)) {
        (Some(rows), _) => ("structured_messages", rewritten(options, rows.get(), 0)),
        (None, Some(texts)) => ("texts", with_texts(options, texts.get())),
        (None, None) => ("", Chat::default()),
    };
    let body = match &chat.rows {
        Some(rows) => format!("{{\"action\":\"GUARDRAIL_INTERVENED\",\"{name}\":{rows}}}"),
        None => "{\"action\":\"NONE\"}".to_owned(),
    };
    Ok((body, chat))
}

/// The same for the texts of a tool's result, a JSON array, in the place of rows.
fn with_texts(options: &Options, texts: &str) -> Chat {
    let texts: Vec<String> = serde_json::from_str(texts).unwrap_or_default();
    // Rows without a name, of one text each.
    let row = |text| json!({"role": "tool", "content": text});
    let rows = texts.into_iter().map(row).collect::<Value>().to_string();
    let mut chat = rewritten(options, &rows, 0);
    let rows = chat.rows.and_then(|rows| serde_json::from_str::<Vec<Value>>(&rows).ok());
    let text = |mut row: Value| row["content"].take();
    chat.rows = rows.map(|rows| rows.into_iter().map(text).collect::<Value>().to_string());
    chat
}

/// The result of a tool, or nothing if it stays.
pub(super) fn result(options: &Options, result: &str) -> (String, Chat) {
    let mut chat = Chat::default();
    let output = unless_it_panics(|| Some(rewrite(options, &Call::of(&[]), result.trim())));
    let Some(output) = output else { return (String::new(), chat) };
    chat.results = 1;
    chat.changed = usize::from(output.result.is_ok());
    chat.tokens = output.record.as_ref().map(CallRecord::both).unwrap_or_default();
    (output.result.unwrap_or_default(), chat)
}

/// A conversation with other texts, if any changes.
fn rewritten(options: &Options, rows: &str, frozen: usize) -> Chat {
    unless_it_panics(|| chat::rewrite(options, rows, frozen)).unwrap_or_default()
}

/// What a function returns; `None` if it panics, because then all stays as it came.
fn unless_it_panics<T>(function: impl FnOnce() -> Option<T>) -> Option<T> {
    catch_unwind(AssertUnwindSafe(function)).ok().flatten()
}
