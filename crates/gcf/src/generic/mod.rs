//! The generic profile: any JSON value as text (specification 3.5.3, sections 2, 2a, 7 and 8).
//!
//! # Anatomy of a text
//!
//! ```text
//! GCF profile=generic
//! version="2.1"
//! tags[2]: production,us-east-1
//! ## database
//!   host=db.example.com
//! ## servers [2:]{key,cpu,mem}
//! web-01|23|61
//! db-01|41|-
//! ## orders [2]{id,"customer>name",items}
//! @0 ORD-1|Alice|^
//! .items [1]{sku,qty}
//!     A1|2
//! ORD-2|Bob|~
//! ```
//!
//! | line | what it is |
//! |---|---|
//! | `version="2.1"` | a member of the root object; quoted, because it is a text and no number |
//! | `tags[2]: …` | an array of scalars |
//! | `## database` | an object; its members are indented one level further |
//! | `## servers [2:]{…}` | an object of objects: a row each, which begins with its key |
//! | `## orders [2]{…}` | an array of objects: a row each; the customer is an object again |
//! | `@0 ORD-1\|Alice\|^` | a row with an attachment, and its index before it |
//! | `~`, `-` | a member that is missing, and null |
//!
//! # What is kept
//!
//! All of JSON is kept, including the order of keys. There is one exception: objects of one table
//! with the same keys in another order decode with the order of the header. Numbers are integers of
//! 64 bits with a sign, and doubles (section 2.3.2); others are an error, so write them as strings.
//! 1.0 and 1 are the same number, and so are both zeros. Bytes are arrays of numbers, and the keys
//! of maps are written as `serde_json` does it.

#[cfg(feature = "json")]
mod codec;
mod decode;
mod encode;
pub(crate) mod grammar;
pub mod keyed;
mod problem;
mod recover;
mod scalar;
mod stream;

use std::io::{Read, Write};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use wire_core::Limits;

#[cfg(feature = "json")]
pub use codec::{GcfValues, gcf_to_json, json_to_gcf};
pub use decode::Decoder;
pub use encode::{Encoder, Prepared, Spec};
pub use recover::Recovery;
pub use stream::{Reader, TableHead, TableKind, Writer};

use crate::Error;

/// The limits of decoders and readers that don't set others: lines of 64 MiB, since a text may be
/// the whole of a file, and as many lines as the family's formats have items.
pub const LIMITS: Limits = Limits::DEFAULT.with_line_bytes(64 << 20);

/// A value as text.
///
/// # Errors
///
/// As [`Encoder::to_string`].
pub fn to_string<T: Serialize + ?Sized>(value: &T) -> Result<String, Error> {
    Encoder::new().to_string(value)
}

/// A value as bytes.
///
/// # Errors
///
/// As [`Encoder::to_string`].
pub fn to_vec<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, Error> {
    Encoder::new().to_vec(value)
}

/// Writes a value.
///
/// # Errors
///
/// As [`Encoder::to_string`], before anything is written, and `io` when the writer fails.
pub fn to_writer<W: Write, T: Serialize + ?Sized>(writer: W, value: &T) -> Result<(), Error> {
    Encoder::new().to_writer(writer, value)
}

/// The value of a text.
///
/// # Errors
///
/// As [`Decoder::from_str`].
pub fn from_str<'de, T: Deserialize<'de>>(text: &'de str) -> Result<T, Error> {
    Decoder::new().from_str(text)
}

/// The value of bytes.
///
/// # Errors
///
/// As [`Decoder::from_slice`].
pub fn from_slice<'de, T: Deserialize<'de>>(input: &'de [u8]) -> Result<T, Error> {
    Decoder::new().from_slice(input)
}

/// The value of everything that `reader` gives.
///
/// # Errors
///
/// As [`Decoder::from_reader`].
pub fn from_reader<R: Read, T: DeserializeOwned>(reader: R) -> Result<T, Error> {
    Decoder::new().from_reader(reader)
}
