//! The context packs of the repository, and one in every format.

use serde_json::Value;
use wire_core::{Codec, CodecInfo, Directions, Payload, Representation, TokenCounter};
use wire_registry::Registry;
use wire_tokens::Counter;

use crate::scorecards::{Inputs, of};

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
    pub(super) forms: Vec<Encoded>,
    /// Minified JSON of the same without its edges.
    without_edges: String,
}

/// A payload in a format.
pub(super) struct Encoded {
    pub(super) info: CodecInfo,
    pub(super) bytes: Vec<u8>,
    /// `true` if it decodes as the format's fidelity states; `None` if the format can't be read.
    pub(super) comes_back: Option<bool>,
}

/// Every codec of the family.
pub(super) fn registry() -> Registry {
    const DISTINCT: &str = "because the names of the family's codecs are distinct";
    let mut registry = Registry::new();
    registry.register(gcf::Gcf::default()).expect(DISTINCT);
    registry.register(gcb::Gcb::default()).expect(DISTINCT);
    registry.register(gcx::Gcx::default()).expect(DISTINCT);
    registry.register(goon::Goon::default()).expect(DISTINCT);
    registry
}

/// The packs of the fixtures, by their names.
pub(crate) fn packs(inputs: &Inputs) -> Result<Vec<(&'static str, Payload<'static>)>, String> {
    let json = wire_registry::json::Json::compact();
    PACKS
        .iter()
        .map(|(name, ..)| {
            let file = format!("payloads/packs/{name}.json");
            let text = inputs.read(&file)?;
            let payload = json.decode(text.as_bytes()).map_err(of(&file))?.into_owned();
            Ok((*name, payload))
        })
        .collect()
}

/// The payload of the documentation's example.
pub(super) fn example(inputs: &Inputs) -> Result<Payload<'static>, String> {
    let text = inputs.read(EXAMPLE)?;
    let cases: Value = serde_json::from_str(&text).map_err(of(EXAMPLE))?;
    let gcf = cases["cases"][0]["text"].as_str().unwrap_or_default();
    let payload = gcf::graph::from_str(gcf).map_err(of(EXAMPLE))?;
    Ok(payload.into_owned())
}

impl Pack {
    /// A payload in every format.
    pub(super) fn new(
        name: &str,
        payload: Payload<'static>,
        registry: &Registry,
    ) -> Result<Self, String> {
        let encode = |codec: &dyn Codec, payload: &Payload<'_>| {
            let mut bytes = Vec::new();
            codec.encode(payload, &mut bytes).map_err(of(name)).map(|()| bytes)
        };
        let mut forms = Vec::new();
        for codec in registry.codecs() {
            let bytes = encode(codec, &payload)?;
            let info = *codec.info();
            let mut comes_back = None;
            if info.directions() == Directions::Both {
                let mut expected = payload.clone();
                info.fidelity().project(&mut expected);
                comes_back = Some(codec.decode(&bytes).map_err(of(name))? == expected);
            }
            forms.push(Encoded { info, bytes, comes_back });
        }
        let mut bare = payload.clone();
        bare.edges.clear();
        let bare = encode(&wire_registry::json::Json::compact(), &bare)?;
        let without_edges = String::from_utf8_lossy(&bare).into_owned();
        Ok(Pack { name: name.to_owned(), payload, forms, without_edges })
    }

    fn form(&self, name: &str) -> &Encoded {
        let form = self.forms.iter().find(|form| form.info.name() == name);
        form.expect("because the registry has every format of the family")
    }

    /// The names of the text formats, which have tokens.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        let is_text = |form: &&Encoded| form.info.representation() == Representation::Text;
        self.forms.iter().filter(is_text).map(|form| form.info.name())
    }

    pub(super) fn text(&self, name: &str) -> String {
        String::from_utf8_lossy(&self.form(name).bytes).into_owned()
    }

    pub(super) fn bytes(&self, name: &str) -> usize {
        self.form(name).bytes.len()
    }

    /// Tokens by the word-and-punctuation estimate, which the documentation of GCF counts with.
    pub(super) fn words(&self, name: &str) -> usize {
        Counter::WordPunctuation.count(&self.text(name))
    }

    pub(super) fn words_without_edges(&self) -> usize {
        Counter::WordPunctuation.count(&self.without_edges)
    }
}
