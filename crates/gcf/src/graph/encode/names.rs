//! Names and words of the payload as tokens of a line (ruling G5).

use wire_core::text::{is_token, shown};

use super::Writer;
use crate::{Error, ErrorKind};

/// What to do with white space in a name.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum NamePolicy {
    /// It is an error.
    #[default]
    Refuse,
    /// Each white-space character is written as this one.
    ReplaceWhiteSpace(char),
}

impl Writer<'_> {
    /// Writes a name as one token. `what` names its place in the payload.
    #[inline]
    pub(super) fn token(&mut self, text: &str, what: impl FnOnce() -> String) -> Result<(), Error> {
        self.word(text, what, |_| false)
    }

    /// Writes a word outside of its vocabulary as one token. `listed` says whether a reader would take
    /// a word for one in it, which white space replaced can lead to.
    #[inline]
    pub(super) fn word(
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
        if let NamePolicy::ReplaceWhiteSpace(with) = self.names {
            let replaced: String =
                text.chars().map(|c| if c.is_whitespace() { with } else { c }).collect();
            if is_token(&replaced) && !listed(&replaced) {
                self.report.names_changed += 1;
                self.text(&replaced);
                return Ok(());
            }
        }
        let problem = if text.is_empty() { "empty".to_owned() } else { shown(text) };
        Err(Error::encode(
            ErrorKind::InvalidName,
            format!(
                "{what} is {problem}, expected a name without white space and control characters"
            ),
        ))
    }
}
