//! `wirefmt convert`.

use std::io::{IsTerminal, Write};
use std::path::Path;

use gcf::graph::{Decoder, Dialect, Encoder, RepairKind, StreamHead};
use wire_core::{Codec, Payload, Representation, SymbolOrder};
use wire_tokens::Counter;

use crate::args::{ConvertOptions, GcfOptions};
use crate::converted::{Converted, Remark};
use crate::destination::{Destinations, is_same};
use crate::diagnostic::Diagnostics;
use crate::failure::{Failure, shown};
use crate::formats::registry;
use crate::input::Input;
use crate::inputs::{self, Work};
use crate::response::{JSON, JSON_PRETTY};
use crate::{batch, members, response, value};

pub(crate) fn run(options: &ConvertOptions, diagnostics: &Diagnostics) -> Result<(), Failure> {
    let encoder = gcf_encoder(&options.gcf, options.stream)?;
    let registry = registry(encoder);
    let file = options.destination.file();
    let to = target(options.to.as_deref(), file, &registry)?.ok_or_else(|| {
        let message = match file {
            Some(_) => "the extension of --output says no format, expected --to",
            None => "nothing says what to write, expected --to",
        };
        Failure::usage(message.to_owned())
    })?;
    let format = to.info().name();
    check_options(options, format)?;

    let works = inputs::expand(&options.files, options.from.as_deref(), &registry)?;
    if to.info().representation() == Representation::Binary
        && file.is_none()
        && options.destination.output_dir.is_none()
        && std::io::stdout().is_terminal()
    {
        let message =
            format!("{format} is binary and standard output a terminal, expected --output FILE");
        return Err(Failure::usage(message));
    }
    let extension = to.info().extensions().first().copied().unwrap_or(response::JSON);
    let destinations = Destinations::new(&options.destination, &works, Some(extension))?;
    let work = |work: &Work| {
        let destination = destinations.of(work, extension);
        if destinations.is_done(work, &[extension]) {
            return Ok(None);
        }
        let input = Input::read(&work.path)?;
        let conversion = Conversion { options, encoder, registry: &registry, to };
        let converted = conversion.run(&input, diagnostics)?;
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
        destinations.write(destination.as_deref(), &converted.bytes)?;
        if works.is_single {
            remarks.splice(0..0, extension_remark(destination.as_deref(), &registry, format));
        }
        Ok(Some((input.name, remarks)))
    };
    batch::convert(&works, &options.batch, diagnostics, work)?;
    if let Some(tool) = options.tool.as_deref().filter(|_| !options.typed)
        && format == response::GCX
        && response::has_no_layout(tool)
    {
        let message = format!(
            "the tool {} has no layout, so that its rows have the columns that their members say",
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
    registry: &'r wire_registry::Registry,
    to: &'r dyn Codec,
}

impl Conversion<'_> {
    fn run(&self, input: &Input, diagnostics: &Diagnostics) -> Result<Converted, Failure> {
        let Conversion { options, registry, to, .. } = *self;
        let format = to.info().name();
        if let Some(converted) = value::convert(options, input, registry, format)? {
            return Ok(converted);
        }
        if !options.recover
            && let Some(converted) = response::convert(options, input, registry, to)?
        {
            return Ok(converted);
        }
        if options.goon.any() {
            let message = "--goon-version, --quote-numbers, --drop-unrepresentable and --no-truncation are about the responses of queries, and this is a payload";
            return Err(Failure::usage(message.to_owned()));
        }
        self.payload(input).inspect_err(|failure| {
            if failure.code() == "unknown_symbol_name" {
                let message = "--drop-dangling-edges leaves out edges whose source or target is not among the symbols";
                diagnostics.note("dangling_edges", &input.name, message);
            }
            if format == "gcf" && failure.code() == "json_data" {
                let message = "it has the members `tool` and `symbols` and is taken for a payload; --profile generic takes it for any other JSON";
                diagnostics.note("profile", &input.name, message);
            }
            if format == "gcx" && failure.code() == "json_data" {
                let message =
                    "no payload; the JSON of a tool's response is written with --tool NAME";
                diagnostics.note("tool", &input.name, message);
            }
        })
    }

    fn payload(&self, input: &Input) -> Result<Converted, Failure> {
        let Conversion { options, encoder, registry, to } = *self;
        let format = to.info().name();
        let Read { payload, repairs, dangling } = read(options, input, registry)?;
        let dropped = (dangling > 0)
            .then(|| format!("edges to or from unknown symbols are dropped: {dangling}"));
        let unknown = if options.recover {
            None
        } else {
            members::left_out(input.codec(options.from.as_deref(), registry)?, &input.bytes)
        };
        let (payload, left_out) = within_budget(options, input, payload, to)?;

        let fidelity = to.info().fidelity();
        // Only a whole payload is ranked.
        let fidelity =
            if options.stream { fidelity.with_order(SymbolOrder::ByDistance) } else { fidelity };
        let lost_in_repairs = repairs.iter().filter(|(kind, _)| kind.is_loss());
        let mut losses: Vec<String> = lost_in_repairs.map(|(_, message)| message.clone()).collect();
        losses.extend(unknown.iter().chain(&dropped).cloned());
        let of_format = fidelity.report(&payload).in_words();
        losses.extend(of_format.iter().cloned());
        let mut bytes = Vec::new();
        let refused = |error| Failure::encode(input.name.clone(), format, error);
        if options.stream {
            stream(encoder, options, &payload, &mut bytes)
                .map_err(|error| refused(error.into()))?;
        } else {
            to.encode(&payload, &mut bytes).map_err(refused)?;
        }
        let mut remarks: Vec<Remark> = repairs
            .into_iter()
            .map(|(kind, message)| Remark::warning(kind.code(), message))
            .chain(unknown.into_iter().chain(dropped).map(Remark::loss))
            .chain(left_out)
            .collect();
        remarks
            .extend(of_format.into_iter().map(|loss| Remark::loss(format!("in {format} {loss}"))));
        if options.gcf.replace_white_space.is_some()
            && let Some(message) = names_changed(encoder, &payload)
        {
            remarks.push(Remark::warning("names_changed", message));
        }
        Ok(Converted { bytes, losses, remarks })
    }
}

/// What to say where the extension of the output promises another format.
pub(crate) fn extension_remark(
    destination: Option<&Path>,
    registry: &wire_registry::Registry,
    format: &str,
) -> Option<Remark> {
    let destination = destination?;
    let codec = registry.by_extension(destination.extension()?.to_str()?)?;
    let other = codec.info().name();
    (!format.starts_with(other)).then(|| {
        let file = shown(&destination.display().to_string());
        let message =
            format!("{file} is written as {format}, and its extension is that of {other}");
        Remark::warning("extension", message)
    })
}

/// Options that are about GCF alone.
fn check_options(options: &ConvertOptions, format: &str) -> Result<(), Failure> {
    let about_gcf = options.gcf.dialect.is_some()
        || options.gcf.replace_white_space.is_some()
        || options.stream;
    if format != "gcf" && about_gcf {
        let message = format!(
            "--dialect, --stream and --replace-white-space are about gcf, and --to is {format}"
        );
        return Err(Failure::usage(message));
    }
    if format != "goon" && options.goon.any() {
        let message = format!(
            "--goon-version, --quote-numbers, --drop-unrepresentable and --no-truncation are about goon, and --to is {format}"
        );
        return Err(Failure::usage(message));
    }
    if options.stream && options.gcf.dialect.as_deref() == Some(Dialect::V1.name()) {
        let message = "--stream needs a dialect with a trailer, as v1.4 or v3, and --dialect is v1";
        return Err(Failure::usage(message.to_owned()));
    }
    match &options.from {
        Some(from) if options.recover && !from.eq_ignore_ascii_case("gcf") => {
            let message = format!("--recover finds gcf, and --from is {from}");
            Err(Failure::usage(message))
        }
        _ => Ok(()),
    }
}

/// The payload of the input, and what had to be mended in it.
fn read<'i>(
    options: &ConvertOptions,
    input: &'i Input,
    registry: &wire_registry::Registry,
) -> Result<Read<'i>, Failure> {
    let failed = |error| input.refused(error);
    let whole = |payload| Read { payload, repairs: Vec::new(), dangling: 0 };
    if !options.recover {
        let from = input.codec(options.from.as_deref(), registry)?;
        if !options.drop_dangling_edges {
            return from.decode(&input.bytes).map(whole).map_err(failed);
        }
        let name = from.info().name();
        if name != JSON && name != JSON_PRETTY {
            let message =
                format!("--drop-dangling-edges is about payloads in json, and this is {name}");
            return Err(Failure::usage(message));
        }
        let (payload, dangling) =
            wire_registry::json::decode_without_dangling_edges(&input.bytes).map_err(failed)?;
        return Ok(Read { dangling, ..whole(payload) });
    }
    let (payload, recovery) =
        Decoder::new().recover_slice(&input.bytes).map_err(|error| failed(error.into()))?;
    let warnings = recovery
        .repairs
        .iter()
        .map(|repair| {
            let reason =
                repair.reason.map(|reason| format!(": {}", reason.summary())).unwrap_or_default();
            let message = format!("line {}: {}{reason}", repair.line, repair.kind.summary());
            (repair.kind, message)
        })
        .collect();
    Ok(Read { repairs: warnings, ..whole(payload) })
}

/// A payload, and what was done to read it.
struct Read<'i> {
    payload: Payload<'i>,
    repairs: Vec<(RepairKind, String)>,
    /// The number of edges that were dropped, since they begin or end at no symbol.
    dangling: usize,
}

/// What of the payload fits `--budget`, and what does not.
fn within_budget<'p>(
    options: &ConvertOptions,
    input: &Input,
    payload: Payload<'p>,
    to: &dyn Codec,
) -> Result<(Payload<'p>, Option<Remark>), Failure> {
    let Some(budget) = options.budget else { return Ok((payload, None)) };
    if to.info().representation() != Representation::Text {
        let message = format!("--budget counts tokens, and {} is not text", to.info().name());
        return Err(Failure::usage(message));
    }
    let counter = options.counter.unwrap_or(Counter::WordPunctuation);
    let fitted = wire_core::fit(&payload, to, &counter, budget)
        .map_err(|error| Failure::budget(input.name.clone(), &error))?;
    let (symbols, edges) = (fitted.symbols_left_out, fitted.edges_left_out);
    let warning = (symbols + edges > 0).then(|| {
        let message = format!(
            "the budget of {budget} tokens leaves out {symbols} of {} symbols and {edges} of {} edges",
            payload.symbols.len(),
            payload.edges.len()
        );
        Remark::warning("over_budget", message)
    });
    Ok((fitted.payload, warning))
}

fn stream(
    encoder: Encoder,
    options: &ConvertOptions,
    payload: &Payload<'_>,
    writer: impl Write,
) -> Result<(), gcf::Error> {
    let head = StreamHead {
        tool: &payload.tool,
        token_budget: payload.token_budget,
        tokens_used: payload.tokens_used,
        pack_root: payload.pack_root.clone(),
    };
    let mut ordered;
    let payload = if payload.is_canonical() {
        payload
    } else {
        ordered = payload.clone();
        ordered.canonicalize();
        &ordered
    };
    let mut stream = encoder.stream(writer, &head)?;
    if options.labeled_counts {
        stream = stream.labeled_counts();
    }
    for symbol in &payload.symbols {
        stream.symbol(symbol)?;
    }
    for edge in &payload.edges {
        stream.edge(edge)?;
    }
    stream.finish().map(drop)
}

/// The encoder of these options; the default dialect of a stream has a trailer.
pub(crate) fn gcf_encoder(options: &GcfOptions, stream: bool) -> Result<Encoder, Failure> {
    let mut encoder = Encoder::new();
    if let Some(name) = &options.dialect {
        let dialect = Dialect::from_name(name)
            .ok_or_else(|| Failure::usage(format!("there is no dialect {name:?}")))?;
        encoder = encoder.dialect(dialect);
    } else if stream {
        encoder = encoder.dialect(Dialect::V3);
    }
    if let Some(with) = options.replace_white_space {
        if wire_core::text::breaks_token(with) {
            let message = format!(
                "--replace-white-space is {with:?}, expected no white space or control character"
            );
            return Err(Failure::usage(message));
        }
        encoder = encoder.replace_white_space(with);
    }
    Ok(encoder)
}

/// The place among [`Dialect::ALL`] of the dialect that a GCF text is in, as far as it shows; none for other input.
pub(crate) fn dialect_of(bytes: &[u8]) -> Option<usize> {
    let found = gcf::inspect(std::str::from_utf8(bytes).ok()?).ok()?;
    Dialect::ALL.iter().position(|known| Some(*known) == found.dialect)
}

/// The codec of `--to`, or of the output's extension.
pub(crate) fn target<'r>(
    to: Option<&str>,
    destination: Option<&Path>,
    registry: &'r wire_registry::Registry,
) -> Result<Option<&'r dyn Codec>, Failure> {
    if let Some(name) = to {
        let usage = |error: wire_registry::UnknownFormat| Failure::usage(error.to_string());
        return registry.get(&name.to_ascii_lowercase()).map(Some).map_err(usage);
    }
    Ok(destination.and_then(|path| registry.by_extension(path.extension()?.to_str()?)))
}

/// What to say of the names in which white space was replaced.
pub(crate) fn names_changed(encoder: Encoder, payload: &Payload<'_>) -> Option<String> {
    // The codec interface has no place for the report, so the payload is encoded once more.
    let changed = encoder.encode(payload, &mut Vec::new()).map_or(0, |report| report.names_changed);
    let names = if changed == 1 { "1 name".to_owned() } else { format!("{changed} names") };
    (changed > 0).then(|| format!("white space was replaced in {names}"))
}
