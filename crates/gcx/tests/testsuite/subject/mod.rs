//! The glue between the conformance corpus and this crate.

use gcx::json::Exact;
use gcx::{Decoder, Encoded, Encoder, ErrorKind, Header, Row, SliceReader};
use serde_json::Value;
use serde_json::value::RawValue;
use wire_conformance::{Failure, Options, Responses, Rows, Section, Subject};
use wire_core::{Codec, CodecError, Payload};

pub(crate) struct Gcx;

fn failure(error: &gcx::Error) -> Failure {
    Failure::new(error.code(), error.position(), error)
}

fn section(header: &Header<'_>) -> Section {
    let meta = header.all_meta().map(|(key, value)| (key.to_owned(), value.to_owned()));
    Section {
        tool: header.tool().to_owned(),
        fields: header.fields().map(str::to_owned).collect(),
        meta: meta.collect(),
        declared: header.rows(),
        ..Section::default()
    }
}

fn cells(row: &Row<'_>) -> Vec<String> {
    row.cells().map(str::to_owned).collect()
}

fn write(sections: &[Section], options: &Options) -> Result<Vec<u8>, gcx::Error> {
    let commas = is_set("escape_commas", options.escape_commas.as_deref(), "written");
    let mut writer = Encoder::new().escape_commas(commas).writer(Vec::new());
    for section in sections {
        let mut header = Header::new(&section.tool, &section.fields);
        for (key, value) in &section.meta {
            header = header.with_meta(key, value);
        }
        if let Some(rows) = section.declared {
            header = header.with_rows(rows);
        }
        writer.begin(&header)?;
        for comment in &section.comments {
            writer.comment(comment)?;
        }
        for row in &section.rows {
            writer.row(row)?;
        }
    }
    writer.finish()
}

/// Returns `true` if the option has its one value.
fn is_set(option: &str, found: Option<&str>, value: &str) -> bool {
    assert!(found.is_none_or(|found| found == value), "{option} is {found:?}");
    found.is_some()
}

/// The sections of a reader; both kinds have the same methods.
macro_rules! sections {
    ($reader:expr) => {{
        let (mut reader, mut sections) = ($reader, Vec::new());
        while let Some(header) = reader.next_section()? {
            let mut section = section(&header);
            while let Some(row) = reader.next_row()? {
                section.rows.push(cells(&row));
            }
            sections.push(section);
        }
        Ok(sections)
    }};
}

fn read_slice(input: &[u8], options: &Options) -> Result<Vec<Section>, gcx::Error> {
    // Bytes that are no text are an error here.
    SliceReader::from_slice(input)?;
    let text = std::str::from_utf8(input).expect("because it was read as text");
    sections!(decoder(options).slice_reader(text))
}

fn read_stream(input: &[u8], options: &Options) -> Result<Vec<Section>, gcx::Error> {
    sections!(decoder(options).reader(input))
}

fn decoder(options: &Options) -> Decoder {
    let required = is_set("final_newline", options.final_newline.as_deref(), "required");
    Decoder::new().limits(options.limits()).require_final_newline(required)
}

fn encoder(options: &Options) -> Encoder {
    let commas = is_set("escape_commas", options.escape_commas.as_deref(), "written");
    let is_exact = is_set("decimals", options.decimals.as_deref(), "exact");
    let encoder = Encoder::new().escape_commas(commas).exact(is_exact);
    match options.layout.as_deref() {
        None => encoder,
        Some("only") => encoder.layout_only(true),
        Some("extra") => encoder.extra_columns(true),
        Some("only_extra") => encoder.layout_only(true).extra_columns(true),
        Some(other) => panic!("layout is {other:?}"),
    }
}

fn codec_failure(error: &CodecError) -> Failure {
    Failure::new(error.code(), error.position(), error)
}

impl Rows for Gcx {
    fn write(&self, sections: &[Section], options: &Options) -> Result<Vec<u8>, Failure> {
        write(sections, options).map_err(|error| failure(&error))
    }

    fn read(&self, input: &[u8], options: &Options) -> Result<Vec<Section>, Failure> {
        let slice = read_slice(input, options).map_err(|error| failure(&error));
        let stream = read_stream(input, options).map_err(|error| failure(&error));
        // What is not UTF-8 somewhere is so for a slice at once, and for a stream when it comes to
        // it.
        let late = slice.as_ref().is_err_and(|failure| failure.code == "invalid_utf8");
        let place = |outcome: &Result<Vec<Section>, Failure>| match outcome {
            Ok(sections) => format!("{sections:?}"),
            Err(failure) => format!("{} {:?}", failure.code, failure.position),
        };
        if place(&slice) != place(&stream) && !late {
            return Err(Failure::disagreement("the readers of slices and streams"));
        }
        slice
    }
}

impl Responses for Gcx {
    fn encode(
        &self,
        tool: &str,
        response: &Value,
        options: &Options,
    ) -> Result<(Vec<u8>, Vec<String>), Failure> {
        let encoder = encoder(options);
        let commas = is_set("escape_commas", options.escape_commas.as_deref(), "written");
        let typed = is_set("typed", options.typed.as_deref(), "written");
        let text = |encoded: Encoded| (encoded.text.into_bytes(), encoded.left_out);
        let (written, without_options) = if typed {
            let whole = |text: String| (text.into_bytes(), Vec::new());
            let written = encoder.encode_response(tool, response).map(whole);
            (written, gcx::encode_response(tool, response).map(String::into_bytes))
        } else {
            let written = encoder.encode_layout_with_report(tool, response).map(text);
            (written, gcx::encode_layout(tool, response).map(String::into_bytes))
        };
        let written = written.map_err(|error| failure(&error));
        let straight = self.encode_text(tool, &response.to_string(), options);
        if written.as_ref().map(|(text, _)| text) != straight.as_ref() {
            return Err(Failure::disagreement("the response and its JSON text"));
        }
        let (text, left_out) = written?;
        if !commas && options.layout.is_none() && without_options.ok().as_ref() != Some(&text) {
            return Err(Failure::disagreement("the responses with and without options"));
        }
        Ok((text, left_out))
    }

    fn encode_text(&self, tool: &str, json: &str, options: &Options) -> Result<Vec<u8>, Failure> {
        let typed = is_set("typed", options.typed.as_deref(), "written");
        let encoder = encoder(options);
        let straight = if typed {
            encoder.json_to_gcx(tool, json)
        } else {
            encoder.json_to_layout(tool, json)
        };
        let straight = straight.map(String::into_bytes).map_err(|error| failure(&error));
        // Decimals that are not doubles are an error of the text alone, which has a position.
        let of_decimals =
            |failure: &Failure| ["out_of_range", "inexact_number"].contains(&&*failure.code);
        if straight.as_ref().is_err_and(of_decimals) {
            return straight;
        }
        let (Ok(raw), Ok(exact)) = (serde_json::from_str::<&RawValue>(json), json.parse::<Exact>())
        else {
            return straight;
        };
        let (one, other) = if typed {
            (encoder.encode_response(tool, raw), encoder.encode_response(tool, &exact))
        } else {
            let text = |encoded: Encoded| encoded.text;
            let one = encoder.encode_layout_with_report(tool, raw).map(text);
            (one, encoder.encode_layout_with_report(tool, &exact).map(text))
        };
        let one = one.map(String::into_bytes).map_err(|error| failure(&error));
        let other = other.map(String::into_bytes).map_err(|error| failure(&error));
        if one != other || one != straight {
            return Err(Failure::disagreement("raw and exact JSON, and json_to_layout"));
        }
        straight
    }

    fn decode_text(&self, input: &[u8], options: &Options) -> Result<String, Failure> {
        let text = std::str::from_utf8(input).expect("because the cases are text");
        let decoder = decoder(options);
        let json = decoder.gcx_to_json(text).map_err(|error| failure(&error));
        let exact = decoder.decode_exact(text).map_err(|error| failure(&error));
        if exact.map(|exact| exact.to_string()) != json {
            return Err(Failure::disagreement("decode_exact and gcx_to_json"));
        }
        json
    }

    fn decode(&self, input: &[u8], options: &Options) -> Result<Value, Failure> {
        let text = std::str::from_utf8(input).expect("because the cases are text");
        decoder(options).decode_response(text).map_err(|error| failure(&error))
    }
}

impl Subject for Gcx {
    fn format(&self) -> &'static str {
        "gcx"
    }

    fn error_codes(&self) -> Vec<&'static str> {
        ErrorKind::ALL.iter().map(|kind| kind.code()).collect()
    }

    fn rows(&self) -> Option<&dyn Rows> {
        Some(self)
    }

    fn responses(&self) -> Option<&dyn Responses> {
        Some(self)
    }

    fn encode(&self, payload: &Payload<'_>, _: &Options) -> Result<Vec<u8>, Failure> {
        let mut out = Vec::new();
        gcx::Gcx::default().encode(payload, &mut out).map_err(|error| codec_failure(&error))?;
        Ok(out)
    }

    fn decode(&self, input: &[u8], options: &Options) -> Result<Payload<'static>, Failure> {
        let codec = gcx::Gcx::new(decoder(options));
        codec.decode(input).map(Payload::into_owned).map_err(|error| codec_failure(&error))
    }
}
