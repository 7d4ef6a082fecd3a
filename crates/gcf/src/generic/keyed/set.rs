//! A set of rows with a key, its root and its text.

use std::collections::HashSet;
use std::fmt::{self, Write as _};

use serde::Serialize;
use serde::de::DeserializeOwned;
use wire_core::PackRoot;
use wire_core::text::{is_token, shown};

use crate::generic::decode::typed_rows;
use crate::generic::encode::{ScalarRows, scalar_rows};
use crate::generic::grammar::{HEADER, push_key};
use crate::generic::scalar::{Scalar, push_quoted, push_scalar, read_scalar};
use crate::root::RootAlgorithm;
use crate::{Error, ErrorKind};

/// The scalars of a row in the order of the fields, each as it is hashed (section 10a.3): texts
/// always in quotes.
pub(in crate::generic) type Row = Box<[Box<str>]>;

/// A set of flat rows with the same fields. One field is the key, whose value is different in every
/// row.
///
/// Every row has every field; an unknown value is `null`. A root covers scalars only, so rows can't
/// contain arrays or objects.
///
/// Two sets are equal if they have the same name, key, fields in their order, and rows. The order
/// of the rows has no meaning, so it does not count, nor does the tool. The text of a set is what
/// it displays.
///
/// ```
/// use gcf::keyed::KeyedSet;
/// use serde_json::json;
///
/// let set = KeyedSet::from_rows("id", &json!([{"id": 1}, {"id": 2}]))?;
/// assert_eq!(set, KeyedSet::from_rows("id", &json!([{"id": 2}, {"id": 1}]))?);
/// # Ok::<(), gcf::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct KeyedSet {
    pub(super) name: String,
    /// `true` if it is an object of objects by their keys, as text a keyed map.
    pub(super) is_map: bool,
    /// The index of the key among the fields.
    pub(super) key: usize,
    pub(super) fields: Vec<String>,
    pub(super) rows: Vec<Row>,
    pub(super) tool: Option<String>,
}

impl PartialEq for KeyedSet {
    fn eq(&self, other: &Self) -> bool {
        let KeyedSet { name, is_map, key, fields, rows, tool: _ } = self;
        (name, is_map, key, fields) == (&other.name, &other.is_map, &other.key, &other.fields)
            && in_any_order(rows, &other.rows)
    }
}

impl Eq for KeyedSet {}

pub(super) fn in_any_order<T: Ord>(one: &[T], other: &[T]) -> bool {
    one.len() == other.len() && (one == other || sorted(one) == sorted(other))
}

fn sorted<T: Ord>(list: &[T]) -> Vec<&T> {
    let mut items: Vec<&T> = list.iter().collect();
    items.sort_unstable();
    items
}

#[cold]
pub(super) fn not_keyed<T>(message: impl Into<String>) -> Result<T, Error> {
    Err(Error::encode(ErrorKind::NotKeyed, message))
}

/// The rows of an array of objects. The keys of an object of objects would be lost.
fn rows_of_array<T: Serialize + ?Sized>(rows: &T) -> Result<ScalarRows, Error> {
    match scalar_rows(rows)? {
        ScalarRows { keys: Some(_), .. } => not_keyed("the rows are an object, expected an array"),
        found => Ok(found),
    }
}

pub(in crate::generic) fn hashed(scalar: &Scalar<'_>) -> Box<str> {
    let mut text = String::new();
    match scalar {
        Scalar::Text(value) => push_quoted(&mut text, value),
        scalar => push_scalar(&mut text, scalar),
    }
    text.into()
}

impl KeyedSet {
    /// An empty set with these fields, in this order.
    ///
    /// # Errors
    ///
    /// `not_keyed` if the key is not one of the fields or is not printable ASCII without spaces
    /// (the header contains it), or if a name has a control character (the root is a hash of the
    /// names); and `duplicate_field_name`.
    pub fn new<S: Into<String>>(
        key: &str,
        fields: impl IntoIterator<Item = S>,
    ) -> Result<Self, Error> {
        let fields: Vec<String> = fields.into_iter().map(Into::into).collect();
        let mut seen = HashSet::new();
        for field in &fields {
            if field.chars().any(char::is_control) {
                let field = shown(field);
                return not_keyed(format!(
                    "a field is {field}, expected a name without control characters"
                ));
            }
            if !seen.insert(field) {
                let message = format!("the field {} appears twice, expected once", shown(field));
                return Err(Error::encode(ErrorKind::DuplicateFieldName, message));
            }
        }
        if !is_token(key) || !key.is_ascii() {
            let key = shown(key);
            return not_keyed(format!("the key is {key}, expected printable ASCII without spaces"));
        }
        let Some(place) = fields.iter().position(|field| field == key) else {
            return not_keyed(format!("the key is {}, expected one of the fields", shown(key)));
        };
        Ok(KeyedSet {
            name: "rows".to_owned(),
            is_map: false,
            key: place,
            fields,
            rows: Vec::new(),
            tool: None,
        })
    }

    /// The set of the rows of an array of objects, with their fields in the order in which they
    /// come.
    ///
    /// # Errors
    ///
    /// As [`KeyedSet::new`] and [`KeyedSet::extend`].
    pub fn from_rows<T: Serialize + ?Sized>(key: &str, rows: &T) -> Result<Self, Error> {
        let found = rows_of_array(rows)?;
        let mut set = KeyedSet::new(key, found.fields.iter().cloned())?;
        set.take(found)?;
        Ok(set)
    }

    /// The set of the members of an object of objects, as rows with their keys in the field `key`
    /// before the others. As text it is a keyed map (section 10a.7).
    ///
    /// # Errors
    ///
    /// As [`KeyedSet::from_rows`].
    pub fn from_map<T: Serialize + ?Sized>(key: &str, map: &T) -> Result<Self, Error> {
        let mut found = scalar_rows(map)?;
        let Some(keys) = found.keys.take() else {
            return not_keyed("the map is an array, expected an object");
        };
        found.fields.insert(0, key.to_owned());
        for (row, key) in found.rows.iter_mut().zip(keys) {
            let mut token = String::new();
            push_quoted(&mut token, &key);
            row.insert(0, Some(token));
        }
        let mut set = KeyedSet::new(key, found.fields.iter().cloned())?;
        set.is_map = true;
        set.name.clear();
        set.take(found)?;
        Ok(set)
    }

    /// Sets the name of the set in its text (default `rows`; without one that of a set that is a
    /// map).
    #[must_use]
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Names the tool whose answer the set is, in the header of its text.
    ///
    /// # Errors
    ///
    /// `invalid_name` if it is not printable ASCII without spaces.
    pub fn with_tool(mut self, tool: &str) -> Result<Self, Error> {
        check_tool(tool)?;
        self.tool = Some(tool.to_owned());
        Ok(self)
    }

    /// Adds the rows of an array. The keys of a map would be lost: see [`KeyedSet::from_map`].
    ///
    /// # Errors
    ///
    /// `not_keyed` if a row is not an object of scalars with exactly the fields of the set and a
    /// key that is not `null`, and `duplicate_key` if two rows have the same key.
    pub fn extend<T: Serialize + ?Sized>(&mut self, rows: &T) -> Result<(), Error> {
        self.take(rows_of_array(rows)?)
    }

    fn take(&mut self, found: ScalarRows) -> Result<(), Error> {
        let rows = self.arranged(found)?;
        self.rows.extend(rows);
        self.check_unique()
    }

    /// Rows with their scalars in the order of the set's fields.
    pub(super) fn arranged(&self, found: ScalarRows) -> Result<Vec<Row>, Error> {
        let place = |field: &String| match self.fields.iter().position(|known| known == field) {
            Some(place) => Ok(place),
            None => {
                let field = shown(field);
                not_keyed(format!("a row has the field {field}, expected those of the set only"))
            }
        };
        let places: Vec<usize> = found.fields.iter().map(place).collect::<Result<_, Error>>()?;
        let arranged = |row: Vec<Option<String>>| {
            let mut slots: Vec<Option<Box<str>>> = vec![None; self.fields.len()];
            for (token, &place) in row.into_iter().zip(&places) {
                slots[place] = token.map(|token| match read_scalar(&token) {
                    Ok(scalar) => hashed(&scalar),
                    Err(_) => token.into(),
                });
            }
            let scalar = |(slot, field): (Option<Box<str>>, &String)| match slot {
                Some(scalar) => Ok(scalar),
                None => {
                    let field = shown(field);
                    not_keyed(format!(
                        "a row has no field {field}, expected all of them; write unknown values as null"
                    ))
                }
            };
            slots.into_iter().zip(&self.fields).map(scalar).collect()
        };
        found.rows.into_iter().map(arranged).collect()
    }

    /// Refuses rows without a key, or with that of another.
    pub(super) fn check_unique(&self) -> Result<(), Error> {
        let mut seen = HashSet::new();
        for row in &self.rows {
            let key = &row[self.key];
            if **key == *"-" {
                return not_keyed("the key of a row is null, expected a value");
            }
            if !seen.insert(key) {
                let message =
                    format!("two rows have the key {}, expected different ones", shown(key));
                return Err(Error::encode(ErrorKind::DuplicateKey, message));
            }
        }
        Ok(())
    }

    /// The name of the set in its text.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name of the key.
    pub fn key(&self) -> &str {
        &self.fields[self.key]
    }

    /// The names of the fields, the key among them.
    pub fn fields(&self) -> &[String] {
        &self.fields
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns `true` if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The rows, as values of a type. A set that is a map has its keys in their field.
    ///
    /// # Errors
    ///
    /// `invalid_value` where a row is not what the type asks for.
    pub fn rows<T: DeserializeOwned>(&self) -> Result<Vec<T>, Error> {
        typed_rows(&self.fields, &self.rows)
    }

    /// The root of the set: `gcf-pack-root-v1` for the generic profile (section 10a.3). The order
    /// of the rows does not count, and neither do the name of the set and the order of its fields.
    pub fn root(&self) -> PackRoot<'static> {
        let mut order: Vec<usize> = (0..self.fields.len()).collect();
        order.sort_unstable_by_key(|&place| &self.fields[place]);
        let record = |row: &Row| {
            let mut record = "R".to_owned();
            for &place in &order {
                record.push('\t');
                record.push_str(&self.fields[place]);
                record.push('\t');
                record.push_str(&row[place]);
            }
            record.push('\n');
            record.into_bytes()
        };
        let mut records: Vec<Vec<u8>> = self.rows.iter().map(record).collect();
        records.sort_unstable();
        RootAlgorithm::PackRootV1.of_records(&records)
    }

    /// The answer to a consumer whose root is that of this set: that nothing has changed (section
    /// 10a.4).
    ///
    /// ```
    /// use gcf::keyed::KeyedSet;
    ///
    /// let set = KeyedSet::new("id", ["id"])?;
    /// let text = set.unchanged_to_string();
    /// assert!(
    ///     text.starts_with("GCF profile=generic unchanged=true pack_root=sha256:")
    /// );
    /// assert!(text.ends_with(" count=0\n"));
    /// # Ok::<(), gcf::Error>(())
    /// ```
    pub fn unchanged_to_string(&self) -> String {
        format!("{HEADER} unchanged=true pack_root={} count={}\n", self.root(), self.rows.len())
    }
}

/// The whole set as text, with its root.
impl fmt::Display for KeyedSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = HEADER.to_owned();
        if let Some(tool) = &self.tool {
            text.push_str(" tool=");
            text.push_str(tool);
        }
        let _ = write!(text, " pack_root={} key={}\n## ", self.root(), self.key());
        if !self.is_map || !self.name.is_empty() {
            push_key(&mut text, &self.name);
            text.push(' ');
        }
        // A keyed map has a member at least (section 7.2a.4).
        let colon = if self.is_map && !self.is_empty() { ":" } else { "" };
        let _ = write!(text, "[{}{colon}]", self.rows.len());
        push_fields(&mut text, &self.fields, self.key);
        push_rows(&mut text, &self.rows);
        f.write_str(&text)
    }
}

/// Rejects names that the header can't contain.
pub(super) fn check_tool(tool: &str) -> Result<(), Error> {
    if is_token(tool) && tool.is_ascii() {
        return Ok(());
    }
    let message = format!("the tool is {}, expected printable ASCII without spaces", shown(tool));
    Err(Error::encode(ErrorKind::InvalidName, message))
}

/// Appends the list of the fields with the mark of the key, and the end of the line.
pub(super) fn push_fields(out: &mut String, fields: &[String], key: usize) {
    for (place, field) in fields.iter().enumerate() {
        out.push(if place == 0 { '{' } else { ',' });
        if place == key {
            out.push('@');
        }
        push_key(out, field);
    }
    out.push_str("}\n");
}

pub(super) fn push_rows(out: &mut String, rows: &[Row]) {
    for row in rows {
        for (place, cell) in row.iter().enumerate() {
            if place > 0 {
                out.push('|');
            }
            // As it is hashed, a text has quotes, of which it may need none.
            match read_scalar(cell) {
                Ok(scalar) => push_scalar(out, &scalar),
                Err(_) => out.push_str(cell),
            }
        }
        out.push('\n');
    }
}
