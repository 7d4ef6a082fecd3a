//! Payloads of symbols and edges.

use std::io::Write;

use gcf::graph::{Decoder, Encoder, StreamHead};
use wire_core::{Codec, CodecError, EncodeReport, Payload, Representation};
use wire_tokens::Counter;

use super::Converted;
use crate::args::{ConvertOptions, Lossy, not_for};
use crate::diagnostic::{Remark, Warning};
use crate::failure::Failure;
use crate::input::Input;
use crate::source::names_changed;
use wire_input::Document;

/// How a payload is converted.
#[derive(Default)]
pub(super) struct Options {
    /// The tokens that it may have.
    budget: Option<(u64, Counter)>,
    /// `true` if edges to or from unknown symbols are dropped.
    drops_edges: bool,
    /// The encoder that writes it line by line, as GCF.
    lines: Option<Encoder>,
}

impl Options {
    pub(super) fn of(options: &ConvertOptions, encoder: Encoder) -> Self {
        let counter = options.counter.unwrap_or(Counter::WordPunctuation);
        Options {
            budget: options.budget.map(|budget| (budget, counter)),
            drops_edges: options.lossy.contains(&Lossy::Edges),
            lines: options.stream.map(|_| encoder),
        }
    }
}

/// Converts a document as a payload.
pub(super) fn convert(
    options: &Options,
    input: &Input,
    document: &Document<'_>,
    to: &dyn Codec,
) -> Result<Converted, Failure> {
    let read = read(options, input, document)?;
    write(options, input, read, to)
}

/// Converts the payload in a model's answer.
pub(super) fn recovered(
    options: &Options,
    input: &Input,
    to: &dyn Codec,
) -> Result<Converted, Failure> {
    let (payload, recovery) =
        Decoder::new().recover(&input.bytes).map_err(|error| input.refused(error.into()))?;
    let repairs = recovery.repairs.iter().map(Warning::of_repair).collect();
    let read = Read { payload, repairs, left_out: Vec::new() };
    write(options, input, read, to)
}

/// A payload, and what was done to read it.
struct Read<'i> {
    payload: Payload<'i>,
    /// The repairs that were made.
    repairs: Vec<Warning>,
    /// Descriptions of what the payload does not contain.
    left_out: Vec<String>,
}

/// The payload of a document.
fn read<'d>(
    options: &Options,
    input: &Input,
    document: &Document<'d>,
) -> Result<Read<'d>, Failure> {
    let whole = |payload, left_out| Read { payload, repairs: Vec::new(), left_out };
    if !options.drops_edges {
        return input.payload(document).map(|(payload, left_out)| whole(payload, left_out));
    }
    if document.json().is_none() {
        return Err(not_for("--lossy edges", "a payload that is not JSON"));
    }
    let refused = |error| input.refused(error);
    let left_out = document.lost(|at| input.position(at)).map_err(refused)?;
    let (payload, dangling) =
        wire_registry::json::decode_without_dangling_edges(document.bytes).map_err(refused)?;
    let mut read = whole(payload, left_out);
    if dangling > 0 {
        read.left_out.push(format!("edges to or from unknown symbols are dropped: {dangling}"));
    }
    Ok(read)
}

/// Writes a payload.
fn write(
    options: &Options,
    input: &Input,
    read: Read<'_>,
    to: &dyn Codec,
) -> Result<Converted, Failure> {
    let format = to.info().name();
    let Read { payload, repairs, left_out } = read;
    let (payload, over_budget) = within_budget(options, input, payload, to)?;
    let mut bytes = Vec::new();
    let report = match options.lines {
        Some(encoder) => stream(encoder, &payload, &mut bytes).map_err(CodecError::from),
        None => to.encode_with_report(&payload, &mut bytes),
    };
    let report = report.map_err(|error| Failure::encode(input.name.clone(), format, error))?;

    let mut converted = Converted::plain(bytes).read_with(repairs);
    converted.losses.extend(left_out.iter().cloned());
    converted.remarks.extend(left_out.into_iter().map(Remark::loss).chain(over_budget));
    let of_format = Converted::lossy(Vec::new(), format, report.losses.in_words());
    converted.losses.extend(of_format.losses);
    converted.remarks.extend(of_format.remarks);
    if let Some(message) = names_changed(report.names_changed) {
        converted.remarks.push(Remark::warning("names_changed", message));
    }
    Ok(converted)
}

/// The part of the payload that fits `--budget`, and a description of the rest.
fn within_budget<'p>(
    options: &Options,
    input: &Input,
    payload: Payload<'p>,
    to: &dyn Codec,
) -> Result<(Payload<'p>, Option<Remark>), Failure> {
    let Some((budget, counter)) = options.budget else { return Ok((payload, None)) };
    if to.info().representation() != Representation::Text {
        let message = format!("--budget counts tokens, and {} is not text", to.info().name());
        return Err(Failure::usage(message));
    }
    let fitted = wire_core::fit_to_budget(&payload, to, &counter, budget)
        .map_err(|error| Failure::budget(input.name.clone(), &error))?;
    let (symbols, edges) = (fitted.symbols_left_out, fitted.edges_left_out);
    let warning = (symbols + edges > 0).then(|| {
        let message = format!(
            "the budget of {budget} tokens leaves out {symbols} of {} symbols and {edges} of {} edges",
            payload.symbols.len(),
            payload.edges.len()
        );
        Remark::warning("over_budget", message)
    });
    Ok((fitted.payload, warning))
}

/// Writes line by line.
fn stream(
    encoder: Encoder,
    payload: &Payload<'_>,
    writer: impl Write,
) -> Result<EncodeReport, gcf::Error> {
    let head = StreamHead {
        tool: &payload.tool,
        token_budget: payload.token_budget,
        tokens_used: payload.tokens_used,
        pack_root: payload.pack_root.clone(),
    };
    let mut stream = encoder.writer(writer, &head)?;
    let losses = stream.fidelity().report(payload);
    let mut ordered;
    let payload = if payload.is_canonical() {
        payload
    } else {
        ordered = payload.clone();
        ordered.canonicalize();
        &ordered
    };
    for symbol in &payload.symbols {
        stream.symbol(symbol)?;
    }
    for edge in &payload.edges {
        stream.edge(edge)?;
    }
    let names_changed = stream.report().names_changed;
    stream.finish()?;
    Ok(EncodeReport::new(losses).with_names_changed(names_changed))
}
