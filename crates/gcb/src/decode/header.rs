//! The header, texts, and the end.

use wire_core::Limits;

use super::cursor::Cursor;
use crate::layout::{MAGIC, SMALLEST_EDGE, SMALLEST_SYMBOL, VERSION, varint_length};
use crate::{Error, ErrorKind};

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
        // The magic is checked before the length, so that other input is not reported as a
        // truncated payload.
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

    /// The counts, after checking that the remaining bytes can contain that many items (ruling B3).
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
                    "{symbols} symbols and {edges} edges need at least {needed} bytes, found {} bytes after the header, \
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
    let offset = at + (varint_length(bytes.len() as u64) + valid) as u64;
    let byte = bytes[valid];
    let message =
        format!("{what} contains the byte 0x{byte:02x}, which is not UTF-8, expected UTF-8 text");
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
