//! Payloads as cases have them: edges by index, and defaults for what is left out.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::{Deserializer, Error as _};
use serde_json::Value;
use wire_core::{Components, Edge, PackRoot, Payload, Symbol};

/// A payload.
pub(crate) fn one<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Payload<'static>, D::Error> {
    RawPayload::deserialize(deserializer)?.build().map_err(D::Error::custom)
}

/// A payload that may be left out.
pub(crate) fn optional<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Payload<'static>>, D::Error> {
    let raw = Option::<RawPayload>::deserialize(deserializer)?;
    raw.map(RawPayload::build).transpose().map_err(D::Error::custom)
}

/// Payloads.
pub(crate) fn list<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<Payload<'static>>, D::Error> {
    let raw = Vec::<RawPayload>::deserialize(deserializer)?;
    raw.into_iter().map(RawPayload::build).collect::<Result<_, _>>().map_err(D::Error::custom)
}

/// Symbols.
pub(crate) fn symbols<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<Symbol<'static>>, D::Error> {
    let raw = Vec::<RawSymbol>::deserialize(deserializer)?;
    Ok(raw.into_iter().map(RawSymbol::build).collect())
}

/// A payload in the JSON form, whose edges are by name, turned into the form of cases. Not the
/// crates' own reader, so that the corpus does not lean on what it tests.
pub(crate) fn by_index(mut document: Value) -> Result<Value, String> {
    let mut places = BTreeMap::new();
    let symbols = document["symbols"].as_array().ok_or("it has no symbols")?;
    for (index, symbol) in symbols.iter().enumerate() {
        let name = symbol["qualified_name"].as_str().ok_or("a symbol has no qualified_name")?;
        if places.insert(name.to_owned(), index).is_some() {
            return Err(format!("two symbols are named {name:?}"));
        }
    }
    for edge in document["edges"].as_array_mut().into_iter().flatten() {
        for end in ["source", "target"] {
            let name = edge[end].as_str().ok_or("an edge has no name")?;
            let place = places.get(name).ok_or_else(|| format!("no symbol is named {name:?}"))?;
            edge[end] = Value::from(*place);
        }
    }
    Ok(document)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPayload {
    #[serde(default)]
    tool: String,
    #[serde(default)]
    tokens_used: u64,
    #[serde(default)]
    token_budget: u64,
    pack_root: Option<String>,
    #[serde(default)]
    symbols: Vec<RawSymbol>,
    #[serde(default)]
    edges: Vec<RawEdge>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSymbol {
    qualified_name: String,
    kind: String,
    #[serde(default)]
    score: Number,
    provenance: Option<String>,
    #[serde(default)]
    distance: u32,
    #[serde(default)]
    signature: String,
    #[serde(default)]
    components: RawComponents,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct RawComponents {
    blast_radius: Number,
    confidence: Number,
    recency: Number,
    distance: Number,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawEdge {
    source: u32,
    target: u32,
    edge_type: String,
    #[serde(default)]
    status: String,
}

/// A number, or the name of what JSON has no number for.
#[derive(Clone, Copy, Default)]
struct Number(f64);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        let number = match value.as_str() {
            None => value.as_f64(),
            Some("NaN") => Some(f64::NAN),
            Some("Infinity") => Some(f64::INFINITY),
            Some("-Infinity") => Some(f64::NEG_INFINITY),
            Some(_) => None,
        };
        number.map(Number).ok_or_else(|| D::Error::custom(format!("{value} is no number")))
    }
}

impl RawPayload {
    fn build(self) -> Result<Payload<'static>, String> {
        Ok(Payload {
            tool: self.tool.into(),
            tokens_used: self.tokens_used,
            token_budget: self.token_budget,
            pack_root: self
                .pack_root
                .map(PackRoot::new)
                .transpose()
                .map_err(|error| error.to_string())?,
            symbols: self.symbols.into_iter().map(RawSymbol::build).collect(),
            edges: self
                .edges
                .into_iter()
                .map(|edge| {
                    Edge::new(edge.source, edge.target, edge.edge_type).with_status(edge.status)
                })
                .collect(),
        })
    }
}

impl RawSymbol {
    fn build(self) -> Symbol<'static> {
        let symbol = Symbol::new(self.kind, self.qualified_name)
            .with_score(self.score.0)
            .with_distance(self.distance)
            .with_signature(self.signature)
            .with_components(Components {
                blast_radius: self.components.blast_radius.0,
                confidence: self.components.confidence.0,
                recency: self.components.recency.0,
                distance: self.components.distance.0,
            });
        match self.provenance {
            Some(provenance) => symbol.with_provenance(provenance),
            None => symbol,
        }
    }
}
