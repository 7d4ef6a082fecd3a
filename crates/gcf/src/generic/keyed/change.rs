//! The changes between two sets: between, apply, and its text.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::{self, Write as _};

use serde::Serialize;
use serde::de::DeserializeOwned;
use wire_core::PackRoot;
use wire_core::text::shown;

use super::set::{KeyedSet, Row, check_tool, in_any_order, push_fields, push_rows};
use crate::generic::decode::typed_rows;
use crate::generic::encode::scalar_rows;
use crate::generic::grammar::HEADER;
use crate::header::savings;
use crate::lines::GROUP_PREFIX;
use crate::{Error, ErrorKind};

/// Deltas of so much of the whole set's size are not worth sending (section 10a.2).
const WORTH_IT_PERCENT: usize = 60;

/// The changes between two sets with the same fields (section 10a.2). As in [`KeyedSet`], the order
/// of rows does not count when two are compared.
#[derive(Clone, Debug)]
pub struct Delta {
    /// The fields and the key, and the rows that are added.
    pub(super) added: KeyedSet,
    pub(super) changed: Vec<Row>,
    /// Keys, as they are hashed.
    pub(super) removed: Vec<Box<str>>,
    pub(super) base_root: PackRoot<'static>,
    pub(super) new_root: PackRoot<'static>,
    pub(super) tool: Option<String>,
    pub(super) savings: Option<i64>,
}

impl PartialEq for Delta {
    fn eq(&self, other: &Self) -> bool {
        let Delta { added, changed, removed, base_root, new_root, tool, savings } = self;
        (added, base_root, new_root, tool, savings)
            == (&other.added, &other.base_root, &other.new_root, &other.tool, &other.savings)
            && in_any_order(changed, &other.changed)
            && in_any_order(removed, &other.removed)
    }
}

impl Eq for Delta {}

#[cold]
fn contradictory<T>(message: String) -> Result<T, Error> {
    Err(Error::encode(ErrorKind::ContradictoryDelta, message))
}

impl Delta {
    /// A delta between sets of these roots, with the key and the fields of `set`, whose rows don't
    /// count. For producers that know what changed; others use [`KeyedSet::delta_to`].
    pub fn new(set: &KeyedSet, base_root: PackRoot<'static>, new_root: PackRoot<'static>) -> Self {
        let added = KeyedSet { rows: Vec::new(), ..set.clone() };
        Delta {
            added,
            changed: Vec::new(),
            removed: Vec::new(),
            base_root,
            new_root,
            tool: None,
            savings: None,
        }
    }

    /// Adds rows that the base does not have.
    ///
    /// # Errors
    ///
    /// As [`KeyedSet::extend`], and `contradictory_delta` where the delta says something of a key
    /// already.
    pub fn add<T: Serialize + ?Sized>(&mut self, rows: &T) -> Result<(), Error> {
        self.added.extend(rows)?;
        self.check()
    }

    /// Adds rows that replace the rows with the same keys.
    ///
    /// # Errors
    ///
    /// As [`Delta::add`].
    pub fn change<T: Serialize + ?Sized>(&mut self, rows: &T) -> Result<(), Error> {
        let mut changed =
            KeyedSet { rows: std::mem::take(&mut self.changed), ..self.added.clone() };
        let result = changed.extend(rows);
        self.changed = changed.rows;
        result?;
        self.check()
    }

    /// Adds the keys of rows that are gone: scalars.
    ///
    /// # Errors
    ///
    /// As [`Delta::add`].
    pub fn remove<T: Serialize>(&mut self, keys: impl IntoIterator<Item = T>) -> Result<(), Error> {
        let rows: Vec<HashMap<&str, T>> =
            keys.into_iter().map(|key| HashMap::from([(self.key(), key)])).collect();
        let mut keys = KeyedSet::new(self.key(), [self.key()])?;
        keys.rows = keys.arranged(scalar_rows(&rows)?)?;
        keys.check_unique()?;
        self.removed.extend(keys.rows.into_iter().flat_map(<[_]>::into_vec));
        self.check()
    }

    /// Names the tool whose answer this is.
    ///
    /// # Errors
    ///
    /// `invalid_name` if it is not printable ASCII without spaces.
    pub fn with_tool(mut self, tool: &str) -> Result<Self, Error> {
        check_tool(tool)?;
        self.tool = Some(tool.to_owned());
        Ok(self)
    }

    /// Sets the token counts of the delta and of the full set, from which the savings in its header
    /// are computed: 100·(1 − delta/full), rounded to a whole number, half to even.
    #[must_use]
    pub fn with_tokens(mut self, delta: u64, full: u64) -> Self {
        self.savings = Some(savings(delta, full));
        self
    }

    /// The root of the set that it applies to.
    pub fn base_root(&self) -> &PackRoot<'static> {
        &self.base_root
    }

    /// The root of the set that comes out.
    pub fn new_root(&self) -> &PackRoot<'static> {
        &self.new_root
    }

    /// The tool, if it is known.
    pub fn tool(&self) -> Option<&str> {
        self.tool.as_deref()
    }

    /// The savings in percent, if they are known.
    pub fn savings(&self) -> Option<i64> {
        self.savings
    }

    /// The name of the key.
    pub fn key(&self) -> &str {
        self.added.key()
    }

    /// The names of the fields.
    pub fn fields(&self) -> &[String] {
        self.added.fields()
    }

    /// The number of rows that are added, changed or removed.
    pub fn len(&self) -> usize {
        self.added.len() + self.changed.len() + self.removed.len()
    }

    /// Returns `true` if nothing changes.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.changed.is_empty() && self.removed.is_empty()
    }

    /// The rows that are added.
    ///
    /// # Errors
    ///
    /// `invalid_value` where a row is not what the type asks for.
    pub fn added<T: DeserializeOwned>(&self) -> Result<Vec<T>, Error> {
        self.added.rows()
    }

    /// The rows that replace the rows with the same keys.
    ///
    /// # Errors
    ///
    /// As [`Delta::added`].
    pub fn changed<T: DeserializeOwned>(&self) -> Result<Vec<T>, Error> {
        typed_rows(self.fields(), &self.changed)
    }

    /// The rows that are gone, with their key alone.
    ///
    /// # Errors
    ///
    /// As [`Delta::added`].
    pub fn removed<T: DeserializeOwned>(&self) -> Result<Vec<T>, Error> {
        typed_rows(&[self.key().to_owned()], &self.removed_rows())
    }

    fn removed_rows(&self) -> Vec<Row> {
        self.removed.iter().map(|key| Row::from([key.clone()])).collect()
    }

    /// Returns `true` if the text of the delta is less than 60 % of that of the whole set, in bytes
    /// (section 10a.2).
    pub fn is_worth_it(&self, full: &KeyedSet) -> bool {
        100 * self.to_string().len() < WORTH_IT_PERCENT * full.to_string().len()
    }

    /// Refuses a delta that says two things about one key.
    pub(super) fn check(&self) -> Result<(), Error> {
        let mut seen = HashSet::new();
        let key = self.added.key;
        let keys =
            self.added.rows.iter().chain(&self.changed).map(|row| &row[key]).chain(&self.removed);
        for key in keys {
            if !seen.insert(key) {
                let key = shown(key);
                return contradictory(format!("the delta has the key {key} twice, expected once"));
            }
        }
        Ok(())
    }
}

/// The delta as text. Its sections are in the order added, changed, removed, and those without rows
/// are left out.
impl fmt::Display for Delta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = HEADER.to_owned();
        if let Some(tool) = &self.tool {
            let _ = write!(text, " tool={tool}");
        }
        let _ = write!(
            text,
            " delta=true base_root={} new_root={} key={}",
            self.base_root,
            self.new_root,
            self.key()
        );
        if let Some(savings) = self.savings {
            let _ = write!(text, " savings={savings}%");
        }
        text.push('\n');
        for (name, rows) in [("added", &self.added.rows), ("changed", &self.changed)] {
            if !rows.is_empty() {
                let _ = write!(text, "{GROUP_PREFIX}{name} [{}]", rows.len());
                push_fields(&mut text, self.fields(), self.added.key);
                push_rows(&mut text, rows);
            }
        }
        if !self.removed.is_empty() {
            let _ = write!(text, "{GROUP_PREFIX}removed [{}]", self.removed.len());
            push_fields(&mut text, &[self.key().to_owned()], 0);
            push_rows(&mut text, &self.removed_rows());
        }
        f.write_str(&text)
    }
}

impl KeyedSet {
    /// The delta from this set to the next one, with its rows in the order of their keys.
    ///
    /// # Errors
    ///
    /// `schema_change` if the fields, their order or the key differ: then the whole set has to be
    /// sent (section 10a.7).
    pub fn delta_to(&self, next: &KeyedSet) -> Result<Delta, Error> {
        if self.fields != next.fields || self.key != next.key {
            let message =
                "the two sets differ in their fields or key, expected the same: send the whole set";
            return Err(Error::encode(ErrorKind::SchemaChange, message));
        }
        let by_key = |set: &'_ KeyedSet| -> BTreeMap<Box<str>, Row> {
            set.rows.iter().map(|row| (row[set.key].clone(), row.clone())).collect()
        };
        let mut base = by_key(self);
        let mut delta = Delta::new(self, self.root(), next.root());
        for (key, row) in by_key(next) {
            match base.remove(&key) {
                None => delta.added.rows.push(row),
                Some(old) if old != row => delta.changed.push(row),
                Some(_) => {}
            }
        }
        delta.removed = base.into_keys().collect();
        Ok(delta)
    }

    /// Applies a delta and returns the new set, whose root is the one that the delta declares.
    /// Changed rows keep their positions, and added rows are last.
    ///
    /// # Errors
    ///
    /// `base_root_mismatch` if the delta is for another set; `schema_change` if it has other
    /// fields; `contradictory_delta` if it adds a row that exists, changes or removes one that does
    /// not, or has two changes for a key; and `root_mismatch` if the result does not have the
    /// declared root. After an error, request the full set.
    pub fn apply(&self, delta: &Delta) -> Result<KeyedSet, Error> {
        const GONE: &str = "does not exist, expected a key of the set";
        let root = self.root();
        if delta.base_root != root {
            let message =
                format!("the delta is based on the root {}, expected {root}", delta.base_root);
            return Err(Error::encode(ErrorKind::BaseRootMismatch, message));
        }
        // Without rows a delta says nothing of the other fields.
        let has_rows = !delta.added.is_empty() || !delta.changed.is_empty();
        let same_fields = delta.fields() == self.fields || !has_rows;
        if delta.key() != self.key() || !same_fields {
            let message =
                "the delta has other fields or another key than the set, expected the same";
            return Err(Error::encode(ErrorKind::SchemaChange, message));
        }
        delta.check()?;
        let mut places: HashMap<&str, usize> =
            self.rows.iter().enumerate().map(|(place, row)| (&*row[self.key], place)).collect();
        let mut rows: Vec<Option<Row>> = self.rows.iter().cloned().map(Some).collect();
        let wrong = |does: &str, key: &str, problem: &str| {
            contradictory(format!("the delta {does} {}, which {problem}", shown(key)))
        };
        for row in &delta.changed {
            let key = &row[self.key];
            let Some(&place) = places.get(&**key) else {
                return wrong("changes", key, GONE);
            };
            rows[place] = Some(row.clone());
        }
        for key in &delta.removed {
            let Some(place) = places.remove(&**key) else {
                return wrong("removes", key, GONE);
            };
            rows[place] = None;
        }
        for row in &delta.added.rows {
            let key = &row[self.key];
            if places.contains_key(&**key) {
                return wrong("adds", key, "already exists, expected a new key");
            }
            rows.push(Some(row.clone()));
        }
        let next = KeyedSet { rows: rows.into_iter().flatten().collect(), ..self.clone() };
        let root = next.root();
        if root != delta.new_root {
            let message = format!("the result has the root {root}, expected {}", delta.new_root);
            return Err(Error::encode(ErrorKind::RootMismatch, message));
        }
        Ok(next)
    }
}
