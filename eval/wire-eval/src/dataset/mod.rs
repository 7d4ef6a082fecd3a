//! The data of questions: packs of symbols and edges, responses of graph queries, and rows
//! of tools.

mod calls;
mod generate;

use std::path::Path;

use serde_json::Value;
use wire_core::Payload;
use wire_registry::Registry;

pub(crate) use calls::{Entries, Transcript, of_files, said, scalars, value};
pub(crate) use generate::{Random, generate};

use crate::failure::{Failure, read};

/// A kind of dataset, which has questions and formats of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub(crate) enum Family {
    /// Symbols and the edges between them.
    Packs,
    /// Responses to graph queries.
    Responses,
    /// Rows, as tools return them.
    Rows,
    /// The answers of several calls of tools.
    #[value(skip)]
    Calls,
    /// Data of others, with questions of theirs.
    #[value(skip)]
    Given,
}

impl Family {
    /// Every kind with one text in each prompt.
    pub(crate) const ALL: [Family; 3] = [Family::Packs, Family::Responses, Family::Rows];
    /// Every kind, in the order of reports.
    pub(crate) const REPORTED: [Family; 5] =
        [Family::Packs, Family::Responses, Family::Rows, Family::Calls, Family::Given];

    /// Its name in logs and reports.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Family::Packs => "packs",
            Family::Responses => "responses",
            Family::Rows => "rows",
            Family::Calls => "calls",
            Family::Given => "given",
        }
    }

    /// The description of the data in a prompt, the same for every format.
    pub(crate) fn introduction(self) -> &'static str {
        match self {
            Family::Packs => {
                "The data below comes from a code search. It lists symbols of a program, each with a name, a kind, a score and a distance \
                 from what was searched for, and edges, each from one symbol to another and of some type."
            }
            Family::Responses => {
                "The data below answers a query of a graph database: nodes with a type, an id and properties, and edges between them, or \
                 numbers by what they are grouped by."
            }
            Family::Rows => {
                "The data below is what a tool for code answered: a list of entries, each with the same properties."
            }
            Family::Calls => {
                "Below is what calls of tools answered, one after the other, with questions about them. The entries of a call are those of the \
                 longest list in what it answered."
            }
            Family::Given => "The data below is what a tool answered.",
        }
    }
}

/// A piece of data.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Dataset {
    Pack(Payload<'static>),
    Response(goon::GraphResponse),
    /// The JSON of a response with rows, and the tool that it came from.
    Rows {
        tool: String,
        value: Value,
    },
    Calls(Transcript),
}

/// Dataset with a name.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    /// As `packs-50` or `pack.json`.
    pub(crate) name: String,
    /// Symbols, nodes or rows.
    pub(crate) size: usize,
    pub(crate) dataset: Dataset,
}

/// The codecs that payloads are read and written by.
pub(crate) fn registry() -> Registry {
    const DISTINCT: &str = "because the names of the family's codecs are distinct";
    let mut registry = Registry::new();
    registry.register(gcf::Gcf::default()).expect(DISTINCT);
    registry.register(gcx::Gcx::default()).expect(DISTINCT);
    registry.register(goon::Goon::default()).expect(DISTINCT);
    registry
}

impl Dataset {
    /// The dataset of a text, if it is of this kind; any format that decodes it is accepted.
    pub(crate) fn from_text(family: Family, text: &str) -> Option<Dataset> {
        let json = || {
            if text.starts_with("GCF profile=generic") {
                gcf::from_str(text).ok()
            } else {
                serde_json::from_str::<Value>(text).ok()
            }
        };
        match family {
            Family::Packs => {
                let registry = registry();
                let codec = registry.detect(text.as_bytes())?;
                Some(Dataset::Pack(codec.decode(text.as_bytes()).ok()?.into_owned()))
            }
            Family::Responses => {
                let response = if text.starts_with("@header") {
                    goon::from_str(text).ok()?
                } else if text.trim_start().starts_with('{') {
                    goon::GraphResponse::from_json_str(text).ok()?
                } else {
                    goon::GraphResponse::from_value(&json()?).ok()?
                };
                Some(Dataset::Response(response))
            }
            Family::Rows => {
                let (tool, value) = if text.starts_with("GCX1 ") {
                    let header = gcx::SliceReader::new(text).next_section().ok()??;
                    (header.tool().to_owned(), gcx::decode_response(text).ok()?)
                } else {
                    ("rows".to_owned(), json()?)
                };
                rows(&value)?;
                Some(Dataset::Rows { tool, value })
            }
            // Calls are several texts, and what is given may be any value.
            Family::Calls | Family::Given => None,
        }
    }

    /// The kind of dataset.
    pub(crate) fn family(&self) -> Family {
        match self {
            Dataset::Pack(_) => Family::Packs,
            Dataset::Response(_) => Family::Responses,
            Dataset::Rows { .. } => Family::Rows,
            Dataset::Calls(_) => Family::Calls,
        }
    }

    /// Symbols, nodes or rows.
    pub(crate) fn size(&self) -> usize {
        match self {
            Dataset::Pack(payload) => payload.symbols.len(),
            Dataset::Response(response) => response.nodes.len().max(response.rows.len()),
            Dataset::Rows { value, .. } => rows(value).map_or(0, <[Value]>::len),
            Dataset::Calls(transcript) => transcript.size(),
        }
    }
}

/// The rows of a response: it is an array of objects, or an object with just one such array.
pub(crate) fn rows(value: &Value) -> Option<&[Value]> {
    let are_rows = |value: &Value| {
        value.as_array().is_some_and(|rows| !rows.is_empty() && rows.iter().all(Value::is_object))
    };
    let array = match value {
        Value::Object(members) => {
            let mut arrays = members.values().filter(|value| are_rows(value));
            arrays.next().filter(|_| arrays.next().is_none())?
        }
        value => Some(value).filter(|value| are_rows(value))?,
    };
    array.as_array().map(Vec::as_slice)
}

/// The dataset of a file.
pub(crate) fn from_file(path: &Path) -> Result<Named, Failure> {
    let text = read(path)?;
    of_file(path, &text).ok_or_else(|| Failure::Data {
        file: path.display().to_string(),
        message: "it is neither a payload, nor the response of a graph query, nor rows; `wirefmt check` says why".to_owned(),
    })
}

/// The dataset in the text of a file, if it is any.
pub(crate) fn of_file(path: &Path, text: &str) -> Option<Named> {
    let found = Family::ALL.into_iter().find_map(|family| Dataset::from_text(family, text));
    let mut dataset = found?;
    // JSON does not say which tool it comes from; the name of the file may.
    if let Dataset::Rows { tool, .. } = &mut dataset
        && tool == "rows"
        && let Some(stem) = path.file_stem().and_then(|stem| stem.to_str())
        && gcx::layout::Layout::of(stem).is_some()
    {
        stem.clone_into(tool);
    }
    Some(Named { name: path.display().to_string(), size: dataset.size(), dataset })
}
