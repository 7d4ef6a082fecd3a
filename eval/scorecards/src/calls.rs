//! An agent that calls a tool repeatedly, with edits in between, and the tokens of its calls in
//! five ways.
//!
//! A consumer reads every text, and must then have the payload of the producer.

use std::time::Duration;

use gcf::graph::{Delta, Encoder, Replica, Session, SessionReader};
use wire_core::{Codec, Edge, Payload, Symbol, WordPunctuation};
use wire_registry::json::Json;

use crate::scorecards::of;

/// The ways of sending, in the order of the texts.
pub(crate) const WAYS: [&str; 5] = ["JSON", "GCF", "GCF + session", "GCF + delta", "GCF + both"];

/// The texts of the calls, in each way.
pub(crate) type Calls = [Vec<String>; WAYS.len()];

pub(crate) fn texts(packs: &Packs) -> Result<Calls, String> {
    Ok([json(packs)?, plain(packs)?, sessions(packs)?, deltas(packs)?, both(packs)?])
}

/// Ten packs that an agent receives, and what happened before each.
pub(crate) fn packs() -> Vec<(&'static str, Payload<'static>)> {
    let mut world = World::default();
    let mut packs = vec![("first question", world.pack(0))];
    packs.push(("the same again", world.pack(0)));
    world.rename(4);
    packs.push(("a function was renamed", world.pack(0)));
    world.rescore(7);
    packs.push(("recency changed two scores", world.pack(0)));
    packs.push(("a neighbouring question", world.pack(3)));
    world.rename(11);
    world.drop_edge(5);
    packs.push(("an edit removed a call", world.pack(3)));
    packs.push(("another part of the code", world.pack(40)));
    packs.push(("the same again", world.pack(40)));
    world.rename(45);
    packs.push(("a type was renamed", world.pack(40)));
    packs.push(("back to the first question", world.pack(0)));
    packs
}

/// A code base, as a graph of functions and types.
struct World {
    symbols: Vec<Symbol<'static>>,
    edges: Vec<Edge<'static>>,
    edits: u32,
}

impl Default for World {
    fn default() -> Self {
        const PARTS: [&str; 6] = ["ledger", "invoice", "refund", "gateway", "audit", "report"];
        const VERBS: [&str; 5] = ["Post", "Load", "Validate", "Export", "Reconcile"];
        let symbols = (0..80usize).map(|n| {
            let (part, verb) = (PARTS[n / 14], VERBS[n % 5]);
            let (kind, name) = match n % 7 {
                3 => ("type", format!("example.com/shop/internal/{part}.{verb}Request{n}")),
                5 => ("method", format!("example.com/shop/internal/{part}.Service.{verb}{n}")),
                _ => ("function", format!("example.com/shop/internal/{part}.{verb}{n}")),
            };
            let score = 0.95 - f64::from(u32::try_from(n % 24).unwrap_or_default()) * 0.03;
            Symbol::new(kind, name).with_score(score).with_provenance("lsp_resolved")
        });
        let edges = (0..80u32).flat_map(|n| {
            [Edge::new(n, (n + 1) % 80, "calls"), Edge::new((n * 7 + 3) % 80, n, "references")]
        });
        World { symbols: symbols.collect(), edges: edges.collect(), edits: 0 }
    }
}

impl World {
    /// The 24 symbols from this one on, nearer ones first, and the edges among them.
    fn pack(&self, first: u32) -> Payload<'static> {
        const SIZE: u32 = 24;
        let symbol = |place: u32| {
            let symbol = self.symbols[(first + place) as usize].clone();
            symbol.with_distance(place / 8)
        };
        let inside = |end: u32| end.checked_sub(first).filter(|place| *place < SIZE);
        let edges = self.edges.iter().filter_map(|edge| {
            let (source, target) = (inside(edge.source)?, inside(edge.target)?);
            Some(Edge::new(source, target, edge.edge_type.clone()).with_status(edge.status.clone()))
        });
        Payload {
            tool: "context_for_task".into(),
            token_budget: 5000,
            symbols: (0..SIZE).map(symbol).collect(),
            edges: edges.collect(),
            ..Payload::default()
        }
    }

    fn rename(&mut self, index: usize) {
        self.edits += 1;
        let name = format!("{}V{}", self.symbols[index].qualified_name, self.edits + 1);
        self.symbols[index].qualified_name = name.into();
    }

    fn rescore(&mut self, index: usize) {
        for symbol in &mut self.symbols[index..index + 2] {
            symbol.score += 0.02;
        }
    }

    fn drop_edge(&mut self, index: usize) {
        self.edges.remove(index);
    }
}

/// The change before each call, and the pack that it gives.
pub(crate) type Packs = [(&'static str, Payload<'static>)];

fn json(packs: &Packs) -> Result<Vec<String>, String> {
    let encode = |(what, pack): &(&str, Payload<'_>)| {
        let mut out = Vec::new();
        Json::compact().encode(pack, &mut out).map_err(of(what))?;
        Ok(text_of(out))
    };
    packs.iter().map(encode).collect()
}

fn plain(packs: &Packs) -> Result<Vec<String>, String> {
    packs.iter().map(|(what, pack)| gcf::graph::to_string(pack).map_err(of(what))).collect()
}

fn text_of(out: Vec<u8>) -> String {
    String::from_utf8(out).expect("because these formats are text")
}

const READABLE: &str = "because it was just written";

/// Symbols that were sent before are references.
fn sessions(packs: &Packs) -> Result<Vec<String>, String> {
    let mut session = Session::new(Encoder::new()).redeclare_changed(true);
    let mut reader = SessionReader::new();
    let mut texts = Vec::new();
    for (minutes, (what, pack)) in (0u64..).zip(packs) {
        let mut out = Vec::new();
        let now = Duration::from_secs(60 * minutes);
        let sent = session.encode(pack, now, &mut out).map_err(of(what))?;
        let text = text_of(out);
        let read = reader.decode(&text).expect(READABLE);
        assert_same(&read, pack);
        session.confirm(sent.delivery);
        texts.push(text);
    }
    Ok(texts)
}

/// Only the changes since the previous pack, if they are smaller.
fn deltas(packs: &Packs) -> Result<Vec<String>, String> {
    let server = gcf::graph::Exchange::new(delta_encoder());
    let mut held: Option<Replica> = None;
    let mut texts = Vec::new();
    for (what, pack) in packs {
        let mut text = String::new();
        let request = held.as_ref().map_or(gcf::graph::Request::Full, Replica::request);
        server.answer(request, pack, &mut text).map_err(of(what))?;
        let next = match held.take() {
            None => Replica::from_answer(&text).expect(READABLE),
            Some(replica) => replica.receive(&text).expect(READABLE),
        };
        assert_same(next.payload(), pack);
        held = Some(next);
        texts.push(text);
    }
    Ok(texts)
}

/// A delta where it is worth it, else the payload in a session; and the delta may refer to the
/// session, too.
fn both(packs: &Packs) -> Result<Vec<String>, String> {
    let encoder = delta_encoder();
    let mut session = Session::new(encoder).redeclare_changed(true);
    let mut reader = SessionReader::new();
    let mut held: Option<Payload<'static>> = None;
    let mut texts = Vec::new();
    for (what, pack) in packs {
        let mut out = Vec::new();
        let between = |base| Delta::between(base, pack, &encoder, &WordPunctuation);
        let delta = match held.as_ref().map(between).transpose().map_err(of(what))? {
            Some(Ok(delta)) if delta.is_worth_it(0.6) => Some(delta),
            _ => None,
        };
        let (sent, text, next) = match (&held, delta) {
            (Some(base), Some(delta)) => {
                let sent =
                    session.encode_delta(&delta, Duration::ZERO, &mut out).map_err(of(what))?;
                let text = text_of(out);
                let next =
                    reader.apply_delta(&text, base).expect("because it was made of this base");
                (sent, text, next)
            }
            _ => {
                let sent = session.encode(pack, Duration::ZERO, &mut out).map_err(of(what))?;
                let text = text_of(out);
                let next = reader.decode(&text).expect(READABLE).into_owned();
                (sent, text, next)
            }
        };
        session.confirm(sent.delivery);
        assert_same(&next, pack);
        held = Some(next);
        texts.push(text);
    }
    Ok(texts)
}

/// With distances, so that the consumer ends up with all that a full payload would say.
fn delta_encoder() -> Encoder {
    Encoder::new().root_algorithm(Some(gcf::graph::RootAlgorithm::PackRootV1))
}

fn assert_same(read: &Payload<'_>, pack: &Payload<'_>) {
    let root =
        |payload: &Payload<'_>| delta_encoder().pack_root(payload).expect("because it was written");
    assert_eq!(root(read), root(pack));
}
