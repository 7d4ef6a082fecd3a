//! Payloads and deltas in the specification's own schema.

use serde_json::Value;
use wire_core::{NamedEdge, PackRoot, Payload, PayloadBuilder, Symbol};

use crate::operation::exchange_subject::DeltaCase;

/// The dialect that a text was written for, by the counts that show (ruling G15).
pub(crate) fn dialect(text: &str) -> String {
    let dialect = match (text.contains("GCF profile="), text.contains("## edges [")) {
        (true, _) => "v3",
        (false, true) => "v1.4",
        (false, false) => "v1",
    };
    dialect.to_owned()
}

/// A payload of symbols and edges alone.
pub(crate) fn snapshot(value: &Value) -> Result<Payload<'static>, String> {
    let mut value = value.clone();
    value["tool"] = "".into();
    payload(&value)
}

/// A delta.
pub(crate) fn delta(value: &Value) -> Result<DeltaCase, String> {
    let list = |member: &str| value[member].as_array().into_iter().flatten();
    let edges = |member: &str| -> Result<Vec<[String; 3]>, String> {
        list(member)
            .map(|edge| Ok([text(edge, "source")?, text(edge, "target")?, text(edge, "edgeType")?]))
            .collect()
    };
    let mut delta = DeltaCase {
        tool: text(value, "tool")?,
        base_root: text(value, "baseRoot")?,
        new_root: text(value, "newRoot")?,
        edges_removed: edges("removedEdges")?,
        edges_added: edges("addedEdges")?,
        ..DeltaCase::default()
    };
    delta.tokens.delta = value["deltaTokens"].as_u64();
    delta.tokens.full = value["fullTokens"].as_u64();
    for symbol in list("removed") {
        delta.removed.push((text(symbol, "kind")?, text(symbol, "qualifiedName")?));
    }
    for symbol in list("added") {
        let distance = symbol["distance"].as_u64().unwrap_or_default();
        delta.added.push(
            Symbol::new(text(symbol, "kind")?, text(symbol, "qualifiedName")?)
                .with_score(symbol["score"].as_f64().ok_or("a symbol has no score")?)
                .with_provenance(text(symbol, "provenance")?)
                .with_distance(u32::try_from(distance).map_err(|error| error.to_string())?),
        );
    }
    Ok(delta)
}

/// A payload, whose edges are by name.
pub(crate) fn payload(value: &Value) -> Result<Payload<'static>, String> {
    let mut builder = PayloadBuilder::new(text(value, "tool")?)
        .tokens_used(value["tokensUsed"].as_u64().unwrap_or_default())
        .token_budget(value["tokenBudget"].as_u64().unwrap_or_default());
    if let Some(root) = value["packRoot"].as_str().filter(|root| !root.is_empty()) {
        builder =
            builder.pack_root(PackRoot::new(root.to_owned()).map_err(|error| error.to_string())?);
    }
    for symbol in value["symbols"].as_array().ok_or("it has no symbols")? {
        let distance =
            symbol["distance"].as_u64().and_then(|distance| u32::try_from(distance).ok());
        builder = builder.symbol(
            Symbol::new(text(symbol, "kind")?, text(symbol, "qualifiedName")?)
                .with_score(symbol["score"].as_f64().ok_or("a symbol has no score")?)
                .with_provenance(text(symbol, "provenance")?)
                .with_distance(distance.ok_or("a symbol has no distance")?),
        );
    }
    for edge in value["edges"].as_array().ok_or("it has no edges")? {
        builder = builder.edge(
            NamedEdge::new(text(edge, "source")?, text(edge, "edgeType")?, text(edge, "target")?)
                .with_status(edge["status"].as_str().unwrap_or_default().to_owned()),
        );
    }
    builder.build().map_err(|error| error.to_string())
}

/// A member that is a text.
fn text(value: &Value, member: &str) -> Result<String, String> {
    value[member].as_str().map(str::to_owned).ok_or(format!("it has no {member}"))
}
