//! The values of options.

use clap::builder::{PossibleValue, PossibleValuesParser};
use wire_core::{CodecInfo, Directions, Field, Representation};

use crate::source::{Source, registry};

/// Names and aliases of the given formats, with their descriptions for completions.
fn named(is_wanted: fn(&CodecInfo) -> bool) -> Vec<PossibleValue> {
    let registry = registry(gcf::graph::Encoder::new());
    let value = |info: &CodecInfo| {
        PossibleValue::new(info.name())
            .aliases(info.aliases().iter().copied())
            .help(info.description())
            .hide(!is_wanted(info))
    };
    registry.list().map(value).collect()
}

/// The formats of payloads.
pub(super) fn formats() -> PossibleValuesParser {
    PossibleValuesParser::new(named(|_| true))
}

/// The formats of outputs: those of payloads, and JSON lines, CSV and TSV.
pub(super) fn targets() -> PossibleValuesParser {
    let others = Source::NAMED.iter().filter_map(|(name, aliases, _, source)| {
        let help = match source {
            Source::JsonLines => "JSON lines: the values of an array, one on each line.",
            Source::Csv(_) => "An array of objects of scalars, with a header.",
            _ => return None,
        };
        Some(PossibleValue::new(*name).aliases(aliases.iter().copied()).help(help))
    });
    PossibleValuesParser::new(named(|_| true).into_iter().chain(others).collect::<Vec<_>>())
}

/// The formats that can be read. For the others the error says that they can't.
pub(super) fn read_formats() -> PossibleValuesParser {
    PossibleValuesParser::new(named(|info| info.directions() == Directions::Both))
}

/// The formats of inputs: those of payloads, and those of other values.
pub(super) fn sources() -> PossibleValuesParser {
    let others = Source::NAMED.iter().map(|(name, aliases, help, _)| {
        PossibleValue::new(*name).aliases(aliases.iter().copied()).help(*help)
    });
    let of_payloads = named(|info| info.directions() == Directions::Both);
    PossibleValuesParser::new(of_payloads.into_iter().chain(others).collect::<Vec<_>>())
}

/// The text formats of payloads and values, which have tokens.
pub(super) fn text_formats() -> PossibleValuesParser {
    PossibleValuesParser::new(named(|info| info.representation() == Representation::Text))
}

/// What a format may lose.
pub(super) fn losses() -> PossibleValuesParser {
    let fields = Field::ALL.iter().map(|field| field.name());
    PossibleValuesParser::new(fields.chain(["order", "any"]))
}

pub(super) fn specs() -> PossibleValuesParser {
    PossibleValuesParser::new(gcf::Spec::ALL.iter().map(|spec| spec.name()))
}

pub(super) fn root_algorithms() -> PossibleValuesParser {
    let names = gcf::graph::RootAlgorithm::ALL.iter().map(|algorithm| algorithm.name());
    PossibleValuesParser::new(names)
}

pub(super) fn goon_versions() -> PossibleValuesParser {
    PossibleValuesParser::new(goon::Version::ALL.iter().map(|version| version.name()))
}

pub(super) fn dialects() -> PossibleValuesParser {
    PossibleValuesParser::new(gcf::graph::Dialect::ALL.iter().map(|dialect| dialect.name()))
}
