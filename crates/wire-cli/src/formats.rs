//! `wirefmt formats`.

use comfy_table::{ContentArrangement, Table};
use serde_json::json;
use wire_core::{CodecInfo, Directions};
use wire_registry::Registry;

use crate::diagnostic::MessageFormat;
use crate::failure::Failure;
use crate::output;
use crate::source::registry;

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

/// Returns `true` if the format represents any JSON, besides payloads.
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
