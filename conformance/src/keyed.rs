//! Cases about sets of rows with a key, and what changes between them.

use serde::Deserialize;
use serde_json::Value;

use crate::case::{Case, Operation};
use crate::run::{Failure, RESOLVED, failed, refused, shown};

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

/// What only cases about sets have.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Keyed {
    /// The set.
    pub set: Option<Set>,
    /// The set that comes after it.
    pub next: Option<Set>,
    /// The delta between them, by itself.
    pub change: Option<Change>,
    /// `size-guard`, or a number of turns: when a session sends the whole set again.
    pub policy: Option<String>,
    /// The tool of the whole sets of a session.
    pub tool: Option<String>,
    /// The sets that a session sends behind the first one.
    pub updates: Vec<Set>,
    /// The texts of a session: of the first set, and of each update.
    pub texts: Vec<String>,
    /// The root of the set, or of what comes out.
    pub root: Option<String>,
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
    fn session(&self, keyed: &Keyed) -> Result<Vec<String>, Failure>;
}

pub(crate) fn judge(subject: &dyn KeyedSets, case: &Case) -> Result<(), String> {
    let keyed = case.keyed.as_ref().expect(RESOLVED);
    let set = || keyed.set.as_ref().ok_or_else(|| "it has no set".to_owned());
    let text = || String::from_utf8_lossy(case.input.as_deref().expect(RESOLVED)).into_owned();
    let error = || case.error.as_ref().expect(RESOLVED);
    match case.operation {
        Operation::Set => {
            let (root, written) = subject.text(set()?).map_err(failed("encode"))?;
            if keyed.root.as_ref().is_some_and(|expected| root != *expected) {
                return Err(format!("the root is {root}"));
            }
            if case.input.is_some() {
                same_text(&written, &text())?;
            }
            let (received, rows) =
                subject.receive(None, written.as_bytes()).map_err(failed("decode"))?;
            if received != root {
                return Err(format!("it reads back with the root {received}, expected {root}"));
            }
            same_rows(&rows, set()?)
        }
        Operation::SetDelta => {
            let next = keyed.next.as_ref().ok_or("it has no next set")?;
            let written = match &keyed.change {
                Some(change) => subject.write(change),
                None => subject.between(set()?, next),
            };
            let written = written.map_err(failed("encode"))?;
            same_text(&written, &text())?;
            let (root, rows) =
                subject.receive(Some(set()?), written.as_bytes()).map_err(failed("apply"))?;
            let (expected, _) = subject.text(next).map_err(failed("encode"))?;
            if root != expected {
                return Err(format!("what comes out has the root {root}, expected {expected}"));
            }
            same_rows(&rows, next)
        }
        Operation::SetApply => {
            let input = incoming(subject, case, keyed).map_err(failed("encode"))?;
            let (root, rows) =
                subject.receive(keyed.set.as_ref(), &input).map_err(failed("apply"))?;
            if keyed.root.as_ref().is_some_and(|expected| root != *expected) {
                return Err(format!("what comes out has the root {root}"));
            }
            keyed.next.as_ref().map_or(Ok(()), |next| same_rows(&rows, next))
        }
        Operation::SetWrite => {
            let change = keyed.change.as_ref().ok_or("it has no change")?;
            same_text(&subject.write(change).map_err(failed("encode"))?, &text())
        }
        Operation::SetReject => {
            let input = incoming(subject, case, keyed).map_err(failed("encode"))?;
            refused(subject.receive(keyed.set.as_ref(), &input), error())
        }
        Operation::SetRefuse => match (&keyed.set, &keyed.next, &keyed.change) {
            (Some(set), Some(next), None) => refused(subject.between(set, next), error()),
            (_, _, Some(change)) => refused(subject.write(change), error()),
            _ => refused(subject.text(set()?), error()),
        },
        Operation::SetSession => {
            let texts = subject.session(keyed).map_err(failed("send"))?;
            if texts.len() != keyed.texts.len() {
                return Err(format!(
                    "it sends {} texts, expected {}",
                    texts.len(),
                    keyed.texts.len()
                ));
            }
            texts
                .iter()
                .zip(&keyed.texts)
                .try_for_each(|(found, expected)| same_text(found, expected))
        }
        other => Err(format!("{other:?} is not about sets")),
    }
}

/// The text that a consumer gets: that of the case, or of its delta.
fn incoming(subject: &dyn KeyedSets, case: &Case, keyed: &Keyed) -> Result<Vec<u8>, Failure> {
    match &keyed.change {
        Some(change) => subject.write(change).map(String::into_bytes),
        None => Ok(case.input.clone().unwrap_or_default()),
    }
}

fn same_text(found: &str, expected: &str) -> Result<(), String> {
    if found == expected {
        return Ok(());
    }
    Err(format!(
        "it encodes to\n{}\nexpected\n{}",
        shown(found.as_bytes()),
        shown(expected.as_bytes())
    ))
}

/// Whether rows are those of a set, in whatever order. A map's rows have their keys as a field.
fn same_rows(found: &Value, set: &Set) -> Result<(), String> {
    let mut expected: Vec<Value> = match &set.map {
        None => set.rows.as_array().cloned().unwrap_or_default(),
        Some(map) => map
            .as_object()
            .into_iter()
            .flatten()
            .map(|(key, members)| {
                let mut row = members.clone();
                row[&set.key] = key.clone().into();
                row
            })
            .collect(),
    };
    let mut found = found.as_array().cloned().unwrap_or_default();
    for rows in [&mut found, &mut expected] {
        rows.iter_mut().for_each(normal);
        rows.sort_by_cached_key(ToString::to_string);
    }
    if found == expected {
        return Ok(());
    }
    Err(format!("the rows are\n{}\nexpected\n{}", Value::from(found), Value::from(expected)))
}

/// Members in the order of their names, and integers without a point.
fn normal(row: &mut Value) {
    let Value::Object(members) = row else { return };
    let mut sorted: Vec<(String, Value)> = std::mem::take(members).into_iter().collect();
    sorted.sort_by(|a, b| a.0.cmp(&b.0));
    for (name, value) in sorted {
        members.insert(name, crate::response::as_read(value));
    }
}
