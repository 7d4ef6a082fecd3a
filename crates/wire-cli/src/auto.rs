//! `wirefmt auto`: the format with the fewest tokens.

use wire_core::{CodecError, Directions, Field, Representation, TokenCounter};
use wire_input::{Form, Held};
use wire_registry::{AllowedLosses, Candidate, Chooser, Outcome, Registry, Smallest};

use crate::args::AutoOptions;
use crate::batch;
use crate::batch::Working;
use crate::diagnostic::{Diagnostics, Remark, RemarkLevel};
use crate::failure::{Failure, called, plural};
use crate::input::{self, Input, Work};
use crate::output::{Destinations, extension_remark};
use crate::source::{INPUT, JSON, JSON_PRETTY, registry};
use crate::tokens::without_line_end;
use crate::{peer, tokens};

pub(crate) fn run(options: &AutoOptions, diagnostics: &Diagnostics) -> Result<(), Failure> {
    let registry = registry(gcf::graph::Encoder::new());
    let works = input::expand(&options.files, options.from.as_deref(), &registry)?;
    let destinations = Destinations::new(&options.destination, &works, None)?;
    let extensions: Vec<&str> =
        registry.list().filter_map(|info| info.extensions().first().copied()).collect();
    let work = |work: &Work| {
        let extensions: Vec<&str> = extensions.iter().copied().chain(own(work)).collect();
        if destinations.is_done(work, &extensions) {
            return Ok(None);
        }
        let is_quiet = diagnostics.is_quiet() || !works.is_single;
        let working = Working::on(&work.path, is_quiet, false);
        let raw = Input::raw(&work.path)?;
        let kept = if options.pass { raw.clone() } else { Vec::new() };
        let read = Input::of_raw(&work.path, raw);
        let chosen = read.and_then(|input| {
            smallest(options, &input, &registry, works.is_single).map(|chosen| (input, chosen))
        });
        let (input, chosen) = match chosen {
            Err(failure) if options.pass => {
                drop(working);
                let destination = destinations.of(work, own(work).unwrap_or_default());
                destinations.write(destination.as_deref(), &kept)?;
                let message = format!("written as it came: {}", failure.message());
                let name = called(&work.path, "standard input");
                return Ok(Some((name, vec![Remark::note("passed", message)])));
            }
            chosen => chosen?,
        };
        let Chosen { smallest, format, mut remarks, peers } = chosen;
        // Before the output, which may go to the same terminal.
        drop(working);
        let codec = registry.get(format).ok();
        let extension = match own(work).filter(|_| smallest.format == INPUT) {
            Some(extension) => extension,
            None => {
                codec.and_then(|codec| codec.info().extensions().first().copied()).unwrap_or(format)
            }
        };
        let destination = destinations.of(work, extension);
        // What was counted has no line end in JSON.
        let text = match smallest.format {
            INPUT => String::from_utf8_lossy(&input.bytes),
            JSON => format!("{}\n", smallest.text).into(),
            _ => smallest.text.as_str().into(),
        };
        destinations.write(destination.as_deref(), text.as_bytes())?;
        remarks.push(remark(&smallest, works.is_single, options.verbose, &peers));
        if works.is_single {
            remarks.extend(extension_remark(destination.as_deref(), &registry, format));
        }
        Ok(Some((input.name, remarks)))
    };
    batch::convert(&works, &options.batch, diagnostics, work)
}

/// The extension of an input.
fn own(work: &Work) -> Option<&str> {
    work.relative.extension()?.to_str()
}

/// The choice for an input.
struct Chosen {
    smallest: Smallest,
    /// The format that it is in; that of the input where it is kept as it is.
    format: &'static str,
    /// The remarks about reading the input.
    remarks: Vec<Remark>,
    /// The tokens of other people's formats, to compare with.
    peers: String,
}

/// Larger inputs, in bytes, are not written in other people's formats, because that needs a tree of
/// values.
const LARGE: usize = 1 << 20;

/// The smallest text of those that represent the input (ruling X17). The input itself is one of
/// them, so by a vocabulary the output never has more tokens than the input.
fn smallest(
    options: &AutoOptions,
    input: &Input,
    registry: &Registry,
    is_single: bool,
) -> Result<Chosen, Failure> {
    let document = input.detect_reading(options.from.as_deref(), &options.reading, registry)?;
    let of_input = document.text_format();
    let (held, mut remarks) = input.held(&document, options.tool.as_deref())?;
    let came = String::from_utf8_lossy(&input.bytes);
    let mut chooser = Chooser::new(&options.counter);
    if let Some(format) = of_input {
        chooser.offer(INPUT, Ok(without_line_end(format, &came)));
    }
    // What reading has lost is in the input alone.
    let is_loss = |remark: &&Remark| remark.level == RemarkLevel::Warning;
    let lost: Vec<String> =
        remarks.iter().filter(is_loss).map(|remark| remark.message.clone()).collect();
    let (mut compared, mut ignored) = (String::new(), Vec::new());
    if lost.is_empty() || of_input.is_none() || allows_anything(options) {
        ignored = offer(options, &mut chooser, &held, input, registry)?;
        if options.verbose && is_single && options.among.is_empty() && input.bytes.len() <= LARGE {
            compared = peers(options, &held, input);
        }
    } else {
        chooser.note("others", Outcome::Loses(lost));
    }
    let smallest =
        chooser.choose().map_err(|error| Failure::nothing_holds(input.name.clone(), &error))?;
    let mut format = smallest.format;
    if let Some(of_input) = of_input.filter(|_| format == INPUT) {
        format = of_input;
        remarks.retain(|remark| !is_loss(&remark));
    }
    let of_format = ignored.into_iter().find(|(of, _)| *of == smallest.format);
    remarks.extend(of_format.map(|(_, loss)| Remark::loss(format!("in {format} {loss}"))));
    Ok(Chosen { smallest, format, remarks, peers: compared })
}

/// The tokens of the input's content in other people's formats, which are not candidates.
fn peers(options: &AutoOptions, held: &Held<'_>, input: &Input) -> String {
    let tokens = |form: Form| {
        let text = in_text(form.bytes.ok()?);
        let tokens = options.counter.count(&text);
        let loses = if form.losses.is_empty() { "" } else { ", and lose something" };
        let tokens = plural(tokens, "token");
        Some(format!("; to compare, {} would have {tokens}{loses}", form.format))
    };
    peer::forms(held, input).into_iter().filter_map(tokens).collect()
}

/// Offers the content of an input in the requested formats. Returns the formats with a loss that
/// does not keep them from being chosen, and its description.
fn offer(
    options: &AutoOptions,
    chooser: &mut Chooser<'_>,
    held: &Held<'_>,
    input: &Input,
    registry: &Registry,
) -> Result<Vec<(&'static str, String)>, Failure> {
    let names: Vec<&str> = options
        .among
        .iter()
        .filter_map(|name| registry.get(name).ok())
        .map(|codec| codec.info().name())
        .collect();
    let is_asked = |format: &str| {
        if names.is_empty() { held.is_candidate(format) } else { names.contains(&format) }
    };
    if let Held::Payload(payload) = held {
        let candidates: Vec<&str> = registry
            .list()
            .filter(|info| info.representation() == Representation::Text && is_asked(info.name()))
            .filter(|info| info.directions() == Directions::Both || !names.is_empty())
            .map(wire_core::CodecInfo::name)
            .collect();
        return registry
            .offer_all(chooser, payload, &candidates, allowed(&options.allow_loss))
            .map(|()| Vec::new())
            .map_err(|error| Failure::usage(error.to_string()));
    }
    // Only payloads have named losses; for other inputs the choice is all or nothing.
    let anything = allows_anything(options);
    let mut all = Vec::new();
    for form in held.forms(&input.bytes, registry, &input.place_in()) {
        // JSON is the baseline; pretty JSON is never smaller.
        let is_offered = match form.format {
            JSON => true,
            JSON_PRETTY => !names.is_empty() && is_asked(JSON_PRETTY),
            format => is_asked(format),
        };
        all.extend(form.allowed.map(|loss| (form.format, loss)));
        match form.bytes {
            _ if !is_offered => {}
            _ if !anything && !form.losses.is_empty() => {
                chooser.note(form.format, Outcome::Loses(form.losses));
            }
            bytes => chooser.offer(form.format, bytes.map(|bytes| counted(form.format, bytes))),
        }
    }
    for format in names {
        if !chooser.has(format) {
            let why = CodecError::new("unsupported", None, "it is for other data");
            chooser.note(format, Outcome::Refused(why));
        }
    }
    Ok(all)
}

/// The text of a form as it is counted: the line end of a file of JSON is no part of the JSON.
fn counted(format: &str, bytes: Vec<u8>) -> String {
    let mut text = in_text(bytes);
    text.truncate(without_line_end(format, &text).len());
    text
}

/// The bytes of a form that is text.
fn in_text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("because the form is text")
}

fn allows_anything(options: &AutoOptions) -> bool {
    options.allow_loss.iter().any(|what| what == ANY)
}

/// The value that allows every loss.
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

/// The choice, and why other forms were not chosen. For several inputs it is in words that many of
/// them share.
fn remark(smallest: &Smallest, is_single: bool, is_verbose: bool, peers: &str) -> Remark {
    let Smallest { format, counter, reason, candidates, .. } = smallest;
    let message = if is_single {
        let is_told = |candidate: &&Candidate| match candidate.outcome {
            Outcome::Tokens(_) | Outcome::Near(_) | Outcome::Longer(_) | Outcome::AtLeast(_) => {
                is_verbose
            }
            _ => true,
        };
        let json = candidates.iter().find(|candidate| candidate.format == JSON);
        let json = json.and_then(|json| match json.outcome {
            Outcome::Tokens(tokens) | Outcome::Near(tokens) => Some(tokens),
            _ => None,
        });
        let mut message = tokens::verdict(smallest, json);
        for candidate in candidates.iter().filter(is_told) {
            message += &format!("; {candidate}");
        }
        if is_verbose { message + peers } else { message }
    } else {
        let form = if *format == INPUT { "kept as it is" } else { format };
        format!("{form} by {counter}, since {reason}")
    };
    Remark::note("format", message)
}
