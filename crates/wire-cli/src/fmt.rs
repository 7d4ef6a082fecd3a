//! `wirefmt fmt`: files as their format's encoder writes them.

use gcf::Content;
use gcf::grammar::SUMMARY_PREFIXES;
use gcf::graph::{Decoder, Encoder};
use gcx::SliceReader;
use wire_core::value::StrictValue;
use wire_core::{Codec, CodecError, Payload};
use wire_registry::Registry;
use wire_registry::json::Json;
use wire_registry::xml::Xml;

use crate::args::FmtOptions;
use crate::diagnostic::Diagnostics;
use crate::document::{Document, Kind};
use crate::failure::{Failure, shown};
use crate::formats::registry;
use crate::input::Input;
use crate::inputs::{self, Work};
use crate::members::{JsonKind, Members};
use crate::source::{GCF, GCX, GOON, JSON, JSON_PRETTY};
use crate::value::{self, json_text};
use crate::{batch, output, response};

pub(crate) fn run(options: &FmtOptions, diagnostics: &Diagnostics) -> Result<(), Failure> {
    let registry = registry(gcf::graph::Encoder::new());
    let works = inputs::expand_payloads(&options.files, options.from.as_deref(), &registry)?;
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
            return match output::to_stdout(format!("{}\n", shown(&name)).as_bytes()) {
                // The exit code still has to be right.
                Err(failure) if failure.is_closed_pipe() => Ok(()),
                outcome => outcome,
            };
        }
        Ok(())
    })?;
    if unformatted > 0 {
        return Err(Failure::unformatted(unformatted));
    }
    Ok(())
}

/// The text that an encoder writes for an input; an error if that would lose something.
fn format(input: &Input, options: &FmtOptions, registry: &Registry) -> Result<Vec<u8>, Failure> {
    let document = Document::detect(input, options.from.as_deref(), registry);
    let formatted = match &document.kind {
        Kind::Generic | Kind::Message => generic(&document)?,
        Kind::Json(members) => json(input, members, options)?,
        Kind::Value(_) => {
            return Err(cannot(input, "JSON lines, YAML, TOML, CSV and TSV are not formatted"));
        }
        Kind::Response => gcx(input)?,
        Kind::Goon => goon(input)?,
        Kind::Delta => gcf(&document)?,
        Kind::Payload | Kind::WrittenOnly(_) | Kind::Unknown => {
            let codec = document.codec()?;
            match codec.info().name() {
                GCF => gcf(&document)?,
                GCX => gcx(input)?,
                "xml" => xml(input)?,
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
    Failure::cannot_format(input.name.clone(), why.to_owned())
}

fn encoding(input: &Input, format: &str, error: impl Into<CodecError>) -> Failure {
    Failure::encode(input.name.clone(), format, error)
}

/// Decoded and encoded by one codec; the payload has to be the same.
fn again(codec: &dyn Codec, input: &Input) -> Result<Vec<u8>, Failure> {
    let refused = |error: CodecError| input.refused(error);
    let payload = codec.decode(&input.bytes).map_err(refused)?;
    let mut bytes = Vec::new();
    codec
        .encode(&payload, &mut bytes)
        .map_err(|error| encoding(input, codec.info().name(), error))?;
    let back = codec.decode(&bytes).map_err(refused)?;
    same_payload(input, payload, back)?;
    Ok(bytes)
}

/// Fails if the formatted text would decode to another payload, except for the order of its
/// symbols.
fn same_payload(
    input: &Input,
    mut before: Payload<'_>,
    mut after: Payload<'_>,
) -> Result<(), Failure> {
    let round = |payload: &mut Payload<'_>| {
        for symbol in &mut payload.symbols {
            symbol.score = wire_core::number::round_to_hundredths(symbol.score);
        }
    };
    before.rank();
    after.rank();
    if format!("{before:?}") == format!("{after:?}") {
        return Ok(());
    }
    round(&mut before);
    Err(cannot(
        input,
        if before == after {
            "scores have more than two decimals and would be rounded"
        } else {
            "it would not decode to the same value"
        },
    ))
}

/// Refuses where a field of the header would be lost. Zeros may go, which some dialects leave out.
fn same_header(input: &Input, formatted: &[u8]) -> Result<(), Failure> {
    let fields = |bytes: &[u8]| -> Vec<(String, String)> {
        let line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
        String::from_utf8_lossy(line)
            .split_ascii_whitespace()
            .filter_map(|field| field.split_once('='))
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .collect()
    };
    let after = fields(formatted);
    let lost = fields(&input.bytes)
        .into_iter()
        .find(|(key, value)| value != "0" && !after.iter().any(|(known, _)| known == key));
    match lost {
        None => Ok(()),
        Some((key, _)) if key == "session" => Err(cannot(input, "it is part of a session")),
        Some((key, _)) => {
            Err(cannot(input, &format!("the field {} of the header would be lost", shown(&key))))
        }
    }
}

/// A payload or a delta, in the dialect that it is in.
fn gcf(document: &Document<'_>) -> Result<Formatted, Failure> {
    let input = document.input;
    let refused = |error: gcf::Error| input.refused(error.into());
    let found = document.inspect().ok();
    let dialect = found.and_then(|found| found.dialect).unwrap_or_default();
    let encoder = Encoder::new().dialect(dialect);
    let comments = found.map_or(0, |found| found.comments);
    if let Kind::Delta = document.kind
        && let Ok(delta) = Decoder::new().delta_from_slice(&input.bytes)
    {
        let written = |encoder: Encoder| {
            let text =
                encoder.delta_to_string(&delta).map_err(|error| encoding(input, GCF, error))?;
            let is_same = Decoder::new().delta_from_str(&text).map_err(refused)? == delta;
            Ok::<_, Failure>((text, is_same))
        };
        // Some writers write the distances of added symbols in dialects that need not have them.
        let text = match written(encoder)? {
            (text, true) => text,
            _ => match written(encoder.distances_in_deltas(true))? {
                (text, true) => text,
                _ => return Err(cannot(input, "it would not decode to the same value")),
            },
        };
        same_header(input, text.as_bytes())?;
        return Ok(Formatted { bytes: text.into_bytes(), comments });
    }
    let payload = Decoder::new().from_slice(&input.bytes).map_err(refused)?;
    let mut bytes = Vec::new();
    encoder.encode(&payload, &mut bytes).map_err(|error| encoding(input, GCF, error))?;
    same_header(input, &bytes)?;
    let back = Decoder::new().from_slice(&bytes).map_err(refused)?;
    same_payload(input, payload, back)?;
    let unknown_in_trailer = |line: &[u8]| {
        SUMMARY_PREFIXES.iter().any(|prefix| line.starts_with(prefix.as_bytes()))
            && String::from_utf8_lossy(line).split_ascii_whitespace().skip(2).any(|field| {
                let key = field.split('=').next().unwrap_or_default();
                !["symbols", "edges", "sections", "counts"].contains(&key)
            })
    };
    if input.bytes.split(|&byte| byte == b'\n').any(unknown_in_trailer) {
        return Err(cannot(input, "a field of the trailer would be lost"));
    }
    Ok(Formatted { bytes, comments })
}

/// A value in the generic profile, with constant columns where it has them.
fn generic(document: &Document<'_>) -> Result<Formatted, Failure> {
    let input = document.input;
    let refused = |error: gcf::Error| input.refused(error.into());
    let value = |bytes: &[u8]| value::decoder(bytes).from_slice::<StrictValue>(bytes);
    let found = document.inspect().map_err(refused)?;
    if found.content == Content::Message {
        return Err(cannot(input, "it is a message about a set of rows"));
    }
    if found.has_row_groups {
        return Err(cannot(input, "its rows are in groups, which `fmt` does not write"));
    }
    let StrictValue(before) = value(&input.bytes).map_err(refused)?;
    let encoder = gcf::generic::Encoder::new().spec(found.spec.unwrap_or_default());
    let formatted = encoder.to_string(&before).map_err(|error| encoding(input, GCF, error))?;
    same_header(input, formatted.as_bytes())?;
    let after = value(formatted.as_bytes()).map_err(|error| input.refused(error.into()))?;
    if after.0 != before {
        return Err(cannot(input, "it would not decode to the same value"));
    }
    Ok(Formatted { bytes: formatted.into_bytes(), comments: found.comments })
}

/// Rows as they are: sections in their order, metadata sorted, cells escaped where they have to be.
fn gcx(input: &Input) -> Result<Formatted, Failure> {
    let refused = |error: gcx::Error| input.refused(error.into());
    let written = |error: gcx::Error| encoding(input, GCX, error);
    // What the encoder of responses writes is formatted, with rows that only it knows to be there.
    if let Ok((tool, value)) = response::read(input) {
        for form in [response::Form::LAYOUT, response::Form::EXTRA, response::Form::TYPED] {
            let text = response::encode(&tool, &value, form).map(|(text, _)| text);
            if text.is_ok_and(|text| text.as_bytes() == input.bytes) {
                return Ok(Formatted::whole(input.bytes.clone()));
            }
        }
    }
    let mut reader = SliceReader::from_slice(&input.bytes).map_err(refused)?;
    let mut writer = gcx::Encoder::new().escape_commas(true).writer(Vec::new());
    while let Some(header) = reader.next_section().map_err(refused)? {
        writer.begin(&header).map_err(written)?;
        while let Some(row) = reader.next_row().map_err(refused)? {
            writer.row(row.cells()).map_err(written)?;
        }
    }
    let bytes = writer.finish().map_err(written)?;
    let is_comment = |line: &&[u8]| line.starts_with(b"#");
    let comments = input.bytes.split(|&byte| byte == b'\n').filter(is_comment).count();
    let response = |bytes: &[u8]| {
        let text = std::str::from_utf8(bytes).unwrap_or_default();
        gcx::decode_exact(text).map_err(|error| error.code())
    };
    // Short rows, carriage returns in cells and rows without data are not written again.
    let same_rows = rows(&input.bytes).ok() == rows(&bytes).ok();
    if !same_rows || response(&input.bytes) != response(&bytes) {
        return Err(cannot(input, "it would not decode to the same value"));
    }
    Ok(Formatted { bytes, comments })
}

/// The rows of all sections.
fn rows(bytes: &[u8]) -> Result<Vec<Vec<String>>, gcx::Error> {
    let mut reader = SliceReader::from_slice(bytes)?;
    let mut rows = Vec::new();
    while let Some(header) = reader.next_section()? {
        rows.push(header.fields().map(str::to_owned).collect());
        while let Some(row) = reader.next_row()? {
            rows.push(row.cells().map(str::to_owned).collect());
        }
    }
    Ok(rows)
}

/// A response or a payload, in the version that it is in, with texts in quotes where that is how
/// they stay texts.
fn goon(input: &Input) -> Result<Formatted, Failure> {
    let refused = |error: goon::Error| input.refused(error.into());
    let text = std::str::from_utf8(&input.bytes).unwrap_or_default();
    let (response, version) = match goon::Decoder::new().from_str_versioned(text) {
        Ok(versioned) => versioned,
        // The decoder reports the byte that is not UTF-8.
        Err(error) => return Err(refused(goon::from_slice(&input.bytes).err().unwrap_or(error))),
    };
    let plain = goon::Encoder::new().version(version).long_text(None).other_text(None);
    for encoder in [plain, plain.quote_numbers(true)] {
        let text = encoder.to_string(&response).map_err(|error| encoding(input, GOON, error))?;
        let back = goon::from_str(&text).map_err(refused)?;
        if format!("{back:?}") == format!("{response:?}") {
            return Ok(Formatted::whole(text));
        }
    }
    Err(cannot(input, "it would not decode to the same value"))
}

/// A payload without comments, instructions and attributes that no payload has.
fn xml(input: &Input) -> Result<Formatted, Failure> {
    let bytes = again(&Xml, input)?;
    let (_, skipped) = Xml.decode_reporting(&input.bytes).map_err(|error| input.refused(error))?;
    if !skipped.is_empty() {
        let list = shown(&skipped.join(", "));
        let why = format!("it has attributes that do not belong to a payload: {list}");
        return Err(cannot(input, &why));
    }
    let text = String::from_utf8_lossy(&input.bytes);
    // A declaration only states the defaults, so it is not counted.
    let declared = text.matches("<?xml").count();
    let comments = text.matches("<!--").count() + text.matches("<?").count() - declared;
    Ok(Formatted { bytes, comments })
}

/// JSON: a payload with its members in canonical order, any other value with its members unchanged.
/// JSON in one line stays in one line.
fn json(input: &Input, members: &Members, options: &FmtOptions) -> Result<Formatted, Failure> {
    let lines = input.bytes.trim_ascii_end().contains(&b'\n');
    let named = options.from.as_deref().filter(|name| name.eq_ignore_ascii_case(JSON_PRETTY));
    let form = if lines || named.is_some() { JSON_PRETTY } else { JSON };
    let value = value::parse(&input.bytes).map_err(|error| input.refused(error))?;
    match members.kind() {
        JsonKind::Payload => {
            let codec = if form == JSON { Json::compact() } else { Json::pretty() };
            Ok(Formatted::whole(again(&codec, input)?))
        }
        JsonKind::PayloadWithMore => {
            let path = shown(members.first_unknown().unwrap_or_default());
            Err(cannot(input, &format!("{path} does not belong to a payload and would be lost")))
        }
        JsonKind::AlmostPayload | JsonKind::Query | JsonKind::Other => {
            Ok(Formatted::whole(json_text(&value, form)))
        }
    }
}
