//! JSON to the sections of a layout.

use std::collections::BTreeSet;
use std::io::Write;

use super::cells;
use super::extras::{self, Further};
use super::fallback::{self, Form};
use super::joined::Joined;
use super::layout::{Cell, Layout};
use super::parts::{Part, parts};
use super::problem::invalid;
use crate::Error;
use crate::encode::{Options, Writer};
use crate::header::Header;
use crate::json::Json;

/// Writes the response of a tool, and returns the paths of what was dropped.
pub(super) fn response<W: Write>(
    writer: &mut Writer<W>,
    tool: &str,
    layout: &'static Layout,
    response: &Json<'_>,
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
            let text = cells::text_of(meta.kind, response.get(meta.key), || meta.key.to_owned())?;
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
            let mut texts = cells::cells(row, section, &cells, joined.as_ref())?;
            let first = texts.len();
            texts.resize(first + columns.len(), String::new());
            for (name, value) in row.further(layout, section) {
                if let Ok(column) = columns.binary_search(&name) {
                    texts[first + column] = extras::cell(value).unwrap_or_default();
                } else {
                    left_out.insert(row.pattern(name));
                }
            }
            writer.row(texts)?;
        }
    }
    if writer.is_at_start() {
        return Err(invalid("it has no member of the tool's layout, expected at least one"));
    }
    further.write_sections(writer, tool, options)?;
    if let Some(joined) = joined {
        joined.report(&parts, &mut left_out);
    }
    if let Json::Object(object) = response {
        let keys = object.iter().map(|(key, _)| &**key);
        let others = keys.filter(|key| !layout.knows(key) && !further.has(key));
        left_out.extend(others.map(str::to_owned));
    }
    Ok(left_out)
}
