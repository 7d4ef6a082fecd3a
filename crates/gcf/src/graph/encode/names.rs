//! Names and words of the payload as tokens of a line (ruling G5).

use std::borrow::Cow;

use wire_core::text::{is_token, shown};

use super::Writer;
use crate::{Error, ErrorKind};

/// What to do with white space in a name.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::graph) enum NamePolicy {
    /// It is an error.
    #[default]
    Refuse,
    /// Each white-space character is written as this one.
    ReplaceWhiteSpace(char),
}

impl Writer<'_> {
    /// Writes a name as one token. `what` names its place in the payload.
    #[inline]
    pub(in crate::graph) fn token(
        &mut self,
        text: &str,
        what: impl FnOnce() -> String,
    ) -> Result<(), Error> {
        self.word(text, what, |_| false)
    }

    /// Writes a word outside of its vocabulary as one token. `listed` says whether a reader would take
    /// a word for one in it, which white space replaced can lead to.
    #[inline]
    pub(in crate::graph) fn word(
        &mut self,
        text: &str,
        what: impl FnOnce() -> String,
        listed: fn(&str) -> bool,
    ) -> Result<(), Error> {
        if is_token(text) {
            self.text(text);
            return Ok(());
        }
        self.odd_token(text, &what(), listed)
    }

    #[cold]
    fn odd_token(&mut self, text: &str, what: &str, listed: fn(&str) -> bool) -> Result<(), Error> {
        let replaced = self.names.apply(text);
        if is_token(&replaced) && !listed(&replaced) {
            self.report.names_changed += 1;
            self.text(&replaced);
            return Ok(());
        }
        Err(not_a_token(what, text))
    }
}

impl NamePolicy {
    /// The name as it is written, if it can be.
    pub(in crate::graph) fn apply(self, text: &str) -> Cow<'_, str> {
        match self {
            NamePolicy::ReplaceWhiteSpace(with) if text.contains(char::is_whitespace) => {
                text.replace(char::is_whitespace, with.encode_utf8(&mut [0; 4])).into()
            }
            _ => Cow::Borrowed(text),
        }
    }
}

#[cold]
pub(in crate::graph) fn not_a_token(what: &str, found: &str) -> Error {
    let problem = if found.is_empty() { "empty".to_owned() } else { shown(found) };
    Error::encode(
        ErrorKind::InvalidName,
        format!("{what} is {problem}, expected a name without white space and control characters"),
    )
}
