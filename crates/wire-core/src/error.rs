//! What the errors of all codecs have in common.
//!
//! A codec crate has one opaque `Error` over a [`Detail`], and an `ErrorKind` that
//! [`error_kinds!`](crate::error_kinds) makes from a table of codes.

use std::error::Error;
use std::fmt;
use std::io;

use crate::position::Position;

/// The content of a codec's error: its kind, its place, what to say, and the failed reader or writer.
///
/// Displays as `line 3, column 7: …`, `offset 42: …`, or without a place as the message alone.
pub struct Detail<K> {
    kind: K,
    position: Option<Position>,
    message: String,
    source: Option<io::Error>,
}

impl<K: Copy> Detail<K> {
    /// An error of this kind. The message says what was found and what was expected, on one line.
    #[cold]
    pub fn new(kind: K, position: Option<Position>, message: impl Into<String>) -> Self {
        Detail { kind, position, message: message.into(), source: None }
    }

    /// The failure of a reader or a writer.
    #[cold]
    pub fn io(kind: K, source: io::Error) -> Self {
        Detail { kind, position: None, message: source.to_string(), source: Some(source) }
    }

    /// The kind.
    pub fn kind(&self) -> K {
        self.kind
    }

    /// What was found and what was expected, without the place.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The place; `None` for errors of encoding, of readers and of writers.
    pub fn position(&self) -> Option<Position> {
        self.position
    }
}

impl<K> fmt::Display for Detail<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(position) = self.position {
            write!(f, "{position}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl<K: fmt::Debug> fmt::Debug for Detail<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {:?}", self.kind, self.to_string())
    }
}

impl<K: fmt::Debug> Error for Detail<K> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_ref().map(|source| source as _)
    }
}

/// Defines a codec's `ErrorKind` from one table: variant, stable code, one line on when it happens.
///
/// ```
/// wire_core::error_kinds! {
///     /// The kinds of error.
///     ErrorKind {
///         UnexpectedEnd = "unexpected_end", "the input ends inside the payload";
///     }
/// }
/// assert_eq!(ErrorKind::ALL[0].code(), "unexpected_end");
/// ```
#[macro_export]
macro_rules! error_kinds {
    ($(#[$meta:meta])* $name:ident { $( $variant:ident = $code:literal, $summary:literal; )+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $( #[doc = concat!("`", $code, "`: ", $summary)] $variant, )+
        }

        impl $name {
            /// Every kind, in the order of the table.
            pub const ALL: &'static [$name] = &[$( $name::$variant, )+];

            /// The stable name, as the conformance corpus refers to it.
            pub const fn code(self) -> &'static str {
                match self { $( $name::$variant => $code, )+ }
            }

            /// When it happens, in one line.
            pub const fn summary(self) -> &'static str {
                match self { $( $name::$variant => $summary, )+ }
            }
        }
    };
}
