//! Any JSON as one section: the generic fallback, and the typed form of it (rulings X10, X15).

use std::borrow::Cow;
use std::io::Write;

use indexmap::IndexSet;
use wire_core::text::shown;

use super::types::{ColumnTypes, Shape, Types};
use crate::decode::cell::{Beyond, rehydrated};
use crate::decode::{Sections, check_names};
use crate::encode::value::push_cell;
use crate::encode::{Options, Writer};
use crate::grammar::{TYPED, VALUE};
use crate::header::Header;
use crate::json::{Exactly, Json, Object};
use crate::{Error, ErrorKind};

/// With types, or without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Plain,
    Typed,
}

/// Writes a value as one section, whose tool and metadata are those of `header`.
pub(super) fn write<W: Write>(
    writer: &mut Writer<W>,
    header: Header<'_>,
    value: &Json<'_>,
    form: Form,
    options: &Options,
) -> Result<(), Error> {
    let items: Vec<&Json<'_>> = match value {
        Json::Array(items) => items.iter().collect(),
        _ => vec![value],
    };
    let members = || items.iter().filter_map(|item| Some(item.as_object()?.len())).sum();
    let is_sparse = |fields: &IndexSet<&str>| {
        form == Form::Typed && is_sparse(items.len(), fields.len(), members())
    };
    let fields = fields(&items, form, options).filter(|fields| !is_sparse(fields));
    let shape = match (value, &fields) {
        (Json::Array(_), Some(_)) => Shape::Objects,
        (Json::Array(_), None) => Shape::Values,
        (_, Some(_)) => Shape::Object,
        (_, None) => Shape::Value,
    };
    let fields = fields.unwrap_or_else(|| IndexSet::from([VALUE]));
    let cells = |item| cells(shape, item, &fields);
    let types = (form == Form::Typed).then(|| {
        let mut seen = vec![ColumnTypes::default(); fields.len()];
        for item in &items {
            for (seen, value) in seen.iter_mut().zip(cells(item)) {
                seen.value(value);
            }
        }
        Types { shape, columns: seen.into_iter().map(ColumnTypes::into_type).collect() }
    });
    let names = fields.iter().map(|&field| field.into()).collect();
    let mut header = Header { fields: names, ..header };
    if shape.is_array() {
        header = header.with_rows(items.len() as u64);
    }
    if let Some(types) = &types {
        header = header.with_meta(TYPED, types.to_string());
    }
    options.begin(writer, &header)?;
    for item in &items {
        let mut texts = Vec::with_capacity(fields.len());
        for (column, (field, value)) in fields.iter().zip(cells(item)).enumerate() {
            let mut text = String::new();
            match (&types, value) {
                (Some(types), value) => types.columns[column].push(&mut text, value),
                (None, Some(value)) => push_cell(&mut text, &Exactly(value)),
                (None, None) => Ok(()),
            }
            .map_err(|problem| {
                let message = format!("field {}: {}", shown(field), problem.message());
                Error::encode(problem.kind(), message)
            })?;
            texts.push(text);
        }
        writer.row(&texts)?;
    }
    Ok(())
}

/// Returns `true` if rows would be mostly empty cells: objects without common members would square
/// the size of their text. In the typed form each object is then one cell of JSON, which is
/// lossless.
pub(super) fn is_sparse(rows: usize, columns: usize, members: usize) -> bool {
    const MOST_CELLS_A_MEMBER: usize = 64;
    rows.saturating_mul(columns) > members.saturating_mul(MOST_CELLS_A_MEMBER)
}

/// The value of each column for an item.
fn cells<'v>(
    shape: Shape,
    item: &'v Json<'v>,
    fields: &IndexSet<&str>,
) -> Vec<Option<&'v Json<'v>>> {
    let Some(members) = item.as_object().filter(|_| shape.has_members()) else {
        return vec![Some(item)];
    };
    let mut cells = vec![None; fields.len()];
    for (key, value) in members {
        let column =
            fields.get_index_of(&**key).expect("because the fields are those of all items");
        cells[column] = Some(value);
    }
    cells
}

/// The keys of the objects: in the plain form sorted, in the typed form in the order in which they
/// first appear (ruling X15). `None` unless all items are objects, have at least one key, and all
/// keys can be fields.
fn fields<'v>(items: &[&'v Json<'v>], form: Form, options: &Options) -> Option<IndexSet<&'v str>> {
    let mut keys = IndexSet::new();
    for item in items {
        keys.extend(item.as_object()?.iter().map(|(key, _)| &**key));
    }
    if form == Form::Plain {
        keys.sort_unstable();
    }
    let writable = !keys.is_empty() && keys.iter().all(|key| options.can_be_field(key));
    writable.then_some(keys)
}

/// The value of a section, up to its end.
pub(super) fn read<'a>(
    reader: &mut impl Sections<'a>,
    header: &Header<'_>,
    beyond: Beyond,
) -> Result<Json<'static>, Error> {
    let mut items = Vec::new();
    let is_array = each_item(reader, header, beyond, |item| items.push(item.into_owned()))?;
    if is_array {
        return Ok(Json::Array(items));
    }
    Ok(items.pop().expect("because what is no array is one item"))
}

/// Passes on the items of a section up to its end; a value that is not an array is a single item.
/// Returns whether it is an array.
pub(super) fn each_item<'a>(
    reader: &mut impl Sections<'a>,
    header: &Header<'_>,
    beyond: Beyond,
    mut take: impl FnMut(Json<'_>),
) -> Result<bool, Error> {
    let types = match header.meta(TYPED) {
        None => None,
        Some(text) => Some(Types::parse(text, header.fields.len()).ok_or_else(|| {
            let message = format!(
                "the metadata `typed` is {}, expected a shape and a type for each of {} fields, such as `objects:string,integer?`",
                shown(text),
                header.fields.len()
            );
            Error::at(ErrorKind::InvalidTypes, reader.line_place(), message)
        })?),
    };
    check_names(reader, header)?;
    let has_members = match &types {
        Some(types) => types.shape.has_members(),
        None => !matches!(&*header.fields, [field] if field == VALUE),
    };
    let least_cells = types.as_ref().map_or(0, Types::least_cells);
    let mut items = 0_usize;
    while let Some(row) = reader.row()? {
        let is_array = types.as_ref().is_none_or(|types| types.shape.is_array());
        if !is_array && items > 0 {
            return Err(not_one_row(reader, "another row"));
        }
        let present = row.present().len();
        if present < least_cells {
            let message = format!(
                "the row has {present} cells, expected at least {least_cells} of its types"
            );
            return Err(Error::at(ErrorKind::InvalidCell, reader.cell_place(present), message));
        }
        let mut members = Object::default();
        for (column, cell) in row.present().iter().enumerate() {
            let value = match &types {
                None => Ok(Some(rehydrated(cell, beyond).unwrap_or_else(|| text_of(cell)))),
                Some(types) => types.value(column, cell, beyond),
            };
            let value = value.map_err(|problem| {
                Error::at(problem.kind(), reader.cell_place(column), problem.message())
            })?;
            members.extend(value.map(|value| (Cow::Borrowed(&*header.fields[column]), value)));
        }
        take(item(members, has_members));
        items += 1;
    }
    let is_array = match &types {
        Some(types) => types.shape.is_array(),
        None => header.rows.is_some() || items > 1,
    };
    match items {
        _ if is_array => Ok(true),
        1.. => Ok(false),
        // A row with one empty cell is a blank line. When there is no blank line either, the row
        // was cut off.
        0 if header.fields.len() == 1 && reader.had_blank_line() => {
            let value =
                types.as_ref().map_or(Ok(Some(text_of(""))), |types| types.value(0, "", beyond));
            let value = value.map_err(|problem| {
                Error::at(ErrorKind::InvalidCell, reader.line_place(), problem.message())
            })?;
            let members = value.map(|value| (Cow::Borrowed(&*header.fields[0]), value));
            take(item(members.into_iter().collect(), has_members));
            Ok(false)
        }
        0 => Err(not_one_row(reader, "no row and declares no rows")),
    }
}

/// Returns `true` if the header states that its section is an array.
pub(super) fn is_array(header: &Header<'_>) -> bool {
    match header.meta(TYPED) {
        None => header.rows.is_some(),
        Some(text) => {
            Types::parse(text, header.fields.len()).is_some_and(|types| types.shape.is_array())
        }
    }
}

#[cold]
fn not_one_row<'a>(reader: &impl Sections<'a>, found: &str) -> Error {
    let message = format!("the section has {found}, expected exactly one row");
    Error::at(ErrorKind::InvalidShape, reader.line_place(), message)
}

fn text_of(text: &str) -> Json<'_> {
    Json::String(text.into())
}

/// The element of a row's members: an object, or the value of the only member.
fn item(members: Object<'_>, has_members: bool) -> Json<'_> {
    if has_members {
        return Json::Object(members);
    }
    members.into_iter().next().map(|(_, value)| value).unwrap_or_default()
}
