//! What is known of clients (ruling M3): which field of a result the model sees, and whether
//! programs read the text.

/// Which field of a result a client shows to the model when a result has both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shows {
    /// The blocks of `content`.
    Content,
    /// `structuredContent` alone.
    Structured,
    /// Both of them.
    Both,
}

/// A client, and where what is said of it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Client {
    /// The name that it gives in `clientInfo`.
    pub name: &'static str,
    /// What the model sees.
    pub shows: Shows,
    /// Whether programs read the text of results, as code modes and test runners do. Such a client
    /// passes untouched.
    pub runs_code: bool,
    /// A public page that says so.
    pub source: &'static str,
    /// The day of that statement, as `2026-09-22`.
    pub date: &'static str,
}

/// The clients that are known.
pub const CLIENTS: &[Client] = &[Client {
    name: "claude-code",
    shows: Shows::Structured,
    runs_code: false,
    source: "https://github.com/anthropics/claude-code/issues/79944",
    date: "2026-09-22",
}];

/// The client of this name.
pub(crate) fn known(name: &str) -> Option<&'static Client> {
    CLIENTS.iter().find(|client| client.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_its_source_and_its_day() {
        for client in CLIENTS {
            assert!(client.source.starts_with("https://"), "{}", client.name);
            let parts: Vec<usize> = client.date.split('-').map(str::len).collect();
            assert_eq!(parts, [4, 2, 2], "{}", client.name);
            assert_eq!(known(client.name), Some(client));
        }
    }
}
