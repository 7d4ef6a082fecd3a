//! Laws of sessions: whatever is lost, repeated or forgotten, the consumer has what the producer
//! sent.

use std::cell::Cell;
use std::time::Duration;

use gcf::graph::{
    Decoder, Delivery, Delta, Dialect, Encoder, FullReason, Outcome, RootAlgorithm, Session,
    SessionLimits, SessionReader, SymbolKey,
};
use proptest::prelude::*;
use wire_core::{Edge, PackRoot, Payload, Symbol};

/// One thing that happens between a producer and a consumer.
#[derive(Clone, Debug)]
enum Step {
    Send { payload: Payload<'static>, fate: Fate, seconds: u64 },
    Reset,
}

/// The fate of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Confirmed,
    Lost,
    /// It arrives, and the producer takes it for lost.
    TakenForLost,
    Unconfirmed,
    Repeated,
    /// It arrives, and the producer learns it one call later.
    ConfirmedLater,
}

/// Payloads of a small world, so that symbols come again.
fn payload() -> impl Strategy<Value = Payload<'static>> {
    let symbol = (0..8u32, 0..2usize, 0..3u32, 0..3u32, 0..2usize);
    let symbols = proptest::collection::vec(symbol, 0..6);
    let edges = proptest::collection::vec((any::<u32>(), any::<u32>(), 0..2usize), 0..4);
    (symbols, edges).prop_map(|(symbols, edges)| {
        let mut payload = Payload { tool: "t".into(), ..Payload::default() };
        for (name, kind, score, distance, provenance) in symbols {
            let symbol = Symbol::new(["function", "widget"][kind], format!("pkg.s{name}"))
                .with_score(f64::from(score) / 4.0)
                .with_distance(distance)
                .with_provenance(["lsp_resolved", "rwr"][provenance]);
            payload.symbols.push(symbol);
        }
        let count = u32::try_from(payload.symbols.len()).expect("because there are few");
        if count > 0 {
            for (source, target, edge_type) in edges {
                let edge_type = ["calls", "haunts"][edge_type];
                payload.edges.push(Edge::new(source % count, target % count, edge_type));
            }
        }
        payload
    })
}

fn step() -> impl Strategy<Value = Step> {
    use Fate::{Confirmed, ConfirmedLater, Lost, Repeated, TakenForLost, Unconfirmed};
    let fates = [Confirmed, Confirmed, Lost, TakenForLost, Unconfirmed, Repeated, ConfirmedLater];
    let fate = proptest::sample::select(fates.to_vec());
    prop_oneof![
        9 => (payload(), fate, 0..40u64)
            .prop_map(|(payload, fate, seconds)| Step::Send { payload, fate, seconds }),
        1 => Just(Step::Reset),
    ]
}

fn limits(set: impl FnOnce(&mut SessionLimits)) -> SessionLimits {
    let mut limits = SessionLimits::default();
    set(&mut limits);
    limits
}

proptest! {
    #[test]
    fn the_consumer_has_what_the_producer_sent(
        steps in proptest::collection::vec(step(), 1..25),
        dialect in proptest::sample::select(Dialect::ALL),
        max_ids in 3..12u32,
    ) {
        // Idle times over 30 seconds end the session.
        let limits =
            limits(|limits| { limits.ids = max_ids; limits.idle = Duration::from_secs(30); limits.deliveries = 2; });
        let encoder = Encoder::new().dialect(dialect);
        let mut exact = Session::new(encoder).limits(limits).redeclare_changed(true);
        let mut brief = Session::new(encoder).limits(limits);
        let mut readers = [SessionReader::new(), SessionReader::new()];
        let mut now = Duration::ZERO;
        let mut late: Option<[Delivery; 2]> = None;
        for step in steps {
            let (payload, fate) = match step {
                Step::Reset => {
                    exact.reset();
                    brief.reset();
                    readers.iter_mut().for_each(SessionReader::reset);
                    continue;
                }
                Step::Send { payload, fate, seconds } => {
                    now += Duration::from_secs(seconds);
                    (payload, fate)
                }
            };
            let mut expected = payload.clone();
            dialect.fidelity().project(&mut expected);
            let sent = [&mut exact, &mut brief].map(|session| {
                let mut out = Vec::new();
                let sent = session.encode(&payload, now, &mut out).unwrap();
                (sent, String::from_utf8(out).unwrap())
            });
            for (index, (sent, text)) in sent.iter().enumerate() {
                let full = matches!(sent.outcome, Outcome::Full(_));
                prop_assert_eq!(text.contains("session=true"), !full);
                if fate == Fate::Lost {
                    // A consumer that missed a full payload has to start over, as one that a reader
                    // tells apart only when a declaration collides; asking for it is the
                    // transport's business here.
                    if full {
                        readers[index].reset();
                    }
                    continue;
                }
                for _ in 0..if fate == Fate::Repeated { 2 } else { 1 } {
                    let mut read = readers[index].decode(text).unwrap().into_owned();
                    if dialect == Dialect::V3 && !full {
                        // Edges stand in the order of the session's ids.
                        read.edges.sort_by_key(|e| (e.source, e.target, e.edge_type.as_str().to_owned()));
                    }
                    if index == 0 {
                        prop_assert_eq!(&read, &expected, "{}", text);
                        continue;
                    }
                    // A reference does not say that a score or provenance has changed.
                    for (symbol, expected) in read.symbols.iter_mut().zip(&expected.symbols) {
                        symbol.score = expected.score;
                        symbol.provenance = expected.provenance.clone();
                    }
                    prop_assert_eq!(&read, &expected, "{}", text);
                }
            }
            let deliveries = sent.map(|(sent, _)| sent.delivery);
            if let Some([first, second]) = late.take() {
                exact.confirm(first);
                brief.confirm(second);
            }
            match fate {
                Fate::Confirmed | Fate::Repeated => {
                    exact.confirm(deliveries[0]);
                    brief.confirm(deliveries[1]);
                }
                Fate::Lost | Fate::TakenForLost => {
                    exact.roll_back(deliveries[0]);
                    brief.roll_back(deliveries[1]);
                }
                Fate::Unconfirmed => {}
                Fate::ConfirmedLater => late = Some(deliveries),
            }
            prop_assert!(exact.ids() <= max_ids as usize && readers[0].ids() <= max_ids as usize);
        }
    }

    #[test]
    fn a_reader_that_missed_a_payload_says_so_or_has_it(
        payloads in proptest::collection::vec(payload(), 2..6),
        missed in 0..5usize,
    ) {
        // The producer believes that everything arrived.
        let mut session = Session::new(Encoder::new());
        let mut reader = SessionReader::new();
        for (number, payload) in payloads.iter().enumerate() {
            let mut out = Vec::new();
            let sent = session.encode(payload, Duration::ZERO, &mut out).unwrap();
            session.confirm(sent.delivery);
            let text = String::from_utf8(out).unwrap();
            if number == missed {
                continue;
            }
            match reader.decode(&text) {
                Ok(read) => {
                    let mut expected = payload.clone();
                    expected.canonicalize();
                    let names = |payload: &Payload<'_>| -> Vec<String> {
                        payload.symbols.iter().map(|s| format!("{} {}", s.kind, s.qualified_name)).collect()
                    };
                    prop_assert_eq!(names(&read), names(&expected));
                }
                Err(error) => {
                    let expected = ["unresolved_reference", "session_id_conflict"];
                    prop_assert!(expected.contains(&error.code()), "{}", error);
                }
            }
        }
    }
}

fn symbols(names: &[&'static str]) -> Payload<'static> {
    Payload {
        tool: "t".into(),
        symbols: names.iter().map(|name| Symbol::new("function", *name)).collect(),
        ..Payload::default()
    }
}

fn send(session: &mut Session, payload: &Payload<'_>, seconds: u64) -> (Outcome, String) {
    let mut out = Vec::new();
    let sent = session
        .encode(payload, Duration::from_secs(seconds), &mut out)
        .expect("because it can be written");
    session.confirm(sent.delivery);
    (sent.outcome, String::from_utf8(out).expect("because GCF is text"))
}

#[test]
fn times_end_a_session() {
    let limits = limits(|limits| {
        limits.idle = Duration::from_secs(60);
        limits.lifetime = Duration::from_secs(100);
    });
    let mut session = Session::new(Encoder::new()).limits(limits);
    let payload = symbols(&["a"]);
    let new = Outcome::Session { declared: 1, referenced: 0 };
    let known = Outcome::Session { declared: 0, referenced: 1 };
    assert_eq!(send(&mut session, &payload, 0).0, new);
    assert_eq!(send(&mut session, &payload, 60).0, known);
    assert_eq!(send(&mut session, &payload, 121).0, Outcome::Full(FullReason::Expired));
    assert_eq!(session.ids(), 0);
    assert_eq!(send(&mut session, &payload, 122).0, new);
    assert_eq!(send(&mut session, &payload, 180).0, known);
    assert_eq!(send(&mut session, &payload, 230).0, Outcome::Full(FullReason::Expired));
}

#[test]
fn an_error_leaves_no_trace() {
    let mut session = Session::new(Encoder::new());
    let mut bad = symbols(&["a", "operator new"]);
    let mut out = b"before".to_vec();
    let error = session.encode(&bad, Duration::ZERO, &mut out).unwrap_err();
    assert_eq!((error.code(), &*out), ("invalid_name", &b"before"[..]));
    assert_eq!(session.ids(), 0);
    bad.symbols.pop();
    assert_eq!(send(&mut session, &bad, 0).1.lines().last(), Some("@0 fn a 0.00 structural"));
}

#[test]
fn replaced_names_identify_symbols() {
    let mut session = Session::new(Encoder::new().replace_white_space(Some('_')));
    send(&mut session, &symbols(&["operator new"]), 0);
    let (outcome, _) = send(&mut session, &symbols(&["operator_new"]), 1);
    assert_eq!(outcome, Outcome::Session { declared: 0, referenced: 1 });
    let (outcome, _) = send(&mut session, &symbols(&["operator_new", "operator new"]), 2);
    assert_eq!(outcome, Outcome::Full(FullReason::DuplicateSymbol));
}

#[test]
fn deltas_of_a_session_refer_to_what_is_known() {
    let root = |text: &'static str| PackRoot::new(text).unwrap();
    let mut delta = Delta::new("t", root("a1"), root("b2"));
    delta.removed.push(SymbolKey::new("function", "pkg.Gone"));
    let known = Symbol::new("function", "pkg.Known").with_score(0.5).with_distance(2);
    delta.added = vec![known.clone(), Symbol::new("type", "pkg.New").with_score(0.25)];

    let mut session = Session::new(Encoder::new());
    let mut reader = SessionReader::new();
    let payload = Payload { tool: "t".into(), symbols: vec![known], ..Payload::default() };
    let (_, text) = send(&mut session, &payload, 0);
    reader.decode(&text).unwrap();

    let mut out = Vec::new();
    let sent = session.encode_delta(&delta, Duration::ZERO, &mut out).unwrap();
    assert_eq!(sent.outcome, Outcome::Session { declared: 1, referenced: 1 });
    let text = String::from_utf8(out).unwrap();
    assert_eq!(
        text,
        "GCF tool=t delta=true base_root=a1 new_root=b2 session=true\n## removed\nfn pkg.Gone\n\
         ## added\n@0  # previously transmitted\n@1 type pkg.New 0.25 structural\n"
    );
    assert_eq!(reader.decode_delta(&text).unwrap(), delta);
    assert_eq!(Decoder::new().decode_delta(&text).unwrap_err().code(), "unresolved_reference");
    // What the delta declared can be referred to from now on.
    session.confirm(sent.delivery);
    let (_, text) = send(&mut session, &symbols(&["pkg.Other"]), 0);
    assert!(text.contains("@2 fn pkg.Other"));

    // From 3 on a delta stands on its own, and so does one with distances.
    for encoder in [Encoder::new().dialect(Dialect::V3), Encoder::new().distances_in_deltas(true)] {
        let mut session = Session::new(encoder);
        send(&mut session, &payload, 0);
        let mut out = Vec::new();
        let sent = session.encode_delta(&delta, Duration::ZERO, &mut out).unwrap();
        assert_eq!(sent.outcome, Outcome::Plain);
        assert_eq!(Decoder::new().decode_delta(&out).unwrap(), delta);
    }
}

#[test]
fn a_reader_is_bounded() {
    let limits = wire_core::Limits::DEFAULT.with_items(2);
    let mut reader = SessionReader::new().decoder(Decoder::new().limits(limits));
    let mut session = Session::new(Encoder::new());
    for names in [&["a", "b"][..], &["b", "c"]] {
        let (_, text) = send(&mut session, &symbols(names), 0);
        let read = reader.decode(&text).map(|payload| payload.symbols.len());
        match names[0] {
            "a" => assert_eq!(read.unwrap(), 2),
            _ => assert_eq!(read.unwrap_err().code(), "too_many_items"),
        }
    }
    assert_eq!(reader.ids(), 2);
}

#[test]
fn a_broken_session_reads_no_references_in_deltas() {
    let mut reader = SessionReader::new();
    reader.decode("GCF tool=t session=true\n@0 fn a 0.50 x\n").unwrap();
    let delta = "GCF tool=t delta=true base_root=a1 new_root=b2 session=true\n## added\n@0  # previously transmitted\n";
    assert_eq!(reader.decode_delta(delta).unwrap().added.len(), 1);
    let conflict = "GCF tool=t session=true\n@0 fn b 0.50 x\n";
    assert_eq!(reader.decode(conflict).unwrap_err().code(), "session_id_conflict");
    assert_eq!(reader.decode_delta(delta).unwrap_err().code(), "session_id_conflict");
    // A delta that stands on its own is no part of the session.
    let plain =
        delta.replace(" session=true", "").replace("@0  # previously transmitted", "@0 fn b 0.5 x");
    assert_eq!(reader.decode_delta(&plain).unwrap().added.len(), 1);
    reader.reset();
    assert_eq!(reader.decode(conflict).unwrap().symbols.len(), 1);
}

#[test]
fn what_can_not_be_written_can_not_be_referred_to() {
    let mut session = Session::new(Encoder::new());
    send(&mut session, &symbols(&["a"]), 0);
    let mut bad = symbols(&["a"]);
    bad.symbols[0].score = f64::NAN;
    let error = session.encode(&bad, Duration::ZERO, &mut Vec::new()).unwrap_err();
    assert_eq!(error.code(), "invalid_score");
    bad.symbols[0] = Symbol::new("function", "a").with_provenance("by hand");
    let error = session.encode(&bad, Duration::ZERO, &mut Vec::new()).unwrap_err();
    assert_eq!(error.code(), "invalid_name");
}

#[test]
fn cuts_between_symbols_show_by_option() {
    let mut session = Session::new(Encoder::new().dialect(Dialect::V3));
    let (_, text) = send(&mut session, &symbols(&["a", "b", "c"]), 0);
    let cut = text.find("@2").unwrap();
    assert!(SessionReader::new().decode(&text[..cut]).is_ok(), "the format counts the result");
    let mut careful = SessionReader::new().require_symbol_count(true);
    assert_eq!(careful.decode(&text[..cut]).unwrap_err().code(), "count_mismatch");
    assert_eq!(careful.decode(&text).unwrap().symbols.len(), 3);
    let mut small = SessionReader::new().max_ids(2);
    assert_eq!(small.decode(&text).unwrap_err().code(), "too_many_items");
}

#[test]
fn many_kinds_of_one_name_take_linear_time() {
    let payload = Payload {
        tool: "t".into(),
        symbols: (0..30_000).map(|n| Symbol::new(format!("kind{n}"), "name")).collect(),
        ..Payload::default()
    };
    let mut session = Session::new(Encoder::new());
    for _ in 0..3 {
        send(&mut session, &payload, 0);
    }
    assert_eq!(session.ids(), 30_000);
}

/// Events of texts between a producer and a consumer that don't know of each other's
/// restarts.
#[derive(Clone, Debug)]
enum Event {
    Send {
        payload: Payload<'static>,
        arrives: bool,
        confirmed: bool,
    },
    /// A text that was sent before arrives, late or again.
    Late(prop::sample::Index),
    ProducerRestarts,
    ConsumerRestarts,
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        6 => (payload(), any::<bool>(), any::<bool>())
            .prop_map(|(payload, arrives, confirmed)| Event::Send { payload, arrives, confirmed }),
        3 => any::<prop::sample::Index>().prop_map(Event::Late),
        1 => Just(Event::ProducerRestarts),
        1 => Just(Event::ConsumerRestarts),
    ]
}

/// With roots a text resolves to the payload that it was made of, or is refused, whatever was lost,
/// repeated, reordered or forgotten (ruling G17).
#[test]
fn with_roots_no_text_resolves_to_another_payload() {
    let (accepted, refused) = (Cell::new(0), Cell::new(0));
    proptest!(|(events in proptest::collection::vec(event(), 1..30), dialect in proptest::sample::select(Dialect::ALL))| {
        let encoder = Encoder::new().dialect(dialect).root_algorithm(Some(RootAlgorithm::PackRootV1));
        let start = || Session::new(Encoder::new().dialect(dialect)).compute_roots(true);
        let (mut session, mut reader) = (start(), SessionReader::new());
        let mut sent: Vec<(String, PackRoot<'static>)> = Vec::new();
        for event in events {
            let arrives = match event {
                Event::Send { payload, arrives, confirmed } => {
                    let mut out = Vec::new();
                    let delivery = session.encode(&payload, Duration::ZERO, &mut out).unwrap().delivery;
                    if confirmed {
                        session.confirm(delivery);
                    }
                    sent.push((String::from_utf8(out).unwrap(), encoder.pack_root(&payload).unwrap()));
                    sent.last().filter(|_| arrives)
                }
                Event::Late(index) => (!sent.is_empty()).then(|| index.get(&sent)),
                Event::ProducerRestarts => {
                    session = start();
                    None
                }
                Event::ConsumerRestarts => {
                    reader = SessionReader::new();
                    None
                }
            };
            let Some((text, root)) = arrives else { continue };
            let known = reader.ids();
            match reader.decode(text) {
                Ok(read) => {
                    prop_assert_eq!(&RootAlgorithm::PackRootV1.root(&read).unwrap(), root, "{}", text);
                    prop_assert_eq!(read.pack_root.as_ref(), Some(root));
                    accepted.set(accepted.get() + 1);
                }
                Err(error) => {
                    let codes = ["unresolved_reference", "session_id_conflict", "root_mismatch"];
                    prop_assert!(codes.contains(&error.code()), "{}", error);
                    prop_assert_eq!(reader.ids(), known);
                    refused.set(refused.get() + 1);
                }
            }
        }
    });
    assert!(accepted.get() > 200 && refused.get() > 50, "{accepted:?} {refused:?}");
}

#[test]
fn a_late_duplicate_after_a_restart_is_noticed_by_its_root() {
    let late = |start: fn() -> Session| {
        let (mut session, mut reader) = (start(), SessionReader::new());
        send(&mut session, &symbols(&["before"]), 0);
        let (_, old) = send(&mut session, &symbols(&["before"]), 0);
        assert!(old.contains("@0  # previously transmitted"), "{old}");
        // Both sides start over, and an old text arrives.
        let mut session = start();
        let (_, text) = send(&mut session, &symbols(&["after"]), 0);
        reader.decode(&text).unwrap();
        let read = reader.decode(&old).map(|payload| payload.symbols[0].qualified_name.to_string());
        (read, reader, old)
    };
    // Nothing tells without roots: the known hole.
    let (read, ..) = late(|| Session::new(Encoder::new()));
    assert_eq!(read.unwrap(), "after");
    let (read, mut reader, old) = late(|| Session::new(Encoder::new()).compute_roots(true));
    let error = read.unwrap_err();
    assert_eq!((error.code(), error.position().unwrap().line), ("root_mismatch", 1));
    // The reader reads no more of the session until it starts over, and nothing of it was learned.
    let (_, next) = send(&mut Session::new(Encoder::new()), &symbols(&["next"]), 0);
    assert_eq!(reader.decode(&next).unwrap_err().code(), "session_id_conflict");
    assert_eq!(reader.ids(), 1);
    reader.reset();
    assert_eq!(reader.decode(&next).unwrap().symbols.len(), 1);
    // Who hashes otherwise is read as before.
    let mut reader = SessionReader::new().check_roots(false);
    reader.decode("GCF tool=t session=true\n@0 fn after 0.50 x\n").unwrap();
    assert_eq!(reader.decode(&old).unwrap().symbols[0].qualified_name, "after");
}

/// A reference in a delta has no distance, and so no root of what it resolves to would be right.
#[test]
fn a_session_with_roots_writes_deltas_on_their_own() {
    let mut session = Session::new(Encoder::new()).compute_roots(true);
    let known = Symbol::new("function", "pkg.Known");
    let payload = Payload { tool: "t".into(), symbols: vec![known.clone()], ..Payload::default() };
    send(&mut session, &payload, 0);
    let roots = [PackRoot::new("a1").unwrap(), PackRoot::new("b2").unwrap()];
    let [base, new] = roots;
    let mut delta = Delta::new("t", base, new);
    delta.added = vec![known.with_distance(2)];
    let sent = session.encode_delta(&delta, Duration::ZERO, &mut Vec::new()).unwrap();
    assert_eq!(sent.outcome, Outcome::Plain);
}

#[test]
fn ids_of_a_delta_are_bound_when_it_was_applied() {
    let text =
        "GCF tool=t delta=true base_root=a1 new_root=b2 session=true\n## added\n@0 fn a 0.50 x\n";
    let reference = "GCF tool=t session=true\n@0  # previously transmitted\n";
    let mut reader = SessionReader::new();
    assert_eq!(reader.decode_delta(text).unwrap().added.len(), 1);
    assert_eq!(reader.decode(reference).unwrap_err().code(), "unresolved_reference");
    // Its roots are of no known form, so that it can't be applied with a check.
    let base = Payload::default();
    assert_eq!(reader.apply_delta(text, &base).unwrap_err().code(), "unknown_root");
    assert_eq!(reader.ids(), 0);
    let mut reader = reader.check_roots(false);
    assert_eq!(reader.apply_delta(text, &base).unwrap().symbols.len(), 1);
    assert_eq!(reader.decode(reference).unwrap().symbols[0].qualified_name, "a");
}
