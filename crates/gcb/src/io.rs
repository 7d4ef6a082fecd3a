//! Readers and writers, and decoding a payload that is larger than memory (ruling B5).

use std::io::{ErrorKind as IoErrorKind, Read, Write};

use wire_core::{Edge, Payload, Symbol};

use crate::decode::{Cursor, Decoder, EdgeRef, Header, SymbolRef};
use crate::encode::Encoder;
use crate::{Error, ErrorKind};

/// Encodes `payload` into `writer`.
///
/// # Errors
///
/// As [`Encoder::encode`], before anything is written, and `io` when the writer fails.
pub fn to_writer<W: Write>(writer: W, payload: &Payload<'_>) -> Result<(), Error> {
    Encoder::new().to_writer(writer, payload)
}

/// Reads `reader` to its end and decodes the payload.
///
/// # Errors
///
/// As [`Decoder::from_slice`], and `io` when the reader fails.
pub fn from_reader<R: Read>(reader: R) -> Result<Payload<'static>, Error> {
    Decoder::new().from_reader(reader)
}

impl Encoder {
    /// Encodes `payload` into `writer`.
    ///
    /// # Errors
    ///
    /// As [`Encoder::encode`], before anything is written, and `io` when the writer fails.
    pub fn to_writer<W: Write>(&self, mut writer: W, payload: &Payload<'_>) -> Result<(), Error> {
        Ok(writer.write_all(&self.to_vec(payload)?)?)
    }
}

impl Decoder {
    /// Reads `reader` to its end and decodes the payload.
    ///
    /// # Errors
    ///
    /// As [`Decoder::from_slice`], and `io` when the reader fails.
    pub fn from_reader<R: Read>(&self, mut reader: R) -> Result<Payload<'static>, Error> {
        let mut input = Vec::new();
        reader.read_to_end(&mut input)?;
        Ok(self.from_slice(&input)?.into_owned())
    }

    /// Reads a payload item by item, with one item in memory: see [`Reader`].
    ///
    /// # Errors
    ///
    /// As [`Reader::new`].
    pub fn reader<R: Read>(&self, reader: R) -> Result<Reader<R>, Error> {
        Reader::open(reader, *self)
    }
}

/// Reads a payload item by item from an [`io::Read`](Read). It keeps at most one item and a buffer
/// in memory.
///
/// ```
/// # let payload = wire_core::Payload {
/// #     tool: "t".into(),
/// #     symbols: vec![wire_core::Symbol::new("function", "a")],
/// #     ..Default::default()
/// # };
/// # let bytes = gcb::to_vec(&payload)?;
/// let mut reader = gcb::Reader::new(&bytes[..])?;
/// assert_eq!((reader.tool(), reader.num_symbols()), ("t", 1));
/// while let Some(symbol) = reader.next_symbol()? {
///     assert_eq!(symbol.qualified_name, "a");
/// }
/// assert!(reader.next_edge()?.is_none()); // and that nothing follows is checked
/// # Ok::<(), gcb::Error>(())
/// ```
#[derive(Debug)]
pub struct Reader<R> {
    source: Source<R>,
    decoder: Decoder,
    tool: String,
    tokens_used: u64,
    token_budget: u64,
    num_symbols: usize,
    num_edges: usize,
    symbols_left: usize,
    edges_left: usize,
}

impl<R: Read> Reader<R> {
    /// Reads the header. The reader is buffered internally and need not be wrapped.
    ///
    /// # Errors
    ///
    /// When the header is wrong, and `io` when the reader fails. Counts are checked against
    /// [`Limits::items`](wire_core::Limits::items), since the length of the remaining input is
    /// unknown.
    pub fn new(reader: R) -> Result<Self, Error> {
        Self::open(reader, Decoder::new())
    }

    fn open(reader: R, decoder: Decoder) -> Result<Self, Error> {
        let mut source =
            Source { reader, buffer: Vec::new(), start: 0, end: 0, base: 0, at_end: false };
        let (tool, header) = source.item(|cursor| {
            let header = Header::scan(cursor, decoder.limits)?;
            Ok((
                header.tool.to_owned(),
                (header.tokens_used, header.token_budget, header.num_symbols, header.num_edges),
            ))
        })?;
        let (tokens_used, token_budget, num_symbols, num_edges) = header;
        Ok(Reader {
            source,
            decoder,
            tool,
            tokens_used,
            token_budget,
            num_symbols,
            num_edges,
            symbols_left: num_symbols,
            edges_left: num_edges,
        })
    }

    /// The tool that made the payload.
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// The tokens used, as the producer counted them.
    pub fn tokens_used(&self) -> u64 {
        self.tokens_used
    }

    /// The token budget of the producer.
    pub fn token_budget(&self) -> u64 {
        self.token_budget
    }

    /// The number of symbols that the header declares.
    pub fn num_symbols(&self) -> usize {
        self.num_symbols
    }

    /// The number of edges that the header declares.
    pub fn num_edges(&self) -> usize {
        self.num_edges
    }

    /// The next symbol; `None` after the last.
    ///
    /// # Errors
    ///
    /// When the symbol is wrong or truncated, and `io` when the reader fails.
    pub fn next_symbol(&mut self) -> Result<Option<Symbol<'static>>, Error> {
        let Some(left) = self.symbols_left.checked_sub(1) else { return Ok(None) };
        let decoder = self.decoder;
        let symbol = self
            .source
            .item(|cursor| Ok(SymbolRef::scan(cursor, &decoder)?.to_symbol()?.into_owned()))?;
        self.symbols_left = left;
        Ok(Some(symbol))
    }

    /// The next edge; `None` after the last, once it is certain that nothing follows the payload.
    /// Symbols that were not read yet are skipped.
    ///
    /// # Errors
    ///
    /// When the edge, or a symbol before it, is wrong or truncated; `trailing_bytes`; and `io` when
    /// the reader fails.
    pub fn next_edge(&mut self) -> Result<Option<Edge<'static>>, Error> {
        while self.next_symbol()?.is_some() {}
        let (decoder, symbols) = (self.decoder, self.num_symbols);
        let Some(left) = self.edges_left.checked_sub(1) else {
            self.source.end()?;
            return Ok(None);
        };
        let edge =
            self.source.item(|cursor| EdgeRef::scan(cursor, symbols, &decoder)?.to_edge())?;
        self.edges_left = left;
        Ok(Some(edge))
    }
}

/// A reader and the part of its input that is in memory.
#[derive(Debug)]
struct Source<R> {
    reader: R,
    /// The buffer; `start..end` has been read from the reader but not scanned.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// Offset in the input of the buffer.
    base: u64,
    at_end: bool,
}

/// The number of bytes that are requested from the reader at a time.
const CHUNK: usize = 8 * 1024;

impl<R: Read> Source<R> {
    /// Scans one item, and reads more input as long as the bytes in memory end inside the item. The
    /// scanners are those of slices; a truncated item is scanned again when more input is there.
    fn item<T>(&mut self, scan: impl Fn(&mut Cursor<'_>) -> Result<T, Error>) -> Result<T, Error> {
        loop {
            let bytes = &self.buffer[self.start..self.end];
            let mut cursor = Cursor::new(bytes, self.base + self.start as u64);
            match scan(&mut cursor) {
                Err(error) if error.kind() == ErrorKind::UnexpectedEnd && !self.at_end => {
                    // At least double the input, so that a long item is not scanned again for every
                    // packet.
                    self.fill(bytes.len().max(1))?;
                }
                Err(error) => return Err(error),
                Ok(item) => {
                    self.start += cursor.taken();
                    return Ok(item);
                }
            }
        }
    }

    /// Reads `wanted` bytes more, or to the end.
    fn fill(&mut self, wanted: usize) -> Result<(), Error> {
        self.buffer.copy_within(self.start..self.end, 0);
        self.base += self.start as u64;
        self.end -= self.start;
        self.start = 0;
        let target = self.end + wanted;
        if self.buffer.len() < target.max(CHUNK) {
            self.buffer.resize(target.max(CHUNK), 0);
        }
        while self.end < target && !self.at_end {
            match self.reader.read(&mut self.buffer[self.end..]) {
                Ok(0) => self.at_end = true,
                Ok(read) => self.end += read,
                Err(error) if error.kind() == IoErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Nothing may follow the payload.
    fn end(&mut self) -> Result<(), Error> {
        if self.start == self.end && !self.at_end {
            self.fill(1)?;
        }
        if self.start == self.end {
            return Ok(());
        }
        let offset = self.base + self.start as u64;
        Err(Error::decode(
            ErrorKind::TrailingBytes,
            offset,
            "bytes follow the payload, expected its end",
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::to_vec;

    #[test]
    fn a_length_that_is_not_there_makes_no_room() {
        // A qualified name of half a gigabyte, of which a few bytes come.
        let mut input = to_vec(&Payload { tool: "t".into(), ..Payload::default() }).unwrap();
        let symbols = input.len() - 2;
        input[symbols] = 1;
        input.extend_from_slice(&[0xff, 0xff, 0xff, 0xff, 0x01, b'a', b'b']);
        let limits = wire_core::Limits::DEFAULT.with_line_bytes(1 << 30);
        let mut reader = Decoder::new().limits(limits).reader(&input[..]).unwrap();
        assert_eq!(reader.next_symbol().unwrap_err().kind(), ErrorKind::UnexpectedEnd);
        assert!(reader.source.buffer.len() <= 2 * CHUNK, "{}", reader.source.buffer.len());
    }

    #[test]
    fn the_buffer_does_not_grow_with_the_payload() {
        let symbol = Symbol::new("function", "x".repeat(500));
        let bytes =
            to_vec(&Payload { symbols: vec![symbol; 2_000], ..Payload::default() }).unwrap();
        let mut reader = Reader::new(&bytes[..]).unwrap();
        while reader.next_symbol().unwrap().is_some() {}
        assert!(reader.next_edge().unwrap().is_none());
        assert!(bytes.len() > 1_000_000 && reader.source.buffer.len() <= 2 * CHUNK);
    }
}
