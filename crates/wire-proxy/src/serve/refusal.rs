//! Answers that are errors.

use hyper::header::{ALLOW, HeaderValue};
use hyper::{Response, StatusCode};

use crate::http::answer::json;
use crate::http::body::Body;

/// Why a request has no answer: the status, a code, and a message. Nothing of its contents is
/// repeated: gateways log it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Refusal(pub(super) u16, pub(super) &'static str, pub(super) &'static str);

impl Refusal {
    /// The answer about a body of so many bytes. The header says the code where a body would be taken
    /// for an answer.
    pub(super) fn response(self, bytes: usize) -> Response<Body> {
        let Refusal(status, code, message) = self;
        let status = StatusCode::from_u16(status).expect("because each has three digits");
        let error = serde_json::json!({"code": code, "message": message, "bytes": bytes});
        let mut response = json(status, format!("{{\"error\":{error}}}"));
        response.headers_mut().insert("x-wire-error", HeaderValue::from_static(code));
        if status == StatusCode::METHOD_NOT_ALLOWED {
            response.headers_mut().insert(ALLOW, HeaderValue::from_static("POST"));
        }
        response
    }
}

pub(super) const BUSY: Refusal = Refusal(
    503,
    "busy",
    "too many requests or bytes are under way; send the conversation as it is",
);

pub(super) const NO_JSON: Refusal =
    Refusal(400, "invalid_json", "expected a JSON object, with each name once");

pub(super) const NO_ROWS: Refusal = Refusal(400, "no_messages", "expected `messages` or `input`");

pub(super) const TOO_LARGE: Refusal = Refusal(
    413,
    "too_large",
    "the body is larger than --frame-bytes; send the conversation as it is",
);

pub(super) const TOO_SLOW: Refusal = Refusal(408, "too_slow", "the body took over a minute");

pub(super) const BROKEN: Refusal = Refusal(400, "broken", "the body broke off");

pub(super) const FAILED: Refusal =
    Refusal(500, "failed", "a bug of wire-proxy; send the conversation as it is");

pub(super) const NOT_FOUND: Refusal = Refusal(
    404,
    "not_found",
    "expected /v1/compress, /beta/litellm_basic_guardrail_api, /v1/result, /health or /metrics",
);

pub(super) const NO_POST: Refusal = Refusal(405, "method_not_allowed", "expected POST");

pub(super) const NO_TOKEN: Refusal = Refusal(
    401,
    "unauthorized",
    "expected the token, in `Authorization: Bearer`, `x-api-key` or `X-Headroom-Proxy-Token`",
);
