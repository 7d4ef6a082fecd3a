//! `wirefmt diff`, `apply` and `root`: GCF across calls.

use std::collections::HashMap;
use std::path::Path;

use gcf::ErrorKind;
use gcf::graph::{Decoder, Delta, Dialect, Encoder, Replica, RootAlgorithm};
use wire_core::number::round_to_hundredths;
use wire_core::{Components, Payload};
use wire_registry::Registry;
use wire_tokens::Counter;

use crate::args::{ApplyOptions, DeltaOptions, DiffOptions, GcfOptions, RootOptions};
use crate::diagnostic::Diagnostics;
use crate::failure::{Failure, plural, shown};
use crate::input::{self, Input, Work};
use crate::output::target;
use crate::source::{GCF, REPLACEMENT, gcf_encoder, names_changed, registry};
use crate::{batch, output};
use wire_input::Document;

/// The delta between two payloads.
pub(crate) fn diff(options: &DiffOptions, diagnostics: &Diagnostics) -> Result<(), Failure> {
    once([&options.base, &options.new])?;
    let encoder = delta_encoder(&options.delta);
    let base = Input::read(&options.base)?;
    let new = Input::read(&options.new)?;
    let registry = registry(Encoder::new());
    let from = options.from.as_deref();
    let (base_payload, base_left_out) = graph(&base, &base.detect(from, &registry))?;
    let (new_payload, new_left_out) = graph(&new, &new.detect(from, &registry))?;
    // What is wrong with the base is said of the base.
    encoder.pack_root(&base_payload).map_err(|error| cannot_be_written(&base, error))?;
    let counter = counter(&options.delta);
    let delta = Delta::between(&base_payload, &new_payload, &encoder, &counter)
        .map_err(|error| cannot_be_written(&new, error))?
        .map_err(Failure::no_delta)?;
    let text = encoder.delta_to_string(&delta).map_err(|error| cannot_be_written(&new, error))?;
    let destination = destination(options.output.as_deref());
    output::write(destination, |writer| writer.write_all(text.as_bytes()))?;
    let unsaid = Unsaid { encoder, options: &options.delta };
    unsaid.warn(&base_payload, &new_payload, &new, diagnostics);
    warn_of_loss(base_left_out, &base, diagnostics);
    warn_of_loss(new_left_out, &new, diagnostics);
    Ok(())
}

/// A description of the changes that a delta with these options omits.
struct Unsaid<'o> {
    encoder: Encoder,
    options: &'o DeltaOptions,
}

impl Unsaid<'_> {
    fn warn(
        &self,
        base: &Payload<'_>,
        new: &Payload<'_>,
        input: &Input,
        diagnostics: &Diagnostics,
    ) {
        if self.options.lossy.is_some() {
            warn_of_names(self.encoder, new, input, diagnostics);
        }
        let algorithm = algorithm(&self.options.gcf, self.options.root_algorithm.as_deref());
        let is_identity = algorithm == RootAlgorithm::Identity;
        let key = |symbol: &wire_core::Symbol<'_>| {
            (symbol.kind.as_str().to_owned(), symbol.qualified_name.to_string())
        };
        let before: HashMap<_, _> =
            base.symbols.iter().map(|symbol| (key(symbol), symbol)).collect();
        let v3 = self.options.gcf.dialect.as_deref() == Some(Dialect::V3.name());
        let writes_distances = self.options.distances || v3 || !is_identity;
        let (mut changed, mut far) = (0, 0);
        let (mut signatures, mut components, mut scores) = (0, 0, 0);
        for symbol in &new.symbols {
            let score = round_to_hundredths(symbol.score);
            let old = before.get(&key(symbol)).copied();
            let is_same = old.is_some_and(|old| {
                round_to_hundredths(old.score) == score
                    && old.provenance == symbol.provenance
                    && old.distance == symbol.distance
            });
            // A symbol that the delta does not have stays as it is in the base.
            if let Some(old) = old.filter(|_| is_identity || is_same) {
                changed += usize::from(!is_same);
                signatures += usize::from(symbol.signature != old.signature);
                components += usize::from(symbol.components != old.components);
                scores += usize::from(is_same && symbol.score != old.score);
            } else {
                far += usize::from(symbol.distance > 0 && !writes_distances);
                signatures += usize::from(!symbol.signature.is_empty());
                components += usize::from(symbol.components != Components::default());
                scores += usize::from(symbol.score != score);
            }
        }
        for (count, loss) in [
            (signatures, "signatures of changed symbols are dropped"),
            (components, "score components of changed symbols are dropped"),
            (scores, "scores of changed symbols are rounded to two decimals"),
        ] {
            if count > 0 {
                let message = format!("in {GCF} {loss} ({})", plural(count, "symbol"));
                diagnostics.warning("loss", &input.name, &message);
            }
        }
        if changed > 0 {
            let message = format!(
                "the score, provenance or distance of {} changed, which identity roots do not cover; use --root-algorithm pack-root-v1 to include the change",
                plural(changed, "symbol")
            );
            diagnostics.warning("unseen_changes", &input.name, &message);
        }
        if far > 0 {
            let message = format!(
                "the distance of {} is left out, and read as 0; --distances writes it",
                plural(far, "symbol")
            );
            diagnostics.warning("distances_left_out", &input.name, &message);
        }
    }
}

/// The payload that an answer makes of a base.
pub(crate) fn apply(options: &ApplyOptions, diagnostics: &Diagnostics) -> Result<(), Failure> {
    once([&options.base, &options.answer])?;
    let base = Input::read(&options.base)?;
    let answer = Input::read(&options.answer)?;
    let known = registry(Encoder::new());
    let document = base.detect(options.from.as_deref(), &known);
    let gcf = GcfOptions {
        dialect: options.gcf.dialect.clone().or_else(|| {
            let answer = answer.detect(Some(GCF), &known);
            let dialects = [answer.dialect(), document.dialect()];
            let later = Dialect::ALL.iter().rfind(|known| dialects.contains(&Some(**known)));
            later.map(|dialect| dialect.name().to_owned())
        }),
    };
    let registry = registry(gcf_encoder(&gcf, options.lossy.as_slice(), Dialect::V1));
    let base_format = base.codec(&document)?.info().name();
    let destination = destination(options.output.as_deref());
    let to = target(options.to.as_deref(), destination, &registry)?;
    let to = to.or_else(|| registry.get(base_format).ok()).expect("because it reads the base");
    if to.info().name() != GCF && options.gcf.dialect.is_some() {
        let message =
            format!("--dialect applies only to gcf, and the output is {}", to.info().name());
        return Err(Failure::usage(message));
    }
    let (mut base_payload, left_out) = graph(&base, &document)?;
    if options.lossy.is_some() {
        // As the text that the delta is about has them.
        for symbol in &mut base_payload.symbols {
            let name = &symbol.qualified_name;
            let name = name.replace(char::is_whitespace, &REPLACEMENT.to_string());
            symbol.qualified_name = name.into();
        }
    }
    let failed = |error: gcf::Error| match error.kind() {
        // In an answer these errors would have a position.
        ErrorKind::InvalidName | ErrorKind::InvalidScore | ErrorKind::ReservedKind
            if error.position().is_none() =>
        {
            cannot_be_written(&base, error)
        }
        _ => Failure::decode(answer.name.clone(), answer.bytes.clone(), error),
    };
    let new = applied(base_payload, &answer, options.unverified).map_err(failed)?;
    let mut out = Vec::new();
    let report = to
        .encode_with_report(&new, &mut out)
        .map_err(|error| Failure::encode(answer.name.clone(), to.info().name(), error))?;
    output::write(destination, |writer| writer.write_all(&out))?;
    for loss in report.losses.in_words() {
        diagnostics.warning("loss", &answer.name, &format!("in {} {loss}", to.info().name()));
    }
    warn_of_loss(left_out, &base, diagnostics);
    Ok(())
}

fn applied(
    base: Payload<'_>,
    answer: &Input,
    unverified: bool,
) -> Result<Payload<'static>, gcf::Error> {
    let delta = match Decoder::new().decode_delta(&answer.bytes) {
        Ok(delta) => delta,
        // Another answer.
        Err(error)
            if matches!(error.kind(), ErrorKind::UnexpectedPayload | ErrorKind::MissingHeader) =>
        {
            let text = std::str::from_utf8(&answer.bytes)
                .expect("because the first thing that is wrong with it is its header");
            return match Replica::from_answer(text) {
                Err(error) if error.kind() == ErrorKind::UnexpectedAnswer => {
                    Ok(Replica::new(base.into_owned())?.receive(text)?.into_payload())
                }
                full => Ok(full?.into_payload()),
            };
        }
        Err(error) => return Err(error),
    };
    if unverified { delta.apply_unverified(&base) } else { delta.apply(&base) }
}

/// The pack roots of payloads.
pub(crate) fn root(options: &RootOptions, diagnostics: &Diagnostics) -> Result<(), Failure> {
    let registry = registry(Encoder::new());
    let works = input::expand_payloads(&options.files, options.from.as_deref(), &registry)?;
    let work = |work: &Work| root_of(&work.path, options, &registry);
    batch::run(&works, &options.batch, diagnostics, work, |_, (name, root)| {
        let line = if works.is_single {
            format!("{root}\n")
        } else {
            format!("{root}  {}\n", shown(&name))
        };
        match output::to_stdout(line.as_bytes()) {
            // The exit code still has to be right.
            Err(failure) if failure.is_closed_pipe() => Ok(()),
            outcome => outcome,
        }
    })
}

fn root_of(
    file: &Path,
    options: &RootOptions,
    registry: &Registry,
) -> Result<(String, String), Failure> {
    let input = Input::read(file)?;
    let document = input.detect(options.from.as_deref(), registry);
    let (payload, _) = graph(&input, &document)?;
    let named = options.root_algorithm.as_deref().and_then(RootAlgorithm::from_name);
    let dialect = options.gcf.dialect.as_deref().and_then(Dialect::from_name);
    // As the file itself says: by the root that it states, or by its dialect.
    let algorithm = named
        .or_else(|| dialect.map(Dialect::root_algorithm))
        .or_else(|| payload.pack_root.as_ref().and_then(RootAlgorithm::of))
        .or_else(|| document.dialect().map(Dialect::root_algorithm))
        .unwrap_or(RootAlgorithm::Identity);
    let root = if options.exact {
        algorithm.root(&payload)
    } else {
        gcf_encoder(&options.gcf, options.lossy.as_slice(), Dialect::V1)
            .root_algorithm(Some(algorithm))
            .pack_root(&payload)
    };
    let root = root.map_err(|error| cannot_be_written(&input, error))?;
    Ok((input.name, root.as_str().to_owned()))
}

fn counter(options: &DeltaOptions) -> Counter {
    options.counter.unwrap_or(Counter::WordPunctuation)
}

/// Standard input can be read once.
fn once<'p>(files: impl IntoIterator<Item = &'p std::path::PathBuf>) -> Result<(), Failure> {
    if files.into_iter().filter(|file| file.as_os_str() == "-").count() > 1 {
        let message = "`-` is given more than once, and standard input can be read once".to_owned();
        return Err(Failure::usage(message));
    }
    Ok(())
}

/// The file to write to; `None` for standard output.
fn destination(output: Option<&Path>) -> Option<&Path> {
    output.filter(|path| path.as_os_str() != "-")
}

/// The payload of a document of any format, and descriptions of what it leaves out.
fn graph<'d>(
    input: &Input,
    document: &Document<'d>,
) -> Result<(Payload<'d>, Vec<String>), Failure> {
    input.no_graph(document, "this command").map_or_else(|| input.payload(document), Err)
}

fn delta_encoder(options: &DeltaOptions) -> Encoder {
    let algorithm = algorithm(&options.gcf, options.root_algorithm.as_deref());
    let encoder = gcf_encoder(&options.gcf, options.lossy.as_slice(), Dialect::V1)
        .root_algorithm(Some(algorithm));
    if options.distances { encoder.distances_in_deltas(true) } else { encoder }
}

/// The algorithm that was named, or that of the dialect.
fn algorithm(gcf: &GcfOptions, named: Option<&str>) -> RootAlgorithm {
    let dialect = gcf.dialect.as_deref().and_then(Dialect::from_name).unwrap_or_default();
    named.and_then(RootAlgorithm::from_name).unwrap_or(dialect.root_algorithm())
}

/// Says what a file has that payloads do not know, and so nothing is made of.
fn warn_of_loss(left_out: Vec<String>, input: &Input, diagnostics: &Diagnostics) {
    for loss in left_out {
        diagnostics.warning("loss", &input.name, &loss);
    }
}

fn warn_of_names(
    encoder: Encoder,
    payload: &Payload<'_>,
    input: &Input,
    diagnostics: &Diagnostics,
) {
    // What is written need not be all of the payload, so that its report says less.
    let report = encoder.encode(payload, &mut Vec::new()).unwrap_or_default();
    if let Some(message) = names_changed(report.names_changed) {
        diagnostics.warning("names_changed", &input.name, &message);
    }
}

fn cannot_be_written(input: &Input, error: gcf::Error) -> Failure {
    Failure::encode(input.name.clone(), GCF, error)
}
