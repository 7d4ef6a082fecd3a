//! Writing the form.

use serde::ser::{self, Serialize, SerializeSeq, SerializeStruct, Serializer};

use crate::payload::{Components, PackRoot, Payload, Symbol};
use crate::vocab::{EdgeStatus, EdgeType, Kind, Provenance};

/// A vocabulary travels as its full name.
macro_rules! as_word {
    ($($name:ident),+) => { $(
        impl Serialize for $name<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
    )+ };
}
as_word!(Kind, Provenance, EdgeType, EdgeStatus);

impl Serialize for PackRoot<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// A symbol with its index, so that an error can say which symbol it is about.
struct IndexedSymbol<'p>(usize, &'p Symbol<'p>);

impl Serialize for IndexedSymbol<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let IndexedSymbol(index, symbol) = self;
        let components = symbol.components;
        for (name, value) in [
            ("score", symbol.score),
            ("components.blast_radius", components.blast_radius),
            ("components.confidence", components.confidence),
            ("components.recency", components.recency),
            ("components.distance", components.distance),
        ] {
            // JSON has neither NaN nor infinities, and a serializer would write null for them.
            if !value.is_finite() {
                return Err(ser::Error::custom(format_args!(
                    "symbols[{index}].{name} is {value}, which JSON can't represent, expected a finite number"
                )));
            }
        }
        let with_signature = !symbol.signature.is_empty();
        let mut members = serializer.serialize_struct("Symbol", 6 + usize::from(with_signature))?;
        members.serialize_field("qualified_name", &*symbol.qualified_name)?;
        members.serialize_field("kind", &symbol.kind)?;
        members.serialize_field("score", &symbol.score)?;
        if with_signature {
            members.serialize_field("signature", &*symbol.signature)?;
        }
        members.serialize_field("provenance", &symbol.provenance)?;
        members.serialize_field("distance", &symbol.distance)?;
        members.serialize_field("components", &FiniteComponents(components))?;
        members.end()
    }
}

/// Components that have been found to be finite.
struct FiniteComponents(Components);

impl Serialize for FiniteComponents {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Components { blast_radius, confidence, recency, distance } = &self.0;
        let mut members = serializer.serialize_struct("Components", 4)?;
        members.serialize_field("blast_radius", blast_radius)?;
        members.serialize_field("confidence", confidence)?;
        members.serialize_field("recency", recency)?;
        members.serialize_field("distance", distance)?;
        members.end()
    }
}

struct Symbols<'p>(&'p [Symbol<'p>]);

impl Serialize for Symbols<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut sequence = serializer.serialize_seq(Some(self.0.len()))?;
        for (index, symbol) in self.0.iter().enumerate() {
            sequence.serialize_element(&IndexedSymbol(index, symbol))?;
        }
        sequence.end()
    }
}

struct Edges<'p>(&'p Payload<'p>);

impl Serialize for Edges<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let edges = &self.0.edges;
        let mut sequence = serializer.serialize_seq(Some(edges.len()))?;
        for (edge, names) in edges.iter().zip(self.0.edge_names()) {
            let (source, target) = names.map_err(ser::Error::custom)?;
            sequence.serialize_element(&EdgeDocument {
                source,
                target,
                edge_type: &edge.edge_type,
                status: &edge.status,
            })?;
        }
        sequence.end()
    }
}

#[derive(serde::Serialize)]
struct EdgeDocument<'p> {
    source: &'p str,
    target: &'p str,
    edge_type: &'p EdgeType<'p>,
    #[serde(skip_serializing_if = "EdgeStatus::is_unchanged")]
    status: &'p EdgeStatus<'p>,
}

impl Serialize for Payload<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let members =
            4 + usize::from(self.pack_root.is_some()) + usize::from(!self.edges.is_empty());
        let mut document = serializer.serialize_struct("Payload", members)?;
        document.serialize_field("tool", &*self.tool)?;
        document.serialize_field("tokens_used", &self.tokens_used)?;
        document.serialize_field("token_budget", &self.token_budget)?;
        if let Some(root) = &self.pack_root {
            document.serialize_field("pack_root", root)?;
        }
        document.serialize_field("symbols", &Symbols(&self.symbols))?;
        if !self.edges.is_empty() {
            document.serialize_field("edges", &Edges(self))?;
        }
        document.end()
    }
}
