//! The glue between the conformance corpus and this crate.

use goon::{Decoder, Encoder, ErrorKind, GraphResponse, Version};
use serde_json::Value;
use wire_conformance::{Failure, Options, Responses, Subject};
use wire_core::{Codec, CodecError, Payload};

pub(crate) struct Goon;

fn failure(error: &goon::Error) -> Failure {
    Failure::new(error.code(), error.position(), error)
}

fn codec_failure(error: &CodecError) -> Failure {
    Failure::new(error.code(), error.position(), error)
}

/// Returns `true` if the option has its one value.
fn is_set(option: &str, found: Option<&str>, value: &str) -> bool {
    assert!(found.is_none_or(|found| found == value), "{option} is {found:?}");
    found.is_some()
}

fn encoder(options: &Options) -> Encoder {
    let mut encoder = Encoder::new();
    if let Some(version) = &options.goon_version {
        encoder = encoder.version(Version::from_name(version).expect("because it is a version"));
    }
    let quoted = is_set("quote_numbers", options.quote_numbers.as_deref(), "written");
    encoder = encoder.quote_numbers(quoted);
    if is_set("truncation", options.truncation.as_deref(), "off") {
        encoder = encoder.long_text(None).other_text(None);
    }
    if options.long_text.is_some() {
        encoder = encoder.long_text(options.long_text);
    }
    if options.other_text.is_some() {
        encoder = encoder.other_text(options.other_text);
    }
    encoder = encoder.exact(is_set("decimals", options.decimals.as_deref(), "exact"));
    let dropped = is_set("unrepresentable", options.unrepresentable.as_deref(), "dropped");
    encoder.drop_unrepresentable(dropped)
}

impl Responses for Goon {
    fn encode(
        &self,
        _: &str,
        response: &Value,
        options: &Options,
    ) -> Result<(Vec<u8>, Vec<String>), Failure> {
        let of_value = GraphResponse::from_value(response);
        let of_text = GraphResponse::from_json_str(&response.to_string());
        let shown = |outcome: &Result<GraphResponse, goon::Error>| match outcome {
            Ok(response) => format!("{response:?}"),
            Err(error) => error.code().to_owned(),
        };
        if shown(&of_value) != shown(&of_text) {
            return Err(Failure::disagreement("the readers of JSON values and texts"));
        }
        let response = of_value.map_err(|error| failure(&error))?;
        let writer = encoder(options);
        let bytes = writer.to_vec(&response).map_err(|error| failure(&error))?;
        let mut written = Vec::new();
        writer.to_writer(&mut written, &response).map_err(|error| failure(&error))?;
        if bytes != written {
            return Err(Failure::disagreement("to_vec and to_writer"));
        }
        Ok((bytes, Vec::new()))
    }

    fn encode_text(&self, _: &str, json: &str, options: &Options) -> Result<Vec<u8>, Failure> {
        encoder(options).json_to_goon(json).map(String::into_bytes).map_err(|error| failure(&error))
    }

    fn decode(&self, input: &[u8], options: &Options) -> Result<Value, Failure> {
        let decoder = Decoder::new().limits(options.limits());
        let slice = decoder.from_slice(input).map_err(|error| failure(&error));
        let reader = decoder.from_reader(input).map_err(|error| failure(&error));
        if slice != reader {
            return Err(Failure::disagreement("from_slice and from_reader"));
        }
        let value = slice.map(|response| response.to_value());
        if let Ok(text) = std::str::from_utf8(input) {
            let json = decoder.goon_to_json(text).map_err(|error| failure(&error));
            let read = json.map(|json| serde_json::from_str(&json).expect("because it is JSON"));
            if read != value {
                return Err(Failure::disagreement("from_slice and goon_to_json"));
            }
        }
        value
    }
}

impl Subject for Goon {
    fn format(&self) -> &'static str {
        "goon"
    }

    fn error_codes(&self) -> Vec<&'static str> {
        ErrorKind::ALL.iter().map(|kind| kind.code()).collect()
    }

    fn responses(&self) -> Option<&dyn Responses> {
        Some(self)
    }

    fn encode(&self, payload: &Payload<'_>, _: &Options) -> Result<Vec<u8>, Failure> {
        let mut out = Vec::new();
        goon::Goon::default().encode(payload, &mut out).map_err(|error| codec_failure(&error))?;
        Ok(out)
    }

    fn decode(&self, input: &[u8], options: &Options) -> Result<Payload<'static>, Failure> {
        let codec = goon::Goon::new(Decoder::new().limits(options.limits()));
        codec.decode(input).map(Payload::into_owned).map_err(|error| codec_failure(&error))
    }
}
