//! The options of a case.

use serde::Deserialize;

/// Options of a case; `None` is the library's default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// The dialect to encode.
    pub dialect: Option<String>,
    /// What to write for white space in names.
    pub replace_white_space: Option<char>,
    /// `positional` or `labeled`: encode as a stream, with such counts in the trailer.
    pub stream: Option<String>,
    /// `required`: refuse input whose last line has no line ending.
    pub final_newline: Option<String>,
    /// `words`: read unknown enum bytes as words.
    pub unknown_ids: Option<String>,
    /// JSON, `pretty`: indent. GCX1, `only`: follow the layout of the tool where the response does
    /// not fit it.
    pub layout: Option<String>,
    /// The limit on lines and strings.
    pub line_bytes: Option<usize>,
    /// The limit on symbols and edges.
    pub items: Option<usize>,
    /// `identity` or `pack-root-v1`.
    pub root: Option<String>,
    /// `written`: deltas have the distances of added symbols.
    pub distances: Option<String>,
    /// The largest number of ids of a session.
    pub max_ids: Option<u32>,
    /// `written`: the typed form of a response.
    pub typed: Option<String>,
    /// The version of GOON to write.
    pub goon_version: Option<String>,
    /// `written`: texts that look like numbers are quoted.
    pub quote_numbers: Option<String>,
    /// The longest text of keys that hold long ones, in characters.
    pub long_text: Option<usize>,
    /// The longest text of other keys, in characters.
    pub other_text: Option<usize>,
    /// `off`: no text is cut.
    pub truncation: Option<String>,
    /// `dropped`: what the version has no place for is left out.
    pub unrepresentable: Option<String>,
    /// `written`: commas in the names of fields are escaped.
    pub escape_commas: Option<String>,
    /// The specification whose additions are written.
    pub spec: Option<String>,
    /// The field by which the rows stand in groups.
    pub group_field: Option<String>,
    /// The field that no two rows have alike, where they stand in groups.
    pub group_key: Option<String>,
    /// `exact`: decimals of a JSON text that are not doubles are refused.
    pub decimals: Option<String>,
    /// `off`: objects in rows are attached.
    pub flattening: Option<String>,
    /// `redeclared`: a session declares symbols again whose score or provenance changed.
    pub changed: Option<String>,
}

impl Options {
    /// The limits of the case.
    pub fn limits(&self) -> wire_core::Limits {
        let mut limits = wire_core::Limits::DEFAULT;
        if let Some(bytes) = self.line_bytes {
            limits = limits.with_line_bytes(bytes);
        }
        if let Some(items) = self.items {
            limits = limits.with_items(items);
        }
        limits
    }
}
