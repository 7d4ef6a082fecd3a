//! The glue between the conformance corpus and the JSON codec.

use wire_conformance::{Failure, Options, Subject};
use wire_core::{Codec, CodecError, Payload};
use wire_registry::json::{Json, JsonErrorKind};

pub(crate) struct JsonSubject;

fn failure(error: &CodecError) -> Failure {
    Failure::new(error.code(), error.position(), error)
}

impl Subject for JsonSubject {
    fn format(&self) -> &'static str {
        "json"
    }

    fn error_codes(&self) -> Vec<&'static str> {
        JsonErrorKind::ALL.iter().map(|kind| kind.code()).collect()
    }

    fn encode(&self, payload: &Payload<'_>, options: &Options) -> Result<Vec<u8>, Failure> {
        let codec = match options.layout.as_deref() {
            None => Json::compact(),
            Some("pretty") => Json::pretty(),
            Some(other) => panic!("layout is {other:?}"),
        };
        let mut out = b"before".to_vec();
        let written = codec.encode(payload, &mut out);
        let after = out.split_off("before".len());
        match written {
            Ok(()) => Ok(after),
            Err(_) if !after.is_empty() => {
                Err(Failure::disagreement("an error and what was written"))
            }
            Err(error) => Err(failure(&error)),
        }
    }

    fn decode(&self, input: &[u8], _options: &Options) -> Result<Payload<'static>, Failure> {
        let compact =
            Json::compact().decode(input).map(Payload::into_owned).map_err(|error| failure(&error));
        let pretty =
            Json::pretty().decode(input).map(Payload::into_owned).map_err(|error| failure(&error));
        if format!("{compact:?}") != format!("{pretty:?}") {
            return Err(Failure::disagreement("json and json-pretty"));
        }
        compact
    }
}
