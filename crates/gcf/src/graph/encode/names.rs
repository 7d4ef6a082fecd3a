//! What to do with white space in names (ruling G5).

use std::borrow::Cow;

/// What to do with white space in a name.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::graph) enum NamePolicy {
    /// It is an error.
    #[default]
    Refuse,
    /// Each white-space character is written as this one.
    ReplaceWhiteSpace(char),
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
