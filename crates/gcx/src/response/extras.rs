//! Members of a response that its tool's layout does not have (ruling X13), as further columns,
//! metadata and sections.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;

use super::fallback::{self, Form};
use super::layout::{Layout, Section, Source};
use super::parts::{Part, Row};
use crate::decode::cell::{Beyond, number, rehydrated};
use crate::decode::{Sections, SliceReader};
use crate::encode::value::push_cell;
use crate::encode::{Options, Writer};
use crate::grammar::{EXTRAS, FIELDS, LONGEST_NAME, ROWS, TOOL, TYPED};
use crate::header::Header;
use crate::json::{self, Exactly, Json, Member, is_same};
use crate::{Error, ErrorKind};

/// The content of the metadata `extras`: how many of the section's last columns are beyond the
/// layout and, in the first header, which metadata and which sections (with a leading dot) are
/// members of the response.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Extras {
    pub(super) columns: usize,
    pub(super) meta: BTreeSet<String>,
    pub(super) sections: BTreeSet<String>,
}

impl Extras {
    /// Parses the extras of a section; `None` when the text is malformed.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split(',');
        let columns = parts.next()?;
        let mut extras = Extras { columns: columns.parse().ok()?, ..Extras::default() };
        if columns != extras.columns.to_string() {
            return None;
        }
        for part in parts {
            let (names, name) = match part.strip_prefix('.') {
                Some(section) => (&mut extras.sections, section),
                None => (&mut extras.meta, part),
            };
            if name.is_empty() || !names.insert(name.to_owned()) {
                return None;
            }
        }
        Some(extras)
    }
}

impl fmt::Display for Extras {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.columns)?;
        self.meta.iter().try_for_each(|key| write!(f, ",{key}"))?;
        self.sections.iter().try_for_each(|name| write!(f, ",.{name}"))
    }
}

/// The parts of a response that are written in addition to its layout, and decoded unchanged.
#[derive(Debug, Default)]
pub(super) struct Further<'v> {
    /// The columns of each section of the layout.
    columns: Vec<Vec<&'v str>>,
    meta: BTreeMap<&'v str, String>,
    sections: BTreeMap<&'v str, &'v Json<'v>>,
}

impl<'v> Further<'v> {
    /// Collects what can be written.
    pub(super) fn of(
        layout: &'static Layout,
        response: &'v Json<'v>,
        parts: &[Part<'v>],
        options: &Options,
    ) -> Self {
        let mut further = Further::default();
        for (section, part) in layout.sections.iter().zip(parts) {
            let rows = if let Part::Rows(rows) = part { &rows[..] } else { &[] };
            further.columns.push(columns(layout, section, rows, options));
        }
        let is_row = layout.sections.iter().any(|section| section.source == Source::Whole);
        let members = response.as_object().filter(|_| !is_row).into_iter().flatten();
        let members = members.map(|(name, value)| (&**name, value));
        for (name, value) in members.filter(|(name, _)| !layout.knows(name)) {
            if !is_name(name) || name.starts_with('.') {
                continue;
            }
            match value {
                _ if is_integer_or_truth(value) => {
                    let is_taken = [TOOL, FIELDS, ROWS, TYPED, EXTRAS].contains(&name);
                    if let Some(text) = cell(value).filter(|_| !is_taken && !options.has_meta(name))
                    {
                        further.meta.insert(name, text);
                    }
                }
                _ if !layout.has_section(name) => {
                    further.sections.insert(name, value);
                }
                _ => {}
            }
        }
        further
    }

    /// The further columns of a section.
    pub(super) fn columns(&self, section: usize) -> &[&'v str] {
        self.columns.get(section).map_or(&[], Vec::as_slice)
    }

    /// Returns `true` if a member of the response is written.
    pub(super) fn has(&self, member: &str) -> bool {
        self.meta.contains_key(member) || self.sections.contains_key(member)
    }

    /// Adds to the header of a section its further columns and, in the first section, the further
    /// metadata and sections.
    pub(super) fn add_to<'h>(
        &self,
        mut header: Header<'h>,
        section: usize,
        is_first: bool,
    ) -> Header<'h> {
        let mut extras = Extras { columns: self.columns(section).len(), ..Extras::default() };
        if is_first {
            extras.meta = self.meta.keys().map(|&key| key.to_owned()).collect();
            extras.sections = self.sections.keys().map(|&name| name.to_owned()).collect();
            for (key, text) in &self.meta {
                header = header.with_meta((*key).to_owned(), text.clone());
            }
        }
        if extras == Extras::default() {
            return header;
        }
        header.with_meta(EXTRAS, extras.to_string())
    }

    /// Writes the further sections, in the plain form where it is lossless.
    pub(super) fn write_sections<W: std::io::Write>(
        &self,
        writer: &mut Writer<W>,
        tool: &str,
        options: &Options,
    ) -> Result<(), Error> {
        for (name, value) in &self.sections {
            let header = Header::new(format!("{tool}.{name}"), [""; 0]);
            let form = if comes_back(value) { Form::Plain } else { Form::Typed };
            fallback::write(writer, header, value, form, options)?;
        }
        Ok(())
    }
}

/// The members beyond the layout for which all rows of a section can have a cell.
fn columns<'v>(
    layout: &'static Layout,
    section: &'static Section,
    rows: &[Row<'v>],
    options: &Options,
) -> Vec<&'v str> {
    let mut fits: BTreeMap<&str, bool> = BTreeMap::new();
    let mut members: usize = 0;
    for row in rows {
        for (name, value) in row.further(layout, section) {
            members += 1;
            let fits = fits.entry(name).or_insert_with(|| {
                options.can_be_field(name) && section.cells.iter().all(|cell| cell.column != name)
            });
            *fits = *fits && cell(value).is_some();
        }
    }
    // As in the fallback: a column for each member would square the size of the text.
    if fallback::is_sparse(rows.len(), fits.len(), members) {
        return Vec::new();
    }
    fits.into_iter().filter_map(|(name, fits)| fits.then_some(name)).collect()
}

fn is_integer_or_truth(value: &Json<'_>) -> bool {
    match value {
        Json::Number(literal) => json::is_integer(literal),
        value => matches!(value, Json::Bool(_)),
    }
}

/// Returns `true` if a header can have a key or section of this name, and `extras` can list it.
fn is_name(name: &str) -> bool {
    (1..=LONGEST_NAME).contains(&name.len()) && !name.contains([',', '\r'])
}

/// The cell of a value, when it decodes to the same value.
pub(super) fn cell(value: &Json<'_>) -> Option<String> {
    let mut text = String::new();
    push_cell(&mut text, &Exactly(value)).ok()?;
    let comes_back = read(&text, Beyond::Doubles).is_some_and(|read| is_same(&read, value));
    (!text.contains('\r') && comes_back).then_some(text)
}

/// The integer or truth value of a further metadata key. The error is what was expected.
pub(super) fn read_meta(text: &str, beyond: Beyond) -> Result<Json<'_>, (ErrorKind, &'static str)> {
    let expected = (ErrorKind::InvalidCell, "an integer or truth value");
    match json::digits(text) {
        Some(digits) if !beyond.holds(digits) => {
            Err((ErrorKind::OutOfRange, "an integer of 64 bits"))
        }
        Some(digits) => number(digits, beyond).ok_or(expected),
        None => read(text, beyond).filter(is_integer_or_truth).ok_or(expected),
    }
}

/// The value of a further cell; `None` when it is empty.
pub(super) fn read(cell: &str, beyond: Beyond) -> Option<Json<'_>> {
    (!cell.is_empty())
        .then(|| rehydrated(cell, beyond).unwrap_or_else(|| Json::String(cell.into())))
}

/// Returns `true` if the plain fallback is lossless for a value.
fn comes_back(value: &Json<'_>) -> bool {
    if let Json::Array(items) = value
        && let Some(Some(first)) = items.first().map(Json::as_object)
    {
        // A missing member is decoded as an empty text.
        let keys: HashSet<&str> = first.iter().map(|(key, _)| &**key).collect();
        let has_all = |item: &Json<'_>| {
            let same = |object: &[Member<'_>]| {
                object.len() == keys.len() && object.iter().all(|(key, _)| keys.contains(&**key))
            };
            item.as_object().is_none_or(same)
        };
        if !items.iter().all(has_all) {
            return false;
        }
    }
    let options = Options::default();
    let mut writer = options.writer(Vec::new());
    let header = Header::new("t", [""; 0]);
    let written = fallback::write(&mut writer, header, value, Form::Plain, &options)
        .and_then(|()| writer.finish());
    let Ok(text) = written.map(|text| String::from_utf8(text).unwrap_or_default()) else {
        return false;
    };
    let mut reader = SliceReader::new(&text);
    let header = reader.section().ok().flatten().unwrap_or_default();
    let back = fallback::read(&mut reader, &header, Beyond::Doubles);
    back.is_ok_and(|back| is_same(&back, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extras_are_read_as_they_are_written() {
        for text in ["0,cached", "2", "1,cached,took_ms,.facets,.x y"] {
            assert_eq!(Extras::parse(text).expect("because it is one").to_string(), text);
        }
        for text in
            ["", "x", "01", "+1", "-1", "1,", "1,.", "1,a,a", "1,.a,.a", "99999999999999999999"]
        {
            assert_eq!(Extras::parse(text), None, "{text}");
        }
    }
}
