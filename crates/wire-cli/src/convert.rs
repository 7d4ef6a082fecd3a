//! `wirefmt convert`.

use std::path::Path;

use wire_core::{Codec, Payload};

use crate::args::ConvertOptions;
use crate::diagnostic::Diagnostics;
use crate::failure::Failure;
use crate::formats::registry;
use crate::input::Input;
use crate::output;

pub(crate) fn run(options: &ConvertOptions, diagnostics: &Diagnostics) -> Result<(), Failure> {
    let encoder = gcf_encoder(options)?;
    let registry = registry(encoder);
    let destination = options.output.as_deref().filter(|path| path.as_os_str() != "-");
    let to = target(options, destination, &registry)?;
    if to.info().name() != "gcf"
        && (options.dialect.is_some() || options.replace_white_space.is_some())
    {
        let message = format!(
            "--dialect and --replace-white-space are about gcf, and --to is {}",
            to.info().name()
        );
        return Err(Failure::Usage { message });
    }

    let input = Input::read(&options.file)?;
    let from = input.codec(options.from.as_deref(), &registry)?;
    let payload = match from.decode(&input.bytes) {
        Ok(payload) => payload,
        Err(error) => {
            return Err(Failure::Decode {
                file: input.name.clone(),
                error,
                input: input.bytes.clone(),
            });
        }
    };

    let losses = to.info().fidelity().in_words_for(&payload);
    let format = to.info().name().to_owned();
    if options.deny_loss && !losses.is_empty() {
        return Err(Failure::Loss { format, losses });
    }
    let mut out = Vec::new();
    to.encode(&payload, &mut out).map_err(|error| Failure::Encode {
        file: input.name.clone(),
        format: format.clone(),
        error,
    })?;

    match destination {
        Some(path) => output::to_file(path, &out)?,
        None => output::to_stdout(&out)?,
    }
    let promised = destination
        .and_then(|path| Some((path, registry.by_extension(path.extension()?.to_str()?)?)));
    if let Some((path, codec)) = promised
        && !format.starts_with(codec.info().name())
    {
        let other = codec.info().name();
        let message = format!("--to is {format}, and the extension of --output is that of {other}");
        diagnostics.warning("extension", &path.display().to_string(), &message);
    }
    for loss in losses {
        diagnostics.warning("loss", &input.name, &format!("in {format} {loss}"));
    }
    if options.replace_white_space.is_some() {
        let changed = names_changed(encoder, &payload);
        if changed > 0 {
            let names = if changed == 1 { "1 name".to_owned() } else { format!("{changed} names") };
            diagnostics.warning(
                "names_changed",
                &input.name,
                &format!("white space was replaced in {names}"),
            );
        }
    }
    Ok(())
}

fn gcf_encoder(options: &ConvertOptions) -> Result<gcf::graph::Encoder, Failure> {
    let mut encoder = gcf::graph::Encoder::new();
    if let Some(name) = &options.dialect {
        let dialect = gcf::graph::Dialect::from_name(name)
            .ok_or_else(|| Failure::Usage { message: format!("there is no dialect {name:?}") })?;
        encoder = encoder.dialect(dialect);
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
fn target<'r>(
    options: &ConvertOptions,
    destination: Option<&Path>,
    registry: &'r wire_registry::Registry,
) -> Result<&'r dyn Codec, Failure> {
    let usage = |message: String| Failure::Usage { message };
    if let Some(name) = &options.to {
        return registry.get(name).map_err(|error| usage(error.to_string()));
    }
    destination
        .and_then(|path| registry.by_extension(path.extension()?.to_str()?))
        .ok_or_else(|| usage("the extension of --output says no format, expected --to".to_owned()))
}

fn names_changed(encoder: gcf::graph::Encoder, payload: &Payload<'_>) -> usize {
    // The codec interface has no place for the report, so the payload is encoded once more.
    encoder.encode(payload, &mut Vec::new()).map_or(0, |report| report.names_changed)
}
