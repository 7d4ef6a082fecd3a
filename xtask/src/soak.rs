//! `cargo xtask soak`: a producer and a consumer in two processes, and many payloads between them.
//!
//! Whole payloads, payloads of a session and deltas go over a pipe; some get lost, and either side
//! forgets what it knew. After each the consumer has what the producer meant, up to what the
//! dialect does not carry, and so are the roots. Memory stays as it was.

use std::env;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use allocation_counter::measure;
use clap::Args;
use gcf::graph::{Delta, Dialect, DiffOutcome, Encoder, Session, SessionReader};
use wire_core::{Codec, Edge, Payload, Symbol, WordPunctuation};
use wire_fuzz_bodies::Random;
use wire_registry::json::Json;

use crate::tools::Outcome;

#[derive(Args)]
pub(crate) struct Options {
    /// How many payloads, in each of the three ways of writing them a third.
    #[arg(long, default_value_t = 200_000)]
    payloads: u64,
    /// Where the random numbers begin.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Be the consumer of the payloads on standard input.
    #[arg(long, value_name = "WAY", hide = true)]
    consume: Option<usize>,
}

impl Options {
    /// Few enough for a test.
    pub(crate) fn for_ci() -> Self {
        Options { payloads: 3_000, seed: 1, consume: None }
    }
}

/// The ways of writing payloads, and whether deltas carry distances.
fn way(index: usize) -> (&'static str, Encoder, bool) {
    match index {
        0 => ("V1", Encoder::new(), false),
        1 => (
            "V1_4, with distances in deltas",
            Encoder::new().dialect(Dialect::V1_4).distances_in_deltas(true),
            true,
        ),
        _ => ("V3", Encoder::new().dialect(Dialect::V3), true),
    }
}

/// The payloads between two looks at the memory.
const BATCH: u64 = 500;
/// How many quarters of the memory of an earlier batch a later one may take.
const MOST_GROWTH: u64 = 5;

pub(crate) fn run(options: &Options) -> Outcome {
    if let Some(index) = options.consume {
        return consume(index);
    }
    for index in 0..3 {
        let (name, encoder, _) = way(index);
        let counts = produce(index, encoder, options)?;
        println!("{name}: {counts}");
    }
    Ok(())
}

/// What a frame holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Payload = 0,
    Delta = 1,
    /// The producer begins anew.
    Reset = 2,
    End = 3,
}

/// What the consumer says to it.
const TAKEN: u8 = b'+';
/// It took it, and then forgot everything.
const FORGOTTEN: u8 = b'0';

fn send(to: &mut impl Write, kind: Kind, text: &[u8], meant: &[u8]) -> io::Result<()> {
    to.write_all(&[kind as u8])?;
    for part in [text, meant] {
        to.write_all(&u32::try_from(part.len()).expect("because it is small").to_le_bytes())?;
        to.write_all(part)?;
    }
    to.flush()
}

fn receive(from: &mut impl Read) -> io::Result<(u8, Vec<u8>, Vec<u8>)> {
    let mut kind = [0];
    from.read_exact(&mut kind)?;
    let mut part = || {
        let mut length = [0; 4];
        from.read_exact(&mut length)?;
        let mut part = vec![0; u32::from_le_bytes(length) as usize];
        from.read_exact(&mut part)?;
        io::Result::Ok(part)
    };
    Ok((kind[0], part()?, part()?))
}

fn said(error: impl std::fmt::Display) -> String {
    error.to_string()
}

struct Producer {
    random: Random,
    encoder: Encoder,
    session: Session,
    /// What is current, and what the consumer has.
    current: Payload<'static>,
    held: Option<Payload<'static>>,
    now: Duration,
    next: u32,
    counts: Counts,
}

#[derive(Default)]
struct Counts {
    payloads: u64,
    deltas: u64,
    lost: u64,
    resets: u64,
    forgotten: u64,
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Counts { payloads, deltas, lost, resets, forgotten } = self;
        write!(
            f,
            "{payloads} payloads and {deltas} deltas, {lost} lost; the producer began anew {resets} times, the consumer {forgotten} times"
        )
    }
}

fn produce(index: usize, encoder: Encoder, options: &Options) -> Result<Counts, String> {
    let program = env::current_exe().map_err(said)?;
    let mut child = Command::new(program)
        .args(["soak", "--consume", &index.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(said)?;
    let mut to = BufWriter::new(child.stdin.take().ok_or("no pipe")?);
    let mut from = child.stdout.take().ok_or("no pipe")?;
    let mut producer = Producer {
        random: Random::new(options.seed + index as u64),
        encoder,
        session: Session::new(encoder).redeclare_changed(true),
        current: Payload { tool: "soak".into(), token_budget: 5_000, ..Payload::default() },
        held: None,
        now: Duration::ZERO,
        next: 0,
        counts: Counts::default(),
    };
    let outcome = flat(options.payloads / 3, || producer.step(&mut to, &mut from));
    let ended = outcome.and_then(|()| send(&mut to, Kind::End, &[], &[]).map_err(said));
    drop(to);
    let status = child.wait().map_err(said)?;
    if !status.success() {
        return Err(format!("the consumer gave up: {status}"));
    }
    ended.map(|()| producer.counts)
}

/// Does a step so many times, and looks at the memory of each batch.
fn flat(times: u64, mut step: impl FnMut() -> Result<bool, String>) -> Outcome {
    let mut peaks = Vec::new();
    let mut done = 0;
    let mut goes_on = Ok(true);
    while done < times && matches!(goes_on, Ok(true)) {
        let memory = measure(|| {
            for _ in 0..BATCH {
                if matches!(goes_on, Ok(true)) {
                    goes_on = step();
                    done += 1;
                }
            }
        });
        peaks.push(memory.bytes_max);
    }
    goes_on?;
    // The first batches fill what is bounded.
    let (early, late) = peaks.split_at(peaks.len() / 2);
    if let (Some(&early), Some(&late)) = (early.iter().max(), late.iter().max())
        && late > early / 4 * MOST_GROWTH
    {
        return Err(format!("a batch took {early} bytes, and a later one {late}"));
    }
    Ok(())
}

impl Producer {
    /// Changes the payload, sends it, and notes what the consumer made of it.
    fn step(
        &mut self,
        to: &mut BufWriter<ChildStdin>,
        from: &mut ChildStdout,
    ) -> Result<bool, String> {
        self.change();
        self.now += Duration::from_secs(1);
        if self.random.below(400) == 0 {
            self.counts.resets += 1;
            self.session.reset();
            self.held = None;
            send(to, Kind::Reset, &[], &[]).map_err(said)?;
        }
        let mut text = Vec::new();
        let delta = match &self.held {
            Some(held) if self.random.below(5) < 2 => Some(
                Delta::between(held, &self.current, &self.encoder, &WordPunctuation)
                    .map_err(said)?,
            ),
            _ => None,
        };
        let (kind, sent) = match delta {
            Some(DiffOutcome::Delta(delta)) => {
                self.counts.deltas += 1;
                (Kind::Delta, self.session.encode_delta(&delta, self.now, &mut text))
            }
            _ => {
                self.counts.payloads += 1;
                (Kind::Payload, self.session.encode(&self.current, self.now, &mut text))
            }
        };
        let sent = sent.map_err(said)?;
        if self.random.below(30) == 0 {
            self.counts.lost += 1;
            // Whether it says so or not, what was in it is declared again.
            if self.random.below(2) == 0 {
                self.session.roll_back(sent.delivery);
            }
            return Ok(true);
        }
        let mut meant = Vec::new();
        Json::compact().encode(&self.current, &mut meant).map_err(said)?;
        send(to, kind, &text, &meant).map_err(said)?;
        let mut answer = [0];
        from.read_exact(&mut answer).map_err(|_| "the consumer is gone".to_owned())?;
        match answer[0] {
            TAKEN => {
                self.session.confirm(sent.delivery);
                self.held = Some(self.current.clone());
            }
            _ => {
                self.counts.forgotten += 1;
                self.session.reset();
                self.held = None;
            }
        }
        Ok(true)
    }

    /// Replaces a few symbols and edges.
    #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)] // all of them are small
    fn change(&mut self) {
        let random = &mut self.random;
        let symbols = &mut self.current.symbols;
        for _ in 0..=random.below(3) {
            // Names come back after a while, with other scores.
            self.next = (self.next + 1) % 5_000;
            let kind = ["function", "type", "widget"][random.below(3)];
            let symbol = Symbol::new(kind, format!("pkg.internal/größe.Symbol{}", self.next))
                .with_score(random.below(101) as f64 / 100.0)
                .with_provenance(["lsp_resolved", "rwr"][random.below(2)])
                .with_distance(random.below(4) as u32);
            let is_there =
                symbols.iter().any(|known| known.qualified_name == symbol.qualified_name);
            match symbols.len() {
                _ if is_there => {}
                0..20 => symbols.push(symbol),
                count => symbols[random.below(count)] = symbol,
            }
        }
        let count = symbols.len();
        self.current.edges.clear();
        for _ in 0..random.below(2 * count) {
            let edge = Edge::new(
                random.below(count) as u32,
                random.below(count) as u32,
                ["calls", "haunts"][random.below(2)],
            );
            if !self.current.edges.contains(&edge) {
                self.current.edges.push(edge);
            }
        }
        self.current.tokens_used = random.below(5_000) as u64;
        self.current.rank();
    }
}

#[allow(clippy::print_stderr)] // standard output is the pipe
fn consume(index: usize) -> Outcome {
    let (_, encoder, distances) = way(index);
    let mut input = BufReader::new(io::stdin().lock());
    let mut output = io::stdout().lock();
    let mut reader = SessionReader::new();
    let mut held: Option<Payload<'static>> = None;
    let mut random = Random::new(7);
    flat(u64::MAX, || {
        let (kind, text, meant) = receive(&mut input).map_err(said)?;
        let found = match kind {
            kind if kind == Kind::End as u8 => return Ok(false),
            kind if kind == Kind::Reset as u8 => {
                reader.reset();
                held = None;
                return Ok(true);
            }
            kind if kind == Kind::Delta as u8 => {
                let base = held.as_ref().ok_or("a delta without its base")?;
                let text = std::str::from_utf8(&text).map_err(|error| error.to_string())?;
                reader.apply_delta(text, base).map_err(said)?
            }
            _ => reader.from_slice(&text).map_err(said)?.into_owned(),
        };
        let meant = Json::compact().decode(&meant).map_err(said)?;
        let roots = [encoder.pack_root(&found), encoder.pack_root(&meant)];
        let [Ok(root), Ok(expected)] = roots else { return Err(format!("{roots:?}")) };
        let (found_plain, meant) = (plain(&found, distances), plain(&meant, distances));
        if root != expected || found_plain != meant {
            return Err(format!(
                "{}\nreads as\n{found_plain:?}\nexpected\n{meant:?}",
                String::from_utf8_lossy(&text)
            ));
        }
        held = Some(found);
        let forgets = random.below(500) == 0;
        if forgets {
            reader.reset();
            held = None;
        }
        output.write_all(&[if forgets { FORGOTTEN } else { TAKEN }]).map_err(said)?;
        output.flush().map_err(said)?;
        Ok(true)
    })
    .inspect_err(|problem| eprintln!("{problem}"))
}

/// What all ways of writing carry, in an order of its own: a delta leaves what it does not name
/// where it was.
fn plain(payload: &Payload<'_>, distances: bool) -> (Vec<String>, Vec<String>) {
    let name = |index: u32| &payload.symbols[index as usize].qualified_name;
    let mut symbols: Vec<String> = payload
        .symbols
        .iter()
        .map(|symbol| {
            let distance = if distances { symbol.distance } else { 0 };
            format!(
                "{} {} {} {} {distance}",
                symbol.kind, symbol.qualified_name, symbol.score, symbol.provenance
            )
        })
        .collect();
    let mut edges: Vec<String> = payload
        .edges
        .iter()
        .map(|edge| format!("{} {} {}", name(edge.source), name(edge.target), edge.edge_type))
        .collect();
    symbols.sort_unstable();
    edges.sort_unstable();
    (symbols, edges)
}
