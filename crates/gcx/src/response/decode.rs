//! The sections of a layout to JSON.

use std::collections::{BTreeSet, HashMap};

use wire_core::number::Digits;
use wire_core::text::shown;

use super::extras::{self, Extras};
use super::fallback;
use super::layout::{Absence, Array, Cell, Join, Kind, Layout, Owner, Required, Section, Source};
use crate::decode::cell::{Beyond, number, strings};
use crate::decode::{Row, Sections};
use crate::grammar::EXTRAS;
use crate::header::Header;
use crate::json::{self, Json, Member, Object, get};
use crate::{Error, ErrorKind};

/// The content of a section.
enum Part {
    Rows(Vec<Json<'static>>),
    /// The result of the fallback.
    Any(Json<'static>),
}

/// The JSON of a tool's response.
pub(super) fn response<'a>(
    reader: &mut impl Sections<'a>,
    tool: &str,
    layout: &'static Layout,
    beyond: Beyond,
) -> Result<Json<'static>, Error> {
    let mut metadata = Object::default();
    let mut is_first = true;
    // Sections of further members that have not been read.
    let mut missing = BTreeSet::new();
    let mut further = Object::default();
    let mut parts: Vec<Option<Part>> = layout.sections.iter().map(|_| None).collect();
    let mut joined = layout.join.map(Joined::new);
    while let Some(header) = reader.section()? {
        let suffix = header.tool().strip_prefix(tool);
        let name = suffix.and_then(|suffix| suffix.strip_prefix('.')).unwrap_or_default();
        if missing.remove(name) {
            let value = fallback::read(reader, &header, beyond)?;
            further.push((name.to_owned().into(), value));
            continue;
        }
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
        let extras = extras_of(reader, layout, section, &header, is_first)?;
        for key in &extras.meta {
            let text = header.meta(key).unwrap_or_default();
            let value = extras::read_meta(text, beyond).map_err(|(kind, expected)| {
                let message = format!(
                    "the metadata {} is {}, expected {expected}, since `extras` names it",
                    shown(key),
                    shown(text)
                );
                Error::at(kind, reader.line_place(), message)
            })?;
            further.push((key.clone().into(), value.into_owned()));
        }
        let columns = extras.columns;
        if is_first {
            missing = extras.sections;
            is_first = false;
        }
        for meta in section.meta {
            let text = header.meta(meta.key).unwrap_or_default();
            let value = value(meta.kind, text, beyond).map_err(|(kind, expected)| {
                let message =
                    format!("the metadata `{}` is {}, expected {expected}", meta.key, shown(text));
                Error::at(kind, reader.line_place(), message)
            })?;
            metadata.extend(value.map(|value| (meta.key.into(), value.into_owned())));
        }
        parts[place] = Some(if let Source::Any(_) = section.source {
            Part::Any(fallback::read(reader, &header, beyond)?)
        } else {
            Part::Rows(rows(reader, section, &header, columns, joined.as_mut(), beyond)?)
        });
    }
    if let Some(missing) = missing.first() {
        let message = format!(
            "the section {tool}.{missing} is missing, expected it, since `extras` names it"
        );
        return Err(Error::at(ErrorKind::InvalidShape, reader.line_place(), message));
    }
    let mut object = Object::default();
    let mut others = !further.is_empty();
    for (index, (section, part)) in layout.sections.iter().zip(parts).enumerate() {
        let missing = |what: &str| {
            let message = format!("the section {tool}{} {what}", section.suffix);
            Error::at(ErrorKind::InvalidShape, reader.line_place(), message)
        };
        let value = match part {
            None if section.absence == Absence::NoSection => continue,
            None => return Err(missing("is missing, expected it")),
            Some(Part::Any(value)) => value,
            Some(Part::Rows(mut rows)) if section.source.is_one_row() => {
                rows.pop().ok_or_else(|| missing("has no row, expected exactly one"))?
            }
            Some(Part::Rows(rows)) => Json::Array(rows),
        };
        others |= index > 0;
        match section.source.members().first() {
            Some(member) => object.push(((*member).into(), value)),
            None => return Ok(value),
        }
    }
    if let Some(joined) = joined {
        object.push((joined.join.list.into(), Json::Array(joined.objects)));
    }
    if layout.array == Array::Canonical && metadata.is_empty() && !others {
        return Ok(object.into_iter().next().map(|(_, rows)| rows).unwrap_or_default());
    }
    object.extend(metadata);
    object.extend(further);
    Ok(Json::Object(object))
}

/// The content of a section's metadata `extras`. Only the first section lists further metadata and
/// sections.
fn extras_of<'a>(
    reader: &impl Sections<'a>,
    layout: &Layout,
    section: &Section,
    header: &Header<'_>,
    is_first: bool,
) -> Result<Extras, Error> {
    let Some(text) = header.meta(EXTRAS) else { return Ok(Extras::default()) };
    let extras = Extras::parse(text).filter(|extras| {
        let mut names = extras.meta.iter().chain(&extras.sections);
        (extras.columns == 0 || section.has_objects())
            && extras.columns <= header.fields.len()
            && (is_first || (extras.meta.is_empty() && extras.sections.is_empty()))
            && !names.any(|name| layout.knows(name) || layout.has_section(name))
            && extras.meta.is_disjoint(&extras.sections)
    });
    extras.ok_or_else(|| {
        let message = format!(
            "the metadata `extras` is {}, expected a number of columns and, in the first header, names of members outside the layout, such as `1,took_ms,.facets`",
            shown(text)
        );
        Error::at(ErrorKind::InvalidShape, reader.line_place(), message)
    })
}

/// The rows of a section, as their objects, or as the values of the only cell.
fn rows<'a>(
    reader: &mut impl Sections<'a>,
    section: &Section,
    header: &Header<'_>,
    further: usize,
    mut joined: Option<&mut Joined>,
    beyond: Beyond,
) -> Result<Vec<Json<'static>>, Error> {
    let has = |column: &str| section.cells.iter().any(|cell| cell.column == column);
    let (own, further) = header.fields.split_at(header.fields.len() - further);
    let is_member = |field: &str| {
        section.cells.iter().any(|cell| cell.owner == Owner::Row && cell.members.contains(&field))
    };
    let is_taken = |field: &str| has(field) || is_member(field);
    let unknown = own.iter().find(|field| !has(field));
    let unknown = unknown.or_else(|| further.iter().find(|field| is_taken(field)));
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
        let message = format!("the section {found}, expected the fields {}", columns.join(","));
        return Err(Error::at(ErrorKind::InvalidShape, reader.line_place(), message));
    }
    let columns: Vec<(&Cell, usize)> =
        section.cells.iter().filter_map(|cell| Some((cell, header.column(cell.column)?))).collect();
    let own_columns = own.len();
    let mut rows = Vec::new();
    while let Some(row) = reader.row()? {
        if section.source.is_one_row() && !rows.is_empty() {
            let message = "the section has another row, expected exactly one";
            return Err(Error::at(ErrorKind::InvalidShape, reader.line_place(), message));
        }
        let (mut own, mut other) = (Object::default(), Object::default());
        for &(cell, column) in &columns {
            let value = read(cell, &row, header, column, beyond)
                .map_err(|(kind, message)| Error::at(kind, reader.cell_place(column), message))?;
            let owner = if cell.owner == Owner::Row { &mut own } else { &mut other };
            owner.extend(value.map(|value| (cell.members[0].into(), value.into_owned())));
        }
        for (column, field) in further.iter().enumerate() {
            let text = row.cell(own_columns + column).unwrap_or_default();
            let value = extras::read(text, beyond).map(Json::into_owned);
            own.extend(value.map(|value| (field.to_string().into(), value)));
        }
        for cell in section.cells.iter().filter(|cell| cell.kind == Kind::List) {
            if get(&own, cell.members[0]).is_none() {
                own.push((cell.members[0].into(), Json::Array(Vec::new())));
            }
        }
        if let Some(joined) = joined.as_deref_mut() {
            joined.take(&own, other).map_err(|member| {
                let cell = columns
                    .iter()
                    .find(|(cell, _)| cell.owner == Owner::Joined && cell.members[0] == member);
                let column = cell.map_or(0, |(_, column)| *column);
                let message = format!(
                    "the cell differs from the row before with the same `{}`, expected the same",
                    joined.join.by
                );
                Error::at(ErrorKind::InvalidCell, reader.cell_place(column), message)
            })?;
        }
        rows.push(match section.source {
            Source::Word(_) | Source::Texts(_) => {
                own.into_iter().next().map_or(Json::String("".into()), |(_, value)| value)
            }
            _ => Json::Object(own),
        });
    }
    Ok(rows)
}

/// The value of a cell; `None` when it is empty.
fn read<'c>(
    cell: &Cell,
    row: &'c Row<'_>,
    header: &Header<'_>,
    column: usize,
    beyond: Beyond,
) -> Result<Option<Json<'c>>, (ErrorKind, String)> {
    let text = row.cell(column).unwrap_or_default();
    let needed = match cell.required {
        Required::Always => true,
        Required::Never => false,
        Required::Unless(other) => row.get(header, other).unwrap_or_default().is_empty(),
    };
    if text.is_empty() && needed {
        let message =
            format!("the cell of `{}` is empty, expected {}", cell.column, cell.kind.name());
        return Err((ErrorKind::InvalidCell, message));
    }
    value(cell.kind, text, beyond).map_err(|(kind, expected)| {
        (kind, format!("the cell of `{}` is {}, expected {expected}", cell.column, shown(text)))
    })
}

/// The value of a text; `None` when it is empty. The error is what was expected.
fn value(
    kind: Kind,
    text: &str,
    beyond: Beyond,
) -> Result<Option<Json<'_>>, (ErrorKind, &'static str)> {
    if text.is_empty() {
        return Ok(None);
    }
    let truth = || match text {
        "true" => Some(Json::Bool(true)),
        "false" => Some(Json::Bool(false)),
        _ => None,
    };
    let is_number = matches!(kind, Kind::Integer | Kind::Number | Kind::Scalar);
    if is_number && json::digits(text).is_some() && !beyond.holds(text) {
        // Not another number (ruling A6).
        return Err((ErrorKind::OutOfRange, "an integer of 64 bits"));
    }
    let any_number = |text| any_number(text, beyond);
    let value = match kind {
        Kind::Text => Some(Json::String(text.into())),
        Kind::Integer => json::digits(text).and_then(|digits| number(digits, beyond)),
        Kind::Number => any_number(text),
        Kind::Truth => truth(),
        Kind::Scalar => truth().or_else(|| any_number(text)),
        Kind::List => strings(text).map(Json::Array),
    };
    value.map(Some).ok_or((ErrorKind::InvalidCell, kind.name()))
}

/// The number in a cell, of any notation.
fn any_number(text: &str, beyond: Beyond) -> Option<Json<'_>> {
    let is_held = json::is_integer(text) && beyond.holds(text);
    if beyond == Beyond::Literals || is_held || json::is_canonical(text) {
        return json::is_number(text).then(|| Json::Number(text.into()));
    }
    // As it decodes after encoding: `1.0` as 1.
    let double = json::double(text)?;
    Some(Json::Number(Digits::new().shortest(double).to_owned().into()))
}

/// The objects that rows refer to, built from the rows' cells.
struct Joined {
    join: Join,
    objects: Vec<Json<'static>>,
    /// The objects by id: `None`, or the index of the object.
    known: HashMap<String, Option<usize>>,
}

impl Joined {
    fn new(join: Join) -> Self {
        Joined { join, objects: Vec::new(), known: HashMap::new() }
    }

    /// Adds what a row states about the object that it refers to. The error is the member that
    /// contradicts another row.
    fn take(&mut self, row: &[Member<'_>], said: Object<'static>) -> Result<(), String> {
        let Some(id) = get(row, self.join.by).and_then(Json::as_str) else { return Ok(()) };
        let Some(place) = self.known.get(id) else {
            let place = (!said.is_empty()).then_some(self.objects.len());
            self.known.insert(id.to_owned(), place);
            if place.is_some() {
                let id = Json::String(id.to_owned().into());
                let mut object = vec![(self.join.id.into(), id)];
                object.extend(said);
                self.objects.push(Json::Object(object));
            }
            return Ok(());
        };
        let before = place.and_then(|place| self.objects[place].as_object()).unwrap_or(&[]);
        let members = said.iter().chain(before).map(|(member, _)| &**member);
        let mut others = members.filter(|member| *member != self.join.id);
        match others.find(|member| get(&said, member) != get(before, member)) {
            Some(member) => Err(member.to_owned()),
            None => Ok(()),
        }
    }
}
