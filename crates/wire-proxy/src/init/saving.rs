//! The policy that saves for a client, and what to do for one that is not known.

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

/// How the proxy gets into the configuration of a client that is not known.
pub(crate) const OTHER: &str = "if its file has `mcpServers`, as those of Claude Desktop, Windsurf, Gemini CLI, Qwen Code, LM Studio and others, `wire-proxy init cursor --file FILE` changes it; elsewhere, as for Zed and Goose, write `wire-proxy` as the command, and `--` and the old command as its arguments";
