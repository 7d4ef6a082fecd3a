//! The glue between the conformance corpus and this crate.

mod exchange;
mod generic;
mod keyed;

use gcf::ErrorKind;
use gcf::graph::{Decoder, Dialect, Encoder, RepairKind, StreamHead};
use serde_json::{Value, json};
use wire_conformance::{ExchangeSubject, Failure, KeyedSets, Options, Responses, Subject};
use wire_core::Payload;

pub(crate) struct Gcf;

fn failure(error: &gcf::Error) -> Failure {
    Failure::new(error.code(), error.position(), error)
}

fn encoder(options: &Options) -> Encoder {
    let mut encoder = Encoder::new();
    if let Some(name) = &options.dialect {
        encoder = encoder
            .dialect(Dialect::from_name(name).unwrap_or_else(|| panic!("no dialect {name:?}")));
    }
    encoder.replace_white_space(options.replace_white_space)
}

fn decoder(options: &Options) -> Decoder {
    let decoder = Decoder::new().limits(options.limits());
    match options.final_newline.as_deref() {
        None => decoder,
        Some("required") => decoder.require_final_newline(true),
        Some(other) => panic!("final_newline is {other:?}"),
    }
}

/// Writes the payload symbol by symbol and edge by edge.
fn stream(encoder: Encoder, payload: &Payload<'_>, counts: &str) -> Result<Vec<u8>, gcf::Error> {
    let head = StreamHead {
        tool: &payload.tool,
        token_budget: payload.token_budget,
        tokens_used: payload.tokens_used,
        pack_root: payload.pack_root.clone(),
    };
    let labeled = match counts {
        "positional" => false,
        "labeled" => true,
        other => panic!("stream is {other:?}"),
    };
    let mut stream = encoder.labeled_counts(labeled).writer(Vec::new(), &head)?;
    for symbol in &payload.symbols {
        stream.symbol(symbol)?;
    }
    for edge in &payload.edges {
        stream.edge(edge)?;
    }
    stream.finish()
}

impl Subject for Gcf {
    fn format(&self) -> &'static str {
        "gcf"
    }

    fn error_codes(&self) -> Vec<&'static str> {
        ErrorKind::ALL.iter().map(|kind| kind.code()).collect()
    }

    fn exchange_subject(&self) -> Option<&dyn ExchangeSubject> {
        Some(self)
    }

    fn responses(&self) -> Option<&dyn Responses> {
        Some(&generic::Generic)
    }

    fn keyed_sets(&self) -> Option<&dyn KeyedSets> {
        Some(&keyed::Keyed)
    }

    fn repair_codes(&self) -> Vec<&'static str> {
        RepairKind::ALL.iter().map(|kind| kind.code()).collect()
    }

    fn encode(&self, payload: &Payload<'_>, options: &Options) -> Result<Vec<u8>, Failure> {
        let encoder = encoder(options);
        if let Some(counts) = &options.stream {
            return stream(encoder, payload, counts).map_err(|error| failure(&error));
        }
        let vec = encoder.to_vec(payload).map_err(|error| failure(&error));
        let string = encoder.to_string(payload).map_err(|error| failure(&error));
        let mut written = Vec::new();
        let writer = encoder.to_writer(&mut written, payload).map_err(|error| failure(&error));
        if vec != string.map(String::into_bytes) || vec != writer.map(|()| written) {
            return Err(Failure::disagreement("to_vec, to_string and to_writer"));
        }
        vec
    }

    fn decode(&self, input: &[u8], options: &Options) -> Result<Payload<'static>, Failure> {
        let decoder = decoder(options);
        let slice =
            decoder.from_slice(input).map(Payload::into_owned).map_err(|error| failure(&error));
        let reader = decoder.from_reader(input).map_err(|error| failure(&error));
        let shown = format!("{slice:?}");
        if shown != format!("{reader:?}") {
            return Err(Failure::disagreement("from_slice and from_reader"));
        }
        if let Ok(text) = std::str::from_utf8(input) {
            let str =
                decoder.from_str(text).map(Payload::into_owned).map_err(|error| failure(&error));
            if shown != format!("{str:?}") {
                return Err(Failure::disagreement("from_slice and from_str"));
            }
        }
        if let Ok(payload) = &slice {
            let (lenient, report) =
                decoder.decode_lenient(input).map_err(|error| failure(&error))?;
            if format!("{payload:?}") != format!("{lenient:?}") || !report.skipped.is_empty() {
                return Err(Failure::disagreement("strict and lenient"));
            }
        }
        slice
    }

    fn decode_lenient(
        &self,
        input: &[u8],
        options: &Options,
    ) -> Result<(Payload<'static>, Value), Failure> {
        let (payload, report) =
            decoder(options).decode_lenient(input).map_err(|error| failure(&error))?;
        let skipped: Vec<Value> = report
            .skipped
            .iter()
            .map(|skipped| {
                json!({ "line": skipped.line, "offset": skipped.offset, "reason": skipped.reason.code() })
            })
            .collect();
        let clean = report.is_clean();
        let report = json!({
            "declared_symbols": report.declared_symbols,
            "found_symbols": report.found_symbols,
            "declared_edges": report.declared_edges,
            "found_edges": report.found_edges,
            "last_good_line": report.last_good_line,
            "ends_in_newline": report.ends_in_newline,
            "is_clean": clean,
            "skipped": skipped,
        });
        Ok((payload.into_owned(), report))
    }

    fn recover(
        &self,
        input: &[u8],
        options: &Options,
    ) -> Result<(Payload<'static>, Value), Failure> {
        let (payload, recovery) =
            decoder(options).recover(input).map_err(|error| failure(&error))?;
        let repairs: Vec<Value> = recovery
            .repairs
            .iter()
            .map(|repair| {
                let mut object = json!({ "line": repair.line, "offset": repair.offset, "repair": repair.kind.code() });
                if let Some(reason) = repair.reason {
                    object["reason"] = reason.code().into();
                }
                object
            })
            .collect();
        let report = json!({
            "declared_symbols": recovery.declared_symbols,
            "found_symbols": recovery.found_symbols,
            "declared_edges": recovery.declared_edges,
            "found_edges": recovery.found_edges,
            "last_good_line": recovery.last_good_line,
            "repairs": repairs,
        });
        Ok((payload, report))
    }
}
