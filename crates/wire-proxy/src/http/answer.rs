//! Answers that are the proxy's own.

use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::{Response, StatusCode};

use crate::http::body::{Body, full};

pub(crate) const JSON: HeaderValue = HeaderValue::from_static("application/json");
const TEXT: HeaderValue = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");

/// An error of the proxy, as one of JSON-RPC that is about no request.
pub(crate) fn refused(status: StatusCode, message: &str) -> Response<Body> {
    let message = format!("wire-proxy: {message}");
    let error = serde_json::json!({"code": -32000, "message": message});
    json(status, serde_json::json!({"jsonrpc": "2.0", "id": null, "error": error}).to_string())
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
