//! Public facts about clients (rulings M2 and M3): which field of a result the model sees, and
//! whether programs read results. They are data, in `clients.json`; facts without a public
//! statement are absent.

use std::sync::OnceLock;

use serde::Deserialize;

/// The fields of a result that a client shows to the model when a result has both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Shows {
    /// Only the blocks of `content`.
    Content,
    /// Only `structuredContent`.
    Structured,
    /// Both of them.
    Both,
}

/// Whether programs read the results that a client receives, as in code modes and test runners.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Code {
    /// All results go to the model.
    Never,
    /// The client has a mode in which programs call tools. The proxy can't see whether it is on.
    Sometimes,
    /// Programs read all results. The results of such a client are not changed (ruling M2).
    Always,
}

/// A public statement about a client.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Statement<T> {
    /// The fact.
    pub what: T,
    /// The address of a public page with the statement.
    pub source: String,
    /// The day of the statement, as `2026-09-22`; for a page without a date, the day it was read.
    pub date: String,
}

/// A client. At least one statement is known.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Client {
    /// Its common name.
    pub title: String,
    /// The names that it gives in `clientInfo`; empty if they are not known.
    pub names: Vec<String>,
    /// The fields that the model sees, if known.
    #[serde(default)]
    pub shows: Option<Statement<Shows>>,
    /// Whether programs read results, if known.
    #[serde(default)]
    pub code: Option<Statement<Code>>,
    /// Further facts from the sources, for people.
    #[serde(default)]
    pub note: Option<String>,
}

impl Client {
    /// Whether programs read all of its results, so that they are not changed (ruling M2).
    pub fn passes_untouched(&self) -> bool {
        self.code_is(Code::Always)
    }

    /// Whether [`Structured::Auto`](crate::Structured::Auto) drops `structuredContent`: it is known
    /// that the model sees only this field, and that no program reads it (ruling M3).
    pub fn auto_drops(&self) -> bool {
        let is_alone = self.shows.as_ref().is_some_and(|shows| shows.what == Shows::Structured);
        is_alone && self.code_is(Code::Never)
    }

    fn code_is(&self, code: Code) -> bool {
        self.code.as_ref().is_some_and(|said| said.what == code)
    }
}

/// The table of clients.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Clients {
    /// The source of the names in `clientInfo`.
    pub names: Names,
    /// The clients with known facts.
    pub clients: Vec<Client>,
    /// Clients for which no statement was found.
    pub not_found: NotFound,
}

/// The source of the names of clients.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Names {
    /// The address of a public list of them.
    pub source: String,
    /// The day of that list.
    pub date: String,
}

/// Clients for which no public statement was found.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct NotFound {
    /// Their common names.
    pub titles: Vec<String>,
    /// The day of the search.
    pub date: String,
}

impl Clients {
    /// The table of this crate.
    pub fn known() -> &'static Clients {
        static CLIENTS: OnceLock<Clients> = OnceLock::new();
        CLIENTS.get_or_init(|| {
            let text = include_str!("clients.json");
            serde_json::from_str(text).expect("because a test reads the table")
        })
    }

    /// The client that gives this name in `clientInfo`.
    pub fn named(&self, name: &str) -> Option<&Client> {
        self.clients.iter().find(|client| client.names.iter().any(|own| own == name))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn is_sourced(source: &str, date: &str) -> bool {
        let parts: Option<Vec<u32>> = date.split('-').map(|part| part.parse().ok()).collect();
        let is_day = matches!(parts.as_deref(), Some([2025..=2999, 1..=12, 1..=31]));
        source.starts_with("https://") && date.len() == 10 && is_day
    }

    #[test]
    fn no_row_lacks_its_source_and_its_day() {
        let table = Clients::known();
        assert!(is_sourced(&table.names.source, &table.names.date));
        assert!(is_sourced("https://", &table.not_found.date));
        for client in &table.clients {
            let shows = client.shows.as_ref().map(|said| (&said.source, &said.date));
            let code = client.code.as_ref().map(|said| (&said.source, &said.date));
            let said: Vec<_> = shows.into_iter().chain(code).collect();
            assert!(!said.is_empty(), "{}", client.title);
            assert!(said.iter().all(|(source, date)| is_sourced(source, date)), "{client:?}");
        }
    }

    #[test]
    fn a_row_without_a_source_is_refused() {
        let row = r#"{"title":"a","names":[],"shows":{"what":"both","date":"2026-01-01"}}"#;
        assert!(serde_json::from_str::<Client>(row).is_err());
    }

    #[test]
    fn names_and_titles_are_there_once() {
        let table = Clients::known();
        let names: Vec<&String> = table.clients.iter().flat_map(|client| &client.names).collect();
        assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len());
        let own = table.clients.iter().map(|client| &client.title);
        let titles: Vec<&String> = own.chain(&table.not_found.titles).collect();
        assert_eq!(titles.iter().collect::<HashSet<_>>().len(), titles.len());
        for client in &table.clients {
            for name in &client.names {
                assert_eq!(table.named(name), Some(client));
            }
        }
        assert_eq!(table.named("unheard-of"), None);
    }

    #[test]
    fn the_columns_decide() {
        let client = |shows, code| {
            let said =
                |what| format!(r#"{{"what":"{what}","source":"https://a","date":"2026-01-01"}}"#);
            let text = format!(
                r#"{{"title":"a","names":[],"shows":{},"code":{}}}"#,
                said(shows),
                said(code)
            );
            serde_json::from_str::<Client>(&text).unwrap()
        };
        for (shows, code, drops, passes) in [
            ("structured", "never", true, false),
            ("structured", "sometimes", false, false),
            ("structured", "always", false, true),
            ("content", "never", false, false),
            ("both", "never", false, false),
            ("both", "always", false, true),
        ] {
            let client = client(shows, code);
            assert_eq!(
                (client.auto_drops(), client.passes_untouched()),
                (drops, passes),
                "{client:?}"
            );
        }
        let mut unknown = client("structured", "never");
        unknown.code = None;
        assert!(!unknown.auto_drops() && !unknown.passes_untouched());
    }
}
