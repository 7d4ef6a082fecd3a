//! Laws of every payload and every text.

use std::cell::Cell;

use gcf::graph::{Decoder, Dialect, Encoder, RootAlgorithm, StreamHead};
use proptest::prelude::*;
use wire_conformance::strategy::{Numbers, Shape, Text, Vocabulary, payload};
use wire_core::{PackRoot, Payload, Symbol};

const SHAPE: Shape = Shape {
    text: Text::Tokens,
    numbers: Numbers::Finite,
    max_distance: u32::MAX,
    vocabulary: Vocabulary::Open,
};

fn dialect() -> impl Strategy<Value = Dialect> {
    proptest::sample::select(Dialect::ALL)
}

fn projected(payload: &Payload<'static>, dialect: Dialect) -> Payload<'static> {
    let mut projected = payload.clone();
    dialect.fidelity().project(&mut projected);
    projected
}

proptest! {
    #[test]
    fn a_payload_comes_back_up_to_the_fidelity(payload in payload(SHAPE), dialect in dialect()) {
        let text = Encoder::new().dialect(dialect).to_string(&payload).unwrap();
        let back = gcf::graph::from_str(&text).unwrap();
        prop_assert_eq!(&back, &projected(&payload, dialect));
        // And what comes back is the same text.
        prop_assert_eq!(Encoder::new().dialect(dialect).to_string(&back).unwrap(), text);
    }

    #[test]
    fn every_entry_point_agrees(payload in payload(SHAPE), dialect in dialect()) {
        let encoder = Encoder::new().dialect(dialect);
        let text = encoder.to_string(&payload).unwrap();
        let mut appended = b"before".to_vec();
        encoder.encode(&payload, &mut appended).unwrap();
        prop_assert_eq!(&appended[6..], text.as_bytes());
        let from_str = gcf::graph::from_str(&text).unwrap();
        prop_assert_eq!(&from_str, &gcf::graph::from_slice(text.as_bytes()).unwrap());
        prop_assert_eq!(&from_str, &gcf::graph::from_reader(text.as_bytes()).unwrap());
        let (lenient, report) = Decoder::new().decode_lenient(&text).unwrap();
        prop_assert_eq!(&from_str, &lenient);
        prop_assert!(report.is_clean(), "{:?}", report);
    }

    #[test]
    fn the_order_of_distances_does_not_matter(payload in payload(SHAPE), dialect in dialect()) {
        // Ids are given in the order of distances, so a canonical payload is the same text.
        let mut canonical = payload.clone();
        canonical.canonicalize();
        let encoder = Encoder::new().dialect(dialect);
        prop_assert_eq!(encoder.to_string(&payload).unwrap(), encoder.to_string(&canonical).unwrap());
    }

    #[test]
    fn no_order_matters_to_v3(payload in payload(SHAPE), seed in any::<u64>()) {
        // Apart from symbols of one rank and edges between the same ends, which keep their order.
        let mut payload = payload;
        let distinct = u32::try_from(payload.symbols.len()).unwrap();
        for (place, symbol) in (0u32..distinct).zip(&mut payload.symbols) {
            symbol.score = f64::from(place);
        }
        payload.edges.sort_by_key(|edge| (edge.source, edge.target));
        payload.edges.dedup_by_key(|edge| (edge.source, edge.target));
        let mut shuffled = payload.clone();
        let mut state = seed;
        let mut below = |bound: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            usize::try_from(state >> 33).unwrap() % bound.max(1)
        };
        for place in (1..shuffled.symbols.len()).rev() {
            let (other, last) = (below(place + 1), place);
            shuffled.symbols.swap(other, last);
            let swap = |end: u32| match usize::try_from(end).unwrap() {
                end if end == other => u32::try_from(last).unwrap(),
                end if end == last => u32::try_from(other).unwrap(),
                _ => end,
            };
            for edge in &mut shuffled.edges {
                (edge.source, edge.target) = (swap(edge.source), swap(edge.target));
            }
        }
        for place in (1..shuffled.edges.len()).rev() {
            shuffled.edges.swap(below(place + 1), place);
        }
        let encoder = Encoder::new().dialect(Dialect::V3);
        prop_assert_eq!(encoder.to_string(&shuffled).unwrap(), encoder.to_string(&payload).unwrap());
    }

    #[test]
    fn a_stream_is_read_like_a_buffered_payload(
        payload in payload(SHAPE),
        dialect in proptest::sample::select(&[Dialect::V1_4, Dialect::V3][..]),
    ) {
        let mut payload = payload;
        payload.canonicalize();
        let head = StreamHead {
            tool: &payload.tool,
            token_budget: payload.token_budget,
            tokens_used: payload.tokens_used,
            pack_root: payload.pack_root.clone(),
        };
        let mut stream = Encoder::new().dialect(dialect).writer(Vec::new(), &head).unwrap();
        for (index, symbol) in (0u32..).zip(&payload.symbols) {
            prop_assert_eq!(stream.symbol(symbol).unwrap(), index);
        }
        for edge in &payload.edges {
            stream.edge(edge).unwrap();
        }
        let text = stream.finish().unwrap();
        // Nothing is sorted on the way, so the order is that of the payload in every dialect.
        prop_assert_eq!(gcf::graph::from_slice(&text).unwrap(), projected(&payload, Dialect::V1));
    }

    #[test]
    fn line_endings_do_not_matter(payload in payload(SHAPE)) {
        let text = gcf::graph::to_string(&payload).unwrap();
        let crlf = text.replace('\n', "\r\n");
        prop_assert_eq!(gcf::graph::from_str(&crlf).unwrap(), gcf::graph::from_str(&text).unwrap());
    }

    #[test]
    fn any_text_is_decoded_or_refused_with_a_place(text in any::<String>(), head in any::<bool>()) {
        let text = if head { format!("GCF tool=t\n{text}") } else { text };
        match gcf::graph::from_str(&text) {
            Ok(payload) => prop_assert!(gcf::graph::to_string(&payload).is_ok()),
            Err(error) => prop_assert!(error.position().is_some()),
        }
    }
}

/// Every cut of a payload is another text to read.
fn cuts() -> ProptestConfig {
    ProptestConfig::with_cases(32)
}

proptest! {
    #![proptest_config(cuts())]

    #[test]
    fn no_cut_of_a_counted_payload_goes_unnoticed(
        payload in payload(SHAPE),
        dialect in proptest::sample::select(&[Dialect::V1_4, Dialect::V3][..]),
    ) {
        let text = Encoder::new().dialect(dialect).to_string(&payload).unwrap();
        let decoder = Decoder::new().require_final_newline(true);
        for cut in 0..text.len() {
            prop_assert!(decoder.from_slice(&text.as_bytes()[..cut]).is_err(), "cut at {}", cut);
        }
    }
}

#[test]
fn a_cut_of_an_uncounted_payload_loses_edges_at_most() {
    let taken = Cell::new(0);
    proptest!(cuts(), |(payload in payload(SHAPE))| {
        let text = gcf::graph::to_string(&payload).unwrap();
        let whole = gcf::graph::from_str(&text).unwrap();
        let decoder = Decoder::new().require_final_newline(true);
        for cut in 0..text.len() {
            if let Ok(part) = decoder.from_slice(&text.as_bytes()[..cut]) {
                taken.set(taken.get() + 1);
                prop_assert_eq!(&part.symbols, &whole.symbols);
                prop_assert_eq!(&part.edges[..], &whole.edges[..part.edges.len()]);
            }
        }
    });
    assert!(taken.get() > 25, "{taken:?} of the cuts were taken");
}

/// Lines that are plain, and lines that nearly are.
fn line() -> impl Strategy<Value = String> {
    let pieces = prop_oneof![
        proptest::sample::select(
            &[" ", "@", "<@", "\r", "0.50", "1", "calls", "fn", "added", "\t"][..]
        )
        .prop_map(str::to_owned),
        "[!-~]{0,20}",
        "[^\n]{0,9}",
    ];
    let near = proptest::collection::vec(pieces, 0..12)
        .prop_map(|pieces| format!("@0{}", pieces.concat()));
    prop_oneof![
        near,
        "@[0-9]{1,11} [a-z]{1,18} [!-~é]{1,40} [0-9:][.,][0-9/]{2,3} [!-~é]{1,18}(\r)?.{0,2}",
        "@[0-9]{1,11} fn [!-\u{7f}]{1,40} [0-9]\\.[0-9]{2} [!-~]{1,18}",
        "@[01]{1,9}<@[01]{1,9} [!-~é]{1,18}( [!-~é]{0,9})?(\r)?.{0,2}",
        "@[01]<@[01] [!-\u{7f}]{1,18}( [!-\u{7f}]{1,9})?",
    ]
}

/// A line that does not end is read field by field, and a plain one that does in one pass.
#[test]
fn plain_lines_are_read_as_all_others() {
    let (symbols, edges) = (Cell::new(0), Cell::new(0));
    proptest!(ProptestConfig::with_cases(1_500), |(line in line(), is_edge in any::<bool>())| {
        let start = if is_edge {
            "GCF tool=t symbols=2 edges=1\n## targets\n@0 fn a 0.50 x\n@1 fn b 0.50 x\n## edges\n"
        } else {
            "GCF tool=t symbols=2 edges=0\n## targets\n@9 fn a 0.50 x\n"
        };
        let read = |end: &str| {
            let text = format!("{start}{line}{end}");
            let read = gcf::graph::from_str(&text).map(Payload::into_owned);
            read.map_err(|error| (error.kind(), error.position()))
        };
        let whole = read("");
        prop_assert_eq!(&whole, &read("\n"));
        if !line.ends_with('\r') {
            prop_assert_eq!(&whole, &read("\r\n"));
        }
        let taken = if is_edge { &edges } else { &symbols };
        taken.set(taken.get() + u32::from(whole.is_ok()));
    });
    assert!(symbols.get() > 30 && edges.get() > 30, "{symbols:?} and {edges:?} were read");
}

#[test]
fn scores_are_read_as_the_nearest_doubles() {
    let read = |header: &str, score: &str| {
        let text = format!("{header}\n## targets\n@0 fn a {score} x\n");
        gcf::graph::from_str(&text).map(|payload| payload.symbols[0].score).ok()
    };
    let (v1, v3) = ("GCF tool=t", "GCF profile=graph tool=t symbols=1 edges=0");
    for hundredths in 0..1_000 {
        let score = format!("{}.{:02}", hundredths / 100, hundredths % 100);
        assert_eq!(read(v1, &score), score.parse().ok(), "{score}");
        assert_eq!(read(v3, &score), score.parse().ok(), "{score}");
    }
    for score in ["-0.50", "12.34", "007.10"] {
        assert_eq!(read(v1, score), score.parse().ok(), "{score}");
        assert_eq!(read(v3, score), score.parse().ok(), "{score}");
    }
    for score in ["1", "1.", ".50", "0.5", "0.123456", "+0.50", "1e-3", "1e0.00"] {
        let is_number = score != "1e0.00";
        assert_eq!(read(v1, score), score.parse().ok().filter(|_| is_number), "{score}");
        assert_eq!(read(v3, score), None, "{score}");
    }
    for score in ["1e999", "inf", "NaN", "0x1", "abc", "-", "--0.50", "5.0e"] {
        assert_eq!((read(v1, score), read(v3, score)), (None, None), "{score}");
    }
}

#[test]
fn groups_of_symbols_have_distances() {
    for (name, distance) in [
        ("targets", Some(0)),
        ("related", Some(1)),
        ("extended", Some(2)),
        ("distance_3", Some(3)),
        ("distance_4294967295", Some(u32::MAX)),
        ("distance_4294967296", None),
        ("distance_", None),
        ("distance_-1", None),
        ("distance_+1", None),
        ("Targets", None),
    ] {
        let text = format!("GCF tool=t\n## {name}\n@0 fn a 0.50 x\n");
        let read = gcf::graph::from_str(&text);
        assert_eq!(
            read.as_ref().map(|payload| payload.symbols[0].distance).ok(),
            distance,
            "{name}"
        );
        if let Ok(payload) = read {
            assert!(gcf::graph::to_string(&payload).unwrap().contains(&text["GCF tool=t".len()..]));
        }
    }
}

#[test]
fn names_of_options_read_back() {
    for dialect in Dialect::ALL {
        assert_eq!(Dialect::from_name(dialect.name()), Some(*dialect));
    }
    assert_eq!(Dialect::from_name("v2"), None);
    let symbols = vec![Symbol::new("function", "a").with_score(0.125)];
    let payload = Payload { symbols, ..Payload::default() };
    for algorithm in RootAlgorithm::ALL {
        assert_eq!(RootAlgorithm::from_name(algorithm.name()), Some(*algorithm));
        assert_eq!(RootAlgorithm::of(&algorithm.root(&payload).unwrap()), Some(*algorithm));
    }
    for opaque in ["a1b2c3", "sha256:ab", &"A".repeat(64), "md5:00"] {
        assert_eq!(RootAlgorithm::of(&PackRoot::new(opaque).unwrap()), None, "{opaque}");
    }
}
