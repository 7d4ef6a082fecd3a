//! Rows of scalars, which have no attachments: of sets with a key, of streams, and in groups.

use std::collections::{HashMap, HashSet};

use serde::Serialize;
use wire_core::text::shown;

use super::Encoder;
use super::cells::push_constant;
use super::keys::KeyId;
use super::record::tape_of;
use super::table::Table;
use super::tape::Node;
use crate::generic::grammar::push_key;
use crate::lines::GROUP_PREFIX;
use crate::{Error, ErrorKind};

/// The fields of rows, and the tokens of each row; `None` if a row does not have the field.
#[derive(Debug)]
pub(in crate::generic) struct ScalarRows {
    pub(in crate::generic) fields: Vec<String>,
    pub(in crate::generic) rows: Vec<Vec<Option<String>>>,
    /// The keys of the objects, if they are the members of an object.
    pub(in crate::generic) keys: Option<Vec<String>>,
}

#[cold]
fn refused<T>(message: impl Into<String>) -> Result<T, Error> {
    Err(Error::encode(ErrorKind::NotKeyed, message))
}

/// The rows of an array or object of objects of scalars.
pub(in crate::generic) fn scalar_rows<T: Serialize + ?Sized>(
    value: &T,
) -> Result<ScalarRows, Error> {
    let tape = tape_of(value)?;
    let name = |key: KeyId| tape.shapes.names.text(key).to_owned();
    let keys = match tape.node(0) {
        Node::Array { .. } => None,
        Node::Object { shape, .. } => {
            Some(tape.shapes.keys(shape).iter().copied().map(name).collect())
        }
        _ => return refused("the value is a scalar, expected an array or object of objects"),
    };
    let items: Vec<usize> = tape.children(0).collect();
    let Some(table) = Table::union(&tape, &items, Encoder::new()) else {
        return refused("a row is not an object, expected objects of scalars");
    };
    let mut rows = Vec::with_capacity(items.len());
    for &item in &items {
        let mut row = vec![None; table.fields.len()];
        let Node::Object { shape, .. } = tape.node(item) else { continue };
        for (&place, value) in table.places(shape).iter().zip(tape.children(item)) {
            if !tape.is_scalar(value) {
                let field = shown(&name(table.fields[place as usize].key));
                return refused(format!(
                    "the field {field} of a row is an array or object, expected a scalar"
                ));
            }
            row[place as usize] = Some(tape.scalar(value).to_owned());
        }
        rows.push(row);
    }
    let fields = table.fields.iter().map(|field| name(field.key)).collect();
    Ok(ScalarRows { fields, rows, keys })
}

#[cold]
fn not_groupable<T>(message: impl Into<String>) -> Result<T, Error> {
    Err(Error::encode(ErrorKind::NotGroupable, message))
}

/// Appends the text of an array of objects of scalars after the header line, with its rows in groups
/// by the value of one field (specification 3.6).
pub(super) fn groups<T: Serialize + ?Sized>(
    value: &T,
    key: &str,
    group: &str,
    out: &mut String,
) -> Result<(), Error> {
    let rows = scalar_rows(value).map_err(|error| match error.kind() {
        ErrorKind::NotKeyed => Error::encode(ErrorKind::NotGroupable, error.message()),
        _ => error,
    });
    let ScalarRows { fields, rows, keys } = rows?;
    if keys.is_some() {
        return not_groupable("the value is an object, expected an array of objects");
    }
    if key == group {
        let both = shown(key);
        return not_groupable(format!(
            "the key and the field of the groups are both {both}, expected two fields"
        ));
    }
    let place = |name: &str| {
        let missing = || format!("no object has the field {}, expected it in all", shown(name));
        fields.iter().position(|field| field == name).map_or_else(|| not_groupable(missing()), Ok)
    };
    let (key, group) = (place(key)?, place(group)?);
    let mut keys = HashSet::new();
    let mut groups: Vec<(&str, Vec<&[Option<String>]>)> = Vec::new();
    let mut by_token: HashMap<&str, usize> = HashMap::new();
    for row in &rows {
        let (Some(id), Some(token)) = (row[key].as_deref(), row[group].as_deref()) else {
            return not_groupable("an object has no key or no group, expected both in each");
        };
        if id == "-" {
            return not_groupable("the key of an object is null, expected a value");
        }
        if !keys.insert(id) {
            let message =
                format!("two objects have the key {}, expected different ones", shown(id));
            return Err(Error::encode(ErrorKind::DuplicateKey, message));
        }
        let at = *by_token.entry(token).or_insert(groups.len());
        if at == groups.len() {
            groups.push((token, Vec::new()));
        }
        groups[at].1.push(row);
    }
    let constant = |place: usize| {
        let first = rows[0][place].as_deref()?;
        let is_same = |row: &Vec<Option<String>>| row[place].as_deref() == Some(first);
        (rows.len() > 1 && place != group && rows.iter().all(is_same)).then_some(first)
    };
    let constants: Vec<Option<&str>> = (0..fields.len()).map(constant).collect();

    out.push_str(&format!("{GROUP_PREFIX}[{}]", rows.len()));
    let mut between = '{';
    for (place, field) in fields.iter().enumerate() {
        out.push(std::mem::replace(&mut between, ','));
        if place == key {
            out.push('@');
        }
        push_key(out, field);
        if let Some(constant) = constants[place] {
            out.push('=');
            push_constant(out, constant);
        }
    }
    out.push_str("} group=");
    push_key(out, &fields[group]);
    out.push('\n');
    for (token, rows) in groups {
        push_key(out, &fields[group]);
        out.push_str(&format!("={token} [{}]\n", rows.len()));
        for row in rows {
            for (place, cell) in row.iter().enumerate() {
                if place != group && constants[place].is_none() {
                    out.push_str(cell.as_deref().unwrap_or("~"));
                    out.push('|');
                }
            }
            // Every cell is followed by a delimiter, and the key is always a cell.
            out.pop();
            out.push('\n');
        }
    }
    Ok(())
}
