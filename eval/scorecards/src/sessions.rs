//! What sessions and deltas save when an agent asks again: lines of `docs/scorecards/formats.md`.

use std::fmt::Write as _;
use std::time::Duration;

use anyhow::{Result, ensure};
use gcf::graph::{Delta, Encoder, Exchange, Replica, Request, RootAlgorithm, Session};
use wire_core::{Edge, Payload, Symbol, WordPunctuation};
use wire_tokens::measure::{change, median, part_saved, percent, ratio};
use wire_tokens::{Counter, TokenCounter as _};

use crate::formats::{pack, registry};

/// If one of 29 symbols changes, 28 are the same: 96.6 %, an overlap for which the documentation
/// states a figure.
const SIZE: usize = 29;

/// The lines, each of which the page has.
pub(crate) fn figures() -> Result<String> {
    let mut out = String::new();
    let texts = ways(&calls())?;
    for (name, counter) in [("words", Counter::WordPunctuation), ("cl100k", Counter::Cl100kBase)] {
        let of = |texts: &Vec<String>| texts.iter().map(|text| counter.count(text)).sum();
        let [json, gcf, session, delta, both]: [usize; 5] = texts.each_ref().map(of);
        let [of_json, of_gcf] = [json, gcf].map(|full| change(part_saved(full, both)));
        writeln!(
            out,
            "| {name} | {json} | {gcf} | {session} | {delta} | {both} | {of_json} | {of_gcf} |"
        )?;
        if name == "words" {
            writeln!(out, "| against JSON with both | below −95 % | {of_json} |")?;
        }
    }
    let [unchanged, one, two, three, five] = saved([0, 1, 2, 3, 5])?.map(percent);
    writeln!(
        out,
        "a delta saves {one}, {two} or {three} of GCF in full by words; with five replaced it is over 60 % of the full payload"
    )?;
    ensure!(five == percent(0.0), "with five replaced a delta is sent, which saves {five}");
    writeln!(out, "| against GCF at an overlap of 96.6 % | −81.2 % | −{one} |")?;
    writeln!(out, "| when nothing has changed | −93 to −99 % (bytes) | −{unchanged} |")?;
    let [_, gcf, _, deltas, _] = &texts;
    let later: Vec<(&String, &String)> = deltas.iter().zip(gcf).skip(1).collect();
    let shorter = later.iter().filter(|(delta, gcf)| delta.len() < gcf.len()).count();
    let shorter = percent(ratio(shorter, later.len()));
    writeln!(out, "| questions asked again that are answered shorter | 81.2 % | {shorter} |")?;
    let deltas = later.iter().filter(|(delta, _)| delta.contains(" delta=true "));
    let words = |text: &str| Counter::WordPunctuation.count(text);
    let sizes = deltas.map(|(delta, gcf)| ratio(words(delta), words(gcf))).collect();
    let size = percent(median(sizes));
    writeln!(out, "| size of a delta, of the full payload | 18.8 % (mean) | {size} (median) |")?;
    Ok(out)
}

/// With distances, so that the consumer ends up with all that a full payload would say.
fn encoder() -> Encoder {
    Encoder::new().root_algorithm(Some(RootAlgorithm::PackRootV1))
}

/// The texts of calls as JSON, as GCF in full, in a session, as deltas where these are worth it, and
/// as deltas that refer to a session.
fn ways(packs: &[Payload<'static>]) -> Result<[Vec<String>; 5]> {
    let registry = registry();
    let server = Exchange::new(encoder());
    let mut replica: Option<Replica> = None;
    let mut session = Session::new(Encoder::new()).redeclare_changed(true);
    let mut both = Session::new(encoder()).redeclare_changed(true);
    let mut texts: [Vec<String>; 5] = Default::default();
    for (call, pack) in packs.iter().enumerate() {
        let mut in_session = Vec::new();
        let now = Duration::from_secs(60 * call as u64);
        let sent = session.encode(pack, now, &mut in_session)?;
        session.confirm(sent.delivery);

        let mut answer = String::new();
        let request = replica.as_ref().map_or(Request::Full, Replica::request);
        server.answer(request, pack, &mut answer)?;
        replica = Some(match replica {
            None => Replica::from_answer(&answer)?,
            Some(replica) => replica.receive(&answer)?,
        });

        let mut of_both = Vec::new();
        let base = call.checked_sub(1).map(|last| &packs[last]);
        let delta = base.map(|base| Delta::between(base, pack, &encoder(), &WordPunctuation));
        let sent = match delta.transpose()? {
            Some(Ok(delta)) if delta.is_worth_it(0.6) => {
                both.encode_delta(&delta, Duration::ZERO, &mut of_both)?
            }
            _ => both.encode(pack, Duration::ZERO, &mut of_both)?,
        };
        both.confirm(sent.delivery);

        texts[0].push(String::from_utf8(registry.encode("json", pack)?)?);
        texts[1].push(gcf::graph::to_string(pack)?);
        texts[2].push(String::from_utf8(in_session)?);
        texts[3].push(answer);
        texts[4].push(String::from_utf8(of_both)?);
    }
    Ok(texts)
}

/// The parts of GCF in full, by words, that a server's answers save after so many of the symbols
/// with the lowest scores were replaced, as if the question had changed a little.
fn saved<const N: usize>(changes: [usize; N]) -> Result<[f64; N]> {
    let mut base = pack("context_for_task_30")?;
    base.symbols.truncate(SIZE);
    base.edges.retain(|edge| (edge.source.max(edge.target) as usize) < SIZE);
    base.pack_root = None;
    let mut lowest: Vec<usize> = (0..SIZE).collect();
    let score = |index: usize| base.symbols[index].score;
    lowest.sort_by(|a, b| score(*a).total_cmp(&score(*b)).then(b.cmp(a)));
    let server = Exchange::new(encoder());
    let mut parts = [0.0; N];
    for (part, count) in parts.iter_mut().zip(changes) {
        let mut new = base.clone();
        for &index in &lowest[..count] {
            let symbol = &mut new.symbols[index];
            symbol.qualified_name = format!("{}V2", symbol.qualified_name).into();
        }
        let (mut full, mut sent) = (String::new(), String::new());
        let held = server.answer(Request::Full, &base, &mut String::new())?.root;
        server.answer(Request::Full, &new, &mut full)?;
        server.answer(Request::Since(&held), &new, &mut sent)?;
        *part = part_saved(WordPunctuation.count(&full), WordPunctuation.count(&sent));
    }
    Ok(parts)
}

/// Ten packs that an agent receives, with edits of the code in between.
fn calls() -> Vec<Payload<'static>> {
    let mut world = World::default();
    // The first question, the same again, a function was renamed, recency changed two scores, a
    // neighbouring question.
    let mut packs = vec![world.pack(0), world.pack(0)];
    world.rename(4);
    packs.push(world.pack(0));
    world.rescore(7);
    packs.extend([world.pack(0), world.pack(3)]);
    // An edit removed a call, another part of the code, the same again, a type was renamed, back to
    // the first question.
    world.rename(11);
    world.edges.remove(5);
    packs.extend([world.pack(3), world.pack(40), world.pack(40)]);
    world.rename(45);
    packs.extend([world.pack(40), world.pack(0)]);
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
}
