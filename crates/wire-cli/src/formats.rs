//! `wirefmt formats`, and the registry and the encoder that all commands use.

use comfy_table::{ContentArrangement, Table};
use gcf::graph::Dialect;
use serde_json::json;
use wire_core::{CodecInfo, Directions};
use wire_registry::Registry;

use crate::args::{GcfOptions, Lossy};
use crate::diagnostic::MessageFormat;
use crate::failure::Failure;
use crate::output;

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

pub(crate) fn run(message_format: MessageFormat) -> Result<(), Failure> {
    let registry = registry(gcf::graph::Encoder::new());
    let text = match message_format {
        MessageFormat::Human => table(&registry),
        MessageFormat::Json => registry
            .list()
            .flat_map(|info| [object(&registry, info).to_string(), "\n".to_owned()])
            .collect(),
    };
    output::to_stdout(text.as_bytes())
}

fn table(registry: &Registry) -> String {
    let mut table = Table::new();
    table
        .load_preset(comfy_table::presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(["format", "other names", "extension", "for", "contains", "loses (payloads)"]);
    for info in registry.list() {
        let losses = info.fidelity().in_words();
        table.add_row([
            info.name().to_owned(),
            info.aliases().join(", "),
            info.extensions().first().map(|extension| format!(".{extension}")).unwrap_or_default(),
            info.audience().to_string(),
            if holds_values(registry, info) { "payloads, any JSON" } else { "payloads" }.to_owned(),
            if losses.is_empty() { "nothing".to_owned() } else { losses.join("; ") },
        ]);
    }
    let lines: Vec<String> =
        table.to_string().lines().map(|line| line.trim_end().to_owned()).collect();
    lines.join("\n") + "\n"
}

/// Whether the format represents any JSON, besides payloads.
fn holds_values(registry: &Registry, info: &CodecInfo) -> bool {
    registry.values().get(info.name()).is_ok()
}

fn object(registry: &Registry, info: &CodecInfo) -> serde_json::Value {
    json!({
        "name": info.name(),
        "description": info.description(),
        "aliases": info.aliases(),
        "audience": info.audience().to_string(),
        "extensions": info.extensions(),
        "media_type": info.media_type(),
        "is_read": info.directions() == Directions::Both,
        "holds_values": holds_values(registry, info),
        "losses": info.fidelity().in_words(),
    })
}
