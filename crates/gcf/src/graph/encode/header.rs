//! The header line (ruling G4).

use wire_core::Payload;

use super::Writer;
use crate::Error;
use crate::graph::dialect::{EdgeCounts, EmptyFields, Rules};
use crate::graph::grammar::TAG;

impl Writer<'_> {
    pub(super) fn header(&mut self, payload: &Payload<'_>, rules: &Rules) -> Result<(), Error> {
        let written = |count: u64| count > 0 || rules.empty_fields == EmptyFields::Written;
        self.text(TAG);
        self.text(rules.profile);
        if !payload.tool.is_empty() || rules.empty_fields == EmptyFields::Written {
            self.text(" tool=");
            self.token(&payload.tool, || "tool".into())?;
        }
        if written(payload.token_budget) {
            self.count(" budget=", payload.token_budget);
        }
        if written(payload.tokens_used) {
            self.count(" tokens=", payload.tokens_used);
        }
        self.count(" symbols=", payload.symbols.len() as u64);
        if rules.edge_counts == EdgeCounts::HeaderAndGroup && !payload.edges.is_empty() {
            self.count(" edges=", payload.edges.len() as u64);
        }
        if let Some(root) = &payload.pack_root {
            self.text(" pack_root=");
            self.text(root.as_str());
        }
        self.out.push(b'\n');
        Ok(())
    }

    fn count(&mut self, key: &str, count: u64) {
        self.text(key);
        self.number(count);
    }
}
