//! CSV with a header, or the same with tabs, as an array of objects.

use ::csv::StringRecord;
use serde_json::{Map, Value};
use wire_core::text::shown;
use wire_core::{CodecError, Position};

use super::csv_types::Column;
use crate::converted::{Remark, Warning};
use crate::source::Cells;

const SYNTAX: &str = "csv_syntax";

/// The rows as objects with the names of the header, and the warnings about them.
pub(super) fn read(
    text: &str,
    delimiter: u8,
    cells: Cells,
) -> Result<(Value, Vec<Warning>), CodecError> {
    let failed = |error: &::csv::Error| {
        let position = error.position().map(|place| {
            let offset = usize::try_from(place.byte()).unwrap_or(usize::MAX);
            Position::in_text(text.as_bytes(), offset)
        });
        let message = match error.kind() {
            ::csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                let cells = if *len == 1 { "cell" } else { "cells" };
                format!("a row has {len} {cells}, expected {expected_len}")
            }
            _ => error.to_string(),
        };
        CodecError::new(SYNTAX, position, message)
    };
    check_quotes(text, delimiter)?;
    let mut reader = ::csv::ReaderBuilder::new().delimiter(delimiter).from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| failed(&error))?.clone();
    let mut names = Map::new();
    for name in &header {
        if names.insert(name.to_owned(), Value::Null).is_some() {
            let offset = text.len() - text.trim_start_matches(['\r', '\n']).len();
            let position = Position::in_text(text.as_bytes(), offset);
            let message = format!("the header has {} twice, expected once", shown(name));
            return Err(CodecError::new("duplicate_key", Some(position), message));
        }
    }
    if header.len() == 1 {
        check_empty_lines(text)?;
    }
    let mut rows = Vec::new();
    for row in reader.records() {
        let row = row.map_err(|error| failed(&error))?;
        let members = header.iter().zip(&row).map(|(name, cell)| (name.to_owned(), cell.into()));
        rows.push(Value::Object(members.collect()));
    }
    let mut warnings: Vec<Warning> = other_delimiter(&header, delimiter).into_iter().collect();
    if rows.is_empty() && !header.is_empty() {
        let message = "there are no rows, so the names of the columns are lost";
        warnings.push(Warning::loss(message));
    } else if cells == Cells::Inferred && !header.is_empty() {
        let columns = Column::of_rows(header.len(), &rows);
        for row in &mut rows {
            let members = row.as_object_mut().into_iter().flat_map(Map::values_mut);
            for (column, cell) in columns.iter().zip(members) {
                column.take(cell);
            }
        }
        warnings.push(Warning::note(Column::report(&header, &columns)));
    }
    Ok((Value::Array(rows), warnings))
}

/// A note on one column whose name looks like several.
fn other_delimiter(header: &StringRecord, delimiter: u8) -> Option<Warning> {
    let name = header.get(0).filter(|_| header.len() == 1)?;
    let (found, option) = match delimiter {
        b',' if name.contains('\t') => ("tabs", "expected --from tsv"),
        b'\t' if name.contains(',') => ("commas", "expected --from csv"),
        _ if name.contains(';') => ("semicolons", "expected commas or tabs between cells"),
        _ => return None,
    };
    let message = format!("the one column is named {}, with {found}: {option}?", shown(name));
    Some(Warning::note(Remark::note("delimiter", message)))
}

/// Refuses quotes that don't end, or not with their cell: readers of CSV make different things of
/// them.
fn check_quotes(text: &str, delimiter: u8) -> Result<(), CodecError> {
    let bytes = text.as_bytes();
    let wrong = |at: usize, message: &str| {
        Err(CodecError::new(SYNTAX, Some(Position::in_text(bytes, at)), message))
    };
    let is_end = |at: usize| {
        bytes.get(at).is_none_or(|&byte| byte == delimiter || matches!(byte, b'\n' | b'\r'))
    };
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] != b'"' {
            // A cell without quotes, up to its end.
            while !is_end(at) {
                at += 1;
            }
            at += 1;
            continue;
        }
        let start = at;
        at += 1;
        loop {
            match bytes[at..].iter().position(|&byte| byte == b'"') {
                None => return wrong(start, "a quoted cell does not end, expected a quote"),
                Some(length) if bytes.get(at + length + 1) == Some(&b'"') => at += length + 2,
                Some(length) => {
                    at += length + 1;
                    break;
                }
            }
        }
        if !is_end(at) {
            return wrong(
                at,
                "text follows a quoted cell, expected the next cell or the end of the line",
            );
        }
        at += 1;
    }
    Ok(())
}

/// Refuses empty lines between rows of one cell: each could be an empty cell, or nothing.
fn check_empty_lines(text: &str) -> Result<(), CodecError> {
    let body = text.trim_end_matches(['\r', '\n']);
    let mut offset = 0;
    for line in body.split_inclusive('\n') {
        if offset > 0 && line.trim_end_matches(['\r', '\n']).is_empty() {
            let position = Position::in_text(text.as_bytes(), offset);
            let message = "a line is empty, expected a cell; write an empty cell as \"\"";
            return Err(CodecError::new(SYNTAX, Some(position), message));
        }
        offset += line.len();
    }
    Ok(())
}
