//! Decoding: the header, the scanners of symbols and edges, and the payload built from them.

mod cursor;
mod edge;
mod header;
mod options;
mod shared;
mod symbol;
mod view;

use std::borrow::Cow;

use wire_core::Payload;

pub(crate) use cursor::Cursor;
pub use edge::EdgeRef;
pub(crate) use header::Header;
pub use options::Decoder;
pub use shared::SharedView;
pub use symbol::SymbolRef;
pub use view::{Edges, Symbols, View};

use crate::Error;
use header::end;

impl Decoder {
    /// Decodes a payload, borrowing its text from `input`.
    ///
    /// # Errors
    ///
    /// Every decoding kind of [`ErrorKind`](crate::ErrorKind), with the offset.
    pub fn from_slice<'a>(&self, input: &'a [u8]) -> Result<Payload<'a>, Error> {
        let mut cursor = Cursor::new(input, 0);
        let header = Header::scan(&mut cursor, self.limits)?;
        let (symbols, edges) = header.check_counts(&cursor)?;
        let mut payload = Payload {
            tool: Cow::Borrowed(header.tool),
            tokens_used: header.tokens_used,
            token_budget: header.token_budget,
            pack_root: None,
            symbols: Vec::with_capacity(symbols),
            edges: Vec::with_capacity(edges),
        };
        for _ in 0..symbols {
            push(&mut payload.symbols, SymbolRef::scan(&mut cursor, self)?.to_symbol()?);
        }
        for _ in 0..edges {
            push(&mut payload.edges, EdgeRef::scan(&mut cursor, symbols, self)?.to_edge()?);
        }
        end(&cursor)?;
        Ok(payload)
    }

    /// Validates `input` once and gives access to it without building a payload.
    ///
    /// # Errors
    ///
    /// As [`Decoder::from_slice`].
    pub fn view<'a>(&self, input: &'a [u8]) -> Result<View<'a>, Error> {
        View::validate(input, *self)
    }
}

/// Appends to a list that has room for everything that is declared. Growing is out of line, so that
/// the item is not moved to memory for a call that never happens, which would add a tenth to the
/// time.
#[inline(always)]
#[allow(clippy::inline_always)]
fn push<T>(list: &mut Vec<T>, item: T) {
    if list.len() == list.capacity() {
        grow_and_push(list, item);
    } else {
        list.push(item);
    }
}

#[cold]
#[inline(never)]
fn grow_and_push<T>(list: &mut Vec<T>, item: T) {
    list.push(item);
}
