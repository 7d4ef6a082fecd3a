//! [`Proxy`]: frames in, frames out.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::catalog::Catalog;
use crate::content::Content;
use crate::limits::MAX_NAME_BYTES;
use crate::list::{self, Listed};
use crate::options::{Options, Policy};
use crate::output;
use crate::raw::{Members, elements, is_json};
use crate::record::{CallRecord, Left};
use crate::request;
use crate::splice::{Edit, splice};
use crate::state::{Call, Id, Request, State, Wanted};

/// The result of processing a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Actions<'a> {
    /// The frame to send on in the same direction; borrowed if it is unchanged.
    pub frame: Cow<'a, [u8]>,
    /// A record for each result of `tools/call` in the frame, if [statistics](Options::statistics)
    /// are kept.
    pub calls: Vec<CallRecord>,
    /// `true` if the frame is not JSON, such as a banner that a server prints.
    pub is_not_json: bool,
}

impl<'a> Actions<'a> {
    fn pass(frame: &'a [u8]) -> Self {
        Actions { frame: Cow::Borrowed(frame), calls: Vec::new(), is_not_json: false }
    }
}

/// The state between one client and one server. It does no I/O and reads no clock, so the same
/// frames always give the same bytes (ruling M7).
///
/// A frame is one message of JSON-RPC, or a batch of them, without the framing of a transport.
/// Methods need only `&self`, so frames of both directions can be processed at the same time.
#[derive(Debug)]
pub struct Proxy {
    options: Arc<Options>,
    state: Mutex<State>,
}

impl Proxy {
    /// A proxy that has seen no frames. Several can share their options.
    pub fn new(options: impl Into<Arc<Options>>) -> Self {
        let options = options.into();
        let catalog = Catalog::new(&options.limits);
        Proxy::with_catalog(options, &catalog)
    }

    /// A proxy that has seen no frames, and that shares what is known of the server's tools with
    /// others.
    pub fn with_catalog(options: impl Into<Arc<Options>>, catalog: &Catalog) -> Self {
        let options = options.into();
        let state = Mutex::new(State::new(&options.limits, catalog.clone()));
        Proxy { options, state }
    }

    /// The same for one exchange of a client that has no session. It never sees a later frame of
    /// that client, so nothing is dropped, and lists of tools pass unchanged.
    #[must_use]
    pub fn for_one_exchange(self) -> Self {
        self.state().has_session = false;
        self
    }

    /// Tells the proxy that the server has opened a session in the exchange: from now on it also
    /// receives the client's later frames.
    pub fn begin_session(&self) {
        self.state().has_session = true;
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Processes a frame from the client to the server. The proxy remembers the request, and
    /// removes the argument `format` from it if it added that argument to the tool (ruling M6).
    pub fn from_client<'a>(&self, frame: &'a [u8]) -> Actions<'a> {
        let Some((text, messages)) =
            self.readable(frame).and_then(|text| Some((text, messages(text)?)))
        else {
            if !frame.trim_ascii().is_empty() {
                self.state().lose_count();
            }
            return Actions::pass(frame);
        };
        let mut edits = Vec::new();
        let mut state = self.state();
        for message in messages {
            let Some(message) = Members::parse(message) else {
                state.lose_count();
                continue;
            };
            let Some(method) = message.get_text("method") else { continue };
            if let Some(id) = request::cancelled(&method, message.get("params")) {
                state.end(&id);
            }
            let Some(id) = message.get("id").and_then(Id::read) else { continue };
            let (request, edit) = request::read(text, &method, message.get("params"), &mut state);
            edits.extend(edit);
            state.begin(id, request);
        }
        drop(state);
        Actions { frame: spliced(text, edits), ..Actions::pass(frame) }
    }

    /// Tells the proxy that a frame of the client did not reach the server, or was rejected as a
    /// whole. Its requests get no answer, and can be sent again.
    pub fn not_sent(&self, frame: &[u8]) {
        let text = self.readable(frame);
        for message in text.and_then(messages).unwrap_or_default() {
            let Some(message) = Members::parse(message).filter(|message| message.has("method"))
            else {
                continue;
            };
            if let Some(id) = message.get("id").and_then(Id::read) {
                self.state().end(&id);
            }
        }
    }

    /// Processes a frame from the server to the client. Results of `tools/call` and `tools/list`
    /// that the client requested are rewritten; everything else passes byte for byte (ruling M1).
    pub fn from_server<'a>(&self, frame: &'a [u8]) -> Actions<'a> {
        if self.options.policy == Policy::Off {
            return Actions::pass(frame);
        }
        let Some(text) = self.readable(frame) else {
            let is_not_json = std::str::from_utf8(frame).is_err();
            let text = String::from_utf8_lossy(frame);
            self.state().lose_count();
            self.state().end_unread(&text);
            if !is_not_json || may_list(&text) {
                self.state().forget_schemas();
            }
            return Actions { is_not_json, ..Actions::pass(frame) };
        };
        let Some(messages) = messages(text) else {
            self.state().end_unread(text);
            if may_list(text) {
                self.state().forget_schemas();
            }
            let is_not_json = !(text.trim_start().starts_with('[') && is_json(text));
            return Actions { is_not_json, ..Actions::pass(frame) };
        };
        let mut actions = Actions::pass(frame);
        let mut edits = Vec::new();
        for message in messages {
            match Members::parse(message) {
                Some(message) => self.answer(text, &message, &mut edits, &mut actions),
                // It may have a duplicate name, and other readers could read it as a list.
                None => {
                    let is_not_json = !is_json(message);
                    if message.starts_with('{') {
                        // The frame could be an answer.
                        self.state().lose_count();
                        self.state().end_unread(message);
                        if !is_not_json || may_list(message) {
                            self.state().forget_schemas();
                        }
                    }
                    actions.is_not_json |= is_not_json;
                }
            }
        }
        if !self.options.is_dry_run {
            actions.frame = spliced(text, edits);
        }
        actions
    }

    /// The number of requests of the client without an answer. `None` if it is not known, because a
    /// frame of the client or the server passed unread: it was too large, not JSON, or had a name
    /// twice. Under [`Policy::Off`] all frames pass unread.
    pub fn requests_under_way(&self) -> Option<usize> {
        self.state().requests_under_way()
    }

    /// Tells the proxy that a frame of the server went to the client unread, because it was too
    /// large for memory. It could have listed tools, so `structuredContent` is kept until they are
    /// listed again. Its beginning, if there is one, tells which request it answers.
    pub fn server_passed(&self, beginning: &[u8]) {
        let mut state = self.state();
        state.forget_schemas();
        state.lose_count();
        state.end_unread(&String::from_utf8_lossy(beginning));
    }

    /// An answer to a request, if a message of the server is one.
    fn answer<'a>(
        &self,
        frame: &'a str,
        message: &Members<'a>,
        edits: &mut Vec<Edit>,
        actions: &mut Actions<'_>,
    ) {
        if message.get("method").is_some() {
            return;
        }
        let request =
            message.get("id").and_then(Id::read).and_then(|id| self.state().answered(&id));
        let Some(result) = message.get("result") else { return };
        match request {
            // Not a result, or not what a list is.
            _ if !result.starts_with('{') => {}
            _ if message.has("error") => self.state().forget_schemas(),
            Some(Request::Call(call)) => {
                if let Some(task) = task_id(result) {
                    self.state().begin_task(task, call);
                    return;
                }
                // `tasks/get` has the result of a task in its own.
                let members = Members::parse(result);
                let inner = members.as_ref().filter(|members| members.has("taskId"));
                let result = inner.and_then(|members| members.get("result")).unwrap_or(result);
                let (more, call) = self.call(frame, result, &call);
                edits.extend(more);
                actions.calls.extend(call);
            }
            Some(Request::List { client }) => {
                let has_session = self.state().has_session;
                let client = client.as_deref();
                match list::rewrite(frame, result, client, has_session, &self.options) {
                    Some(list) => {
                        edits.extend(list.edits);
                        self.state().listed(list.tools);
                    }
                    None => self.list_passed(result),
                }
            }
            _ => {
                if Members::parse(result).is_none_or(|result| result.get("tools").is_some()) {
                    self.list_passed(result);
                }
            }
        }
    }

    /// A list went to the client as it came.
    fn list_passed(&self, result: &str) {
        let mut state = self.state();
        state.forget_schemas();
        state.learn(list::facts_of_all(result));
    }

    fn call(&self, frame: &str, result: &str, call: &Call) -> (Vec<Edit>, Option<CallRecord>) {
        // The tool as the client saw it at the call, and now.
        let lists = [call.listed, self.state().tool(&call.tool)];
        let facts = lists[1].facts;
        // Of a long name it is not known what it is bound to.
        let is_bound = facts.is_bound || call.tool.len() > MAX_NAME_BYTES;
        let reasons = [
            (call.wanted == Wanted::Original, Left::Asked),
            (call.is_program, Left::Program),
            (is_bound, Left::Interface),
        ];
        let tools = [&*call.tool];
        let call = output::Call {
            is_without_schema: lists.iter().all(|listed| listed.is_without_schema),
            shows_schema: lists.iter().any(Listed::shows_schema),
            shown_characters: facts.shown_characters,
            data_file: call.data_file.clone(),
            formats: call.wanted.formats(),
            left: reasons.into_iter().find_map(|(holds, left)| holds.then_some(left)),
            ..output::Call::of(&tools).client(call.client.as_deref())
        };
        let (edits, record) = call.edits(&self.options, frame, || Content::read(result));
        (edits.unwrap_or_default(), record)
    }

    /// A frame as text, if it may be read.
    fn readable<'a>(&self, frame: &'a [u8]) -> Option<&'a str> {
        let is_small = frame.len() <= self.options.limits.frame_bytes;
        let is_read = is_small && self.options.policy != Policy::Off;
        std::str::from_utf8(frame).ok().filter(|_| is_read)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A thread that panicked left a consistent state, because each change is one call.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The id of the task that a server opened for a call: the result of the call follows as that of
/// the task.
fn task_id(result: &str) -> Option<String> {
    let members = Members::parse(result)?;
    let is_task = members.get_text("resultType").is_some_and(|kind| kind == "task");
    let task = match members.get("task") {
        Some(task) => Members::parse(task)?,
        None if is_task => members,
        None => return None,
    };
    task.get_text("taskId").map(Cow::into_owned)
}

/// The messages of a frame: one, or those of a batch. `None` if it does not begin like a message,
/// or can't be read as a batch.
fn messages(frame: &str) -> Option<Vec<&str>> {
    let text = frame.trim_matches([' ', '\t', '\n', '\r']);
    match text.as_bytes().first() {
        Some(b'{') => Some(vec![text]),
        Some(b'[') => elements(text),
        _ => None,
    }
}

/// Returns `true` if a reader that allows more than JSON could find a list of tools in a text that
/// is not JSON, such as one with `NaN`. Banners (`[INFO] ready`) are not such texts.
fn may_list(text: &str) -> bool {
    let text = text.trim_start();
    let message = text.strip_prefix('[').map_or(text, str::trim_start);
    message.starts_with('{') && (message.contains("\"tools\"") || message.contains("\\u"))
}

fn spliced(frame: &str, edits: Vec<Edit>) -> Cow<'_, [u8]> {
    if edits.is_empty() {
        return Cow::Borrowed(frame.as_bytes());
    }
    Cow::Owned(splice(frame, edits).into_bytes())
}
