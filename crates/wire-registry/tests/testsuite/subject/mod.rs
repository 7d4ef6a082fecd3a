//! The glue between the conformance corpus and the codecs of this crate.

use wire_conformance::{Failure, Options, Subject};
use wire_core::{Codec, CodecError, Payload};
use wire_registry::json::{Json, JsonErrorKind};
use wire_registry::markdown::{Markdown, MarkdownErrorKind};
use wire_registry::xml::{Xml, XmlErrorKind};

pub(crate) struct JsonSubject;
pub(crate) struct XmlSubject;
pub(crate) struct MarkdownSubject;

fn failure(error: &CodecError) -> Failure {
    Failure::new(error.code(), error.position(), error)
}

/// Encodes after bytes that are there already.
fn encode(codec: &dyn Codec, payload: &Payload<'_>) -> Result<Vec<u8>, Failure> {
    let mut out = b"before".to_vec();
    let written = codec.encode(payload, &mut out);
    let after = out.split_off("before".len());
    match written {
        Ok(()) => Ok(after),
        Err(_) if !after.is_empty() => Err(Failure::disagreement("an error and what was written")),
        Err(error) => Err(failure(&error)),
    }
}

fn decode(codec: &dyn Codec, input: &[u8]) -> Result<Payload<'static>, Failure> {
    codec.decode(input).map(Payload::into_owned).map_err(|error| failure(&error))
}

impl Subject for JsonSubject {
    fn format(&self) -> &'static str {
        "json"
    }

    fn error_codes(&self) -> Vec<&'static str> {
        JsonErrorKind::ALL.iter().map(|kind| kind.code()).collect()
    }

    fn encode(&self, payload: &Payload<'_>, options: &Options) -> Result<Vec<u8>, Failure> {
        match options.layout.as_deref() {
            None => encode(&Json::compact(), payload),
            Some("pretty") => encode(&Json::pretty(), payload),
            Some(other) => panic!("layout is {other:?}"),
        }
    }

    fn decode(&self, input: &[u8], _options: &Options) -> Result<Payload<'static>, Failure> {
        let compact = decode(&Json::compact(), input);
        let pretty = decode(&Json::pretty(), input);
        if format!("{compact:?}") != format!("{pretty:?}") {
            return Err(Failure::disagreement("json and json-pretty"));
        }
        compact
    }
}

impl Subject for XmlSubject {
    fn format(&self) -> &'static str {
        "xml"
    }

    fn error_codes(&self) -> Vec<&'static str> {
        XmlErrorKind::ALL.iter().map(|kind| kind.code()).collect()
    }

    fn encode(&self, payload: &Payload<'_>, _options: &Options) -> Result<Vec<u8>, Failure> {
        encode(&Xml, payload)
    }

    fn decode(&self, input: &[u8], _options: &Options) -> Result<Payload<'static>, Failure> {
        decode(&Xml, input)
    }
}

impl Subject for MarkdownSubject {
    fn format(&self) -> &'static str {
        "markdown"
    }

    fn error_codes(&self) -> Vec<&'static str> {
        MarkdownErrorKind::ALL.iter().map(|kind| kind.code()).collect()
    }

    fn encode(&self, payload: &Payload<'_>, _options: &Options) -> Result<Vec<u8>, Failure> {
        encode(&Markdown, payload)
    }

    fn decode(&self, input: &[u8], _options: &Options) -> Result<Payload<'static>, Failure> {
        decode(&Markdown, input)
    }
}
