//! JSON as a codec of payloads (ruling R1), and of values.

mod values;

use wire_core::json::{Layout, Reader};
use wire_core::text::from_utf8;
use wire_core::{
    Audience, Codec, CodecError, CodecInfo, Dangling, EdgeNameError, Endpoint, Magic, Payload,
    PayloadBuilder, Position, error_kinds,
};
use wire_core::{ErrorDetail, json};

use crate::error::name_error;
pub use values::JsonValues;

error_kinds! {
    /// The kinds of error of the JSON codec. The codes are stable.
    JsonErrorKind {
        InvalidUtf8 = "invalid_utf8", "the input is not UTF-8";
        Syntax = "json_syntax", "the input is not JSON";
        UnexpectedEnd = "json_unexpected_end", "the input ends inside a JSON value";
        Data = "json_data", "a member is missing, appears twice, or has the wrong type";
        UnknownSymbolName = "unknown_symbol_name", "an edge names a symbol that does not exist";
        AmbiguousSymbolName = "ambiguous_symbol_name", "an edge names one of several symbols of the same name";
        NotRepresentable = "json_not_representable", "the payload contains what JSON can't represent: NaN, an infinity, an edge to a shared name or to no symbol";
    }
}

/// The JSON form of a payload, compact or indented by two spaces, with a final newline.
#[derive(Clone, Copy, Debug)]
pub struct Json {
    layout: Layout,
}

const COMPACT: CodecInfo =
    CodecInfo::new("json", "The JSON form, minified: what every tool reads.")
        .with_audience(Audience::People)
        .with_magic(Magic::AfterWhitespace(b"{"))
        .with_extensions(&["json"])
        .with_media_type("application/json");

/// `json` with white space. The two can't be distinguished on reading, so this one has no magic.
const PRETTY: CodecInfo =
    CodecInfo::new("json-pretty", "The JSON form, indented by two spaces: for people.")
        .with_audience(Audience::People)
        .with_media_type("application/json");

impl Json {
    /// Without white space.
    pub const fn compact() -> Self {
        Json { layout: Layout::Compact }
    }

    /// Indented by two spaces.
    pub const fn pretty() -> Self {
        Json { layout: Layout::Pretty }
    }
}

impl Codec for Json {
    fn info(&self) -> &CodecInfo {
        match self.layout {
            Layout::Compact => &COMPACT,
            Layout::Pretty => &PRETTY,
        }
    }

    fn encode(&self, payload: &Payload<'_>, out: &mut Vec<u8>) -> Result<(), CodecError> {
        let start = out.len();
        let written = match self.layout {
            Layout::Compact => serde_json::to_writer(&mut *out, payload),
            Layout::Pretty => serde_json::to_writer_pretty(&mut *out, payload),
        };
        if let Err(error) = written {
            out.truncate(start);
            return Err(codec_error(JsonErrorKind::NotRepresentable, None, error.to_string()));
        }
        out.push(b'\n');
        Ok(())
    }

    fn decode<'a>(&self, input: &'a [u8]) -> Result<Payload<'a>, CodecError> {
        resolved(input, Dangling::Refused).map(|(payload, _)| payload)
    }
}

/// Decodes a JSON payload without the edges whose source or target is not a symbol, and returns the
/// number of edges that were dropped (ruling G20).
///
/// # Errors
///
/// As [`Json`]'s `decode`, except for these edges.
pub fn decode_without_dangling_edges(input: &[u8]) -> Result<(Payload<'_>, usize), CodecError> {
    resolved(input, Dangling::Dropped)
}

fn resolved(input: &[u8], dangling: Dangling) -> Result<(Payload<'_>, usize), CodecError> {
    builder(input)?.resolve(dangling).map_err(|error| unnamed(input, &error))
}

fn builder(input: &[u8]) -> Result<PayloadBuilder<'_>, CodecError> {
    // The whole input is checked, since serde_json does not check strings that it skips.
    let text = from_utf8(input).map_err(|(at, message)| {
        codec_error(JsonErrorKind::InvalidUtf8, Some(Position::in_text(input, at)), message)
    })?;
    json::from_str(text).map_err(|error| document_error(text, &error))
}

fn codec_error(kind: JsonErrorKind, position: Option<Position>, message: String) -> CodecError {
    CodecError::new(kind.code(), position, ErrorDetail::new(kind, position, message))
}

/// The error of serde, with the path to the member. Tracking the path takes time on every value, so
/// the input is read a second time to find it.
#[cold]
fn document_error(text: &str, found: &json::Error) -> CodecError {
    let error = values::refused(text, found);
    let mut reader = Reader::new(text);
    match serde_path_to_error::deserialize::<_, PayloadBuilder<'_>>(reader.values()) {
        Err(located) if located.path().iter().len() > 0 && error.code() == DATA => {
            let message = format!("{}: {}", located.path(), found.message());
            codec_error(JsonErrorKind::Data, error.position(), message)
        }
        _ => error,
    }
}

const DATA: &str = JsonErrorKind::Data.code();

#[cold]
fn unnamed(input: &[u8], error: &EdgeNameError) -> CodecError {
    let position = edge_position(input, error.edge, error.endpoint);
    name_error(error, position, "qualified_name")
}

/// The position of the source or target of an edge in the input, which was read.
fn edge_position(input: &[u8], edge: usize, endpoint: Endpoint) -> Option<Position> {
    let name = match endpoint {
        Endpoint::Source => "source",
        Endpoint::Target => "target",
    };
    let mut reader = Reader::new(from_utf8(input).ok()?);
    go_to_member(&mut reader, "edges")?;
    reader.value().ok()?;
    for _ in 0..edge {
        reader.item().ok()?;
        reader.skip().ok()?;
    }
    reader.item().ok()?;
    go_to_member(&mut reader, name)?;
    reader.peek();
    Some(Position::in_text(input, reader.offset()))
}

/// Reads an object up to the value of this member.
fn go_to_member(reader: &mut Reader<'_>, name: &str) -> Option<()> {
    reader.value().ok()?;
    while reader.key().ok()??.decode() != name {
        reader.skip().ok()?;
    }
    Some(())
}
