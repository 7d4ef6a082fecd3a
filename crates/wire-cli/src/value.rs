//! Any value: JSON, JSON lines, YAML, TOML and CSV to GCF's generic profile, and that to JSON.

mod csv;
mod yaml;

use gcf::generic::{Decoder, Encoder, Spec};
use gcx::json::Exact;
use serde_json::{Number, Value};
use wire_core::value::Unambiguous;
use wire_core::{CodecError, Limits, Position};
use wire_registry::Registry;

use crate::args::{ConvertOptions, Profile};
use crate::converted::{Converted, Remark};
use crate::failure::Failure;
use crate::input::Input;
use crate::members;
use crate::response::{self, GCX, JSON, JSON_PRETTY, json_text};

pub(crate) const GCF: &str = "gcf";
/// The members that tell a payload.
const TELL: [&str; 2] = ["symbols", "tool"];

/// What a value is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Json,
    JsonLines,
    Yaml,
    Toml,
    Csv,
    Tsv,
    /// GCF in its generic profile.
    Generic,
}

/// A source that is no format of payloads: its name, its aliases, its description, and what it is. An alias is an extension, too.
pub(crate) type Named = (&'static str, &'static [&'static str], &'static str, Source);

impl Source {
    /// Those that are no formats of payloads.
    pub(crate) const NAMED: &'static [Named] = &[
        ("jsonl", &["ndjson"], "JSON lines: a value on each line, as an array.", Source::JsonLines),
        (
            "yaml",
            &["yml"],
            "YAML: one document. Keys that are no texts become texts.",
            Source::Yaml,
        ),
        ("toml", &[], "TOML. Dates are texts.", Source::Toml),
        ("csv", &[], "CSV with a header: an array of objects. Its cells are texts.", Source::Csv),
        ("tsv", &["tab"], "The same with tabs between cells.", Source::Tsv),
    ];

    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        let named = Source::NAMED.iter().find(|(.., source)| *source == self);
        match named {
            Some((name, ..)) => name,
            None if self == Source::Generic => GCF,
            None => JSON,
        }
    }

    /// The source of this name or extension.
    fn named(name: &str) -> Option<Self> {
        let is_named = |known: &str, aliases: &[&str]| {
            known.eq_ignore_ascii_case(name)
                || aliases.iter().any(|alias| alias.eq_ignore_ascii_case(name))
        };
        let found = Source::NAMED.iter().find(|(known, aliases, ..)| is_named(known, aliases));
        found.map(|(.., source)| *source)
    }

    /// What an input is, by its name, its first bytes, or its extension; none if it is something else.
    pub(crate) fn of(from: Option<&str>, input: &Input, registry: &Registry) -> Option<Self> {
        if let Some(name) = from {
            return match name.to_ascii_lowercase().as_str() {
                GCF => is_generic(&input.bytes).then_some(Source::Generic),
                JSON | JSON_PRETTY => Some(Source::Json),
                name => Source::named(name),
            };
        }
        if is_generic(&input.bytes) {
            return Some(Source::Generic);
        }
        let detected = registry.detect(&input.bytes).map(|codec| codec.info().name());
        if detected.is_some_and(|name| name != JSON && name != JSON_PRETTY) {
            return None;
        }
        let of_extension = input.extension().and_then(|extension| match Source::named(extension) {
            None => extension.eq_ignore_ascii_case(JSON).then_some(Source::Json),
            named => named,
        });
        of_extension.or_else(|| of_first_line(&input.bytes))
    }
}

/// What a text without a name is: JSON, JSON lines where the first line is a value of its own, and YAML that says so.
fn of_first_line(bytes: &[u8]) -> Option<Source> {
    if !looks_like_json(bytes) {
        let says_yaml = ["---\n", "---\r\n", "--- ", "%YAML "]
            .iter()
            .any(|mark| bytes.starts_with(mark.as_bytes()));
        return says_yaml.then_some(Source::Yaml);
    }
    let mut lines = bytes.trim_ascii_start().splitn(2, |byte| *byte == b'\n');
    let (first, rest) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    let is_value = |text: &[u8]| serde_json::from_slice::<serde::de::IgnoredAny>(text).is_ok();
    let is_lines = !rest.trim_ascii().is_empty() && is_value(first);
    Some(if is_lines { Source::JsonLines } else { Source::Json })
}

/// The failure of a command that is for graphs only, if the input is any other value.
pub(crate) fn no_graph(
    from: Option<&str>,
    input: &Input,
    registry: &Registry,
    what: &str,
) -> Option<Failure> {
    let source = Source::of(from, input, registry)?;
    let found = match source {
        Source::Json => {
            let value = match response::parse(&input.bytes) {
                Ok(value) => value,
                Err(error) => return Some(input.refused(error)),
            };
            if shape(&input.bytes) != Shape::Other || crate::graph::is_response(&input.bytes) {
                return None;
            }
            let value =
                value.into_value_with(|digits| Ok::<_, std::convert::Infallible>(digits.into()));
            let Ok(value) = value;
            let (count, noun) = crate::check::counts_of(&value);
            format!("json, {}", crate::failure::plural(count, noun))
        }
        source => source.name().to_owned(),
    };
    let message = format!(
        "{} is {found}, and {what} is for graphs only: payloads of symbols and edges; convert --to gcf, gcx and json, auto, stats, view, check and fmt take any JSON",
        crate::failure::shown(&input.name)
    );
    Some(Failure::of_file(&*input.name, "not_a_graph", message))
}

/// Whether a text is GCF in its generic profile.
pub(crate) fn is_generic(bytes: &[u8]) -> bool {
    // The first line of JSON may be all of it, and large.
    if !bytes.starts_with(b"GCF ") {
        return false;
    }
    let line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line);
    line.split_ascii_whitespace().any(|field| field == "profile=generic")
}

/// Whether a text of the generic profile is a message about a set of rows with a key, by its header.
pub(crate) fn is_message(bytes: &[u8]) -> bool {
    let header = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    String::from_utf8_lossy(header)
        .split_ascii_whitespace()
        .any(|field| field.starts_with("key=") || matches!(field, "delta=true" | "unchanged=true"))
}

fn looks_like_json(bytes: &[u8]) -> bool {
    matches!(bytes.trim_ascii_start().first(), Some(b'{' | b'['))
}

/// What a JSON text looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A payload, with no members that it does not know, and so would leave out.
    Payload,
    /// An object that has some of a payload's members.
    AlmostPayload,
    Other,
}

pub(crate) fn shape(bytes: &[u8]) -> Shape {
    // What is wrong with a payload is for its codec to say.
    let Ok(TopLevel { names, has_symbols }) = serde_json::from_slice(bytes) else {
        return Shape::Other;
    };
    let tells = TELL.iter().filter(|name| names.iter().any(|known| known == *name)).count();
    let is_known = names.iter().all(|name| members::is_known(name));
    match tells {
        2 if is_known && has_symbols => Shape::Payload,
        0 => Shape::Other,
        _ => Shape::AlmostPayload,
    }
}

/// The names of an object's members, and whether `symbols` is an array.
struct TopLevel {
    names: Vec<String>,
    has_symbols: bool,
}

impl<'de> serde::Deserialize<'de> for TopLevel {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> serde::de::Visitor<'de> for Members {
            type Value = TopLevel;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<TopLevel, A::Error> {
                let mut found = TopLevel { names: Vec::new(), has_symbols: false };
                while let Some(name) = map.next_key::<String>()? {
                    let value: &serde_json::value::RawValue = map.next_value()?;
                    if name == TELL[0] {
                        found.has_symbols = value.get().starts_with('[');
                    }
                    found.names.push(name);
                }
                Ok(found)
            }
        }
        deserializer.deserialize_map(Members)
    }
}

/// Whether an answer has a text of the generic profile, and none of the graph profile before it.
pub(crate) fn in_answer(bytes: &[u8]) -> bool {
    // No header is longer, and a line of many would be looked at again and again.
    const LONGEST: usize = 4_096;
    let text = String::from_utf8_lossy(bytes);
    let header = text.match_indices("GCF ").map(|(at, _)| &text[at..]).find(|rest| {
        let bytes = &rest.as_bytes()[..rest.len().min(LONGEST)];
        let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        line.split(|byte| *byte == b' ').skip(1).all(|field| field.contains(&b'='))
    });
    // Without any header a mention of this one says what was meant.
    header.map_or_else(
        || text.contains("GCF profile=generic"),
        |rest| rest.starts_with("GCF profile=generic"),
    )
}

/// A decoder of local files, which are as large as they are.
pub(crate) fn decoder(bytes: &[u8]) -> Decoder {
    let size = bytes.len().max(Limits::DEFAULT.line_bytes);
    Decoder::new().limits(Limits::DEFAULT.with_line_bytes(size).with_items(size))
}

/// Whether the options ask for a value, and not for a payload or a tool's response; none if they don't say.
fn asked(options: &ConvertOptions, to: &str) -> Result<Option<bool>, Failure> {
    let generic = options.profile == Some(Profile::Generic) || options.spec.is_some();
    if generic && options.profile == Some(Profile::Graph) {
        return Err(Failure::usage("--spec is about the generic profile, and --profile is graph"));
    }
    if generic && (options.tool.is_some() || options.typed) {
        return Err(Failure::usage(
            "--tool and --typed are about gcx, --profile and --spec about gcf",
        ));
    }
    if options.spec.is_some() && to != GCF {
        return Err(Failure::usage(format!("--spec is about gcf, and --to is {to}")));
    }
    if options.profile.is_some() && !matches!(to, GCF | JSON | JSON_PRETTY) {
        return Err(Failure::usage(format!("--profile is about gcf, and --to is {to}")));
    }
    let other = options.profile == Some(Profile::Graph)
        || options.tool.is_some()
        || options.typed
        || options.drop_dangling_edges;
    Ok(if generic { Some(true) } else { other.then_some(false) })
}

/// Converts a value. None if the options and the input are about a payload, or a tool's response.
pub(crate) fn convert(
    options: &ConvertOptions,
    input: &Input,
    registry: &Registry,
    to: &str,
) -> Result<Option<Converted>, Failure> {
    let asked = asked(options, to)?;
    let mut remarks = Vec::new();
    let source = if options.recover {
        in_answer(&input.bytes).then_some(Source::Generic)
    } else {
        Source::of(options.from.as_deref(), input, registry)
            .or((asked == Some(true)).then_some(Source::Json))
    };
    let Some(source) = source else {
        return match asked {
            Some(true) => {
                Err(Failure::usage("--recover finds no text of the generic profile in the answer"))
            }
            _ => Ok(None),
        };
    };
    if asked == Some(false) {
        return match source {
            Source::Json | Source::Generic => Ok(None),
            _ if options.profile.is_none() => Ok(None),
            _ => Err(Failure::usage(
                "--profile graph takes payloads in json, gcf, gcb, gcx and goon",
            )),
        };
    }
    let is_json = matches!(to, JSON | JSON_PRETTY);
    if source == Source::Json && asked.is_none() {
        if !matches!(to, GCF | GCX | JSON | JSON_PRETTY)
            && let Some(failure) = no_graph(options.from.as_deref(), input, registry, to)
        {
            return Err(failure);
        }
        let shape = if is_json || to == GCF { shape(&input.bytes) } else { Shape::Payload };
        if shape == Shape::Payload {
            return Ok(None);
        }
        if shape == Shape::AlmostPayload {
            let message = "it is no payload, or has members that a payload does not know, and is taken for another value; --profile graph takes it for a payload";
            remarks.push(Remark::note("profile", message.to_owned()));
        }
    }
    if to == GCX {
        // Rows, as a response.
        return Ok(None);
    }
    if to != GCF && !is_json {
        let from = options.from.as_deref();
        return Err(no_graph(from, input, registry, to).unwrap_or_else(|| {
            Failure::usage(format!(
                "a value can be written as {GCF}, {GCX}, {JSON} and {JSON_PRETTY}, and --to is {to}"
            ))
        }));
    }
    if options.gcf.dialect.is_some()
        || options.gcf.replace_white_space.is_some()
        || options.stream
        || options.budget.is_some()
    {
        return Err(Failure::usage(
            "--dialect, --replace-white-space, --stream and --budget are about payloads, and this is another value",
        ));
    }
    let mut converted = write(options, input, source, to)?;
    remarks.append(&mut converted.remarks);
    Ok(Some(Converted { remarks, ..converted }))
}

/// Reads and writes a value.
fn write(
    options: &ConvertOptions,
    input: &Input,
    source: Source,
    to: &str,
) -> Result<Converted, Failure> {
    if matches!(source, Source::Json | Source::JsonLines) && to != GCF {
        let (value, _) = read_exact(source, &input.bytes).map_err(|error| input.refused(error))?;
        return Ok(Converted::plain(json_text(&value, to)));
    }
    let (value, warnings) = if options.recover {
        recover(&input.bytes).map_err(|error| input.refused(error))?
    } else {
        read(source, &input.bytes, Integers::of(to)).map_err(|error| input.refused(error))?
    };
    let text = if to == GCF {
        let spec = options.spec.as_deref().and_then(Spec::from_name).unwrap_or_default();
        Encoder::new()
            .spec(spec)
            .to_string(&value)
            .map_err(|error| Failure::encode(input.name.clone(), to, error))?
    } else {
        json_text(&value, to)
    };
    let lost = warnings.iter().filter(|warning| warning.is_loss);
    let losses = lost.map(|warning| warning.message.clone()).collect();
    let remarks = warnings.into_iter().map(Remark::from).collect();
    Ok(Converted { bytes: text.into_bytes(), losses, remarks })
}

/// What has to be said of an input.
pub(crate) struct Warning {
    code: &'static str,
    pub(crate) message: String,
    pub(crate) is_loss: bool,
}

impl From<Warning> for Remark {
    fn from(Warning { code, message, .. }: Warning) -> Self {
        Remark::warning(code, message)
    }
}

/// The value in a model's answer, and what had to be mended.
fn recover(bytes: &[u8]) -> Result<(Value, Vec<Warning>), CodecError> {
    let (Unambiguous(value), recovery) = decoder(bytes).recover_slice(bytes)?;
    let warning = |repair: &gcf::graph::Repair| {
        let reason =
            repair.reason.map(|reason| format!(": {}", reason.summary())).unwrap_or_default();
        let message = format!("line {}: {}{reason}", repair.line, repair.kind.summary());
        Warning { code: repair.kind.code(), message, is_loss: repair.kind.is_loss() }
    };
    Ok((value, recovery.repairs.iter().map(warning).collect()))
}

/// The value of an input.
pub(crate) fn read(
    source: Source,
    bytes: &[u8],
    integers: Integers,
) -> Result<(Value, Vec<Warning>), CodecError> {
    let plain = |value| Ok((value, Vec::new()));
    if source == Source::Generic {
        return plain(decoder(bytes).from_slice::<Unambiguous>(bytes)?.0);
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let position = Position::in_text(bytes, error.valid_up_to());
        CodecError::new(
            "invalid_utf8",
            Some(position),
            "the input is not UTF-8, expected UTF-8 text",
        )
    })?;
    match source {
        Source::Json | Source::Generic => plain(json(text, 0, bytes, integers)?),
        Source::JsonLines => {
            let mut values = Vec::new();
            let mut offset = 0;
            for line in text.split_inclusive('\n') {
                if !line.trim().is_empty() {
                    values.push(json(line, offset, bytes, integers)?);
                }
                offset += line.len();
            }
            plain(values.into())
        }
        Source::Yaml => plain(yaml::read(text, integers)?),
        Source::Toml => {
            let value: toml::Value = toml::from_str(text).map_err(|error| {
                let position = error.span().map(|span| Position::in_text(bytes, span.start));
                let literal = error.span().and_then(|span| text.get(span)).unwrap_or_default();
                if is_number(literal) {
                    return Integers::Signed.too_large(literal, position);
                }
                CodecError::new("toml_syntax", position, error.message().to_owned())
            })?;
            plain(of_toml(value)?)
        }
        Source::Csv | Source::Tsv => {
            let delimiter = if source == Source::Csv { b',' } else { b'\t' };
            let (value, is_empty) = csv::read(text, delimiter)?;
            let warning = is_empty.then(|| Warning {
                code: "loss",
                message: "there are no rows, and so the names of the columns are lost".to_owned(),
                is_loss: true,
            });
            Ok((value, warning.into_iter().collect()))
        }
    }
}

/// What is wrong with a JSON text at an offset of the input.
pub(crate) fn json_error(
    text: &str,
    offset: usize,
    input: &[u8],
    error: &serde_json::Error,
    integers: Integers,
) -> CodecError {
    let found = wire_registry::json::error(text.as_bytes(), error);
    let at = found
        .position()
        .map_or(0, |position| usize::try_from(position.offset).unwrap_or(usize::MAX));
    let place = found.position().map(|position| format!("{position}: ")).unwrap_or_default();
    let message = found.to_string();
    let message = message.strip_prefix(&place).unwrap_or(&message).to_owned();
    let position = Position::in_text(input, offset.saturating_add(at));
    if message.starts_with("number out of range") {
        return integers.too_large("of the text", Some(position));
    }
    CodecError::new(found.code(), Some(position), message)
}

/// The value of an input with all digits of its integers; those of YAML and TOML are of 64 bits.
pub(crate) fn read_exact(
    source: Source,
    bytes: &[u8],
) -> Result<(Exact, Vec<Warning>), CodecError> {
    match source {
        Source::Json => response::parse(bytes).map(|value| (value, Vec::new())),
        Source::JsonLines => {
            // Each by itself first, so that errors have their places.
            read(source, bytes, Integers::All)?;
            let text = String::from_utf8_lossy(bytes);
            let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
            let array = format!("[{}]", lines.join(","));
            response::parse(array.as_bytes()).map(|value| (value, Vec::new()))
        }
        source => {
            read(source, bytes, Integers::Any).map(|(value, warnings)| (value.into(), warnings))
        }
    }
}

/// A JSON text at an offset of the input.
fn json(text: &str, offset: usize, input: &[u8], integers: Integers) -> Result<Value, CodecError> {
    let value = wire_core::value::from_str(text)
        .map_err(|error| json_error(text, offset, input, &error, integers))?;
    // An integer of more digits has become a double, and so another number.
    let is_held = |integer: &str| match integers {
        Integers::Signed => integer.parse::<i64>().is_ok(),
        Integers::Any => integer.parse::<i64>().is_ok() || integer.parse::<u64>().is_ok(),
        Integers::All => true,
    };
    let out_of_range = wire_core::value::integers(text).find(|(_, integer)| !is_held(integer));
    if let Some((at, integer)) = out_of_range {
        let position = Position::in_text(input, offset + at);
        return Err(integers.too_large(integer, Some(position)));
    }
    Ok(value)
}

/// The integers that a target holds (ruling A6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Integers {
    /// Those of 64 bits with a sign, as in GCF.
    Signed,
    /// Those of 64 bits with a sign or without, as in a [`Value`].
    Any,
    /// All: whoever reads the text keeps their digits.
    All,
}

impl Integers {
    fn of(format: &str) -> Self {
        if format == GCF { Integers::Signed } else { Integers::Any }
    }

    fn hold(self, value: &Value) -> bool {
        self != Integers::Signed || !value.is_u64() || value.is_i64()
    }

    fn too_large(self, number: &str, position: Option<Position>) -> CodecError {
        const LONGEST: usize = 60;
        let more = if number.len() > LONGEST { "…" } else { "" };
        let number: String = number.chars().take(LONGEST).collect();
        let sign = if self == Integers::Signed { " with a sign" } else { "" };
        let message = format!(
            "the number {number}{more} is out of range, expected an integer of 64 bits{sign} or a finite number; write others as strings"
        );
        CodecError::new("out_of_range", position, message)
    }
}

/// Whether a literal of TOML is a decimal number, so that only its size can be wrong.
fn is_number(literal: &str) -> bool {
    let digits = literal.replace('_', "");
    let unsigned = digits.strip_prefix(['+', '-']).unwrap_or(&digits);
    unsigned.starts_with(|c: char| c.is_ascii_digit())
        && !(unsigned.len() > 1 && unsigned.starts_with('0'))
        && serde_json::from_str::<&serde_json::value::RawValue>(&digits.replace('+', "")).is_ok()
}

fn of_toml(value: toml::Value) -> Result<Value, CodecError> {
    Ok(match value {
        toml::Value::String(text) => text.into(),
        toml::Value::Integer(integer) => integer.into(),
        toml::Value::Float(double) => Number::from_f64(double)
            .map(Value::Number)
            .ok_or_else(|| Integers::Any.too_large(&double.to_string(), None))?,
        toml::Value::Boolean(value) => value.into(),
        toml::Value::Datetime(date) => date.to_string().into(),
        toml::Value::Array(items) => items.into_iter().map(of_toml).collect::<Result<_, _>>()?,
        toml::Value::Table(members) => {
            let member = |(key, value)| Ok((key, of_toml(value)?));
            Value::Object(members.into_iter().map(member).collect::<Result<_, CodecError>>()?)
        }
    })
}
