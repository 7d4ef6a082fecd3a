//! The policy that saves for a client, and clients whose configurations are another's.

use wire_mcp::{Code, Structured, View};

/// The policy for `structuredContent` by which a client shows fewer tokens; `None` if it does not
/// show the field, or if its programs need it (ruling M17).
pub(crate) fn saving(row: &wire_mcp::Client) -> Option<Structured> {
    let view = row.shows.as_ref().map(|shows| shows.what.view);
    let shows = matches!(view, Some(View::Structured | View::Both | View::Result));
    match row.code.as_ref().map(|code| code.what) {
        Some(Code::Marked | Code::Sometimes | Code::Always) => None,
        _ if !shows => None,
        Some(Code::Never) => Some(Structured::Auto),
        _ => Some(Structured::Drop),
    }
}

/// Other clients, and how the proxy gets into their configurations.
pub(crate) const FORMS: &[(&str, &str)] = &[
    ("amazon-q", LIKE_CURSOR),
    ("claude-desktop", LIKE_CURSOR),
    ("gemini", LIKE_CURSOR),
    ("kiro", LIKE_CURSOR),
    ("qwen", LIKE_CURSOR),
    ("roo", LIKE_CURSOR),
    ("windsurf", LIKE_CURSOR),
];
const LIKE_CURSOR: &str =
    "its file has `mcpServers`, as Cursor's has: `wire-proxy init cursor --file FILE` changes it";
