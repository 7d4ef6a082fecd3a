//! The common parts of the errors of all codecs.
//!
//! Each codec has one opaque `Error` over an [`ErrorDetail`], and an `ErrorKind` that
//! [`error_kinds!`](crate::error_kinds) makes from a table of codes.

use std::error::Error;
use std::fmt;
use std::io;

use crate::position::Position;

/// The content of a codec's error: its kind, its position, its message, and the error of the reader
/// or writer that failed.
///
/// It is displayed as `line 3, column 7: …` in text, as `offset 42: …` in bytes, and as the message
/// alone without a position.
pub struct ErrorDetail<K> {
    kind: K,
    position: Option<Position>,
    message: String,
    source: Option<io::Error>,
}

impl<K: Copy> ErrorDetail<K> {
    /// An error of this kind. `message` states what was found and what was expected, on one line.
    #[cold]
    pub fn new(kind: K, position: Option<Position>, message: impl Into<String>) -> Self {
        ErrorDetail { kind, position, message: message.into(), source: None }
    }

    /// The failure of a reader or a writer.
    #[cold]
    pub fn io(kind: K, source: io::Error) -> Self {
        ErrorDetail { kind, position: None, message: source.to_string(), source: Some(source) }
    }

    /// The kind.
    pub fn kind(&self) -> K {
        self.kind
    }

    /// The message: what was found and what was expected, without the position.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The position; `None` for errors of encoding, readers and writers.
    pub fn position(&self) -> Option<Position> {
        self.position
    }
}

impl<K> fmt::Display for ErrorDetail<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(position) = self.position {
            write!(f, "{position}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl<K: fmt::Debug> fmt::Debug for ErrorDetail<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {:?}", self.kind, self.to_string())
    }
}

impl<K: fmt::Debug> Error for ErrorDetail<K> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_ref().map(|source| source as _)
    }
}

/// Defines a codec's `ErrorKind` from one table. A row has the variant, its stable code, and one
/// line on when it happens. With a name after the table, the macro also defines the codec's
/// `Error`: an opaque type with a kind, a code, a position and a message, which converts to
/// [`CodecError`](crate::CodecError). With a kind in parentheses after that name, errors of readers
/// and writers get that kind. A second kind is for input that is not UTF-8, and makes
/// `Error::utf8`, which returns the text of bytes. A third one is for lines that are too long, and
/// makes errors of `LineReader` convert to the codec's.
///
/// ```
/// wire_core::error_kinds! {
///     /// The kinds of error.
///     ErrorKind {
///         UnexpectedEnd = "unexpected_end", "the input ends inside the payload";
///         Io = "io", "the reader or writer failed";
///     }
///     /// Why a payload could not be encoded or decoded.
///     Error(Io)
/// }
/// assert_eq!(ErrorKind::ALL[0].code(), "unexpected_end");
/// let error = Error::encode(ErrorKind::UnexpectedEnd, "there is no payload");
/// assert_eq!(
///     (error.code(), error.position(), error.to_string()),
///     ("unexpected_end", None, "there is no payload".to_owned())
/// );
/// # let _ = Error::at(ErrorKind::UnexpectedEnd, wire_core::Position::in_binary(0), "");
/// ```
#[macro_export]
macro_rules! error_kinds {
    ($(#[$meta:meta])* $name:ident { $($table:tt)+ } $(#[$error_meta:meta])* $error:ident $(($io:ident $(, $utf8:ident $(, $too_long:ident)?)?))?) => {
        $crate::error_kinds! { $(#[$meta])* $name { $($table)+ } }

        $(#[$error_meta])*
        pub struct $error(Box<$crate::ErrorDetail<$name>>);

        impl $error {
            /// The kind of error.
            pub fn kind(&self) -> $name {
                self.0.kind()
            }

            /// The stable name of the kind: `self.kind().code()`.
            pub fn code(&self) -> &'static str {
                self.0.kind().code()
            }

            /// The position of the error in the input; `None` for errors of encoding and of
            /// readers.
            pub fn position(&self) -> Option<$crate::Position> {
                self.0.position()
            }

            /// An error of encoding.
            #[cold]
            pub(crate) fn encode(kind: $name, message: impl Into<String>) -> Self {
                $error(Box::new($crate::ErrorDetail::new(kind, None, message)))
            }

            /// An error at this position.
            #[cold]
            pub(crate) fn at(
                kind: $name,
                position: $crate::Position,
                message: impl Into<String>,
            ) -> Self {
                $error(Box::new($crate::ErrorDetail::new(kind, Some(position), message)))
            }
        }

        impl std::fmt::Debug for $error {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Debug::fmt(&self.0, f)
            }
        }

        impl std::fmt::Display for $error {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(&self.0, f)
            }
        }

        impl std::error::Error for $error {
            fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
                std::error::Error::source(&*self.0)
            }
        }

        $(
            impl From<std::io::Error> for $error {
                fn from(source: std::io::Error) -> Self {
                    $error(Box::new($crate::ErrorDetail::io($name::$io, source)))
                }
            }

            $(
                impl $error {
                    /// The text of an input; the first byte that is not UTF-8 is an error.
                    pub(crate) fn utf8(input: &[u8]) -> Result<&str, Self> {
                        $crate::text::from_utf8(input).map_err(|(at, message)| {
                            $error::at($name::$utf8, $crate::Position::in_text(input, at), message)
                        })
                    }
                }

                $(
                    impl From<$crate::text::LineError> for $error {
                        #[cold]
                        fn from(error: $crate::text::LineError) -> Self {
                            use $crate::text::LineError;

                            match error {
                                LineError::Io(error) => error.into(),
                                LineError::TooLong(position, message) => {
                                    $error::at($name::$too_long, position, message)
                                }
                                LineError::InvalidUtf8(position, message) => {
                                    $error::at($name::$utf8, position, message)
                                }
                            }
                        }
                    }
                )?
            )?
        )?

        impl From<$error> for $crate::CodecError {
            fn from(error: $error) -> Self {
                $crate::CodecError::new(error.code(), error.position(), error)
            }
        }
    };
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
