//! `wirefmt convert`.

use std::io::{self, Write};
use std::path::Path;

use gcf::graph::{Decoder, Dialect, Encoder, RepairKind, StreamHead};
use wire_core::{Codec, CodecError, Payload, Representation, SymbolOrder};

use crate::args::{ConvertOptions, GcfOptions};
use crate::counter::Counter;
use crate::diagnostic::Diagnostics;
use crate::failure::Failure;
use crate::formats::registry;
use crate::input::Input;
use crate::{output, response, value};

pub(crate) fn run(options: &ConvertOptions, diagnostics: &Diagnostics) -> Result<(), Failure> {
    let encoder = gcf_encoder(&options.gcf, options.stream)?;
    let registry = registry(encoder);
    let destination = options.output.as_deref().filter(|path| path.as_os_str() != "-");
    let to = target(options.to.as_deref(), destination, &registry)?.ok_or_else(|| {
        let message = "the extension of --output says no format, expected --to".to_owned();
        Failure::Usage { message }
    })?;
    let format = to.info().name();
    check_options(options, format)?;

    let input = Input::read(&options.file)?;
    if value::convert(options, &input, &registry, format, destination, diagnostics)?.is_some() {
        return Ok(());
    }
    if !options.recover
        && response::convert(options, &input, &registry, to, destination, diagnostics)?.is_some()
    {
        return Ok(());
    }
    if options.goon.any() {
        let message = "--goon-version, --quote-numbers, --drop-unrepresentable and --no-truncation are about the responses of queries, and this is a payload";
        return Err(Failure::Usage { message: message.to_owned() });
    }
    let (payload, repairs) = read(options, &input, &registry).inspect_err(|failure| {
        if format == "gcx" && failure.code() == "json_data" {
            let message = "no payload; the JSON of a tool's response is written with --tool NAME";
            diagnostics.note("tool", &input.name, message);
        }
    })?;
    let (payload, left_out) = within_budget(options, &input, payload, to)?;

    let fidelity = to.info().fidelity();
    // Only a whole payload is ranked.
    let fidelity =
        if options.stream { fidelity.with_order(SymbolOrder::ByDistance) } else { fidelity };
    let losses = fidelity.in_words_for(&payload);
    let lost: Vec<String> = repairs
        .iter()
        .filter(|(kind, _)| kind.is_loss())
        .map(|(_, message)| message.clone())
        .chain(losses.iter().cloned())
        .collect();
    if options.deny_loss && !lost.is_empty() {
        return Err(Failure::Loss { format: format.to_owned(), losses: lost });
    }
    let refused =
        |error| Failure::Encode { file: input.name.clone(), format: format.to_owned(), error };
    if options.stream {
        // Once for nothing, so that a payload that can't be written leaves nothing behind.
        stream(encoder, options, &payload, io::sink()).map_err(|error| refused(error.into()))?;
        let write = |writer: &mut dyn Write| match stream(encoder, options, &payload, writer) {
            Ok(()) => Ok(()),
            Err(error) => Err(io_error(error)),
        };
        output::write(destination, write)?;
    } else {
        let mut out = Vec::new();
        to.encode(&payload, &mut out).map_err(refused)?;
        output::write(destination, |writer| writer.write_all(&out))?;
    }

    let repairs = repairs.into_iter().map(|(kind, message)| (kind.code(), message));
    for (code, message) in repairs.chain(left_out) {
        diagnostics.warning(code, &input.name, &message);
    }
    warn_of_extension(destination, &registry, format, diagnostics);
    for loss in losses {
        diagnostics.warning("loss", &input.name, &format!("in {format} {loss}"));
    }
    if options.gcf.replace_white_space.is_some()
        && let Some(message) = names_changed(encoder, &payload)
    {
        diagnostics.warning("names_changed", &input.name, &message);
    }
    Ok(())
}

/// Warns where the extension of the output promises another format.
pub(crate) fn warn_of_extension(
    destination: Option<&Path>,
    registry: &wire_registry::Registry,
    format: &str,
    diagnostics: &Diagnostics,
) {
    let promised = destination
        .and_then(|path| Some((path, registry.by_extension(path.extension()?.to_str()?)?)));
    if let Some((path, codec)) = promised
        && !format.starts_with(codec.info().name())
    {
        let other = codec.info().name();
        let message = format!("--to is {format}, and the extension of --output is that of {other}");
        diagnostics.warning("extension", &path.display().to_string(), &message);
    }
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
        return Err(Failure::Usage { message });
    }
    if format != "goon" && options.goon.any() {
        let message = format!(
            "--goon-version, --quote-numbers, --drop-unrepresentable and --no-truncation are about goon, and --to is {format}"
        );
        return Err(Failure::Usage { message });
    }
    if options.stream && options.gcf.dialect.as_deref() == Some(Dialect::V1.name()) {
        let message = "--stream needs a dialect with a trailer, as v1.4 or v3, and --dialect is v1";
        return Err(Failure::Usage { message: message.to_owned() });
    }
    match &options.from {
        Some(from) if options.recover && !from.eq_ignore_ascii_case("gcf") => {
            let message = format!("--recover finds gcf, and --from is {from}");
            Err(Failure::Usage { message })
        }
        _ => Ok(()),
    }
}

/// A warning: its code and what it says.
type Warning = (&'static str, String);

/// The payload of the input, and what had to be mended in it.
fn read<'i>(
    options: &ConvertOptions,
    input: &'i Input,
    registry: &wire_registry::Registry,
) -> Result<(Payload<'i>, Vec<(RepairKind, String)>), Failure> {
    let failed =
        |error| Failure::Decode { file: input.name.clone(), error, input: input.bytes.clone() };
    if !options.recover {
        let from = input.codec(options.from.as_deref(), registry)?;
        return Ok((from.decode(&input.bytes).map_err(failed)?, Vec::new()));
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
    Ok((payload, warnings))
}

/// What of the payload fits `--budget`, and what does not.
fn within_budget<'p>(
    options: &ConvertOptions,
    input: &Input,
    payload: Payload<'p>,
    to: &dyn Codec,
) -> Result<(Payload<'p>, Option<Warning>), Failure> {
    let Some(budget) = options.budget else { return Ok((payload, None)) };
    if to.info().representation() != Representation::Text {
        let message = format!("--budget counts tokens, and {} is not text", to.info().name());
        return Err(Failure::Usage { message });
    }
    let counter = options.counter.unwrap_or(Counter::WordPunctuation).load();
    let fitted = wire_core::fit(&payload, to, &*counter, budget)
        .map_err(|error| Failure::Budget { file: input.name.clone(), error })?;
    let (symbols, edges) = (fitted.symbols_left_out, fitted.edges_left_out);
    let warning = (symbols + edges > 0).then(|| {
        let message = format!(
            "the budget of {budget} tokens leaves out {symbols} of {} symbols and {edges} of {} edges",
            payload.symbols.len(),
            payload.edges.len()
        );
        ("over_budget", message)
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

/// The writer's own error; what is wrong with a payload has come up before.
fn io_error(error: gcf::Error) -> io::Error {
    let kind = std::error::Error::source(&error)
        .and_then(|source| source.downcast_ref::<io::Error>())
        .map_or(io::ErrorKind::Other, io::Error::kind);
    io::Error::new(kind, CodecError::from(error))
}

/// The encoder of these options; the default dialect of a stream has a trailer.
pub(crate) fn gcf_encoder(options: &GcfOptions, stream: bool) -> Result<Encoder, Failure> {
    let mut encoder = Encoder::new();
    if let Some(name) = &options.dialect {
        let dialect = Dialect::from_name(name)
            .ok_or_else(|| Failure::Usage { message: format!("there is no dialect {name:?}") })?;
        encoder = encoder.dialect(dialect);
    } else if stream {
        encoder = encoder.dialect(Dialect::V3);
    }
    if let Some(with) = options.replace_white_space {
        if wire_core::text::breaks_token(with) {
            let message = format!(
                "--replace-white-space is {with:?}, expected no white space or control character"
            );
            return Err(Failure::Usage { message });
        }
        encoder = encoder.replace_white_space(with);
    }
    Ok(encoder)
}

/// The codec of `--to`, or of the output's extension.
pub(crate) fn target<'r>(
    to: Option<&str>,
    destination: Option<&Path>,
    registry: &'r wire_registry::Registry,
) -> Result<Option<&'r dyn Codec>, Failure> {
    if let Some(name) = to {
        let usage =
            |error: wire_registry::UnknownFormat| Failure::Usage { message: error.to_string() };
        return registry.get(name).map(Some).map_err(usage);
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
