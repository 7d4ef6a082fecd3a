//! The state between frames: open requests, and tools as the client last saw them.

use std::collections::HashSet;
use std::num::NonZeroUsize;

use lru::LruCache;

use crate::Format;
use crate::catalog::{Catalog, Facts};
use crate::json::canonical;
use crate::limits::{Limits, MAX_NAME_BYTES};
use crate::list::{Listed, Named};
use crate::raw::{answered_ids, text};

/// The id of a request. A number is its exact decimal value, so that 1 and 1.0 are one id; the text
/// "1" is another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Id {
    Number(String),
    Text(String),
}

impl Id {
    /// The id that is written here. `None` if it is neither a number nor a string, or is long.
    pub(crate) fn read(raw: &str) -> Option<Self> {
        if raw.len() > MAX_NAME_BYTES {
            return None;
        }
        match raw.as_bytes().first()? {
            b'"' => text(raw).map(|text| Id::Text(text.into_owned())),
            b'-' | b'0'..=b'9' => Some(Id::Number(canonical(raw))),
            _ => None,
        }
    }
}

/// The format that a caller requested by the argument of ruling M6.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    Cheapest,
    Original,
    Gcf,
    Gcx,
}

impl Wanted {
    /// The forms that may be taken, if they are fewer than those of the options.
    pub(crate) fn formats(self) -> Option<&'static [Format]> {
        match self {
            Wanted::Gcf => Some(&[Format::Gcf]),
            Wanted::Gcx => Some(&[Format::Gcx]),
            Wanted::Cheapest | Wanted::Original => None,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) tool: String,
    pub(crate) client: Option<String>,
    pub(crate) wanted: Wanted,
    /// `true` if a program reads the result (ruling M17).
    pub(crate) is_program: bool,
    /// The tool as the client last saw it.
    pub(crate) listed: Listed,
    /// The argument that names a data file, in words.
    pub(crate) data_file: Option<String>,
}

#[derive(Clone, Debug)]
pub(crate) enum Request {
    /// `tools/call`, or `tasks/result` or `tasks/get` of its task.
    Call(Call),
    /// `tools/list`.
    List {
        client: Option<String>,
    },
    Other,
    /// The number of open requests of one id, whose answers can't be distinguished.
    Ambiguous(usize),
}

#[derive(Debug)]
pub(crate) struct State {
    requests: LruCache<Id, Request>,
    /// Calls whose results come as those of tasks, by the tasks' ids.
    tasks: LruCache<String, Call>,
    tools: LruCache<String, Listed>,
    catalog: Catalog,
    /// The name of the client, once it has said it.
    pub(crate) client: Option<String>,
    /// `true` if later frames of the client will be seen here.
    pub(crate) has_session: bool,
    /// `true` if a frame passed unread that could be a request or an answer.
    is_count_unknown: bool,
}

impl State {
    pub(crate) fn new(limits: &Limits, catalog: Catalog) -> Self {
        let size = |size: usize| NonZeroUsize::new(size).unwrap_or(NonZeroUsize::MIN);
        // Without room in advance: most clients have a few requests under way.
        let (mut requests, mut tools) = (LruCache::unbounded(), LruCache::unbounded());
        let mut tasks = LruCache::unbounded();
        requests.resize(size(limits.requests));
        tasks.resize(size(limits.requests));
        tools.resize(size(limits.tools));
        State {
            requests,
            tasks,
            tools,
            catalog,
            client: None,
            has_session: true,
            is_count_unknown: false,
        }
    }

    /// Remembers that the result of a call comes as that of a task.
    pub(crate) fn begin_task(&mut self, id: String, call: Call) {
        if id.len() <= MAX_NAME_BYTES {
            self.tasks.push(id, call);
        }
    }

    pub(crate) fn task(&mut self, id: &str) -> Option<Call> {
        self.tasks.get(id).cloned()
    }

    pub(crate) fn begin(&mut self, id: Id, request: Request) {
        let request = match self.requests.pop(&id) {
            None => request,
            Some(Request::Ambiguous(requests)) => Request::Ambiguous(requests + 1),
            Some(_) => Request::Ambiguous(2),
        };
        self.requests.push(id, request);
    }

    /// The request that this is an answer to. `None` for answers that nobody asked for, or that
    /// could be another request's.
    pub(crate) fn answered(&mut self, id: &Id) -> Option<Request> {
        match self.requests.pop(id)? {
            Request::Ambiguous(requests) => {
                if requests > 1 {
                    self.requests.push(id.clone(), Request::Ambiguous(requests - 1));
                }
                None
            }
            request => Some(request),
        }
    }

    /// The tool as the client last saw it. A list that was not seen is that of the server.
    pub(crate) fn tool(&mut self, name: &str) -> Listed {
        let known = self.catalog.facts(name);
        let Some(listed) = self.tools.get(name).copied() else {
            return Listed { facts: known, ..Listed::default() };
        };
        let has_schema = listed.facts.has_schema;
        Listed { facts: Facts { has_schema, ..listed.facts.or(known) }, ..listed }
    }

    /// Remembers what is known of the tools of a list that was not read as one.
    pub(crate) fn learn(&mut self, tools: Vec<(String, Facts)>) {
        for (name, facts) in tools {
            if let Some(listed) = self.tools.get_mut(&name) {
                listed.facts = listed.facts.or(facts);
            }
            if name.len() <= MAX_NAME_BYTES {
                self.catalog.add(&name, facts);
            }
        }
    }

    /// Remembers the tools of a list. One that is in it twice has what both have.
    pub(crate) fn listed(&mut self, tools: Vec<Named>) {
        let mut names = HashSet::new();
        for (name, listed) in tools {
            if name.len() > MAX_NAME_BYTES {
                continue;
            }
            let is_first = names.insert(name.clone());
            let other = self.tools.get(&name).filter(|_| !is_first).copied().unwrap_or(listed);
            self.catalog.add(&name, listed.facts);
            self.tools.push(
                name,
                Listed {
                    facts: listed.facts.or(other.facts),
                    is_without_schema: listed.is_without_schema && other.is_without_schema,
                    has_format: listed.has_format && other.has_format,
                },
            );
        }
    }

    /// The number of ids without an answer; `None` if a frame passed unread.
    pub(crate) fn requests_under_way(&self) -> Option<usize> {
        (!self.is_count_unknown).then(|| self.requests.len())
    }

    /// A frame passed unread, which could be a request or an answer.
    pub(crate) fn lose_count(&mut self) {
        self.is_count_unknown = true;
    }

    /// Forgets the requests that a frame answers which passed unread, or its beginning: they get no
    /// other answer.
    pub(crate) fn end_unread(&mut self, frame: &str) {
        for id in answered_ids(frame).into_iter().filter_map(Id::read) {
            self.end(&id);
        }
    }

    /// Forgets a request that gets no answer.
    pub(crate) fn end(&mut self, id: &Id) {
        // Of several, one is left.
        let _ = self.answered(id);
    }

    /// Forgets which schemas were removed: the client may have seen a list that the proxy did not.
    /// An argument that was added is still removed, because the server does not know it.
    pub(crate) fn forget_schemas(&mut self) {
        for (_, tool) in &mut self.tools {
            tool.is_without_schema = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new(limits: &Limits) -> State {
        State::new(limits, Catalog::new(limits))
    }

    fn id(raw: &str) -> Id {
        Id::read(raw).unwrap()
    }

    #[test]
    fn ids_are_values() {
        assert_eq!(id("1"), id("1.0"));
        assert_ne!(id("1"), id("\"1\""));
        assert_eq!(id("\"a\""), id("\"\\u0061\""));
        assert_ne!(id("12345678901234567890123"), id("12345678901234567890124"));
        assert_eq!(Id::read("null"), None);
        assert_eq!(Id::read("[1]"), None);
        assert_eq!(Id::read(&"1".repeat(MAX_NAME_BYTES + 1)), None);
    }

    #[test]
    fn answers_of_one_id_are_not_told_apart() {
        let mut state = new(&Limits::DEFAULT);
        state.begin(id("1"), Request::Other);
        state.begin(id("1"), Request::List { client: None });
        assert!(state.answered(&id("1")).is_none() && state.answered(&id("1")).is_none());
        state.begin(id("1"), Request::Other);
        assert!(matches!(state.answered(&id("1")), Some(Request::Other)));
        assert!(state.answered(&id("1")).is_none());
    }

    #[test]
    fn old_requests_are_forgotten() {
        let mut state = new(&Limits { requests: 2, ..Limits::DEFAULT });
        for raw in ["1", "2", "3"] {
            state.begin(id(raw), Request::Other);
        }
        assert!(state.answered(&id("1")).is_none());
        assert!(state.answered(&id("2")).is_some() && state.answered(&id("3")).is_some());
    }

    #[test]
    fn a_tool_twice_in_a_list_has_what_both_have() {
        let mut state = new(&Limits::DEFAULT);
        let facts = Facts { has_schema: true, ..Facts::default() };
        let removed = Listed { facts, is_without_schema: true, has_format: true };
        let kept = Listed { facts, ..Listed::default() };
        state.listed(vec![("a".into(), removed), ("a".into(), kept), ("b".into(), kept)]);
        assert_eq!(state.tool("a"), kept);
        state.listed(vec![("a".into(), removed)]);
        assert_eq!(state.tool("a"), removed);
        state.forget_schemas();
        assert_eq!(state.tool("a"), Listed { is_without_schema: false, ..removed });
        assert_eq!(state.tool("b"), kept);
    }

    #[test]
    fn what_a_server_said_is_known_to_all_of_its_clients() {
        let catalog = Catalog::new(&Limits::DEFAULT);
        let facts = Facts { has_schema: true, is_bound: true, shown_characters: Some(9) };
        let removed = Listed { facts, is_without_schema: true, has_format: true };
        State::new(&Limits::DEFAULT, catalog.clone()).listed(vec![("a".into(), removed)]);
        let mut other = State::new(&Limits::DEFAULT, catalog);
        assert_eq!(other.tool("a"), Listed { facts, ..Listed::default() });
        assert!(other.tool("a").shows_schema());
        // A later list without a user interface does not take it back.
        other.listed(vec![("a".into(), Listed::default())]);
        assert_eq!(other.tool("a").facts, Facts { has_schema: false, ..facts });
        // A list that was not read can have a schema again.
        other.learn(vec![("a".into(), Facts { has_schema: true, ..Facts::default() })]);
        assert!(other.tool("a").shows_schema());
    }
}
