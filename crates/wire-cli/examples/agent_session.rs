//! What ten calls of an agent cost, with edits in between: as minified JSON, as GCF, and with what GCF can leave out
//! when the consumer keeps what it was sent.
//!
//! ```sh
//! cargo run -p wire-cli --example agent_session
//! cargo run -p wire-cli --example agent_session -- --svg chart.svg
//! ```
//!
//! Every text is read by a consumer, which must end up with what the producer has.

#![allow(clippy::print_stdout, clippy::print_stderr)] // printing is what it is for

use std::fmt::Write as _;
use std::time::Duration;
use std::{env, fs, process};

use gcf::graph::{Between, Delta, Encoder, Holding, Session, SessionReader};
use wire_core::{Codec, Edge, Payload, Symbol, TokenCounter, WordPunctuation};

/// The ways of sending, in the order of the columns.
const WAYS: [&str; 5] = ["JSON", "GCF", "GCF + session", "GCF + delta", "GCF + both"];

/// What one call costs in one way.
#[derive(Clone, Copy, Default)]
struct Cost {
    bytes: usize,
    tokens: usize,
}

struct Call {
    what: &'static str,
    costs: [Cost; WAYS.len()],
}

fn main() {
    let mut arguments = env::args().skip(1);
    let svg = match (arguments.next().as_deref(), arguments.next()) {
        (None, _) => None,
        (Some("--svg"), Some(path)) => Some(path),
        _ => {
            eprintln!("usage: agent_session [--svg FILE]");
            process::exit(2);
        }
    };
    let calls = play();
    print!("{}", table(&calls));
    if let Some(path) = svg {
        if let Err(error) = fs::write(&path, chart(&calls)) {
            eprintln!("{path} can't be written: {error}");
            process::exit(3);
        }
        println!("\nwritten: {path}");
    }
}

/// The packs that the agent gets, and what happened before each.
fn packs() -> Vec<(&'static str, Payload<'static>)> {
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
            Some(Edge { source, target, ..edge.clone() })
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

fn play() -> Vec<Call> {
    let packs = packs();
    let costs: Vec<[String; WAYS.len()]> = {
        let (json, plain) = (json(&packs), plain(&packs));
        let (sessions, deltas, both) = (sessions(&packs), deltas(&packs), both(&packs));
        json.into_iter()
            .zip(plain)
            .zip(sessions)
            .zip(deltas)
            .zip(both)
            .map(|((((json, plain), session), delta), both)| [json, plain, session, delta, both])
            .collect()
    };
    let cost = |text: String| Cost { bytes: text.len(), tokens: WordPunctuation.count(&text) };
    packs
        .into_iter()
        .zip(costs)
        .map(|((what, _), texts)| Call { what, costs: texts.map(cost) })
        .collect()
}

type Packs = [(&'static str, Payload<'static>)];

fn json(packs: &Packs) -> Vec<String> {
    let codec = wire_registry::json::Json::compact();
    let encode = |(_, pack): &(_, Payload<'_>)| {
        let mut out = Vec::new();
        codec.encode(pack, &mut out).expect("because no two symbols have one name");
        String::from_utf8(out).expect("because JSON is text")
    };
    packs.iter().map(encode).collect()
}

const WRITABLE: &str = "because the names are tokens";
const READABLE: &str = "because it was just written";

fn plain(packs: &Packs) -> Vec<String> {
    packs.iter().map(|(_, pack)| gcf::graph::to_string(pack).expect(WRITABLE)).collect()
}

/// Symbols that were sent before are references.
fn sessions(packs: &Packs) -> Vec<String> {
    let mut session = Session::new(Encoder::new()).redeclare_changed();
    let mut reader = SessionReader::new();
    let mut texts = Vec::new();
    for (minutes, (_, pack)) in (0u64..).zip(packs) {
        let mut out = Vec::new();
        let now = Duration::from_secs(60 * minutes);
        let sent = session.encode(pack, now, &mut out).expect(WRITABLE);
        let text = String::from_utf8(out).expect("because GCF is text");
        let read = reader.from_str(&text).expect(READABLE);
        assert_same(&read, pack);
        session.confirm(sent.delivery);
        texts.push(text);
    }
    texts
}

/// Only what has changed since the pack before, where that is less.
fn deltas(packs: &Packs) -> Vec<String> {
    let mut server = gcf::graph::Exchange::new(delta_encoder());
    let mut held: Option<Holding> = None;
    let mut texts = Vec::new();
    for (_, pack) in packs {
        let mut text = String::new();
        let request = held.as_ref().map_or(gcf::graph::Request::Full, Holding::request);
        server.answer(request, pack, &mut text).expect(WRITABLE);
        let next = match held.take() {
            None => Holding::from_answer(&text).expect(READABLE),
            Some(holding) => holding.receive(&text).expect(READABLE),
        };
        assert_same(next.payload(), pack);
        held = Some(next);
        texts.push(text);
    }
    texts
}

/// A delta where it is worth it, else the payload in a session; and the delta may refer to the session, too.
fn both(packs: &Packs) -> Vec<String> {
    let encoder = Encoder::new();
    let mut session = Session::new(encoder).redeclare_changed();
    let mut reader = SessionReader::new();
    let mut held: Option<Payload<'static>> = None;
    let mut texts = Vec::new();
    for (_, pack) in packs {
        let mut out = Vec::new();
        let delta = held.as_ref().and_then(|base| {
            // The identity root does not see scores, so that a delta would leave them as they are.
            let same_scores = base.symbols.iter().all(|symbol| {
                let same = |other: &&Symbol<'_>| other.qualified_name == symbol.qualified_name;
                pack.symbols.iter().find(same).is_none_or(|other| {
                    let hundredths = |score: f64| (score * 100.0).round();
                    hundredths(other.score) == hundredths(symbol.score)
                        && other.distance == symbol.distance
                })
            });
            match Delta::between(base, pack, &encoder, &WordPunctuation).expect(WRITABLE) {
                Between::Delta(delta) if same_scores && delta.is_worth_it(0.6) => Some(delta),
                _ => None,
            }
        });
        let text_of = |out: Vec<u8>| String::from_utf8(out).expect("because GCF is text");
        let (sent, text, next) = match (&held, delta) {
            (Some(base), Some(delta)) => {
                let sent = session.encode_delta(&delta, Duration::ZERO, &mut out).expect(WRITABLE);
                let text = text_of(out);
                let read = reader.delta_from_str(&text).expect(READABLE);
                let next = read.apply(base).expect("because it was made of this base");
                (sent, text, next)
            }
            _ => {
                let sent = session.encode(pack, Duration::ZERO, &mut out).expect(WRITABLE);
                let text = text_of(out);
                let next = reader.from_str(&text).expect(READABLE).into_owned();
                (sent, text, next)
            }
        };
        session.confirm(sent.delivery);
        assert_same_names(&next, pack);
        held = Some(next);
        texts.push(text);
    }
    texts
}

/// With distances, so that the consumer ends up with all that a full payload would say.
fn delta_encoder() -> Encoder {
    Encoder::new().root_algorithm(gcf::graph::RootAlgorithm::PackRootV1)
}

fn assert_same(read: &Payload<'_>, pack: &Payload<'_>) {
    let root = |payload: &Payload<'_>| delta_encoder().pack_root(payload).expect(WRITABLE);
    assert_eq!(root(read), root(pack));
}

/// A delta without distances does not say those of added symbols, and neither does it say new scores.
fn assert_same_names(read: &Payload<'_>, pack: &Payload<'_>) {
    let root = |payload: &Payload<'_>| Encoder::new().pack_root(payload).expect(WRITABLE);
    assert_eq!(root(read), root(pack));
}

fn table(calls: &[Call]) -> String {
    let mut text = String::from("| call | what happened |");
    for way in WAYS {
        let _ = write!(text, " {way} |");
    }
    text += "\n|---|---|";
    text += &"---|".repeat(WAYS.len());
    text.push('\n');
    let mut total = [Cost::default(); WAYS.len()];
    let row = |costs: &[Cost]| -> String {
        let shown = costs.iter().map(|cost| format!(" {} B, {} tokens |", cost.bytes, cost.tokens));
        shown.collect::<Vec<_>>().concat()
    };
    for (number, call) in (1..).zip(calls) {
        let _ = writeln!(text, "| {number} | {} |{}", call.what, row(&call.costs));
        for (total, cost) in total.iter_mut().zip(call.costs) {
            total.bytes += cost.bytes;
            total.tokens += cost.tokens;
        }
    }
    let _ = writeln!(text, "| | **together** |{}", row(&total));
    let _ = write!(text, "| | of JSON's tokens |");
    for cost in total {
        let _ =
            write!(text, " {} % |", (cost.tokens * 200 + total[0].tokens) / (total[0].tokens * 2));
    }
    text.push('\n');
    text
}

/// The tokens of all calls so far, a line for each way.
fn chart(calls: &[Call]) -> String {
    const COLOURS: [&str; WAYS.len()] = ["#777777", "#1b6ca8", "#2a9d5c", "#d97706", "#a3206b"];
    const WIDTH: usize = 560;
    const HEIGHT: usize = 300;
    let top: usize = calls.iter().map(|call| call.costs[0].tokens).sum();
    let mut svg = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 780 380\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"780\" height=\"380\" fill=\"white\"/>\n\
         <text x=\"60\" y=\"20\">Tokens of all calls so far (word-and-punctuation estimate)</text>\n",
    );
    let x = |call: usize| 60 + call * WIDTH / calls.len();
    let y = |tokens: usize| 340 - tokens * HEIGHT / top;
    for tenth in (0..=10).step_by(2) {
        let tokens = top * tenth / 10;
        let _ = writeln!(
            svg,
            "<line x1=\"60\" x2=\"{}\" y1=\"{y}\" y2=\"{y}\" stroke=\"#dddddd\"/><text x=\"54\" y=\"{}\" text-anchor=\"end\">{tokens}</text>",
            x(calls.len()),
            y(tokens) + 4,
            y = y(tokens),
        );
    }
    for call in 1..=calls.len() {
        let x = x(call);
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"360\" text-anchor=\"middle\">{call}</text>");
    }
    for (way, (name, colour)) in WAYS.into_iter().zip(COLOURS).enumerate() {
        let mut sum = 0;
        let mut points = format!("{},{}", x(0), y(0));
        for (number, call) in (1..).zip(calls) {
            sum += call.costs[way].tokens;
            let _ = write!(points, " {},{}", x(number), y(sum));
        }
        let _ = writeln!(
            svg,
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/><text x=\"{}\" y=\"{}\" fill=\"{colour}\">{name}: {sum}</text>",
            x(calls.len()) + 8,
            // The labels of the lower lines would lie on each other.
            if way == 0 { y(sum) + 4 } else { 262 + 18 * way },
        );
    }
    svg + "</svg>\n"
}
