//! Answers that are the proxy's own.

use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::{Response, StatusCode};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use crate::http::body::{Body, full};

pub(crate) const JSON: HeaderValue = HeaderValue::from_static("application/json");
const TEXT: HeaderValue = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");

/// An error of the proxy, as one of JSON-RPC that is about no request.
pub(crate) fn refused(status: StatusCode, message: &str) -> Response<Body> {
    json(status, error(message, "null"))
}

/// The same about the requests of a frame of the client: one, or those of a batch.
pub(crate) fn refused_frame(status: StatusCode, message: &str, frame: &[u8]) -> Response<Body> {
    json(status, errors(message, frame).unwrap_or_else(|| error(message, "null")))
}

/// An error for each request of a frame; `None` if it has none.
pub(crate) fn errors(message: &str, frame: &[u8]) -> Option<String> {
    let about = |asked: &Message<'_>| {
        asked.method.as_ref().and(asked.id).map(|id| error(message, id.get()))
    };
    if let Ok(batch) = serde_json::from_slice::<Vec<Message<'_>>>(frame) {
        let errors: Vec<String> = batch.iter().filter_map(about).collect();
        Some(errors)
            .filter(|errors| !errors.is_empty())
            .map(|errors| format!("[{}]", errors.join(",")))
    } else {
        serde_json::from_slice(frame).ok().as_ref().and_then(about)
    }
}

/// A message of JSON-RPC; a request has both.
#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    method: Option<IgnoredAny>,
}

/// An error about the request with this id.
fn error(message: &str, id: &str) -> String {
    let message = serde_json::Value::from(format!("wire-proxy: {message}"));
    format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"error\":{{\"code\":-32000,\"message\":{message}}}}}"
    )
}

/// A JSON text.
pub(crate) fn json(status: StatusCode, body: String) -> Response<Body> {
    answer(status, JSON, body)
}

/// A page for programs that read lines.
pub(crate) fn text(status: StatusCode, body: String) -> Response<Body> {
    answer(status, TEXT, body)
}

fn answer(status: StatusCode, kind: HeaderValue, body: String) -> Response<Body> {
    let mut response = Response::new(full(body));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt;

    use super::*;

    #[test]
    fn an_error_has_the_ids_of_the_requests() {
        for (frame, expected) in [
            (r#"{"id":1,"method":"a"}"#, r#"{"jsonrpc":"2.0","id":1,"#),
            (r#"{"method":"a","id":"\u0061"}"#, r#"{"jsonrpc":"2.0","id":"\u0061","#),
            (
                r#"{"id":12345678901234567890123,"method":"a"}"#,
                r#"{"jsonrpc":"2.0","id":12345678901234567890123,"#,
            ),
            (
                r#"[{"id":1,"method":"a"},{"method":"b"},{"id":2,"method":"c"}]"#,
                r#"[{"jsonrpc":"2.0","id":1,"#,
            ),
            (r#"{"method":"a"}"#, r#"{"jsonrpc":"2.0","id":null,"#),
            (r#"[{"method":"a"}]"#, r#"{"jsonrpc":"2.0","id":null,"#),
            (r#"{"id":1,"result":{}}"#, r#"{"jsonrpc":"2.0","id":null,"#),
            (r#"{"id":1,"id":2,"method":"a"}"#, r#"{"jsonrpc":"2.0","id":null,"#),
            ("", r#"{"jsonrpc":"2.0","id":null,"#),
        ] {
            let response = refused_frame(StatusCode::BAD_GATEWAY, "\"why\"", frame.as_bytes());
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            let body = runtime.block_on(response.into_body().collect()).unwrap().to_bytes();
            let text = std::str::from_utf8(&body).unwrap();
            assert!(text.starts_with(expected), "{text}");
            let errors: serde_json::Value = serde_json::from_str(text).unwrap();
            let count = errors.as_array().map_or(1, Vec::len);
            assert_eq!(text.matches("wire-proxy: \\\"why\\\"").count(), count, "{text}");
            assert_eq!(count, if expected.starts_with('[') { 2 } else { 1 }, "{text}");
        }
    }
}
