//! `wirefmt fmt`: files as their format's encoder writes them.

use gcf::graph::{Decoder, Event};
use gcx::{Reader, Writer};
use goon::GraphResponse;
use serde_json::Value;
use wire_core::value::Unambiguous;
use wire_core::{Codec, CodecError};
use wire_registry::Registry;
use wire_registry::json::Json;

use crate::args::{FmtOptions, GcfOptions};
use crate::convert::{dialect_of, gcf_encoder};
use crate::diagnostic::Diagnostics;
use crate::failure::{Failure, shown};
use crate::formats::registry;
use crate::input::Input;
use crate::inputs::{self, Work};
use crate::response::{JSON, JSON_PRETTY, json_text};
use crate::value::{self, Shape, Source};
use crate::{batch, output, response};

pub(crate) fn run(options: &FmtOptions, diagnostics: &Diagnostics) -> Result<(), Failure> {
    let registry = registry(gcf::graph::Encoder::new());
    let works = inputs::expand(&options.files, options.from.as_deref(), &registry)?;
    let mut unformatted = 0;
    let work = |work: &Work| {
        let input = Input::read(&work.path)?;
        let formatted = format(&input, options, &registry)?;
        let is_formatted = formatted == input.bytes && !input.had_byte_order_mark();
        let is_stdin = work.path.as_os_str() == "-";
        if !options.check && (is_stdin || !is_formatted) {
            let destination = (!is_stdin).then_some(&*work.path);
            output::write(destination, |writer| writer.write_all(&formatted))?;
        }
        Ok((input.name, is_formatted))
    };
    batch::run(&works, &options.batch, diagnostics, work, |_, (name, is_formatted)| {
        if options.check && !is_formatted {
            unformatted += 1;
            return output::to_stdout(format!("{}\n", shown(&name)).as_bytes());
        }
        Ok(())
    })?;
    if unformatted > 0 {
        return Err(Failure::Unformatted { files: unformatted });
    }
    Ok(())
}

/// What an encoder writes of an input; an error where that would not be all of it.
fn format(input: &Input, options: &FmtOptions, registry: &Registry) -> Result<Vec<u8>, Failure> {
    let refused = |error: CodecError| input.refused(error);
    let source = Source::of(options.from.as_deref(), input, registry);
    let formatted = match source {
        Some(Source::Generic) => generic(input)?,
        Some(Source::Json) => json(input, options)?,
        Some(_) => return Err(cannot(input, "it is written by other programs")),
        None => {
            let codec = input.codec(options.from.as_deref(), registry)?;
            match codec.info().name() {
                "gcf" => gcf(input)?,
                "gcx" => gcx(input)?,
                "goon" => Formatted::whole(goon(&input.bytes).map_err(refused)?),
                "xml" => xml(codec, input)?,
                JSON | JSON_PRETTY => json(input, options)?,
                _ => Formatted::whole(again(codec, input)?),
            }
        }
    };
    match formatted.comments {
        0 => Ok(formatted.bytes),
        _ if options.drop_comments => Ok(formatted.bytes),
        1 => Err(cannot(input, "a comment would be lost; --drop-comments leaves it out")),
        count => Err(cannot(
            input,
            &format!("{count} comments would be lost; --drop-comments leaves them out"),
        )),
    }
}

/// A formatted text, and how many comments of the input are not in it.
struct Formatted {
    bytes: Vec<u8>,
    comments: usize,
}

impl Formatted {
    fn whole(bytes: impl Into<Vec<u8>>) -> Self {
        Formatted { bytes: bytes.into(), comments: 0 }
    }
}

fn cannot(input: &Input, why: &str) -> Failure {
    Failure::CannotFormat { file: input.name.clone(), why: why.to_owned() }
}

fn encoding(input: &Input, format: &str, error: impl Into<CodecError>) -> Failure {
    Failure::Encode { file: input.name.clone(), format: format.to_owned(), error: error.into() }
}

/// Decoded and encoded by one codec.
fn again(codec: &dyn Codec, input: &Input) -> Result<Vec<u8>, Failure> {
    let payload = codec.decode(&input.bytes).map_err(|error| input.refused(error))?;
    let mut bytes = Vec::new();
    codec
        .encode(&payload, &mut bytes)
        .map_err(|error| encoding(input, codec.info().name(), error))?;
    Ok(bytes)
}

/// A payload or a delta, in the dialect that it is in.
fn gcf(input: &Input) -> Result<Formatted, Failure> {
    let refused = |error: gcf::Error| input.refused(error.into());
    let dialect =
        dialect_of(&input.bytes).map(|place| gcf::graph::Dialect::ALL[place].name().to_owned());
    let encoder = gcf_encoder(&GcfOptions { dialect, replace_white_space: None }, false)?;
    if let Ok(delta) = Decoder::new().delta_from_slice(&input.bytes) {
        let text =
            encoder.delta_to_string(&delta).map_err(|error| encoding(input, "gcf", error))?;
        // A delta has no events; its comments are its lines that begin as one.
        let is_comment = |line: &&[u8]| line.starts_with(b"#") && !line.starts_with(b"##");
        let comments = input.bytes.split(|&byte| byte == b'\n').filter(is_comment).count();
        let back = Decoder::new().delta_from_str(&text).map_err(refused)?;
        if back != delta {
            return Err(cannot(input, "the delta has distances, which its dialect does not write"));
        }
        return Ok(Formatted { bytes: text.into_bytes(), comments });
    }
    let payload = Decoder::new().from_slice(&input.bytes).map_err(refused)?;
    let text = std::str::from_utf8(&input.bytes).expect("because it decodes");
    let mut comments = 0;
    for event in Decoder::new().events(text) {
        match event.map_err(refused)? {
            Event::Comment(_) => comments += 1,
            Event::Header(header) if header.session => {
                return Err(cannot(input, "it is part of a session"));
            }
            Event::Header(header) if !header.extensions.is_empty() => {
                let (key, _) = header.extensions[0];
                let why = format!("the header has the unknown field {}", shown(key));
                return Err(cannot(input, &why));
            }
            _ => {}
        }
    }
    let mut bytes = Vec::new();
    encoder.encode(&payload, &mut bytes).map_err(|error| encoding(input, "gcf", error))?;
    Ok(Formatted { bytes, comments })
}

/// A value in the generic profile, with constant columns where it has them.
fn generic(input: &Input) -> Result<Formatted, Failure> {
    let decoder = value::decoder(&input.bytes);
    let Unambiguous(value) = decoder.from_slice::<Unambiguous>(&input.bytes).map_err(|error| {
        if value::is_message(&input.bytes) {
            return cannot(input, "it is a message about a set of rows");
        }
        input.refused(error.into())
    })?;
    let text = String::from_utf8_lossy(&input.bytes);
    // `## name [2]{id,kind=x}`: a field with a value in the header of a table.
    let has_constants = text.lines().any(|line| {
        let line = line.trim_end();
        line.ends_with('}') && line.split_once("]{").is_some_and(|(_, fields)| fields.contains('='))
    });
    let spec = gcf::generic::Spec::from_name(if has_constants { "3.6" } else { "3.5" });
    let encoder = gcf::generic::Encoder::new().spec(spec.unwrap_or_default());
    let formatted = encoder.to_string(&value).map_err(|error| encoding(input, "gcf", error))?;
    let comments = text.lines().filter(|line| line.starts_with("# ")).count();
    Ok(Formatted { bytes: formatted.into_bytes(), comments })
}

/// Rows as they are: sections in their order, metadata sorted, cells escaped where they have to be.
fn gcx(input: &Input) -> Result<Formatted, Failure> {
    let refused = |error: gcx::Error| input.refused(error.into());
    let written = |error: gcx::Error| encoding(input, "gcx", error);
    let mut reader = Reader::from_slice(&input.bytes).map_err(refused)?;
    let mut writer = Writer::new(Vec::new());
    while let Some(header) = reader.next_section().map_err(refused)? {
        if header.fields().any(|field| field.contains(',')) {
            writer = writer.escape_commas();
        }
        writer.begin(&header).map_err(written)?;
        while let Some(row) = reader.next_row().map_err(refused)? {
            writer.row(row.cells()).map_err(written)?;
        }
    }
    let is_comment = |line: &&[u8]| line.starts_with(b"#");
    let comments = input.bytes.split(|&byte| byte == b'\n').filter(is_comment).count();
    Ok(Formatted { bytes: writer.finish().map_err(written)?, comments })
}

/// A response or a payload, in the version that it is in, with texts in quotes where that is how they stay texts.
fn goon(input: &[u8]) -> Result<String, CodecError> {
    let text = std::str::from_utf8(input).unwrap_or_default();
    let (response, version) = match goon::Decoder::new().versioned(text) {
        Ok(versioned) => versioned,
        // Which byte is no UTF-8 is for the decoder to say.
        Err(error) => return Err(goon::from_slice(input).err().unwrap_or(error).into()),
    };
    let encoder = goon::Encoder::new().version(version).without_truncation();
    let plain = encoder.to_string(&response)?;
    let same = |text: &str| {
        goon::from_str(text)
            .is_ok_and(|back: GraphResponse| format!("{back:?}") == format!("{response:?}"))
    };
    if same(&plain) { Ok(plain) } else { Ok(encoder.quote_numbers().to_string(&response)?) }
}

/// A payload without comments, instructions and attributes that no payload has.
fn xml(codec: &dyn Codec, input: &Input) -> Result<Formatted, Failure> {
    let bytes = again(codec, input)?;
    let count = |text: &str, what: &str| text.matches(what).count();
    let before = String::from_utf8_lossy(&input.bytes);
    let after = String::from_utf8_lossy(&bytes);
    let attributes = |text: &str| attributes(text);
    // An empty pack root and status are not written, and say nothing.
    let empty = count(&before, " status=\"\"") + count(&before, " pack_root=\"\"");
    if attributes(&before) > attributes(&after) + empty {
        return Err(cannot(input, "it has attributes that a payload does not know"));
    }
    Ok(Formatted { comments: count(&before, "<!--") + count(&before, "<?"), bytes })
}

/// The number of attributes of elements, outside of comments and instructions.
fn attributes(text: &str) -> usize {
    let (mut count, mut quote, mut in_tag) = (0, None, false);
    for (at, c) in text.char_indices() {
        match (in_tag, quote) {
            (false, _) if c == '<' => in_tag = !text[at + 1..].starts_with(['!', '?']),
            (true, Some(open)) if c == open => quote = None,
            (true, None) if c == '"' || c == '\'' => {
                quote = Some(c);
                count += 1;
            }
            (true, None) if c == '>' => in_tag = false,
            _ => {}
        }
    }
    count
}

/// JSON: a payload with its members in their order, any other value with them as they are. What stands in one line stays in
/// one.
fn json(input: &Input, options: &FmtOptions) -> Result<Formatted, Failure> {
    let lines = input.bytes.trim_ascii_end().contains(&b'\n');
    let named = options.from.as_deref().filter(|name| name.eq_ignore_ascii_case(JSON_PRETTY));
    let form = if lines || named.is_some() { JSON_PRETTY } else { JSON };
    let value = value::read(Source::Json, &input.bytes).map_err(|error| input.refused(error))?.0;
    if value::shape(&input.bytes) == Shape::Payload {
        let codec = if form == JSON { Json::compact() } else { Json::pretty() };
        let bytes = again(&codec, input)?;
        let after = response::parse(&bytes).map_err(|error| input.refused(error))?;
        if let Some(path) = lost(&value, &after, "") {
            let why = format!("{} would be lost, which a payload does not know", shown(&path));
            return Err(cannot(input, &why));
        }
        return Ok(Formatted::whole(bytes));
    }
    Ok(Formatted::whole(json_text(&value, form)))
}

/// The path of the first member that is in `before` and not in `after`; null, empty texts and lists may go.
fn lost(before: &Value, after: &Value, path: &str) -> Option<String> {
    let is_empty = |value: &Value| match value {
        Value::Null => true,
        Value::String(text) => text.is_empty() || text == "unchanged",
        Value::Array(items) => items.is_empty(),
        _ => false,
    };
    match (before, after) {
        (Value::Object(before), Value::Object(after)) => before.iter().find_map(|(key, value)| {
            let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
            match after.get(key) {
                Some(after) => lost(value, after, &path),
                None => (!is_empty(value)).then_some(path),
            }
        }),
        (Value::Array(before), Value::Array(after)) => {
            before.iter().zip(after).enumerate().find_map(|(index, (before, after))| {
                lost(before, after, &format!("{path}[{index}]"))
            })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_would_be_lost_is_found() {
        let before = json!({"a": [{"b": 1, "c": null}], "d": ""});
        assert_eq!(lost(&before, &json!({"a": [{"b": 1}]}), ""), None);
        assert_eq!(lost(&before, &json!({"a": [{}]}), ""), Some("a[0].b".to_owned()));
    }

    #[test]
    fn attributes_are_counted_in_tags_alone() {
        assert_eq!(attributes(r#"<?xml version="1"?><!-- a="b" --><c d="e>" f='"'>g="h"</c>"#), 2);
    }
}
