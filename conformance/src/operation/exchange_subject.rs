//! What goes beyond one text: sessions, deltas, roots and exchanges of an implementation, and the
//! deltas of cases.

use serde::{Deserialize, Deserializer};
use wire_core::{Payload, Symbol};

use crate::failure::Failure;
use crate::options::Options;
use crate::payload;

/// An implementation of what goes beyond one text.
pub trait ExchangeSubject {
    /// A producer and a consumer of a session, which have seen nothing.
    fn session(&self, options: &Options) -> Box<dyn SessionPair>;

    /// Encodes a delta.
    ///
    /// # Errors
    ///
    /// The implementation's error.
    fn encode_delta(&self, delta: &DeltaCase, options: &Options) -> Result<String, Failure>;

    /// Decodes a delta.
    ///
    /// # Errors
    ///
    /// The implementation's error.
    fn decode_delta(&self, input: &[u8], options: &Options) -> Result<DeltaCase, Failure>;

    /// The text of the delta between two payloads; or why there is none.
    ///
    /// # Errors
    ///
    /// The implementation's error.
    fn diff(
        &self,
        base: &Payload<'_>,
        new: &Payload<'_>,
        options: &Options,
    ) -> Result<Result<String, String>, Failure>;

    /// Applies a delta.
    ///
    /// # Errors
    ///
    /// The implementation's error.
    fn apply(&self, base: &Payload<'_>, delta: &[u8]) -> Result<Payload<'static>, Failure>;

    /// The root of a payload as it is.
    ///
    /// # Errors
    ///
    /// The implementation's error.
    fn root(&self, payload: &Payload<'_>, options: &Options) -> Result<String, Failure>;

    /// What a server that has sent the `known` payloads answers to a consumer that sends the root
    /// `held`: the outcome and the text.
    ///
    /// # Errors
    ///
    /// The implementation's error.
    fn exchange(
        &self,
        known: &[Payload<'_>],
        held: Option<&str>,
        payload: &Payload<'_>,
        options: &Options,
    ) -> Result<(String, String), Failure>;
}

/// Both sides of a session.
pub trait SessionPair {
    /// The producer writes a payload: the text, and whether it is a full payload without session.
    ///
    /// # Errors
    ///
    /// The implementation's error.
    fn encode(&mut self, payload: &Payload<'_>) -> Result<(String, bool), Failure>;

    /// The producer learns that its last text was delivered.
    fn confirm(&mut self);

    /// The producer learns that its last text was lost.
    fn roll_back(&mut self);

    /// The consumer reads a text.
    ///
    /// # Errors
    ///
    /// The implementation's error.
    fn decode(&mut self, text: &str) -> Result<Payload<'static>, Failure>;

    /// Both start over.
    fn reset(&mut self);
}

/// A delta, as cases write it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeltaCase {
    /// The tool.
    #[serde(default)]
    pub tool: String,
    /// The root of the base.
    pub base_root: String,
    /// The root of what comes out.
    pub new_root: String,
    /// What is stated of tokens.
    #[serde(default)]
    pub tokens: Tokens,
    /// Kind and qualified name.
    #[serde(default, deserialize_with = "keys")]
    pub removed: Vec<(String, String)>,
    /// The symbols that are new.
    #[serde(default, deserialize_with = "payload::symbols")]
    pub added: Vec<Symbol<'static>>,
    /// Source, target, type.
    #[serde(default, deserialize_with = "edges")]
    pub edges_removed: Vec<[String; 3]>,
    /// Source, target, type.
    #[serde(default, deserialize_with = "edges")]
    pub edges_added: Vec<[String; 3]>,
}

/// What a delta states of tokens: what it is given, or what a reader gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tokens {
    /// What the delta costs.
    pub delta: Option<u64>,
    /// What the full payload would cost.
    pub full: Option<u64>,
    /// The savings in percent.
    pub savings: Option<i64>,
}

/// Kinds and names of symbols.
fn keys<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<(String, String)>, D::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Key {
        kind: String,
        qualified_name: String,
    }
    let keys = Vec::<Key>::deserialize(deserializer)?;
    Ok(keys.into_iter().map(|key| (key.kind, key.qualified_name)).collect())
}

/// Sources, targets and types of edges.
fn edges<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<[String; 3]>, D::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(clippy::struct_field_names, reason = "they are those of the cases")]
    struct Edge {
        source: String,
        target: String,
        edge_type: String,
    }
    let edges = Vec::<Edge>::deserialize(deserializer)?;
    Ok(edges.into_iter().map(|edge| [edge.source, edge.target, edge.edge_type]).collect())
}
