//! The header line (ruling G4).

use wire_core::{PackRoot, Payload};

use super::writer::Writer;
use crate::Error;
use crate::graph::dialect::{EdgeCounts, EmptyFields, Rules};
use crate::graph::grammar::{SESSION_FIELD, TAG};

/// Whether the header has `session=true` (ruling G9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::graph) enum SessionField {
    Absent,
    Written,
}

/// The parts of a header that can be others than the payload's.
#[derive(Clone, Copy, Debug)]
pub(in crate::graph) struct Identity<'h> {
    pub(in crate::graph) tool: &'h str,
    pub(in crate::graph) pack_root: Option<&'h PackRoot<'h>>,
}

impl<'h> Identity<'h> {
    /// Those of the payload.
    pub(in crate::graph) fn of(payload: &'h Payload<'_>) -> Self {
        Identity { tool: &payload.tool, pack_root: payload.pack_root.as_ref() }
    }
}

/// The header of a streamed payload, known before the first symbol. Fields that are zero, empty or
/// `None` are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StreamHead<'a> {
    /// The tool that makes the payload; [`Dialect::V1_4`](super::super::Dialect::V1_4) requires it.
    pub tool: &'a str,
    /// Tokens that the consumer asked for.
    pub token_budget: u64,
    /// The number of tokens of the payload; 0 when it is unknown.
    pub tokens_used: u64,
    /// The identity of the payload, if that is known.
    pub pack_root: Option<PackRoot<'a>>,
}

impl Writer<'_> {
    pub(in crate::graph) fn header(
        &mut self,
        payload: &Payload<'_>,
        identity: Identity<'_>,
        session: SessionField,
        rules: &Rules,
    ) -> Result<(), Error> {
        self.begin(identity.tool, rules, rules.empty_fields)?;
        self.count(" budget=", payload.token_budget, rules.empty_fields);
        self.count(" tokens=", payload.tokens_used, rules.empty_fields);
        self.count(" symbols=", payload.symbols.len() as u64, EmptyFields::Written);
        if rules.edge_counts == EdgeCounts::HeaderAndGroup {
            self.count(" edges=", payload.edges.len() as u64, EmptyFields::Omitted);
        }
        self.end(identity.pack_root, session);
        Ok(())
    }

    /// The header of a streamed payload: without counts and, in every dialect, without empty
    /// fields.
    pub(in crate::graph) fn stream_header(
        &mut self,
        head: &StreamHead<'_>,
        rules: &Rules,
    ) -> Result<(), Error> {
        self.begin(head.tool, rules, rules.empty_fields)?;
        self.count(" budget=", head.token_budget, EmptyFields::Omitted);
        self.count(" tokens=", head.tokens_used, EmptyFields::Omitted);
        self.end(head.pack_root.as_ref(), SessionField::Absent);
        Ok(())
    }

    /// `GCF`, the profile and the tool.
    pub(in crate::graph) fn begin(
        &mut self,
        tool: &str,
        rules: &Rules,
        empty: EmptyFields,
    ) -> Result<(), Error> {
        self.text(TAG);
        self.text(rules.profile);
        if !tool.is_empty() || empty == EmptyFields::Written {
            self.text(" tool=");
            self.token(tool, || "tool".into())?;
        }
        Ok(())
    }

    fn count(&mut self, key: &str, count: u64, zero: EmptyFields) {
        if count > 0 || zero == EmptyFields::Written {
            self.text(key);
            self.number(count);
        }
    }

    pub(in crate::graph) fn session_field(&mut self, session: SessionField) {
        if session == SessionField::Written {
            self.text(SESSION_FIELD);
        }
    }

    fn end(&mut self, pack_root: Option<&PackRoot<'_>>, session: SessionField) {
        if let Some(root) = pack_root {
            self.text(" pack_root=");
            self.text(root.as_str());
        }
        self.session_field(session);
        self.out.push(b'\n');
    }
}
