//! Converts JSON text that is an array of objects to one section without a tree. The result is that
//! of [`fallback`](super::fallback) for its value, which a test checks. More complex text is left
//! to the conversion of a tree.

use std::borrow::Cow;

use wire_core::json::{Duplicates, Reader, Text, Token};

use super::fallback::{Form, is_sparse};
use super::types::{ColumnTypes, Shape, Types};
use crate::Error;
use crate::encode::{Cells, Options, Table, push_object};
use crate::grammar::TYPED;
use crate::header::Header;

/// Where a JSON text is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A caller.
    Caller,
    /// A value of serde: the text has no errors, and its values are written as in cells of JSON.
    Written,
}

/// The section of a JSON text; `None` when a tree is needed.
pub(super) fn section(
    tool: &str,
    json: &str,
    origin: Origin,
    form: Form,
    options: &Options,
) -> Option<Result<String, Error>> {
    let mut table = Table::default();
    if (origin, form) == (Origin::Written, Form::Typed) {
        push_written(&mut table, json)?;
    } else {
        push_items(&mut table, json, form, options)?;
    }
    if table.names().len() == 0 || !table.names().all(|name| options.can_be_field(name)) {
        return None;
    }
    match form {
        Form::Plain => Some(table.into_section(tool, options)),
        Form::Typed => typed(tool, &table, options),
    }
}

/// Adds the objects of a text; `None` if it is something else, or has an error.
fn push_items(table: &mut Table, json: &str, form: Form, options: &Options) -> Option<()> {
    let cells = if form == Form::Typed { Cells::Json } else { Cells::Plain };
    let mut are_objects = true;
    // The table and its cells check the keys themselves.
    Text::of(Reader::new(json).exact(options.exact).duplicates(Duplicates::Passed))
        .each_item(|item| {
            are_objects = push_object(table, item, cells).unwrap_or(false);
            are_objects
        })
        .ok()?;
    are_objects.then_some(())
}

/// The same of a text whose values are written as in cells of JSON.
fn push_written(table: &mut Table, json: &str) -> Option<()> {
    let mut reader = Reader::new(json).duplicates(Duplicates::Passed).max_nesting(usize::MAX);
    let Ok(Token::Array) = reader.value() else { return None };
    while reader.item().ok()? {
        let Ok(Token::Object) = reader.value() else { return None };
        let start = table.begin_row();
        while let Some(key) = reader.key().ok()? {
            let value = reader.skip().ok()?;
            table.json_cell(&key.decode(), value).ok()?;
        }
        table.end_raw_row(start);
    }
    Some(())
}

/// The section of rows whose cells are JSON; `None` when the cells would be mostly empty.
fn typed(tool: &str, table: &Table, options: &Options) -> Option<Result<String, Error>> {
    let mut seen = vec![(ColumnTypes::default(), 0); table.names().len()];
    for row in table.each_row() {
        for (column, cell) in row {
            let (seen, members) = &mut seen[column];
            seen.json(cell);
            *members += 1;
        }
    }
    let members = seen.iter().map(|(_, members)| members).sum();
    if is_sparse(table.rows(), seen.len(), members) {
        return None;
    }
    let types = seen.iter_mut().map(|(seen, members)| {
        seen.absent = *members < table.rows();
        seen.into_type()
    });
    let types: Vec<_> = types.collect();
    // The columns are numbered in the order in which they first appeared.
    let header = Header::new(tool, table.names())
        .with_rows(table.rows() as u64)
        .with_meta(TYPED, Types { shape: Shape::Objects, columns: types.clone() }.to_string());
    let written = || {
        let mut writer = options.writer(Vec::new());
        options.begin(&mut writer, &header)?;
        let mut cells = vec![Cow::Borrowed(""); types.len()];
        for row in table.each_row() {
            cells.fill("".into());
            for (column, cell) in row {
                cells[column] = types[column].of_json(cell);
            }
            writer.row(&cells)?;
        }
        Ok(String::from_utf8(writer.finish()?).expect("because it is made of strings"))
    };
    Some(written())
}
