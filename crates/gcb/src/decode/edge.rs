//! Edges.

use wire_core::{Edge, EdgeStatus, EdgeType};

use super::cursor::Cursor;
use super::options::{Decoder, UnknownIds, unknown_id};
use crate::{Error, ErrorKind};

/// An edge at its position in the input. Names are decoded on request.
#[derive(Clone, Copy, Debug)]
pub struct EdgeRef {
    source: u32,
    target: u32,
    edge_type: u8,
    status: u8,
    /// Offset in the input of the edge type.
    words_at: u64,
    unknown_ids: UnknownIds,
}

impl EdgeRef {
    #[inline(always)]
    #[allow(clippy::inline_always)] // returning an edge through memory is half as fast
    pub(crate) fn scan(
        cursor: &mut Cursor<'_>,
        symbols: usize,
        decoder: &Decoder,
    ) -> Result<Self, Error> {
        let source = index(cursor, "source", symbols)?;
        let target = index(cursor, "target", symbols)?;
        let words_at = cursor.offset();
        let &[edge_type, status] = cursor.array("the type and status of an edge")?;
        Ok(EdgeRef {
            source,
            target,
            edge_type,
            status,
            words_at,
            unknown_ids: decoder.unknown_ids,
        })
    }

    /// Checks that its names are known, or may be unknown.
    #[inline(always)]
    #[allow(clippy::inline_always)]
    pub(crate) fn check(&self) -> Result<(), Error> {
        let known = EdgeType::from_gcb_id(self.edge_type).is_some()
            && EdgeStatus::from_gcb_id(self.status).is_some();
        if known || self.unknown_ids == UnknownIds::AsWords {
            return Ok(());
        }
        Err(self.unknown_word())
    }

    #[cold]
    fn unknown_word(&self) -> Error {
        match EdgeType::from_gcb_id(self.edge_type) {
            None => unknown_id("type of an edge", self.edge_type, self.words_at),
            Some(_) => unknown_id("status of an edge", self.status, self.words_at + 1),
        }
    }

    /// Builds the edge.
    #[inline(always)]
    #[allow(clippy::inline_always)]
    pub(crate) fn to_edge(self) -> Result<Edge<'static>, Error> {
        self.check()?;
        Ok(Edge::new(self.source, self.target, self.edge_type()).with_status(self.status()))
    }

    /// Index of the source among the symbols.
    #[inline]
    pub fn source(&self) -> u32 {
        self.source
    }

    /// Index of the target among the symbols.
    #[inline]
    pub fn target(&self) -> u32 {
        self.target
    }

    /// The edge's type.
    #[inline]
    pub fn edge_type(&self) -> EdgeType<'static> {
        let id = self.edge_type;
        EdgeType::from_gcb_id(id).unwrap_or_else(|| EdgeType::from(UnknownIds::word(id)))
    }

    /// The edge's status.
    #[inline]
    pub fn status(&self) -> EdgeStatus<'static> {
        let id = self.status;
        EdgeStatus::from_gcb_id(id).unwrap_or_else(|| EdgeStatus::from(UnknownIds::word(id)))
    }
}

#[inline]
fn index(cursor: &mut Cursor<'_>, end: &str, symbols: usize) -> Result<u32, Error> {
    let at = cursor.offset();
    let index = cursor.varint("the indices of an edge")?;
    match u32::try_from(index) {
        Ok(place) if (place as usize) < symbols => Ok(place),
        _ => Err(out_of_range(end, index, symbols, at)),
    }
}

#[cold]
fn out_of_range(end: &str, found: u64, symbols: usize, at: u64) -> Error {
    let message = format!(
        "the {end} of an edge is {found}, expected the index of one of the {symbols} symbols"
    );
    Error::decode(ErrorKind::EdgeIndexOutOfRange, at, message)
}
