//! The generic profile: any JSON.

use gcf::generic::{Decoder, Encoder, Spec};
use serde_json::Value;
use wire_conformance::{Failure, Options, Responses};
use wire_core::Position;
use wire_core::value::integers;

use super::failure;

pub(crate) struct Generic;

fn encoder(options: &Options) -> Encoder {
    let mut encoder = Encoder::new();
    if let Some(name) = &options.spec {
        encoder = encoder
            .spec(Spec::from_name(name).unwrap_or_else(|| panic!("no specification {name:?}")));
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
        vec.map(|bytes| (bytes, Vec::new()))
    }

    fn encode_text(&self, _: &str, json: &str, options: &Options) -> Result<Vec<u8>, Failure> {
        // Who reads JSON judges its integers by the text, since a reader makes doubles of long ones (ruling A6).
        if let Some((at, digits)) =
            integers(json).find(|(_, digits)| digits.parse::<i64>().is_err())
        {
            let position = Position::in_text(json.as_bytes(), at);
            return Err(Failure::new("out_of_range", Some(position), &digits));
        }
        let value: Value = serde_json::from_str(json).expect("because the case has JSON");
        encoder(options).to_vec(&value).map_err(|error| failure(&error))
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
            if slice != str || ignored.err() != str.err() {
                return Err(Failure::disagreement("from_slice, from_str and what is ignored"));
            }
        }
        slice
    }
}
