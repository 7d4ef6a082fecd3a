//! The family's payload as a response. Symbols become nodes: the id is the symbol's index, and the
//! type is its kind.

use std::collections::BTreeMap;

use serde_json::Value;
use wire_core::text::shown;
use wire_core::{
    Audience, Codec, CodecError, CodecInfo, Components, Edge as PayloadEdge, Fidelity, Field, Loss,
    Magic, Payload, Symbol, Treatment,
};

use crate::decode::Decoder;
use crate::encode::Encoder;
use crate::response::{Edge, GraphResponse, Node, QueryType};
use crate::{Error, ErrorKind};

/// The properties of a symbol.
const NAME: &str = "name";
const SCORE: &str = "score";
const PROVENANCE: &str = "provenance";
const DISTANCE: &str = "distance";
const SIGNATURE: &str = "signature";
const PARTS: [&str; 4] = ["blast_radius", "confidence", "recency", "proximity"];

/// GOON as a [`Codec`] of the family's payload, for registries.
///
/// ```
/// use wire_core::{Codec, Edge, Payload, Symbol};
///
/// let mut payload = Payload::default();
/// payload.symbols = vec![
///     Symbol::new("function", "pkg.Auth").with_score(0.78),
///     Symbol::new("type", "pkg.User"),
/// ];
/// payload.edges = vec![Edge::new(0, 1, "references")];
/// let mut out = Vec::new();
/// goon::Goon::default().encode(&payload, &mut out)?;
/// assert!(String::from_utf8_lossy(&out).contains(
///     "function(1):\n0 name=pkg.Auth provenance=structural score=0.78\n"
/// ));
/// assert_eq!(goon::Goon::default().decode(&out)?, payload);
/// # Ok::<(), wire_core::CodecError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Goon {
    decoder: Decoder,
}

const INFO: CodecInfo = CodecInfo::new(
    "goon",
    "The response of a graph query, as nodes and edges by type; for language models.",
)
.with_audience(Audience::Agents)
.with_magic(Magic::Prefix(b"@header\n"))
.with_extensions(&["goon"])
.with_media_type("application/vnd.goon+text")
.with_fidelity(Fidelity::new(&[
    Loss::new(Field::Tool, Treatment::Dropped),
    Loss::new(Field::Tokens, Treatment::Dropped),
    Loss::new(Field::PackRoot, Treatment::Dropped),
    Loss::new(Field::Signature, Treatment::WithoutControlCharacters),
    Loss::new(Field::EdgeStatus, Treatment::Dropped),
    Loss::new(Field::Edges, Treatment::SortedOnce),
]));

impl Goon {
    /// A codec with these options.
    pub const fn new(decoder: Decoder) -> Self {
        Goon { decoder }
    }

    /// Returns `true` if a response is a payload rather than the answer of a query. A payload has
    /// nodes, all of which are symbols.
    pub fn is_payload(response: &GraphResponse) -> bool {
        let has_scores = response.nodes.iter().all(|node| node.properties.contains_key(SCORE));
        !response.nodes.is_empty() && has_scores && from_response(response.clone()).is_ok()
    }
}

impl Codec for Goon {
    fn info(&self) -> &CodecInfo {
        &INFO
    }

    fn encode(&self, payload: &Payload<'_>, out: &mut Vec<u8>) -> Result<(), CodecError> {
        let response = to_response(payload)?;
        let text = Encoder::new().long_text(None).other_text(None).to_string(&response)?;
        out.extend_from_slice(text.as_bytes());
        Ok(())
    }

    fn decode<'a>(&self, input: &'a [u8]) -> Result<Payload<'a>, CodecError> {
        Ok(from_response(self.decoder.from_str(Error::utf8(input)?)?)?)
    }
}

fn to_response(payload: &Payload<'_>) -> Result<GraphResponse, Error> {
    let mut response = GraphResponse::new(QueryType::Traversal);
    for (id, symbol) in (0..).zip(&payload.symbols) {
        let what = |property: &str| format!("the {property} of symbol {id}");
        let mut node = Node::new(symbol.kind.as_str(), id);
        for (key, text) in
            [(NAME, &*symbol.qualified_name), (PROVENANCE, symbol.provenance.as_str())]
        {
            if text.contains(|c: char| c.is_ascii_control()) || reads_as_another(text) {
                let message = format!(
                    "{} is {}, expected text that decodes to the same text",
                    what(key),
                    shown(text)
                );
                return Err(Error::encode(ErrorKind::InvalidName, message));
            }
            node = node.with(key, text);
        }
        if reads_as_another(&symbol.signature) {
            let message = format!(
                "{} is {}, expected another text than a datetime with a space",
                what(SIGNATURE),
                shown(&symbol.signature)
            );
            return Err(Error::encode(ErrorKind::InvalidName, message));
        }
        node = node
            .with(SIGNATURE, &*symbol.signature)
            .with(SCORE, number(symbol.score, || what(SCORE))?);
        if symbol.distance > 0 {
            node = node.with(DISTANCE, symbol.distance);
        }
        let Components { blast_radius, confidence, recency, distance } = symbol.components;
        let parts = [blast_radius, confidence, recency, distance];
        if parts != [0.0; 4] {
            for (part, key) in parts.into_iter().zip(PARTS) {
                node = node.with(key, number(part, || what(key))?);
            }
        }
        response.nodes.push(node);
    }
    for (index, edge) in payload.edges.iter().enumerate() {
        let end = |row: u32| {
            let symbol = payload.symbols.get(row as usize).ok_or_else(|| {
                let symbols = payload.symbols.len();
                let message = format!(
                    "edge {index} has the source or target {row}, expected the index of one of {symbols} symbols"
                );
                Error::encode(ErrorKind::EdgeIndexOutOfRange, message)
            })?;
            Ok::<_, Error>((symbol.kind.as_str(), i64::from(row)))
        };
        response.edges.push(Edge::new(
            end(edge.source)?,
            edge.edge_type.as_str(),
            end(edge.target)?,
        ));
    }
    Ok(response)
}

/// Returns `true` if a text is a datetime with a space, which is decoded with a `T` instead.
fn reads_as_another(text: &str) -> bool {
    text.as_bytes().get(10) == Some(&b' ') && crate::datetime::is_datetime(text)
}

fn number(value: f64, what: impl Fn() -> String) -> Result<Value, Error> {
    serde_json::Number::from_f64(value).map(Value::Number).ok_or_else(|| {
        let message = format!("{} is {value}, expected a finite number", what());
        Error::encode(ErrorKind::NonFiniteNumber, message)
    })
}

fn from_response(response: GraphResponse) -> Result<Payload<'static>, Error> {
    if response.query_type != QueryType::Traversal || response.pagination.is_some() {
        return Err(no_payload("it is not a traversal, or is one page of several"));
    }
    let mut nodes = response.nodes;
    nodes.sort_by_key(|node| node.id);
    let mut payload = Payload::default();
    for (index, node) in (0..).zip(nodes) {
        if node.id != index {
            return Err(no_payload(&format!(
                "the node {}:{} does not have the id {index}",
                node.entity_type, node.id
            )));
        }
        payload.symbols.push(symbol(node)?);
    }
    for edge in response.edges {
        let end = |entity_type: &str, id: i64| {
            let row = u32::try_from(id).ok().filter(|row| {
                payload
                    .symbols
                    .get(*row as usize)
                    .is_some_and(|symbol| symbol.kind.as_str() == entity_type)
            });
            row.ok_or_else(|| {
                no_payload(&format!("an edge has the source or target {entity_type}:{id}"))
            })
        };
        if edge.depth.is_some() || edge.path_id.is_some() {
            return Err(no_payload("an edge has a depth or a path"));
        }
        let (source, target) = (end(&edge.from, edge.from_id)?, end(&edge.to, edge.to_id)?);
        payload.edges.push(PayloadEdge::new(source, target, edge.edge_type));
    }
    Ok(payload)
}

fn symbol(node: Node) -> Result<Symbol<'static>, Error> {
    let Node { entity_type, id, properties } = node;
    let known = |key: &str| {
        [NAME, SCORE, PROVENANCE, DISTANCE, SIGNATURE].contains(&key) || PARTS.contains(&key)
    };
    if let Some(unknown) = properties.keys().find(|key| !known(key)) {
        return Err(no_payload(&format!(
            "the node {entity_type}:{id} has the property {}",
            shown(unknown)
        )));
    }
    let number = |key: &str| match properties.get(key) {
        None => Ok(0.0),
        Some(value) => value.as_f64().ok_or_else(|| {
            no_payload(&format!("{key} of the node {entity_type}:{id} is not a number"))
        }),
    };
    let distance = match properties.get(DISTANCE) {
        None => 0,
        Some(value) => {
            value.as_u64().and_then(|distance| u32::try_from(distance).ok()).ok_or_else(|| {
                no_payload(&format!(
                    "the distance of the node {entity_type}:{id} is not an integer from 0 to 4294967295"
                ))
            })?
        }
    };
    let [blast_radius, confidence, recency, proximity] = PARTS.map(number);
    let components = Components {
        blast_radius: blast_radius?,
        confidence: confidence?,
        recency: recency?,
        distance: proximity?,
    };
    let (score, name) = (number(SCORE)?, text(&properties, NAME));
    Ok(Symbol::new(entity_type, name)
        .with_score(score)
        .with_provenance(text(&properties, PROVENANCE))
        .with_distance(distance)
        .with_signature(text(&properties, SIGNATURE))
        .with_components(components))
}

/// The text of a property, which may look like another value.
fn text(properties: &BTreeMap<String, Value>, key: &str) -> String {
    match properties.get(key) {
        None => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => {
            let mut text = String::new();
            crate::value::push_number(&mut text, number)
                .expect("because numbers of a text are in the range of doubles");
            text
        }
        Some(other) => other.to_string(),
    }
}

#[cold]
fn no_payload(problem: &str) -> Error {
    let message = format!(
        "the response is not a payload: {problem}, expected symbols as nodes with their index as id"
    );
    Error::encode(ErrorKind::NotRepresentable, message)
}
