//! The JSON form of a payload, as `Serialize` and `Deserialize` (ruling R1).
//!
//! Member names and order are those of the format's documentation. `pack_root`, `signature`, `status` and an empty
//! `edges` are left out on write. On read these four and `components` may be absent or null, and
//! every other member is required; unknown members are ignored. Edges are by name: a payload
//! with an edge to a name that two symbols share can't be written.

use std::borrow::Cow;
use std::fmt;

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{self, Serialize, SerializeSeq, SerializeStruct, Serializer};

use crate::builder::{NamedEdge, PayloadBuilder};
use crate::payload::{Components, PackRoot, Payload, Symbol};
use crate::vocab::{EdgeStatus, EdgeType, Kind, Provenance};

/// A string that is borrowed from the input unless it holds an escape. (`Cow<str>` on its own
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
macro_rules! as_word {
    ($($name:ident),+) => { $(
        impl Serialize for $name<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de: 'a, 'a> Deserialize<'de> for $name<'a> {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Text::deserialize(deserializer).map(|text| $name::from(text.0))
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

impl<'de: 'a, 'a> Deserialize<'de> for PackRoot<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        PackRoot::new(Text::deserialize(deserializer)?.0).map_err(de::Error::custom)
    }
}

/// A symbol that knows its index, so that an error can name its place.
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
            // JSON has no NaN and no infinities, and a serializer would write null for them.
            if !value.is_finite() {
                return Err(ser::Error::custom(format_args!(
                    "symbols[{index}].{name} is {value}, which has no number, expected a finite one"
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

/// An object, and not the array of its members that serde's derived code also takes.
struct Object<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(StructAsMap(deserializer)).map(Object)
    }
}

/// Asks for a map where a struct is asked for.
struct StructAsMap<D>(D);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for StructAsMap<D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(visitor)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// The empty string is how other producers spell "no root".
fn pack_root<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<PackRoot<'de>>, D::Error> {
    let text = Option::<Text<'_>>::deserialize(deserializer)?;
    text.filter(|text| !text.0.is_empty())
        .map(|text| PackRoot::new(text.0))
        .transpose()
        .map_err(de::Error::custom)
}

/// The form that is read; names of types as serde's messages should show them.
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
/// calls [`PayloadBuilder::build`], which says which edge is wrong.
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
        PayloadBuilder::deserialize(deserializer)?.build().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::payload::Edge;

    fn payload() -> Payload<'static> {
        Payload {
            tool: "t".into(),
            tokens_used: 1,
            token_budget: 2,
            symbols: vec![
                Symbol::new("function", "a\n").with_score(0.1 + 0.2).with_signature("fn a()"),
                Symbol::new("widget", "b").with_distance(7),
            ],
            edges: vec![Edge::new(1, 0, "calls"), Edge::new(0, 1, "likes").with_status("added")],
            ..Payload::default()
        }
    }

    #[test]
    fn the_form_is_the_documented_one() {
        let text = serde_json::to_string(&payload()).unwrap();
        assert_eq!(
            text,
            concat!(
                r#"{"tool":"t","tokens_used":1,"token_budget":2,"symbols":["#,
                r#"{"qualified_name":"a\n","kind":"function","score":0.30000000000000004,"signature":"fn a()","#,
                r#""provenance":"structural","distance":0,"components":"#,
                r#"{"blast_radius":0.0,"confidence":0.0,"recency":0.0,"distance":0.0}},"#,
                r#"{"qualified_name":"b","kind":"widget","score":0.0,"#,
                r#""provenance":"structural","distance":7,"components":"#,
                r#"{"blast_radius":0.0,"confidence":0.0,"recency":0.0,"distance":0.0}}],"#,
                r#""edges":[{"source":"b","target":"a\n","edge_type":"calls"},"#,
                r#"{"source":"a\n","target":"b","edge_type":"likes","status":"added"}]}"#,
            )
        );
        let back: Payload<'_> = serde_json::from_str(&text).unwrap();
        assert_eq!(back, payload());
    }

    #[test]
    fn text_is_borrowed_where_it_holds_no_escape() {
        let text = serde_json::to_string(&payload()).unwrap();
        let back: Payload<'_> = serde_json::from_str(&text).unwrap();
        assert!(matches!(back.tool, Cow::Borrowed(_)));
        assert!(matches!(back.symbols[0].qualified_name, Cow::Owned(_)));
        assert!(matches!(back.symbols[0].signature, Cow::Borrowed(_)));
    }

    #[test]
    fn what_json_cannot_hold_is_refused() {
        let mut nan = payload();
        nan.symbols[1].score = f64::NAN;
        let error = serde_json::to_string(&nan).unwrap_err().to_string();
        assert!(error.starts_with("symbols[1].score is NaN"), "{error}");
        let mut ambiguous = payload();
        ambiguous.symbols.push(Symbol::new("type", "b"));
        let error = serde_json::to_string(&ambiguous).unwrap_err().to_string();
        assert!(error.contains(r#"more than one symbol is named "b""#), "{error}");
        let mut dangling = payload();
        dangling.edges[1].target = 2;
        let error = serde_json::to_string(&dangling).unwrap_err().to_string();
        assert!(error.starts_with("edges[1].target is 2, and there are 2 symbols"), "{error}");
    }

    #[test]
    fn optional_members_may_be_absent_or_null() {
        let text = r#"{"tool":"t","tokens_used":0,"token_budget":0,"pack_root":"","extra":[1],
            "symbols":[{"qualified_name":"a","kind":"function","score":1,"signature":null,
            "provenance":"x","distance":0}],"edges":[
            {"source":"a","target":"a","edge_type":"calls","status":""}]}"#;
        let payload: Payload<'_> = serde_json::from_str(text).unwrap();
        assert!(payload.pack_root.is_none() && payload.edges[0].status.is_unchanged());
        assert!(payload.symbols[0].signature.is_empty());
    }
}
