//! Encoding.

use wire_core::text::shown;
use wire_core::{Components, Edge, Payload, Symbol};

use crate::layout::{
    COMPONENTS, FIXED, MAGIC, SMALLEST_EDGE, SMALLEST_SYMBOL, VERSION, push_varint,
};
use crate::{Error, ErrorKind};

/// The encoder. It has no options: there is one way to write a payload.
///
/// ```
/// let payload = wire_core::Payload { tool: "t".into(), ..Default::default() };
/// let mut out = b"before".to_vec();
/// gcb::Encoder::new().encode(&payload, &mut out)?;
/// assert_eq!(gcb::from_slice(&out[6..])?, payload);
/// # Ok::<(), gcb::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Encoder;

impl Encoder {
    /// The encoder.
    pub const fn new() -> Self {
        Encoder
    }

    /// Appends the encoded payload to `out`.
    ///
    /// # Errors
    ///
    /// `no_id`, `distance_too_large` or `edge_index_out_of_range`, with the symbol or edge in the
    /// message. Then `out` is what it was before the call.
    pub fn encode(&self, payload: &Payload<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
        let start = out.len();
        out.reserve(estimated_size(payload));
        let written = write(payload, out);
        if written.is_err() {
            out.truncate(start);
        }
        written
    }

    /// The encoded payload.
    ///
    /// # Errors
    ///
    /// As [`Encoder::encode`].
    pub fn to_vec(&self, payload: &Payload<'_>) -> Result<Vec<u8>, Error> {
        let mut out = Vec::new();
        self.encode(payload, &mut out)?;
        Ok(out)
    }
}

/// The size of the encoded payload, exact except for varints of more than one byte, for which some
/// room is added.
fn estimated_size(payload: &Payload<'_>) -> usize {
    let text: usize = payload
        .symbols
        .iter()
        .map(|symbol| symbol.qualified_name.len() + symbol.signature.len())
        .sum();
    let symbols = payload.symbols.len() * (SMALLEST_SYMBOL + 2);
    64 + payload.tool.len() + text + symbols + payload.edges.len() * (SMALLEST_EDGE + 4)
}

fn write(payload: &Payload<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    out.extend_from_slice(MAGIC);
    out.push(VERSION);
    push_string(out, &payload.tool);
    push_varint(out, payload.tokens_used);
    push_varint(out, payload.token_budget);
    push_varint(out, payload.symbols.len() as u64);
    push_varint(out, payload.edges.len() as u64);
    for (index, symbol) in payload.symbols.iter().enumerate() {
        push_symbol(out, index, symbol)?;
    }
    let symbols = payload.symbols.len();
    for (index, edge) in payload.edges.iter().enumerate() {
        push_edge(out, index, edge, symbols)?;
    }
    Ok(())
}

#[inline]
fn push_string(out: &mut Vec<u8>, text: &str) {
    push_varint(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

#[inline]
fn push_symbol(out: &mut Vec<u8>, index: usize, symbol: &Symbol<'_>) -> Result<(), Error> {
    let Some(kind) = symbol.kind.gcb_id() else {
        return Err(no_id(&format!("symbols[{index}].kind"), symbol.kind.as_str()));
    };
    let Some(provenance) = symbol.provenance.gcb_id() else {
        return Err(no_id(&format!("symbols[{index}].provenance"), symbol.provenance.as_str()));
    };
    let Ok(distance) = u8::try_from(symbol.distance) else {
        return Err(too_far(index, symbol.distance));
    };
    let Components { blast_radius, confidence, recency, distance: proximity } = symbol.components;
    let numbers = [symbol.score, blast_radius, confidence, recency, proximity];
    // There is no early exit: five comparisons are one branch.
    if numbers.iter().fold(false, |any, number| any | is_beyond(*number)) {
        return Err(beyond(index, numbers));
    }
    push_string(out, &symbol.qualified_name);
    let [s0, s1, s2, s3] = single(symbol.score);
    let fixed: [u8; FIXED] = [kind, s0, s1, s2, s3, provenance, distance];
    // A length below 128 is one byte, which is written together with the block before it.
    let signature = symbol.signature.as_bytes();
    match u8::try_from(signature.len()) {
        Ok(length @ ..0x80) => {
            let [kind, s0, s1, s2, s3, provenance, distance] = fixed;
            out.extend_from_slice(&[kind, s0, s1, s2, s3, provenance, distance, length]);
        }
        _ => {
            out.extend_from_slice(&fixed);
            push_varint(out, signature.len() as u64);
        }
    }
    out.extend_from_slice(signature);
    let mut components = [0; COMPONENTS];
    for (place, &value) in components.chunks_exact_mut(4).zip(&numbers[1..]) {
        place.copy_from_slice(&single(value));
    }
    out.extend_from_slice(&components);
    Ok(())
}

#[inline]
fn push_edge(
    out: &mut Vec<u8>,
    index: usize,
    edge: &Edge<'_>,
    symbols: usize,
) -> Result<(), Error> {
    for (end, place) in [("source", edge.source), ("target", edge.target)] {
        if place as usize >= symbols {
            return Err(out_of_range(index, end, place, symbols));
        }
    }
    let Some(edge_type) = edge.edge_type.gcb_id() else {
        return Err(no_id(&format!("edges[{index}].edge_type"), edge.edge_type.as_str()));
    };
    let Some(status) = edge.status.gcb_id() else {
        return Err(no_id(&format!("edges[{index}].status"), edge.status.as_str()));
    };
    push_varint(out, u64::from(edge.source));
    push_varint(out, u64::from(edge.target));
    out.extend_from_slice(&[edge_type, status]);
    Ok(())
}

/// Returns `true` if a finite number would become infinite (ruling B7).
#[inline]
#[allow(clippy::cast_possible_truncation)] // what it becomes is the question
fn is_beyond(value: f64) -> bool {
    (value as f32).is_infinite() & value.is_finite()
}

#[cold]
fn beyond(index: usize, numbers: [f64; 5]) -> Error {
    const NAMES: [&str; 5] = [
        "score",
        "components.blast_radius",
        "components.confidence",
        "components.recency",
        "components.distance",
    ];
    let found = NAMES.into_iter().zip(numbers).find(|(_, number)| is_beyond(*number));
    let (name, number) = found.unwrap_or((NAMES[0], numbers[0]));
    let message = format!(
        "symbols[{index}].{name} is {number:e}, expected a number in the range of singles, or an infinity"
    );
    Error::encode(ErrorKind::OutOfRange, message)
}

/// Rounds to nearest, ties to even.
#[inline]
#[allow(clippy::cast_possible_truncation)] // the rounding is the format's (ruling B2)
fn single(value: f64) -> [u8; 4] {
    (value as f32).to_le_bytes()
}

#[cold]
fn no_id(what: &str, word: &str) -> Error {
    Error::encode(
        ErrorKind::NoId,
        format!(
            "{what} is {}, which has no id in GCB1, expected a name from the format's table",
            shown(word)
        ),
    )
}

#[cold]
fn too_far(index: usize, distance: u32) -> Error {
    Error::encode(
        ErrorKind::DistanceTooLarge,
        format!("symbols[{index}].distance is {distance}, expected at most 255"),
    )
}

#[cold]
fn out_of_range(index: usize, end: &str, found: u32, symbols: usize) -> Error {
    Error::encode(
        ErrorKind::EdgeIndexOutOfRange,
        format!(
            "edges[{index}].{end} is {found}, expected the index of one of the {symbols} symbols"
        ),
    )
}
