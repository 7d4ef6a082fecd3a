//! Assigns the parts of a response to the sections of its layout.

use super::layout::{Absence, Array, Cell, Layout, Owner, Section, Source};
use super::problem::{invalid, invalid_at, kind_of, wrong};
use crate::Error;
use crate::json::{Json, Member, get};

/// The member that names the section of an object ([`Array::BySection`]).
const SECTION: &str = "section";

/// The part of a response for one section.
pub(super) enum Part<'v> {
    /// The section is left out.
    Absent,
    /// A value, by the fallback.
    Any(&'v Json<'v>),
    Rows(Vec<Row<'v>>),
}

/// The part of a response for one row: an object, or the only cell.
#[derive(Clone, Copy)]
pub(super) struct Row<'v> {
    pub(super) value: &'v Json<'v>,
    /// The member of the response that it is in, if it is in one.
    pub(super) list: &'v str,
    /// Its index in an array.
    pub(super) index: Option<usize>,
}

/// The part of the response for each section.
pub(super) fn parts<'v>(
    layout: &'static Layout,
    response: &'v Json<'v>,
) -> Result<Vec<Part<'v>>, Error> {
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
                // Servers without an empty list write this instead.
                let is_list = matches!(section.source, Source::Many(_) | Source::Texts(_));
                let null = || {
                    section
                        .source
                        .members()
                        .iter()
                        .find_map(|&name| Some((name, get(object, name)?)))
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

/// The part of a section that is in this member of the response, or that is missing.
fn part<'v>(
    section: &'static Section,
    value: Option<&'v Json<'v>>,
    list: &'v str,
) -> Result<Part<'v>, Error> {
    let Some(value) = value else {
        return match section.absence {
            Absence::NoRows => Ok(Part::Rows(Vec::new())),
            Absence::NoSection => Ok(Part::Absent),
            Absence::Refused => {
                let names = section.source.members().join("` or `");
                Err(invalid(&format!("it has no member `{names}`, expected it")))
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

fn rows<'v>(
    section: &Section,
    items: &'v [Json<'v>],
    list: &'v str,
) -> Result<Vec<Row<'v>>, Error> {
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

/// Rows that name their section.
fn by_section<'v>(layout: &'static Layout, items: &'v [Json<'v>]) -> Result<Vec<Part<'v>>, Error> {
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

/// The first member with one of these names that is not `null`. All members with these names must
/// be equal.
pub(super) fn member<'v>(
    object: &'v [Member<'v>],
    names: &'static [&'static str],
    path: impl Fn(&str) -> String,
) -> Result<Option<(&'static str, &'v Json<'v>)>, Error> {
    let mut found: Option<(&'static str, &Json<'_>)> = None;
    for &name in names {
        let Some(value) = get(object, name).filter(|value| !value.is_null()) else { continue };
        match found {
            None => found = Some((name, value)),
            Some((_, first)) if first == value => {}
            Some((first, _)) => {
                let message = format!(
                    "{} and {} are two names of one member, expected equal values",
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
    /// The path of this member in the response, with the index of the row.
    pub(super) fn path(&self, member: Option<&str>) -> String {
        let index = self.index.map(|index| format!("[{index}]"));
        join_path(&format!("{}{}", self.list, index.unwrap_or_default()), member)
    }

    /// The path of this member in all rows.
    pub(super) fn pattern(&self, member: &str) -> String {
        let any = if self.index.is_some() { "[]" } else { "" };
        join_path(&format!("{}{any}", self.list), Some(member))
    }

    /// Returns `true` if the row has the member of this cell.
    pub(super) fn has(&self, cell: &Cell) -> bool {
        cell.members.iter().any(|name| self.value.get(name).is_some_and(|value| !value.is_null()))
    }

    /// The members without a cell.
    pub(super) fn further(
        &self,
        layout: &'static Layout,
        section: &'static Section,
    ) -> impl Iterator<Item = (&'v str, &'v Json<'v>)> + use<'v> {
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
