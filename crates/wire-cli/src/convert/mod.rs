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
use goon::GraphResponse;
use wire_core::{Codec, Representation};
use wire_input::Minified;
use wire_input::value::{json_lines, to_csv};
use wire_registry::Registry;

use self::stream::{Numbers, Stream};
use crate::args::{As, ConvertOptions, Lossy, Profile, RowsOptions};
use crate::batch;
use crate::batch::Working;
use crate::diagnostic::{Diagnostics, Remark, Warning};
use crate::document::only_gcf;
use crate::failure::{Failure, shown};
use crate::input::{self, Input, Work};
use crate::output::{Destinations, Stopped, extension_remark, is_same, target};
use crate::source::{Csv, GCF, GCX, GOON, JSON, JSON_PRETTY, Source, Types, gcf_encoder, registry};
use wire_input::response::has_no_layout;
use wire_input::{Answer, Document, JsonKind, Kind, Members};

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
    check(options, format)?;

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
        let conversion = Conversion::new(options, encoder, &registry, to);
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
    registry: &'r Registry,
    to: &'r dyn Codec,
    payload: payload::Options,
    value: value::Options,
    query: query::Options,
}

impl<'r> Conversion<'r> {
    fn new(
        options: &'r ConvertOptions,
        encoder: Encoder,
        registry: &'r Registry,
        to: &'r dyn Codec,
    ) -> Self {
        Conversion {
            options,
            wanted: Wanted::of(options),
            registry,
            to,
            payload: payload::Options::of(options, encoder),
            value: value::Options::of(options),
            query: query::Options::of(options),
        }
    }

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
            Stream::Values(_) => options.check_kind(As::Value).map(|()| stream),
            Stream::Whole(ref input) if format != GCF => Err(Failure::usage(format!(
                "{} is read whole, so --stream writes only gcf, and --to is {format}; the inputs that are read value by value are JSON lines (--from jsonl), a JSON array and the generic profile of GCF",
                shown(&input.name)
            ))),
            Stream::Whole(_) => Ok(stream),
        }
    }

    fn run(&self, input: &Input, diagnostics: &Diagnostics) -> Result<Converted, Failure> {
        let Conversion { options, registry, .. } = *self;
        let document = input.detect_reading(options.from.as_deref(), &options.reading, registry)?;
        if options.recover {
            return self.recovered(input, &document);
        }
        let Some(Compact { json, members, of_json }) = self.json(input, &document)? else {
            return self.document(input, &document, diagnostics);
        };
        let document = Document::of_json(&json.bytes, members, registry);
        Ok(of_json.followed_by(self.document(&json, &document, diagnostics)?))
    }

    /// Converts the text of GCF in a model's answer.
    fn recovered(&self, input: &Input, document: &Document<'_>) -> Result<Converted, Failure> {
        let Conversion { options, wanted, to, .. } = *self;
        let format = to.info().name();
        match Answer::detect(&input.bytes) {
            Answer::Value if wanted != Wanted::Payload && format != GCX => {
                options.check_kind(As::Value)?;
                self.check_whole(Source::Generic)?;
                value::recovered(&self.value, input, document, format)
            }
            Answer::Payload if wanted == Wanted::Value => {
                Err(Failure::usage("--recover finds no text of the generic profile in the answer"))
            }
            _ => {
                options.check_kind(As::Payload)?;
                payload::recovered(&self.payload, input, to)
            }
        }
    }

    /// The JSON of a document in a compact form, if the target is another compact form, which is
    /// written from JSON.
    fn json(&self, input: &Input, document: &Document<'_>) -> Result<Option<Compact>, Failure> {
        let Conversion { wanted, registry, to, .. } = *self;
        let format = to.info().name();
        if matches!(format, JSON | JSON_PRETTY) {
            return Ok(None);
        }
        let of_json = match &document.kind {
            Kind::Response if format != GCX && wanted != Wanted::Payload => {
                let json = response::again(&RowsOptions::default(), input, JSON)?;
                Converted::lossy(json.data, format, json.losses)
            }
            Kind::Generic | Kind::Message if format != GCF => {
                value::convert(&value::Options::default(), input, Source::Generic, JSON)?
            }
            Kind::Goon | Kind::Payload | Kind::Delta => match document.query() {
                Some(response) if format == GCF || (format == GCX && wanted == Wanted::Rows) => {
                    let response = response.map_err(|error| input.refused(error))?;
                    query::convert(&query::Options::default(), input, &response, JSON)?
                }
                None if wanted == Wanted::Value => {
                    let json = registry.get(JSON).expect("because it is built in");
                    payload::convert(&payload::Options::default(), input, document, json)?
                }
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        let json = input.with_bytes(of_json.data.bytes());
        let members = Members::of(&json.bytes);
        let can_be_written = match (format, members.kind()) {
            (GCF | GCX, _) | (_, JsonKind::Payload | JsonKind::PayloadWithMore) => true,
            (_, kind) => format == GOON && kind == JsonKind::Query,
        };
        Ok(can_be_written.then_some(Compact { json, members, of_json }))
    }

    /// Converts a document from its own format.
    fn document(
        &self,
        input: &Input,
        document: &Document<'_>,
        diagnostics: &Diagnostics,
    ) -> Result<Converted, Failure> {
        let Conversion { options, wanted, to, .. } = *self;
        let format = to.info().name();
        let task = Task::of(wanted, input, document, format)?;
        options.check_kind(task.kind())?;
        match task {
            Task::Payload => payload::convert(&self.payload, input, document, to)
                .inspect_err(|failure| hint(failure, format, &input.name, diagnostics)),
            Task::Value(source) => {
                self.check_whole(source)?;
                let mut converted = value::convert(&self.value, input, source, format)?;
                let is_almost = document.json() == Some(JsonKind::AlmostPayload);
                if is_almost && wanted == Wanted::Any {
                    let message = "it is not a payload, or has members that payloads don't have, and is converted as any other JSON; use --profile graph to convert it as a payload";
                    converted.remarks.insert(0, Remark::note("profile", message.to_owned()));
                }
                Ok(converted)
            }
            Task::Rows => response::convert(&options.rows, input, document),
            Task::Response => response::again(&options.rows, input, format),
            Task::JsonQuery => query::of_json(&self.query, input),
            Task::Query(response) => query::convert(&self.query, input, &response, format),
        }
    }

    /// Refuses `--stream` for a value that is read whole.
    fn check_whole(&self, source: Source) -> Result<(), Failure> {
        if self.options.stream.is_none() {
            return Ok(());
        }
        Err(Failure::usage(format!(
            "--stream accepts payloads, JSON lines (--from jsonl), a JSON array and the generic profile of GCF, and the input is another value in {}",
            source.name()
        )))
    }
}

/// The JSON of a document in a compact form, its members, and what reading it has lost.
struct Compact {
    json: Input,
    members: Members,
    of_json: Converted,
}

/// The conversion of a document.
enum Task {
    Payload,
    /// As a value that is written in this format.
    Value(Source),
    /// Of JSON or another value to the response of a tool.
    Rows,
    /// Of a tool's response in GCX.
    Response,
    /// Of JSON that is the response of a query.
    JsonQuery,
    /// Of such a response in GOON.
    Query(GraphResponse),
}

impl Task {
    fn of(
        wanted: Wanted,
        input: &Input,
        document: &Document<'_>,
        to: &str,
    ) -> Result<Self, Failure> {
        if let Some(source) = value_source(wanted, input, document, to)? {
            return Ok(Task::Value(source));
        }
        match &document.kind {
            Kind::Response => return Ok(Task::Response),
            Kind::Value(_) if to == GCX => return Ok(Task::Rows),
            Kind::Json(_) | Kind::Unknown if wanted == Wanted::Rows => return Ok(Task::Rows),
            // JSON that is neither a payload nor a query response may be rows.
            Kind::Json(members) if to == GCX && members.kind() == JsonKind::Other => {
                return Ok(Task::Rows);
            }
            Kind::Json(members) if to == GOON && members.kind() == JsonKind::Query => {
                return Ok(Task::JsonQuery);
            }
            _ => {}
        }
        match document.query() {
            Some(response) => response.map(Task::Query).map_err(|error| input.refused(error)),
            None => input.codec(document).map(|_| Task::Payload),
        }
    }

    fn kind(&self) -> As {
        match self {
            Task::Payload => As::Payload,
            Task::Value(_) => As::Value,
            Task::Rows | Task::Response => As::Response,
            Task::JsonQuery | Task::Query(_) => As::Query,
        }
    }
}

/// The format of a document that is converted as a value; `None` if it is converted as a payload or
/// a response.
fn value_source(
    wanted: Wanted,
    input: &Input,
    document: &Document<'_>,
    to: &str,
) -> Result<Option<Source>, Failure> {
    let source = document.source();
    match (wanted, to) {
        (Wanted::Payload, GCF | JSON | JSON_PRETTY) => match document.kind {
            Kind::Value(_) => Err(Failure::usage(
                "--profile graph accepts only payloads, in json, gcf, gcb, gcx and goon",
            )),
            _ => Ok(None),
        },
        (_, GCX) | (Wanted::Rows, _) => Ok(None),
        (Wanted::Any, GCF | JSON | JSON_PRETTY) => {
            let is_payload =
                matches!(document.json(), Some(JsonKind::Payload | JsonKind::PayloadWithMore));
            Ok(source.filter(|_| !is_payload))
        }
        (Wanted::Value, GCF | JSON | JSON_PRETTY) => {
            let is_unknown = matches!(document.kind, Kind::Unknown);
            Ok(source.or(is_unknown.then_some(Source::Json)))
        }
        _ if source.is_some() => input.no_graph(document, to).map_or(Ok(None), Err),
        _ => Ok(None),
    }
}

/// Says which flag reads an input that is no payload, or not all of one.
fn hint(failure: &Failure, to: &str, name: &str, diagnostics: &Diagnostics) {
    let (code, message) = match (failure.code(), to) {
        ("unknown_symbol_name", _) => (
            "dangling_edges",
            "--lossy edges leaves out edges whose source or target is not among the symbols",
        ),
        ("json_data", GCF) => (
            "profile",
            "it is read as a payload, which has the members `tool` and `symbols`; use --profile generic to read it as any other JSON",
        ),
        ("json_data", GCX) => {
            ("tool", "it is not a payload; use --tool NAME to write the JSON of a tool's response")
        }
        _ => return,
    };
    diagnostics.note(code, name, message);
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
        let lines = json_lines(json.as_bytes()).ok_or_else(|| {
            let message = "its value is not an array, expected one, whose values become the lines; use --to json";
            Failure::usage(format!("{}: {message}", shown(&input.name)))
        })?;
        return Ok(converted.followed_by(Converted::plain(lines)));
    };
    let text = to_csv(&json, csv.usual).map_err(|why| {
        let message = format!("{why}, expected objects of scalars, which become the rows");
        Failure::of_file(&*input.name, "not_rows", message)
    })?;
    let back = Source::Csv(Csv { types: Some(Types::All), ..csv });
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

/// Refuses flags that don't go together, or with the output format, before an input is read.
fn check(options: &ConvertOptions, format: &str) -> Result<(), Failure> {
    options.check_format(format)?;
    match Wanted::of(options) {
        Wanted::Payload => options.check_kind(As::Payload)?,
        Wanted::Value => options.check_kind(As::Value)?,
        Wanted::Rows | Wanted::Any => {}
    }
    if options.stream.is_some() && options.gcf.dialect.as_deref() == Some(Dialect::V1.name()) {
        let message =
            "--stream needs a dialect with a trailer, such as v1.4 or v3, and --dialect is v1";
        return Err(Failure::usage(message.to_owned()));
    }
    if options.recover { only_gcf(options.from.as_deref()) } else { Ok(()) }
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
    fn read_with(mut self, warnings: impl IntoIterator<Item = impl Into<Warning>>) -> Self {
        let warnings: Vec<Warning> = warnings.into_iter().map(Into::into).collect();
        let losses = warnings.iter().filter(|warning| warning.is_loss);
        self.losses.extend(losses.map(|warning| warning.remark.message.clone()));
        self.remarks.extend(warnings.into_iter().map(Remark::from));
        self
    }
}
