//! The context packs of the repository, and one in every format.

use serde_json::Value;
use wire_core::{Codec, Directions, Payload, TokenCounter};
use wire_tokens::Counter;

use crate::error::Error;
use crate::fixtures::Fixtures;
use crate::formats::Formats;

/// The packs of the format's own scorecard: the names of our files, its own names, and its tokens
/// of JSON and of GCF.
pub(super) const PACKS: [(&str, &str, usize, usize); 6] = [
    ("context_for_task_10", "context_for_task (10 sym)", 965, 233),
    ("context_for_task_30", "context_for_task (30 sym)", 2968, 649),
    ("context_for_files_15", "context_for_files (15 sym)", 1490, 334),
    ("blast_radius_8", "blast_radius (8 sym)", 835, 208),
    ("semantic_diff_12", "semantic_diff (12 sym)", 1206, 295),
    ("graph_query_20", "graph_query (20 sym)", 2078, 423),
];
/// The documented example, as a case of the corpus.
const EXAMPLE: &str = "gcf/graph/documented_example.json";

/// A payload in every format.
pub(super) struct Pack {
    pub(super) name: String,
    pub(super) payload: Payload<'static>,
    /// By the formats of the registry.
    pub(super) encoded: Vec<Vec<u8>>,
    /// Whether each decodes as its format's fidelity states; `None` if the format can't be read.
    pub(super) comes_back: Vec<Option<bool>>,
    /// Minified JSON of the same without its edges.
    without_edges: String,
}

/// The packs of the fixtures, by their names.
pub(crate) fn packs(fixtures: &Fixtures) -> Result<Vec<(&'static str, Payload<'static>)>, Error> {
    let json = wire_registry::json::Json::compact();
    PACKS
        .iter()
        .map(|(name, ..)| {
            let (file, text) = fixtures.read(&format!("payloads/packs/{name}.json"))?;
            let payload = json
                .decode(text.as_bytes())
                .map(Payload::into_owned)
                .map_err(|error| Error::decode(file, text.as_bytes().to_vec(), error))?;
            Ok((*name, payload))
        })
        .collect()
}

/// The payload of the documentation's example.
pub(super) fn example(fixtures: &Fixtures) -> Result<Payload<'static>, Error> {
    let (file, text) = fixtures.read(EXAMPLE)?;
    let refused =
        |error: wire_core::CodecError| Error::decode(file.clone(), text.as_bytes().to_vec(), error);
    let cases: Value = serde_json::from_str(&text)
        .map_err(|error| refused(wire_registry::json::error(text.as_bytes(), &error)))?;
    let gcf = cases["cases"][0]["text"].as_str().unwrap_or_default();
    let payload = gcf::graph::from_str(gcf).map_err(|error| refused(error.into()))?;
    Ok(payload.into_owned())
}

impl Pack {
    /// A payload in every format.
    pub(super) fn new(
        name: &str,
        payload: Payload<'static>,
        formats: &Formats,
    ) -> Result<Self, Error> {
        let encode = |codec: &dyn Codec, payload: &Payload<'_>| {
            let mut bytes = Vec::new();
            match codec.encode(payload, &mut bytes) {
                Ok(()) => Ok(bytes),
                Err(error) => Err(Error::encode(name.to_owned(), codec.info().name(), error)),
            }
        };
        let mut encoded = Vec::new();
        let mut comes_back = Vec::new();
        for codec in formats.registry.codecs() {
            let bytes = encode(codec, &payload)?;
            comes_back.push(match codec.info().directions() {
                Directions::EncodeOnly => None,
                Directions::Both => {
                    let mut expected = payload.clone();
                    codec.info().fidelity().project(&mut expected);
                    let back = codec
                        .decode(&bytes)
                        .map_err(|error| Error::decode(name.to_owned(), bytes.clone(), error))?;
                    Some(back == expected)
                }
            });
            encoded.push(bytes);
        }
        let json = wire_registry::json::Json::compact();
        let mut bare = payload.clone();
        bare.edges.clear();
        let without_edges = String::from_utf8_lossy(&encode(&json, &bare)?).into_owned();
        Ok(Pack { name: name.to_owned(), payload, encoded, comes_back, without_edges })
    }

    pub(super) fn text(&self, formats: &Formats, name: &str) -> String {
        String::from_utf8_lossy(&self.encoded[formats.place(name)]).into_owned()
    }

    pub(super) fn bytes(&self, formats: &Formats, name: &str) -> usize {
        self.encoded[formats.place(name)].len()
    }

    /// Tokens by the word-and-punctuation estimate, which the documentation of GCF counts with.
    pub(super) fn words(&self, formats: &Formats, name: &str) -> usize {
        Counter::WordPunctuation.count(&self.text(formats, name))
    }

    pub(super) fn words_without_edges(&self) -> usize {
        Counter::WordPunctuation.count(&self.without_edges)
    }
}
