//! Rewrites the results of MCP tools so that a model reads them with fewer tokens. The caller
//! passes each frame (message) and gets it back, changed or not. The crate does no I/O, reads no
//! clock, and works with any version of the protocol.
//!
//! # Anatomy of an exchange
//!
//! ```text
//! client → server   {"id":7,"method":"tools/call","params":{"name":"search",…}}
//!                    remembered: 7 is a call of `search`
//! server → client   {"id":7,"result":{"content":[{"type":"text",
//!                    "text":"[\n  {\n    \"id\": 1, …"}]}}
//! goes on as        {"id":7,"result":{"content":[{"type":"text",
//!                    "text":"GCF profile=generic\n## [2]{id,…"}]}}
//!                    all bytes beside the text are those that came
//! ```
//!
//! ```
//! use wire_mcp::{Options, Proxy};
//!
//! let proxy = Proxy::new(Options::new(wire_core::WordPunctuation));
//! proxy.from_client(
//!     br#"{"id":7,"method":"tools/call","params":{"name":"search"}}"#,
//! );
//! let answer = br#"{"id":7,"result":{"content":[{"type":"text","text":
//!     "[{\"id\": 1, \"name\": \"a\"}, {\"id\": 2, \"name\": \"b\"}]"}]}}"#;
//! let actions = proxy.from_server(answer);
//! assert_eq!(
//!     String::from_utf8_lossy(&actions.frame),
//!     r#"{"id":7,"result":{"content":[{"type":"text","text":
//!     "GCF profile=generic\n## [2]{id,name}\n1|a\n2|b\n"}]}}"#,
//! );
//! ```
//!
//! # What is changed
//!
//! Texts of results of `tools/call` that are a JSON array or object, or data with some in it (ruling
//! M12), and, by option, definitions of tools. Everything else passes byte for byte: other methods, notifications, errors (`isError`,
//! too), images, unknown members, numbers of any length, white space, frames with a name twice,
//! answers to no request (ruling M1).
//!
//! A text is replaced only by a form that saves over 3 %, or by minified JSON with fewer tokens, and
//! that decodes to equal JSON (ruling X17). Numbers are compared by their exact decimal value;
//! members may be in any order (ruling M2). On a tie, a failure, or beyond a limit the text is not
//! changed.
//!
//! # Views
//!
//! What counts is what the client shows the model: its [view](Shows), by the table of [`Clients`].
//! An answer never shows more tokens than the server's own, under any policy. A client that is not
//! in the table is counted for all views (ruling M10).
//!
//! Three kinds of results pass byte for byte: those of tools with a user interface (ruling M11), of
//! calls that a program made (ruling M17), and those that a model may have to quote, as of tools
//! that [read a file](Reads) by their name (ruling M5). A text stays JSON while the client sees an
//! `outputSchema` and the result has no `structuredContent` (ruling M16).
//!
//! # `structuredContent`
//!
//! This member is kept by default. Under [`Structured::Drop`] the proxy removes `outputSchema` from
//! the tools that it lists, and `structuredContent` from results of such a tool if their text
//! provably has the same value (ruling M3).
//!
//! ```
//! use wire_mcp::{Options, Proxy, Structured};
//!
//! let proxy = Proxy::new(
//!     Options::new(wire_core::WordPunctuation).structured(Structured::Drop),
//! );
//! proxy.from_client(br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#);
//! let list = proxy.from_server(br#"{"jsonrpc":"2.0","id":1,"result":{"tools":[
//!     {"name":"n","outputSchema":{"type":"object"}}]}}"#);
//! assert_eq!(
//!     &*list.frame,
//!     br#"{"jsonrpc":"2.0","id":1,"result":{"tools":[
//!     {"name":"n"}]}}"#
//! );
//! proxy.from_client(
//!     br#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"n"}}"#,
//! );
//! let answer = proxy.from_server(
//!     br#"{"jsonrpc":"2.0","id":2,"result":{"content":[
//!     {"type":"text","text":"5"}],"structuredContent":{"result":5}}}"#,
//! );
//! assert_eq!(
//!     &*answer.frame,
//!     br#"{"jsonrpc":"2.0","id":2,"result":{"content":[
//!     {"type":"text","text":"5"}]}}"#
//! );
//! ```
//!
//! # One proxy for each client
//!
//! A [`Proxy`] serves one client and one server, because it remembers which tools that client last
//! saw. Over HTTP, use one for each session. For a client without a session, use
//! [`Proxy::for_one_exchange`] for each exchange, with a [`Catalog`] for all of them.
//!
//! ```
//! use wire_mcp::{Options, Proxy, Structured};
//!
//! let options =
//!     Options::new(wire_core::WordPunctuation).structured(Structured::Drop);
//! let proxy = Proxy::new(options).for_one_exchange();
//! proxy.from_client(br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#);
//! let list = br#"{"jsonrpc":"2.0","id":1,"result":{"tools":[
//!     {"name":"n","outputSchema":{"type":"object"}}]}}"#;
//! assert_eq!(&*proxy.from_server(list).frame, list);
//! ```

mod bound;
mod candidates;
mod catalog;
pub mod chat;
mod clients;
mod content;
mod counted;
mod data;
mod files;
mod format;
mod inside;
mod json;
mod limits;
mod list;
mod options;
mod output;
mod parts;
mod proxy;
mod raw;
mod reading;
mod reads;
mod record;
mod repr;
mod request;
mod result;
mod splice;
mod state;
mod structured;
mod verbatim;
mod view;

pub use catalog::Catalog;
pub use clients::{
    Client, Clients, Code, Handling, Limit, Names, NotFound, Shows, Statement, View,
};
pub use files::is_data_file;
pub use format::Format;
pub use inside::says_the_same;
pub use limits::Limits;
pub use options::{InvalidPattern, Options, Policy, Repeats, Rule, Structured};
pub use output::{Call, Output, rewrite};
pub use proxy::{Actions, Proxy};
pub use reads::Reads;
pub use record::{CallRecord, Left, Tokens};
pub use repr::repr_to_json;
pub use verbatim::{left_verbatim, named_data_file};
// Its types are those of this crate's functions.
pub use wire_core;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
