//! What the fuzzers check: one function `check(&[u8])` a decoder, which panics when a law is
//! broken.
//!
//! `cargo xtask fuzz` runs them on stable Rust with the [`Mutator`] here; the targets in
//! `fuzz/fuzz_targets` hand them to libFuzzer.

mod answers;
mod chat;
mod gcb;
mod gcx;
mod generic;
mod goon;
mod graph;
mod json;
mod mcp;
mod mutator;
mod pieces;
mod random;
mod registry;
mod same;

pub use self::answers::same_answers;
pub use self::chat::chats;
pub use self::gcb::gcb_decode;
pub use self::gcx::{gcx_decode, gcx_records, gcx_rows};
pub use self::generic::{generic_decode, generic_keyed, generic_recover, generic_rows};
pub use self::goon::{goon_decode, goon_json};
pub use self::graph::{gcf_decode, gcf_delta, gcf_lenient, gcf_recover, gcf_session};
pub use self::json::json_text;
pub use self::mcp::{mcp_conversations, mcp_frames};
pub use self::mutator::Mutator;
pub use self::random::Random;
pub use self::registry::{detect, json_decode, xml_decode};

/// A function to fuzz.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// Its name.
    pub name: &'static str,
    /// How inputs begin that it looks into.
    pub begins: &'static [&'static str],
    /// Panics when the input breaks a law.
    pub check: fn(&[u8]),
}

const GRAPH: &[&str] = &["GCF"];
const GENERIC: &[&str] = &["GCF profile=generic"];
const GCX: &[&str] = &["GCX1"];

/// Every body.
pub const BODIES: &[Body] = &[
    Body { name: "gcf_decode", begins: GRAPH, check: gcf_decode },
    Body { name: "gcf_lenient", begins: GRAPH, check: gcf_lenient },
    Body { name: "gcf_recover", begins: GRAPH, check: gcf_recover },
    Body { name: "gcf_delta", begins: &["GCF"], check: gcf_delta },
    Body { name: "gcf_session", begins: GRAPH, check: gcf_session },
    Body { name: "generic_decode", begins: GENERIC, check: generic_decode },
    Body { name: "generic_rows", begins: GENERIC, check: generic_rows },
    Body { name: "generic_recover", begins: GENERIC, check: generic_recover },
    Body { name: "generic_keyed", begins: GENERIC, check: generic_keyed },
    Body { name: "gcb_decode", begins: &["GCB1"], check: gcb_decode },
    Body { name: "gcx_rows", begins: GCX, check: gcx_rows },
    Body { name: "gcx_records", begins: GCX, check: gcx_records },
    Body { name: "gcx_decode", begins: GCX, check: gcx_decode },
    Body { name: "goon_decode", begins: &["@header"], check: goon_decode },
    Body { name: "goon_json", begins: &["{\"query_type", "{"], check: goon_json },
    Body { name: "json_text", begins: &["{", "["], check: json_text },
    Body { name: "json_decode", begins: &["{"], check: json_decode },
    Body { name: "xml_decode", begins: &["<"], check: xml_decode },
    Body {
        name: "mcp_frames",
        begins: &["{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{", "{", "["],
        check: mcp_frames,
    },
    Body { name: "mcp_conversations", begins: &[""], check: mcp_conversations },
    Body { name: "chats", begins: &[""], check: chats },
    Body { name: "detect", begins: &[""], check: detect },
];
