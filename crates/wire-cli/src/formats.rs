//! `wirefmt formats`, and the registry that all commands use.

use comfy_table::{ContentArrangement, Table};
use serde_json::json;
use wire_core::{CodecInfo, SymbolOrder};
use wire_registry::Registry;

use crate::args::MessageFormat;
use crate::failure::Failure;
use crate::output;

/// Options of the codecs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Choices {
    pub(crate) gcf_encoder: gcf::graph::Encoder,
    pub(crate) gcf_decoder: gcf::graph::Decoder,
}

/// Every codec of the family.
pub(crate) fn registry(choices: &Choices) -> Registry {
    const DISTINCT: &str = "because the names of the family's codecs are distinct";
    let mut registry = Registry::new();
    registry.register(gcf::Gcf::new(choices.gcf_encoder, choices.gcf_decoder)).expect(DISTINCT);
    registry.register(gcb::Gcb::default()).expect(DISTINCT);
    registry
}

pub(crate) fn run(message_format: MessageFormat) -> Result<(), Failure> {
    let registry = registry(&Choices::default());
    let text = match message_format {
        MessageFormat::Human => table(&registry),
        MessageFormat::Json => {
            registry.list().flat_map(|info| [object(info).to_string(), "\n".to_owned()]).collect()
        }
    };
    output::to_stdout(text.as_bytes())
}

/// What a format loses, in words.
pub(crate) fn losses(info: &CodecInfo) -> Vec<String> {
    let fidelity = info.fidelity();
    let mut losses: Vec<String> = fidelity.losses().iter().map(ToString::to_string).collect();
    if fidelity.order() == SymbolOrder::ByDistance {
        losses.push("symbols come back in the order of their distance".to_owned());
    }
    losses
}

fn table(registry: &Registry) -> String {
    let mut table = Table::new();
    table
        .load_preset(comfy_table::presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(["format", "other names", "extension", "for", "loses"]);
    for info in registry.list() {
        let losses = losses(info);
        table.add_row([
            info.name().to_owned(),
            info.aliases().join(", "),
            info.extensions().first().map(|extension| format!(".{extension}")).unwrap_or_default(),
            info.audience().to_string(),
            if losses.is_empty() { "nothing".to_owned() } else { losses.join("; ") },
        ]);
    }
    let lines: Vec<String> =
        table.to_string().lines().map(|line| line.trim_end().to_owned()).collect();
    lines.join("\n") + "\n"
}

fn object(info: &CodecInfo) -> serde_json::Value {
    json!({
        "name": info.name(),
        "description": info.description(),
        "aliases": info.aliases(),
        "audience": info.audience().to_string(),
        "extensions": info.extensions(),
        "media_type": info.media_type(),
        "losses": losses(info),
    })
}
