//! The parts of a client's request that the proxy reads.

use crate::list::FORMAT_ARGUMENT;
use crate::raw::{Members, range};
use crate::splice::Edit;
use crate::state::{Id, Request, State, Wanted};

/// The name of the client in the metadata of a request, in versions of the protocol without
/// `initialize`.
const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";

/// The kind of a request, and the edit of its frame that removes the argument of ruling M6.
pub(crate) fn read(
    frame: &str,
    method: &str,
    params: Option<&str>,
    state: &mut State,
) -> (Request, Option<Edit>) {
    let params = match method {
        "initialize" | "tools/call" | "tools/list" => params.and_then(Members::parse),
        _ => return (Request::Other, None),
    };
    let meta = params.as_ref().and_then(|params| Members::parse(params.get("_meta")?));
    let client = meta.and_then(|meta| name(meta.get(CLIENT_INFO)?));
    match (method, params) {
        ("initialize", params) => {
            state.client = params.and_then(|params| name(params.get("clientInfo")?));
            (Request::Other, None)
        }
        ("tools/list", _) => {
            (Request::List { client: client.or_else(|| state.client.clone()) }, None)
        }
        (_, Some(params)) => {
            let Some(tool) = params.get_text("name") else { return (Request::Other, None) };
            let listed = state.tool(&tool);
            let mut call = (Wanted::Cheapest, None);
            if listed.is_some_and(|listed| listed.has_format) {
                call = params.get("arguments").map_or(call, |raw| taken_out(frame, raw));
            }
            let request = Request::Call {
                tool: tool.into_owned(),
                client: client.or_else(|| state.client.clone()),
                wanted: call.0,
                is_schema_removed: listed.is_some_and(|listed| listed.is_schema_removed),
            };
            (request, call.1)
        }
        // Without parameters, or with a name twice in them.
        (_, None) => (Request::Other, None),
    }
}

/// The request that a notification cancels.
pub(crate) fn cancelled(method: &str, params: Option<&str>) -> Option<Id> {
    if method != "notifications/cancelled" {
        return None;
    }
    Id::read(Members::parse(params?)?.get("requestId")?)
}

/// The name in `clientInfo`.
fn name(info: &str) -> Option<String> {
    Members::parse(info)?.get_text("name").map(std::borrow::Cow::into_owned)
}

/// The format that the argument asks for, and the edit that removes the argument: the server does
/// not know it.
fn taken_out(frame: &str, arguments: &str) -> (Wanted, Option<Edit>) {
    let Some(members) = Members::parse(arguments) else { return (Wanted::Cheapest, None) };
    let Some(cut) = members.cut(FORMAT_ARGUMENT) else { return (Wanted::Cheapest, None) };
    let wanted = match members.get_text(FORMAT_ARGUMENT).as_deref() {
        Some("json") => Wanted::Original,
        Some("gcf") => Wanted::Gcf,
        Some("gcx") => Wanted::Gcx,
        _ => Wanted::Cheapest,
    };
    (wanted, Some(Edit::cut(range(frame, cut))))
}
