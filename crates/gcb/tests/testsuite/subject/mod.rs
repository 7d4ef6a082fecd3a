//! The glue between the conformance corpus and this crate.

use gcb::{Decoder, ErrorKind};
use wire_conformance::{Failure, Options, Subject};
use wire_core::{Codec, Payload, Position};

pub(crate) struct Gcb;

fn failure(error: &gcb::Error) -> Failure {
    Failure::new(error.code(), error.offset().map(Position::in_binary), error)
}

/// Reads item by item. A reader can't know how many bytes are left, so that it finds a count that
/// exceeds the input at the input's end.
fn read_items(decoder: Decoder, input: &[u8]) -> Result<Payload<'static>, gcb::Error> {
    let mut reader = decoder.reader(input)?;
    let mut payload = Payload {
        tool: reader.tool().to_owned().into(),
        tokens_used: reader.tokens_used(),
        token_budget: reader.token_budget(),
        ..Payload::default()
    };
    while let Some(symbol) = reader.next_symbol()? {
        payload.symbols.push(symbol);
    }
    while let Some(edge) = reader.next_edge()? {
        payload.edges.push(edge);
    }
    Ok(payload)
}

/// Builds a payload from a view.
fn read_view(decoder: Decoder, input: &[u8]) -> Result<Payload<'static>, gcb::Error> {
    let view = decoder.view(input)?;
    Ok(Payload {
        tool: view.tool().into(),
        tokens_used: view.tokens_used(),
        token_budget: view.token_budget(),
        pack_root: None,
        symbols: view
            .symbols()
            .map(|symbol| {
                wire_core::Symbol::new(symbol.kind(), symbol.qualified_name())
                    .with_score(symbol.score())
                    .with_provenance(symbol.provenance())
                    .with_distance(symbol.distance().into())
                    .with_signature(symbol.signature())
                    .with_components(symbol.components())
            })
            .collect(),
        edges: view
            .edges()
            .map(|edge| {
                wire_core::Edge::new(edge.source(), edge.target(), edge.edge_type())
                    .with_status(edge.status())
            })
            .collect(),
    }
    .into_owned())
}

impl Subject for Gcb {
    fn format(&self) -> &'static str {
        "gcb"
    }

    fn error_codes(&self) -> Vec<&'static str> {
        ErrorKind::ALL.iter().map(|kind| kind.code()).collect()
    }

    fn encode(&self, payload: &Payload<'_>, _options: &Options) -> Result<Vec<u8>, Failure> {
        let vec = gcb::to_vec(payload).map_err(|error| failure(&error));
        let mut appended = b"before".to_vec();
        let codec = gcb::Gcb::default().encode(payload, &mut appended);
        let mut written = Vec::new();
        let writer = gcb::to_writer(&mut written, payload).map_err(|error| failure(&error));
        let after = appended.strip_prefix(b"before").expect("because it was there");
        let agree = match &vec {
            Ok(bytes) => codec.is_ok() && after == bytes && *bytes == written,
            Err(_) => codec.is_err() && after.is_empty() && written.is_empty(),
        };
        if !agree || vec.is_ok() != writer.is_ok() {
            return Err(Failure::disagreement("to_vec, to_writer and the codec"));
        }
        vec
    }

    fn decode(&self, input: &[u8], options: &Options) -> Result<Payload<'static>, Failure> {
        let mut decoder = Decoder::new().limits(options.limits());
        match options.unknown_ids.as_deref() {
            None => {}
            Some("words") => decoder = decoder.unknown_ids_as_words(true),
            Some(other) => panic!("unknown_ids is {other:?}"),
        }
        let slice =
            decoder.from_slice(input).map(Payload::into_owned).map_err(|error| failure(&error));
        let view = read_view(decoder, input).map_err(|error| failure(&error));
        if format!("{slice:?}") != format!("{view:?}") {
            return Err(Failure::disagreement("from_slice and the view"));
        }
        let items = read_items(decoder, input).map_err(|error| failure(&error));
        let early = [ErrorKind::CountExceedsInput, ErrorKind::TrailingBytes].map(ErrorKind::code);
        match (&slice, &items) {
            // The reader finds these late, or words them without the number of bytes.
            (Err(one), Err(_)) if early.contains(&&*one.code) => {}
            _ if format!("{slice:?}") == format!("{items:?}") => {}
            _ => return Err(Failure::disagreement("from_slice and the reader")),
        }
        slice
    }
}
