//! The generic profile: any JSON value as text (specification 3.5.3, sections 2, 2a, 7 and 8).
//!
//! # Anatomy of a text
//!
//! ```text
//! GCF profile=generic
//! version="2.1"                                   a member of the root object; quoted, because it is a text and no number
//! tags[2]: production,us-east-1                   an array of scalars
//! ## database                                     an object; its members stand one level further in
//!   host=db.example.com
//! ## servers [2:]{key,cpu,mem}                    an object of objects: a row each, which begins with its key
//! web-01|23|61
//! db-01|41|-
//! ## orders [2]{id,"customer>name",items}         an array of objects: a row each; the customer is an object again
//! @0 ORD-1|Alice|^                                a row with an attachment, and its index before it
//! .items [1]{sku,qty}
//!     A1|2
//! ORD-2|Bob|~                                     `~` is a member that is not there, `-` is null
//! ```
//!
//! ```
//! use serde_json::json;
//!
//! let value = json!({"version": "2.1", "ports": [8080, 8443], "users": [{"id": 1, "name": "Alice"}, {"id": 2, "name": null}]});
//! let text = gcf::to_string(&value)?;
//! assert_eq!(text, "GCF profile=generic\nversion=\"2.1\"\nports[2]: 8080,8443\n## users [2]{id,name}\n1|Alice\n2|-\n");
//! assert_eq!(gcf::from_str::<serde_json::Value>(&text)?, value);
//! # Ok::<(), gcf::Error>(())
//! ```
//!
//! # Types
//!
//! Any type of serde can be encoded and decoded, as with `serde_json`, without building a tree of
//! values:
//!
//! ```
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Debug, PartialEq, Serialize, Deserialize)]
//! struct Order<'a> {
//!     id: u32,
//!     #[serde(borrow)]
//!     customer: Option<&'a str>,
//! }
//!
//! let orders = [Order { id: 1, customer: Some("Alice") }, Order { id: 2, customer: None }];
//! let text = gcf::to_string(&orders)?;
//! assert_eq!(text, "GCF profile=generic\n## [2]{id,customer}\n1|Alice\n2|-\n");
//! assert_eq!(gcf::from_str::<Vec<Order<'_>>>(&text)?, orders);
//! # Ok::<(), gcf::Error>(())
//! ```
//!
//! # JSON text
//!
//! [`json_to_gcf`] and [`gcf_to_json`] convert one text to the other without building a tree, in about a
//! third of the time and a fifth of the memory. Numbers and keys are checked in the JSON text, and
//! errors have their positions in it.
//!
//! ```
//! # #[cfg(feature = "json")] {
//! let text = gcf::json_to_gcf(r#"{"ports": [8080, 8443]}"#)?;
//! assert_eq!(text, "GCF profile=generic\nports[2]: 8080,8443\n");
//! assert_eq!(gcf::gcf_to_json(&text)?, r#"{"ports":[8080,8443]}"#);
//!
//! let error = gcf::json_to_gcf("{\"id\": 1,\n \"id\": 2}").unwrap_err();
//! assert_eq!(error.to_string(), r#"line 2, column 2: the key "id" appears twice, expected once"#);
//! # }
//! # Ok::<(), gcf::Error>(())
//! ```
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
#[cfg(feature = "json")]
mod json;
mod key;
pub mod keyed;
mod limits;
mod problem;
mod recover;
mod scalar;
mod stream;

use std::io::{Read, Write};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

#[cfg(feature = "json")]
pub use codec::GcfValues;
pub use decode::Decoder;
#[doc(hidden)]
pub use encode::MOST_TIMES;
pub use encode::{Encoder, Prepared, Spec};
#[cfg(feature = "json")]
pub use json::{
    from_json_reader, from_json_slice, gcf_to_json, json_to_gcf, to_json_reader, to_json_slice,
};
pub use limits::LIMITS;
pub use recover::Recovery;
pub use stream::{Reader, TableHead, Writer};

use crate::Error;

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
