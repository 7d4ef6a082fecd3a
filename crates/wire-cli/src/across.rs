//! `wirefmt diff`, `apply`, `root` and `exchange`: GCF across calls.

use std::fmt::Write as _;

use gcf::ErrorKind;
use gcf::graph::{
    Between, Decoder, Delta, Dialect, Encoder, Exchange, FullBecause, Holding, MemoryStore,
    Outcome, Request, RootAlgorithm,
};
use wire_core::{PackRoot, Payload, TokenCounter};

use crate::args::{ApplyOptions, DeltaOptions, DiffOptions, ExchangeOptions, RootOptions};
use crate::convert::gcf_encoder;
use crate::counter::Counter;
use crate::diagnostic::Diagnostics;
use crate::failure::Failure;
use crate::formats::registry;
use crate::input::Input;
use crate::output;

/// The delta between two payloads.
pub(crate) fn diff(options: &DiffOptions) -> Result<(), Failure> {
    let encoder = delta_encoder(&options.delta)?;
    let base = Input::read(&options.base)?;
    let new = Input::read(&options.new)?;
    let from = options.from.as_deref();
    let (base_payload, new_payload) = (payload(&base, from)?, payload(&new, from)?);
    // What is wrong with the base is said of the base.
    encoder.pack_root(&base_payload).map_err(|error| cannot_be_written(&base, error))?;
    let counter = counter(&options.delta);
    let between = Delta::between(&base_payload, &new_payload, &encoder, &*counter)
        .map_err(|error| cannot_be_written(&new, error))?;
    let text = match between {
        Between::SendFull(why) => return Err(Failure::NoDelta { why }),
        Between::Delta(delta) => {
            encoder.delta_to_string(&delta).map_err(|error| cannot_be_written(&new, error))?
        }
    };
    let destination = options.output.as_deref().filter(|path| path.as_os_str() != "-");
    output::write(destination, |writer| writer.write_all(text.as_bytes()))
}

/// The payload that an answer makes of a base.
pub(crate) fn apply(options: &ApplyOptions, diagnostics: &Diagnostics) -> Result<(), Failure> {
    let registry = registry(gcf_encoder(&options.gcf, false)?);
    let base = Input::read(&options.base)?;
    let answer = Input::read(&options.answer)?;
    let base_codec = base.codec(options.from.as_deref(), &registry)?;
    let to = match &options.to {
        Some(name) => {
            registry.get(name).map_err(|error| Failure::Usage { message: error.to_string() })?
        }
        None => base_codec,
    };
    let base_payload = payload(&base, options.from.as_deref())?;
    if !options.unverified {
        Encoder::new().pack_root(&base_payload).map_err(|error| cannot_be_written(&base, error))?;
    }
    let failed = |error: gcf::Error| Failure::Decode {
        file: answer.name.clone(),
        error: error.into(),
        input: answer.bytes.clone(),
    };
    let new = applied(base_payload, &answer, options.unverified).map_err(failed)?;
    let mut out = Vec::new();
    to.encode(&new, &mut out).map_err(|error| Failure::Encode {
        file: answer.name.clone(),
        format: to.info().name().to_owned(),
        error,
    })?;
    let destination = options.output.as_deref().filter(|path| path.as_os_str() != "-");
    output::write(destination, |writer| writer.write_all(&out))?;
    for loss in to.info().fidelity().in_words_for(&new) {
        diagnostics.warning("loss", &answer.name, &format!("in {} {loss}", to.info().name()));
    }
    Ok(())
}

fn applied(
    base: Payload<'_>,
    answer: &Input,
    unverified: bool,
) -> Result<Payload<'static>, gcf::Error> {
    let delta = match Decoder::new().delta_from_slice(&answer.bytes) {
        Ok(delta) => delta,
        // Another answer.
        Err(error)
            if matches!(error.kind(), ErrorKind::UnexpectedPayload | ErrorKind::MissingHeader) =>
        {
            let text = std::str::from_utf8(&answer.bytes)
                .expect("because the first thing that is wrong with it is its header");
            return Ok(Holding::new(base.into_owned())?.receive(text)?.into_payload());
        }
        Err(error) => return Err(error),
    };
    if unverified { delta.apply_unverified(&base) } else { delta.apply(&base) }
}

/// The pack roots of payloads.
pub(crate) fn root(options: &RootOptions) -> Result<(), Failure> {
    let encoder = root_encoder(&options.gcf, options.root_algorithm.as_deref())?;
    let dialect = options.gcf.dialect.as_deref().and_then(Dialect::from_name).unwrap_or_default();
    let algorithm = options
        .root_algorithm
        .as_deref()
        .and_then(RootAlgorithm::from_name)
        .unwrap_or(dialect.root_algorithm());
    let mut text = String::new();
    for file in &options.files {
        let input = Input::read(file)?;
        let payload = payload(&input, options.from.as_deref())?;
        let root =
            if options.exact { algorithm.root(&payload) } else { encoder.pack_root(&payload) };
        let root = root.map_err(|error| cannot_be_written(&input, error))?;
        text.push_str(root.as_str());
        if options.files.len() > 1 {
            let _ = write!(text, "  {}", crate::failure::shown(&input.name));
        }
        text.push('\n');
    }
    output::to_stdout(text.as_bytes())
}

/// The answer to a consumer that holds an earlier payload.
pub(crate) fn exchange(
    options: &ExchangeOptions,
    diagnostics: &Diagnostics,
) -> Result<(), Failure> {
    let encoder = delta_encoder(&options.delta)?;
    let current = Input::read(&options.current)?;
    let payload_of =
        |input: &Input| payload(input, options.from.as_deref()).map(Payload::into_owned);
    let current_payload = payload_of(&current)?;
    // As many as there are, of any size: they are in memory already.
    let store = MemoryStore::new(usize::MAX, usize::MAX);
    let mut server = Exchange::with_store(encoder, store)
        .threshold(options.threshold)
        .counter(Boxed(counter(&options.delta)));
    let mut answer = |request: Request<'_>, payload: &Payload<'_>, input: &Input| {
        let mut text = String::new();
        server
            .answer(request, payload, &mut text)
            .map(|answer| (answer, text))
            .map_err(|error| cannot_be_written(input, error))
    };
    for file in &options.known {
        let input = Input::read(file)?;
        answer(Request::Full, &payload_of(&input)?, &input)?;
    }
    let held = options
        .held
        .as_ref()
        .map(|root| PackRoot::new(root.clone()))
        .transpose()
        .map_err(|error| Failure::Usage { message: format!("--held: {error}") })?;
    let (answer, text) = answer(Request::from_root(held.as_ref()), &current_payload, &current)?;
    let destination = options.output.as_deref().filter(|path| path.as_os_str() != "-");
    output::write(destination, |writer| writer.write_all(text.as_bytes()))?;
    let outcome = match answer.outcome {
        Outcome::Unchanged => "unchanged".to_owned(),
        Outcome::Delta => "delta".to_owned(),
        Outcome::Full(FullBecause::NoDelta(why)) => format!("full, because {}", why.summary()),
        Outcome::Full(FullBecause::UnknownRoot) => {
            "full, because none of --known has the root that is held".to_owned()
        }
        Outcome::Full(FullBecause::NotWorthIt) => {
            "full, because a delta would not be worth it".to_owned()
        }
        Outcome::Full(_) => "full".to_owned(),
    };
    let message = format!("{outcome}: {} of {} tokens", answer.tokens, answer.full_tokens);
    diagnostics.note("answer", &current.name, &message);
    Ok(())
}

/// A counter by its box.
struct Boxed(Box<dyn TokenCounter>);

impl TokenCounter for Boxed {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn count(&self, text: &str) -> usize {
        self.0.count(text)
    }
}

fn counter(options: &DeltaOptions) -> Box<dyn TokenCounter> {
    options.counter.unwrap_or(Counter::WordPunctuation).load()
}

/// The payload of an input, of any format.
fn payload<'i>(input: &'i Input, from: Option<&str>) -> Result<Payload<'i>, Failure> {
    let registry = registry(Encoder::new());
    let codec = input.codec(from, &registry)?;
    codec.decode(&input.bytes).map_err(|error| Failure::Decode {
        file: input.name.clone(),
        error,
        input: input.bytes.clone(),
    })
}

fn delta_encoder(options: &DeltaOptions) -> Result<Encoder, Failure> {
    let encoder = root_encoder(&options.gcf, options.root_algorithm.as_deref())?;
    Ok(if options.distances { encoder.distances_in_deltas() } else { encoder })
}

fn root_encoder(
    gcf: &crate::args::GcfOptions,
    algorithm: Option<&str>,
) -> Result<Encoder, Failure> {
    let encoder = gcf_encoder(gcf, false)?;
    Ok(match algorithm.and_then(RootAlgorithm::from_name) {
        Some(algorithm) => encoder.root_algorithm(algorithm),
        None => encoder,
    })
}

fn cannot_be_written(input: &Input, error: gcf::Error) -> Failure {
    Failure::Encode { file: input.name.clone(), format: "gcf".to_owned(), error: error.into() }
}
