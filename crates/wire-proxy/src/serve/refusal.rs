//! Answers that are errors.

use hyper::header::HeaderValue;
use hyper::{Response, StatusCode};

use crate::http::answer::json;
use crate::http::body::Body;

/// Why a request has no answer. Nothing of its contents is repeated: gateways log it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Refusal {
    status: StatusCode,
    code: &'static str,
    message: &'static str,
}

impl Refusal {
    pub(super) const fn new(status: StatusCode, code: &'static str, message: &'static str) -> Self {
        Refusal { status, code, message }
    }

    /// The answer about a body of so many bytes. The header says the code where a body would be taken
    /// for an answer.
    pub(super) fn response(self, bytes: usize) -> Response<Body> {
        let Refusal { status, code, message } = self;
        let message = serde_json::Value::from(message);
        let body = format!(
            "{{\"error\":{{\"code\":\"{code}\",\"message\":{message},\"bytes\":{bytes}}}}}"
        );
        let mut response = json(status, body);
        response.headers_mut().insert("x-wire-error", HeaderValue::from_static(code));
        response
    }
}

pub(super) const BUSY: Refusal = Refusal::new(
    StatusCode::SERVICE_UNAVAILABLE,
    "busy",
    "too many requests or bytes are under way; send the conversation as it is",
);

pub(super) const NO_JSON: Refusal = Refusal::new(
    StatusCode::BAD_REQUEST,
    "invalid_json",
    "expected a JSON object, with each name once",
);

pub(super) const TOO_LARGE: Refusal = Refusal::new(
    StatusCode::PAYLOAD_TOO_LARGE,
    "too_large",
    "the body is larger than --frame-bytes; send the conversation as it is",
);

pub(super) const TOO_SLOW: Refusal =
    Refusal::new(StatusCode::REQUEST_TIMEOUT, "too_slow", "the body took over a minute");

pub(super) const BROKEN: Refusal =
    Refusal::new(StatusCode::BAD_REQUEST, "broken", "the body broke off");

pub(super) const FAILED: Refusal = Refusal::new(
    StatusCode::INTERNAL_SERVER_ERROR,
    "failed",
    "a bug of wire-proxy; send the conversation as it is",
);

pub(super) const NOT_FOUND: Refusal = Refusal::new(
    StatusCode::NOT_FOUND,
    "not_found",
    "expected /v1/compress, /beta/litellm_basic_guardrail_api, /v1/result, /health or /metrics",
);
