//! The header line (ruling G4).

use wire_core::{PackRoot, Payload};

use super::writer::Writer;
use crate::Error;
use crate::graph::dialect::Rules;
use crate::graph::grammar::SESSION_FIELD;
use crate::header::TAG;

/// The parts of a header that can be others than the payload's.
#[derive(Clone, Copy, Debug)]
pub(in crate::graph) struct Identity<'h> {
    pub(in crate::graph) tool: &'h str,
    pub(in crate::graph) pack_root: Option<&'h PackRoot<'h>>,
}

impl<'h> Identity<'h> {
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
        in_session: bool,
        rules: &Rules,
    ) -> Result<(), Error> {
        self.begin(identity.tool, rules)?;
        self.count(" budget=", payload.token_budget, rules.writes_empty_fields);
        self.count(" tokens=", payload.tokens_used, rules.writes_empty_fields);
        self.count(" symbols=", payload.symbols.len() as u64, true);
        if rules.counts_edges {
            self.count(" edges=", payload.edges.len() as u64, false);
        }
        self.end_header(identity.pack_root, in_session);
        Ok(())
    }

    /// The header of a streamed payload: without counts and, in every dialect, without empty
    /// fields.
    pub(in crate::graph) fn stream_header(
        &mut self,
        head: &StreamHead<'_>,
        rules: &Rules,
    ) -> Result<(), Error> {
        self.begin(head.tool, rules)?;
        self.count(" budget=", head.token_budget, false);
        self.count(" tokens=", head.tokens_used, false);
        self.end_header(head.pack_root.as_ref(), false);
        Ok(())
    }

    /// `GCF`, the profile and the tool.
    pub(in crate::graph) fn begin(&mut self, tool: &str, rules: &Rules) -> Result<(), Error> {
        self.text(TAG);
        self.text(rules.profile);
        if !tool.is_empty() || rules.writes_empty_fields {
            self.text(" tool=");
            self.token(tool, || "tool".into())?;
        }
        Ok(())
    }

    fn count(&mut self, key: &str, count: u64, is_written_empty: bool) {
        if count > 0 || is_written_empty {
            self.text(key);
            self.number(count);
        }
    }

    fn end_header(&mut self, pack_root: Option<&PackRoot<'_>>, in_session: bool) {
        if let Some(root) = pack_root {
            self.text(" pack_root=");
            self.text(root.as_str());
        }
        self.end_fields(in_session);
    }

    /// The mark of a text of a session (ruling G9), and the end of the header line.
    pub(in crate::graph) fn end_fields(&mut self, in_session: bool) {
        if in_session {
            self.text(SESSION_FIELD);
        }
        self.out.push(b'\n');
    }
}
