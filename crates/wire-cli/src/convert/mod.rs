//! `wirefmt convert`.

mod payload;
mod query;
mod response;
mod stream;
mod value;

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use gcf::graph::{Dialect, Encoder};
use gcf::{Prepared, Spec};
use wire_core::{Codec, Representation};
use wire_registry::Registry;

use self::stream::{Numbers, Stream};
use crate::args::{BigIntegers, ConvertOptions, Lossy, Profile, StreamForm};
use crate::batch;
use crate::batch::Working;
use crate::diagnostic::{Diagnostics, Remark, Warning};
use crate::document::{Answer, Document, JsonKind, Kind, Members, only_gcf};
use crate::failure::{Failure, shown};
use crate::input::{self, Input, Work};
use crate::minified::Minified;
use crate::output::{Destinations, Stopped, extension_remark, is_same, target};
use crate::response::has_no_layout;
use crate::source::{
    Csv, GCF, GCX, GOON, JSON, JSON_LINES, JSON_PRETTY, Source, gcf_encoder, registry,
};

pub(crate) fn run(options: &ConvertOptions, diagnostics: &Diagnostics) -> Result<(), Failure> {
    // A stream has a trailer.
    let dialect = if options.stream.is_some() { Dialect::V3 } else { Dialect::V1 };
    let encoder = gcf_encoder(&options.gcf, &options.lossy, dialect);
    let registry = registry(encoder);
    let file = options.destination.file();
    // JSON lines and CSV are written from JSON.
    let of_json = written_from_json(options.to.as_deref(), file);
    let to = if of_json.is_some() { Some(JSON) } else { options.to.as_deref() };
    let to = target(to, file, &registry)?.ok_or_else(|| {
        let message = match file {
            Some(_) => "the extension of --output names no format, expected --to",
            None => "there is no output format, expected --to",
        };
        Failure::usage(message.to_owned())
    })?;
    let format = of_json.map_or(to.info().name(), Source::name);
    check_target(options, format)?;

    let works = input::expand(&options.files, options.from.as_deref(), &registry)?;
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
    let extension = of_json.map_or(of_codec, Source::name);
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
        // What is read whole is written after the work, maybe to the same terminal.
        let is_shared = destination.is_none() && options.stream.is_some();
        let working = Working::on(&work.path, is_quiet, is_shared);
        let conversion =
            Conversion { options, wanted: Wanted::of(options), encoder, registry: &registry, to };
        let input = match conversion.open(&work.path, format)? {
            Stream::Whole(input) => input,
            Stream::Values(values) => {
                let name = values.name().to_owned();
                let mut numbers = Numbers::default();
                destinations.write_with(destination.as_deref(), |writer| {
                    numbers = values.convert(format, options, &working, writer)?;
                    Ok::<_, Stopped>(())
                })?;
                let mut remarks = of_extension(destination.as_deref());
                let in_format = |loss| Remark::loss(format!("in {format} {loss}"));
                remarks.extend(numbers.losses().into_iter().map(in_format));
                if numbers.are_items {
                    let message = "written as items, since the first value is not an object of scalars; rows are smaller";
                    remarks.push(Remark::note("items", message.to_owned()));
                }
                remarks.extend(Remark::big_integers(numbers.strings));
                return Ok(Some((name, remarks)));
            }
        };
        let mut converted = conversion.run(&input, diagnostics)?;
        if let Some(source) = of_json {
            converted = rewritten(converted, source, &input)?;
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
        drop(working);
        destinations
            .write_with(destination.as_deref(), |writer| converted.data.write_to(writer))?;
        remarks.splice(0..0, of_extension(destination.as_deref()));
        Ok(Some((input.name, remarks)))
    };
    batch::convert(&works, &options.batch, diagnostics, work)?;
    if let Some(tool) = options.rows.tool.as_deref().filter(|_| !options.rows.typed)
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

/// The request of the options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    /// The kind of the input.
    Any,
    Payload,
    Value,
    /// The response of a tool.
    Rows,
}

impl Wanted {
    fn of(options: &ConvertOptions) -> Self {
        if options.profile == Some(Profile::Graph) || options.lossy.contains(&Lossy::Edges) {
            Wanted::Payload
        } else if options.profile.is_some() || options.spec.is_some() {
            Wanted::Value
        } else if options.rows.tool.is_some() || options.rows.typed {
            Wanted::Rows
        } else {
            Wanted::Any
        }
    }
}

/// A conversion of one input.
struct Conversion<'r> {
    options: &'r ConvertOptions,
    wanted: Wanted,
    encoder: Encoder,
    registry: &'r Registry,
    to: &'r dyn Codec,
}

impl Conversion<'_> {
    /// Opens an input: to be read value by value if the options ask for that and it has values,
    /// else whole.
    fn open(&self, path: &Path, format: &str) -> Result<Stream, Failure> {
        let Conversion { options, registry, .. } = *self;
        if options.stream.is_none() || options.recover || self.wanted == Wanted::Payload {
            return Ok(Stream::Whole(Input::read(path)?));
        }
        let stream = Stream::open(path, options, registry)?;
        match stream {
            Stream::Values(_) if !streams_spec(options) => Err(Failure::usage(
                "--stream writes values by version 3.5 of the specification, and --spec is another; leave out --stream to write that one",
            )),
            Stream::Values(_) => {
                let flags = [
                    ("--dialect", options.gcf.dialect.is_some()),
                    ("--lossy", !options.lossy.is_empty()),
                ];
                refuse(&flags, "a value that is not a payload").map(|()| stream)
            }
            Stream::Whole(ref input) if format != GCF => Err(Failure::usage(format!(
                "{} is read whole, so --stream writes only gcf, and --to is {format}; the inputs that are read value by value are JSON lines (--from jsonl), a JSON array and the generic profile of GCF",
                shown(&input.name)
            ))),
            Stream::Whole(_) => Ok(stream),
        }
    }

    fn run(&self, input: &Input, diagnostics: &Diagnostics) -> Result<Converted, Failure> {
        let Conversion { options, wanted, registry, to, .. } = *self;
        let format = to.info().name();
        let document =
            Document::detect(input, options.from.as_deref(), registry).reading(&options.csv)?;
        if options.recover {
            return match Answer::detect(&input.bytes) {
                Answer::Value if wanted != Wanted::Payload && format != GCX => {
                    value::recovered(options, &document, format)
                }
                Answer::Payload if wanted == Wanted::Value => Err(Failure::usage(
                    "--recover finds no text of the generic profile in the answer",
                )),
                _ => self.payload(&document, diagnostics),
            };
        }
        let Some((json, of_json)) = self.json(&document)? else {
            return self.document(&document, diagnostics);
        };
        let document = Document::detect(&json, Some(JSON), registry);
        Ok(of_json.followed_by(self.document(&document, diagnostics)?))
    }

    /// The JSON of a document in a compact form, if the target is another compact form, which is
    /// written from JSON; and what reading it has lost.
    fn json(&self, document: &Document<'_>) -> Result<Option<(Input, Converted)>, Failure> {
        let Conversion { options, wanted, encoder, registry, to } = *self;
        let (input, format) = (document.input, to.info().name());
        if matches!(format, JSON | JSON_PRETTY) {
            return Ok(None);
        }
        let of_json = match &document.kind {
            Kind::Response if format != GCX && wanted != Wanted::Payload => {
                let json = response::again(options, input, JSON)?;
                Converted::lossy(json.data, format, json.losses)
            }
            Kind::Generic | Kind::Message if format != GCF => {
                value::convert(options, document, Source::Generic, JSON)?
            }
            Kind::Goon | Kind::Payload | Kind::Delta => match document.query() {
                Some(response) if format == GCF || (format == GCX && wanted == Wanted::Rows) => {
                    let response = response.map_err(|error| input.refused(error))?;
                    query::convert(options, input, &response, JSON)?
                }
                None if wanted == Wanted::Value => {
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
        let Conversion { options, wanted, to, .. } = *self;
        let (input, format) = (document.input, to.info().name());
        if let Some(source) = value::source(wanted, document, format)? {
            return value::convert(options, document, source, format);
        }
        let refused = |error| input.refused(error);
        match &document.kind {
            Kind::Response => response::again(options, input, format),
            _ if response::is_wanted(wanted, document, format) => {
                response::convert(options, document)
            }
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
        if !options.recover {
            document.codec()?;
        }
        let flags = [
            ("--stream=items", options.stream == Some(Some(StreamForm::Items))),
            ("--big-integers", options.big_integers == BigIntegers::String),
            ("--goon-version", options.query.goon_version.is_some()),
            ("--lossy nodes", options.lossy.contains(&Lossy::Nodes)),
            ("--spec", options.spec.is_some()),
            ("--tool", options.rows.tool.is_some()),
            ("--typed", options.rows.typed),
        ];
        refuse(&flags, "a payload")?;
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
                    "--lossy edges leaves out edges whose source or target is not among the symbols",
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

/// The format of the output, if it is written from JSON and is not a format of payloads.
fn written_from_json(to: Option<&str>, file: Option<&Path>) -> Option<Source> {
    let extension = || file?.extension()?.to_str();
    let source = to.or_else(extension).and_then(Source::named);
    source.filter(|source| matches!(source, Source::JsonLines | Source::Csv(_)))
}

/// JSON as JSON lines or CSV, with what that loses.
fn rewritten(converted: Converted, to: Source, input: &Input) -> Result<Converted, Failure> {
    let json = String::from_utf8(converted.data.bytes()).expect("because it is JSON");
    let Source::Csv(csv) = to else {
        let lines = crate::value::json_lines(json.as_bytes()).ok_or_else(|| {
            let message = "its value is not an array, expected one, whose values become the lines; use --to json";
            Failure::usage(format!("{}: {message}", shown(&input.name)))
        })?;
        return Ok(converted.followed_by(Converted::plain(lines)));
    };
    let text = crate::value::csv(&json, csv.usual).map_err(|why| {
        let message = format!("{why}, expected objects of scalars, which become the rows");
        Failure::of_file(&*input.name, "not_rows", message)
    })?;
    let back = Source::Csv(Csv { infers_types: true, ..csv });
    let is_same = Minified::read(back, text.as_bytes())
        .is_ok_and(|(back, _)| Minified::of(json.trim_end().to_owned()).is_same(back.text()));
    let loss = "not every value decodes to an equal one by --infer-types, such as empty and missing members, text that looks like another value, and numbers in other spellings";
    let losses = if is_same { Vec::new() } else { vec![loss.to_owned()] };
    Ok(converted.followed_by(Converted::lossy(text, to.name(), losses)))
}

/// Returns `true` if values can be streamed by the specification that was asked for.
fn streams_spec(options: &ConvertOptions) -> bool {
    options.spec.as_deref().is_none_or(|name| Spec::from_name(name) == Some(Spec::default()))
}

/// Refuses flags that the output format does not have.
fn check_target(options: &ConvertOptions, format: &str) -> Result<(), Failure> {
    let is_given = |what| options.lossy.contains(&what);
    let values = [GCF, JSON, JSON_PRETTY, JSON_LINES, "csv", "tsv"];
    for (flag, is_given, formats) in [
        ("--dialect", options.gcf.dialect.is_some(), &[GCF][..]),
        ("--spec", options.spec.is_some(), &[GCF]),
        ("--profile", options.profile.is_some(), &values),
        ("--stream", options.stream.is_some(), &values[..4]),
        ("--tool", options.rows.tool.is_some(), &[GCX]),
        ("--typed", options.rows.typed, &[GCX]),
        ("--goon-version", options.query.goon_version.is_some(), &[GOON]),
        ("--lossy names", is_given(Lossy::Names), &[GCF]),
        ("--lossy nodes", is_given(Lossy::Nodes), &[GOON]),
        ("--big-integers", options.big_integers == BigIntegers::String, &[GCF, GOON]),
    ] {
        if is_given && !formats.contains(&format) {
            let formats = formats.join(", ");
            let message = format!("{flag} applies only to {formats}, and --to is {format}");
            return Err(Failure::usage(message));
        }
    }
    if options.stream.is_some() && options.gcf.dialect.as_deref() == Some(Dialect::V1.name()) {
        let message =
            "--stream needs a dialect with a trailer, such as v1.4 or v3, and --dialect is v1";
        return Err(Failure::usage(message.to_owned()));
    }
    if options.recover { only_gcf(options.from.as_deref()) } else { Ok(()) }
}

/// Refuses the first of these flags that is given: the input is something else.
fn refuse(flags: &[(&str, bool)], found: &str) -> Result<(), Failure> {
    match flags.iter().find(|(_, is_given)| *is_given) {
        Some((flag, _)) => Err(Failure::usage(format!("{flag} does not apply to {found}"))),
        None => Ok(()),
    }
}

/// Data, and the messages about it.
struct Converted {
    data: Data,
    /// Descriptions of what is lost, which `--deny-loss` rejects.
    losses: Vec<String>,
    /// The remarks to print after the data is written, in this order.
    remarks: Vec<Remark>,
}

/// The data to write.
enum Data {
    Bytes(Vec<u8>),
    /// A value, which becomes text as it is written.
    Value(Box<Prepared>),
}

impl Data {
    /// The text or bytes.
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.write_to(&mut bytes).expect("because memory can be written");
        bytes
    }

    fn write_to(&self, writer: &mut dyn Write) -> io::Result<()> {
        match self {
            Data::Bytes(bytes) => writer.write_all(bytes),
            Data::Value(prepared) => prepared.to_writer(writer),
        }
    }
}

impl From<Vec<u8>> for Data {
    fn from(bytes: Vec<u8>) -> Self {
        Data::Bytes(bytes)
    }
}

impl From<String> for Data {
    fn from(text: String) -> Self {
        Data::Bytes(text.into_bytes())
    }
}

impl From<Prepared> for Data {
    fn from(prepared: Prepared) -> Self {
        Data::Value(Box::new(prepared))
    }
}

impl Converted {
    /// Data of which there is nothing to say.
    fn plain(data: impl Into<Data>) -> Self {
        Converted { data: data.into(), losses: Vec::new(), remarks: Vec::new() }
    }

    /// The same, with the number of integers that became strings.
    fn with_big_integers(mut self, count: usize) -> Self {
        self.remarks.extend(Remark::big_integers(count));
        self
    }

    /// Data in a format that loses something.
    fn lossy(data: impl Into<Data>, format: &str, losses: Vec<String>) -> Self {
        let remarks =
            losses.iter().map(|loss| Remark::loss(format!("in {format} {loss}"))).collect();
        Converted { data: data.into(), losses, remarks }
    }

    /// The changes of this data, with the losses and remarks of both.
    fn followed_by(mut self, next: Converted) -> Self {
        self.losses.extend(next.losses);
        self.remarks.extend(next.remarks);
        Converted { data: next.data, ..self }
    }

    /// The same, of an input of whose reading this has to be said.
    fn read_with(mut self, warnings: Vec<Warning>) -> Self {
        let losses = warnings.iter().filter(|warning| warning.is_loss);
        self.losses.extend(losses.map(|warning| warning.remark.message.clone()));
        self.remarks.extend(warnings.into_iter().map(Remark::from));
        self
    }
}
