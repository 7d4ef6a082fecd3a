//! Rows in groups (specification 3.6): an array of objects of scalars, by the value of one field.

use std::collections::{HashMap, HashSet};

use wire_core::__private::text::shown;

use super::cells::push_constant;
use super::config::Config;
use super::keys::KeyId;
use super::table::{Form, Table};
use super::tape::{Node, Tape};
use crate::graph::grammar::GROUP_PREFIX;
use crate::{Error, ErrorKind};

#[cold]
fn refused<T>(message: String) -> Result<T, Error> {
    Err(Error::encode(ErrorKind::NotGroupable, message))
}

/// Appends the text after the header line.
pub(super) fn body(tape: &Tape, key: &str, group: &str, out: &mut String) -> Result<(), Error> {
    let Node::Array { .. } = tape.node(0) else {
        return refused("the value is not an array, expected an array of objects".to_owned());
    };
    if key == group {
        return refused(format!(
            "the key and the field of the groups are both {}, expected two fields",
            shown(key)
        ));
    }
    let rows: Vec<usize> = tape.children(0).collect();
    let Some(mut table) = Table::union(tape, &rows, Config::DEFAULT) else {
        return refused(
            "the array contains something other than objects, expected objects of scalars"
                .to_owned(),
        );
    };
    for field in &mut table.fields {
        // Names with a `>` are columns here, and never paths.
        (field.form, field.is_column) = (Form::Plain, true);
    }
    let place = |name: &str| {
        let is_named = |field: KeyId| tape.shapes.names.text(field) == name;
        table.fields.iter().position(|field| is_named(field.key)).map_or_else(
            || refused(format!("no object has the field {}, expected it in all", shown(name))),
            Ok,
        )
    };
    let (key, group) = (place(key)?, place(group)?);
    let values = values(tape, &table, &rows, key, group)?;
    table.factor(tape, &rows);
    table.fields[key].form = Form::Plain;
    table.fields[group].form = Form::Plain;
    header(tape, &table, rows.len(), key, group, out);

    let mut groups: Vec<(&str, Vec<&[Option<usize>]>)> = Vec::new();
    let mut by_token: HashMap<&str, usize> = HashMap::new();
    for row in values.chunks(table.fields.len()) {
        let token = row[group].map_or("-", |node| tape.scalar(node));
        let at = *by_token.entry(token).or_insert(groups.len());
        if at == groups.len() {
            groups.push((token, Vec::new()));
        }
        groups[at].1.push(row);
    }
    let mut name = String::new();
    tape.shapes.names.push(&mut name, table.fields[group].key);
    for (token, rows) in groups {
        out.push_str(&format!("{name}={token} [{}]\n", rows.len()));
        for row in rows {
            for (place, value) in row.iter().enumerate() {
                if place != group && table.fields[place].form == Form::Plain {
                    out.push_str(value.map_or("~", |node| tape.scalar(node)));
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

/// The values of all rows by field; `None` if a row does not have it.
fn values(
    tape: &Tape,
    table: &Table,
    rows: &[usize],
    key: usize,
    group: usize,
) -> Result<Vec<Option<usize>>, Error> {
    let width = table.fields.len();
    let mut values = vec![None; rows.len() * width];
    let mut keys = HashSet::new();
    for (&row, slots) in rows.iter().zip(values.chunks_mut(width)) {
        let Node::Object { shape, .. } = tape.node(row) else { continue };
        for (&place, value) in table.places(shape).iter().zip(tape.children(row)) {
            if !tape.is_scalar(value) {
                let name = tape.shapes.names.text(table.fields[place as usize].key);
                return refused(format!(
                    "the field {} is an array or object, expected a scalar",
                    shown(name)
                ));
            }
            slots[place as usize] = Some(value);
        }
        for (place, what) in [(key, "key"), (group, "group")] {
            let there = slots[place]
                .is_some_and(|node| place == group || !matches!(tape.node(node), Node::Null));
            if !there {
                return refused(format!("an object has no {what}, expected one in each"));
            }
        }
        let token = slots[key].map_or("", |node| tape.scalar(node));
        if !keys.insert(token) {
            let message =
                format!("two objects have the key {}, expected different ones", shown(token));
            return Err(Error::encode(ErrorKind::DuplicateKey, message));
        }
    }
    Ok(values)
}

fn header(tape: &Tape, table: &Table, rows: usize, key: usize, group: usize, out: &mut String) {
    out.push_str(&format!("{GROUP_PREFIX}[{rows}]"));
    let mut between = '{';
    for (place, field) in table.fields.iter().enumerate() {
        out.push(std::mem::replace(&mut between, ','));
        if place == key {
            out.push('@');
        }
        tape.shapes.names.push(out, field.key);
        if let Form::Constant(node) = field.form {
            out.push('=');
            push_constant(out, tape.scalar(node));
        }
    }
    out.push_str("} group=");
    tape.shapes.names.push(out, table.fields[group].key);
    out.push('\n');
}
