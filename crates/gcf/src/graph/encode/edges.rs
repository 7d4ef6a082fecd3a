//! The edges section (ruling G7).

use wire_core::{Edge, EdgeStatus, EdgeType, Payload, SymbolOrder};

use super::short::Short;
use super::symbols::SymbolIds;
use super::writer::Writer;
use crate::Error;
use crate::graph::dialect::Rules;
use crate::graph::grammar::{EDGE_ARROW, EDGES, ID_SIGIL};
use crate::graph::refused::out_of_range;
use crate::lines::GROUP_PREFIX;

impl Writer<'_> {
    pub(in crate::graph) fn edges(
        &mut self,
        payload: &Payload<'_>,
        ids: &SymbolIds,
        rules: &Rules,
    ) -> Result<(), Error> {
        if payload.edges.is_empty() {
            return Ok(());
        }
        let mut count = itoa::Buffer::new();
        self.edges_group(if rules.counts_edges { count.format(payload.edges.len()) } else { "" });
        if rules.order != SymbolOrder::Ranked {
            for (index, edge) in payload.edges.iter().enumerate() {
                self.edge(index, edge, ids)?;
            }
            return Ok(());
        }
        let mut order: Vec<(usize, &Edge<'_>)> = payload.edges.iter().enumerate().collect();
        order.sort_by_key(|(_, edge)| {
            (ids.get(edge.source), ids.get(edge.target), edge.edge_type.as_str())
        });
        for (index, edge) in order {
            self.edge(index, edge, ids)?;
        }
        Ok(())
    }

    /// The group line of the edges, with a count if the dialect has one.
    pub(in crate::graph) fn edges_group(&mut self, count: &str) {
        self.text(GROUP_PREFIX);
        self.text(EDGES);
        if !count.is_empty() {
            self.text(" [");
            self.text(count);
            self.text("]");
        }
        self.out.push(b'\n');
    }

    #[inline]
    pub(in crate::graph) fn edge(
        &mut self,
        index: usize,
        edge: &Edge<'_>,
        ids: &SymbolIds,
    ) -> Result<(), Error> {
        let Some(target) = ids.get(edge.target) else {
            return Err(out_of_range(index, "target", edge.target, ids.count()));
        };
        let Some(source) = ids.get(edge.source) else {
            return Err(out_of_range(index, "source", edge.source, ids.count()));
        };
        if let (Some(edge_type), true) = (edge.edge_type.block(), edge.status.is_unchanged()) {
            Short::append(self.out, |line| {
                line.bytes([ID_SIGIL]);
                line.decimal(target);
                line.bytes([EDGE_ARROW, ID_SIGIL]);
                line.decimal(source);
                line.bytes([b' ']);
                line.word(edge_type);
                line.bytes([b'\n']);
            });
            return Ok(());
        }
        self.out.push(ID_SIGIL);
        self.number(target);
        self.out.extend_from_slice(&[EDGE_ARROW, ID_SIGIL]);
        self.number(source);
        self.out.push(b' ');
        match &edge.edge_type {
            EdgeType::Other(word) => {
                let listed = |word: &str| !matches!(EdgeType::from(word), EdgeType::Other(_));
                self.word(word.as_str(), || format!("edges[{index}].edge_type"), listed)?;
            }
            edge_type => self.text(edge_type.as_str()),
        }
        if !edge.status.is_unchanged() {
            self.out.push(b' ');
            match &edge.status {
                EdgeStatus::Other(word) => {
                    let listed =
                        |word: &str| !matches!(EdgeStatus::from(word), EdgeStatus::Other(_));
                    self.word(word.as_str(), || format!("edges[{index}].status"), listed)?;
                }
                status => self.text(status.as_str()),
            }
        }
        self.out.push(b'\n');
        Ok(())
    }
}
