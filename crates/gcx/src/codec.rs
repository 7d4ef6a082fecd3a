//! The family's payload as two sections, `<tool>.symbols` and `<tool>.edges`.

use std::borrow::Cow;

use wire_core::number::Digits;
use wire_core::text::shown;
use wire_core::{
    Audience, Codec, CodecError, CodecInfo, Components, Edge, EdgeStatus, Fidelity, Field, Loss,
    Magic, PackRoot, Payload, Symbol, Treatment,
};

use crate::decode::{Decoder, Sections, SliceReader};
use crate::encode::Writer;
use crate::header::Header;
use crate::json;
use crate::{Error, ErrorKind};

/// Follows the tool in the names of the sections.
const SYMBOLS: &str = ".symbols";
const EDGES: &str = ".edges";
/// The columns of symbols. Those from `signature` on are written only when a symbol has a value for
/// them.
const SYMBOL: [&str; 10] = [
    "qualified_name",
    "kind",
    "score",
    "provenance",
    "distance",
    "signature",
    "blast_radius",
    "confidence",
    "recency",
    "proximity",
];
const SYMBOL_REQUIRED: usize = 5;
const SIGNATURE: usize = 5;
/// The columns of edges. `status` is written only when an edge has another status than `unchanged`,
/// which is an empty cell.
const EDGE: [&str; 4] = ["source", "target", "type", "status"];
const EDGE_REQUIRED: usize = 3;
/// Metadata of the symbols.
const TOKENS_USED: &str = "tokens_used";
const TOKEN_BUDGET: &str = "token_budget";
const PACK_ROOT: &str = "pack_root";

/// GCX1 as a [`Codec`] of the family's payload, for registries.
///
/// ```
/// use wire_core::{Codec, Edge, Payload, Symbol};
///
/// let mut payload = Payload { tool: "context".into(), ..Payload::default() };
/// payload.symbols = vec![
///     Symbol::new("function", "pkg.Auth").with_score(0.78),
///     Symbol::new("type", "pkg.User"),
/// ];
/// payload.edges = vec![Edge::new(0, 1, "references")];
/// let mut out = Vec::new();
/// gcx::Gcx::default().encode(&payload, &mut out)?;
/// assert_eq!(
///     String::from_utf8_lossy(&out),
///     "GCX1 tool=context.symbols \
///      fields=qualified_name,kind,score,provenance,distance rows=2\n\
///      pkg.Auth\tfunction\t0.78\tstructural\t0\n\
///      pkg.User\ttype\t0\tstructural\t0\n\
///      GCX1 tool=context.edges fields=source,target,type rows=1\n\
///      0\t1\treferences\n",
/// );
/// assert_eq!(gcx::Gcx::default().decode(&out)?, payload);
/// # Ok::<(), wire_core::CodecError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Gcx {
    decoder: Decoder,
}

const INFO: CodecInfo = CodecInfo::new(
    "gcx",
    "Rows with tabs, for tabular tool responses; any JSON fits, and every text tool reads it.",
)
.with_audience(Audience::Agents)
.with_magic(Magic::Prefix(b"GCX1 "))
.with_extensions(&["gcx"])
.with_media_type("application/vnd.gcx+text")
.with_fidelity(Fidelity::new(&[Loss::new(Field::Signature, Treatment::WithoutCarriageReturns)]));

impl Gcx {
    /// A codec with these options.
    pub const fn new(decoder: Decoder) -> Self {
        Gcx { decoder }
    }

    /// Returns `true` if a text with this first header contains a payload rather than the response
    /// of a tool.
    pub fn is_payload(header: &Header<'_>) -> bool {
        header.tool().ends_with(SYMBOLS) && header.column(SYMBOL[0]).is_some()
    }
}

impl Codec for Gcx {
    fn info(&self) -> &CodecInfo {
        &INFO
    }

    fn encode(&self, payload: &Payload<'_>, out: &mut Vec<u8>) -> Result<(), CodecError> {
        let start = out.len();
        encode(payload, out).inspect_err(|_| out.truncate(start))?;
        Ok(())
    }

    fn decode<'a>(&self, input: &'a [u8]) -> Result<Payload<'a>, CodecError> {
        Ok(decode(self.decoder.slice_reader(Error::utf8(input)?), self.decoder.limits.items)?)
    }
}

fn encode(payload: &Payload<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    let parts = |symbol: &Symbol<'_>| {
        let Components { blast_radius, confidence, recency, distance } = symbol.components;
        [blast_radius, confidence, recency, distance]
    };
    let has_signature = payload.symbols.iter().any(|symbol| !symbol.signature.is_empty());
    let has_parts = payload.symbols.iter().any(|symbol| parts(symbol) != [0.0; 4]);
    let fields = SYMBOL.iter().enumerate().filter(|&(column, _)| match column {
        0..SYMBOL_REQUIRED => true,
        SIGNATURE => has_signature,
        _ => has_parts,
    });
    let mut header = Header::new(
        name(&payload.tool, || "the tool".to_owned())? + SYMBOLS,
        fields.map(|(_, field)| *field),
    )
    .with_rows(payload.symbols.len() as u64);
    for (key, tokens) in [(TOKENS_USED, payload.tokens_used), (TOKEN_BUDGET, payload.token_budget)]
    {
        if tokens > 0 {
            header = header.with_meta(key, tokens.to_string());
        }
    }
    if let Some(root) = &payload.pack_root {
        header = header.with_meta(PACK_ROOT, root.as_str());
    }
    let mut writer = Writer::new(out);
    writer.begin(&header)?;
    for (index, symbol) in payload.symbols.iter().enumerate() {
        let of = |what: &str| format!("the {what} of symbol {index}");
        let distance = symbol.distance.to_string();
        let score = number(symbol.score, || of("score"))?;
        let mut cells = vec![
            name(&symbol.qualified_name, || of("qualified name"))?,
            name(symbol.kind.as_str(), || of("kind"))?,
            Cow::Owned(score),
            name(symbol.provenance.as_str(), || of("provenance"))?,
            Cow::Owned(distance),
        ];
        cells.extend(has_signature.then_some(Cow::Borrowed(&*symbol.signature)));
        if has_parts {
            for (part, field) in parts(symbol).into_iter().zip(&SYMBOL[SIGNATURE + 1..]) {
                cells.push(Cow::Owned(number(part, || of(field))?));
            }
        }
        writer.row(cells)?;
    }
    let has_status = payload.edges.iter().any(|edge| edge.status != EdgeStatus::Unchanged);
    let fields = if has_status { &EDGE[..] } else { &EDGE[..EDGE_REQUIRED] };
    let tool = format!("{}{EDGES}", payload.tool);
    writer
        .begin(&Header::new(tool, fields.iter().copied()).with_rows(payload.edges.len() as u64))?;
    for (index, edge) in payload.edges.iter().enumerate() {
        let of = |what: &str| format!("the {what} of edge {index}");
        let end = |row: u32, what: &str| {
            if (row as usize) < payload.symbols.len() {
                return Ok(Cow::Owned(row.to_string()));
            }
            let symbols = payload.symbols.len();
            let message =
                format!("{} is {row}, expected the index of one of {symbols} symbols", of(what));
            Err(Error::encode(ErrorKind::EdgeIndexOutOfRange, message))
        };
        let mut cells = vec![
            end(edge.source, "source")?,
            end(edge.target, "target")?,
            name(edge.edge_type.as_str(), || of("type"))?,
        ];
        if has_status {
            let is_changed = edge.status != EdgeStatus::Unchanged;
            cells.push(name(if is_changed { edge.status.as_str() } else { "" }, || of("status"))?);
        }
        writer.row(cells)?;
    }
    writer.finish()?;
    Ok(())
}

/// Checks a text that must decode to itself.
fn name(text: &str, what: impl Fn() -> String) -> Result<Cow<'_, str>, Error> {
    if memchr::memchr(b'\r', text.as_bytes()).is_none() {
        return Ok(Cow::Borrowed(text));
    }
    let message = format!("{} is {}, expected no carriage return", what(), shown(text));
    Err(Error::encode(ErrorKind::InvalidName, message))
}

fn number(value: f64, what: impl Fn() -> String) -> Result<String, Error> {
    if !value.is_finite() {
        let message = format!("{} is {value}, expected a finite number", what());
        return Err(Error::encode(ErrorKind::NonFiniteNumber, message));
    }
    Ok(Digits::new().shortest(value).to_owned())
}

fn decode(mut reader: SliceReader<'_>, items: usize) -> Result<Payload<'_>, Error> {
    let mut payload = Payload::default();
    let header = reader.section()?.unwrap_or_default();
    let table = Table::of(&reader, &header, SYMBOLS, &SYMBOL, SYMBOL_REQUIRED)?;
    let tool = header.tool.strip_suffix(SYMBOLS).unwrap_or_default().to_owned();
    for (key, tokens) in
        [(TOKENS_USED, &mut payload.tokens_used), (TOKEN_BUDGET, &mut payload.token_budget)]
    {
        let Some(text) = header.meta(key) else { continue };
        *tokens = json::digits(text).and_then(|digits| digits.parse().ok()).ok_or_else(|| {
            let message =
                format!("the metadata `{key}` is {}, expected a number of tokens", shown(text));
            Error::at(ErrorKind::InvalidCell, reader.line_place(), message)
        })?;
    }
    if let Some(root) = header.meta(PACK_ROOT) {
        let root = PackRoot::new(root.to_owned()).map_err(|error| {
            Error::at(ErrorKind::InvalidCell, reader.line_place(), error.to_string())
        })?;
        payload.pack_root = Some(root);
    }
    while let Some(row) = reader.row()? {
        check_items(&reader, "symbols", payload.symbols.len(), items)?;
        let mut cells = Cells { table: &table, row: row.into_present(), reader: &reader };
        let symbol = Symbol::new(cells.take(1), cells.take(0))
            .with_score(cells.number(2)?)
            .with_provenance(cells.take(3))
            .with_distance(cells.integer(4)?)
            .with_signature(cells.take(SIGNATURE))
            .with_components(Components {
                blast_radius: cells.part(6)?,
                confidence: cells.part(7)?,
                recency: cells.part(8)?,
                distance: cells.part(9)?,
            });
        payload.symbols.push(symbol);
    }
    let Some(header) = reader.section()? else {
        let message =
            format!("the input ends after the symbols, expected the section {tool}{EDGES}");
        return Err(Error::at(ErrorKind::InvalidShape, reader.line_place(), message));
    };
    let table = Table::of(&reader, &header, EDGES, &EDGE, EDGE_REQUIRED)?;
    if header.tool.strip_suffix(EDGES) != Some(&tool) {
        let message = format!("the section is {}, expected {tool}{EDGES}", shown(header.tool()));
        return Err(Error::at(ErrorKind::InvalidShape, reader.line_place(), message));
    }
    while let Some(row) = reader.row()? {
        check_items(&reader, "edges", payload.edges.len(), items)?;
        let mut cells = Cells { table: &table, row: row.into_present(), reader: &reader };
        let symbols = payload.symbols.len();
        let (source, target) = (cells.index(0, symbols)?, cells.index(1, symbols)?);
        let edge = Edge::new(source, target, cells.take(2)).with_status(cells.take(3));
        payload.edges.push(edge);
    }
    if let Some(another) = reader.section()? {
        let message = format!("there is a third section, {}, expected two", shown(another.tool()));
        return Err(Error::at(ErrorKind::InvalidShape, reader.line_place(), message));
    }
    payload.tool = tool.into();
    Ok(payload)
}

fn check_items(
    reader: &SliceReader<'_>,
    what: &str,
    found: usize,
    limit: usize,
) -> Result<(), Error> {
    if found < limit {
        return Ok(());
    }
    let message = format!("there are more than {limit} {what}, expected at most that many");
    Err(Error::at(ErrorKind::TooManyItems, reader.line_place(), message))
}

/// The position of each column in the rows of a section.
struct Table {
    columns: Vec<Option<usize>>,
}

impl Table {
    /// The columns of a section with this name. The first `required` must be there, and there may
    /// be no unknown ones.
    fn of(
        reader: &SliceReader<'_>,
        header: &Header<'_>,
        suffix: &str,
        names: &[&str],
        required: usize,
    ) -> Result<Self, Error> {
        let columns: Vec<Option<usize>> = names.iter().map(|name| header.column(name)).collect();
        let unknown = header.fields().any(|field| !names.contains(&field));
        let missing = columns[..required].contains(&None);
        if header.tool.ends_with(suffix) && !unknown && !missing {
            return Ok(Table { columns });
        }
        let message = format!(
            "the section is {} with the fields {}, expected one whose name ends in {suffix}, with {} and no others but {}",
            shown(header.tool()),
            shown(&header.fields().collect::<Vec<_>>().join(",")),
            names[..required].join(","),
            names[required..].join(",")
        );
        Err(Error::at(ErrorKind::InvalidShape, reader.line_place(), message))
    }
}

/// The cells of a row, by the columns of its table.
struct Cells<'t, 'a> {
    table: &'t Table,
    row: Vec<Cow<'a, str>>,
    reader: &'t SliceReader<'a>,
}

impl<'a> Cells<'_, 'a> {
    /// The text of a cell. It is moved out, so each cell can be read once.
    fn take(&mut self, column: usize) -> Cow<'a, str> {
        let cell = self.table.columns[column].and_then(|column| self.row.get_mut(column));
        cell.map(std::mem::take).unwrap_or_default()
    }

    #[cold]
    fn wrong(&self, column: usize, kind: ErrorKind, found: &str, expected: &str) -> Error {
        let place = self.reader.cell_place(self.table.columns[column].unwrap_or_default());
        Error::at(kind, place, format!("the cell is {}, expected {expected}", shown(found)))
    }

    fn number(&mut self, column: usize) -> Result<f64, Error> {
        let cell = self.take(column);
        json::double(&cell)
            .ok_or_else(|| self.wrong(column, ErrorKind::InvalidCell, &cell, "a finite number"))
    }

    fn integer(&mut self, column: usize) -> Result<u32, Error> {
        let cell = self.take(column);
        let number = json::digits(&cell).and_then(|digits| digits.parse().ok());
        number.ok_or_else(|| {
            self.wrong(column, ErrorKind::InvalidCell, &cell, "an integer from 0 to 4294967295")
        })
    }

    /// A component of a score; 0 when there is no column for it.
    fn part(&mut self, column: usize) -> Result<f64, Error> {
        if self.table.columns[column].is_none() { Ok(0.0) } else { self.number(column) }
    }

    fn index(&mut self, column: usize, symbols: usize) -> Result<u32, Error> {
        let index = self.integer(column)?;
        if (index as usize) < symbols {
            return Ok(index);
        }
        let expected = format!("the row of one of {symbols} symbols, from 0");
        Err(self.wrong(column, ErrorKind::EdgeIndexOutOfRange, &index.to_string(), &expected))
    }
}
