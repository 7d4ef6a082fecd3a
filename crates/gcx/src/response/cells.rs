//! The texts of cells, by the kinds of a layout.

use super::joined::Joined;
use super::layout::{Cell, Kind, Owner, Required, Section};
use super::parts::{Row, member};
use super::problem::{invalid_at, wrong};
use crate::Error;
use crate::encode::value::{Style, push_double, push_json};
use crate::escape::without_carriage_returns;
use crate::json::{Json, double, is_integer};

/// The texts of the cells of a row.
pub(super) fn cells(
    row: &Row<'_>,
    section: &Section,
    cells: &[&Cell],
    joined: Option<&Joined<'_>>,
) -> Result<Vec<String>, Error> {
    let Json::Object(object) = row.value else {
        // The value is the only cell.
        let text = text_of(cells[0].kind, Some(row.value), || row.path(None))?;
        if text.is_empty() && cells[0].required == Required::Always {
            return Err(wrong(&row.path(None), row.value, "a text that is not empty"));
        }
        return Ok(vec![text]);
    };
    let node = joined.and_then(|joined| joined.of(object));
    let mut texts = Vec::with_capacity(cells.len());
    for cell in cells {
        let owner = match cell.owner {
            Owner::Row => Some(*row),
            Owner::Joined => node,
        };
        let path = |name: &str| owner.unwrap_or(*row).path(Some(name));
        let object = owner.and_then(|owner| owner.value.as_object());
        let found = object.map(|object| member(object, cell.members, path)).transpose()?.flatten();
        let name = found.map_or(cell.members[0], |(name, _)| name);
        texts.push(text_of(cell.kind, found.map(|(_, value)| value), || path(name))?);
    }
    for (cell, text) in cells.iter().zip(&texts) {
        let needed = match cell.required {
            Required::Always => true,
            Required::Never => false,
            Required::Unless(other) => {
                cells.iter().zip(&texts).any(|(cell, text)| cell.column == other && text.is_empty())
            }
        };
        if needed && text.is_empty() {
            let message = format!(
                "{} is missing or empty, expected {}",
                row.path(Some(cell.members[0])),
                cell.kind.name()
            );
            return Err(invalid_at(&message));
        }
    }
    debug_assert_eq!(texts.len(), cells.len(), "a cell for each column of {}", section.suffix);
    Ok(texts)
}

/// The text of a cell, before escaping; empty for a missing member.
pub(super) fn text_of(
    kind: Kind,
    value: Option<&Json<'_>>,
    path: impl Fn() -> String,
) -> Result<String, Error> {
    let value = match value {
        None | Some(Json::Null) => return Ok(String::new()),
        Some(value) => value,
    };
    let text = match (kind, value) {
        (Kind::Text, Json::String(text)) => Some(without_carriage_returns(text).into_owned()),
        (Kind::Integer | Kind::Number | Kind::Scalar, Json::Number(literal))
            if is_integer(literal) =>
        {
            Some(literal.clone().into_owned())
        }
        (Kind::Integer, Json::Number(literal)) => double(literal).and_then(integral),
        (Kind::Truth | Kind::Scalar, Json::Bool(truth)) => Some(truth.to_string()),
        (Kind::Number | Kind::Scalar, Json::Number(literal)) => double(literal).map(|double| {
            let mut out = String::new();
            push_double(&mut out, double, Style::Plain);
            out
        }),
        (Kind::List, Json::Array(items)) => {
            let texts: Option<Vec<&str>> = items.iter().map(Json::as_str).collect();
            texts.map(|texts| list(&texts))
        }
        // Whatever the kind, the empty text is an empty cell.
        (_, Json::String(text)) if text.is_empty() => Some(String::new()),
        _ => None,
    };
    text.ok_or_else(|| wrong(&path(), value, kind.name()))
}

/// The digits of a double that is an integer.
#[allow(clippy::cast_possible_truncation)] // an integral double below 2^63 is an i64
fn integral(number: f64) -> Option<String> {
    const BEYOND: f64 = 9_223_372_036_854_775_808.0; // 2^63
    (number.fract() == 0.0 && number.abs() < BEYOND).then(|| (number as i64).to_string())
}

/// A list cell: the elements separated by commas, or JSON where that would be read as other
/// elements.
fn list(elements: &[&str]) -> String {
    let elements: Vec<_> =
        elements.iter().map(|element| without_carriage_returns(element)).collect();
    let unclear =
        |element: &str| element.is_empty() || element.contains(',') || element.starts_with('[');
    if !elements.iter().any(|element| unclear(element)) {
        return elements.join(",");
    }
    let mut out = String::new();
    push_json(&mut out, &elements, Style::Plain).expect("because strings can be written");
    out
}
