//! The formats: the registry of those of payloads, the encoder of GCF, and how values are read.

use gcf::graph::Dialect;
use wire_input::Tags;
pub(crate) use wire_input::{
    Csv, GCF, GCX, GOON, JSON, JSON_LINES, JSON_PRETTY, Named, Source, Types,
};
/// The name of the unchanged input in the list of formats.
pub(crate) use wire_registry::INPUT;
use wire_registry::Registry;

use crate::args::{GcfOptions, Inferred, Lossy, ReadOptions, YamlTags};

/// Every codec of the family, GCF with these options.
pub(crate) fn registry(gcf_encoder: gcf::graph::Encoder) -> Registry {
    const DISTINCT: &str = "because the names of the family's codecs are distinct";
    let mut registry = Registry::new();
    registry.register(gcf::Gcf::new(gcf_encoder, gcf::graph::Decoder::new())).expect(DISTINCT);
    registry.register(gcb::Gcb::default()).expect(DISTINCT);
    registry.register(gcx::Gcx::default()).expect(DISTINCT);
    registry.register(goon::Goon::default()).expect(DISTINCT);
    registry.register_value(gcf::GcfValues::default()).expect(DISTINCT);
    registry.register_value(gcx::GcxValues::default()).expect(DISTINCT);
    registry
}

/// What white space in names becomes with `--lossy names`.
pub(crate) const REPLACEMENT: char = '_';

/// The encoder of GCF; `by_default` is the dialect if none is named.
pub(crate) fn gcf_encoder(
    options: &GcfOptions,
    lossy: &[Lossy],
    by_default: Dialect,
) -> gcf::graph::Encoder {
    let named = options.dialect.as_deref().and_then(Dialect::from_name);
    let with = lossy.contains(&Lossy::Names).then_some(REPLACEMENT);
    gcf::graph::Encoder::new().dialect(named.unwrap_or(by_default)).replace_white_space(with)
}

/// The message about names in which an encoder replaced white space; `None` if there are no such
/// names.
pub(crate) fn names_changed(changed: usize) -> Option<String> {
    let names = if changed == 1 { "1 name".to_owned() } else { format!("{changed} names") };
    (changed > 0).then(|| format!("white space was replaced in {names}"))
}

/// The same source, read as these options say. The error is the first option that is given and
/// applies only to other formats, which are named.
pub(crate) fn read_with(
    source: Option<Source>,
    options: &ReadOptions,
) -> Result<Option<Source>, (&'static str, &'static str)> {
    let (is_csv, is_yaml) = match source {
        Some(Source::Csv(_)) => (true, false),
        Some(Source::Yaml(_)) => (false, true),
        _ => (false, false),
    };
    match (options.first(true), options.first(false)) {
        (Some(flag), _) if !is_csv => return Err((flag, "csv and tsv")),
        (_, Some(flag)) if !is_yaml => return Err((flag, "yaml")),
        _ => {}
    }
    Ok(match source {
        Some(Source::Csv(csv)) => Some(Source::Csv(Csv {
            usual: csv.usual,
            delimiter: options.delimiter,
            types: options.infer_types.map(|types| match types {
                Inferred::All => Types::All,
                Inferred::Unquoted => Types::Unquoted,
            }),
            renames: options.rename_duplicates,
        })),
        Some(Source::Yaml(_)) => Some(Source::Yaml(options.yaml_tags.map(|tags| match tags {
            YamlTags::Drop => Tags::Drop,
            YamlTags::Keep => Tags::Keep,
        }))),
        other => other,
    })
}
