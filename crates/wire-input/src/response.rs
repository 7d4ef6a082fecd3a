//! Responses of tools: their text in GCX, what of them it loses, and what it has beside its value.

use std::collections::BTreeSet;

use gcx::SliceReader;
use gcx::layout::Layout;
use gcx::workspace::{ERROR, TOOL_DEFINITIONS, TOOL_REQUEST};
use wire_core::CodecError;
use wire_core::json::{Doubles, equal};

use crate::minified::Minified;
use crate::value::are_alike;

/// The loss of rows without types.
const UNTYPED: &str = "null, empty and missing members become the same, and so do text and the value that it looks like; --typed keeps them apart";
/// The name of rows that no tool is named for.
pub const ROWS: &str = "rows";

/// Returns `true` if a tool has no layout.
pub fn has_no_layout(tool: &str) -> bool {
    let shapes = [TOOL_DEFINITIONS, TOOL_REQUEST, ERROR];
    Layout::of_section(tool).is_none() && !shapes.contains(&tool)
}

/// The text of a response.
#[derive(Debug)]
pub struct Written {
    /// It is GCX1.
    pub text: String,
    /// Descriptions of what it loses, without those of its decimals.
    pub losses: Vec<String>,
    /// The losses of its decimals; the offset is one of the JSON.
    pub doubles: Doubles,
}

impl Written {
    /// A text that has all of a JSON text, but for its decimals.
    fn whole(text: String, json: &str) -> Self {
        let doubles = of_decimals(json, &text);
        Written { text, losses: Vec::new(), doubles }
    }

    /// Whether the text decodes to a JSON text, but for its decimals.
    fn comes_back_as(&self, json: &str) -> Result<bool, gcx::Error> {
        let back = gcx::gcx_to_json(&self.text)?;
        if self.doubles.rounded == 0 {
            return Ok(equal(&back, json));
        }
        // The typed form rounds the same decimals, and loses nothing else.
        let rounded = gcx::json_to_gcx(ROWS, json).and_then(|typed| gcx::gcx_to_json(&typed));
        Ok(rounded.is_ok_and(|rounded| equal(&back, &rounded)))
    }
}

/// The rows of a JSON text with the types of their columns.
///
/// # Errors
///
/// What the form can't represent.
pub fn typed_rows(tool: &str, json: &str) -> Result<Written, gcx::Error> {
    Ok(Written::whole(gcx::json_to_gcx(tool, json)?, json))
}

/// The rows of a JSON text in plain cells.
///
/// # Errors
///
/// What the form can't represent.
pub fn plain_rows(tool: &str, json: &str) -> Result<Written, gcx::Error> {
    let mut written = Written::whole(gcx::json_to_layout(tool, json)?, json);
    let comes_back = rows_may_come_back(&written.text, json) && written.comes_back_as(json)?;
    written.losses.extend((!comes_back).then(|| UNTYPED.to_owned()));
    Ok(written)
}

/// The text of a response by the layout of its tool, or of plain rows.
///
/// # Errors
///
/// What the layout can't represent.
pub fn plain(tool: &str, value: &Minified) -> Result<Written, gcx::Error> {
    let json = value.text();
    if has_no_layout(tool) && value.is_rows() {
        return plain_rows(tool, json);
    }
    let mut written = Written::whole(gcx::json_to_layout(tool, json)?, json);
    if !written.comes_back_as(json)? {
        written.losses.push(match Layout::of(tool) {
            Some(_) => format!("the response decodes to the canonical form of {tool}"),
            None => UNTYPED.to_owned(),
        });
    }
    Ok(written)
}

/// The losses of the decimals of a JSON text whose response is this text (ruling A7).
fn of_decimals(json: &str, text: &str) -> Doubles {
    let doubles = Doubles::of(json).unwrap_or_default();
    if doubles == Doubles::default() {
        return doubles;
    }
    let kept =
        gcx::gcx_to_json(text).ok().and_then(|back| Doubles::of(&back).ok()).unwrap_or_default();
    let negative_zeros = doubles.negative_zeros.saturating_sub(kept.negative_zeros);
    Doubles { negative_zeros, ..doubles }
}

/// Returns `true` if rows may decode to equal rows, without decoding their text, which may be much
/// larger if they differ. If a row lacks a member that another one has, they do not, because it
/// gets an empty cell. But rows whose names can't be those of columns are cells of JSON, in one
/// column.
fn rows_may_come_back(text: &str, json: &str) -> bool {
    let header = SliceReader::new(text).next_section().ok().flatten();
    header.is_some_and(|header| header.fields().len() == 1) || are_alike(json)
}

/// The tool and the JSON of a response in GCX.
///
/// # Errors
///
/// What is wrong with the response.
pub fn read(bytes: &[u8]) -> Result<(String, Minified), CodecError> {
    let mut reader = SliceReader::from_slice(bytes)?;
    let header = reader.next_section()?.unwrap_or_default();
    let text = std::str::from_utf8(bytes).expect("because the reader took it");
    let value = Minified::of(gcx::gcx_to_json(text)?);
    let tool = Layout::of_section(header.tool()).map_or(header.tool(), |(tool, _)| tool);
    Ok((tool.to_owned(), value))
}

/// A description of the metadata in the headers of a GCX response that its JSON lacks, and that
/// would be lost if it were written again.
pub fn lost_meta(bytes: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    let mut reader = SliceReader::new(text);
    let mut lost = Vec::new();
    let mut is_typed = None;
    while let Ok(Some(header)) = reader.next_section() {
        let layout = Layout::of_section(header.tool())
            .filter(|_| !*is_typed.get_or_insert_with(|| header.meta(TYPED).is_some()));
        let section = layout.and_then(|(tool, layout)| {
            let suffix = header.tool().strip_prefix(tool)?;
            layout.sections.iter().find(|section| section.suffix == suffix)
        });
        let of_layout: BTreeSet<&str> =
            section.into_iter().flat_map(|section| section.meta).map(|meta| meta.key).collect();
        let extras = section.and_then(|_| header.meta(EXTRAS)).unwrap_or_default();
        let further: BTreeSet<&str> = extras.split(',').skip(1).collect();
        let is_lost = |key: &str| {
            let is_form = key == TYPED || (key == EXTRAS && section.is_some());
            !is_form && !of_layout.contains(key) && !further.contains(key)
        };
        let of_section = header.all_meta().filter(|(key, _)| is_lost(key));
        lost.extend(of_section.map(|(key, value)| format!("{key}={value} of {}", header.tool())));
    }
    (!lost.is_empty()).then(|| {
        format!("metadata is left out, which the JSON can't represent: {}", lost.join(", "))
    })
}

/// The metadata keys of the typed form, and of members after a layout.
const TYPED: &str = "typed";
const EXTRAS: &str = "extras";
