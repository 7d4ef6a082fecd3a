//! Why a client can't sign in through the proxy, and what to configure (ruling M9).
//!
//! A sign-in is for one URL: clients compare the URL that the server says it is with the one that
//! they were given, and servers of authorization write it into the token. Neither is the proxy's.

use crate::gateway::server::Server;

/// The sentence that says what to configure.
pub(crate) fn sentence(server: &Server) -> String {
    let origin = server.url.origin().ascii_serialization();
    let path = server.url.path();
    format!(
        "the server asks to sign in, which is not possible through wire-proxy: give the client a token for it (header `Authorization: Bearer ...`), or let the client start `wire-proxy {origin}{path}` as a command, which logs in"
    )
}

/// The same where the server is not known.
pub(crate) const SENTENCE: &str = "signing in is not possible through wire-proxy: give the client a token for the server (header `Authorization: Bearer ...`), or let the client start `wire-proxy URL` as a command, which logs in";

/// Returns `true` if a client asks here how to sign in.
pub(crate) fn is_asked(path: &str) -> bool {
    const PATHS: [&str; 3] = ["/authorize", "/register", "/token"];
    PATHS.contains(&path) || path.split('/').any(|part| part == ".well-known")
}

/// A body that clients show, in the form of OAuth's errors.
pub(crate) fn body(sentence: &str) -> String {
    serde_json::json!({"error": "invalid_request", "error_description": sentence}).to_string()
}
