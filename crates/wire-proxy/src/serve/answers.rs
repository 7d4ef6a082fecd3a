//! The answers to gateways: each is a function of the body of a request.

use std::panic::{AssertUnwindSafe, catch_unwind};

use hyper::StatusCode;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use wire_mcp::{Call, Options, chat, rewrite};

use crate::serve::refusal::{NO_JSON, Refusal};

/// What a path is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Route {
    Compress,
    Guardrail,
    Result,
}

/// The body of an answer.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) body: String,
    pub(super) counts: Counts,
}

/// The results of tools in a request.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) results: usize,
    pub(super) changed: usize,
    /// Tokens of their texts as they came.
    pub(super) came: usize,
    /// The same as they go on.
    pub(super) went: usize,
}

impl Route {
    pub(super) const ALL: [Route; 3] = [Route::Compress, Route::Guardrail, Route::Result];

    pub(super) fn of(path: &str) -> Option<Self> {
        Some(match path {
            "/v1/compress" => Route::Compress,
            "/beta/litellm_basic_guardrail_api" => Route::Guardrail,
            "/v1/result" => Route::Result,
            _ => return None,
        })
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Route::Compress => "compress",
            Route::Guardrail => "guardrail",
            Route::Result => "result",
        }
    }

    pub(super) fn answer(self, options: &Options, body: &str) -> Result<Answer, Refusal> {
        match self {
            Route::Compress => compress(options, body),
            Route::Guardrail => guardrail(options, body),
            Route::Result => {
                let (result, counts) = counted_result(options, body);
                Ok(Answer { body: result.unwrap_or_default(), counts })
            }
        }
    }
}

/// What gateways with a plug for compressors send.
#[derive(Deserialize)]
struct Compress<'a> {
    #[serde(borrow)]
    messages: Option<&'a RawValue>,
    #[serde(borrow)]
    input: Option<&'a RawValue>,
    #[serde(borrow)]
    config: Option<&'a RawValue>,
}

fn compress(options: &Options, body: &str) -> Result<Answer, Refusal> {
    const NO_ROWS: Refusal =
        Refusal::new(StatusCode::BAD_REQUEST, "no_messages", "expected `messages` or `input`");
    let Compress { messages, input, config } = object(body)?;
    let frozen = config.map_or(0, |config| frozen(config.get()));
    let (name, rows) = match (messages, input) {
        (Some(rows), _) => ("messages", rows.get()),
        (None, Some(rows)) => ("input", rows.get()),
        (None, None) => return Err(NO_ROWS),
    };
    let (rewritten, counts) = rewritten(options, rows, frozen);
    // In a dry run the counts are of what would change.
    let Counts { came, .. } = counts;
    let (went, applied) = match rewritten {
        Some(_) => (counts.went, "\"wire\""),
        None => (came, ""),
    };
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
    let ratio = if came == 0 { 1.0 } else { went as f64 / came as f64 };
    let rows = rewritten.as_deref().unwrap_or(rows);
    let body = format!(
        "{{\"{name}\":{rows},\"tokens_before\":{came},\"tokens_after\":{went},\"tokens_saved\":{},\"compression_ratio\":{ratio},\"transforms_applied\":[{applied}],\"ccr_hashes\":[]}}",
        came - went
    );
    Ok(Answer { body, counts })
}

/// The rows at the start that stay, as a caller's settings say; all, where a number can't be read.
fn frozen(config: &str) -> usize {
    let config: Value = serde_json::from_str(config).unwrap_or_default();
    match config.get("frozen_message_count") {
        None | Some(Value::Null) => 0,
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
        Some(Value::Number(count)) => count.as_f64().map_or(usize::MAX, |count| count as usize),
        Some(_) => usize::MAX,
    }
}

/// The members of a body; serde would take an array of them, too.
fn object<'a, T: Deserialize<'a>>(body: &'a str) -> Result<T, Refusal> {
    let body = body.strip_prefix('\u{feff}').unwrap_or(body);
    let object = Some(body).filter(|body| body.trim_start().starts_with('{'));
    object.and_then(|body| serde_json::from_str(body).ok()).ok_or(NO_JSON)
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

fn guardrail(options: &Options, body: &str) -> Result<Answer, Refusal> {
    let asked: Guardrail<'_> = object(body)?;
    let is_response = asked.input_type.is_some_and(|kind| kind.get() == "\"response\"");
    let (rewritten, counts) = match (asked.structured_messages, asked.texts) {
        (Some(rows), _) => {
            let (rows, counts) = rewritten(options, rows.get(), 0);
            (rows.map(|rows| format!("\"structured_messages\":{rows}")), counts)
        }
        // The result of a tool; with a model it is what that has answered.
        (None, Some(texts)) if is_response && asked.model.is_none() => {
            let (texts, counts) = texts_of_a_result(options, texts.get());
            (texts.map(|texts| format!("\"texts\":{texts}")), counts)
        }
        _ => (None, Counts::default()),
    };
    let body = match rewritten {
        Some(rewritten) => format!("{{\"action\":\"GUARDRAIL_INTERVENED\",{rewritten}}}"),
        None => "{\"action\":\"NONE\"}".to_owned(),
    };
    Ok(Answer { body, counts })
}

/// Rows with other texts, if any changes.
fn rewritten(options: &Options, rows: &str, frozen: usize) -> (Option<String>, Counts) {
    let chat = unless_it_panics(|| chat::rewrite(options, rows, frozen)).unwrap_or_default();
    let counts = Counts {
        results: chat.results,
        changed: chat.changed,
        came: chat.tokens.came,
        went: chat.tokens.went,
    };
    (chat.rows, counts)
}

/// The texts of a tool's result as a JSON array, with the forms of those that change, if any does.
fn texts_of_a_result(options: &Options, texts: &str) -> (Option<String>, Counts) {
    let Ok(texts) = serde_json::from_str::<Vec<String>>(texts) else {
        return (None, Counts::default());
    };
    // Rows without a name, of one text each.
    let row = |text| json!({"role": "tool", "content": text});
    let rows = texts.into_iter().map(row).collect::<Value>().to_string();
    let (rows, counts) = rewritten(options, &rows, 0);
    let texts = rows.and_then(|rows| serde_json::from_str::<Vec<Value>>(&rows).ok());
    let text = |mut row: Value| row["content"].take();
    (texts.map(|rows| rows.into_iter().map(text).collect::<Value>().to_string()), counts)
}

/// The result of a tool with other texts, if any changes.
pub(super) fn result(options: &Options, result: &str) -> Option<String> {
    counted_result(options, result).0
}

fn counted_result(options: &Options, result: &str) -> (Option<String>, Counts) {
    let output = unless_it_panics(|| Some(rewrite(options, &Call::of(&[]), result.trim())));
    let Some(output) = output else { return (None, Counts::default()) };
    let both = output.record.as_ref().map(wire_mcp::CallRecord::both).unwrap_or_default();
    let rewritten = output.result.ok();
    let changed = usize::from(rewritten.is_some());
    (rewritten, Counts { results: 1, changed, came: both.came, went: both.went })
}

/// What a function returns; `None` if it panics, because then all stays as it came.
fn unless_it_panics<T>(function: impl FnOnce() -> Option<T>) -> Option<T> {
    catch_unwind(AssertUnwindSafe(function)).ok().flatten()
}
