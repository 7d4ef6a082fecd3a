//! The generic profile: any JSON.

use gcf::{Decoder, Encoder, GcfValues, Spec};
use serde_json::Value;
use wire_conformance::{Failure, Options, Responses, same};
use wire_core::ValueCodec;
use wire_core::json::Doubles;

use super::failure;

pub(crate) struct Generic;

fn encoder(options: &Options) -> Encoder {
    let mut encoder = Encoder::new();
    if let Some(name) = &options.spec {
        encoder = encoder
            .spec(Spec::from_name(name).unwrap_or_else(|| panic!("no specification {name:?}")));
    }
    match options.decimals.as_deref() {
        None => {}
        Some("exact") => encoder = encoder.exact(true),
        Some(other) => panic!("decimals are {other:?}"),
    }
    match options.flattening.as_deref() {
        None => encoder,
        Some("off") => encoder.flatten(false),
        Some(other) => panic!("flattening is {other:?}"),
    }
}

fn decoder(options: &Options) -> Decoder {
    let decoder = Decoder::new().limits(options.limits());
    match options.final_newline.as_deref() {
        None => decoder,
        Some("required") => decoder.require_final_newline(true),
        Some(other) => panic!("final_newline is {other:?}"),
    }
}

impl Responses for Generic {
    fn encode(
        &self,
        _: &str,
        value: &Value,
        options: &Options,
    ) -> Result<(Vec<u8>, Vec<String>), Failure> {
        let encoder = encoder(options);
        if let (Some(key), Some(group)) = (&options.group_key, &options.group_field) {
            let text =
                encoder.to_string_in_groups(value, key, group).map_err(|error| failure(&error))?;
            return Ok((text.into_bytes(), Vec::new()));
        }
        let vec = encoder.to_vec(value).map_err(|error| failure(&error));
        let string = encoder.to_string(value).map_err(|error| failure(&error));
        let mut written = Vec::new();
        let writer = encoder.to_writer(&mut written, value).map_err(|error| failure(&error));
        if vec != string.map(String::into_bytes) || vec != writer.map(|()| written) {
            return Err(Failure::disagreement("to_vec, to_string and to_writer"));
        }
        if vec.is_ok() && vec != self.encode_text("", &value.to_string(), options) {
            return Err(Failure::disagreement("to_vec and json_to_gcf"));
        }
        vec.map(|bytes| (bytes, Vec::new()))
    }

    fn encode_text(&self, _: &str, json: &str, options: &Options) -> Result<Vec<u8>, Failure> {
        let text = encoder(options).json_to_gcf(json);
        text.map(String::into_bytes).map_err(|error| failure(&error))
    }

    fn decode_text(&self, input: &[u8], options: &Options) -> Result<String, Failure> {
        let codec = GcfValues::new(Encoder::new(), decoder(options));
        codec.decode(input).map_err(|error| Failure::new(error.code(), error.position(), &error))
    }

    fn decode(&self, input: &[u8], options: &Options) -> Result<Value, Failure> {
        let decoder = decoder(options);
        let slice = decoder.from_slice::<Value>(input).map_err(|error| failure(&error));
        let reader = decoder.from_reader::<_, Value>(input).map_err(|error| failure(&error));
        if slice != reader {
            return Err(Failure::disagreement("from_slice and from_reader"));
        }
        if let Ok(text) = std::str::from_utf8(input) {
            let str = decoder.from_str::<Value>(text).map_err(|error| failure(&error));
            // Whoever asks for nothing reads all of it too.
            let ignored =
                decoder.from_str::<serde::de::IgnoredAny>(text).map_err(|error| failure(&error));
            if slice != str || ignored.as_ref().err() != str.as_ref().err() {
                return Err(Failure::disagreement("from_slice, from_str and what is ignored"));
            }
            let json = decoder.gcf_to_json(text).map_err(|error| failure(&error));
            if !is_same(str, json) {
                return Err(Failure::disagreement("from_str and gcf_to_json"));
            }
        }
        slice
    }
}

/// Returns `true` if the JSON text has the value, or both have the same error. In the text decimals
/// have all of their digits (ruling A7), so they may be beyond doubles.
fn is_same(value: Result<Value, Failure>, json: Result<String, Failure>) -> bool {
    match (value, json) {
        (Ok(value), Ok(json)) => {
            serde_json::from_str::<Value>(&json).is_ok_and(|read| same(&read, &value))
        }
        (Err(error), Ok(json)) => error.code == "out_of_range" && Doubles::of(&json).is_err(),
        (Err(error), Err(other)) => error == other,
        (Ok(_), Err(_)) => false,
    }
}
