//! Sets of rows with a key as cases have them, and what an implementation does with them.

use serde::Deserialize;
use serde_json::Value;

use crate::failure::Failure;

/// A set of rows as a case has it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Set {
    /// The name of the key.
    pub key: String,
    /// The fields in their order; those of the rows when it is left out.
    pub fields: Option<Vec<String>>,
    /// The name of the set in its text.
    pub name: Option<String>,
    /// The rows, an array of objects.
    #[serde(default)]
    pub rows: Value,
    /// Or the members of an object, by their keys.
    pub map: Option<Value>,
}

/// A delta as a case has it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Change {
    /// The name of the key.
    pub key: String,
    /// The fields in their order.
    pub fields: Vec<String>,
    /// The root of the set that it applies to.
    pub base_root: String,
    /// The root of the set that comes out.
    pub new_root: String,
    /// Rows that are added.
    #[serde(default)]
    pub added: Vec<Value>,
    /// Rows that change.
    #[serde(default)]
    pub changed: Vec<Value>,
    /// Keys of rows that are gone.
    #[serde(default)]
    pub removed: Vec<Value>,
    /// The tool.
    pub tool: Option<String>,
    /// What the delta costs in tokens.
    pub delta_tokens: Option<u64>,
    /// What the whole set costs in tokens.
    pub full_tokens: Option<u64>,
}

/// A session that sends sets.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Session {
    /// The first set.
    pub set: Set,
    /// `size-guard`, or a number of turns (15): when the session sends the whole set again.
    pub policy: Option<String>,
    /// The tool of the whole sets.
    pub tool: Option<String>,
    /// The sets that it sends behind the first one.
    pub updates: Vec<Set>,
    /// The texts: of the first set, and of each update.
    pub texts: Vec<String>,
}

/// An implementation of sets with a key.
pub trait KeyedSets {
    /// The root and the text of a set.
    ///
    /// # Errors
    ///
    /// The implementation's error.
    fn text(&self, set: &Set) -> Result<(String, String), Failure>;

    /// The text of the delta between two sets.
    ///
    /// # Errors
    ///
    /// The implementation's error.
    fn between(&self, set: &Set, next: &Set) -> Result<String, Failure>;

    /// The text of a delta.
    ///
    /// # Errors
    ///
    /// The implementation's error.
    fn write(&self, change: &Change) -> Result<String, Failure>;

    /// What a consumer that holds the set has after a text: the root, and the rows.
    ///
    /// # Errors
    ///
    /// The implementation's error.
    fn receive(&self, held: Option<&Set>, text: &[u8]) -> Result<(String, Value), Failure>;

    /// The texts of a session.
    ///
    /// # Errors
    ///
    /// The implementation's error.
    fn session(&self, session: &Session) -> Result<Vec<String>, Failure>;
}
