//! Writing a delta.

use wire_core::EdgeType;

use super::{Delta, DeltaEdge};
use crate::graph::encode::{EncodeReport, Encoder, Writer};
use crate::graph::grammar::{DELTA_ARROW, DeltaSection};
use crate::graph::refused::written;
use crate::lines::GROUP_PREFIX;
use crate::{Error, ErrorKind};

impl Encoder {
    /// Appends the delta to `out`. Empty sections are left out, and the ids of added symbols count
    /// from 0.
    ///
    /// # Errors
    ///
    /// `invalid_name`, `reserved_kind` or `invalid_score` (not finite), with the position in the
    /// message. Then `out` is what it was before the call.
    pub fn encode_delta(
        &self,
        delta: &Delta<'_>,
        out: &mut Vec<u8>,
    ) -> Result<EncodeReport, Error> {
        self.append(out, |writer| writer.delta(delta, *self))
    }

    /// The delta as a string.
    ///
    /// # Errors
    ///
    /// As [`Encoder::encode_delta`].
    pub fn delta_to_string(&self, delta: &Delta<'_>) -> Result<String, Error> {
        self.string_of(0, |writer| writer.delta(delta, *self))
    }
}

impl Writer<'_> {
    fn delta(&mut self, delta: &Delta<'_>, encoder: Encoder) -> Result<(), Error> {
        self.delta_head(delta, false, encoder)?;
        self.delta_removed(delta)?;
        self.delta_section(DeltaSection::Added, delta.added.len());
        for (index, symbol) in (0u32..).zip(&delta.added) {
            self.symbol_fields("added", index, index, symbol)?;
            if encoder.writes_distances() {
                self.text(" ");
                self.number(symbol.distance);
            }
            self.text("\n");
        }
        self.delta_edges(delta)
    }

    /// The header, with its fields in the order of the specification's examples.
    pub(in crate::graph) fn delta_head(
        &mut self,
        delta: &Delta<'_>,
        in_session: bool,
        encoder: Encoder,
    ) -> Result<(), Error> {
        let rules = encoder.written_dialect().rules();
        self.begin(&delta.tool, rules)?;
        self.text(" delta=true base_root=");
        self.text(delta.base_root.as_str());
        self.text(" new_root=");
        self.text(delta.new_root.as_str());
        if let Some(tokens) = delta.tokens {
            self.text(" tokens=");
            self.number(tokens);
        }
        if let Some(savings) = delta.savings {
            self.text(" savings=");
            self.number(savings);
            self.text("%");
        }
        self.end_fields(in_session);
        Ok(())
    }

    pub(in crate::graph) fn delta_removed(&mut self, delta: &Delta<'_>) -> Result<(), Error> {
        self.delta_section(DeltaSection::Removed, delta.removed.len());
        for (index, key) in delta.removed.iter().enumerate() {
            self.check_first_word(key.kind.as_str(), || format!("removed[{index}].kind"))?;
            self.kind(&key.kind, || format!("removed[{index}]"))?;
            self.text(" ");
            self.token(&key.qualified_name, || format!("removed[{index}].qualified_name"))?;
            self.text("\n");
        }
        Ok(())
    }

    pub(in crate::graph) fn delta_edges(&mut self, delta: &Delta<'_>) -> Result<(), Error> {
        let lists = [
            (DeltaSection::EdgesRemoved, &delta.edges_removed),
            (DeltaSection::EdgesAdded, &delta.edges_added),
        ];
        for (section, edges) in lists {
            self.delta_section(section, edges.len());
            for (index, edge) in edges.iter().enumerate() {
                self.delta_edge(section.name(), index, edge)?;
            }
        }
        Ok(())
    }

    fn delta_edge(&mut self, list: &str, index: usize, edge: &DeltaEdge<'_>) -> Result<(), Error> {
        self.check_first_word(&edge.source, || format!("{list}[{index}].source"))?;
        self.token(&edge.source, || format!("{list}[{index}].source"))?;
        self.text(DELTA_ARROW);
        self.token(&edge.target, || format!("{list}[{index}].target"))?;
        self.text(" ");
        let listed = |word: &str| !matches!(EdgeType::from(word), EdgeType::Other(_));
        self.word(edge.edge_type.as_str(), || format!("{list}[{index}].edge_type"), listed)?;
        self.text("\n");
        Ok(())
    }

    /// The line that begins a section, where it has lines.
    pub(in crate::graph) fn delta_section(&mut self, section: DeltaSection, lines: usize) {
        if lines > 0 {
            self.text(GROUP_PREFIX);
            self.text(section.name());
            self.text("\n");
        }
    }
}

/// Returns `true` if a line that begins with this name would be a comment or a section.
fn begins_another_line(word: &str) -> bool {
    matches!(word, "#" | "##")
}

impl Writer<'_> {
    fn check_first_word(&self, word: &str, what: impl FnOnce() -> String) -> Result<(), Error> {
        let word = written(word, self.white_space);
        if !begins_another_line(&word) {
            return Ok(());
        }
        let what = what();
        let message = format!(
            "{what} is {word:?}, expected another name: at the beginning of a line, this one makes a comment or a section"
        );
        Err(Error::encode(ErrorKind::InvalidName, message))
    }
}

/// Returns `true` if every line of the delta can be read back.
pub(super) fn is_writable(delta: &Delta<'_>) -> bool {
    let edges = delta.edges_removed.iter().chain(&delta.edges_added);
    !delta.removed.iter().any(|key| begins_another_line(key.kind.as_str()))
        && !edges.into_iter().any(|edge| begins_another_line(&edge.source))
}
