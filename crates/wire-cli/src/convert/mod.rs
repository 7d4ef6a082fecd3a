//! `wirefmt convert`.

mod payload;
mod query;
mod response;
mod stream;
mod value;

use std::io::IsTerminal;
use std::path::Path;

use gcf::generic::Spec;
use gcf::graph::{Dialect, Encoder};
use wire_core::{Codec, Representation};
use wire_registry::Registry;

use self::stream::{Numbers, Stream};
use crate::args::{BigIntegers, ConvertOptions, GcfOptions, StreamForm};
use crate::batch;
use crate::converted::{Converted, Data, Remark};
use crate::destination::{Destinations, extension_remark, is_same, target};
use crate::diagnostic::Diagnostics;
use crate::document::{Answer, Document, Kind};
use crate::encoders::gcf_encoder;
use crate::failure::{Failure, shown};
use crate::formats::registry;
use crate::input::Input;
use crate::inputs::{self, Work};
use crate::members::{JsonKind, Members};
use crate::output::Stopped;
use crate::progress::Working;
use crate::response::has_no_layout;
use crate::source::{GCF, GCX, GOON, JSON, JSON_LINES, JSON_PRETTY, Source};

pub(crate) fn run(options: &ConvertOptions, diagnostics: &Diagnostics) -> Result<(), Failure> {
    let encoder = gcf_encoder(&options.gcf, options.stream.is_some())?;
    let registry = registry(encoder);
    let file = options.destination.file();
    let to_lines = is_lines(options.to.as_deref(), file);
    // The lines are those of an array of JSON.
    let to = if to_lines { Some(JSON) } else { options.to.as_deref() };
    let to = target(to, file, &registry)?.ok_or_else(|| {
        let message = match file {
            Some(_) => "the extension of --output names no format, expected --to",
            None => "there is no output format, expected --to",
        };
        Failure::usage(message.to_owned())
    })?;
    let format = if to_lines { JSON_LINES } else { to.info().name() };
    check_options(options, format)?;

    let works = inputs::expand(&options.files, options.from.as_deref(), &registry)?;
    if to.info().representation() == Representation::Binary
        && file.is_none()
        && options.destination.output_dir.is_none()
        && std::io::stdout().is_terminal()
    {
        let message =
            format!("{format} is binary and standard output is a terminal, expected --output FILE");
        return Err(Failure::usage(message));
    }
    let of_codec = to.info().extensions().first().copied().unwrap_or(JSON);
    let extension = if to_lines { JSON_LINES } else { of_codec };
    let destinations = Destinations::new(&options.destination, &works, Some(extension))?;
    let of_extension = |destination: Option<&Path>| -> Vec<Remark> {
        let remark = extension_remark(destination, &registry, format);
        remark.filter(|_| works.is_single).into_iter().collect()
    };
    let work = |work: &Work| {
        let destination = destinations.of(work, extension);
        if destinations.is_done(work, &[extension]) {
            return Ok(None);
        }
        let is_quiet = diagnostics.is_quiet() || !works.is_single;
        let working = Working::on(&work.path, is_quiet, destination.is_none());
        let conversion = Conversion { options, encoder, registry: &registry, to };
        let input = match conversion.open(&work.path, format)? {
            Stream::Whole(input) => input,
            Stream::Values(values) => {
                let name = values.name().to_owned();
                let form = options.stream.unwrap_or(StreamForm::Rows);
                let mut numbers = Numbers::default();
                destinations.write_with(destination.as_deref(), |writer| {
                    numbers = values.convert(format, form, options, &working, writer)?;
                    Ok::<_, Stopped>(())
                })?;
                let mut remarks = of_extension(destination.as_deref());
                let in_format = |loss| Remark::loss(format!("in {format} {loss}"));
                remarks.extend(numbers.losses().into_iter().map(in_format));
                remarks.extend(Remark::big_integers(numbers.strings));
                return Ok(Some((name, remarks)));
            }
        };
        let mut converted = conversion.run(&input, diagnostics)?;
        if to_lines && let Data::Bytes(json) = &converted.data {
            let lines = crate::value::json_lines(json).ok_or_else(|| {
                let message =
                    "its value is not an array, expected one, whose values become the lines; use --to json";
                Failure::usage(format!("{}: {message}", shown(&input.name)))
            })?;
            converted.data = lines.into();
        }
        if options.deny_loss && !converted.losses.is_empty() {
            return Err(Failure::loss(format, &converted.losses));
        }
        let over_itself = destination.as_deref().is_some_and(|path| is_same(path, &work.path));
        if over_itself && !converted.losses.is_empty() {
            let losses = converted.losses.join(", ");
            let message = format!(
                "the input would be written over itself, and {format} would lose something: {losses}"
            );
            return Err(Failure::usage(message));
        }
        let mut remarks = converted.remarks;
        destinations
            .write_with(destination.as_deref(), |writer| converted.data.write_to(writer))?;
        remarks.splice(0..0, of_extension(destination.as_deref()));
        Ok(Some((input.name, remarks)))
    };
    batch::convert(&works, &options.batch, diagnostics, work)?;
    if let Some(tool) = options.tool.as_deref().filter(|_| !options.typed)
        && format == GCX
        && has_no_layout(tool)
    {
        let message = format!(
            "the tool {} has no layout, so the columns are the members of its rows",
            shown(tool)
        );
        diagnostics.note("layout", "--tool", &message);
    }
    Ok(())
}

/// A conversion of one input.
struct Conversion<'r> {
    options: &'r ConvertOptions,
    encoder: Encoder,
    registry: &'r Registry,
    to: &'r dyn Codec,
}

impl Conversion<'_> {
    /// Opens an input: to be read value by value if the options ask for that and it has values,
    /// else whole.
    fn open(&self, path: &Path, format: &str) -> Result<Stream, Failure> {
        let Conversion { options, registry, .. } = *self;
        if options.stream.is_none()
            || options.recover
            || value::asked(options, self.to.info().name())? == Some(false)
        {
            return Ok(Stream::Whole(Input::read(path)?));
        }
        let stream = Stream::open(path, options, registry)?;
        match stream {
            Stream::Values(_) if !streams_spec(options) => Err(Failure::usage(
                "--stream writes values by version 3.5 of the specification, and --spec is another; leave out --stream to write that one",
            )),
            Stream::Values(_) if about_payloads(options) => Err(Failure::usage(
                "--dialect, --replace-white-space and --labeled-counts apply only to payloads, and the input is another value",
            )),
            Stream::Whole(input) if format != GCF => Err(Failure::usage(format!(
                "{} is read whole, so --stream writes only gcf, and --to is {format}; the inputs that are read value by value are JSON lines (--from jsonl), a JSON array and the generic profile of GCF",
                shown(&input.name)
            ))),
            stream => Ok(stream),
        }
    }

    fn run(&self, input: &Input, diagnostics: &Diagnostics) -> Result<Converted, Failure> {
        let Conversion { options, registry, to, .. } = *self;
        let format = to.info().name();
        let asked = value::asked(options, format)?;
        let document = Document::detect(input, options.from.as_deref(), registry)
            .inferring_types(options.csv.infer_types)?;
        if options.recover {
            return match Answer::detect(&input.bytes) {
                Answer::Value if asked != Some(false) && format != GCX => {
                    value::recovered(options, &document, format)
                }
                Answer::Payload if asked == Some(true) => Err(Failure::usage(
                    "--recover finds no text of the generic profile in the answer",
                )),
                _ => self.payload(&document, diagnostics),
            };
        }
        let json = self.json(&document, asked)?;
        let Some((json, of_json)) = json else { return self.document(&document, diagnostics) };
        let document = Document::detect(&json, Some(JSON), registry);
        Ok(of_json.followed_by(self.document(&document, diagnostics)?))
    }

    /// The JSON of a document in a compact form, if the target is another compact form, which is
    /// written from JSON; and what reading it has lost.
    fn json(
        &self,
        document: &Document<'_>,
        asked: Option<bool>,
    ) -> Result<Option<(Input, Converted)>, Failure> {
        let Conversion { options, encoder, registry, to } = *self;
        let (input, format) = (document.input, to.info().name());
        if matches!(format, JSON | JSON_PRETTY) {
            return Ok(None);
        }
        let of_json = match &document.kind {
            Kind::Response if format != GCX && asked != Some(false) => {
                let json = response::again(options, input, JSON)?;
                Converted::lossy(json.data, format, json.losses)
            }
            Kind::Generic | Kind::Message if format != GCF => {
                value::convert(options, asked, document, Source::Generic, JSON)?
            }
            Kind::Goon | Kind::Payload | Kind::Delta => match document.query() {
                Some(response)
                    if format == GCF || (format == GCX && response::is_asked(options)) =>
                {
                    let response = response.map_err(|error| input.refused(error))?;
                    query::convert(options, input, &response, JSON)?
                }
                None if asked == Some(true) => {
                    let json = registry.get(JSON).expect("because it is built in");
                    payload::convert(options, document, encoder, json)?
                }
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        let json = input.with_bytes(of_json.data.bytes());
        let can_be_written = match (format, Members::of(&json.bytes).kind()) {
            (GCF | GCX, _) | (_, JsonKind::Payload | JsonKind::PayloadWithMore) => true,
            (_, kind) => format == GOON && kind == JsonKind::Query,
        };
        Ok(can_be_written.then_some((json, of_json)))
    }

    /// Converts a document from its own format.
    fn document(
        &self,
        document: &Document<'_>,
        diagnostics: &Diagnostics,
    ) -> Result<Converted, Failure> {
        let Conversion { options, to, .. } = *self;
        let (input, format) = (document.input, to.info().name());
        let asked = value::asked(options, format)?;
        if let Some(source) = value::source(options, asked, document, format)? {
            return value::convert(options, asked, document, source, format);
        }
        let refused = |error| input.refused(error);
        match &document.kind {
            Kind::Response => response::again(options, input, format),
            _ if response::is_wanted(options, document, format) => {
                response::convert(options, document, format)
            }
            _ if response::is_asked(options) => Err(response::refused(options, document)),
            Kind::Json(members) if format == GOON && members.kind() == JsonKind::Query => {
                let (response, strings, losses) =
                    query::of_json(input, options.big_integers).map_err(refused)?;
                let converted = query::convert(options, input, &response, format)?;
                let read = Converted::lossy(Vec::new(), format, losses);
                Ok(read.followed_by(converted).with_big_integers(strings))
            }
            _ => match document.query() {
                Some(response) => {
                    query::convert(options, input, &response.map_err(refused)?, format)
                }
                None => self.payload(document, diagnostics),
            },
        }
    }

    fn payload(
        &self,
        document: &Document<'_>,
        diagnostics: &Diagnostics,
    ) -> Result<Converted, Failure> {
        let Conversion { options, encoder, to, .. } = *self;
        if options.stream == Some(StreamForm::Items) {
            let message =
                "--stream=items applies only to values, and the input is a payload; use --stream";
            return Err(Failure::usage(message));
        }
        if options.big_integers == BigIntegers::String {
            let message = "--big-integers applies only to values and the responses of queries, and the input is a payload";
            return Err(Failure::usage(message));
        }
        if options.goon.any() {
            if !options.recover {
                document.codec()?;
            }
            let message = "--goon-version, --quote-numbers, --drop-unrepresentable and --no-truncation apply only to the responses of queries, and the input is a payload";
            return Err(Failure::usage(message.to_owned()));
        }
        let converted = if options.recover {
            payload::recovered(options, document.input, encoder, to)
        } else {
            payload::convert(options, document, encoder, to)
        };
        converted.inspect_err(|failure| {
            let note = |code, message| diagnostics.note(code, &document.input.name, message);
            match (failure.code(), to.info().name()) {
                ("unknown_symbol_name", _) => note(
                    "dangling_edges",
                    "--drop-dangling-edges leaves out edges whose source or target is not among the symbols",
                ),
                ("json_data", GCF) => note(
                    "profile",
                    "it has the members `tool` and `symbols` and is read as a payload; use --profile generic to read it as any other JSON",
                ),
                ("json_data", GCX) => note(
                    "tool",
                    "it is not a payload; use --tool NAME to write the JSON of a tool's response",
                ),
                _ => {}
            }
        })
    }
}

/// Whether JSON lines are to be written.
fn is_lines(to: Option<&str>, file: Option<&Path>) -> bool {
    let extension = || file?.extension()?.to_str();
    to.or_else(extension).and_then(Source::named) == Some(Source::JsonLines)
}

/// Whether values can be streamed by the specification that was asked for.
fn streams_spec(options: &ConvertOptions) -> bool {
    options.spec.as_deref().is_none_or(|name| Spec::from_name(name) == Some(Spec::default()))
}

/// Whether an option is about the lines of payloads.
fn about_payloads(options: &ConvertOptions) -> bool {
    let GcfOptions { dialect, replace_white_space } = &options.gcf;
    dialect.is_some() || replace_white_space.is_some() || options.labeled_counts
}

/// Options that are about GCF alone.
fn check_options(options: &ConvertOptions, format: &str) -> Result<(), Failure> {
    let is_json = matches!(format, JSON | JSON_PRETTY | JSON_LINES);
    let about_gcf = options.gcf.dialect.is_some()
        || options.gcf.replace_white_space.is_some()
        || (options.stream.is_some() && !is_json);
    if format != "gcf" && about_gcf {
        let message = format!(
            "--dialect, --stream and --replace-white-space apply only to gcf, and --to is {format}"
        );
        return Err(Failure::usage(message));
    }
    if format != "goon" && options.goon.any() {
        let message = format!(
            "--goon-version, --quote-numbers, --drop-unrepresentable and --no-truncation apply only to goon, and --to is {format}"
        );
        return Err(Failure::usage(message));
    }
    if options.big_integers == BigIntegers::String && !matches!(format, GCF | GOON) {
        let message = format!(
            "--big-integers applies only to {GCF} and {GOON}, whose integers have 64 bits, and --to is {format}"
        );
        return Err(Failure::usage(message));
    }
    if options.stream.is_some() && options.gcf.dialect.as_deref() == Some(Dialect::V1.name()) {
        let message =
            "--stream needs a dialect with a trailer, such as v1.4 or v3, and --dialect is v1";
        return Err(Failure::usage(message.to_owned()));
    }
    match &options.from {
        Some(from) if options.recover && !from.eq_ignore_ascii_case("gcf") => {
            let message = format!("--recover applies only to gcf, and --from is {from}");
            Err(Failure::usage(message))
        }
        _ => Ok(()),
    }
}
