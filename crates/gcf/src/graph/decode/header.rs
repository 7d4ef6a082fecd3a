//! The header line of a payload, and its trailer.

use std::collections::BTreeSet;

use wire_core::PackRoot;

use super::counts::Declared;
use crate::ErrorKind;
use crate::header::{Field, fields, number};
use crate::lines::Diagnosis;

/// The header of a payload as it is in the text. Fields that the format does not define are skipped
/// (ruling A4).
#[derive(Default)]
pub(super) struct Header<'a> {
    pub(super) profile: Option<&'a str>,
    pub(super) tool: Option<&'a str>,
    pub(super) budget: Option<u64>,
    pub(super) tokens: Option<u64>,
    pub(super) symbols: Option<Declared>,
    pub(super) edges: Option<Declared>,
    pub(super) pack_root: Option<PackRoot<'a>>,
    pub(super) session: bool,
}

impl<'a> Header<'a> {
    /// Processes one field of a line. `seen` contains the keys of the line so far.
    pub(super) fn accept(
        &mut self,
        field: Field<'a>,
        seen: &mut BTreeSet<&'a str>,
    ) -> Result<(), Diagnosis> {
        field.check_unique(seen)?;
        let at = field.at;
        match field.key {
            "profile" => self.profile = Some(field.profile(seen.len())?),
            "tool" => self.tool = Some(field.tool()?),
            "budget" => self.budget = Some(number(field)?),
            "tokens" => self.tokens = Some(number(field)?),
            "symbols" => self.symbols = Some(declared(field)?),
            "edges" => self.edges = Some(declared(field)?),
            "pack_root" => self.pack_root = Some(field.root()?),
            "session" => self.session = field.boolean()?,
            "delta" if field.boolean()? => {
                let message = "the payload is a delta (`delta=true`), expected a whole payload";
                return Err(Diagnosis::new(ErrorKind::UnexpectedDelta, at, message));
            }
            "unchanged" if field.boolean()? => {
                let message = "the text only states that nothing has changed (`unchanged=true`), expected a whole payload";
                return Err(Diagnosis::new(ErrorKind::UnexpectedDelta, at, message));
            }
            _ => {}
        }
        Ok(())
    }

    /// Checks what is missing, after all fields of the line.
    pub(super) fn finish(&self, line: &str) -> Result<(), Diagnosis> {
        // `tool` is required before specification 3.1; `profile` identifies later versions (ruling
        // G4).
        if self.tool.is_none() && self.profile.is_none() {
            let message = "the header has no `tool=…`, expected `GCF tool=… symbols=…` of a graph, or `GCF profile=generic` of any value";
            return Err(Diagnosis::new(ErrorKind::MissingTool, line.len(), message));
        }
        Ok(())
    }
}

/// The counts of the trailer of a streamed payload. Those of its groups are for readers, and are not
/// checked.
#[derive(Default)]
pub(crate) struct Summary {
    pub(super) symbols: Option<Declared>,
    pub(super) edges: Option<Declared>,
}

impl Summary {
    /// Scans a trailer whose fields begin at byte `at`.
    pub(super) fn scan(line: &str, at: usize) -> Result<Self, Diagnosis> {
        let mut summary = Summary::default();
        let mut seen = BTreeSet::new();
        for field in fields(line, at) {
            let field = field?;
            field.check_unique(&mut seen)?;
            match field.key {
                "symbols" => summary.symbols = Some(declared(field)?),
                "edges" => summary.edges = Some(declared(field)?),
                _ => {}
            }
        }
        Ok(summary)
    }
}

/// A count, at its position in the line.
fn declared(field: Field<'_>) -> Result<Declared, Diagnosis> {
    number(field).map(|count| Declared { count, at: field.at })
}
