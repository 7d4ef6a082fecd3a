//! Sessions, deltas, roots and exchanges for the conformance corpus.

use std::time::Duration;

use gcf::graph::Dialect;
use gcf::graph::{
    Decoder, Delivery, Delta, DeltaEdge, Encoder, Exchange, Outcome, Request, RootAlgorithm,
    Session, SessionLimits, SessionReader, SymbolKey,
};
use wire_conformance::{DeltaCase, ExchangeSubject, Failure, Options, SessionPair, Tokens};
use wire_core::{PackRoot, Payload, WordPunctuation};

use super::{Gcf, encoder, failure};

fn algorithm(options: &Options) -> Option<RootAlgorithm> {
    let name = options.root.as_deref()?;
    Some(RootAlgorithm::from_name(name).unwrap_or_else(|| panic!("no root algorithm {name:?}")))
}

/// The encoder with the options that are about deltas.
fn delta_encoder(options: &Options) -> Encoder {
    let encoder = encoder(options).root_algorithm(algorithm(options));
    match options.distances.as_deref() {
        None => encoder,
        Some("written") => encoder.distances_in_deltas(true),
        Some(other) => panic!("distances is {other:?}"),
    }
}

fn pack_root(text: &str) -> PackRoot<'static> {
    PackRoot::new(text.to_owned()).expect("because roots in cases are tokens")
}

fn to_delta(case: &DeltaCase) -> Delta<'static> {
    let root = pack_root;
    let mut delta = Delta::new(case.tool.clone(), root(&case.base_root), root(&case.new_root));
    if let Tokens { delta: Some(tokens), full: Some(full), .. } = case.tokens {
        delta = delta.with_tokens(tokens, full);
    } else {
        (delta.tokens, delta.savings) = (case.tokens.delta, case.tokens.savings);
    }
    let key = |(kind, name): &(String, String)| SymbolKey::new(kind.clone(), name.clone());
    delta.removed = case.removed.iter().map(key).collect();
    delta.added.clone_from(&case.added);
    let edge = |[source, target, edge_type]: &[String; 3]| {
        DeltaEdge::new(source.clone(), edge_type.clone(), target.clone())
    };
    delta.edges_removed = case.edges_removed.iter().map(edge).collect();
    delta.edges_added = case.edges_added.iter().map(edge).collect();
    delta
}

fn from_delta(delta: Delta<'_>) -> DeltaCase {
    let delta = delta.into_owned();
    let edge = |edge: &DeltaEdge<'_>| {
        [edge.source.to_string(), edge.target.to_string(), edge.edge_type.as_str().to_owned()]
    };
    DeltaCase {
        tool: delta.tool.to_string(),
        base_root: delta.base_root.as_str().to_owned(),
        new_root: delta.new_root.as_str().to_owned(),
        tokens: Tokens { delta: delta.tokens, full: delta.full_tokens, savings: delta.savings },
        removed: delta
            .removed
            .iter()
            .map(|key| (key.kind.as_str().to_owned(), key.qualified_name.to_string()))
            .collect(),
        edges_removed: delta.edges_removed.iter().map(edge).collect(),
        edges_added: delta.edges_added.iter().map(edge).collect(),
        added: delta.added,
    }
}

struct Pair {
    session: Session,
    reader: SessionReader,
    last: Option<Delivery>,
}

impl SessionPair for Pair {
    fn encode(&mut self, payload: &Payload<'_>) -> Result<(String, bool), Failure> {
        let mut out = Vec::new();
        let sent = self
            .session
            .encode(payload, Duration::ZERO, &mut out)
            .map_err(|error| failure(&error))?;
        self.last = Some(sent.delivery);
        let text = String::from_utf8(out).expect("because GCF is text");
        Ok((text, matches!(sent.outcome, Outcome::Full(_))))
    }

    fn confirm(&mut self) {
        self.session.confirm(self.last.expect("because something was sent"));
    }

    fn roll_back(&mut self) {
        self.session.roll_back(self.last.expect("because something was sent"));
    }

    fn decode(&mut self, text: &str) -> Result<Payload<'static>, Failure> {
        self.reader.decode(text).map(Payload::into_owned).map_err(|error| failure(&error))
    }

    fn reset(&mut self) {
        self.session.reset();
        self.reader.reset();
    }
}

impl ExchangeSubject for Gcf {
    fn session(&self, options: &Options) -> Box<dyn SessionPair> {
        let mut limits = SessionLimits::default();
        if let Some(ids) = options.max_ids {
            limits.ids = ids;
        }
        let mut session = Session::new(delta_encoder(options)).limits(limits);
        match options.changed.as_deref() {
            None => {}
            Some("redeclared") => session = session.redeclare_changed(true),
            Some(other) => panic!("changed is {other:?}"),
        }
        let reader = SessionReader::new().decoder(Decoder::new().limits(options.limits()));
        Box::new(Pair { session, reader, last: None })
    }

    fn encode_delta(&self, delta: &DeltaCase, options: &Options) -> Result<String, Failure> {
        let (encoder, delta) = (delta_encoder(options), to_delta(delta));
        encoder.delta_to_string(&delta).map_err(|error| failure(&error))
    }

    fn decode_delta(&self, input: &[u8], options: &Options) -> Result<DeltaCase, Failure> {
        let decoder = Decoder::new().limits(options.limits());
        decoder.decode_delta(input).map(from_delta).map_err(|error| failure(&error))
    }

    fn diff(
        &self,
        base: &Payload<'_>,
        new: &Payload<'_>,
        options: &Options,
    ) -> Result<Result<String, String>, Failure> {
        let encoder = delta_encoder(options);
        let between = Delta::between(base, new, &encoder, &WordPunctuation)
            .map_err(|error| failure(&error))?;
        match between {
            Err(why) => Ok(Err(why.code().to_owned())),
            Ok(delta) => encoder.delta_to_string(&delta).map(Ok).map_err(|error| failure(&error)),
        }
    }

    fn apply(&self, base: &Payload<'_>, delta: &[u8]) -> Result<Payload<'static>, Failure> {
        let delta = Decoder::new().decode_delta(delta).map_err(|error| failure(&error))?;
        delta.apply(base).map_err(|error| failure(&error))
    }

    fn root(&self, payload: &Payload<'_>, options: &Options) -> Result<String, Failure> {
        let dialect = options.dialect.as_deref().and_then(Dialect::from_name).unwrap_or_default();
        let algorithm = algorithm(options).unwrap_or(dialect.root_algorithm());
        let root = algorithm.root(payload).map_err(|error| failure(&error))?;
        Ok(root.as_str().to_owned())
    }

    fn exchange(
        &self,
        known: &[Payload<'_>],
        held: Option<&str>,
        payload: &Payload<'_>,
        options: &Options,
    ) -> Result<(String, String), Failure> {
        // The cases state the tokens of the formats' own estimate.
        let exchange = Exchange::new(delta_encoder(options)).counter(WordPunctuation);
        for known in known {
            exchange
                .answer(Request::Full, known, &mut String::new())
                .map_err(|error| failure(&error))?;
        }
        let held = held.map(pack_root);
        let mut text = String::new();
        let answer = exchange
            .answer(held.as_ref().map_or(Request::Full, Request::Since), payload, &mut text)
            .map_err(|error| failure(&error))?;
        Ok((answer.outcome.name().to_owned(), text))
    }
}
