//! JSON to the sections of a layout.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::io::Write;

use wire_core::text::shown;

use super::extras::{self, Further};
use super::fallback::{self, Form};
use super::layout::{Absence, Array, Cell, Join, Kind, Layout, Owner, Required, Section, Source};
use crate::encode::value::{Doubles, push_cell, push_json};
use crate::encode::{Options, Writer};
use crate::escape::without_carriage_returns;
use crate::header::Header;
use crate::json::{Json, Object};
use crate::{Error, ErrorKind};

/// The member that says of which section an object is a row ([`Array::BySection`]).
const SECTION: &str = "section";

/// What of a response makes a section.
pub(super) enum Part<'v> {
    /// There is no section.
    Absent,
    /// A value, by the fallback.
    Any(&'v Json),
    Rows(Vec<Row<'v>>),
}

/// What of a response makes a row: an object, or the one cell.
#[derive(Clone, Copy)]
pub(super) struct Row<'v> {
    value: &'v Json,
    /// The member of the response that it is in, if it is in one.
    list: &'v str,
    /// Its place in an array.
    index: Option<usize>,
}

/// Writes the response of a tool. Gives the paths of what has no place.
pub(super) fn response<W: Write>(
    writer: &mut Writer<W>,
    tool: &str,
    layout: &'static Layout,
    response: &Json,
    options: &Options,
) -> Result<BTreeSet<String>, Error> {
    let mut left_out = BTreeSet::new();
    let parts = parts(layout, response)?;
    let joined = layout.join.map(|join| Joined::new(join, layout, response)).transpose()?;
    let further = if options.extra_columns {
        Further::of(layout, response, &parts, options)
    } else {
        Further::default()
    };
    for (index, (section, part)) in layout.sections.iter().zip(&parts).enumerate() {
        let mut header = Header::new(format!("{tool}{}", section.suffix), [""; 0]);
        for meta in section.meta {
            let text = text_of(meta.kind, response.get(meta.key), || meta.key.to_owned())?;
            if !text.is_empty() {
                header = header.with_meta(meta.key, text);
            }
        }
        let rows = match part {
            Part::Absent => continue,
            Part::Any(value) => {
                let header = further.add_to(header, index, writer.is_at_start());
                fallback::write(writer, header, value, Form::Plain, options)?;
                continue;
            }
            Part::Rows(rows) => rows,
        };
        let has = |cell: &&Cell| !cell.if_any || rows.iter().any(|row| row.has(cell));
        let cells: Vec<&Cell> = section.cells.iter().filter(has).collect();
        let columns = further.columns(index);
        let fields = cells.iter().map(|cell| cell.column).chain(columns.iter().copied());
        header.fields = fields.map(Into::into).collect();
        if !section.source.is_one_row() {
            header = header.with_rows(rows.len() as u64);
        }
        options.begin(writer, &further.add_to(header, index, writer.is_at_start()))?;
        for row in rows {
            let mut texts = row.cells(section, &cells, joined.as_ref())?;
            for column in columns {
                texts.push(row.value.get(column).and_then(extras::cell).unwrap_or_default());
            }
            writer.row(texts)?;
            let others = row
                .further(layout, section)
                .filter(|(name, _)| columns.binary_search(name).is_err());
            left_out.extend(others.map(|(name, _)| row.pattern(name)));
        }
    }
    if writer.is_at_start() {
        return Err(invalid("it has none of the tool's members, expected at least one"));
    }
    further.write_sections(writer, tool, options)?;
    if let Some(joined) = joined {
        joined.report(&parts, &mut left_out);
    }
    if let Json::Object(object) = response {
        let others = object.keys().filter(|key| !layout.knows(key) && !further.has(key));
        left_out.extend(others.cloned());
    }
    Ok(left_out)
}

/// What of the response makes each section.
fn parts<'v>(layout: &'static Layout, response: &'v Json) -> Result<Vec<Part<'v>>, Error> {
    match (response, layout.array) {
        (Json::Array(items), Array::Rows | Array::Canonical) => {
            let others = layout.sections.iter().skip(1).map(|section| part(section, None, ""));
            let first = rows(&layout.sections[0], items, "").map(Part::Rows);
            std::iter::once(first).chain(others).collect()
        }
        (Json::Array(items), Array::BySection) => by_section(layout, items),
        (Json::Object(object), _) => layout
            .sections
            .iter()
            .map(|section| {
                if section.source == Source::Whole {
                    return Ok(Part::Rows(vec![Row { value: response, list: "", index: None }]));
                }
                let found = member(object, section.source.members(), str::to_owned)?;
                // What a server that knows no empty list writes for one.
                let is_list = matches!(section.source, Source::Many(_) | Source::Texts(_));
                let null = || {
                    section
                        .source
                        .members()
                        .iter()
                        .find_map(|&name| Some((name, object.get(name)?)))
                };
                match found.or_else(null) {
                    Some((_, Json::Null)) if is_list && section.absence != Absence::NoSection => {
                        Ok(Part::Rows(Vec::new()))
                    }
                    Some((name, value)) if !value.is_null() => part(section, Some(value), name),
                    _ => part(section, None, ""),
                }
            })
            .collect(),
        _ => {
            let expected =
                if layout.array == Array::Refused { "an object" } else { "an object or an array" };
            Err(invalid(&format!("it is {}, expected {expected}", kind_of(response))))
        }
    }
}

/// The part of a section that is in this member of the response, or that has none.
fn part<'v>(
    section: &'static Section,
    value: Option<&'v Json>,
    list: &'v str,
) -> Result<Part<'v>, Error> {
    let Some(value) = value else {
        return match section.absence {
            Absence::NoRows => Ok(Part::Rows(Vec::new())),
            Absence::NoSection => Ok(Part::Absent),
            Absence::Refused => {
                let names = section.source.members().join("` or `");
                Err(invalid(&format!("it has no member `{names}`, expected one")))
            }
        };
    };
    match (section.source, value) {
        (Source::Any(_), _) => Ok(Part::Any(value)),
        (Source::Many(_) | Source::Texts(_), Json::Array(items)) => {
            rows(section, items, list).map(Part::Rows)
        }
        (Source::Many(_) | Source::Texts(_), _) => Err(wrong(list, value, "an array")),
        (Source::Word(_), Json::Object(_)) => Err(wrong(list, value, "text")),
        (Source::One(_), Json::Object(_)) | (Source::Word(_), _) => {
            Ok(Part::Rows(vec![Row { value, list, index: None }]))
        }
        (Source::One(_) | Source::Whole, _) => Err(wrong(list, value, "an object")),
    }
}

fn rows<'v>(section: &Section, items: &'v [Json], list: &'v str) -> Result<Vec<Row<'v>>, Error> {
    let texts = matches!(section.source, Source::Texts(_));
    items
        .iter()
        .enumerate()
        .map(|(index, value)| {
            let row = Row { value, list, index: Some(index) };
            match value {
                Json::String(_) if section.cells.len() == 1 => Ok(row),
                Json::Object(_) if !texts => Ok(row),
                _ => {
                    let expected = if texts { "a string" } else { "an object" };
                    Err(wrong(&row.path(None), value, expected))
                }
            }
        })
        .collect()
}

/// Rows that say themselves which section they belong to.
fn by_section<'v>(layout: &'static Layout, items: &'v [Json]) -> Result<Vec<Part<'v>>, Error> {
    let mut rows: Vec<Vec<Row<'v>>> = layout.sections.iter().map(|_| Vec::new()).collect();
    for (index, value) in items.iter().enumerate() {
        let row = Row { value, list: "", index: Some(index) };
        let found = value.get(SECTION).and_then(Json::as_str);
        let place = found.and_then(|name| {
            layout.sections.iter().position(|section| {
                section.suffix.strip_prefix('.') == Some(name)
                    || (!name.is_empty() && section.label == name)
            })
        });
        let place = place.ok_or_else(|| {
            let names: Vec<&str> =
                layout.sections.iter().map(|section| &section.suffix[1..]).collect();
            let expected = format!("one of {}", names.join(", "));
            wrong(&row.path(Some(SECTION)), value.get(SECTION).unwrap_or(&Json::Null), &expected)
        })?;
        rows[place].push(row);
    }
    let parts = layout.sections.iter().zip(rows).map(|(section, rows)| {
        if section.source.is_one_row() && rows.len() != 1 {
            let name = &section.suffix[1..];
            return Err(invalid(&format!(
                "it has {} rows of the section {name}, expected one",
                rows.len()
            )));
        }
        Ok(Part::Rows(rows))
    });
    parts.collect()
}

/// The member of the first of these names that is not `null`. All that are there have to agree.
fn member<'v>(
    object: &'v Object,
    names: &'static [&'static str],
    path: impl Fn(&str) -> String,
) -> Result<Option<(&'static str, &'v Json)>, Error> {
    let mut found: Option<(&'static str, &Json)> = None;
    for &name in names {
        let Some(value) = object.get(name).filter(|value| !value.is_null()) else { continue };
        match found {
            None => found = Some((name, value)),
            Some((_, first)) if first == value => {}
            Some((first, _)) => {
                let message = format!(
                    "{} and {} are two names of one member, expected one value",
                    path(first),
                    path(name)
                );
                return Err(invalid_at(&message));
            }
        }
    }
    Ok(found)
}

impl<'v> Row<'v> {
    /// The path of this member in the response, with the row's own index.
    fn path(&self, member: Option<&str>) -> String {
        let index = self.index.map(|index| format!("[{index}]"));
        join_path(&format!("{}{}", self.list, index.unwrap_or_default()), member)
    }

    /// The path of this member in all rows.
    fn pattern(&self, member: &str) -> String {
        let any = if self.index.is_some() { "[]" } else { "" };
        join_path(&format!("{}{any}", self.list), Some(member))
    }

    /// Whether the row has the member of this cell.
    fn has(&self, cell: &Cell) -> bool {
        cell.members.iter().any(|name| self.value.get(name).is_some_and(|value| !value.is_null()))
    }

    fn cells(
        &self,
        section: &Section,
        cells: &[&Cell],
        joined: Option<&Joined<'_>>,
    ) -> Result<Vec<String>, Error> {
        let Json::Object(object) = self.value else {
            // The value is the one cell.
            let text = text_of(cells[0].kind, Some(self.value), || self.path(None))?;
            if text.is_empty() && cells[0].required == Required::Always {
                return Err(wrong(&self.path(None), self.value, "a text that is not empty"));
            }
            return Ok(vec![text]);
        };
        let node = joined.and_then(|joined| joined.of(object));
        let mut texts = Vec::with_capacity(cells.len());
        for cell in cells {
            let owner = match cell.owner {
                Owner::Row => Some(*self),
                Owner::Joined => node,
            };
            let path = |name: &str| owner.unwrap_or(*self).path(Some(name));
            let object = owner.and_then(|owner| owner.value.as_object());
            let found =
                object.map(|object| member(object, cell.members, path)).transpose()?.flatten();
            let name = found.map_or(cell.members[0], |(name, _)| name);
            texts.push(text_of(cell.kind, found.map(|(_, value)| value), || path(name))?);
        }
        for (cell, text) in cells.iter().zip(&texts) {
            let needed = match cell.required {
                Required::Always => true,
                Required::Never => false,
                Required::Unless(other) => cells
                    .iter()
                    .zip(&texts)
                    .any(|(cell, text)| cell.column == other && text.is_empty()),
            };
            if needed && text.is_empty() {
                let message = format!(
                    "{} is not there or empty, expected {}",
                    self.path(Some(cell.members[0])),
                    cell.kind.name()
                );
                return Err(invalid_at(&message));
            }
        }
        debug_assert_eq!(texts.len(), cells.len(), "a cell for each column of {}", section.suffix);
        Ok(texts)
    }

    /// The members that no cell has.
    pub(super) fn further(
        &self,
        layout: &'static Layout,
        section: &'static Section,
    ) -> impl Iterator<Item = (&'v str, &'v Json)> + use<'v> {
        let names_section = layout.array == Array::BySection && self.list.is_empty();
        let is_known = move |key: &str| {
            let is_cell = |cell: &Cell| cell.owner == Owner::Row && cell.members.contains(&key);
            section.cells.iter().any(is_cell) || (key == SECTION && names_section)
        };
        let members = self.value.as_object().into_iter().flatten();
        members.map(|(name, value)| (&**name, value)).filter(move |(name, _)| !is_known(name))
    }
}

fn join_path(base: &str, member: Option<&str>) -> String {
    match member {
        None => base.to_owned(),
        Some(member) if base.is_empty() => member.to_owned(),
        Some(member) => format!("{base}.{member}"),
    }
}

/// The objects that cells are taken from which are not their row's.
struct Joined<'v> {
    join: Join,
    cells: Vec<&'static Cell>,
    by_id: HashMap<&'v str, Row<'v>>,
    /// Whether an object of the list is there twice.
    repeated: bool,
}

impl<'v> Joined<'v> {
    fn new(join: Join, layout: &'static Layout, response: &'v Json) -> Result<Self, Error> {
        let cells = layout.sections.iter().flat_map(|section| section.cells);
        let cells: Vec<&Cell> = cells.filter(|cell| cell.owner == Owner::Joined).collect();
        let mut by_id: HashMap<&str, Row<'_>> = HashMap::new();
        let mut repeated = false;
        let items = match response.get(join.list) {
            None | Some(Json::Null) => &[][..],
            Some(Json::Array(items)) => items,
            Some(other) => return Err(wrong(join.list, other, "an array")),
        };
        for (index, value) in items.iter().enumerate() {
            let row = Row { value, list: join.list, index: Some(index) };
            let Json::Object(object) = value else {
                return Err(wrong(&row.path(None), value, "an object"));
            };
            let path = |name: &str| row.path(Some(name));
            let id = object.get(join.id).unwrap_or(&Json::Null);
            let Some(id) = id.as_str() else { return Err(wrong(&path(join.id), id, "a string")) };
            let Some(first) = by_id.get(id) else {
                by_id.insert(id, row);
                continue;
            };
            repeated = true;
            for cell in &cells {
                let (one, other) = (
                    first
                        .value
                        .as_object()
                        .map_or(Ok(None), |first| member(first, cell.members, path))?,
                    member(object, cell.members, path)?,
                );
                if one.map(|(_, value)| value) != other.map(|(_, value)| value) {
                    let message = format!(
                        "{} is another than that of {} before, expected the same",
                        path(cell.members[0]),
                        shown(id)
                    );
                    return Err(invalid_at(&message));
                }
            }
        }
        Ok(Joined { join, cells, by_id, repeated })
    }

    /// The object that a row refers to.
    fn of(&self, row: &Object) -> Option<Row<'v>> {
        self.by_id.get(row.get(self.join.by)?.as_str()?).copied()
    }

    /// Reports objects that no row refers to or that have nothing to show, and members that no cell has.
    fn report(&self, parts: &[Part<'v>], left_out: &mut BTreeSet<String>) {
        let rows =
            parts.iter().flat_map(|part| if let Part::Rows(rows) = part { &rows[..] } else { &[] });
        // A cell has no carriage return, so that other rows and nodes may come out with the same id.
        let broken = |id: &str| id.contains('\r');
        let by = self.join.by;
        let is_broken =
            |row: &&Row<'_>| row.value.get(by).and_then(Json::as_str).is_some_and(broken);
        left_out.extend(rows.clone().find(is_broken).map(|row| row.pattern(by)));
        let used: HashSet<&str> =
            rows.filter_map(|row| row.value.get(self.join.by)?.as_str()).collect();
        let list = self.join.list;
        for (id, row) in &self.by_id {
            let Json::Object(object) = row.value else { continue };
            let is_cell = |key: &str| self.cells.iter().any(|cell| cell.members.contains(&key));
            let shows = object.iter().any(|(key, value)| is_cell(key) && !is_empty(value));
            if !used.contains(id) || !shows || self.repeated {
                left_out.insert(format!("{list}[]"));
            }
            if used.contains(id) {
                let unknown = object.keys().filter(|key| *key != self.join.id && !is_cell(key));
                left_out.extend(unknown.map(|key| format!("{list}[].{key}")));
            }
        }
    }
}

fn is_empty(value: &Json) -> bool {
    value.is_null() || value.as_str().is_some_and(|text| without_carriage_returns(text).is_empty())
}

/// The text of a cell, before its escapes: empty for what is not there.
fn text_of(kind: Kind, value: Option<&Json>, path: impl Fn() -> String) -> Result<String, Error> {
    let value = match value {
        None | Some(Json::Null) => return Ok(String::new()),
        Some(value) => value,
    };
    let text = match (kind, value) {
        (Kind::Text, Json::String(text)) => Some(without_carriage_returns(text).into_owned()),
        (Kind::Integer | Kind::Number | Kind::Scalar, Json::Digits(digits)) => Some(digits.clone()),
        (Kind::Integer, Json::Number(number)) if !number.is_f64() => Some(number.to_string()),
        (Kind::Integer, Json::Number(number)) => number.as_f64().and_then(integral),
        (Kind::Truth | Kind::Scalar, Json::Bool(truth)) => Some(truth.to_string()),
        (Kind::Number | Kind::Scalar, Json::Number(number)) => {
            let mut out = Vec::new();
            push_cell(&mut out, number).expect("because a number of JSON can be written");
            Some(into_text(out))
        }
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

/// A list cell: the elements with commas between them, or JSON where that would be read as others.
fn list(elements: &[&str]) -> String {
    let elements: Vec<_> =
        elements.iter().map(|element| without_carriage_returns(element)).collect();
    let unclear =
        |element: &str| element.is_empty() || element.contains(',') || element.starts_with('[');
    if !elements.iter().any(|element| unclear(element)) {
        return elements.join(",");
    }
    let mut out = Vec::new();
    push_json(&mut out, &elements, Doubles::Plain).expect("because strings can be written");
    into_text(out)
}

fn into_text(out: Vec<u8>) -> String {
    String::from_utf8(out).expect("because it is made of strings")
}

fn kind_of(value: &Json) -> &'static str {
    match value {
        Json::Null => "null",
        Json::Bool(_) => "a truth value",
        Json::Number(_) | Json::Digits(_) => "a number",
        Json::String(_) => "a string",
        Json::Array(_) => "an array",
        Json::Object(_) => "an object",
    }
}

#[cold]
fn wrong(path: &str, found: &Json, expected: &str) -> Error {
    let found = match found {
        Json::String(text) => shown(text),
        Json::Number(number) => number.to_string(),
        Json::Digits(digits) => shown(digits),
        other => kind_of(other).to_owned(),
    };
    invalid_at(&format!("{path} is {found}, expected {expected}"))
}

/// An error about the response as a whole.
#[cold]
fn invalid(problem: &str) -> Error {
    Error::encode(
        ErrorKind::InvalidShape,
        format!("the response is not that of the tool: {problem}"),
    )
}

/// An error about a place in the response.
#[cold]
fn invalid_at(problem: &str) -> Error {
    Error::encode(ErrorKind::InvalidShape, format!("in the response, {problem}"))
}
