//! `wirefmt auto`: the format that costs the fewest tokens.

use wire_core::{CodecError, Directions, Field, Representation};
use wire_registry::{AllowedLosses, Chooser, NothingHolds, Outcome, Registry, Smallest};

use crate::args::AutoOptions;
use crate::batch;
use crate::converted::Remark;
use crate::destination::{Destinations, extension_remark};
use crate::diagnostic::Diagnostics;
use crate::document::Document;
use crate::failure::Failure;
use crate::formats::registry;
use crate::forms::Held;
use crate::input::Input;
use crate::inputs::{self, Work};
use crate::source::{JSON, JSON_PRETTY};

pub(crate) fn run(options: &AutoOptions, diagnostics: &Diagnostics) -> Result<(), Failure> {
    let registry = registry(gcf::graph::Encoder::new());
    let works = inputs::expand(&options.files, options.from.as_deref(), &registry)?;
    let destinations = Destinations::new(&options.destination, &works, None)?;
    let extensions: Vec<&str> =
        registry.list().filter_map(|info| info.extensions().first().copied()).collect();
    let work = |work: &Work| {
        if destinations.is_done(work, &extensions) {
            return Ok(None);
        }
        let input = Input::read(&work.path)?;
        let (smallest, left_out) = smallest(options, &input, &registry)?;
        let codec = registry.get(smallest.format).ok();
        let extension =
            codec.and_then(|codec| codec.info().extensions().first().copied()).unwrap_or(JSON);
        let destination = destinations.of(work, extension);
        destinations.write(destination.as_deref(), &smallest.text)?;
        let mut remarks = left_out;
        remarks.push(remark(&smallest, works.is_single));
        if works.is_single {
            remarks.extend(extension_remark(destination.as_deref(), &registry, smallest.format));
        }
        Ok(Some((input.name, remarks)))
    };
    batch::convert(&works, &options.batch, diagnostics, work)
}

/// The text with the fewest tokens, of those that hold what the input does, and what was left out on reading.
fn smallest(
    options: &AutoOptions,
    input: &Input,
    registry: &Registry,
) -> Result<(Smallest, Vec<Remark>), Failure> {
    let document = Document::detect(input, options.from.as_deref(), registry);
    let (held, left_out) = Held::read(document, options.tool.as_deref())?;
    let names: Vec<&str> = options
        .among
        .iter()
        .filter_map(|name| registry.get(name).ok())
        .map(|codec| codec.info().name())
        .collect();
    let is_asked = |format: &str| names.is_empty() || names.contains(&format);
    let nothing_holds = |error: NothingHolds| Failure::nothing_holds(input.name.clone(), &error);
    if let Held::Payload(payload) = &held {
        let candidates: Vec<&str> = registry
            .list()
            .filter(|info| info.representation() == Representation::Text && is_asked(info.name()))
            .filter(|info| info.directions() == Directions::Both || !names.is_empty())
            .map(wire_core::CodecInfo::name)
            .collect();
        let allowed = allowed(&options.allow_loss);
        let smallest = registry
            .encode_smallest(payload, &candidates, &options.counter, allowed)
            .map_err(|error| match error {
                wire_registry::RegistryError::NothingHolds(error) => nothing_holds(error),
                other => Failure::usage(other.to_string()),
            })?;
        return Ok((smallest, left_out));
    }
    // Of other things there is nothing to allow but everything.
    let anything = options.allow_loss.iter().any(|what| what == ANY);
    let mut chooser = Chooser::new(&options.counter);
    for form in held.forms(registry) {
        let losses = if anything { Vec::new() } else { form.losses };
        match form.format {
            JSON if losses.is_empty() => chooser.fallback(JSON, form.bytes),
            JSON => chooser.offer(JSON, losses, || form.bytes),
            // It is never smaller.
            JSON_PRETTY if names.is_empty() => {}
            format if is_asked(format) => chooser.offer(format, losses, || form.bytes),
            _ => {}
        }
    }
    for format in names {
        if !chooser.has(format) {
            let why = CodecError::new("unsupported", None, "it is for other data");
            chooser.note(format, Outcome::Refused(why));
        }
    }
    Ok((chooser.choose().map_err(nothing_holds)?, left_out))
}

/// What allows every loss.
const ANY: &str = "any";
const ORDER: &str = "order";

fn allowed(names: &[String]) -> AllowedLosses {
    names.iter().fold(AllowedLosses::NONE, |allowed, name| match name.as_str() {
        ANY => AllowedLosses::ANY,
        ORDER => allowed.with_order(),
        name => match Field::ALL.iter().find(|field| field.name() == name) {
            Some(field) => allowed.with(*field),
            None => allowed,
        },
    })
}

/// Why this format was taken: in full of one input, and in words that many inputs share otherwise.
fn remark(smallest: &Smallest, is_single: bool) -> Remark {
    let message = if is_single {
        smallest.to_string()
    } else {
        format!("{} by {}, since {}", smallest.format, smallest.counter, smallest.reason)
    };
    Remark::note("format", message)
}
