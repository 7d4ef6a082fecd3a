//! JSON as it is written: a reader that keeps the literal of each number and the offset of each
//! value, a tree, a writer, and serde in both directions.
//!
//! `serde_json` has doubles and integers of 64 bits, takes the last of two equal keys, and says
//! where an error is only as a line and a column. A codec that promises the same value needs the
//! digits; one that promises an error needs the second key and its offset. Every format crate reads
//! JSON by this module, so all of them have the same grammar.
//!
//! # What is read
//!
//! The grammar is that of RFC 8259, and an input is `&str`: a crate turns bytes into text by
//! [`from_utf8`](crate::text::from_utf8). Beyond the grammar, and by default:
//!
//! * a key that an object has twice is an error at the second ([`Reader::duplicates`]),
//! * arrays and objects may be nested [`MAX_NESTING`](crate::MAX_NESTING) = 127 levels deep
//!   ([`Reader::max_nesting`]),
//! * half a surrogate pair in an escape is an error ([`Reader::lone_surrogates`]),
//! * a number may have any number of digits ([`Reader::in_doubles`], [`Reader::exact`]).
//!
//! Only trees, [`equal`] and serde recurse, as deep as that limit allows. Memory beyond the text is
//! at most a multiple of its length: keys of open objects while duplicates are refused, and the
//! tree, if one is asked for.
//!
//! # Three ways to read
//!
//! | to … | use |
//! |---|---|
//! | walk through a text and take what matters | [`Reader`], which returns a [`Token`] at a time |
//! | have all of a value in memory, with its literals | [`Json`], which borrows from the text |
//! | read a type that implements `Deserialize` | [`from_str`], or [`Reader::values`] within a text |
//!
//! A pull reader is asked: after [`Token::Array`] for each [`item`](Reader::item), after
//! [`Token::Object`] for each [`key`](Reader::key), each until there is no more.
//!
//! ```
//! use wire_core::json::{Error, ErrorKind, Reader, Token};
//!
//! /// The sum of the numbers of an array, as far as they are integers.
//! fn sum(text: &str) -> Result<u64, Error> {
//!     let mut reader = Reader::new(text);
//!     let mut sum = 0;
//!     if let Token::Array = reader.value()? {
//!         while reader.item()? {
//!             match reader.value()? {
//!                 Token::Number(number) => sum += number.as_u64().unwrap_or(0),
//!                 Token::Array | Token::Object => {
//!                     let message = "found an array or object, expected a number";
//!                     return Err(Error::new(
//!                         ErrorKind::Data,
//!                         reader.start(),
//!                         message,
//!                     ));
//!                 }
//!                 _ => {}
//!             }
//!         }
//!     }
//!     reader.end()?;
//!     Ok(sum)
//! }
//! assert_eq!(sum("[1, 2.5, 40]")?, 41);
//! let error = sum("[1, 2,]").unwrap_err();
//! assert_eq!((error.kind().code(), error.offset()), ("json_syntax", 6));
//! assert_eq!(error.message(), "found \"]\", expected an item after the comma");
//! # Ok::<(), Error>(())
//! ```
//!
//! # Numbers
//!
//! A [`Number`] is its literal. Two of them are equal if they are the same decimal: `1.0` and
//! `10e-1` are, and so are values of [`Json`]. [`Number::fidelity`] says whether the nearest double
//! is the same number, [`Doubles`] what becomes of all decimals of a text.
//!
//! # Writing
//!
//! [`Text`] is a JSON text as a `Serialize`, so an encoder made for serde takes a text as it takes
//! a struct, without a tree. [`Writer`] appends values to a `String`, minified or indented
//! ([`Layout`]); numbers are copied as they are written. [`laid_out`] does so for a whole text.
//!
//! ```
//! use wire_core::json::{Layout, Strings, equal, laid_out};
//!
//! let text = "{ \"a\" : [1.50, 1E400, \"\\u00e9\"] }";
//! let minified = laid_out(text, Layout::Compact, Strings::Shortest)?;
//! assert_eq!(minified, r#"{"a":[1.50,1E400,"é"]}"#);
//! assert!(equal(text, &minified));
//! # Ok::<(), wire_core::json::Error>(())
//! ```

mod de;
mod error;
mod key;
mod number;
mod reader;
mod text;
mod tree;
mod write;

pub use self::de::{Values, from_str};
pub use self::error::{Error, ErrorKind};
pub use self::key::Key;
pub use self::number::{Decimal, Fidelity, Number, fidelity, is_number};
pub use self::reader::{Duplicates, Reader, Str, Token};
pub use self::text::{Doubles, Item, Text};
pub use self::tree::{Json, Member, equal};
pub use self::write::{
    LITERALS, Layout, SERDE_JSON_NUMBER, SERDE_JSON_RAW_VALUE, Strings, VALUES, Writer, laid_out,
    push_quoted,
};
