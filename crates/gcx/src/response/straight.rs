//! Converts JSON text that is an array of objects to one section without a tree. The result is that
//! of [`fallback`](super::fallback) for its value, which a test checks. More complex text is left
//! to the conversion of a tree.

use std::borrow::Cow;

use wire_core::__private::json::{Reader, Text};

use super::fallback::{Form, is_sparse};
use super::types::{ColumnTypes, Shape, Types};
use crate::Error;
use crate::encode::{Cells, Options, Table, push_object};
use crate::grammar::TYPED;
use crate::header::Header;

/// The section of a JSON text; `None` when a tree is needed.
pub(super) fn section(
    tool: &str,
    json: Reader<'_>,
    form: Form,
    options: &Options,
) -> Option<Result<Vec<u8>, Error>> {
    let cells = if form == Form::Typed { Cells::Json } else { Cells::Plain };
    let mut table = Table::default();
    let source = Text::of(json).exact(options.exact);
    let mut are_objects = true;
    source
        .each_item(|item| {
            are_objects = push_object(&mut table, item, cells).unwrap_or(false);
            are_objects
        })
        .ok()?;
    if !are_objects {
        return None;
    }
    if table.names().len() == 0 || !table.names().all(|name| options.can_be_field(name)) {
        return None;
    }
    match form {
        Form::Plain => Some(table.into_section(tool, options)),
        Form::Typed => typed(tool, &table, options),
    }
}

/// The section of rows whose cells are JSON; `None` when the cells would be mostly empty.
fn typed(tool: &str, table: &Table, options: &Options) -> Option<Result<Vec<u8>, Error>> {
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
        writer.finish()
    };
    Some(written())
}
