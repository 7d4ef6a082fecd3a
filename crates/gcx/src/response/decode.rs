//! The sections of a layout to JSON.

use std::collections::HashMap;

use serde_json::{Map, Value};
use wire_core::text::shown;

use super::fallback;
use super::layout::{Absence, Array, Cell, Join, Kind, Layout, Owner, Required, Section, Source};
use crate::decode::cell::strings;
use crate::decode::{Row, Sections};
use crate::header::Header;
use crate::json;
use crate::{Error, ErrorKind};

/// What a section was read as.
enum Part {
    Rows(Vec<Value>),
    /// What the fallback gave.
    Any(Value),
}

/// The JSON of a tool's response.
pub(super) fn response<'a>(
    reader: &mut impl Sections<'a>,
    tool: &str,
    layout: &'static Layout,
) -> Result<Value, Error> {
    let mut metadata = Map::new();
    let mut parts: Vec<Option<Part>> = layout.sections.iter().map(|_| None).collect();
    let mut joined = layout.join.map(Joined::new);
    while let Some(header) = reader.section()? {
        let suffix = header.tool().strip_prefix(tool);
        let place = layout.sections.iter().position(|section| Some(section.suffix) == suffix);
        let Some(place) = place.filter(|&place| parts[place].is_none()) else {
            let names: Vec<String> =
                layout.sections.iter().map(|section| format!("{tool}{}", section.suffix)).collect();
            let message = format!(
                "the section is {}, expected {}, each once",
                shown(header.tool()),
                names.join(", ")
            );
            return Err(Error::at(ErrorKind::InvalidShape, reader.line_place(), message));
        };
        let section = &layout.sections[place];
        for meta in section.meta {
            let text = header.meta(meta.key).unwrap_or_default();
            let value = value(meta.kind, text).map_err(|expected| {
                let message =
                    format!("the metadata `{}` is {}, expected {expected}", meta.key, shown(text));
                Error::at(ErrorKind::InvalidCell, reader.line_place(), message)
            })?;
            metadata.extend(value.map(|value| (meta.key.to_owned(), value)));
        }
        parts[place] = Some(if let Source::Any(_) = section.source {
            Part::Any(fallback::read(reader, &header)?)
        } else {
            Part::Rows(rows(reader, section, &header, joined.as_mut())?)
        });
    }
    let mut object = Map::new();
    let mut others = false;
    for (index, (section, part)) in layout.sections.iter().zip(parts).enumerate() {
        let missing = |what: &str| {
            let message = format!("the section {tool}{} {what}", section.suffix);
            Error::at(ErrorKind::InvalidShape, reader.line_place(), message)
        };
        let value = match part {
            None if section.absence == Absence::NoSection => continue,
            None => return Err(missing("is not there, expected it")),
            Some(Part::Any(value)) => value,
            Some(Part::Rows(mut rows)) if section.source.is_one_row() => {
                rows.pop().ok_or_else(|| missing("has no row, expected exactly one"))?
            }
            Some(Part::Rows(rows)) => Value::Array(rows),
        };
        others |= index > 0;
        match section.source.members().first() {
            Some(member) => object.insert((*member).to_owned(), value),
            None => return Ok(value),
        };
    }
    if let Some(joined) = joined {
        object.insert(joined.join.list.to_owned(), Value::Array(joined.objects));
    }
    if layout.array == Array::Canonical && metadata.is_empty() && !others {
        return Ok(object.into_iter().next().map(|(_, rows)| rows).unwrap_or_default());
    }
    object.extend(metadata);
    Ok(Value::Object(object))
}

/// The rows of a section, as their objects, or as the values of the one cell.
fn rows<'a>(
    reader: &mut impl Sections<'a>,
    section: &Section,
    header: &Header<'_>,
    mut joined: Option<&mut Joined>,
) -> Result<Vec<Value>, Error> {
    let has = |column: &str| section.cells.iter().any(|cell| cell.column == column);
    let unknown = header.fields().find(|field| !has(field));
    let missing = section
        .cells
        .iter()
        .find(|cell| cell.required != Required::Never && header.column(cell.column).is_none());
    if unknown.is_some() || missing.is_some() {
        let found = match (unknown, missing) {
            (Some(field), _) => format!("has the field {}", shown(field)),
            (_, cell) => format!("has no field `{}`", cell.map_or("", |cell| cell.column)),
        };
        let columns: Vec<&str> = section.cells.iter().map(|cell| cell.column).collect();
        let message = format!("the section {found}, expected of {}", columns.join(","));
        return Err(Error::at(ErrorKind::InvalidShape, reader.line_place(), message));
    }
    let columns: Vec<(&Cell, usize)> =
        section.cells.iter().filter_map(|cell| Some((cell, header.column(cell.column)?))).collect();
    let mut rows = Vec::new();
    while let Some(row) = reader.row()? {
        if section.source.is_one_row() && !rows.is_empty() {
            let message = "the section has another row, expected exactly one";
            return Err(Error::at(ErrorKind::InvalidShape, reader.line_place(), message));
        }
        let (mut own, mut other) = (Map::new(), Map::new());
        for &(cell, column) in &columns {
            let value = read(cell, &row, header, column).map_err(|message| {
                Error::at(ErrorKind::InvalidCell, reader.cell_place(column), message)
            })?;
            let owner = if cell.owner == Owner::Row { &mut own } else { &mut other };
            owner.extend(value.map(|value| (cell.members[0].to_owned(), value)));
        }
        for cell in section.cells.iter().filter(|cell| cell.kind == Kind::List) {
            own.entry(cell.members[0]).or_insert_with(|| Value::Array(Vec::new()));
        }
        if let Some(joined) = joined.as_deref_mut() {
            joined.take(&own, other).map_err(|member| {
                let cell = columns.iter().find(|(cell, _)| cell.owner == Owner::Joined && cell.members[0] == member);
                let column = cell.map_or(0, |(_, column)| *column);
                let message = format!(
                    "the cell is another than in the row before with the same `{}`, expected the same",
                    joined.join.by
                );
                Error::at(ErrorKind::InvalidCell, reader.cell_place(column), message)
            })?;
        }
        rows.push(match section.source {
            Source::Word(_) | Source::Texts(_) => {
                own.into_iter().next().map_or_else(|| "".into(), |(_, value)| value)
            }
            _ => Value::Object(own),
        });
    }
    Ok(rows)
}

/// The value of a cell; none if it is empty.
fn read(
    cell: &Cell,
    row: &Row<'_>,
    header: &Header<'_>,
    column: usize,
) -> Result<Option<Value>, String> {
    let text = row.cell(column).unwrap_or_default();
    let needed = match cell.required {
        Required::Always => true,
        Required::Never => false,
        Required::Unless(other) => row.get(header, other).unwrap_or_default().is_empty(),
    };
    if text.is_empty() && needed {
        return Err(format!(
            "the cell of `{}` is empty, expected {}",
            cell.column,
            cell.kind.name()
        ));
    }
    value(cell.kind, text).map_err(|expected| {
        format!("the cell of `{}` is {}, expected {expected}", cell.column, shown(text))
    })
}

/// The value of a text; none if it is empty. The error is what was expected.
fn value(kind: Kind, text: &str) -> Result<Option<Value>, &'static str> {
    if text.is_empty() {
        return Ok(None);
    }
    let truth = || match text {
        "true" => Some(true.into()),
        "false" => Some(false.into()),
        _ => None,
    };
    // Not another number (ruling A6).
    let any_number = |text| {
        let beyond = json::digits(text).is_some() && !json::holds_integers(text);
        json::any_number(text).filter(|_| !beyond)
    };
    let value = match kind {
        Kind::Text => Some(text.into()),
        Kind::Integer => json::integer(text),
        Kind::Number => any_number(text),
        Kind::Truth => truth(),
        Kind::Scalar => truth().or_else(|| any_number(text)),
        Kind::List => strings(text).map(Value::Array),
    };
    value.map(Some).ok_or(kind.name())
}

/// The objects that rows refer to, made of what their cells say.
struct Joined {
    join: Join,
    objects: Vec<Value>,
    /// What was said of each: nothing, or the place of its object.
    known: HashMap<String, Option<usize>>,
}

impl Joined {
    fn new(join: Join) -> Self {
        Joined { join, objects: Vec::new(), known: HashMap::new() }
    }

    /// Takes in what a row says of the object that it refers to. The error is the member that another row said otherwise.
    fn take(&mut self, row: &Map<String, Value>, said: Map<String, Value>) -> Result<(), String> {
        let Some(id) = row.get(self.join.by).and_then(Value::as_str) else { return Ok(()) };
        let Some(place) = self.known.get(id) else {
            let place = (!said.is_empty()).then_some(self.objects.len());
            self.known.insert(id.to_owned(), place);
            if place.is_some() {
                let mut object = Map::from_iter([(self.join.id.to_owned(), id.into())]);
                object.extend(said);
                self.objects.push(Value::Object(object));
            }
            return Ok(());
        };
        let empty = Map::new();
        let before = place.and_then(|place| self.objects[place].as_object()).unwrap_or(&empty);
        let members = said.keys().chain(before.keys()).filter(|member| **member != self.join.id);
        match members.into_iter().find(|member| said.get(*member) != before.get(*member)) {
            Some(member) => Err(member.clone()),
            None => Ok(()),
        }
    }
}
