//! The types of the cells of a column, beside texts.
//!
//! A column is of a type if each of its texts is exactly what writing the value gives back, in JSON
//! and in the formats of this workspace, so that nothing is lost: `007`, `1.50`, `+1`, `1e3` and
//! `TRUE` are texts, and so is an integer beyond 64 bits. An empty cell is null in every column.

use serde_json::{Map, Number, Value};
use wire_core::number::Digits;

use crate::warning::Warning;

/// The type of the cells of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    /// All of them are empty.
    Empty,
    Integers,
    /// Integers and decimal numbers.
    Numbers,
    TruthValues,
    Texts,
}

impl Column {
    /// The columns of rows of texts, which have so many each. A cell that is quoted is a text; of no
    /// rows it may be not known which are.
    pub(super) fn of_rows(count: usize, rows: &[Value], quoted: &[Vec<bool>]) -> Vec<Self> {
        let mut columns = vec![Column::Empty; count];
        for (index, row) in rows.iter().enumerate() {
            let cells = row.as_object().into_iter().flat_map(Map::values);
            for (at, (column, cell)) in columns.iter_mut().zip(cells).enumerate() {
                let is_text = quoted.get(index).is_some_and(|row| row[at]);
                let cell = cell.as_str().unwrap_or_default();
                *column = if is_text { Column::Texts } else { column.with(cell) };
            }
        }
        columns
    }

    /// The same with one more cell.
    fn with(self, cell: &str) -> Self {
        match (self, cell) {
            (column, "") => column,
            (Column::Empty | Column::TruthValues, "true" | "false") => Column::TruthValues,
            (Column::Texts | Column::TruthValues, _) => Column::Texts,
            (column, cell) => match number(cell) {
                None => Column::Texts,
                Some(number) if number.is_f64() => Column::Numbers,
                Some(_) if column == Column::Numbers => Column::Numbers,
                Some(_) => Column::Integers,
            },
        }
    }

    /// Replaces the text of a cell with its value.
    pub(super) fn take(self, cell: &mut Value) {
        let Value::String(text) = cell else { return };
        *cell = match self {
            _ if text.is_empty() => Value::Null,
            Column::Integers | Column::Numbers => {
                number(text).expect("because the column is one of numbers").into()
            }
            Column::TruthValues => (text == "true").into(),
            Column::Empty | Column::Texts => return,
        };
    }

    /// Its name in messages.
    fn name(self) -> &'static str {
        match self {
            Column::Empty => "null",
            Column::Integers => "integer",
            Column::Numbers => "number",
            Column::TruthValues => "boolean",
            Column::Texts => "string",
        }
    }

    /// Reports the inferred type of each column.
    pub(super) fn report(header: &[String], columns: &[Self]) -> Warning {
        let named =
            || header.iter().map(String::as_str).zip(columns.iter().map(|column| column.name()));
        let in_words = |(name, kind): (&str, _)| match name {
            "" => format!("\"\" {kind}"),
            name => format!("{name} {kind}"),
        };
        let list: Vec<String> = named().map(in_words).collect();
        let object: Map<String, Value> =
            named().map(|(name, kind)| (name.to_owned(), kind.into())).collect();
        Warning::note("types", format!("types of columns: {}", list.join(", ")))
            .with_details("columns", object.into())
    }
}

/// The number that is written as exactly this text, as an integer of 64 bits with a sign or a
/// decimal number.
fn number(text: &str) -> Option<Number> {
    if let Ok(integer) = text.parse::<i64>() {
        // `+1`, `007` and `-0` are written otherwise.
        return Some(Number::from(integer)).filter(|number| number.to_string() == text);
    }
    // Not `1e3`, nor `inf`, nor an integer beyond 64 bits, which would be another one.
    if !text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'.'))
        || !text.contains('.')
    {
        return None;
    }
    let double: f64 = text.parse().ok()?;
    let number = Number::from_f64(double)?;
    let is_same = Digits::new().shortest(double) == text && number.to_string() == text;
    is_same.then_some(number)
}
