//! Cases about sets of rows with a key, and what changes between them.

use serde::Deserialize;
use serde_json::Value;

use crate::failure::{ExpectedError, failed, refused};
use crate::json::as_read;
use crate::operation::sets::{Change, KeyedSets, Session, Set};
use crate::text::Text;
use crate::verdict::{Verdict, same_text};

/// A set, its root and its text.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetCase {
    /// The set.
    pub keyed: Rooted,
    /// The text to get, if it is compared.
    #[serde(alias = "text_file", alias = "hex")]
    pub text: Option<Text>,
}

/// A set and its root.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rooted {
    /// The set.
    pub set: Set,
    /// The root to get, if it is compared.
    pub root: Option<String>,
}

/// Two sets and the text of the delta between them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetDelta {
    /// The sets.
    pub keyed: Pair,
    /// The text to get, and to apply.
    #[serde(alias = "text_file", alias = "hex")]
    pub text: Text,
}

/// A set and the one that comes after it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pair {
    /// The set.
    pub set: Set,
    /// The set that comes after it.
    pub next: Set,
}

/// A delta and its text.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetWrite {
    /// The delta.
    pub keyed: Alone,
    /// The text to get.
    #[serde(alias = "text_file", alias = "hex")]
    pub text: Text,
}

/// A delta by itself.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Alone {
    /// The delta.
    pub change: Change,
}

/// What a consumer receives, and what it has then.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetApply {
    /// What the consumer holds, and what it has then.
    pub keyed: Applied,
    /// The text that it receives; or else a delta.
    #[serde(alias = "text_file", alias = "hex")]
    pub text: Option<Text>,
}

/// The sets before and after, and a delta.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Applied {
    /// The set that the consumer holds.
    pub set: Option<Set>,
    /// The delta that it receives, where that is no text.
    pub change: Option<Change>,
    /// The set that it has then, if it is compared.
    pub next: Option<Set>,
    /// The root of that, if it is compared.
    pub root: Option<String>,
}

/// What a consumer can't receive.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetReject {
    /// What the consumer holds.
    pub keyed: Held,
    /// The text that it receives; or else a delta.
    #[serde(alias = "text_file", alias = "hex")]
    pub text: Option<Text>,
    /// The error to get.
    pub error: ExpectedError,
}

/// The set before, and a delta.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Held {
    /// The set that the consumer holds.
    pub set: Option<Set>,
    /// The delta that it receives, where that is no text.
    pub change: Option<Change>,
}

/// What can't be written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetRefuse {
    /// A set, two, or a delta.
    pub keyed: Unwritten,
    /// The error to get.
    pub error: ExpectedError,
}

/// A set, two, or a delta.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unwritten {
    /// The set to write.
    pub set: Option<Set>,
    /// The set that comes after it: the delta to it is written.
    pub next: Option<Set>,
    /// The delta to write.
    pub change: Option<Change>,
}

/// The texts of a session.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetSession {
    /// The session.
    pub keyed: Session,
}

/// What a consumer receives.
enum Incoming<'c> {
    Text(&'c [u8]),
    Change(&'c Change),
}

impl<'c> Incoming<'c> {
    fn of(text: Option<&'c Text>, change: Option<&'c Change>) -> Result<Self, String> {
        match (text, change) {
            (Some(text), None) => Ok(Incoming::Text(text)),
            (None, Some(change)) => Ok(Incoming::Change(change)),
            (None, None) => Err("missing field `text` or `change`".to_owned()),
            (Some(_), Some(_)) => Err("it has both text and change".to_owned()),
        }
    }

    fn bytes(self, subject: &dyn KeyedSets) -> Result<Vec<u8>, String> {
        match self {
            Incoming::Text(text) => Ok(text.to_vec()),
            Incoming::Change(change) => {
                subject.write(change).map(String::into_bytes).map_err(failed("encode"))
            }
        }
    }
}

impl SetApply {
    fn incoming(&self) -> Result<Incoming<'_>, String> {
        Incoming::of(self.text.as_ref(), self.keyed.change.as_ref())
    }

    /// Whether its members go together.
    pub(crate) fn check(&self) -> Result<(), String> {
        self.incoming().map(drop)
    }
}

impl SetReject {
    fn incoming(&self) -> Result<Incoming<'_>, String> {
        Incoming::of(self.text.as_ref(), self.keyed.change.as_ref())
    }

    /// Whether its members go together.
    pub(crate) fn check(&self) -> Result<(), String> {
        self.incoming().map(drop)
    }
}

/// What is written and refused.
enum Outgoing<'c> {
    Set(&'c Set),
    Difference(&'c Set, &'c Set),
    Change(&'c Change),
}

impl SetRefuse {
    fn outgoing(&self) -> Result<Outgoing<'_>, String> {
        let Unwritten { set, next, change } = &self.keyed;
        match (set, next, change) {
            (Some(set), None, None) => Ok(Outgoing::Set(set)),
            (Some(set), Some(next), None) => Ok(Outgoing::Difference(set, next)),
            (None, None, Some(change)) => Ok(Outgoing::Change(change)),
            _ => Err("keyed: it needs set, or set and next, or change".to_owned()),
        }
    }

    /// Whether its members go together.
    pub(crate) fn check(&self) -> Result<(), String> {
        self.outgoing().map(drop)
    }
}

/// The set has the root and the text, and is read back.
pub(crate) fn whole(subject: &dyn KeyedSets, case: &SetCase) -> Verdict {
    let Rooted { set, root: expected } = &case.keyed;
    let (root, written) = subject.text(set).map_err(failed("encode"))?;
    if expected.as_ref().is_some_and(|expected| root != *expected) {
        return Err(format!("the root is {root}"));
    }
    if let Some(text) = &case.text {
        same_text(ENCODES, written.as_bytes(), text)?;
    }
    let (received, rows) = subject.receive(None, written.as_bytes()).map_err(failed("decode"))?;
    if received != root {
        return Err(format!("it reads back with the root {received}, expected {root}"));
    }
    same_rows(&rows, set)
}

/// The delta between two sets is the text, and turns the one into the other.
pub(crate) fn delta(subject: &dyn KeyedSets, case: &SetDelta) -> Verdict {
    let Pair { set, next } = &case.keyed;
    let written = subject.between(set, next).map_err(failed("encode"))?;
    same_text(ENCODES, written.as_bytes(), &case.text)?;
    let (root, rows) = subject.receive(Some(set), written.as_bytes()).map_err(failed("apply"))?;
    let (expected, _) = subject.text(next).map_err(failed("encode"))?;
    if root != expected {
        return Err(format!("the result has the root {root}, expected {expected}"));
    }
    same_rows(&rows, next)
}

/// The delta encodes to the text.
pub(crate) fn writes(subject: &dyn KeyedSets, case: &SetWrite) -> Verdict {
    let written = subject.write(&case.keyed.change).map_err(failed("encode"))?;
    same_text(ENCODES, written.as_bytes(), &case.text)
}

/// The text turns the set into the next one.
pub(crate) fn applies(subject: &dyn KeyedSets, case: &SetApply) -> Verdict {
    let input = case.incoming()?.bytes(subject)?;
    let (root, rows) = subject.receive(case.keyed.set.as_ref(), &input).map_err(failed("apply"))?;
    if case.keyed.root.as_ref().is_some_and(|expected| root != *expected) {
        return Err(format!("the result has the root {root}"));
    }
    case.keyed.next.as_ref().map_or(Ok(()), |next| same_rows(&rows, next))
}

/// The text can't be decoded, or not be applied to the set.
pub(crate) fn rejects(subject: &dyn KeyedSets, case: &SetReject) -> Verdict {
    let input = case.incoming()?.bytes(subject)?;
    refused(subject.receive(case.keyed.set.as_ref(), &input), &case.error)
}

/// The set, the delta between two sets or the delta can't be encoded.
pub(crate) fn refuses(subject: &dyn KeyedSets, case: &SetRefuse) -> Verdict {
    match case.outgoing()? {
        Outgoing::Set(set) => refused(subject.text(set), &case.error),
        Outgoing::Difference(set, next) => refused(subject.between(set, next), &case.error),
        Outgoing::Change(change) => refused(subject.write(change), &case.error),
    }
}

/// The texts are those of a session.
pub(crate) fn session(subject: &dyn KeyedSets, case: &SetSession) -> Verdict {
    let expected = &case.keyed.texts;
    let texts = subject.session(&case.keyed).map_err(failed("send"))?;
    if texts.len() != expected.len() {
        return Err(format!("it sends {} texts, expected {}", texts.len(), expected.len()));
    }
    texts
        .iter()
        .zip(expected)
        .try_for_each(|(found, expected)| same_text(ENCODES, found.as_bytes(), expected.as_bytes()))
}

const ENCODES: &str = "it encodes to";

/// Whether rows are those of a set, in whatever order. A map's rows have their keys as a field.
fn same_rows(found: &Value, set: &Set) -> Verdict {
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
        members.insert(name, as_read(value));
    }
}
