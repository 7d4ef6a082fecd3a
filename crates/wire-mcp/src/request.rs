//! The parts of a client's request that the proxy reads.

use crate::list::FORMAT_ARGUMENT;
use crate::raw::{Members, range};
use crate::splice::Edit;
use crate::state::{Call, Id, Request, State, Wanted};
use crate::verbatim::data_file_in_words;

/// The name of the client in the metadata of a request, in versions of the protocol without
/// `initialize`.
const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
/// The metadata of Codex that tells the calls of programs: their id begins with `exec-`, others
/// have the model's own.
const CALL_ID: &str = "callId";
const OF_A_PROGRAM: &str = "exec-";

/// The kind of a request, and the edit of its frame that removes the argument of ruling M6.
pub(crate) fn read(
    frame: &str,
    method: &str,
    params: Option<&str>,
    state: &mut State,
) -> (Request, Option<Edit>) {
    let params = match method {
        "initialize" | "tools/call" | "tools/list" | "tasks/result" | "tasks/get" => {
            params.and_then(Members::parse)
        }
        _ => return (Request::Other, None),
    };
    let raw = params.as_ref().and_then(|params| params.get("_meta")).filter(|raw| *raw != "null");
    let meta = raw.map(Members::parse);
    // Metadata that can't be read could have the mark.
    let is_program = meta.as_ref().is_some_and(|meta| meta.as_ref().is_none_or(is_of_a_program));
    let client = meta.flatten().and_then(|meta| name(meta.get(CLIENT_INFO)?));
    match (method, params) {
        ("initialize", params) => {
            state.client = params.and_then(|params| name(params.get("clientInfo")?));
            (Request::Other, None)
        }
        ("tools/list", _) => {
            (Request::List { client: client.or_else(|| state.client.clone()) }, None)
        }
        ("tasks/result" | "tasks/get", params) => {
            let task = params.and_then(|params| state.task(&params.get_text("taskId")?));
            (task.map_or(Request::Other, Request::Call), None)
        }
        (_, Some(params)) => {
            let Some(tool) = params.get_text("name") else { return (Request::Other, None) };
            let listed = state.tool(&tool);
            let mut call = (Wanted::Cheapest, None);
            if listed.has_format {
                call = params.get("arguments").map_or(call, |raw| taken_out(frame, raw));
            }
            let (wanted, edit) = call;
            let client = client.or_else(|| state.client.clone());
            let data_file = params.get("arguments").and_then(data_file_in_words);
            let tool = tool.into_owned();
            let call = Call { tool, client, wanted, is_program, listed, data_file };
            (Request::Call(call), edit)
        }
        // Without parameters, or with a name twice in them.
        (_, None) => (Request::Other, None),
    }
}

/// Returns `true` if a program made the call, and not the model (ruling M17).
fn is_of_a_program(meta: &Members<'_>) -> bool {
    meta.get_text(CALL_ID).is_some_and(|id| id.starts_with(OF_A_PROGRAM))
}

/// The request that a notification cancels.
pub(crate) fn cancelled(method: &str, params: Option<&str>) -> Option<Id> {
    if method != "notifications/cancelled" {
        return None;
    }
    Id::read(Members::parse(params?)?.get("requestId")?)
}

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
