//! Answers that are errors.

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

    /// The answer about a body of so many bytes.
    pub(super) fn response(self, bytes: usize) -> Response<Body> {
        let Refusal { status, code, message } = self;
        let message = serde_json::Value::from(message);
        json(
            status,
            format!(
                "{{\"error\":{{\"code\":\"{code}\",\"message\":{message},\"bytes\":{bytes}}}}}"
            ),
        )
    }
}

pub(super) const BUSY: Refusal = Refusal::new(
    StatusCode::SERVICE_UNAVAILABLE,
    "busy",
    "too many requests or bytes are under way; send the conversation as it is",
);

pub(super) const NO_JSON: Refusal =
    Refusal::new(StatusCode::BAD_REQUEST, "invalid_json", "expected a JSON object");
