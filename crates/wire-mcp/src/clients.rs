//! Facts about clients (rulings M2, M3, M10 and M17): what a client shows the model of a result,
//! and whether programs read results. They are data, in `clients.json`.

use std::sync::OnceLock;

use serde::Deserialize;

/// The text that a client shows the model of a result (ruling M10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum View {
    /// The text blocks.
    Texts,
    /// `structuredContent`, minified; the text blocks of a result without it.
    Structured,
    /// The text blocks, and `structuredContent`, minified.
    Both,
    /// The blocks as JSON, in which texts are escaped.
    Array,
    /// The whole result as JSON, in which texts are escaped.
    Result,
}

/// A view with its details.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Shows {
    /// The text that the model sees.
    pub view: View,
    /// The text between two blocks; `None` if the model gets each block as an item of its own.
    #[serde(default)]
    pub separator: Option<String>,
    /// `true` if [`View::Both`] is one copy if the text is the client's spelling of
    /// `structuredContent`.
    #[serde(default)]
    pub one_copy: bool,
    /// `true` if the client minifies a text that is JSON, in a result without `structuredContent`.
    #[serde(default)]
    pub minifies: bool,
    /// The size from which on the client cuts the view.
    #[serde(default)]
    pub limit: Option<Limit>,
}

/// A size from which on a client cuts what it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Limit {
    /// Beyond so many characters, only some are shown.
    Characters {
        /// The most characters of a view that is not cut.
        most: usize,
        /// The characters that are left of a longer one.
        shown: usize,
        /// `true` if only a result of one block is cut.
        #[serde(default)]
        alone: bool,
    },
    /// Beyond so many bytes, only some characters are shown.
    Bytes {
        /// The most bytes of a view that is not cut.
        most: usize,
        /// The characters that are left of a longer one.
        shown: usize,
    },
    /// Lines from the start are shown, as long as both sizes are kept.
    Lines {
        /// Their most bytes.
        bytes: usize,
        /// Their highest number.
        lines: usize,
    },
    /// Beyond one of the sizes, the result is saved as a file for programs.
    File {
        /// The most characters of a result that is shown.
        characters: usize,
        /// Its most tokens.
        tokens: usize,
    },
}

/// The readers of the results that a client receives, as in code modes and test runners.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Code {
    /// All results go to the model.
    Never,
    /// The client has a mode in which programs call tools. The proxy can't see whether it is on.
    Sometimes,
    /// Calls of programs have `_meta.callId` that begins with `exec-`, and pass untouched (ruling
    /// M17).
    Marked,
    /// Programs read all results. The results of such a client are not changed (ruling M2).
    Always,
}

/// A statement about a client, which was either observed or publicly stated.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Statement<T> {
    /// The fact.
    pub what: T,
    /// The version of the client in whose requests to a model it was observed.
    #[serde(default)]
    pub observed: Option<String>,
    /// The address of a public page that states it.
    #[serde(default)]
    pub stated: Option<String>,
    /// The day of the observation or of the statement, as `2026-09-22`; for a page without a date,
    /// the day it was read.
    pub date: String,
}

/// What a client was seen to do with what a server says of itself and of its tools.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Handling {
    /// The version of the protocol that it asks for.
    pub protocol: String,
    /// `true` if it refuses a `structuredContent` that does not match its `outputSchema`.
    pub checks: bool,
    /// The treatment of the `$defs` of an `inputSchema`: `kept`, `inlined` or `left out`. `None` if
    /// the model does not get the schema before it asks for the tool.
    #[serde(default)]
    pub definitions: Option<String>,
    /// The text that the model sees of 3,000 characters of the server's instructions: `whole`,
    /// `cut` or `no`.
    pub instructions: String,
}

/// A client. At least one statement is known.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Client {
    /// Its common name.
    pub title: String,
    /// The names that it gives in `clientInfo`; a `*` at the end is any text. Empty if they are not
    /// known, or identify no client.
    pub names: Vec<String>,
    /// The text that the model sees, if known.
    #[serde(default)]
    pub shows: Option<Statement<Shows>>,
    /// `true` if programs read results, if known.
    #[serde(default)]
    pub code: Option<Statement<Code>>,
    /// Its treatment of definitions and instructions, if known.
    #[serde(default)]
    pub mcp: Option<Statement<Handling>>,
    /// Further facts, for people.
    #[serde(default)]
    pub note: Option<String>,
}

impl Shows {
    /// This view, whole.
    pub const fn of(view: View) -> Self {
        Shows { view, separator: None, one_copy: false, minifies: false, limit: None }
    }

    /// Every view, as for a client that is not known.
    pub(crate) fn every() -> &'static [Shows] {
        static EVERY: OnceLock<Vec<Shows>> = OnceLock::new();
        EVERY.get_or_init(|| {
            let joined = |view, separator: &str| Shows {
                separator: Some(separator.to_owned()),
                ..Shows::of(view)
            };
            let glued = Shows { one_copy: true, minifies: true, ..joined(View::Both, "") };
            vec![
                Shows::of(View::Texts),
                Shows::of(View::Structured),
                Shows { minifies: true, ..Shows::of(View::Structured) },
                Shows::of(View::Both),
                Shows::of(View::Array),
                glued,
                Shows { one_copy: true, ..joined(View::Both, "\n") },
                Shows::of(View::Result),
                joined(View::Texts, ""),
                joined(View::Texts, "\n"),
                joined(View::Texts, "\n\n"),
            ]
        })
    }

    /// Returns `true` if blocks are joined by nothing.
    pub(crate) fn is_glued(&self) -> bool {
        self.separator.as_deref() == Some("")
    }

    /// Returns `true` if the model sees texts as strings of JSON.
    pub(crate) fn escapes(&self) -> bool {
        matches!(self.view, View::Array | View::Result)
    }
}

impl Client {
    /// Returns `true` if programs read all of its results, so that they are not changed (ruling
    /// M2).
    pub fn passes_untouched(&self) -> bool {
        self.code_is(Code::Always)
    }

    /// Returns `true` if [`Structured::Auto`](crate::Structured::Auto) drops `structuredContent`:
    /// it is known that the model sees this field, and that no program reads it (ruling M3).
    pub fn auto_drops(&self) -> bool {
        let shows = self.shows.as_ref().map(|shows| shows.what.view);
        let is_seen = matches!(shows, Some(View::Structured | View::Both | View::Result));
        is_seen && self.code_is(Code::Never)
    }

    fn code_is(&self, code: Code) -> bool {
        self.code.as_ref().is_some_and(|said| said.what == code)
    }

    fn is_named(&self, name: &str) -> bool {
        self.names.iter().any(|own| match own.strip_suffix('*') {
            Some(beginning) => name.starts_with(beginning),
            None => own == name,
        })
    }
}

/// The table of clients.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Clients {
    /// The source of the names of clients that were not observed.
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
    /// The address of a public list of names in `clientInfo`.
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
        self.clients.iter().find(|client| client.is_named(name))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn is_day(date: &str) -> bool {
        let parts: Option<Vec<u32>> = date.split('-').map(|part| part.parse().ok()).collect();
        date.len() == 10 && matches!(parts.as_deref(), Some([2025..=2999, 1..=12, 1..=31]))
    }

    /// Returns `true` if a statement was observed or stated, and not both.
    fn is_founded<T>(said: &Statement<T>) -> bool {
        let is_page = |page: &String| page.starts_with("https://");
        is_day(&said.date)
            && match (&said.observed, &said.stated) {
                (Some(version), None) => version.starts_with(|c: char| c.is_ascii_digit()),
                (None, Some(page)) => is_page(page),
                _ => false,
            }
    }

    #[test]
    fn every_statement_has_its_source_and_its_day() {
        let table = Clients::known();
        assert!(table.names.source.starts_with("https://") && is_day(&table.names.date));
        assert!(is_day(&table.not_found.date));
        for client in &table.clients {
            assert!(client.shows.is_some() || client.code.is_some(), "{}", client.title);
            assert!(client.shows.iter().all(is_founded), "{client:?}");
            assert!(client.code.iter().all(is_founded), "{client:?}");
            assert!(client.mcp.iter().all(is_founded), "{client:?}");
        }
    }

    #[test]
    fn a_row_without_a_day_is_refused() {
        let row =
            r#"{"title":"a","names":[],"shows":{"what":{"view":"both"},"stated":"https://a"}}"#;
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
                assert_eq!(table.named(&name.replace('*', "my-server")), Some(client));
            }
        }
        // The defaults of libraries identify no client.
        for name in ["unheard-of", "mcp", "fastmcp", "qwen-cli", ""] {
            assert_eq!(table.named(name), None, "{name}");
        }
    }

    #[test]
    fn the_columns_decide() {
        let client = |view, code| {
            let said = |what| format!(r#"{{"what":{what},"observed":"1","date":"2026-01-01"}}"#);
            let text = format!(
                r#"{{"title":"a","names":[],"shows":{},"code":{}}}"#,
                said(&*format!(r#"{{"view":"{view}"}}"#)),
                said(&*format!("\"{code}\""))
            );
            serde_json::from_str::<Client>(&text).unwrap()
        };
        for (view, code, drops, passes) in [
            ("structured", "never", true, false),
            ("structured", "sometimes", false, false),
            ("structured", "marked", false, false),
            ("structured", "always", false, true),
            ("texts", "never", false, false),
            ("both", "never", true, false),
            ("result", "never", true, false),
            ("array", "never", false, false),
            ("both", "always", false, true),
        ] {
            let client = client(view, code);
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
