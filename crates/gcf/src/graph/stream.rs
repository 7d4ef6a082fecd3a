//! Writing payloads whose size is not known beforehand (ruling G13).

use std::io::{self, Write};

use wire_core::{Edge, Fidelity, Symbol, SymbolOrder};

use crate::graph::dialect::{Rules, Trailer};
use crate::graph::encode::{EncodeReport, Encoder, StreamHead, SymbolIds, Writer as LineWriter};
use crate::graph::grammar::{EDGES, SUMMARY_PREFIXES, name_of_group};
use crate::{Error, ErrorKind};

/// Writes a payload line by line, in constant memory: the counts follow in a trailer.
///
/// Write the symbols by distance, and the edges after all symbols. [`Writer::finish`] writes the
/// trailer; without it a reader can't detect truncation.
///
/// ```
/// use gcf::graph::{Dialect, Encoder, StreamHead};
/// use wire_core::{Edge, Symbol};
///
/// let encoder = Encoder::new().dialect(Dialect::V3);
/// let mut writer = encoder
///     .writer(Vec::new(), &StreamHead { tool: "t", ..StreamHead::default() })?;
/// let auth =
///     writer.symbol(&Symbol::new("function", "pkg.Auth").with_score(0.78))?;
/// let server =
///     writer.symbol(&Symbol::new("function", "pkg.Server").with_distance(1))?;
/// writer.edge(&Edge::new(server, auth, "calls"))?;
/// let text = String::from_utf8(writer.finish()?)?;
/// assert_eq!(
///     text.lines().last(),
///     Some("##! summary symbols=2 edges=1 counts=1,1,1")
/// );
/// assert_eq!(gcf::graph::from_str(&text)?.symbols.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Writer<W> {
    inner: W,
    encoder: Encoder,
    rules: &'static Rules,
    lines: Vec<u8>,
    /// Distance and number of symbols of each group so far.
    groups: Vec<(u32, u64)>,
    symbols: u32,
    edges: u64,
    state: State,
    report: EncodeReport,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Symbols,
    Edges,
    /// A write failed, so further output would not be a payload.
    Broken,
}

impl Encoder {
    /// Begins a streamed payload on `writer`.
    ///
    /// # Errors
    ///
    /// `not_streamable` for [`Dialect::V1`](super::Dialect::V1), which has no trailer;
    /// `invalid_name` for the tool; `io` when the writer fails.
    pub fn writer<W: Write>(&self, writer: W, head: &StreamHead<'_>) -> Result<Writer<W>, Error> {
        let rules = self.written_dialect().rules();
        if rules.trailer == Trailer::None {
            let message = format!(
                "the dialect {} has no trailer, expected a dialect with a trailer",
                rules.name
            );
            return Err(Error::encode(ErrorKind::NotStreamable, message));
        }
        let mut writer = Writer {
            inner: writer,
            encoder: *self,
            rules,
            lines: Vec::new(),
            groups: Vec::new(),
            symbols: 0,
            edges: 0,
            state: State::Symbols,
            report: EncodeReport::default(),
        };
        writer.write(|out| out.stream_header(head, rules))?;
        Ok(writer)
    }
}

impl<W: Write> Writer<W> {
    /// The fidelity of the text: as [`Dialect::fidelity`], except for the order of the symbols.
    /// Lines are written as they come, so nothing is ranked; the symbols are by distance.
    ///
    /// [`Dialect::fidelity`]: super::Dialect::fidelity
    pub fn fidelity(&self) -> Fidelity {
        self.encoder.written_dialect().fidelity().with_order(SymbolOrder::ByDistance)
    }

    /// Writes a symbol, and returns the index by which edges refer to it.
    ///
    /// # Errors
    ///
    /// `out_of_order` when its distance is less than that of the symbol before, or an edge was
    /// written; the errors of [`Encoder::encode`] for a symbol; `io` when the writer fails. Unless
    /// the error is `io`, nothing is written and the stream can continue.
    pub fn symbol(&mut self, symbol: &Symbol<'_>) -> Result<u32, Error> {
        let last = self.groups.last().map(|(distance, _)| *distance);
        if self.state == State::Edges || last.is_some_and(|last| symbol.distance < last) {
            return Err(out_of_order(self.symbols, symbol.distance));
        }
        let id = self.symbols;
        let next = id.checked_add(1).ok_or_else(too_many)?;
        self.write(|out| {
            let mut group = last;
            out.group(&mut group, symbol.distance);
            out.symbol("symbols", id, id, symbol)
        })?;
        match self.groups.last_mut() {
            Some((distance, count)) if *distance == symbol.distance => *count += 1,
            _ => self.groups.push((symbol.distance, 1)),
        }
        self.symbols = next;
        Ok(id)
    }

    /// Writes an edge between symbols that have been written.
    ///
    /// # Errors
    ///
    /// The errors of [`Encoder::encode`] for an edge; `io` when the writer fails. Unless the error
    /// is `io`, nothing is written and the stream can continue.
    pub fn edge(&mut self, edge: &Edge<'_>) -> Result<(), Error> {
        let (first, index, symbols) = (self.state == State::Symbols, self.edges, self.symbols);
        let index = usize::try_from(index).unwrap_or(usize::MAX);
        self.write(|out| {
            if first {
                out.edges_group("?");
            }
            out.edge(index, edge, &SymbolIds::Indices(symbols))
        })?;
        self.state = State::Edges;
        self.edges += 1;
        Ok(())
    }

    /// The changes so far: the names in which [`Encoder::replace_white_space`] replaced white
    /// space.
    pub fn report(&self) -> EncodeReport {
        self.report
    }

    /// Writes the trailer, flushes, and returns the writer.
    ///
    /// # Errors
    ///
    /// `io` when the writer fails.
    pub fn finish(mut self) -> Result<W, Error> {
        let trailer = self.trailer();
        self.write(|out| {
            out.text(&trailer);
            Ok(())
        })?;
        self.inner.flush()?;
        Ok(self.inner)
    }

    fn trailer(&self) -> String {
        let groups = self.groups.iter();
        let mut names: Vec<(String, u64)> =
            groups.map(|(distance, count)| (name_of_group(*distance), *count)).collect();
        let (head, labeled) = match self.rules.trailer {
            // Sections are those that there are.
            Trailer::None | Trailer::Sections => {
                if self.state == State::Edges {
                    names.push((EDGES.to_owned(), self.edges));
                }
                (SUMMARY_PREFIXES[0], true)
            }
            Trailer::Counts => {
                names.push((EDGES.to_owned(), self.edges));
                (SUMMARY_PREFIXES[1], self.encoder.labeled_counts)
            }
        };
        let key = if self.rules.trailer == Trailer::Counts { "counts" } else { "sections" };
        let count = |(name, count): (String, u64)| {
            if labeled { format!("{name}:{count}") } else { count.to_string() }
        };
        let counts: Vec<String> = names.into_iter().map(count).collect();
        format!("{head} symbols={} edges={} {key}={}\n", self.symbols, self.edges, counts.join(","))
    }

    /// Makes lines, and writes them when they are whole.
    fn write(
        &mut self,
        make: impl FnOnce(&mut LineWriter<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if self.state == State::Broken {
            return Err(io::Error::other("an earlier write failed, so the stream is broken").into());
        }
        self.lines.clear();
        self.report.names_changed += self.encoder.append(&mut self.lines, make)?.names_changed;
        if let Err(error) = self.inner.write_all(&self.lines) {
            self.state = State::Broken;
            return Err(error.into());
        }
        Ok(())
    }
}

#[cold]
fn out_of_order(index: u32, distance: u32) -> Error {
    let message = format!(
        "symbols[{index}] at distance {distance} comes too late, expected symbols in the order of their distance, before all edges"
    );
    Error::encode(ErrorKind::OutOfOrder, message)
}

#[cold]
fn too_many() -> Error {
    Error::encode(ErrorKind::TooManyItems, "there are 2^32 symbols, expected fewer")
}
