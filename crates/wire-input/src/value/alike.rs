//! Rows with the same members.

use std::borrow::Cow;
use std::collections::HashSet;

use wire_core::json::{Error, Reader, Token};

/// Returns `true` if all objects of an array have the same members, in any order. The text is the
/// JSON of an array of objects. Reading ends at the first object with other members.
pub fn are_alike(json: &str) -> bool {
    rows_are_alike(&mut Reader::new(json)).unwrap_or(false)
}

fn rows_are_alike(reader: &mut Reader<'_>) -> Result<bool, Error> {
    if !matches!(reader.value()?, Token::Array) || !reader.item()? {
        return Ok(true);
    }
    let Some(first) = members(reader, |_, _| true)? else { return Ok(false) };
    let sorted: HashSet<&Cow<'_, str>> = first.iter().collect();
    while reader.item()? {
        // Most objects have their members in the same order.
        let is_known =
            |at: usize, key: &Cow<'_, str>| first.get(at) == Some(key) || sorted.contains(key);
        match members(reader, is_known)? {
            Some(row) if row.len() == first.len() => {}
            _ => return Ok(false),
        }
    }
    Ok(true)
}

/// The names of the members of the next value; `None` if it is no object, or if one of them is not
/// accepted.
fn members<'t>(
    reader: &mut Reader<'t>,
    is_accepted: impl Fn(usize, &Cow<'t, str>) -> bool,
) -> Result<Option<Vec<Cow<'t, str>>>, Error> {
    let mut names = Vec::new();
    if !matches!(reader.value()?, Token::Object) {
        return Ok(None);
    }
    while let Some(key) = reader.key()? {
        let key = key.decode();
        if !is_accepted(names.len(), &key) {
            return Ok(None);
        }
        names.push(key);
        reader.skip()?;
    }
    Ok(Some(names))
}
