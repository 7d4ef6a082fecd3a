//! Rows in groups (specification 3.6): an array of objects of scalars, by the value of one field.

use std::collections::{HashMap, HashSet};

use serde::Serialize;
use wire_core::__private::text::shown;

use super::cells::push_constant;
use super::rows::{ScalarRows, scalar_rows};
use crate::generic::grammar::push_key;
use crate::graph::grammar::GROUP_PREFIX;
use crate::{Error, ErrorKind};

#[cold]
fn refused<T>(message: impl Into<String>) -> Result<T, Error> {
    Err(Error::encode(ErrorKind::NotGroupable, message))
}

pub(super) fn body<T: Serialize + ?Sized>(
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
        return refused("the value is an object, expected an array of objects");
    }
    if key == group {
        let both = shown(key);
        return refused(format!(
            "the key and the field of the groups are both {both}, expected two fields"
        ));
    }
    let place = |name: &str| {
        let missing = || format!("no object has the field {}, expected it in all", shown(name));
        fields.iter().position(|field| field == name).map_or_else(|| refused(missing()), Ok)
    };
    let (key, group) = (place(key)?, place(group)?);
    let mut keys = HashSet::new();
    let mut groups: Vec<(&str, Vec<&[Option<String>]>)> = Vec::new();
    let mut by_token: HashMap<&str, usize> = HashMap::new();
    for row in &rows {
        let (Some(id), Some(token)) = (row[key].as_deref(), row[group].as_deref()) else {
            return refused("an object has no key or no group, expected both in each");
        };
        if id == "-" {
            return refused("the key of an object is null, expected a value");
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
