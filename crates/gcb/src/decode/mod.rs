//! Decoding: the header, the scanners of symbols and edges, and the payload built from them.

mod cursor;
mod edge;
mod symbol;
mod view;

use std::borrow::Cow;

use wire_core::{Limits, Payload};

pub(crate) use cursor::Cursor;
pub use edge::EdgeRef;
pub use symbol::SymbolRef;
pub use view::{Edges, Symbols, View};

use crate::layout::{MAGIC, SMALLEST_EDGE, SMALLEST_SYMBOL, VERSION, varint_length};
use crate::{Error, ErrorKind};

/// Options of decoding, and the decoder.
///
/// ```
/// let mut bytes = gcb::to_vec(&wire_core::Payload {
///     symbols: vec![wire_core::Symbol::new("function", "a")],
///     ..Default::default()
/// })?;
/// bytes[12] = 99; // the kind
/// let decoder = gcb::Decoder::new();
/// assert_eq!(decoder.from_slice(&bytes).unwrap_err().code(), "unknown_id");
/// let payload = decoder.unknown_ids_as_words().from_slice(&bytes)?;
/// assert_eq!(payload.symbols[0].kind.as_str(), "unknown_99");
/// # Ok::<(), gcb::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Decoder {
    pub(crate) limits: Limits,
    pub(crate) unknown_ids: UnknownIds,
}

/// What to do with an enum byte that has no row in its table (ruling B3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum UnknownIds {
    /// It is an error.
    #[default]
    Refuse,
    /// It is the word `unknown_N`.
    AsWords,
}

impl UnknownIds {
    /// The word of an unknown id.
    #[cold]
    pub(crate) fn word(id: u8) -> String {
        format!("unknown_{id}")
    }
}

impl Decoder {
    /// A strict decoder with the default limits.
    pub const fn new() -> Self {
        Decoder { limits: Limits::DEFAULT, unknown_ids: UnknownIds::Refuse }
    }

    /// Sets the limits (default [`Limits::DEFAULT`]).
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Reads an enum byte without a row in its table as the word `unknown_N` (default: an error),
    /// for readers that are older than what they read.
    #[must_use]
    pub const fn unknown_ids_as_words(mut self) -> Self {
        self.unknown_ids = UnknownIds::AsWords;
        self
    }

    /// Decodes a payload, borrowing its text from `input`.
    ///
    /// # Errors
    ///
    /// Every decoding kind of [`ErrorKind`], with the offset.
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

/// Appends to a list, which has room for everything that is declared. So the item need not be in memory for a call that never
/// comes, which takes a tenth of the time.
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

/// Everything before the symbols.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Header<'a> {
    pub(crate) tool: &'a str,
    pub(crate) tokens_used: u64,
    pub(crate) token_budget: u64,
    pub(crate) num_symbols: usize,
    pub(crate) num_edges: usize,
    /// Offset of `num_symbols`, for errors about the counts.
    counts_at: u64,
}

impl<'a> Header<'a> {
    pub(crate) fn scan(cursor: &mut Cursor<'a>, limits: Limits) -> Result<Self, Error> {
        // Judged before the length, so that the start of anything else is not a cut payload.
        let begins = cursor.peek(MAGIC.len());
        if !MAGIC.starts_with(begins) {
            return Err(Error::decode(
                ErrorKind::NotGcb,
                0,
                format!(
                    "the input begins with \"{}\", expected the magic \"GCB1\"",
                    begins.escape_ascii()
                ),
            ));
        }
        cursor.array::<4>("the magic")?;
        let version = cursor.byte("the version")?;
        if version != VERSION {
            return Err(Error::decode(
                ErrorKind::UnsupportedVersion,
                4,
                format!("the version is {version}, expected {VERSION}"),
            ));
        }
        let tool_at = cursor.offset();
        let tool = text(cursor.string("the tool", limits)?, || tool_at, "the tool")?;
        let tokens_used = cursor.varint("tokens_used")?;
        let token_budget = cursor.varint("token_budget")?;
        let counts_at = cursor.offset();
        let num_symbols = count(cursor, "symbols", limits)?;
        let num_edges = count(cursor, "edges", limits)?;
        Ok(Header { tool, tokens_used, token_budget, num_symbols, num_edges, counts_at })
    }

    /// The counts, once the bytes that are left can hold as many (ruling B3).
    pub(crate) fn check_counts(&self, cursor: &Cursor<'_>) -> Result<(usize, usize), Error> {
        let (symbols, edges) = (self.num_symbols, self.num_edges);
        // Limits::items may be anything, so the products may not fit.
        let needed = (symbols as u128) * (SMALLEST_SYMBOL as u128)
            + (edges as u128) * (SMALLEST_EDGE as u128);
        if needed > cursor.left() as u128 {
            return Err(Error::decode(
                ErrorKind::CountExceedsInput,
                self.counts_at,
                format!(
                    "{symbols} symbols and {edges} edges take at least {needed} bytes, found {} bytes behind the header, \
                     expected the whole input and its true counts",
                    cursor.left()
                ),
            ));
        }
        Ok((symbols, edges))
    }
}

fn count(cursor: &mut Cursor<'_>, what: &str, limits: Limits) -> Result<usize, Error> {
    let at = cursor.offset();
    let count = cursor.varint(what)?;
    match usize::try_from(count) {
        Ok(count) if count <= limits.items => Ok(count),
        _ => Err(Error::decode(
            ErrorKind::TooManyItems,
            at,
            format!("there are {count} {what}, expected at most {}", limits.items),
        )),
    }
}

/// The bytes as text. `at` is the offset of the string's length.
#[inline]
pub(crate) fn text<'a>(
    bytes: &'a [u8],
    at: impl FnOnce() -> u64,
    what: &str,
) -> Result<&'a str, Error> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(error) => Err(not_utf8(bytes, at(), what, error.valid_up_to())),
    }
}

#[cold]
fn not_utf8(bytes: &[u8], at: u64, what: &str, valid: usize) -> Error {
    let offset = at + varint_length(bytes.len() as u64) + valid as u64;
    let byte = bytes[valid];
    let message =
        format!("{what} holds the byte 0x{byte:02x}, which is not UTF-8, expected UTF-8 text");
    Error::decode(ErrorKind::InvalidUtf8, offset, message)
}

/// Nothing may follow the payload.
pub(crate) fn end(cursor: &Cursor<'_>) -> Result<(), Error> {
    if cursor.left() == 0 {
        return Ok(());
    }
    let message = format!("{} bytes follow the payload, expected its end", cursor.left());
    Err(Error::decode(ErrorKind::TrailingBytes, cursor.offset(), message))
}

#[cold]
pub(crate) fn unknown_id(what: &str, id: u8, offset: u64) -> Error {
    let message = format!("the {what} is {id}, expected an id of the format's table");
    Error::decode(ErrorKind::UnknownId, offset, message)
}
