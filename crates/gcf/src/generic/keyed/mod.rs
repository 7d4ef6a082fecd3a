//! Sets of rows with a key, and the changes between two of them (specification 3.5.3, section 10a).
//!
//! A tool that repeatedly answers the same question sends the full set once, and then only the
//! changes:
//!
//! ```text
//! GCF profile=generic pack_root=sha256:… key=id     the full set; its root is a
//!                                                   hash of its content
//! ## orders [2]{@id,total,status}                   `@` marks the key, which is
//!                                                   different in every row
//! 1001|59.98|shipped
//! 1002|29.99|pending
//!
//! GCF profile=generic delta=true base_root=sha256:… new_root=sha256:… key=id
//! ## added [1]{@id,total,status}                    rows that are new
//! 1003|75|pending
//! ## changed [1]{@id,total,status}                  rows that replace those with
//!                                                   the same keys
//! 1002|29.99|shipped
//! ## removed [1]{@id}                               the keys of removed rows
//! 1001
//! ```
//!
//! The order of rows has no meaning. [`Session`] decides for a producer which of the two to send; a
//! consumer reads [`Message`]s.
//!
//! ```
//! use gcf::keyed::{KeyedSet, Message, Policy, Session};
//! use serde_json::{Value, json};
//!
//! let orders = KeyedSet::from_rows(
//!     "id",
//!     &json!([{"id": 1, "status": "new"}, {"id": 2, "status": "new"}]),
//! )?;
//! let mut session = Session::new(orders, Policy::default());
//! let mut held = session.full().parse::<Message>()?.apply(None)?;
//!
//! let later = KeyedSet::from_rows(
//!     "id",
//!     &json!([{"id": 1, "status": "sent"}, {"id": 2, "status": "new"}]),
//! )?;
//! let update = session.next(later);
//! assert!(update.text.ends_with("key=id\n## changed [1]{@id,status}\n1|sent\n"));
//! held = update.text.parse::<Message>()?.apply(Some(held))?;
//! assert_eq!(held.rows::<Value>()?[0], json!({"id": 1, "status": "sent"}));
//! # Ok::<(), gcf::Error>(())
//! ```

mod change;
mod message;
mod session;
mod set;

pub use change::Delta;
pub use message::Message;
pub use session::{Policy, Session, Update};
pub use set::KeyedSet;
pub(super) use set::{Row, hashed};
