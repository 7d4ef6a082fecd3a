//! The borrowed view (ruling B5).

use super::cursor::Cursor;
use super::edge::EdgeRef;
use super::header::{Header, end};
use super::options::Decoder;
use super::symbol::SymbolRef;
use crate::Error;

/// A validated payload in its bytes, for readers that need a few fields of many payloads.
///
/// ```
/// # let payload = wire_core::Payload {
/// #     symbols: vec![wire_core::Symbol::new("function", "a").with_score(0.9)],
/// #     ..Default::default()
/// # };
/// # let bytes = gcb::to_vec(&payload)?;
/// let view = gcb::View::new(&bytes)?;
/// let best = view.symbols().max_by(|a, b| a.score().total_cmp(&b.score()));
/// assert_eq!(best.map(|symbol| symbol.qualified_name()), Some("a"));
/// # Ok::<(), gcb::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) tool: &'a str,
    pub(super) outline: Outline,
}

/// The data that a view stores about its payload, apart from texts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outline {
    tokens_used: u64,
    token_budget: u64,
    num_symbols: usize,
    num_edges: usize,
    /// Offsets of the first symbol and of the first edge.
    symbols_at: usize,
    edges_at: usize,
    pub(super) decoder: Decoder,
}

impl<'a> View<'a> {
    /// Validates `input` strictly and gives access to it.
    ///
    /// # Errors
    ///
    /// As [`Decoder::from_slice`].
    pub fn new(input: &'a [u8]) -> Result<Self, Error> {
        View::validate(input, Decoder::new())
    }

    pub(crate) fn validate(input: &'a [u8], decoder: Decoder) -> Result<Self, Error> {
        let mut cursor = Cursor::new(input, 0);
        let header = Header::scan(&mut cursor, decoder.limits)?;
        let (num_symbols, num_edges) = header.check_counts(&cursor)?;
        let symbols_at = cursor.taken();
        for _ in 0..num_symbols {
            SymbolRef::scan(&mut cursor, &decoder)?.check()?;
        }
        let edges_at = cursor.taken();
        for _ in 0..num_edges {
            EdgeRef::scan(&mut cursor, num_symbols, &decoder)?.check()?;
        }
        end(&cursor)?;
        let Header { tool, tokens_used, token_budget, .. } = header;
        let outline = Outline {
            tokens_used,
            token_budget,
            num_symbols,
            num_edges,
            symbols_at,
            edges_at,
            decoder,
        };
        Ok(View { bytes: input, tool, outline })
    }

    /// The tool that made the payload.
    pub fn tool(&self) -> &'a str {
        self.tool
    }

    /// The tokens used, as the producer counted them.
    pub fn tokens_used(&self) -> u64 {
        self.outline.tokens_used
    }

    /// The token budget of the producer.
    pub fn token_budget(&self) -> u64 {
        self.outline.token_budget
    }

    /// The symbols, in order.
    pub fn symbols(&self) -> Symbols<'a> {
        let Outline { num_symbols, symbols_at, decoder, .. } = self.outline;
        Symbols { cursor: Cursor::at(self.bytes, symbols_at), left: num_symbols, decoder }
    }

    /// The edges, in order.
    pub fn edges(&self) -> Edges<'a> {
        let Outline { num_symbols, num_edges, edges_at, decoder, .. } = self.outline;
        let cursor = Cursor::at(self.bytes, edges_at);
        Edges { cursor, left: num_edges, symbols: num_symbols, decoder }
    }
}

/// The symbols of a [`View`].
#[derive(Clone, Debug)]
pub struct Symbols<'a> {
    cursor: Cursor<'a>,
    left: usize,
    decoder: Decoder,
}

impl<'a> Iterator for Symbols<'a> {
    type Item = SymbolRef<'a>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        Some(
            SymbolRef::scan(&mut self.cursor, &self.decoder)
                .expect("because the view has validated every symbol"),
        )
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Symbols<'_> {}

/// The edges of a [`View`].
#[derive(Clone, Debug)]
pub struct Edges<'a> {
    cursor: Cursor<'a>,
    left: usize,
    symbols: usize,
    decoder: Decoder,
}

impl Iterator for Edges<'_> {
    type Item = EdgeRef;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let edge = EdgeRef::scan(&mut self.cursor, self.symbols, &self.decoder);
        Some(edge.expect("because the view has validated every edge"))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Edges<'_> {}
