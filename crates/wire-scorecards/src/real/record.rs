//! The counts of a collection, which are kept where the collection is not.

use std::path::Path;

use serde::{Deserialize, Serialize};
use wire_tokens::{Counter, Counts};

use super::document::{self, Sources};
use super::measured::{self, Measured, Times};
use crate::error::Error;

/// The counts of the documents that were collected from package managers and servers;
/// `cargo xtask real-data` writes it.
const RECORD: &str = include_str!("fetched.json");

/// The counts of a collection. The collection itself is not kept.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Record {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) date: Option<String>,
    pub(super) tools: Vec<String>,
    pub(super) times: Vec<Times>,
    pub(super) documents: Vec<Measured>,
}

impl Record {
    pub(super) fn of(folder: &Path, counts: &Counts, counters: &[Counter]) -> Result<Self, Error> {
        let (documents, sources) = document::documents(folder)?;
        let Sources { date, tools, .. } = sources.unwrap_or_default();
        Ok(Record {
            date: (!date.is_empty()).then_some(date),
            tools,
            times: measured::times(&documents),
            documents: documents.iter().map(|it| Measured::of(it, counters, counts)).collect(),
        })
    }

    /// The counts when the documentation was written.
    pub(super) fn kept() -> Self {
        serde_json::from_str(RECORD).expect("because a test reads the record")
    }

    /// The record as JSON, with a final newline.
    pub(super) fn to_json(&self) -> String {
        const NEVER: &str = "because it is maps with names and finite numbers";
        let line = |it: &Measured| serde_json::to_string(it).expect(NEVER);
        let head = Record { documents: Vec::new(), ..self.clone() };
        let head = serde_json::to_string(&head).expect(NEVER);
        let lines: Vec<String> = self.documents.iter().map(line).collect();
        // A line for each document, so that a new collection shows what changed.
        format!("{}\n{}\n]}}\n", head.trim_end_matches("]}"), lines.join(",\n"))
    }
}
