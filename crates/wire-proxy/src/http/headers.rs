//! Headers that go on, and those that are of one connection alone.

use http_body_util::BodyExt;
use hyper::header::{
    ACCEPT_ENCODING, CONNECTION, CONTENT_ENCODING, CONTENT_LENGTH, ETAG, EXPECT, HOST, HeaderMap,
    HeaderName, HeaderValue, PROXY_AUTHENTICATE, PROXY_AUTHORIZATION, TE, TRAILER,
    TRANSFER_ENCODING, UPGRADE, WWW_AUTHENTICATE,
};
use hyper::{Method, StatusCode};

use crate::http::body::{Body, BoxError, gunzipped};

const OF_A_CONNECTION: [HeaderName; 9] = [
    CONNECTION,
    HeaderName::from_static("keep-alive"),
    HeaderName::from_static("proxy-connection"),
    PROXY_AUTHENTICATE,
    PROXY_AUTHORIZATION,
    TE,
    TRAILER,
    TRANSFER_ENCODING,
    UPGRADE,
];
/// Headers about the bytes of a body, which are wrong after a rewrite.
const OF_BYTES: [HeaderName; 5] = [
    ETAG,
    HeaderName::from_static("content-digest"),
    HeaderName::from_static("content-md5"),
    HeaderName::from_static("digest"),
    HeaderName::from_static("repr-digest"),
];
/// The parameter that says where a client finds out how to sign in.
const METADATA: &str = "resource_metadata";

/// The headers of a request, for the server. The client of ours sets the host and the length, and
/// gzip is what we decompress.
pub(crate) fn to_server(headers: &HeaderMap) -> HeaderMap {
    let mut headers = end_to_end(headers);
    for name in [HOST, CONTENT_LENGTH, EXPECT] {
        headers.remove(name);
    }
    headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
    headers
}

/// The body of an answer, decompressed if it is gzip, with its headers. Others pass as they are.
pub(crate) fn decoded(
    headers: &mut HeaderMap,
    method: &Method,
    status: StatusCode,
    body: reqwest::Body,
) -> Body {
    let has_value = |name: HeaderName, value: &[u8]| {
        let mut values = headers.get_all(name).iter();
        let is_value = values.next().is_some_and(|own| own.as_bytes().eq_ignore_ascii_case(value));
        is_value && values.next().is_none()
    };
    let is_empty = method == Method::HEAD
        || matches!(status, StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED)
        || has_value(CONTENT_LENGTH, b"0");
    if is_empty || !has_value(CONTENT_ENCODING, b"gzip") {
        return body.map_err(BoxError::from).boxed_unsync();
    }
    headers.remove(CONTENT_ENCODING);
    headers.remove(CONTENT_LENGTH);
    forget_bytes(headers);
    gunzipped(body)
}

/// The headers of an answer, for the client.
pub(crate) fn to_client(headers: &HeaderMap) -> HeaderMap {
    end_to_end(headers)
}

/// Removes the headers about the bytes of an answer that was rewritten.
pub(crate) fn forget_bytes(headers: &mut HeaderMap) {
    for name in OF_BYTES {
        headers.remove(name);
    }
}

fn end_to_end(headers: &HeaderMap) -> HeaderMap {
    let named: Vec<String> = headers
        .get_all(CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|name| name.trim().to_ascii_lowercase())
        .collect();
    let mut kept = HeaderMap::with_capacity(headers.len());
    for (name, value) in headers {
        if !OF_A_CONNECTION.contains(name) && !named.iter().any(|other| other == name.as_str()) {
            kept.append(name, value.clone());
        }
    }
    kept
}

/// Removes from challenges where a client finds out how to sign in, and returns whether there was
/// such a part: a sign-in for the server's own URL is not valid for the URL of the proxy, and
/// clients reject it.
pub(crate) fn take_sign_in(headers: &mut HeaderMap) -> bool {
    let mut found = false;
    let challenges: Vec<HeaderValue> = headers
        .get_all(WWW_AUTHENTICATE)
        .iter()
        .map(|value| {
            let without = value.to_str().ok().and_then(without_metadata);
            found |= without.is_some();
            without.and_then(|text| text.parse().ok()).unwrap_or_else(|| value.clone())
        })
        .collect();
    if found {
        headers.remove(WWW_AUTHENTICATE);
        for challenge in challenges {
            headers.append(WWW_AUTHENTICATE, challenge);
        }
    }
    found
}

/// The challenge without the parameter, if it has it.
fn without_metadata(challenge: &str) -> Option<String> {
    let lower = challenge.to_ascii_lowercase();
    let at = lower.match_indices(METADATA).map(|(at, _)| at).find(|at| {
        let before = &lower[..*at];
        let is_inside = before.matches('"').count() % 2 == 1;
        !is_inside && before.ends_with([' ', ',', '\t'])
    })?;
    let rest = challenge[at + METADATA.len()..].trim_start().strip_prefix('=')?.trim_start();
    let after = match rest.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"').map_or("", |(_, after)| after),
        None => rest.find([',', ' ']).map_or("", |end| &rest[end..]),
    };
    let after = after.trim_start().trim_start_matches(',').trim_start();
    let before = challenge[..at].trim_end();
    let joined = match (before.strip_suffix(','), after) {
        (without, "") => without.unwrap_or(before).to_owned(),
        (_, after) => format!("{before} {after}"),
    };
    Some(joined)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_a_connection_end_here() {
        let mut headers = HeaderMap::new();
        for (name, value) in [
            ("connection", "close, X-Hop"),
            ("x-hop", "1"),
            ("proxy-authorization", "secret"),
            ("authorization", "Bearer t"),
            ("mcp-session-id", "s"),
            ("last-event-id", "e"),
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", "tools/call"),
            ("mcp-name", "search"),
            ("mcp-param-region", "eu"),
            ("host", "127.0.0.1"),
            ("accept-encoding", "br"),
        ] {
            headers.append(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        let kept = to_server(&headers);
        let mut names: Vec<&str> = kept.keys().map(HeaderName::as_str).collect();
        names.sort_unstable();
        assert_eq!(
            names,
            [
                "accept-encoding",
                "authorization",
                "last-event-id",
                "mcp-method",
                "mcp-name",
                "mcp-param-region",
                "mcp-protocol-version",
                "mcp-session-id"
            ]
        );
    }

    #[test]
    fn the_way_to_sign_in_is_taken_out_of_a_challenge() {
        for (came, went) in [
            (r#"Bearer resource_metadata="https://h/x""#, Some("Bearer")),
            (
                r#"Bearer error="invalid_token", resource_metadata="https://h/x, y", scope="a b""#,
                Some(r#"Bearer error="invalid_token", scope="a b""#),
            ),
            (r#"Bearer error="e", resource_metadata=https://h/x"#, Some(r#"Bearer error="e""#)),
            (r#"Bearer Resource_Metadata="x", scope="a""#, Some(r#"Bearer scope="a""#)),
            (r#"Bearer realm="say resource_metadata=1""#, None),
            ("Basic realm=\"r\"", None),
        ] {
            assert_eq!(without_metadata(came).as_deref(), went, "{came}");
        }
    }
}
