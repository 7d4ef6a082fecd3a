//! Reading the form.

use std::borrow::Cow;
use std::fmt;

use serde::de::{self, Deserialize, Deserializer, Visitor};

use crate::builder::{Dangling, NamedEdge, PayloadBuilder};
use crate::de::AsMap;
use crate::payload::{Components, PackRoot, Payload, Symbol};
use crate::vocab::{EdgeStatus, EdgeType, Kind, Provenance};

/// A string that is borrowed from the input unless it contains an escape. (`Cow<str>` itself
/// deserializes to owned text inside `Option` and sequences.)
struct Text<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextVisitor;
        impl<'de> Visitor<'de> for TextVisitor {
            type Value = Text<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Borrowed(text)))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }

            fn visit_string<E: de::Error>(self, text: String) -> Result<Self::Value, E> {
                Ok(Text(Cow::Owned(text)))
            }
        }
        deserializer.deserialize_str(TextVisitor)
    }
}

/// A vocabulary travels as its full name.
macro_rules! from_word {
    ($($name:ident),+) => { $(
        impl<'de: 'a, 'a> Deserialize<'de> for $name<'a> {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Text::deserialize(deserializer).map(|text| $name::from(text.0))
            }
        }
    )+ };
}
from_word!(Kind, Provenance, EdgeType, EdgeStatus);

impl<'de: 'a, 'a> Deserialize<'de> for PackRoot<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        PackRoot::new(Text::deserialize(deserializer)?.0).map_err(de::Error::custom)
    }
}

/// An object. Serde's derived code would also accept an array of its members.
struct Object<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(AsMap(deserializer)).map(Object)
    }
}

/// Other producers write the empty string for "no root".
fn pack_root<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<PackRoot<'de>>, D::Error> {
    let text = Option::<Text<'_>>::deserialize(deserializer)?;
    text.filter(|text| !text.0.is_empty())
        .map(|text| PackRoot::new(text.0))
        .transpose()
        .map_err(de::Error::custom)
}

/// The form that is read. Its types are named as serde's messages should show them.
#[derive(serde::Deserialize)]
#[serde(rename = "Payload", expecting = "a payload object")]
struct PayloadDocument<'a> {
    #[serde(borrow)]
    tool: Text<'a>,
    tokens_used: u64,
    token_budget: u64,
    #[serde(borrow, default, deserialize_with = "pack_root")]
    pack_root: Option<PackRoot<'a>>,
    #[serde(borrow)]
    symbols: Vec<Symbol<'a>>,
    #[serde(borrow, default)]
    edges: Option<Vec<NamedEdge<'a>>>,
}

#[derive(serde::Deserialize)]
#[serde(rename = "Symbol", expecting = "a symbol object")]
struct SymbolDocument<'a> {
    #[serde(borrow)]
    qualified_name: Text<'a>,
    #[serde(borrow)]
    kind: Kind<'a>,
    score: f64,
    #[serde(borrow, default)]
    signature: Option<Text<'a>>,
    #[serde(borrow)]
    provenance: Provenance<'a>,
    distance: u32,
    #[serde(default)]
    components: Option<Object<ComponentsDocument>>,
}

#[derive(serde::Deserialize)]
#[serde(rename = "Components", expecting = "a components object")]
struct ComponentsDocument {
    blast_radius: f64,
    confidence: f64,
    recency: f64,
    distance: f64,
}

#[derive(serde::Deserialize)]
#[serde(rename = "Edge", expecting = "an edge object")]
struct NamedEdgeDocument<'a> {
    #[serde(borrow)]
    source: Text<'a>,
    #[serde(borrow)]
    target: Text<'a>,
    #[serde(borrow)]
    edge_type: EdgeType<'a>,
    #[serde(borrow, default)]
    status: Option<EdgeStatus<'a>>,
}

impl<'de: 'a, 'a> Deserialize<'de> for NamedEdge<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Object(document) = Object::<NamedEdgeDocument<'_>>::deserialize(deserializer)?;
        Ok(NamedEdge {
            source: document.source.0,
            target: document.target.0,
            edge_type: document.edge_type,
            status: document.status.unwrap_or_default(),
        })
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Symbol<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Object::<SymbolDocument<'_>>::deserialize(deserializer)
            .map(|Object(document)| document.into())
    }
}

impl<'a> From<SymbolDocument<'a>> for Symbol<'a> {
    fn from(document: SymbolDocument<'a>) -> Self {
        Symbol {
            qualified_name: document.qualified_name.0,
            kind: document.kind,
            score: document.score,
            provenance: document.provenance,
            distance: document.distance,
            signature: document.signature.map_or(Cow::Borrowed(""), |text| text.0),
            components: document.components.map_or_else(
                Components::default,
                |Object(components)| Components {
                    blast_radius: components.blast_radius,
                    confidence: components.confidence,
                    recency: components.recency,
                    distance: components.distance,
                },
            ),
        }
    }
}

/// A payload whose edge names are not resolved yet. A format with edges by name reads this and
/// calls [`PayloadBuilder::resolve`], whose error names the wrong edge.
impl<'de: 'a, 'a> Deserialize<'de> for PayloadBuilder<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Object(document) = Object::<PayloadDocument<'_>>::deserialize(deserializer)?;
        let payload = Payload {
            tool: document.tool.0,
            tokens_used: document.tokens_used,
            token_budget: document.token_budget,
            pack_root: document.pack_root,
            symbols: document.symbols,
            edges: Vec::new(),
        };
        Ok(PayloadBuilder { payload, edges: document.edges.unwrap_or_default() })
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Payload<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let builder = PayloadBuilder::deserialize(deserializer)?;
        let (payload, _) = builder.resolve(Dangling::Refused).map_err(de::Error::custom)?;
        Ok(payload)
    }
}
